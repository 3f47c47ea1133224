"""Where a rollout comes from: its own header, and how far it is a copy of another session.

A fork, and a resume in versions of 2025, begins with a copy of the other session, its header included, written again
in one go: with new times that lie milliseconds apart, but with the old start of each turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass
from unspool.formats import fields

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded
    from unspool.formats.facts import Facts

_PAUSE: Final = 1_000
"""Milliseconds between two records behind which a copy is over: it is written at once, a turn needs a model."""


@dataclass(slots=True)
class Origin:
    """Follows the headers of a rollout. `copying` says whether the record just taken is part of a copy."""

    copying: bool = False
    _header_seen: bool = False
    _created: int | None = None
    _newest: int | None = None

    def take(self, payload: Mapping[str, Any], decoded: Decoded, facts: Facts, *, first_rows: bool) -> None:
        """Take the next record by its payload; headers fill `facts`. `first_rows`: no piece has been seen yet."""
        if decoded.type == "session_meta":
            self._take_header(payload, decoded, facts, first_rows)
        elif self.copying and self._is_live(payload, decoded):
            self.copying = False
        if decoded.time is not None:
            self._newest = decoded.time

    def _take_header(self, header: Mapping[str, Any], decoded: Decoded, facts: Facts, first_rows: bool) -> None:
        session_id = fields.text(header.get("id"))
        version = fields.text(header.get("cli_version"))
        if version:
            facts.versions[version] = facts.versions.get(version, 0) + 1
        if not self._header_seen:
            self._header_seen = True
            self._created = fields.milliseconds(header.get("timestamp")) or decoded.time
            _fill(facts, header, session_id)
        elif session_id and session_id != facts.session_id and first_rows:
            self.copying = True
            facts.forked_from = facts.forked_from or session_id

    def _is_live(self, payload: Mapping[str, Any], decoded: Decoded) -> bool:
        created = self._created or 0
        if decoded.type in ("event_msg/task_started", "event_msg/turn_started"):
            started = _moment(payload.get("started_at"))
            if started is not None:
                return started >= created - created % 1000
        if decoded.time is None or self._newest is None or decoded.time < created:
            return False
        return decoded.time - self._newest > _PAUSE


def _moment(value: Any) -> int | None:
    seconds = fields.as_int(value)
    return fields.milliseconds(value) if seconds is None else seconds * 1000


def _fill(facts: Facts, header: Mapping[str, Any], session_id: str | None) -> None:
    spawned = _spawned(header.get("source"))
    facts.session_id = session_id
    facts.cwd = facts.cwd or fields.text(header.get("cwd"))
    facts.branch = fields.text(fields.mapping(header.get("git")).get("branch"))
    facts.forked_from = fields.text(header.get("forked_from_id"))
    facts.parent = fields.text(header.get("parent_thread_id")) or fields.text(spawned.get("parent_thread_id"))
    names = (fields.text(told.get(key)) for key in ("agent_nickname", "agent_role") for told in (header, spawned))
    facts.agent_name = next((name for name in names if name), _subagent_kind(header.get("source")))


def _spawned(source: Any) -> Mapping[str, Any]:
    return fields.mapping(fields.mapping(fields.mapping(source).get("subagent")).get("thread_spawn"))


def _subagent_kind(source: Any) -> str | None:
    """Return the name of a subagent that Codex itself starts: `"review"`, or `{"other": "guardian"}`."""
    subagent = fields.mapping(source).get("subagent")
    return fields.text(subagent) or fields.text(fields.mapping(subagent).get("other"))
