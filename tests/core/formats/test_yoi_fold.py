"""What yoi's records say about the session as a whole."""

from __future__ import annotations

from tests.core.formats.yoi_walk import message, record, said, start, text, typed, walk
from unspool.formats.facts import Usage


def usage(given: int, read: int = 0, written: int = 0, output: int = 0) -> dict[str, object]:
    return record(
        "llm_usage", input_total_tokens=given, cache_read_tokens=read, cache_write_tokens=written, output_tokens=output
    )


def test_the_first_prompt_is_the_sessions_own() -> None:
    origin = {"session_id": "other", "at_hash": "0"}
    begun = start("session_start", message("user", "Old"), forked_from=origin)
    _, facts = walk(begun, said("Hi"), typed(text(" \n New ")), typed(text("Newer")))
    assert facts.first_prompt == "New"
    assert walk(begun)[1].first_prompt == "Old"
    assert walk(start(), typed(text("  ")), typed(text("Said")))[1].first_prompt == "Said"


def test_a_fork_or_compaction_of_another_session_names_it() -> None:
    for origin in ("forked_from", "compacted_from"):
        assert walk(start(**{origin: {"session_id": "other", "at_hash": "0"}}))[1].forked_from == "other"


def test_a_segment_that_comes_from_another_of_its_session_has_no_other_origin() -> None:
    begun = start("segment_start", session_id="own", compacted_from={"segment_id": "s1", "at_turn_index": 1})
    facts = walk(begun)[1]
    assert (facts.session_id, facts.forked_from) == ("own", None)
    itself = start("segment_start", session_id="own", forked_from={"session_id": "own"})
    assert walk(itself)[1].forked_from is None


def test_tokens_add_up_with_what_the_cache_gave_apart() -> None:
    facts = walk(usage(1000, 600, 300, 40), usage(1500, 1500, 0, 2))[1]
    assert facts.usage == Usage(100, 42, 2100, 300)
    assert facts.context_tokens == 1502


def test_tokens_of_a_broken_record_are_none() -> None:
    assert walk(record("llm_usage", input_total_tokens="many", output_tokens=-3))[1].usage == Usage()
    assert walk(said("Hi"))[1].usage is None
