"""`unspool export` of either agent's sessions: formats, pieces, secrets, and what a session may not do to a file."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.running import unspool
from tests.tui.hostile_text import FORBIDDEN

TOKEN = "ghp_" + "aB3" * 12
HOSTILE = "\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>\u202e\n# not a heading\n```\n</details>\x9b31m"

Script = Claude | Codex
FORMATS = ("md", "html", "json")


@pytest.fixture(params=[Claude, Codex], ids=["claude", "codex"])
def agent(request: pytest.FixtureRequest) -> Callable[..., Script]:
    """The lines of either agent."""
    made: Callable[..., Script] = request.param
    return made


@pytest.fixture
def ids(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: Callable[..., Script]) -> list[str]:
    """The only session: prompt, call, result with a secret, answer; the working folder is an empty one."""
    script = agent(home, Names(1))
    script.user(f"Print it {HOSTILE}")
    script.result(script.call(f"printenv {HOSTILE}"), f"TOKEN={TOKEN}\n{HOSTILE}")
    script.answer(f"There {HOSTILE}")
    script.save()
    monkeypatch.chdir(tmp_path)
    rows = unspool("evidence", "last", "--json").rows
    assert [row["kind"] for row in rows if row["kind"] != "system"] == ["user", "tool", "tool", "assistant"]
    return [row["id"] for row in rows]


@pytest.mark.parametrize("written_as", FORMATS)
def test_a_file_and_standard_output_get_the_same(ids: list[str], written_as: str) -> None:
    printed = unspool("export", "last", "--format", written_as)
    saved = unspool("export", "last", "-o", f"a.{written_as}")
    assert (printed.code, saved.code, saved.out) == (0, 0, "")
    assert Path(f"a.{written_as}").read_text("utf-8") == printed.out
    assert saved.err == f"a.{written_as}: {printed.err}"
    assert f"{len(ids)} pieces; 1 secret redacted" in printed.err


@pytest.mark.parametrize("written_as", FORMATS)
def test_no_secret_is_in_it_unless_a_person_wants_it(ids: list[str], written_as: str) -> None:
    assert TOKEN not in unspool("export", "last", "--format", written_as).out
    shown = unspool("export", "last", "--format", written_as, "--no-redact")
    assert TOKEN in shown.out
    assert "secrets were not looked for" in shown.err


@pytest.mark.parametrize("written_as", FORMATS)
def test_nothing_in_it_acts_on_a_terminal_a_reader_or_a_browser(ids: list[str], written_as: str) -> None:
    out = unspool("export", "last", "--format", written_as, "--no-redact", "--all").out
    assert FORBIDDEN.findall(out.replace("\n", "")) == []
    if written_as == "html":
        assert "<script>alert" not in out
    if written_as == "json":
        assert HOSTILE in json.loads(out)["pieces"][-1]["text"]


@pytest.mark.parametrize("written_as", FORMATS)
def test_a_piece_a_range_or_the_whole_is_exported(ids: list[str], written_as: str) -> None:
    call, result = ids[-3:-1]
    for words, wanted in (
        (["last"], ids),
        ([f"last/{result}"], [result]),
        ([f"last/{call}-{result}"], [call, result]),
        (["last", "--in", f"{call}-{result}"], [call, result]),
        (["last", "--part", "output"], [result]),
    ):
        out = unspool("export", *words, "--format", written_as).out
        if written_as == "json":
            assert [piece["id"] for piece in json.loads(out)["pieces"]] == wanted
        else:
            assert [each for each in ids if _stands_in(out, each, written_as)] == wanted


def _stands_in(out: str, evidence_id: str, written_as: str) -> bool:
    return f'id="{evidence_id}"' in out if written_as == "html" else f"## {evidence_id} " in out


def test_a_piece_that_is_not_there_makes_no_file(ids: list[str]) -> None:
    answer = unspool("export", "last/E99.0", "-o", "a.md")
    assert answer.code in (1, 2)
    assert answer.err.count("\n") == 1
    assert not Path("a.md").exists()


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_folder_is_no_file_to_write(ids: list[str], force: list[str]) -> None:
    Path("out").mkdir()
    for name in ("out", "out/", "."):
        answer = unspool("export", "last", "-o", name, *force)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == f"unspool: {name} is a folder; name a file in it\n"
    assert list(Path("out").iterdir()) == []


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_standard_output_is_named_by_a_dash_not_by_its_device(ids: list[str], force: list[str]) -> None:
    answer = unspool("export", "last", "-o", "/dev/null", *force)
    assert answer.err == "unspool: /dev/null is no plain file and is not replaced\n"


def test_the_agents_own_folder_is_refused_from_inside_too(
    ids: list[str], home: Path, agent: Callable[..., Script], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Path(unspool("sessions", "--json").rows[0]["path"])
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
    monkeypatch.chdir(session.parent)
    for name in ("a.md", session.name, str(session), str(session.with_suffix(".md"))):
        answer = unspool("export", "last", "-o", name, "--force")
        assert (answer.code, answer.out) == (2, "")
        assert ("belongs to" if name.endswith(".md") else "not .jsonl") in answer.err
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == before


MEASURED = """
import resource, subprocess, sys
code = subprocess.run([sys.executable, "-m", "unspool_tui", *sys.argv[1:]], stderr=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Runs the command from a small process: a child's memory is never told as less than that of who started it."""


def memory_of(*arguments: str) -> int:
    """Run the command, which succeeds; return the most memory that it took, in bytes."""
    done = subprocess.run([sys.executable, "-c", MEASURED, *arguments], capture_output=True, text=True, check=True)
    code, most = map(int, done.stdout.split()[-2:])
    assert code == 0
    return most * (1 if sys.platform == "darwin" else 1024)


def test_a_long_session_takes_little_memory(home: Path, tmp_path: Path, agent: Callable[..., Script]) -> None:
    script, rng = agent(home, Names(2)), random.Random(3)
    script.user("Go")
    outputs = ["".join(f"{rng.random()} some words\n" for _ in range(20_000)) for _ in range(2)]
    for number in range(60):
        script.result(script.call(f"make {number}"), outputs[number % 2])
    size = script.save().path.stat().st_size
    least = memory_of("stats", "last", "--json")
    out = tmp_path / "a.html"
    most = memory_of("export", "last", "--full", "-o", str(out))
    assert out.stat().st_size > size * 0.8 > 28 << 20
    assert most < least + (16 << 20)
