"""Standard streams that are closed, full, or that nobody reads: told in one line or not at all, never a traceback."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from unspool.recording import SessionLog
from unspool_tui.cli import main
from unspool_tui.verbs import VERBS

FULL = [place for place in ("/dev/full",) if os.path.exists(place)]
"""Where nothing can be written, on systems that have such a place."""

USES = {
    "clean": ["--root", "~/recorded", "--older-than", "1d"],
    "read": ["last/E2.0"],
    "inspect": ["last/E2.0"],
    "resolve": ["last/E2.0"],
    "search": ["a"],
    "sessions": [],
    "doctor": [],
    "settings": ["--show"],
    "demo": ["--no-app", "--pace", "0"],
}
"""Arguments with which a verb answers; of the others a session is enough."""

ANSWERING = [verb for verb in VERBS if verb not in ("open", "follow")]
"""Verbs that have an answer at once; what `follow` does is told when something happens, and has tests of its own."""


@pytest.fixture(autouse=True)
def session(home: Path) -> None:
    """A session whose result is longer than any buffer."""
    script = Claude(home, Names(1))
    script.user("Go")
    script.result(script.call("ls"), "a\n" * 200_000)
    script.save()
    SessionLog.of(home / "recorded", str(home)).append([{"role": "user", "content": "Go"}])


def through_shell(arguments: str, streams: str) -> tuple[int, str, str]:
    """Run the command in a process of its own; return its exit code and what it printed."""
    command = f"{shlex.quote(sys.executable)} -m unspool_tui {arguments} {streams}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def in_process(verb: str, answers: int, *more: str) -> tuple[int, str]:
    """Run a verb whose answers go to a descriptor; return the exit code and the last notice."""
    with (
        open(answers, "w", encoding="utf-8") as stream,
        redirect_stdout(stream),
        redirect_stderr(StringIO()) as notices,
    ):
        code = main([verb, *map(os.path.expanduser, USES.get(verb, ["last"])), *more])
    last = notices.getvalue().removesuffix("\n").rpartition("\n")[2]
    return code, last if last.startswith("unspool: ") else ""


@pytest.mark.parametrize("more", [[], ["--json"], ["--help"]])
@pytest.mark.parametrize("verb", ANSWERING)
def test_answers_that_cannot_be_written_are_an_error(verb: str, more: list[str]) -> None:
    told = "unspool: standard output cannot be written: it is closed"
    assert in_process(verb, os.open(os.devnull, os.O_RDONLY), *more) == (2, told)


@pytest.mark.parametrize("more", [[], ["--json"], ["--help"]])
@pytest.mark.parametrize("verb", ANSWERING)
def test_a_reader_who_leaves_ends_the_command_quietly(verb: str, more: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert in_process(verb, writer, *more) == (0, "")


@pytest.mark.parametrize("place", FULL)
@pytest.mark.parametrize("verb", ANSWERING)
def test_a_full_disk_is_told(verb: str, place: str) -> None:
    told = "unspool: standard output cannot be written: No space left on device"
    assert in_process(verb, os.open(place, os.O_WRONLY)) == (2, told)


@pytest.mark.parametrize("arguments", ["sessions", "--help", "--version", "read --help", "export last"])
def test_a_closed_output_is_told_by_the_process_too(arguments: str) -> None:
    told = "unspool: standard output cannot be written: it is closed\n"
    assert through_shell(arguments, ">&-") == (2, "", told)


@pytest.mark.parametrize("streams", ["2>&-", "<&-", "2>&- <&-", *(f"2>{place}" for place in FULL)])
def test_answers_come_whoever_reads_the_notices(streams: str) -> None:
    code, out, err = through_shell("read last/E2.0 --max-bytes 4", streams)
    assert code == 0
    assert out.startswith("a\na\n")
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments", ["read last/E99.0", "open", "read --wrong"])
@pytest.mark.parametrize("streams", ["2>&- >&- <&-", *(f"2>{place}" for place in FULL)])
def test_a_fault_has_its_exit_code_when_nobody_can_be_told(arguments: str, streams: str) -> None:
    assert through_shell(arguments, streams) == (2, "", "")


def test_without_any_stream_the_app_ends_at_once() -> None:
    assert through_shell("", "<&- >&- 2>&-") == (2, "", "")


def test_a_reader_who_leaves_in_the_middle_meets_no_trace() -> None:
    command = [sys.executable, "-m", "unspool_tui", "read", "last/E2.0", "--all"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10) == b"a\n" * 5
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_an_interrupt_while_nobody_reads_ends_with_130() -> None:
    command = [sys.executable, "-m", "unspool_tui", "read", "last/E2.0", "--all"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10) == b"a\n" * 5
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode in (0, 130)
