"""A text in a program of the person's own: which program, in which file, and what is left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from unspool.errors import NotFound, Unwritable
from unspool_tui import pager
from unspool_tui.pager import Scratch, cleaned, command, program_of, run


def there(*names: str) -> object:
    """Return what knows these programs only."""
    return lambda name: f"/bin/{name}" if name in names else None


def test_the_persons_own_program_is_taken_the_pager_first() -> None:
    which = there("less", "more", "most", "vim", "code")
    assert program_of({"PAGER": "most", "EDITOR": "vim"}, which=which) == ("most",)
    assert program_of({"EDITOR": "vim", "VISUAL": "code --wait"}, which=which) == ("code", "--wait")
    assert program_of({"PAGER": "  "}, which=which) == ("less",)
    assert program_of({}, which=there("more")) == ("more",)


def test_its_words_are_split_as_a_shell_does_and_given_to_no_shell() -> None:
    found = program_of({"PAGER": "less -R '-P a b' ; rm"}, which=there("less"))
    assert found == ("less", "-R", "-P a b", ";", "rm")


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"PAGER": "lezz"}, r"\$PAGER names 'lezz'"),
        ({"EDITOR": "vimm -R"}, r"\$EDITOR names 'vimm'"),
        ({"PAGER": "less 'x"}, r"\$PAGER cannot be read"),
        ({}, r"name one in \$PAGER or \$EDITOR"),
    ],
)
def test_what_is_missing_is_said_in_one_line(environ: dict[str, str], said: str) -> None:
    with pytest.raises(NotFound, match=said) as error:
        program_of(environ, which=there())
    assert "\n" not in str(error.value)


def test_programs_that_can_begin_at_a_line_are_told_it() -> None:
    assert command(("/usr/bin/less", "-R"), "/t/x", 12) == ("/usr/bin/less", "-R", "+12", "/t/x")
    assert command(("code", "--wait"), "/t/x", 12) == ("code", "--wait", "/t/x")
    assert command(("less",), "/t/x", 1) == ("less", "/t/x")
    assert command(("less",), "/t/x") == ("less", "/t/x")


def test_the_file_is_private_whatever_the_umask_and_gone_when_closed() -> None:
    before = os.umask(0)
    try:
        scratch = Scratch("E1.0.txt", {})
        scratch.write(["a\n", "b"])
    finally:
        os.umask(before)
    path = Path(scratch.path)
    assert path.read_text() == "a\nb"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    scratch.close()
    assert not path.parent.exists()
    scratch.close()


def test_what_is_forgotten_is_gone_too() -> None:
    scratch = Scratch("x.txt", {})
    scratch.write(["a"])
    folder = Path(scratch.folder)
    del scratch
    assert not folder.exists()


def test_what_is_left_open_is_gone_when_the_process_ends() -> None:
    code = "from unspool_tui.pager import Scratch; s = Scratch('x', {}); s.write(['a']); print(s.folder)"
    folder = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert folder.startswith("/")
    assert not Path(folder).exists()


def test_no_file_is_made_among_an_agents_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = home / ".claude" / "tmp"
    folder.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with pytest.raises(Unwritable, match="belongs to claude"):
        Scratch("x.txt", {"HOME": str(home)})
    assert list(folder.iterdir()) == []


def test_a_place_that_cannot_be_written_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(Unwritable, match="no temporary file can be made"):
        Scratch("x.txt", {})


def test_a_sequence_that_two_windows_share_is_removed_whole() -> None:
    assert "".join(cleaned(["a\x1b[3", "1mb\x1b[0m\nc", "d\n", "", "e"])) == "ab\ncd\ne"


def test_an_enormous_line_is_written_bit_by_bit_and_no_sequence_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pager, "HELD_CHARACTERS", 100)
    windows = ["x" * 99, "y" * 60 + "\x1b]0;ti", "tle\x07" + "z" * 200, "end"]
    blocks = list(cleaned(windows))
    assert "".join(blocks) == "x" * 99 + "y" * 60 + "z" * 200 + "end"
    assert max(map(len, blocks)) <= 300
    assert sum(map(bool, blocks)) > 2


def test_every_text_is_written_whole_wherever_it_is_cut() -> None:
    text = "a\nbü\r\n\ttab\n\n" + "long " * 50 + "\nend"
    for length in (1, 2, 3, 7, 64, 1000):
        windows = [text[at : at + length] for at in range(0, len(text), length)]
        assert "".join(cleaned(windows)) == text.replace("\r\n", "\n").replace("\t", "    ")


def test_a_program_that_ends_well_after_a_while_leaves_nothing_to_tell() -> None:
    paused: list[bool] = []
    assert run(["sleep", "0.7"], pause=lambda: paused.append(True)) == ""
    assert paused == []


def test_one_that_ends_at_once_lets_the_person_read_first() -> None:
    paused: list[bool] = []
    assert run(["true"], pause=lambda: paused.append(True)) == ""
    assert paused == [True]


def test_one_that_fails_is_told() -> None:
    paused: list[bool] = []
    assert run(["sh", "-c", "exit 3"], pause=lambda: paused.append(True)) == "sh ended with exit 3"
    assert run(["sh", "-c", "kill -9 $$"], pause=lambda: paused.append(True)) == "sh ended with signal 9"
    assert run(["/nowhere/at/all"], pause=lambda: paused.append(True)).startswith("/nowhere/at/all cannot be run: ")
    assert paused == []


def test_an_interrupt_is_the_programs_own_and_handlers_come_back() -> None:
    own = signal.getsignal(signal.SIGINT)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    assert run(["sleep", "0.8"], pause=lambda: None) == ""
    assert signal.getsignal(signal.SIGINT) is own
    asked = run(["sh", "-c", "kill -INT $$; exit 0"], pause=lambda: None)
    assert asked == "sh ended with signal 2"


def test_who_is_told_to_end_ends_the_program_first() -> None:
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
        assert run(["sleep", "30"], pause=lambda: None) == "sleep ended with signal 15"
    finally:
        signal.signal(signal.SIGTERM, before)
