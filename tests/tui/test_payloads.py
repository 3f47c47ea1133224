"""Nothing that a session holds acts on the terminal: each byte that reaches a pseudo-terminal fits a short grammar."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running import unspool
from tests.tui.hostile_text import FORBIDDEN
from tests.tui.payloads import PAYLOADS, file_name, plant
from tests.tui.terminal import Terminal
from tests.tui.wire import NotAllowed, check, drawn, tokens
from unspool_tui.verbs import VERBS

AGENTS = ("claude", "codex")

SHORTLY = 0.06
"""Seconds without a byte after which the next key is pressed: the walk is about what is written, not when."""

TAB, ENTER, ESCAPE, DOWN = "\t", "\r", "\x1b", "\x1b[B"

SESSIONS = [
    *(["j"] * 8), "G", "k", "/", *"project:", TAB, ESCAPE, *"/w", TAB, ENTER, ESCAPE, "f", "f", "y", "C", "?", ESCAPE,
    "o", *"/srv/", TAB, ENTER, ESCAPE, "\x10", *"title", ESCAPE, "s", *"good", ENTER,
]  # fmt: skip
"""A walk over the list of sessions, its filter, its questions, the palette and the search over all sessions."""

INSIDE = [
    "t", "H", "?", ESCAPE, "/", *"good", ENTER, "n", "N", "c", ESCAPE, "/", *"tool:", TAB, ENTER, ESCAPE, "6", "e",
    "E", "0", "U", "j", ESCAPE, ":", *"E9999", ENTER, ESCAPE, "y", "Y", "p", "z", "z", "[", "]", "L", "2", "j", "3",
    "j", "1", "j", "y", ESCAPE, "P", "j", "y", ENTER, ESCAPE, "\x10", *"go", ESCAPE, "C", "R",
]  # fmt: skip
"""A walk over one session: filter, facets, lenses, questions, what is copied."""

READING = ["r", "r", "m", "w", "\x1b[C", "w", "/", "w", ENTER, "n", "G", "Y", ESCAPE]
"""A walk through one piece in the reader."""


@pytest.fixture(params=AGENTS, scope="module")
def planted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which an agent's sessions hold every payload in every field."""
    home = tmp_path_factory.mktemp(f"planted-{request.param}")
    plant(home, request.param)
    return home


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal((120, 36)) as terminal:
        yield terminal


def walk(terminal: Terminal, keys: list[str]) -> None:
    """Press keys one by one; what they lead to is drawn, and does nothing else."""
    start = len(terminal.written)
    for key in keys:
        terminal.type(key)
        terminal.settle(SHORTLY)
    terminal.settle()
    try:
        drawn(terminal.written[start:], terminal.size)
    except NotAllowed as error:
        raise AssertionError(f"{error}\nafter {keys} on\n{terminal}") from error


def leave(terminal: Terminal) -> None:
    """End the app."""
    terminal.type("\x03")
    assert terminal.ended() == 0
    assert terminal.left() == {}
    assert terminal.said() == ""
    check(terminal.written)


def test_the_lists_of_sessions_only_draw(terminal: Terminal, planted: Path, tmp_path: Path) -> None:
    terminal.start("-m", "unspool_tui", environ={"HOME": str(planted)}, folder=tmp_path)
    terminal.wait_for("? help")
    terminal.settle()
    walk(terminal, SESSIONS)
    walk(terminal, ["j", "y", ENTER])
    walk(terminal, ["n", "q"])
    leave(terminal)


def test_a_session_only_draws(terminal: Terminal, planted: Path, tmp_path: Path) -> None:
    terminal.start("-m", "unspool_tui", "last", environ={"HOME": str(planted)}, folder=tmp_path)
    terminal.wait_for("? help")
    terminal.settle()
    walk(terminal, INSIDE)
    leave(terminal)


def test_every_piece_only_draws(terminal: Terminal, planted: Path, tmp_path: Path) -> None:
    terminal.start("-m", "unspool_tui", "last", environ={"HOME": str(planted)}, folder=tmp_path)
    terminal.wait_for("? help")
    terminal.settle()
    walk(terminal, ["H", "t"])
    for _ in range(12):  # no step by nine meets the same kind of piece twice
        walk(terminal, ["j"] * 9)
        walk(terminal, [ENTER, *READING])
    leave(terminal)


ASKED = {
    "read": ["last/E0-E40"], "inspect": ["last/E3.0"], "resolve": ["last/E3.0"], "search": ["good"],
    "sessions": ["--limit", "50"], "doctor": [], "settings": ["--show"], "export": ["last", "-o", "-"],
}  # fmt: skip
"""What the verbs of the command are asked; the others are asked about the newest session."""

ANSWERS = frozenset({"style", "text", "row", "again"})
"""What the command writes onto a terminal."""

EVERY_VERB = "import sys; from unspool_tui.cli import main; [main(words.split()) for words in sys.argv[1:]]"


def answered(terminal: Terminal) -> None:
    """Wait for the end, and see that the command wrote text and nothing else."""
    terminal.ended()
    check(terminal.written)
    assert {token.name for token in tokens(terminal.written)} <= ANSWERS


def test_answers_of_the_command_are_text(terminal: Terminal, planted: Path, tmp_path: Path) -> None:
    ending = [verb for verb in VERBS if verb not in ("open", "follow", "demo")]
    asked = [" ".join([verb, *ASKED.get(verb, ["last"])]) for verb in ending]
    terminal.start("-c", EVERY_VERB, *asked, environ={"HOME": str(planted)}, folder=tmp_path)
    answered(terminal)
    assert terminal.written.count("w0") > len(asked)


def test_errors_that_quote_what_was_typed_are_text(terminal: Terminal, home: Path) -> None:
    typed = [
        f"./{bad}".replace("\0", "").encode("utf-8", "ignore").decode().replace(" ", "_") for bad in PAYLOADS.values()
    ]
    terminal.start("-c", EVERY_VERB, *typed, environ={"HOME": str(home)})
    answered(terminal)
    assert terminal.written.count("unspool: ") == len(PAYLOADS)


def test_a_folder_that_cannot_be_read_is_told_in_text(terminal: Terminal, tmp_path: Path) -> None:
    root = tmp_path / file_name("".join(PAYLOADS.values()))
    root.mkdir()
    os.symlink(root / "gone", root / ".claude")
    terminal.start("-m", "unspool_tui", "--root", str(root), environ={"HOME": str(tmp_path)})
    terminal.wait_for("No sessions found")
    walk(terminal, ["r", "?", ESCAPE])
    leave(terminal)


@pytest.mark.parametrize("format", ["md", "html", "json"])
def test_an_exported_file_is_text(planted: Path, tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(planted))
    path = tmp_path / f"out.{format}"
    assert unspool("export", "last", "--full", "-o", path).code == 0
    text = path.read_bytes().decode()
    assert "w0" in text
    assert FORBIDDEN.search(text.replace("\n", "")) is None


def test_a_file_that_is_exported_in_the_app_is_text(terminal: Terminal, planted: Path, tmp_path: Path) -> None:
    terminal.start("-m", "unspool_tui", "last", environ={"HOME": str(planted)}, folder=tmp_path)
    terminal.wait_for("? help")
    terminal.settle()
    walk(terminal, ["x", ENTER])
    terminal.wait_for("pieces")
    walk(terminal, [ENTER])
    leave(terminal)
    (written,) = (*tmp_path.iterdir(), *planted.glob("*.md"), *planted.glob("Downloads/*"))
    assert FORBIDDEN.search(written.read_bytes().decode().replace("\n", "")) is None
