"""A filter line becomes a filter and free words; what no filter can mean is refused by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from tests.sessions import Said, view_of
from unspool.errors import BadQuery
from unspool.formats.piece import Kind, ToolPart
from unspool.ids import EntryRange, EvidenceId
from unspool.views.filter import Filter


@pytest.mark.parametrize(
    ("line", "filter", "free"),
    [
        ("", Filter(), ""),
        ("   ", Filter(), ""),
        ("two  words", Filter(), "two words"),
        ("kind:user", Filter(kinds=frozenset({Kind.USER})), ""),
        ("KIND:User,tool kind:system", Filter(kinds=frozenset({Kind.USER, Kind.TOOL, Kind.SYSTEM})), ""),
        ("part:out", Filter(tool_part=ToolPart.OUTPUT), ""),
        ("part:INPUT", Filter(tool_part=ToolPart.INPUT), ""),
        ("tool:Bash,Edit tool:Read", Filter(tools=frozenset({"Bash", "Edit", "Read"})), ""),
        ('tool:"my tool"', Filter(tools=frozenset({"my tool"})), ""),
        ("is:error is:Stored", Filter(errors=True, stored=True), ""),
        ("is:reasoning is:hidden", Filter(reasoning=True, hidden=True), ""),
        ("in:e1-E9", Filter(within=EntryRange(1, 9)), ""),
        ("in:E4.2", Filter(within=EntryRange(4, 4, 2, 2)), ""),
        ('path:"a b/c" x', Filter(path="a b/c"), "x"),
        ("path:C:\\x", Filter(path="C:\\x"), ""),
        ("http://x.example", Filter(), "http://x.example"),
        ("kind:tool refused\tconnection", Filter(kinds=frozenset({Kind.TOOL})), "refused connection"),
        ('"kind:user" is:error', Filter(errors=True), "kind:user"),
        ('"two  words"', Filter(), "two  words"),
        ('5" wide', Filter(), '5" wide'),
        ('path:"open end', Filter(path="open end"), ""),
        ('"', Filter(), ""),
        (":", Filter(), ":"),
    ],
)
def test_a_line_is_split_into_a_filter_and_words(line: str, filter: Filter, free: str) -> None:
    assert Filter.parse(line) == (filter, free)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("kind:", "kind:"),
        ("kind:nobody", "'nobody'"),
        ("kind:user,", "''"),
        ("part:middle", "'middle'"),
        ("is:late", "is:late"),
        ("in:E9-E1", "E9-E1"),
        ("in:here", "'here'"),
        ("path:", "path:"),
    ],
)
def test_a_word_that_no_filter_can_mean_is_named(line: str, named: str) -> None:
    with pytest.raises(BadQuery, match=r"\A[^\n]*\Z") as refused:
        Filter.parse(f"some words {line}")
    assert named in str(refused.value)


@law
@given(st.text(st.sampled_from('abk:"indpat hs,E1-9.\\\n\té'), max_size=30))
def test_any_line_is_parsed_or_refused(line: str) -> None:
    try:
        filter, free = Filter.parse(line)
    except BadQuery:
        return
    assert isinstance(filter, Filter)
    assert isinstance(free, str)


def test_no_ids_are_no_pieces_and_not_all() -> None:
    view = view_of([("user", "one"), ("assistant", "two")])
    assert [view.evidence(ids=ids).total for ids in ([], ["E1.0"], ["E7.0"])] == [0, 1, 0]
    assert view.evidence().total == 2


def test_keywords_say_the_same_as_a_filter() -> None:
    words = {
        "kinds": ["tool", Kind.USER],
        "tool_part": "out",
        "tool": "Bash",
        "errors": True,
        "entry_range": "E1-E9",
        "ids": ["E1.0", EvidenceId(2, 0)],
        "path": "x",
        "reasoning": True,
    }
    assert Filter().narrowed(words) == Filter(  # type: ignore[arg-type]
        kinds=frozenset({Kind.TOOL, Kind.USER}),
        tool_part=ToolPart.OUTPUT,
        tools=frozenset({"Bash"}),
        errors=True,
        within=EntryRange(1, 9),
        ids=frozenset({EvidenceId(1, 0), EvidenceId(2, 0)}),
        path="x",
        reasoning=True,
    )
    assert Filter().narrowed({"kinds": "user"}).kinds == {Kind.USER}
    with pytest.raises(BadQuery):
        view_of([]).evidence(kinds={"nobody"})
    with pytest.raises(TypeError, match="colour"):
        view_of([]).evidence(colour="red")  # type: ignore[call-arg]


FILES: list[Said] = [
    ("user", "Look at @src/main.py and @docs/a.md, please"),
    ("input", {"file_path": "/srv/shop/src/main.py"}),
    ("output", "import os"),
    ("input", {"command": "cat src/main.py"}),
    ("output", "import os"),
    ("assistant", "It is in src/main.py"),
]


@pytest.mark.parametrize(
    ("path", "ids"),
    [
        ("main.py", ["E0.0", "E1.0", "E2.0"]),
        ("SRC/Main", ["E0.0", "E1.0", "E2.0"]),
        ("docs", ["E0.0"]),
        ("import", []),
        ("/srv/", ["E1.0", "E2.0"]),
    ],
)
def test_a_path_finds_the_calls_and_prompts_that_name_it_and_their_results(path: str, ids: list[str]) -> None:
    view = view_of(FILES)
    assert [str(row.id) for row in view.evidence(path=path).items] == ids
    assert [str(view.id(row)) for row in view.wanted(Filter(path=path))] == ids
    assert view.search("e", path=path).total == len([each for each in ids if each != "E2.0"])
