"""Looking into one output through a window, chosen by a selector: pieces of a session and stored outputs alike.

Every answer says what the whole is (its type and size) and how to go on: `truncation.next` is a selector or a position
that `after=` takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from unspool.dataclass import replace
from unspool.errors import BadQuery, BadReference, BlobNotFound, NotFound
from unspool.ids import BlobId, EvidenceId
from unspool.outputs.selector import Selector, parse_selector
from unspool.pattern import pattern
from unspool.views.bounds import Bounds
from unspool.views.inspectable import Inspectable, blob, piece
from unspool.views.inspector import Inspector

if TYPE_CHECKING:
    from unspool.blobs.store import BlobStore
    from unspool.views.inspection import Inspection
    from unspool.views.view import SessionView

_GOING_ON = pattern(r"(.*)@b([0-9]{1,18})\Z", re.DOTALL)
"""A continuation: the selector that is left, and the byte behind what was given of its answer."""
_MARK = pattern(r"\[?blob:([^\]\s]*)\]?")
"""A blob's id as it stands in a conversation."""
_EVIDENCE = pattern(r"[Ee][0-9]")


def inspect(
    target: str | EvidenceId | BlobId,
    selector: str | None = None,
    *,
    store: BlobStore | None = None,
    view: SessionView | None = None,
    bounds: Bounds | None = None,
    after: str | None = None,
    model_view: bool = False,
) -> Inspection:
    """Return a window of a stored output of `store` (by its blob id), or of one piece of `view` (by its evidence id).

    Without a selector: as much of the beginning as the bounds allow. In a text a window is one item; elements of an
    array and lines found by `grep:` are items. Memory is that of the window, whatever the size of the output. Raises
    `BadReference`, `NotFound` and `BlobError` for the target, `BadQuery` for a selector that does not fit; a message
    about one tells also what is wrong with the other.
    """
    wanted: Selector | None = None
    position, fault = 0, None
    try:
        wanted, position = _wanted(selector, after)
    except BadQuery as error:
        fault = error
    with _told_both(fault), _opened(target, store, view, model_view) as inspected:
        if fault is not None:
            raise fault
        return Inspector(inspected, bounds or Bounds()).answer(wanted, position)


def _wanted(selector: str | None, after: str | None) -> tuple[Selector | None, int]:
    """Return what is asked for, and the byte of it to go on from; a continuation stands for itself."""
    if after is None:
        return (parse_selector(selector) if selector is not None else None), 0
    going_on = _GOING_ON.match(after)
    try:
        return (parse_selector(going_on[1]), int(going_on[2])) if going_on else (parse_selector(after), 0)
    except BadQuery:
        raise BadQuery(f"not a continuation: {after!r}; pass the `next` of the answer before") from None


@contextmanager
def _told_both(fault: BadQuery | None) -> Iterator[None]:
    """Let a fault of the target hide none of the selector."""
    try:
        yield
    except BlobNotFound as error:
        raise BlobNotFound(f"{error}; {fault}") if fault else error from None
    except NotFound as error:
        raise NotFound(f"{error}; {fault}") if fault else error from None
    except BadReference as error:
        raise BadReference(f"{error}; {fault}", text=error.text) if fault else error from None


@contextmanager
def _opened(
    target: str | EvidenceId | BlobId, store: BlobStore | None, view: SessionView | None, model_view: bool
) -> Iterator[Inspectable]:
    """Open what a target names; raises `BadReference`, `NotFound` and `BlobError`."""
    named = _named(target, blobs=store is not None) if isinstance(target, str) else target
    if isinstance(named, EvidenceId):
        if view is None:
            raise BadReference(f"{named} is a piece of a session; pass its view", text=str(named))
        yield from _piece(view, named, model_view)
    else:
        if store is None:
            raise BadReference(f"{named} is a stored output; pass the store that keeps it", text=str(named))
        with store.open(named) as opened:
            yield blob(opened)


def _piece(view: SessionView, target: EvidenceId, model_view: bool) -> Iterator[Inspectable]:
    """Yield a piece, one time; where a stored output holds its text, as that one is, which may be JSON."""
    row = view.row_of(target)
    stored = None if row is None or model_view else view.stored_blob(row)
    if stored is None:
        yield piece(view, target, model_view=model_view)
        return
    with stored.store.open(stored.id) as opened:
        yield replace(blob(opened), id=target, by_lines=True)


def _named(target: str, *, blobs: bool) -> EvidenceId | BlobId:
    """Parse a target; where `blobs` are at hand, what looks like no evidence id is meant as one of theirs."""
    target = target.strip()
    marked = _MARK.fullmatch(target)
    try:
        return BlobId.parse(marked[1] if marked else target)
    except BadReference:
        if marked is None and (not blobs or _EVIDENCE.match(target)):
            return EvidenceId.parse(target)
        raise
