"""The pictures as they were recorded last: each as plain text, and as SVG with its colours.

Both are kept whole, so that a change shows in a diff as it shows on the screen: the text says what moved, a line of the
SVG which row has other colours, and any browser draws it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.tui.pictures.drawing import svg_of
from tests.tui.pictures.picture import Picture

FOLDER: Final = Path(__file__).parent / "golden"
AGAIN: Final = "python -m tests.tui.pictures"


def name_of(walk: str, state: str, picture: Picture) -> str:
    """Return the name of a picture's files, without an ending."""
    return f"{walk}-{state}-{picture.size[0]}x{picture.size[1]}"


def drawn(picture: Picture) -> dict[str, str]:
    """Return what is kept of a picture, by the ending of the file."""
    return {".txt": str(picture), ".svg": svg_of(picture)}


def record(name: str, picture: Picture) -> list[Path]:
    """Keep a picture; return the files that are other ones now."""
    FOLDER.mkdir(exist_ok=True)
    changed = []
    for ending, text in drawn(picture).items():
        path = FOLDER / f"{name}{ending}"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def differences(name: str, picture: Picture) -> Iterator[str]:
    """Yield how a picture differs from the one that is kept, in text if it does there, else in colours."""
    for ending, text in drawn(picture).items():
        path = FOLDER / f"{name}{ending}"
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        if kept != text:
            said = difflib.unified_diff(
                kept.split("\n"), text.split("\n"), f"{path.name}, recorded", "now", n=0, lineterm=""
            )
            yield "\n".join([*said, f"if this is as it should be: {AGAIN} {name}"])
            return


def kept() -> set[str]:
    """Return the names of all pictures that are kept."""
    return {path.stem for path in FOLDER.iterdir()}
