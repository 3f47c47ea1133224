"""What an export dialog says: what there is to export, how far it is, what was done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import GAP, WIDE_GAP, Cell, Row, end_of

if TYPE_CHECKING:
    from unspool.export import Exported
    from unspool_tui.messages.taking import ExportCounted

RULES_NAMED: Final = 3
"""Kinds of secrets that are named where there is one row."""


def shortened(path: str, home: str) -> str:
    """Return a path with `~` for the person's own folder."""
    inside = home not in ("", os.sep) and path.startswith(home.rstrip(os.sep) + os.sep)
    return f"~{path[len(home.rstrip(os.sep)) :]}" if inside else path


def secrets_told(counted: ExportCounted | None, *, looked_for: bool) -> Row:
    """Say how many secrets were recognised, and of which kinds, or why that is not known."""
    if not looked_for:
        return (("whoever gets the file can read them", "user"),)
    if counted is None:
        return ()
    redactions = counted.redactions
    if redactions is None:
        return (("counting …" if counted.counting else "too much to count before it is written", "faint"),)
    if not redactions:
        return (("none recognised", "muted"),)
    named = [f"{number} {rule}" for rule, number in list(redactions.items())[:RULES_NAMED]]
    more = ["…"] if len(redactions) > RULES_NAMED else []
    kinds = ", ".join([*named, *more])
    return ((numbers.full(sum(redactions.values())), "text bold"), (" recognised", "muted"), GAP, (kinds, "faint"))


def waiting_told(counted: tuple[int, int] | None, problem: str, asks: str) -> Row:
    """Say what would be written, `counted` in pieces and bytes, and what is in the way.

    `asks` is the key that leads to a question first, when something is there already.
    """
    if problem:
        return ((f"{marks.ERROR} ", "error bold"), (clean(problem, newline=False), "text"))
    if counted is None:
        return (("counting …", "muted"),)
    pieces, length = counted
    what: list[Cell] = [(numbers.plural(pieces, "piece"), "text"), GAP, (f"{numbers.size(length)} of text", "muted")]
    if asks:
        what += [WIDE_GAP, ("the file is there already; ", "user"), (asks, "text bold"), (" asks", "user")]
    return tuple(what)


def giving_up() -> Row:
    """Say that it is about to end."""
    return (("giving up …", "muted"),)


def given_up() -> Row:
    """Say that nothing came of it."""
    return (("given up; nothing was written", "muted"),)


def moving_told(exported: Exported | None, total: int) -> Row:
    """Say how far an export is, `None` when it has just begun."""
    if exported is None:
        return (("writing …", "muted"),)
    done: Row = (("writing …  ", "muted"), (numbers.full(exported.pieces), "text"))
    return (*done, (f" of {numbers.plural(total, 'piece')}", "muted"), *_left_out(exported))


def done_told(exported: Exported, path: str, length: int, width: int) -> Sequence[Row]:
    """Say what was written, where, and what is not in it; three rows."""
    where = end_of(clean(path, newline=False), width)
    what = f"{numbers.plural(exported.pieces, 'piece')}  {numbers.size(length)}"
    cut = f"   {numbers.plural(exported.cut, 'text')} cut at their end" if exported.cut else ""
    secrets = clean(exported.redacted(), newline=False)
    return (
        ((where, "text bold"),),
        ((f"{what}{cut}", "soft"),),
        ((secrets, "stored" if exported.redactions is None else "soft"),),
    )


def _left_out(exported: Exported) -> Row:
    if not exported.redactions:
        return ()
    count = sum(exported.redactions.values())
    return (WIDE_GAP, (numbers.plural(count, "secret"), "text"), (" left out so far", "muted"))
