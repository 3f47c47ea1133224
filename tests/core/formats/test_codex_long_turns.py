"""A turn of thousands of messages, and thousands of rollbacks: the same answers as the plain way, in linear work."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.codex_walk import event, message, prompt, said, walk
from unspool.formats.codex_twins import Record, Said, Words
from unspool.formats.piece import Flag


@dataclass
class PlainSaid:
    """What was said, looked through from the newest message back, in each from its first words on."""

    messages: list[list[tuple[Words, set[Record], int]]] = field(default_factory=list)
    count: int = 0

    def nearest(self, words: Words, record: Record) -> int | None:
        for told in reversed(self.messages):
            for other, records, number in told:
                wholes = (words.whole, other.whole)
                if record not in records and other.head == words.head and (None in wholes or wholes[0] == wholes[1]):
                    return number
        return None

    def say(self, wanted: int, record: Record) -> None:
        for told in self.messages:
            for _, records, number in told:
                if number == wanted:
                    records.add(record)

    def remember(self, message: list[Words], record: Record) -> None:
        numbers = range(self.count, self.count + len(message))
        self.count += len(message)
        self.messages.append(
            [(words, {record}, number) for words, number in zip(message, reversed(numbers), strict=True)]
        )


WORDS = st.builds(Words, st.integers(0, 2), st.none() | st.integers(0, 2))
MESSAGES = st.lists(st.tuples(st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(list(Record))), max_size=40)


@given(MESSAGES)
def test_the_nearest_words_are_those_that_a_look_through_all_would_find(
    messages: list[tuple[list[Words], Record]],
) -> None:
    plain, fast = PlainSaid(), Said()
    for wanted, record in messages:
        expected = [plain.nearest(words, record) for words in wanted]
        assert [fast.nearest(words, record) for words in wanted] == expected
        if None in expected:
            plain.remember(wanted, record)
            fast.remember(wanted, record, None)
        for number in expected:
            if number is not None and None not in expected:
                plain.say(number, record)
                fast.say(number, record)


def plainly_rolled_back(steps: list[int | None]) -> set[int]:
    """Mark from the n-th last prompt that stands to the end, each time anew; a step of `None` is a prompt."""
    abandoned: set[int] = set()
    standing: list[int] = []
    rows = 0
    for turns in steps:
        if turns is None:
            standing.append(rows)
            rows += 2
        elif standing and turns:
            abandoned |= set(range(standing[-min(turns, len(standing))], rows))
            del standing[-turns:]
    return abandoned


@given(st.lists(st.none() | st.integers(0, 3), max_size=60))
def test_rollbacks_abandon_what_marking_everything_again_would(steps: list[int | None]) -> None:
    records = []
    for number, turns in enumerate(steps):
        turn = [prompt(f"p{number}"), said("ok")]
        records += turn if turns is None else [event("thread_rolled_back", num_turns=turns)]
    walked = walk(*records)
    assert {row for row, (_, flags) in enumerate(walked.rows) if Flag.ABANDONED in flags} == plainly_rolled_back(steps)
    marked = [mark.row for mark in walked.marks if mark.flag == Flag.ABANDONED]
    assert len(marked) == len(set(marked))


def test_twins_of_a_turn_without_an_end_are_found_over_thousands_of_messages() -> None:
    items = [message("assistant", f"step {number}") for number in range(2_000)]
    walked = walk(*items, *(said(f"step {number}") for number in range(2_000)))
    assert [Flag.TWIN in flags for _, flags in walked.rows] == [False] * 2_000 + [True] * 2_000
