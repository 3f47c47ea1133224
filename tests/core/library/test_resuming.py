"""The line that leads back into a session works in a shell, or there is none."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from unspool.errors import NotResumable
from unspool.library import Library, open_library
from unspool.library.resuming import resume_command

ID = "aaaa1111-0000-4000-8000-000000000001"


def library_of(home: Path, cwd: Path | str, session_id: str = ID) -> Library:
    """Return the library of a home with one session of each agent that was worked on in a folder."""
    lines = Claude(home, Names(1), session_id=session_id, cwd=str(cwd))
    rollout = Codex(home, Names(2), session_id=ID, cwd=str(cwd))
    for each in (lines, rollout):
        each.user("Go")
        each.save()
    return open_library([str(home)])


def command_of(library: Library, agent: str) -> str:
    """Return the command by summary, which must be that by view too."""
    summary = next(each for each in library.sessions() if each.agent == agent)
    command = resume_command(summary)
    assert command == resume_command(library.view(summary.ref))
    return command


def refused(library: Library, agent: str = "claude") -> str:
    """Return why there is no command, by summary and by view."""
    summary = next(each for each in library.sessions() if each.agent == agent)
    with pytest.raises(NotResumable) as by_view:
        resume_command(library.view(summary.ref))
    with pytest.raises(NotResumable) as by_summary:
        resume_command(summary)
    assert str(by_view.value) == str(by_summary.value)
    return str(by_view.value)


def test_each_agent_is_asked_in_its_own_words_in_the_sessions_folder(home: Path, tmp_path: Path) -> None:
    library = library_of(home, tmp_path)
    assert command_of(library, "claude") == f"cd {tmp_path} && claude --resume {ID}"
    assert command_of(library, "codex") == f"cd {tmp_path} && codex resume {ID}"


@pytest.mark.parametrize("name", ["it's", "a b", "$(touch x)", "`id`", "-n", "a;b&&c", "~x", "äöü", "*", "!!", "a\\b"])
def test_a_shell_goes_to_the_folder_whatever_its_name_is(home: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    command = command_of(library_of(home, folder), "claude")
    assert shlex.split(command) == ["cd", str(folder), "&&", "claude", "--resume", ID]
    going, _, _ = command.partition(" && ")
    shown = subprocess.run(["/bin/sh", "-c", f"{going} && pwd"], capture_output=True, text=True, check=True)
    assert shown.stdout == f"{folder}\n"
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("sign", ["\n", "\x1b[31m", "\x07", "\x7f", "\x9b", "\u202e", "\u200b", "\u2028"])
def test_a_folder_that_acts_on_a_terminal_is_refused_in_one_line(home: Path, tmp_path: Path, sign: str) -> None:
    folder = tmp_path / f"a{sign}b"
    folder.mkdir()
    said = refused(library_of(home, folder))
    assert "characters that act on a terminal" in said
    assert said.isprintable()


@pytest.mark.parametrize("name", ["gone", "file", "relative", "D:\\work\\shop"])
def test_without_its_folder_a_session_is_resumed_by_the_agents_command_alone(
    home: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / name if name in ("gone", "file") else name
    assert command_of(library_of(home, folder), "claude") == f"claude --resume {ID}"


@pytest.mark.parametrize("session_id", ["-rf", "a b", "$(id)", "a;b", "x" * 200])
def test_an_id_that_is_no_plain_word_is_refused(home: Path, tmp_path: Path, session_id: str) -> None:
    assert "is no plain word" in refused(library_of(home, tmp_path, session_id))


def test_a_subagent_is_not_resumed(home: Path, tmp_path: Path) -> None:
    library_of(home, tmp_path)
    lines = Claude(home, Names(1), session_id=ID, cwd=str(tmp_path))
    part = lines.path.with_suffix("") / "subagents" / "agent-b2c3.jsonl"
    child = Claude(home, Names(4), path=part, session_id=ID, cwd=str(tmp_path), isSidechain=True, agentId="b2c3")
    child.user("Go")
    child.save()
    library = open_library([str(home)])
    for session in (library.summary(library.view(f"claude:{ID}.b2c3").ref), library.view(f"claude:{ID}.b2c3")):
        with pytest.raises(NotResumable, match="goes on with the session that started it"):
            resume_command(session)


def test_a_copy_outside_of_the_agents_folders_is_not_resumed(home: Path, tmp_path: Path) -> None:
    library = library_of(home, tmp_path)
    original = next(each for each in library.sessions() if each.agent == "claude")
    shutil.copy(original.path, tmp_path / f"{ID}.jsonl")
    copy = open_library([str(tmp_path)])
    with pytest.raises(NotResumable, match="lies where claude would not find it"):
        resume_command(next(copy.sessions()))
