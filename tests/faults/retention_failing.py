"""Retention whose calls fail, or that dies: where each session is afterwards, and whether the next run completes it."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path

from tests.core.retention.aging import MONTH, OLD, YOUNG, Home, contents
from tests.faults.failing import Arm, FailingOs
from unspool.errors import Unreadable
from unspool.retention import Applied, apply_retention, plan_retention

OVER = "20200101T000000Z"
"""A batch that lies in the trash for long enough."""
MOST = 10_000
"""Calls of one run: far more than there are."""
LEAVING = ("aaaa0000", "bbbb0000", "cccc0000", "run-1")


@dataclass
class Toll:
    """What was counted over all failures; all but the first three must be none.

    `torn`: a session that is neither whole where it lay, nor in the trash with its outputs there or still to come.
    `harmed`: something else changed. `unfinished`: the next run did not complete it. `leaked`: a file stayed open.
    """

    failures: int = 0
    interrupted: int = 0
    refused: int = 0
    torn: int = 0
    harmed: int = 0
    unfinished: int = 0
    leaked: int = 0

    @property
    def bad(self) -> int:
        return self.torn + self.harmed + self.unfinished + self.leaked

    def __str__(self) -> str:
        return ", ".join(f"{each.name} {getattr(self, each.name)}" for each in fields(self))


def fail_each_call(place: Path, error: int, arm: Arm, *, step: int = 1) -> Toll:
    """Let each (or each `step`-th) call of an application fail, in turn; then let the next run go undisturbed."""
    toll = Toll()
    for at in range(1, MOST, step):
        home = _home(place / str(at))
        before = _without_trash(home)
        plan = plan_retention(home.path, MONTH, environ={})
        calls = FailingOs(at, error, arm=arm)
        open_before = _open_files()
        applied = _applied(lambda plan=plan, calls=calls: apply_retention(plan, calls=calls, environ={}))  # type: ignore[misc]
        toll.leaked += bool(_open_files() - open_before)
        if not calls.failed:
            return toll
        toll.failures += 1
        toll.refused += applied is None or not applied.whole
        _judge(home, before, toll)
        apply_retention(plan_retention(home.path, MONTH, environ={}), environ={})
        _judge_completed(home, before, toll)
    raise AssertionError


def _home(above: Path) -> Home:
    """A home of which three things go, and some stay, with something to empty in its trash."""
    home = Home(above)
    home.session("aaaa0000", saved=["t1.txt", "t2.json"])
    home.session("bbbb0000", project="q", pointing=["aaaa0000"])
    home.outputs("cccc0000", OLD)
    home.run("run-1", OLD)
    home.session("dddd0000", YOUNG, saved=["t1.txt"])
    folder = home.trash / OVER / "projects" / "p"
    (folder / "eeee0000" / "tool-results").mkdir(parents=True)
    (folder / "eeee0000.jsonl").write_text("over")
    (folder / "eeee0000" / "tool-results" / "t1.txt").write_text("over")
    return home


def _applied(apply: object) -> Applied | None:
    try:
        return apply()  # type: ignore[operator,no-any-return]
    except Unreadable:
        return None


def _without_trash(home: Home) -> dict[str, str]:
    return {path: told for path, told in contents(home.path).items() if not path.startswith(home.trash.name)}


def _in_trash(home: Home) -> dict[str, str]:
    found = contents(home.trash).items() if home.trash.exists() else ()
    told = ((*path.partition("/"), told) for path, told in found)
    return {path: told for batch, _, path, told in told if path and not batch.startswith(OVER)}


def _of(name: str, found: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the log and the saved outputs of a name among what was found."""
    log = {path: told for path, told in found.items() if path.endswith(f"{name}.jsonl")}
    return log, {path: told for path, told in found.items() if f"{name}/" in path}


def _judge(home: Home, before: dict[str, str], toll: Toll) -> None:
    here, there = _without_trash(home), _in_trash(home)
    for name in LEAVING:
        log, outputs = _of(name, before)
        now, gone = _of(name, here), _of(name, there)
        whole = now == (log, outputs) and gone == ({}, {})
        begun = bool(log) and now == ({}, outputs) and gone == (log, {})
        went = now == ({}, {}) and gone == (log, outputs)
        toll.torn += not (whole or begun or went)
        toll.interrupted += begun and bool(outputs)
    toll.harmed += _others(here) != _others(before)
    over = home.trash / OVER
    if over.exists():
        toll.harmed += len(contents(over)) != 6


def _judge_completed(home: Home, before: dict[str, str], toll: Toll) -> None:
    here, there = _without_trash(home), _in_trash(home)
    complete = all(_of(name, here) == ({}, {}) and _of(name, there) == _of(name, before) for name in LEAVING)
    toll.unfinished += not complete or any(path.name.startswith(OVER) for path in home.trash.iterdir())
    toll.harmed += _others(here) != _others(before)


def _others(found: dict[str, str]) -> dict[str, str]:
    return {path: told for path, told in found.items() if not any(name in path for name in LEAVING)}


def _open_files() -> set[str]:
    return set(os.listdir("/dev/fd"))
