"""The fixed sessions that the pictures show: some weeks of work, and one session with every kind of piece in it."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from tests.core.library.test_parts import write_session
from tests.screenshots.day import NOW, write_day
from tests.screenshots.script import ClaudeScript
from tests.screenshots.story import story

CWD: Final = "/home/mira/src/kiosk"

ASKED: Final = """Labels on the kiosk break in the wrong place: 見出しが途中で切れる. See `labels.py`.

- Japanese breaks anywhere
- English only between words"""

ANSWERED: Final = """## What goes wrong

The label is **cut by characters**, not by *cells*:

1. `wrap()` counts code points
2. a sign of two cells counts as one

| text | cells | counted |
|---|---:|---:|
| 見出し | 6 | 3 |
| heading | 7 | 7 |

> Widths come from the terminal, not from Unicode's names.

```python
def cells(text: str) -> int:
    return sum(2 if wide(sign) else 1 for sign in text)
```

See [the table of widths](https://example.org/widths) for more."""

COLOURED: Final = "\n".join(
    [
        "\x1b[1mrunning 4 checks\x1b[0m",
        "\x1b[32mok\x1b[0m    labels::short",
        "\x1b[32mok\x1b[0m    labels::english",
        "\x1b[31mFAIL\x1b[0m  labels::japanese \x1b[2m(0.02 s)\x1b[0m",
        "\x1b[33mwarn\x1b[0m  labels::emoji \x1b[4mnot run\x1b[0m",
        "\x1b[38;5;39mblue\x1b[0m \x1b[38;2;200;120;255mviolet\x1b[0m \x1b[41;97m loud \x1b[0m",
    ]
)

ORDER: Final = {
    "id": 7,
    "customer": {"name": "Ada", "tags": ["new", "wholesale"], "vip": False},
    "lines": [{"sku": f"L-{number}", "cells": number * 6, "text": "見出し"} for number in range(1, 9)],
    "note": None,
}

LONG: Final = "\n".join(
    [
        "short",
        "one long line: " + " ".join(f"word{number}" for number in range(60)),
        "一行が長い日本語の文章です。" * 8,
        "path/without/any/space/" + "x" * 150,
        "\tindented by a tab, then more " + "and more " * 16,
    ]
)

CODE: Final = '''"""Labels that fit."""

from __future__ import annotations

WIDE = range(0x2E80, 0xFFEF)


def cells(text: str) -> int:
    """Count the cells of a text."""
    return sum(2 if ord(sign) in WIDE else 1 for sign in text)  # two for wide signs
'''


@dataclass(frozen=True)
class Sample:
    """Homes with sessions: `home` with all, `small` with few of them, `parts` with one of several parts.

    `story` and `kiosk` are the paths of the few: a fault found and mended, and a bit of everything.
    """

    home: Path
    small: Path
    parts: Path
    story: str
    kiosk: str


def write_sample(root: Path) -> Sample:
    """Write all sessions under a folder."""
    home, small, parts = (root / name for name in ("home", "small", "parts"))
    for each in (home, small, parts):
        each.mkdir(parents=True)
    write_day(home)
    told = story(small, NOW - timedelta(minutes=10, seconds=25))
    write_session(parts / ".local" / "share" / "yoi")
    _kiosk(home)
    return Sample(home, small, parts, str(told.path(small)), str(_kiosk(small)))


def _kiosk(home: Path) -> Path:
    """Write the session with a bit of everything, and two lines that nobody can read."""
    script = ClaudeScript("a bit of everything", NOW - timedelta(minutes=95), CWD, branch="labels")
    _asked(script)
    _ran(script)
    _seen(script)
    _folded(script)
    script.title("Labels break in the wrong place")
    path = script.write(script.path(home))
    lines = path.read_bytes().split(b"\n")
    lines[6:6] = [b'{"type":"user","message":{"role":"us', b"\x00\x1bnonsense between records"]
    path.write_bytes(b"\n".join(lines))
    return path


def _asked(script: ClaudeScript) -> None:
    script.prompt(ASKED)
    script.wait(4)
    script.think("Find out what counts: characters, code points or cells.")
    script.wait(2)
    script.say(ANSWERED)
    script.wait(3)


def _ran(script: ClaudeScript) -> None:
    script.bash("kiosk check --colour", COLOURED, took=3)
    script.wait(2)
    script.bash("curl -s localhost:8080/orders/7", json.dumps(ORDER, ensure_ascii=False), took=0.4)
    script.wait(2)
    row = json.dumps([{"label": "見出し", "width": 3}, {"label": "heading", "width": 7}], ensure_ascii=False)
    script.use("mcp__kiosk__query", [{"type": "text", "text": row}], sql="select label, width from labels", limit=20)
    script.wait(2)
    script.bash("kiosk dump --wide", LONG)
    script.wait(3)
    path = f"{CWD}/labels.py"
    script.use("Write", f"File created successfully at: {path}", file_path=path, content=CODE,
               detail={"type": "create", "filePath": path, "content": CODE})  # fmt: skip
    script.wait(2)
    script.use("Read", "\n".join(f"{at:>6}→{line}" for at, line in enumerate(CODE.split("\n"), 1)), took=0.2,
               detail={"type": "text", "file": {"filePath": path, "content": CODE, "numLines": 10, "startLine": 1,
                                                "totalLines": 10}}, file_path=path)  # fmt: skip
    script.wait(5)


def _seen(script: ClaudeScript) -> None:
    shot = _image(96, 64)
    script.use("Read", [shot], took=0.3, file_path=f"{CWD}/shots/label.png")
    script.wait(8)
    script.chain("user", message={"role": "user", "content": [{"type": "text", "text": "Like this:"}, _image(120, 90)]})
    script.wait(6)
    script.say("Yes: the last sign is cut in half. The fix counts cells.")
    script.wait(2)
    script.chain("system", subtype="api_error", level="error", content="API error 529: overloaded, tried again in 2 s")
    script.wait(20)


def _folded(script: ClaudeScript) -> None:
    """Let a prompt be taken back, the session be compacted, and a call be without its result."""
    fork = script._parent
    script.prompt("Use a library for it")
    script.wait(4)
    script.say("I would take one with a table of widths.")
    script.wait(30)
    script._parent = fork
    script.prompt("No library. Count it here.")
    script.wait(5)
    script.say("Then `cells()` stays as it is.")
    script.wait(3)
    script._parent = None
    script.chain("system", subtype="compact_boundary", content="Conversation compacted",
                 compactMetadata={"trigger": "auto", "preTokens": 151_000})  # fmt: skip
    script.chain("user", isCompactSummary=True, message={
        "role": "user", "content": "This session is being continued from another one. Labels count cells now."
    })  # fmt: skip
    script.wait(4)
    script.prompt("Run it once more")
    script.wait(3)
    script.call("Bash", command="kiosk check --all")


def _image(width: int, height: int) -> dict[str, object]:
    """Return a block with a grey picture; it is not packed, since not all of zlib's versions pack alike."""
    rows = zlib.compress((b"\0" + b"\x80" * width) * height, 0)
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", rows),
        (b"IEND", b""),
    ):
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source}
