"""Folders of other agents, and what is no home, are not even planned for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.retention.aging import MONTH, OLD, Home, contents
from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from unspool.errors import Unreadable, Unwritable
from unspool.retention import plan_retention

SEGMENT = "019f9a4a-7a00-724b-8aa4-cafde667de83"


def claude(home: Path) -> tuple[Path, str]:
    lines = Claude(home, Names(1))
    lines.user("Hi")
    lines.save()
    return home / ".claude", "cleanupPeriodDays"


def codex(home: Path) -> tuple[Path, str]:
    lines = Codex(home, Names(1))
    lines.user("Hi")
    lines.save()
    return home / ".codex", "Codex keeps its sessions"


def yoi(home: Path) -> tuple[Path, str]:
    folder = home / ".local" / "share" / "yoi"
    (folder / "sessions" / SEGMENT).mkdir(parents=True)
    (folder / "sessions" / SEGMENT / f"{SEGMENT}.jsonl").write_text('{"kind":"segment_start","ts":1}\n')
    return folder, "--older-than"


Agent = Callable[[Path], tuple[Path, str]]


def refused(root: Path, way_out: str, home: Path) -> None:
    before = contents(home)
    with pytest.raises(Unwritable) as told:
        plan_retention(root, MONTH)
    assert way_out in str(told.value)
    assert contents(home) == before


@pytest.mark.parametrize("agent", [claude, codex, yoi])
def test_another_agents_folder_is_refused_with_its_own_way(home: Path, agent: Agent, tmp_path: Path) -> None:
    folder, way_out = agent(home)
    refused(folder, way_out, home)
    for inside in [each for each in folder.rglob("*") if each.is_dir()]:
        refused(inside, way_out, home)
    refused(home, way_out, home)
    link = tmp_path / "link"
    link.symlink_to(folder)
    refused(link, way_out, home)


@pytest.mark.parametrize("agent", [claude, codex])
def test_a_copy_of_it_under_another_name_is_refused_and_so_is_what_holds_it(
    home: Path, agent: Agent, tmp_path: Path
) -> None:
    folder, way_out = agent(home)
    copy = folder.rename(tmp_path / "copy")
    refused(copy, way_out, tmp_path)
    refused(tmp_path, way_out, tmp_path)


@pytest.mark.parametrize("agent", [claude, codex, yoi])
def test_a_home_of_ours_that_holds_one_or_lies_in_one_is_refused(home: Path, agent: Agent) -> None:
    folder, way_out = agent(home)
    inside = Home(folder)
    inside.session("aaaa0000")
    refused(inside.path, way_out, home)
    around = Home(home, "records")
    around.session("aaaa0000")
    folder.rename(around.path / folder.name)
    if agent is not yoi:
        refused(around.path, way_out, home)


def test_a_home_that_another_agent_is_told_to_use_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = Home(home)
    ours.session("aaaa0000")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(ours.path))
    refused(ours.path, "cleanupPeriodDays", home)


def test_sessions_of_another_agent_among_ours_delete_nothing(home: Path) -> None:
    ours = Home(home)
    ours.session("aaaa0000")
    folder, _ = codex(home)
    (log,) = folder.rglob("*.jsonl")
    log.rename(ours.project() / "bbbb0000.jsonl")
    plan = plan_retention(ours.path, MONTH)
    assert plan.going == ()
    assert "bbbb0000.jsonl: no log of this format" in plan.held_back[0]


def test_a_home_beside_those_of_others_is_ours(home: Path, tmp_path: Path) -> None:
    for agent in (claude, codex, yoi):
        agent(home)
    ours = Home(home)
    ours.session("aaaa0000")
    assert len(plan_retention(ours.path, MONTH).going) == 1
    link = tmp_path / "link"
    link.symlink_to(ours.path)
    assert plan_retention(link, MONTH).home == str(ours.path)


@pytest.mark.parametrize("inside", ["..", "projects", "projects/p", "projects/p/aaaa0000.jsonl", "gone"])
def test_what_is_no_home_is_refused_with_the_way_out(home: Path, inside: str) -> None:
    ours = Home(home)
    ours.session("aaaa0000")
    with pytest.raises(Unreadable) as told:
        plan_retention(ours.path / inside, MONTH)
    if inside in ("..", "projects", "projects/p"):
        assert f"name the home itself: {ours.path}" in str(told.value)


def test_a_folder_of_projects_that_were_never_recorded_is_no_home(home: Path) -> None:
    work = Home(home, "work")
    work.outputs("build", OLD, project="shop")
    before = contents(work.path)
    with pytest.raises(Unreadable, match="no home of sessions"):
        plan_retention(work.path, MONTH)
    assert contents(work.path) == before


def test_a_home_whose_sessions_are_named_at_will_is_ours(tmp_path: Path) -> None:
    home = Home(tmp_path, "support")
    home.session("ticket 42", OLD)
    assert [item.name for item in plan_retention(home.path, MONTH, environ={}).going] == ["ticket 42"]
