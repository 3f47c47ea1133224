"""Every test that MiniCode has of its storage and its sessions has one of ours that holds at least as much.

The rows are its tests, as they are listed where its sources were read; of each defect that was found there too, a test
shows that it is none of ours.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from tests.shared_data import PROJECT

_RESULTS: Final = "core/recording/test_tool_results.py"
_STAND_IN: Final = "core/recording/test_stand_in.py"
_LOG: Final = "core/recording/test_session_log.py"
_READ: Final = "core/recording/test_active_log.py"
_FORKS: Final = "core/recording/test_forks.py"
_LISTED: Final = "core/recording/test_listed.py"
_LAW: Final = "properties/test_recording_law.py"
_PLAN: Final = "core/retention/test_plan.py"
_BETTER: Final = "core/retention/test_better.py"
_APPLY: Final = "core/retention/test_apply.py"
_LISTING: Final = "core/library/test_listing.py"
_WRITERS: Final = "faults/test_log_writers.py"

Rows = dict[str, tuple[str, ...]]

STORAGE: Final[Rows] = {
    "persists a single oversized tool result": (
        f"{_RESULTS}::test_a_large_result_is_saved_whole_and_a_stand_in_takes_its_place",
    ),
    "honors the 50_000 boundary": (f"{_RESULTS}::test_a_result_of_exactly_its_threshold_stays",),
    "normalizes empty outputs": (f"{_RESULTS}::test_no_output_is_said",),
    "honors the 200_000 batch boundary": (f"{_RESULTS}::test_a_batch_of_exactly_the_budget_stays",),
    "replaces the largest fresh results until under budget": (
        f"{_RESULTS}::test_the_largest_fresh_results_are_saved_until_a_batch_fits",
    ),
    "stable tie-breaking": (f"{_RESULTS}::test_of_equal_results_the_lesser_id_is_saved_first",),
    "replays single-result replacements byte-identically": (
        f"{_RESULTS}::test_decisions_are_given_again_byte_for_byte_also_those_of_a_batch",
    ),
    "replays batch replacements without new records": (
        f"{_RESULTS}::test_a_batch_fits_unless_only_what_may_not_be_saved_is_left",
    ),
    "does not re-persist an existing marker": (
        f"{_RESULTS}::test_a_stand_in_of_ours_is_known_wherever_the_home_was_moved_and_in_a_fork",
    ),
    "stores under project/session/tool-results": (f"{_LISTED}::test_what_was_saved_beside_a_session_is_read_whole",),
    "keeps unsafe toolUseIds inside": (f"{_RESULTS}::test_ids_that_are_no_names_stay_inside_and_never_share_a_file",),
    "respects Infinity threshold and skip list": (f"{_RESULTS}::test_what_a_reader_of_files_read_is_never_saved",),
    "larger shell preview + .txt": (
        f"{_RESULTS}::test_previews_of_shells_are_longer_in_a_batch_too_and_tell_their_true_size",
    ),
    "normalizes content blocks to text with `[image]`": (
        f"{_RESULTS}::test_blocks_are_read_as_text_and_saved_as_they_are",
    ),
    "persists block arrays as .json with raw blocks": (
        f"{_RESULTS}::test_blocks_in_a_batch_are_saved_as_they_are_too",
    ),
}

SESSION: Final[Rows] = {
    "round-trips and excludes system prompt": (
        f"{_LOG}::test_messages_come_back_as_they_were_given_without_the_system_prompt",
    ),
    "null for nonexistent": (f"{_READ}::test_what_has_no_log_or_says_nothing_is_nothing_to_go_on_with",),
    "clears session and artifacts": (
        f"{_FORKS}::test_clearing_removes_log_results_and_the_folder_of_a_project_without_others",
    ),
    "clear does not throw": (f"{_FORKS}::test_clearing_what_is_not_there_does_nothing",),
    "skips save with only system prompt": (f"{_LOG}::test_only_a_system_prompt_makes_no_log",),
    "preserves all role types": (f"{_LOG}::test_messages_of_all_roles_come_back",),
    "envelope format": (f"{_LOG}::test_an_event_is_exactly",),
    "path-based dir name": (f"{_LOG}::test_a_project_is_named_by_its_path",),
    "unsafe session ids stay inside": (f"{_LOG}::test_a_session_of_any_id_stays_inside_its_project",),
    "appends only new with alreadySavedCount": (
        f"{_LOG}::test_an_append_writes_what_is_new_and_hangs_it_on_the_last_event",
    ),
    "listSessions multiple/isolated/empty": (
        f"{_LISTED}::test_recorded_sessions_are_listed_the_newest_first_each_with_its_own_project",
        f"{_LISTED}::test_recorded_sessions_are_listed_the_newest_first_each_with_its_own_project",
        f"{_LISTED}::test_a_home_without_sessions_lists_none",
    ),
    "title from first user message / truncated to 60+3": (
        f"{_LISTED}::test_a_recorded_session_is_called_by_its_first_prompt_and_then_by_its_name",
        f"{_READ}::test_a_title_is_the_last_name_else_the_first_prompt_cut",
    ),
    "rename true/false": (
        f"{_LOG}::test_a_name_is_taken_and_hung_on_but_hangs_on_nothing",
        f"{_LOG}::test_what_is_not_there_cannot_be_named_forked_or_read",
    ),
    "appendCompactBoundary writes boundary + summary": (
        f"{_LOG}::test_a_compaction_is_a_boundary_a_summary_and_what_is_retained_under_its_old_ids",
    ),
    "loadSession only from last compact_boundary": (
        f"{_LOG}::test_a_compaction_is_a_boundary_a_summary_and_what_is_retained_under_its_old_ids",
    ),
    "filters messages removed by snip": (f"{_LOG}::test_what_was_snipped_is_gone_and_the_snip_stands_where_it_was",),
    "restores across snip-save-load-compact-save-load without orphan tool pairs": (
        f"{_LOG}::test_a_session_is_the_same_after_snip_compaction_and_more",
    ),
    "loadTranscript rebuild (3 entries) / null": (
        f"{_READ}::test_a_transcript_tells_everything_once_and_how_calls_went",
        f"{_READ}::test_what_has_no_log_or_says_nothing_is_nothing_to_go_on_with",
    ),
    "collapse spans persist without changing messages": (f"{_LOG}::test_spans_are_kept_and_change_no_message",),
    "loadSessionRuntimeState restores all three": (f"{_READ}::test_faces_give_what_the_snapshot_gives",),
    "parentUuid chain": (f"{_LOG}::test_an_append_writes_what_is_new_and_hangs_it_on_the_last_event",),
    "diff-append continues the chain": (f"{_LOG}::test_an_append_writes_what_is_new_and_hangs_it_on_the_last_event",),
    "compact_boundary parentUuid null + logicalParentUuid = last": (
        f"{_LOG}::test_a_compaction_is_a_boundary_a_summary_and_what_is_retained_under_its_old_ids",
    ),
    "fork copies / independent / chain / null / _fork1 / increments": (
        f"{_FORKS}::test_a_fork_says_the_same_under_an_id_of_its_own_and_leaves_its_source_as_it_was",
        f"{_FORKS}::test_what_is_said_in_a_fork_is_said_in_it_alone",
        f"{_FORKS}::test_a_fork_is_one_chain_of_its_own",
        f"{_LOG}::test_what_is_not_there_cannot_be_named_forked_or_read",
        f"{_FORKS}::test_forks_are_numbered_by_the_title_of_their_source_and_name_it",
        f"{_FORKS}::test_forks_are_numbered_by_the_title_of_their_source_and_name_it",
    ),
    "cleanup removes old (31 d vs 30 d) with artifacts, keeps recent": (
        f"{_PLAN}::test_what_was_not_written_for_longer_goes_and_the_rest_is_too_young",
    ),
    "loadContentReplacementState from tool_result content alone, equal from file or from loaded messages, "
    "replay identical": (f"{_LAW}::test_what_is_rebuilt_from_a_log_is_what_its_writer_knew",),
    "listAllProjects / skips empty": (
        f"{_LISTED}::test_recorded_sessions_are_listed_the_newest_first_each_with_its_own_project",
        f"{_LISTED}::test_a_home_without_sessions_lists_none",
    ),
}

DEFECTS: Final[Rows] = {
    "a torn tail glues records": (
        f"{_LOG}::test_a_torn_tail_never_swallows_the_next_event",
        f"{_WRITERS}::test_a_writer_killed_at_any_byte_loses_at_most_its_own_event",
        f"{_READ}::test_an_event_that_was_glued_to_a_torn_one_is_read_once",
    ),
    "id collision": (
        f"{_RESULTS}::test_ids_that_are_no_names_stay_inside_and_never_share_a_file",
        f"{_RESULTS}::test_an_id_that_is_used_again_keeps_both_contents",
        f"{_STAND_IN}::test_names_stay_inside_and_are_each_ids_own",
    ),
    "fork then cleanup": (
        f"{_FORKS}::test_results_that_a_fork_points_to_stay_when_its_source_is_cleared",
        f"{_PLAN}::test_what_a_fork_points_to_stays_with_its_source_and_the_source_of_that",
        f"{_RESULTS}::test_a_stand_in_of_ours_is_known_wherever_the_home_was_moved_and_in_a_fork",
    ),
    "split surrogates": (f"{_STAND_IN}::test_lengths_are_those_of_utf16_and_no_character_is_split",),
    "marker spoofing": (
        f"{_RESULTS}::test_a_text_that_only_looks_like_a_stand_in_is_an_output_like_any_other",
        f"{_READ}::test_a_forged_stand_in_is_an_output_like_any_other",
    ),
    "three scans, and forks that forget": (
        f"{_READ}::test_resuming_with_the_transcript_reads_the_log_once",
        f"{_FORKS}::test_decisions_hold_in_a_fork_of_a_fork",
    ),
    "a live session that is idle for long": (
        f"{_BETTER}::test_a_live_session_that_was_idle_for_long_is_not_taken_from_its_agent",
        f"{_BETTER}::test_a_session_that_is_resumed_between_plan_and_application_stays",
    ),
    "orphan folders": (f"{_APPLY}::test_outputs_without_a_log_go_too",),
    "batch budget ignoring structure": (
        f"{_RESULTS}::test_blocks_in_a_batch_are_saved_as_they_are_too",
        f"{_RESULTS}::test_previews_of_shells_are_longer_in_a_batch_too_and_tell_their_true_size",
    ),
}

SECTION: Final = "## 7. Tests"


def test_every_listed_test_has_a_row() -> None:
    assert sum(map(len, STORAGE.values())) == 15
    assert sum(map(len, SESSION.values())) == 38


@pytest.mark.parametrize(("rows", "named"), [(STORAGE, "tool-result-storage (15)"), (SESSION, "session (38)")])
def test_the_rows_are_those_that_are_listed(rows: Rows, named: str, shared: Path) -> None:
    text = (shared / "reference" / "seed-systems.md").read_text("utf-8").partition(SECTION)[2]
    line = next(line for line in text.split("\n") if line.startswith(f"{named}: "))
    listed = [item.strip(" .") for item in line.removeprefix(f"{named}: ").split("·")]
    without = [item for item in listed if not any(_plain(row) in _plain(item) for row in rows)]
    assert without == []
    assert len(listed) == len(rows)


@pytest.mark.parametrize("row", [*STORAGE.values(), *SESSION.values(), *DEFECTS.values()], ids=lambda row: row[0][-40:])
def test_every_row_names_tests_that_there_are(row: tuple[str, ...]) -> None:
    for each in row:
        path, _, name = each.partition("::")
        tree = ast.parse((PROJECT / "tests" / path).read_text("utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip()
