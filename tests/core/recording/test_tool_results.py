from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.faults.failing import FailingOs
from unspool.recording.replacement_state import ReplacementState
from unspool.recording.result_text import read_result
from unspool.recording.stand_in import CLOSING, OPENING, read_stand_in
from unspool.recording.tool_results import ResultLimits, ToolResult, ToolResultStore
from unspool.recording.utf16 import length


@pytest.fixture
def store(tmp_path: Path) -> ToolResultStore:
    return ToolResultStore(tmp_path / "projects" / "work" / "1a2b3c4d" / "tool-results")


def result(content: Any, tool_use_id: str = "call_1", tool: str = "web_fetch") -> ToolResult:
    return ToolResult(tool_use_id, tool, content)


def files(store: ToolResultStore) -> dict[str, str]:
    found = store.folder.iterdir() if store.folder.exists() else ()
    return {path.name: path.read_text() for path in found}


def test_a_large_result_is_saved_whole_and_a_stand_in_takes_its_place(store: ToolResultStore) -> None:
    state, text = ReplacementState(), "line of text\n" * 5_000
    seen = store.replace(result(text), state)
    assert seen.startswith(f"{OPENING}\n")
    assert seen.endswith(f"\n...\n{CLOSING}")
    assert text[:200] in seen
    assert f"saved to: {store.folder}/call_1.txt\n" in seen
    assert state.replacements == {"call_1": seen}
    assert state.seen_ids == {"call_1"}
    assert files(store) == {"call_1.txt": text}


@pytest.mark.parametrize(
    ("tool", "threshold"), [("web_fetch", 50_000), ("run_command", 30_000), ("grep_files", 20_000)]
)
def test_a_result_of_exactly_its_threshold_stays(store: ToolResultStore, tool: str, threshold: int) -> None:
    state = ReplacementState()
    assert store.replace(result("x" * threshold, "at", tool), state) == "x" * threshold
    assert state == ReplacementState()
    assert store.replace(result("x" * (threshold + 1), "over", tool), state) != "x" * (threshold + 1)
    assert set(files(store)) == {"over.txt"}


def test_a_threshold_counts_utf16_units_as_the_format_does(store: ToolResultStore) -> None:
    assert store.replace(result("é" * 50_000, "one unit each"), ReplacementState()) == "é" * 50_000
    assert store.replace(result("😀" * 25_001, "two units each"), ReplacementState()).startswith(OPENING)


def test_what_a_reader_of_files_read_is_never_saved(store: ToolResultStore) -> None:
    state, text = ReplacementState(), "x" * 900_000
    assert store.replace(result(text, tool="read_file"), state) == text
    assert store.fit_batch([result(text, tool="read_file")], state)[0].content == text
    assert state.seen_ids == {"call_1"}
    assert files(store) == {}


@pytest.mark.parametrize("content", ["", "  \n\t", None, []])
def test_no_output_is_said(store: ToolResultStore, content: Any) -> None:
    state = ReplacementState()
    expected = "[]" if content == [] else "(web_fetch completed with no output)"
    assert store.replace(result(content), state) == expected
    assert store.fit_batch([result(content)], ReplacementState())[0].content == expected


@pytest.mark.parametrize(
    ("content", "text"), [("0", "0"), ("false", "false"), ("[]", "[]"), (0, "0"), (False, "false")]
)
def test_what_looks_like_nothing_is_an_output(store: ToolResultStore, content: Any, text: str) -> None:
    assert store.replace(result(content), ReplacementState()) == text


def test_a_batch_of_exactly_the_budget_stays(store: ToolResultStore) -> None:
    batch = [result("x" * 50_000, f"call_{number}") for number in range(4)]
    assert [fitted.content for fitted in store.fit_batch(batch, ReplacementState())] == ["x" * 50_000] * 4
    assert files(store) == {}


def test_the_largest_fresh_results_are_saved_until_a_batch_fits(store: ToolResultStore) -> None:
    sizes = {"a": 45_000, "b": 60_000, "c": 50_000, "d": 90_000}
    state = ReplacementState()
    fitted = store.fit_batch([result("x" * size, name) for name, size in sizes.items()], state)
    assert set(files(store)) == {"d.txt"}
    assert [len(each.content) == sizes[each.tool_use_id] for each in fitted] == [True, True, True, False]
    assert state.seen_ids == set(sizes)


def test_of_equal_results_the_lesser_id_is_saved_first(store: ToolResultStore) -> None:
    store.fit_batch([result("x" * 90_000, name) for name in ("c", "a", "b")], ReplacementState())
    assert set(files(store)) == {"a.txt"}


def test_decisions_are_given_again_byte_for_byte_also_those_of_a_batch(store: ToolResultStore) -> None:
    state = ReplacementState()
    large = result("y" * 60_000, "large")
    batch = [result("x" * 49_000, f"call_{number}") for number in range(5)]
    first = [store.replace(large, state), *(each.content for each in store.fit_batch(batch, state))]
    copy = state.copy()
    again = [store.replace(result("other", "large"), copy), *(each.content for each in store.fit_batch(batch, copy))]
    assert again == first
    assert copy == state


def test_a_result_that_was_decided_on_is_not_saved_by_a_later_batch(store: ToolResultStore) -> None:
    state = ReplacementState()
    store.fit_batch([result("x" * 120_000, "kept")], state)
    batch = [result("x" * 120_000, "kept"), result("z" * 90_000, "fresh")]
    fitted = store.fit_batch(batch, state)
    assert fitted[0].content == "x" * 120_000
    assert fitted[1].content.startswith(OPENING)


def test_previews_of_shells_are_longer_in_a_batch_too_and_tell_their_true_size(store: ToolResultStore) -> None:
    state, text = ReplacementState(), "x" * 90_000
    alone = store.replace(result(text, "alone", "bash"), state)
    batched = store.fit_batch([result(text, name, "run_command") for name in ("a", "b", "c")], state)[0].content
    for seen in (alone, batched):
        told = read_stand_in(seen)
        assert told is not None
        assert told.preview == "x" * 5_000
        assert "Preview (first 5K chars):" in seen


BLOCKS = [
    {"type": "text", "text": "é" * 60_000},
    {"type": "image", "source": {"data": "AA=="}},
    {"type": "text", "text": 3},
]


def test_blocks_are_read_as_text_and_saved_as_they_are(store: ToolResultStore) -> None:
    state = ReplacementState()
    assert store.replace(result([{"type": "text", "text": "a"}, {"type": "image"}]), state) == "a\n[image]"
    seen = store.replace(result(BLOCKS, "blocks"), state)
    saved = files(store)["blocks.json"]
    assert json.loads(saved) == BLOCKS
    assert saved.startswith('[\n  {\n    "type": "text",')
    assert "Output too large (60K chars)" in seen
    assert "\n" + "é" * 2_000 + "\n...\n" in seen
    assert store.rebuild([result(seen, "blocks")]) == ReplacementState({"blocks"}, {"blocks": seen})


def test_blocks_in_a_batch_are_saved_as_they_are_too(store: ToolResultStore) -> None:
    store.fit_batch([result(BLOCKS, name) for name in ("a", "b", "c", "d")], ReplacementState())
    assert {name.rpartition(".")[2] for name in files(store)} == {"json"}


@pytest.mark.parametrize(
    "content", [[{"type": "text", "text": "a"}, "b"], [None], [{"type": 1}], {"type": "text"}, [1, 2]]
)
def test_lists_of_which_not_every_element_is_a_block_are_plain_json(content: Any) -> None:
    read = read_result(content)
    assert read.blocks is None
    assert read.text == json.dumps(content, separators=(",", ":"))


def test_ids_that_are_no_names_stay_inside_and_never_share_a_file(store: ToolResultStore) -> None:
    state = ReplacementState()
    contents = {"a/b": "1" * 60_000, "a_b": "2" * 60_000, "../..\\evil/name": "3" * 60_000, "..": "4" * 60_000}
    for tool_use_id, content in contents.items():
        store.replace(result(content, tool_use_id), state)
    assert sorted(files(store).values()) == sorted(contents.values())
    assert {path.name for path in store.folder.parent.iterdir()} == {"tool-results"}


def test_an_id_that_is_used_again_keeps_both_contents(store: ToolResultStore) -> None:
    first, second = "1" * 60_000, "2" * 60_000
    seen = [store.replace(result(content), ReplacementState()) for content in (first, second, first)]
    assert sorted(files(store).values()) == [first, second]
    assert seen[0] == seen[2] != seen[1]
    assert store.is_ours(seen[1], "call_1")


def spoofs(store: ToolResultStore, ours: str) -> list[str]:
    path = f"{store.folder}/call_1.txt"
    return [
        f"{OPENING}\nanything\n{CLOSING}",
        ours.replace(path, "/etc/passwd"),
        ours.replace(path, f"{store.folder}/call_2.txt"),
        ours.replace("line of text", "other text.."),
        ours + "\n",
        "said before " + ours,
    ]


def test_a_text_that_only_looks_like_a_stand_in_is_an_output_like_any_other(store: ToolResultStore) -> None:
    ours = store.replace(result("line of text\n" * 5_000), ReplacementState())
    assert store.is_ours(ours, "call_1")
    for spoof in spoofs(store, ours):
        assert not store.is_ours(spoof, "call_1")
        assert store.rebuild([result(spoof)]).replacements == {}
        long = spoof + "x" * 60_000
        state = ReplacementState()
        assert store.replace(result(long, "spoofed"), state).endswith(f"\n...\n{CLOSING}")
        assert files(store)["spoofed.txt"] == long
        (store.folder / "spoofed.txt").unlink()


def test_a_stand_in_of_ours_is_known_wherever_the_home_was_moved_and_in_a_fork(store: ToolResultStore) -> None:
    state = ReplacementState()
    ours = store.replace(result("line of text\n" * 5_000), state)
    moved = store.folder.parents[1] / "2b3c4d5e" / "tool-results"
    fork = ToolResultStore(moved, origins=[store.folder])
    assert fork.rebuild([result(ours), result("short", "call_2")]) == ReplacementState(
        {"call_1", "call_2"}, {"call_1": ours}
    )
    assert ToolResultStore(moved).rebuild([result(ours)]).replacements == {}
    store.folder.rename(store.folder.parent / "elsewhere")
    assert ToolResultStore(store.folder.parent / "elsewhere").is_ours(ours, "call_1")


def test_a_failed_write_keeps_the_whole_result_in_context_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store, state = ToolResultStore(tmp_path / "file" / "tool-results"), ReplacementState()
    with pytest.warns(RuntimeWarning, match="stays in context whole"):
        assert store.replace(result("x" * 60_000), state) == "x" * 60_000
    assert state == ReplacementState()


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_whichever_call_fails_no_result_is_lost(tmp_path: Path) -> None:
    text, at = "x" * 60_000, 1
    while True:
        calls = FailingOs(at, 28)
        store = ToolResultStore(tmp_path / str(at) / "tool-results", calls=calls)
        seen = store.replace(result(text), ReplacementState())
        if not calls.failed:
            break
        saved = files(store)
        assert seen == text or saved == {"call_1.txt": text}
        at += 1
    assert at > 6


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 120)), max_size=20))
def test_a_batch_fits_unless_only_what_may_not_be_saved_is_left(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[tuple[int, int]]
) -> None:
    limits = ResultLimits(threshold=100, by_tool={"read_file": math.inf}, batch=900)
    store = ToolResultStore(tmp_path_factory.mktemp("batch"), limits=limits)
    state = ReplacementState()
    batch = [
        result("x" * (size * 10 + 1), f"call_{place}", "read_file" if kind == 0 else "web_fetch")
        for place, (kind, size) in enumerate(sizes)
    ]
    fitted = store.fit_batch(batch, state)
    kept = [after for before, after in zip(batch, fitted, strict=True) if before.content == after.content]
    savable = [each for each in kept if each.tool_name != "read_file"]
    assert sum(length(each.content) for each in fitted) <= 900 or not savable
    assert store.rebuild(fitted) == state
    assert store.fit_batch(batch, state) == fitted


def test_a_result_of_any_depth_is_a_text(store: ToolResultStore) -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    assert store.replace(ToolResult("t1", "web_fetch", deep), ReplacementState()) == "[" * 5_001 + "]" * 5_001
