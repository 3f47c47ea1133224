"""One run of the command: its arguments, where it prints, and the library that it asks."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from unspool.errors import BadReference
from unspool_tui.streams import encoding

if TYPE_CHECKING:
    import argparse

    from unspool.ids import EntryRange, SessionRef
    from unspool.library import Library
    from unspool.library.targets import Target
    from unspool.views.view import SessionView
    from unspool_tui.output import Output
    from unspool_tui.piped import Piped
    from unspool_tui.settings.effective import Settings

NO_SESSION: Final = (
    "no session found; `unspool doctor` says where it looked, --root DIR points elsewhere, `unspool demo` shows one"
)
"""What is said where there is not a single session."""


class Command:
    """What a verb is given. The library is opened when it is first asked."""

    def __init__(self, arguments: argparse.Namespace, output: Output) -> None:
        self.arguments = arguments
        self.output = output
        self._lives: dict[SessionRef, bool] = {}
        output.plain = lambda: self.settings.ascii

    @property
    def encoding(self) -> str | None:
        """The encoding of the terminal that the app draws on."""
        return encoding()

    @cached_property
    def settings(self) -> Settings:
        """What a person has set; what is wrong with it is told once, when it is first asked for."""
        from unspool_tui.settings.effective import load_settings
        from unspool_tui.settings.memory import recall
        from unspool_tui.settings.place import home_of, state_path
        from unspool_tui.settings.told import Given

        theme, plain = getattr(self.arguments, "theme", None), getattr(self.arguments, "ascii", False)
        home = home_of(os.environ)
        settings = load_settings(
            os.environ,
            home,
            given=Given(theme, plain, tuple(self.arguments.root)),
            encoding=self.encoding,
            last_theme=recall(state_path(os.environ, home)).theme,
        )
        for fault in settings.faults:
            self.output.note(str(fault))
        return settings

    @property
    def cache(self) -> str | None:
        """The folder in which what was read of sessions is kept, unless a person has said no."""
        from unspool_tui.settings.place import cache_path, home_of

        return cache_path(os.environ, home_of(os.environ)) if self.settings.cache else None

    @cached_property
    def library(self) -> Library:
        """The sessions under `--root`, else under the roots of the settings, else in every agent's own folders."""
        from unspool.library import open_library

        given = getattr(self.arguments, "blobs", None)
        return open_library(
            self.settings.roots,
            environ=os.environ,
            blobs=given,
            spare_blobs=self.settings.blobs,
            absent=getattr(self.arguments, "absent", False),
            stream=self._stream,
            cache=self.cache,
            apart=getattr(self.arguments, "apart", False),
        )

    @cached_property
    def piped(self) -> Piped:
        """What comes in on standard input; raises `BadReference` where a person types there."""
        from unspool_tui.piped import Piped

        return Piped()

    def _stream(self) -> str:
        """Return the file of what `-` names: of its whole, or as soon as it begins for a verb that goes on with it."""
        if not getattr(self.arguments, "streaming", False):
            return self.piped.whole()
        path = self.piped.begun()
        if getattr(self.arguments, "keys", False) and not sys.stdin.isatty():
            from unspool_tui.piped import take_keys

            take_keys()
        return path

    def view(self, target: str) -> SessionView:
        """Return the view of a session; raises as `whole` does."""
        return self.library.view(self.whole(target))

    def views(self, target: str) -> list[SessionView]:
        """Return the views of everything that a session is made of, in order; raises as `whole` does."""
        found = self.whole(target)
        parts = self.library.parts(found)
        return [self.library.view(found)] if len(parts) == 1 else [self.library.view(part) for part in parts]

    def lives(self, ref: SessionRef) -> bool:
        """Say whether a session lives; asked once for each."""
        if ref not in self._lives:
            self._lives[ref] = self.library.lives(self.library.session_of(ref))
        return self._lives[ref]

    def whole(self, target: str) -> Target:
        """Return a session for a verb that answers for all of it; raises `BadReference` when a piece in it is named."""
        found = self.library.resolve_target(target)
        if found.place is None:
            return found
        narrowed = f" --in {found.place.within}" if hasattr(self.arguments, "within") and found.place.within else ""
        message = f"{target!r} names a piece, and this answers for a session: write {found.ref}{narrowed}"
        raise BadReference(message, text=target)

    def place(self, target: Target, view: SessionView, part: str | None = None) -> EntryRange | None:
        """Return the piece or range that a target or `--in` names inside its session, `None` for the whole.

        Where a target's id names a call, `part` says which half of it is meant.
        """
        from unspool.views.filter import parse_part

        given = self.within()
        if given is not None:
            return given
        place = self.library.place(target, view, parse_part(part) if part else None)
        return self._as_quoted(target, view, place) if place is not None else None

    def _as_quoted(self, target: Target, view: SessionView, place: EntryRange) -> EntryRange:
        """Return where a quoted piece lies now, and tell when it is no longer what was quoted."""
        from unspool.ids import EntryRange, Reference

        quoted = target.place.digest if target.place is not None else None
        if quoted is None:
            return place
        anchor = view.resolve(Reference(view.ref, place, None, quoted))
        if anchor.state != "intact":
            self.output.note(f"{place} is no longer what was quoted ({anchor.state})")
        elif anchor.evidence_id is not None and anchor.evidence_id not in place:
            self.output.note(f"what was quoted as {place} is now {anchor.evidence_id}")
            return EntryRange.of(anchor.evidence_id)
        return place

    def within(self) -> EntryRange | None:
        """Return the range that `--in` names."""
        from unspool.ids import EntryRange

        given: str | None = getattr(self.arguments, "within", None)
        return EntryRange.parse(given) if given else None

    def summary(self, total: int, next: str | None, **more: Any) -> None:
        """End a JSON list."""
        self.output.object({"summary": {"total": total, "next": next, **more}})
