"""Which pieces are wanted: one vocabulary for the command's options and the app's filter line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass, replace
from unspool.errors import BadQuery, BadReference
from unspool.formats.piece import Kind, ToolPart
from unspool.ids import EntryRange, EvidenceId

if TYPE_CHECKING:
    from unspool.views.words import Words

WORDS: Final = ("kind:", "part:", "tool:", "is:", "path:", "in:")
"""The words that the filter line knows."""

STATES: Final = ("error", "stored", "reasoning", "hidden")
"""What may follow `is:`."""


_AS_THEY_ARE: Final = ("errors", "stored", "path", "reasoning", "hidden")


@dataclass(frozen=True, slots=True)
class Filter:
    """What a piece must fulfil; the empty filter wants every default-visible piece.

    `kinds` empty means all. A `tool_part` implies tool pieces, as do `tools` (names, case ignored). `errors` and
    `stored` keep only failed and only persisted or shortened pieces. `within` restricts to a range. `path` is a part
    of a path that a call names. `ids` keeps only the listed pieces. `reasoning` adds reasoning, `hidden` adds twins,
    replays and abandoned branches.
    """

    kinds: frozenset[Kind] = frozenset()
    tool_part: ToolPart | None = None
    tools: frozenset[str] = frozenset()
    errors: bool = False
    stored: bool = False
    within: EntryRange | None = None
    path: str | None = None
    ids: frozenset[EvidenceId] | None = None
    reasoning: bool = False
    hidden: bool = False
    twins: bool = True
    """Whether `hidden` also adds twins and replays; a search never does."""

    def narrowed(self, words: Words) -> Filter:
        """Return a copy narrowed by keyword arguments, each given as its type or as its name; raises `BadQuery`."""
        if not words:
            return self
        from unspool.views.words import Words

        unknown = sorted(set(words) - set(Words.__annotations__))
        if unknown:
            raise TypeError(f"no keyword {unknown[0]!r}; there are {', '.join(Words.__annotations__)}")
        changes: dict[str, Any] = {name: words[name] for name in _AS_THEY_ARE if name in words}
        if kinds := words.get("kinds"):
            changes["kinds"] = frozenset(parse_kind(str(kind)) for kind in _several(kinds))
        if (part := words.get("tool_part")) is not None:
            changes["tool_part"] = parse_part(str(part))
        if tool := words.get("tool"):
            changes["tools"] = frozenset(_several(tool))
        if (entry_range := words.get("entry_range")) is not None:
            changes["within"] = EntryRange.parse(str(entry_range))
        if (ids := words.get("ids")) is not None:
            changes["ids"] = frozenset(EvidenceId.parse(str(each)) for each in ids)
        return self.with_(**changes)

    def with_(self, **changes: Any) -> Filter:
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    @classmethod
    def parse(cls, words: str) -> tuple[Filter, str]:
        """Split a filter line into a filter and the free text that is left; raises `BadQuery` naming a bad word.

        A value in double quotes may hold spaces. Words of a kind it does not know are free text (`http://x`), as is
        whatever stands in quotes as a whole (`"kind:user"`).
        """
        result, free = cls(), []
        for word, quoted in _words(words):
            name, colon, value = word.partition(":")
            if quoted or not colon or f"{name.lower()}:" not in WORDS:
                free.append(word)
                continue
            if not value:
                raise BadQuery(f"{name}: needs a value")
            result = _with_word(result, name.lower(), value)
        return result, " ".join(free)


def _several(values: Any) -> Iterable[Any]:
    return (values,) if isinstance(values, (str, Kind)) else values


def parse_kind(value: str) -> Kind:
    """Return the kind of that name; raises `BadQuery`."""
    try:
        return Kind[value.upper()]
    except KeyError:
        raise BadQuery(f"no kind {value!r}; kinds are user, assistant, system, tool") from None


def parse_part(value: str) -> ToolPart:
    """Return the tool part of that name (`in` and `out` too); raises `BadQuery`."""
    part = {"input": ToolPart.INPUT, "in": ToolPart.INPUT, "output": ToolPart.OUTPUT, "out": ToolPart.OUTPUT}
    if value.lower() not in part:
        raise BadQuery(f"no tool part {value!r}; parts are input, output")
    return part[value.lower()]


def _with_word(filter: Filter, name: str, value: str) -> Filter:
    if name == "kind":
        return filter.with_(kinds=filter.kinds | {parse_kind(kind) for kind in value.split(",")})
    if name == "part":
        return filter.with_(tool_part=parse_part(value))
    if name == "tool":
        return filter.with_(tools=filter.tools | {tool for tool in value.split(",") if tool})
    if name == "path":
        return filter.with_(path=value)
    if name == "in":
        try:
            return filter.with_(within=EntryRange.parse(value))
        except BadReference as error:
            raise BadQuery(str(error)) from error
    changes = {"error": {"errors": True}, "stored": {"stored": True}}
    changes |= {"reasoning": {"reasoning": True}, "hidden": {"hidden": True}}
    if value.lower() not in changes:
        raise BadQuery(f"is:{value} is unknown; it takes {', '.join(STATES)}")
    return filter.with_(**changes[value.lower()])


def _words(line: str) -> list[tuple[str, bool]]:
    """Split at white space outside double quotes; return each word, and whether it began with a quote.

    Quotes around a word or value are dropped; an open one runs to the end.
    """
    words, word, inside, quoted = [], "", False, False
    for sign in f"{line} ":
        if sign == '"' and (inside or not word or word.endswith(":")):
            inside, quoted = not inside, quoted or not word
        elif sign.isspace() and not inside:
            words.append((word, quoted))
            word, quoted = "", False
        else:
            word += sign
    words.append((word.removesuffix(" "), quoted))
    return [each for each in words if each[0]]
