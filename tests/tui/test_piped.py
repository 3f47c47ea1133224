"""`unspool -`: a session that streams in on standard input, read to its end, followed, or shown while it comes."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.core.views.growing import answered, called, finished, said
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.tui.terminal import Terminal

SECONDS: Final = 30.0
RECORDS: Final = tuple(
    json.dumps({**json.loads(record), "userType": "external"}).encode()
    for record in (
        said(0, "count the files"),
        called(1, "toolu_1"),
        answered(2, "toolu_1", "three\nfiles"),
        finished(3, "There are three."),
    )
)
SESSION: Final = b"\n".join(RECORDS) + b"\n"

_ON_A_PIPE: Final = (
    "import os, sys; os.dup2(os.open(sys.argv[1], os.O_RDONLY), 0);"
    "os.execv(sys.executable, [sys.executable, '-m', 'unspool_tui', *sys.argv[2:]])"
)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A home without sessions, and a folder of its own for what is temporary."""
    (tmp_path / "tmp").mkdir()
    config, state = str(tmp_path / "config"), str(tmp_path / "state")
    own = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path / "tmp"), "XDG_CONFIG_HOME": config, "XDG_STATE_HOME": state}
    return {**os.environ, **own}


def ran(environ: dict[str, str], data: bytes, *arguments: str) -> tuple[int, str, str]:
    """Exit code, answers and notices of the command with these bytes on its standard input."""
    command = [sys.executable, "-m", "unspool_tui", *arguments]
    done = subprocess.run(command, input=data, capture_output=True, env=environ, timeout=SECONDS, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def events(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.split("\n") if line]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("overview", "-"), "There are three."),
        (("evidence", "-"), "toolu_1"),
        (("search", "files", "-"), "-/E0.0:1: count the files"),
        (("read", "-/E2.0"), "three\nfiles"),
        (("read", "-/toolu_1"), "three"),
        (("read", "-", "--in", "E2"), "three"),
        (("resolve", "-/E3.0"), "E3.0"),
        (("stats", "-"), "entries"),
        (("brief", "-"), "There are three."),
        (("export", "-"), "There are three."),
    ],
)
def test_every_verb_reads_a_pipe_to_its_end_and_leaves_nothing_behind(
    environ: dict[str, str], arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = ran(environ, SESSION, *arguments)
    assert (code, words in out) == (0, True), (out, err)
    assert os.listdir(environ["TMPDIR"]) == []


def test_a_log_of_another_agent_is_read_as_what_it_is(environ: dict[str, str], tmp_path: Path) -> None:
    rollout = Codex(tmp_path / "elsewhere", Names(3))
    rollout.user("Look around")
    rollout.answer("Nothing here")
    rollout.save()
    code, out, _ = ran(environ, rollout.path.read_bytes(), "overview", "-", "--json")
    assert code == 0
    assert "Nothing here" in out


def test_following_a_pipe_tells_all_of_it_and_ends_with_it(environ: dict[str, str]) -> None:
    code, out, _ = ran(environ, SESSION, "follow", "-", "--json")
    told = events(out)
    assert code == 0
    assert [each["id"] for each in told if each["event"] == "evidence"] == ["E0.0", "E1.0", "E2.0", "E3.0"]
    assert told[-1] == {"event": "waiting", "ref": "claude:stdin", "waiting": "turn"}


def test_a_writer_that_dies_in_the_middle_of_a_line_leaves_what_it_wrote(environ: dict[str, str]) -> None:
    torn = SESSION + finished(4, "never whole")[:-20]
    code, out, _ = ran(environ, torn, "follow", "-", "--json")
    assert code == 0
    assert "pending" in [each["event"] for each in events(out)]
    code, out, _ = ran(environ, torn, "overview", "-")
    assert (code, "There are three." in out, "never whole" in out) == (0, True, False)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "nothing came on standard input; pipe a session in"),
        (bytes(range(256)) * 40, "standard input is not a text file"),
        (b"hello\nworld\n" * 5, "standard input is no session of an agent"),
        (b'{"a":1}\n' * 40, "standard input is no session of an agent"),
    ],
)
@pytest.mark.parametrize("verb", ["overview", "follow", "open"])
def test_what_is_no_session_gets_one_plain_line(environ: dict[str, str], data: bytes, words: str, verb: str) -> None:
    if verb == "open":
        with Terminal() as terminal:
            source = Path(environ["HOME"]) / "in"
            source.write_bytes(data)
            terminal.start("-c", _ON_A_PIPE, str(source), "-", environ=environ)
            assert terminal.process is not None
            terminal.wait_for(words)
            assert terminal.process.wait(SECONDS) == 2
        return
    code, out, err = ran(environ, data, verb, "-")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"unspool: {words}")


def test_a_terminal_as_standard_input_is_told_what_to_pipe(environ: dict[str, str]) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "unspool_tui", "overview", "-"]
    done = subprocess.run(command, stdin=follower, capture_output=True, env=environ, timeout=SECONDS, check=False)
    os.close(leader)
    os.close(follower)
    assert done.returncode == 2
    assert b"that is your keyboard; pipe a session in" in done.stderr


class Streaming:
    """A running command, its standard input, and what it has answered."""

    def __init__(self, environ: dict[str, str], *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "unspool_tui", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
            bufsize=0,
        )

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def event(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr and self.process.stderr.read()
        read: dict[str, Any] = json.loads(line)
        return read

    def close(self) -> None:
        self.process.kill()
        self.process.wait(SECONDS)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def streaming(environ: dict[str, str]) -> Iterator[Streaming]:
    running = Streaming(environ, "follow", "-", "--json")
    yield running
    running.close()


def test_what_is_written_is_told_while_the_writer_goes_on(streaming: Streaming) -> None:
    for number, record in enumerate(RECORDS):
        streaming.write(record[:7])
        streaming.write(record[7:] + b"\n")
        while (told := streaming.event())["event"] != "evidence":
            assert told["event"] in ("pending", "waiting")
        assert told["id"] == f"E{number}.0"


def test_interrupting_what_still_waits_for_its_first_line_is_quiet(environ: dict[str, str]) -> None:
    for verb in ("overview", "follow"):
        running = Streaming(environ, verb, "-")
        try:
            running.write(b'{"half')
            _until_it_collects(running.process)
            running.process.send_signal(signal.SIGINT)
            assert running.process.wait(SECONDS) == 130
            assert running.process.stderr is not None
            assert running.process.stderr.read() == b""
        finally:
            running.close()


def _until_it_collects(process: subprocess.Popen[bytes]) -> None:
    """Wait until a second thread runs: standard input is being read."""
    assert process.stdin is not None
    while len(os.listdir(f"/proc/{process.pid}/task")) < 2:
        assert process.poll() is None
        os.sched_yield()


def test_a_reader_that_goes_away_ends_it_quietly(streaming: Streaming) -> None:
    streaming.write(SESSION)
    streaming.event()
    assert streaming.process.stdout is not None
    streaming.process.stdout.close()
    assert streaming.process.wait(SECONDS) == 0


def test_a_long_stream_takes_no_more_memory_than_the_same_file(environ: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(SESSION)
        for number in range(40):
            file.write(answered(number, f"c{number}", "x" * (1 << 20)) + b"\n")
    piped = _most_memory(environ, path, ["stats", "-"])
    assert piped < _most_memory(environ, path, ["stats", str(path)]) + 8_192


def _most_memory(environ: dict[str, str], path: Path, arguments: Sequence[str]) -> int:
    """The most kilobytes that the command took, with a file written into its standard input."""
    code = "import resource, sys; from unspool_tui.cli import main; main(sys.argv[1:]);"
    code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    feeding = subprocess.Popen(["cat", str(path)], stdout=subprocess.PIPE)
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, stdin=feeding.stdout, capture_output=True, env=environ, timeout=SECONDS, check=True)
    assert feeding.stdout is not None
    feeding.stdout.close()
    feeding.wait(SECONDS)
    return int(done.stderr.split()[-1])


def test_the_app_opens_on_a_stream_follows_it_and_takes_keys_from_the_terminal(environ: dict[str, str]) -> None:
    pipe = str(Path(environ["HOME"]) / "pipe")
    os.mkfifo(pipe)
    with Terminal() as terminal:
        terminal.start("-c", _ON_A_PIPE, pipe, "-", environ=environ)
        with open(pipe, "wb", buffering=0) as writer:
            writer.write(RECORDS[0] + b"\n")
            terminal.wait_for("count the files")
            writer.write(b"\n".join(RECORDS[1:3]) + b"\n")
            terminal.wait_for("three")
            terminal.settle()
            terminal.press("?")
            terminal.wait_for("help")
            terminal.press("\x1b")
            writer.write(RECORDS[3] + b"\n")
            terminal.wait_for("There are three.")
        terminal.settle()
        terminal.type("\x03")
        assert terminal.process is not None
        assert terminal.process.wait(SECONDS) == 0
    assert os.listdir(environ["TMPDIR"]) == []
