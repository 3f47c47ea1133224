"""Ready tool specifications for agents that read a session: search, read, resolve.

Answers are bounded texts, errors are one line, unknown arguments are refused. Session content is fenced by the ids it
is quoted with; nothing here adds instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from unspool.dataclass import dataclass
from unspool.errors import BadQuery, UnspoolError
from unspool.outputs.output import Verbatim
from unspool.sources.json_value import compact
from unspool.text import size
from unspool.views.bounds import READ_BYTES, SEARCH_ITEMS, Bounds
from unspool.views.filter import parse_kind, parse_part
from unspool.views.reading import ReadPiece
from unspool.views.view import SEARCH_FILTER, SessionView

PIECES_NAMED: Final = 200
"""Ids that an answer lists for a range: a longer range is read or searched, not recited."""

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
"""What an argument is in Python, by the types of a JSON schema; a null is none that was given."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool: `parameters` is the JSON schema of its arguments, `run` takes them by name and returns its output.

    What a tool `reads` of stored outputs or of sessions is bounded and goes into context as it is (`Verbatim`):
    storing it again would only have it read again.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    run: Callable[..., Any]
    reads: bool = False

    def __call__(self, arguments: Mapping[str, Any]) -> Any:
        """Check the arguments and run; an `UnspoolError` comes back as one line that begins with `error:`.

        Checked are names, `type` and `required` of the schema, at its top level. A null is an argument that was left
        out, as some models write it. What else `run` raises is for who called.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            answer = self.run(**self._checked(given))
        except UnspoolError as error:
            answer = f"error: {' '.join(str(error).split())}"
        return Verbatim(answer) if self.reads else answer

    def _checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        known = self.parameters.get("properties", {})
        for name, value in arguments.items():
            if name not in known:
                raise BadQuery(f"{self.name} has no argument {name!r}; it takes {', '.join(known) or 'none'}")
            wanted = known[name].get("type", ())
            names = [wanted] if isinstance(wanted, str) else wanted
            types = [type for each in names for type in _TYPES.get(each, ())]
            if types and type(value) not in types:
                raise BadQuery(f"{self.name}: {name} must be of type {' or '.join(names)}")
        for name in self.parameters.get("required", ()):
            if name not in arguments:
                raise BadQuery(f"{self.name} needs {name}")
        return dict(arguments)


def reference_tools(view: SessionView) -> tuple[ToolSpec, ToolSpec, ToolSpec]:
    """Return `search_reference`, `read_reference` and `resolve_reference` over one view."""
    references = _References(view)
    return (
        ToolSpec(
            "search_reference",
            "Search the session for a literal text (case is ignored). Gives evidence ids with the matching line.",
            _search_schema(),
            references.search,
            reads=True,
        ),
        ToolSpec(
            "read_reference",
            "Read the text of a piece of evidence or of a range, within bounds; says how to go on.",
            _read_schema(),
            references.read,
            reads=True,
        ),
        ToolSpec(
            "resolve_reference",
            "Say where a piece of evidence lies in the session's source, with its digest.",
            _schema(_place(), []),
            references.resolve,
            reads=True,
        ),
    )


class _References:
    """What the tools answer of one view; the names of the arguments are those of their schemas."""

    def __init__(self, view: SessionView) -> None:
        self._view = view

    def search(
        self, query: str, kind: str | None = None, tool_part: str | None = None, limit: int = SEARCH_ITEMS
    ) -> str:
        """Return a line for each hit, and how many there are."""
        filter = SEARCH_FILTER
        if kind is not None:
            filter = filter.with_(kinds=frozenset({parse_kind(kind)}))
        if tool_part is not None:
            filter = filter.with_(tool_part=parse_part(tool_part))
        result = self._view.search(query, filter, limit=limit)
        lines = _within_bounds(f"{hit.place} {hit.evidence.label}: {hit.snippet}" for hit in result.hits)
        left = result.total - len(lines)
        more = f"; {left} more, {'narrow the query' if len(lines) < limit else 'raise limit'}" if left else ""
        total = "1 piece matches" if result.total == 1 else f"{result.total} pieces match"
        return "\n".join([*lines, f"{total}{more}"])

    def read(
        self,
        id: str | None = None,
        entry_range: str | list[int] | None = None,
        include_tools: bool = True,
        tool_part: str | None = None,
        max_items: int = Bounds().max_items,
        max_bytes: int = Bounds().max_bytes,
        after: str | None = None,
    ) -> str:
        """Return the texts, each under its id and label, and how to go on."""
        bounds = Bounds(max_items=max_items, max_bytes=max_bytes)
        place = _target(id, entry_range)
        reading = self._view.read(place, include_tools=include_tools, tool_part=tool_part, bounds=bounds, after=after)
        said = [
            f"[{' · '.join(filter(None, (f'{piece.evidence.id} {piece.evidence.label}', piece.notice)))}]\n{piece.text}"
            for piece in reading.pieces
            if isinstance(piece, ReadPiece)
        ]
        stop = reading.truncation
        if stop.truncated:
            said.append(f"[truncated by {stop.reason}: {stop.omitted_bytes} bytes left; go on with after={stop.next}]")
        return "\n".join(said)

    def resolve(self, id: str | None = None, entry_range: str | list[int] | None = None) -> str:
        """Return the anchor as compact JSON."""
        anchor = self._view.resolve(_target(id, entry_range)).to_json()
        pieces = anchor["pieces"]
        if len(pieces) > PIECES_NAMED:
            anchor |= {"pieces": pieces[:PIECES_NAMED], "more_pieces": len(pieces) - PIECES_NAMED}
        return compact(anchor)


def _search_schema() -> dict[str, Any]:
    return _schema(
        {
            "query": {"type": "string", "description": "the text to look for"},
            "kind": {"type": "string", "enum": ["user", "assistant", "system", "tool"]},
            "tool_part": {"type": "string", "enum": ["input", "output"]},
            "limit": {"type": "integer", "description": f"hits to give, {SEARCH_ITEMS} by default"},
        },
        ["query"],
    )


def _read_schema() -> dict[str, Any]:
    return _schema(
        {
            **_place(),
            "include_tools": {"type": "boolean", "description": "false leaves tool calls and results out"},
            "tool_part": {"type": "string", "enum": ["input", "output"]},
            "max_items": {"type": "integer"},
            "max_bytes": {"type": "integer"},
            "after": {"type": "string", "description": "the continuation that an answer before named"},
        },
        [],
    )


def _place() -> dict[str, Any]:
    return {
        "id": {"type": "string", "description": "an evidence id, for example E128.2"},
        "entry_range": {
            "type": ["string", "array"],
            "items": {"type": "integer"},
            "description": "a range of entries, for example E128-E140 or [128, 140], both ends included",
        },
    }


def _within_bounds(lines: Iterable[str]) -> list[str]:
    """Return as many lines as an answer may hold, each as one line."""
    kept: list[str] = []
    left = READ_BYTES
    for line in lines:
        line = " ".join(line.split("\n"))
        left -= size(line) + 1
        if left < 0:
            break
        kept.append(line)
    return kept


def _schema(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _target(id: str | None, entry_range: str | list[int] | None) -> str:
    if (id is None) == (entry_range is None):
        raise BadQuery("give either id or entry_range")
    if not isinstance(entry_range, list):
        return id or entry_range or ""
    if len(entry_range) != 2 or any(type(each) is not int or each < 0 for each in entry_range):
        raise BadQuery("entry_range is E128-E140 or [128, 140]: its first and last entry")
    return f"E{entry_range[0]}-E{entry_range[1]}"
