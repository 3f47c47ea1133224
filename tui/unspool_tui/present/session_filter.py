"""The filter line of the session list: `agent: project: since: is:live` and free words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.pattern import pattern
from unspool_tui.present.since import FORMS, NoTime, Since

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary

STATES: Final = ("live", "waiting", "empty")
"""What may follow `is:`; sessions in which nothing was said are listed with `is:empty` alone."""

_WORD = pattern(r'(?:[^\s"]|"[^"]*"?)+')

NARROWING: Final = ("agent", "project", "since")
"""Names of words that choose sessions wherever they stand: those of pieces have none of the same name."""


class BadWord(ValueError):
    """A word of the line cannot be understood; the message says why."""


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """What a session must fulfil; `since` is when it was active, `words` must all occur in what a row shows."""

    agent: str | None = None
    project: str | None = None
    since: Since | None = None
    live: bool = False
    waiting: bool = False
    empty: bool = False
    words: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> SessionFilter:
        """Read a filter line; raises `BadWord`."""
        agent = project = since = None
        states: set[str] = set()
        free = []
        for word in _WORD.findall(line):
            name, colon, value = word.partition(":")
            value = value.strip('"')
            match name.lower() if colon and value else "":
                case "agent":
                    agent = value.casefold()
                case "project":
                    project = value.casefold()
                case "since":
                    since = _since(value)
                case "is":
                    states.add(_state(value))
                case _:
                    free.append(word.strip('"').casefold())
        words = tuple(word for word in free if word)
        return cls(agent, project, since, "live" in states, "waiting" in states, "empty" in states, words)

    def fits(self, summary: SessionSummary, now: int) -> bool:
        """Say whether a session is wanted; empty ones only when they are asked for."""
        if summary.empty is not self.empty:
            return False
        if self.agent is not None and not summary.agent.casefold().startswith(self.agent):
            return False
        if self.project is not None and self.project not in (summary.project or "").casefold():
            return False
        if self.since is not None and (summary.last_activity or 0) < self.since.begins(now):
            return False
        if (self.live and not summary.live) or (self.waiting and not summary.waiting):
            return False
        said = f"{summary.title or ''} {summary.project or ''} {summary.ref} {summary.branch or ''}".casefold()
        return all(word in said for word in self.words)


def taken_apart(line: str) -> tuple[SessionFilter | None, str]:
    """Split the line of a search into the sessions it is for (`None`: all) and what is left; raises `BadWord`."""
    taken: list[str] = []
    left: list[str] = []
    for word in _WORD.findall(line):
        name, colon, value = word.partition(":")
        if not colon or name.lower() not in NARROWING:
            left.append(word)
        elif value.strip('"'):
            taken.append(word)
        else:
            raise BadWord(f"{name}: needs a value")
    return (SessionFilter.parse(" ".join(taken)) if taken else None), " ".join(left)


def with_word(line: str, name: str, value: str | None) -> str:
    """Return the line with `name:value` in place of what it said of that name; without it for `None`."""
    kept = [word for word in _WORD.findall(line) if word.partition(":")[0].lower() != name]
    return " ".join([*kept, *([f"{name}:{value}"] if value is not None else [])])


def _since(value: str) -> Since:
    try:
        return Since.parse(value)
    except NoTime:
        raise BadWord(f"since:{value} is no time; write {FORMS}") from None


def _state(value: str) -> str:
    if value.lower() not in STATES:
        raise BadWord(f"is:{value} is unknown; it takes {', '.join(STATES)}")
    return value.lower()
