"""What an agent knows while it works is what its log says: over random histories of every kind of step."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.factories.recordings import LIMITS, STEPS, Agent
from unspool.recording import ActiveLog, ReplacementState, ToolResult

HISTORIES = 1_000
LEAST_SHARE = 1 / 20


def check(agent: Agent) -> None:
    active = ActiveLog.read(agent.log)
    assert active.messages() == agent.context
    ids = {message["toolUseId"] for message in agent.results()}
    kept = {each: text for each, text in agent.state.replacements.items() if each in ids}
    assert active.replacements() == ReplacementState(agent.state.seen_ids & ids, kept)
    collapsed = active.collapse_state()
    assert [*collapsed.spans] == agent.spans if collapsed else not agent.spans
    assert [entry.id for entry in active.transcript()] == agent.said
    assert agent.title is None or active.title == agent.title
    check_going_on(agent, active)


def check_going_on(agent: Agent, active: ActiveLog) -> None:
    """Every decision is taken again byte for byte, and new ones are the same as the agent's own."""
    store, state = active.result_store(LIMITS), active.replacements()
    before = [(agent.outputs[message["toolUseId"]], message["content"]) for message in agent.results()]
    for output, seen in before:
        if output.tool_use_id in state.replacements:
            assert store.replace(output, state) == seen
    again = store.fit_batch([output.with_content(seen) for output, seen in before], state)
    assert [each.content for each in again] == [seen for _, seen in before]
    fresh = [ToolResult(f"new_{number}", "run_command", agent.text(150, 400)) for number in range(9)]
    ours, theirs = agent.store.fit_batch(fresh, agent.state.copy()), store.fit_batch(fresh, state)
    assert [each.content for each in ours] == [each.content for each in theirs]


def test_what_is_rebuilt_from_a_log_is_what_its_writer_knew(tmp_path: Path) -> None:
    taken: Counter[str] = Counter()
    for seed in range(HISTORIES):
        agent = Agent(tmp_path / str(seed), seed)
        agent.live()
        check(agent)
        taken += agent.steps
    assert set(taken) == set(STEPS)
    assert min(taken.values()) >= LEAST_SHARE * taken.total(), taken
