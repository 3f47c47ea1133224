"""Values at the edge of what JSON parsers take: depth, size, spelling, escapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.damage import either
from tests.factories.expected import Expected
from tests.factories.minicode_lines import MiniCode
from tests.factories.names import Names
from tests.factories.writing import Lines
from tests.factories.yoi_lines import Yoi


def _raw_input(lines: Lines, names: Names, text: str) -> None:
    """Add a call whose arguments are this JSON text, as each agent stores it."""
    if isinstance(lines, (Codex, Yoi)):
        lines.result(lines.function("probe", text), "ok")
    elif isinstance(lines, Claude):
        call = names.token("toolu_")
        block: dict[str, Any] = {"type": "tool_use", "id": call, "name": "Probe", "input": "PLACE"}
        lines.count(tool_input=1).spoke(block)
        lines.patch(b'"PLACE"', text.encode())
        lines.result(call, "ok")
    elif isinstance(lines, MiniCode):
        call = lines.used("probe", "PLACE")
        lines.patch(b'"PLACE"', text.encode())
        lines.result(call, "ok")


def deep_nesting(home: Path, seed: int) -> Expected:
    """A record too deep for any parser is listed; one that is only deep is read; their neighbours stand."""
    names = Names(seed)
    lines = Claude(home, names)
    lines.user(names.prompt())
    core, within, after = names.needle(), names.needle(), names.needle()
    levels = names.rng.randrange(1500, 4000)
    lines.bad(
        lines.encode(lines.assistant([{"type": "text", "text": "DEEP"}])).replace(
            b'"DEEP"', b"[" * levels + json.dumps(core).encode() + b"]" * levels
        )
    )
    levels = names.rng.randrange(300, 1000)
    _raw_input(lines, names, '{"a":' * levels + json.dumps(within) + "}" * levels)
    lines.answer(f"{names.sentence()} {after}")
    return lines.save().expected(find={core: 0, within: 1, after: 1})


def spelled_numbers(home: Path, seed: int) -> Expected:
    """Numbers keep their text: thousands of digits, exponents, a negative zero, NaN and infinities."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    digits = "".join(names.rng.choices("123456789", k=names.rng.randrange(20, 6000)))
    needle = names.needle()
    text = f'{{"id":{digits},"a":1e400,"b":-0,"c":1.10,"d":NaN,"e":-Infinity,"f":18446744073709551617,"g":"{needle}"}}'
    _raw_input(lines, names, text)
    lines.answer(names.sentence())
    return lines.save().expected(
        find={needle: 1, digits: 1, "1e400": 1, "nan": 1, "-infinity": 1, "1.10": 1}, texts={needle: text}
    )


def escaped_text(home: Path, seed: int) -> Expected:
    r"""Letters written as \u0061, slashes as \/, quotes, newlines: found as they read."""
    lines, names = either(home, seed)
    needle, other = names.needle(), names.needle()
    hidden = "".join(f"\\u{ord(letter):04x}" for letter in needle)
    lines.user(f"Open HIDDEN at a/{other}/b")
    lines.patch(b"HIDDEN", hidden.encode()).patch(f"a/{other}/b".encode(), rf"a\/{other}\/b".encode())
    spoken = names.needle()
    lines.answer(f'It says "{spoken}"\n\tand\\or éß')
    return lines.save().expected(
        find={needle: 1, f"a/{other}/b": 1, f'"{spoken}"\n\tand\\or': 1, "\\u00": 0, "\\/": 0, "ÉSS": 1},
        texts={needle: f"Open {needle} at a/{other}/b"},
    )


def double_encoded(home: Path, seed: int) -> Expected:
    """Codex keeps arguments as a JSON string in JSON: quotes, newlines and escapes are found as they were meant."""
    names = Names(seed)
    lines = Codex(home, names)
    lines.user(names.prompt())
    needle, key = names.needle(), names.needle()
    script = f"echo \"{needle}\"\nprintf 'a\\tb'  # café/x"
    arguments = {"cmd": script, key: [1, True, None, {"path": "C:\\temp\\new"}]}
    encoded = json.dumps(arguments, ensure_ascii=names.rng.random() < 0.5)
    lines.result(lines.function("exec_command", encoded.replace("/", r"\/")), "ok")
    broken = names.needle()
    lines.result(lines.function("shell", f'{{"command":["cat","{broken}"'), "ok")
    compact = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return lines.save().expected(
        find={
            f'"{needle}"\nprintf': 1,
            "a\\tb": 1,
            "café/x": 1,
            "C:\\temp\\new": 1,
            key: 1,
            broken: 1,
            '\\"': 0,
            "exec_command": 1,
        },
        texts={needle: compact, broken: f'{{"command":["cat","{broken}"'},
    )
