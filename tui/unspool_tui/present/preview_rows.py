"""What a session is about, before it is opened."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.pattern import pattern
from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, GAP, WIDE_GAP, Cell, Row, fit, joined, wrap
from unspool_tui.present.evidence_row import headline, tool_name
from unspool_tui.present.overview_rows import NOBODY, lay_out, thread_row
from unspool_tui.present.session_row import title_of

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool.views.evidence import Evidence
    from unspool.views.overview import Overview

TITLE_LINES: Final = 2
REF_SHOWN: Final = 16
"""Characters of a reference that are shown: an agent and the beginning of an id tell sessions apart."""

_DATE = pattern(r"-20\d{6}\Z")


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """What a full read tells: counts, the thread, the largest output and its call, models and tokens."""

    pieces: int
    errors: int
    stored: int
    unreadable: int
    overview: Overview
    worst: Evidence | None = None
    worst_call: Evidence | None = None
    models: tuple[str, ...] = ()
    tokens: int | None = None
    context: tuple[int, int] | None = None


def preview_rows(
    summary: SessionSummary, preview: Preview | None, width: int, height: int, *, now: int, zone: tzinfo | None,
    note: str = "", home: str | None = None, key: str = "y",
) -> tuple[Row, ...]:  # fmt: skip
    """Return the pane's rows; without a preview, what the list knows and a note why. `key` copies the reference."""
    head = [_row((line, "text bold")) for line in wrap(title_of(summary), width - 3, TITLE_LINES)]
    head += [_row(*row) for row in _facts(summary, preview, now, zone, home) if row]
    foot = _foot(summary, preview, width, key)
    room = height - len(head) - len(foot) - 2
    body = _thread(preview, width, room, zone) if preview else [_row((note, "faint"))]
    rows = [*head, (), *body]
    rows += [()] * (height - len(rows) - len(foot))
    return (*rows[: height - len(foot)], *foot)


def _facts(
    summary: SessionSummary, preview: Preview | None, now: int, zone: tzinfo | None, home: str | None
) -> list[Row]:
    models = preview.models if preview and preview.models else (summary.model,) if summary.model else ()
    names = [
        summary.agent,
        *(short_model(model) for model in models),
        home_short(summary.cwd, home),
        summary.branch or "",
    ]
    first = joined([((clean(name, newline=False), "muted"),) for name in names if name], GAP)
    turns = numbers.plural(preview.overview.turns, "turn") if preview else ""
    when = numbers.span(summary.started_at, summary.last_activity, now, zone)
    size = numbers.size(summary.bytes)
    second = joined([((said, "muted"),) for said in (when, turns, size) if said], GAP)
    return [first, second, *_tokens(preview), _states(summary, preview)]


def _tokens(preview: Preview | None) -> list[Row]:
    if preview is None or preview.tokens is None:
        return []
    row: list[Cell] = [(f"{numbers.count(preview.tokens)} tokens", "muted")]
    if preview.context:
        used, window = preview.context
        share = f" ({used * 100 // window} %)" if window else ""
        row += [GAP, (f"context {numbers.count(used)}{share}", "muted")]
    return [tuple(row)]


def _states(summary: SessionSummary, preview: Preview | None) -> Row:
    errors = preview.errors if preview else summary.errors
    stored = preview.stored if preview else summary.stored
    unreadable = preview.unreadable if preview else summary.unreadable
    groups: list[Row] = []
    groups += [((f"{marks.ERROR} {numbers.plural(errors, 'error')}", "error"),)] if errors else []
    groups += [((f"{marks.STORED} {stored} stored", "stored"),)] if stored else []
    children = len(summary.children)
    groups += [((f"{marks.CHILD} {numbers.plural(children, 'agent')}", "muted"),)] if children else []
    groups += [((f"{unreadable} unreadable", "muted"),)] if unreadable else []
    groups += [((f"{marks.WAITING} waits for you", "user"),)] if summary.waiting else []
    return joined(groups, WIDE_GAP)


def _thread(preview: Preview, width: int, room: int, zone: tzinfo | None) -> list[Row]:
    """Return as much of the thread as fits, ending between two items, and how much more there is."""
    thread = lay_out(preview.overview, width)
    lines = len(thread.owners)
    if lines == 0:
        return [_row(("nothing was said in it", "faint"))]
    if lines > room:
        room -= 2
        while room > 0 and not _ends_item(thread.owners[room - 1], thread.owners[room]):
            room -= 1
    shown = range(min(lines, max(room, 0)))
    rows: list[Row] = [thread_row(thread, line, width, bar=BLANK, here=False, zone=zone) for line in shown]
    if lines > len(shown):
        last = next((thread.knots[owner] for owner in reversed(thread.owners[: len(shown)]) if owner != NOBODY), None)
        left = thread.turns - (last.item.turn if last else 0)
        said = f" {numbers.plural(left, 'more turn')}" if left > 0 else " and more"
        rows += [(), (BLANK, BLANK, (marks.GAP, "thread"), (said, "faint"))]
    return rows


def _ends_item(owner: int, following: int) -> bool:
    return owner not in (NOBODY, following)


def _foot(summary: SessionSummary, preview: Preview | None, width: int, key: str) -> list[Row]:
    rows: list[Row] = [()]
    worst = preview.worst if preview else None
    if worst is not None and worst.bytes >= numbers.SIZE_SHOWN_FROM:
        mark = f"{marks.STORED} " if worst.model_bytes is not None else ""
        ink = "stored" if mark or worst.bytes >= numbers.SIZE_STRIKING_FROM else "muted"
        call = preview.worst_call if preview else None
        said = headline(call or worst)
        row = _row(
            ("largest output  ", "faint"), (f"{mark}{numbers.size(worst.bytes)}", ink), GAP,
            (tool_name(worst.tool), "muted"), GAP, (said, "muted"),
        )  # fmt: skip
        rows.append(fit(row, width - 1))
    ref = clean(str(summary.ref.session), newline=False)
    shown = ref if len(ref) <= REF_SHOWN else f"{ref[:REF_SHOWN]}…"
    rows.append(fit(_row((shown, "faint"), WIDE_GAP, (f"{key} copies it", "faint")), width - 1))
    return rows


def short_model(model: str) -> str:
    """Return a model's name without its maker and its date: `opus-4-5`."""
    return _DATE.sub("", model.removeprefix("claude-"))


def home_short(path: str | None, home: str | None = None) -> str:
    """Return a path as a person writes it: `~/src/api`; only its last three names when it is long."""
    if not path:
        return ""
    written = "~" + path[len(home) :] if home and (path == home or path.startswith(home + "/")) else path
    names = written.split("/")
    return written if len(names) <= 4 else "…/" + "/".join(names[-2:])


def _row(*cells: Cell) -> Row:
    return (BLANK, BLANK, *cells)
