"""What the README shows runs as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.running import unspool
from tests.shared_data import PROJECT
from unspool import ActiveLog


def block(words: str) -> str:
    """Return the code of the README that holds some words."""
    lines = (PROJECT / "README.md").read_text(encoding="utf-8").split("\n")
    code = "\n".join(line if line.startswith("    ") or not line else "\0" for line in lines)
    [found] = [each for each in code.split("\0") if words in each]
    return textwrap.dedent(found)


def run(code: str, folder: Path) -> str:
    search = os.pathsep.join([str(PROJECT / "core"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environ = {**os.environ, "PYTHONPATH": search}
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, cwd=folder, env=environ, stdout=subprocess.PIPE, check=True, text=True).stdout


def test_the_agent_loop_keeps_a_log_stores_what_is_long_and_goes_on(tmp_path: Path) -> None:
    code = block("SessionLog.of")
    assert len(code.strip().split("\n")) < 32

    assert run(code, tmp_path).startswith("I see 5")
    [path] = (tmp_path / "agent-home").glob("projects/*/0a1b2c3d.jsonl")
    first = ActiveLog.read(path)
    run(code, tmp_path)
    second = ActiveLog.read(path)

    assert second.messages()[:4] == first.messages()
    assert [message["role"] for message in second.messages()[4:]] == [message["role"] for message in first.messages()]
    assert list(second.replacements().replacements) == ["call_1", "call_5"]
    whole = "".join(f"{number}\n" for number in range(1, 100_001))
    assert all(file.read_text() == whole for file in path.with_suffix("").glob("tool-results/*"))


def test_people_see_what_the_agent_loop_kept(tmp_path: Path) -> None:
    run(block("SessionLog.of"), tmp_path)
    [row] = unspool("evidence", "last", "--stored", "--json", "--root", tmp_path / "agent-home").rows
    assert row["bytes"] == 588_895 > 100 * row["model_bytes"] > 0
