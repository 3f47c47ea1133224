"""Over random homes: the dry run says what the application does, and nothing else is touched."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.retention.aging import MONTH, Home, contents
from unspool.retention import RetentionPlan, apply_retention, plan_retention

IDS = [f"{digit}aaa0000" for digit in "12345"]
AGES = st.sampled_from([0.002, 1, 29.9, 30.1, 400])
SESSIONS = st.fixed_dictionaries(
    {
        "days": AGES,
        "recorded": AGES,
        "saved": st.lists(st.sampled_from(["t1.txt", "t2.json", ".tmp-t3.txt"]), unique=True, max_size=3),
        "pointing": st.lists(st.sampled_from([*IDS, "lost0000"]), max_size=2),
        "tail": st.sampled_from([b"", b"", b"", b'{"type":"us', b"\xe3\x82", b"\n \n", b"[1,2]\n"]),
        "project": st.sampled_from(["p", "q", "."]),
    }
)


@st.composite
def homes(draw: st.DrawFn) -> dict[str, object]:
    """What lies in a home: sessions by their id, pins, folders without a log, runs."""
    return {
        "sessions": draw(st.dictionaries(st.sampled_from(IDS), SESSIONS, max_size=5)),
        "pins": draw(st.sets(st.sampled_from(IDS), max_size=1)),
        "alone": draw(st.dictionaries(st.sampled_from(["lost0000", "ephemeral-1"]), AGES, max_size=2)),
        "runs": draw(st.dictionaries(st.sampled_from(["run-1", "run-2"]), AGES, max_size=2)),
    }


def built(above: Path, told: dict[str, object]) -> Home:
    home = Home(above)
    for session_id, session in told["sessions"].items():  # type: ignore[attr-defined]
        home.session(session_id, **session)
        if session_id in told["pins"]:  # type: ignore[operator]
            (home.project(session["project"]) / f"{session_id}.pinned").touch()
    for name, days in told["alone"].items():  # type: ignore[attr-defined]
        home.outputs(name, days)
    for name, days in told["runs"].items():  # type: ignore[attr-defined]
        home.run(name, days)
    return home


def belongs(path: str, plan: RetentionPlan) -> bool:
    """Say whether a path of the home is of something that goes."""
    for item in plan.going:
        base = "/".join([*item.place, item.name])
        if path == base or path == f"{base}.jsonl" or path.startswith(f"{base}/"):
            return True
    return False


@settings(max_examples=100)
@given(homes())
def test_the_dry_run_is_what_the_application_does_and_nothing_else_is_touched(told: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as above:
        home = built(Path(above), told)
        before = contents(home.path)
        plan = plan_retention(home.path, MONTH, environ={})
        assert contents(home.path) == before
        applied = apply_retention(plan, environ={})
        assert sorted(map(str, applied.gone)) == sorted(map(str, plan.going))
        assert applied.whole
        after = contents(home.path)
        here = {path: was for path, was in after.items() if not path.startswith(".unspool-trash")}
        assert here == {path: was for path, was in before.items() if not belongs(path, plan)}
        there = {path.split("/", 2)[2]: was for path, was in after.items() if path.count("/") > 1 and path not in here}
        assert there.items() >= {path: was for path, was in before.items() if belongs(path, plan)}.items()
        assert {path for path, was in there.items() if was != "folder"} <= {*before} - {*here}
        again = plan_retention(home.path, MONTH, environ={})
        assert (again.going, again.emptied) == ((), ())


@settings(max_examples=100)
@given(homes())
def test_nothing_goes_that_is_young_live_pinned_or_pointed_to_by_what_stays(told: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as above:
        home = built(Path(above), told)
        plan = plan_retention(home.path, MONTH, environ={})
        going = {item.name for item in plan.going}
        for session_id, session in told["sessions"].items():  # type: ignore[attr-defined]
            young = min(session["days"], session["recorded"]) < 30
            pinned = session_id in told["pins"]  # type: ignore[operator]
            if young or pinned:
                assert session_id not in going
            if session_id not in going:
                assert not going & set(session["pointing"]) - {session_id}
        kept = {each.item.name for each in plan.staying}
        assert going | kept == {*told["sessions"], *told["alone"], *told["runs"]}  # type: ignore[misc]
        assert not plan.held_back
