"""The session list: a summary of every session, newest first, children behind their parents."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from unspool.library.catalogue import Catalogue, Listed
from unspool.library.summary import SessionSummary, whole

if TYPE_CHECKING:
    from unspool.formats.waiting import Waiting
    from unspool.ids import SessionRef
    from unspool.library.glance import Glance
    from unspool.library.glances import Glances
    from unspool.library.relations import Relations
    from unspool.stores.base import LiveState

LIVE_FOR: Final = 120_000
"""Milliseconds since the last write within which a session counts as live."""

TITLE_CHARACTERS: Final = 300
"""A title is one line; a first prompt may be a page."""

RESTS: Final = "idle"
"""The word of an agent's registry for: it has answered, and a person is to speak."""


class Listing:
    """A list that is being made: what was found, and what is known of it."""

    def __init__(
        self,
        catalogue: Catalogue,
        relations: Relations,
        glances: Glances,
        live: Mapping[tuple[str, str], LiveState],
        titles: Mapping[tuple[str, str], str],
        now: int,
    ) -> None:
        self.catalogue = catalogue
        self.relations = relations
        self.glances = glances
        self.live = live
        self.titles = titles
        self.now = now
        self.children = {
            parent: [child for child in children if not catalogue.listed[child].source.hidden]
            for parent, children in relations.children().items()
        }

    def summaries(self) -> Iterator[SessionSummary]:
        """Yield every summary in order."""
        rows = self.catalogue.rows(self.glances)
        there = (each for each in rows if not each.source.hidden and not self._gone(each))
        made = {each.ref: self.summary(each) for each in there}
        newest = self._newest(made)
        waiting = sorted(
            (summary for summary in made.values() if summary.parent not in made),
            key=lambda each: (newest[each.ref], each.agent, each.session_id, each.part or "", each.ref.copy),
        )
        while waiting:
            summary = waiting.pop()
            yield summary
            waiting += [made[child] for child in reversed(summary.children) if child in made]

    def _gone(self, listed: Listed) -> bool:
        """Say whether every file vanished since it was listed, as rollouts do that are being compressed."""
        if any(self.glances.of(each.source).fault is None for each in listed.each):
            return False
        return not any(os.path.lexists(each.source.path) for each in listed.each)

    def summary(self, listed: Listed) -> SessionSummary:
        """Return what is known of one session without reading it whole."""
        return whole(listed.ref, self.parts(listed)) if listed.parts else self._of_file(listed)

    def parts(self, listed: Listed) -> list[SessionSummary]:
        """Return the summaries of the files that a session is made of, in order."""
        return [self._of_file(each) for each in listed.each]

    def parts_of(self, summary: SessionSummary) -> list[SessionSummary]:
        """Return the summaries of the parts of a session, itself where it has none."""
        listed = self.catalogue.find(summary.ref, self.glances) if summary.parts else None
        return [summary] if listed is None else self.parts(listed)

    def _of_file(self, listed: Listed) -> SessionSummary:
        glance, source, ref = self.glances.of(listed.source), listed.source, listed.ref
        parent = self.relations.parents.get(ref)
        state = self.live.get((ref.agent, ref.session_id)) if ref.part is None else None
        live = state is not None or 0 <= self.now - source.mtime_ns // 1_000_000 < LIVE_FOR
        return SessionSummary(
            ref=ref,
            agent=ref.agent,
            session_id=ref.session_id,
            part=ref.part,
            path=source.path,
            bytes=source.size,
            title=self._title(ref, glance),
            project=project_of(glance.cwd),
            cwd=glance.cwd,
            started_at=glance.started_at,
            last_activity=glance.last_activity,
            live=live,
            waiting=_waiting(glance.waiting, state) if live and not source.is_subagent and parent is None else None,
            parent=parent,
            children=tuple(sorted(self.children[ref], key=self._started)) if ref in self.children else (),
            forked_from=self.relations.origins.by_fork.get(ref),
            model=glance.model,
            branch=glance.branch,
            empty=glance.empty,
            compressed=source.compressed,
            call_id=self.relations.calls.get(ref),
            fault=glance.fault,
        )

    def _title(self, ref: SessionRef, glance: Glance) -> str | None:
        given = glance.given_title or (self.titles.get((ref.agent, ref.session_id)) if ref.part is None else None)
        return one_line(given or glance.generated_title or self.relations.titles.get(ref) or glance.title)

    def _started(self, ref: SessionRef) -> tuple[int, str]:
        return self.glances.of(self.catalogue.listed[ref].source).started_at or 0, str(ref)

    def _newest(self, made: Mapping[SessionRef, SessionSummary]) -> dict[SessionRef, int]:
        """Return the newest time of each session, those of its subagents included.

        What cannot be read and tells no time goes last: when its file was written says nothing of a session.
        """
        newest: dict[SessionRef, int] = {}
        for summary in made.values():
            time = summary.last_activity
            if time is None:
                time = 0 if summary.fault is not None else self._written(summary.ref)
            above: SessionRef | None = summary.ref
            while above is not None and above in made:
                newest[above] = max(time, newest.get(above, time))
                above = made[above].parent if not summary.empty else None
        return newest

    def _written(self, ref: SessionRef) -> int:
        """Return when a session was written last, as its file tells."""
        listed = self.catalogue.find(ref, self.glances)
        return listed.source.mtime_ns // 1_000_000 if listed is not None else 0


def _waiting(told: Waiting | None, state: LiveState | None) -> Waiting | None:
    """Say for what a live agent waits: as its records tell, but whether a turn is over its registry knows better."""
    if told in ("permission", "question") or state is None or state.status is None:
        return told
    return "turn" if state.status == RESTS else None


def project_of(cwd: str | None) -> str | None:
    """Return the last name of a folder, of whichever system it is."""
    if not cwd:
        return None
    return cwd.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or cwd


def one_line(title: str | None) -> str | None:
    """Fold a title to one line of bounded length."""
    if not title:
        return None
    folded = " ".join(title[: TITLE_CHARACTERS * 8].split())
    return (folded if len(folded) <= TITLE_CHARACTERS else folded[: TITLE_CHARACTERS - 1] + "…") or None
