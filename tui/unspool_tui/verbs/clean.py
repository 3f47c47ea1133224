"""`unspool clean`: what of a home of recorded sessions was not used for long, and its removal when a person says so."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from unspool.text import elided
from unspool_tui.arguments import SHOWN, UsageError, age_of
from unspool_tui.command import Command
from unspool_tui.output import Output, counted, human_time
from unspool_tui.present import numbers
from unspool_tui.verbs import FOUND, WRONG

if TYPE_CHECKING:
    from unspool.retention import Applied, Item, RetentionPlan

NAMED_FAULTS: Final = 8
"""Reasons that are told line by line: who has more of them has one cause."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "--older-than",
        type=_age,
        required=True,
        metavar="AGE",
        help="what was not written to for so long: 12h, 30d, 6w",
    )
    parser.add_argument("--yes", action="store_true", help="do it; without, only the plan is shown")


def run(command: Command) -> int:
    """Show the plan, or carry it out."""
    from unspool.retention import apply_retention, plan_retention

    roots = command.arguments.root
    if len(roots) != 1:
        raise UsageError("name the one home to clean with --root HOME, such as --root ~/.mini-code")
    plan = plan_retention(os.path.expanduser(roots[0]), command.arguments.older_than)
    applied = apply_retention(plan) if command.arguments.yes else None
    if command.output.json:
        _print_objects(command, plan, applied)
    else:
        _print_rows(command.output, plan, applied)
    if applied is None:
        return WRONG if plan.held_back else FOUND
    return FOUND if applied.whole else WRONG


def _age(text: str) -> timedelta:
    age = age_of(text)
    if not age:
        raise argparse.ArgumentTypeError(f"{elided(text, SHOWN)!r} is no age above zero; write 12h, 30d or 6w")
    return age


def _print_objects(command: Command, plan: RetentionPlan, applied: Applied | None) -> None:
    """Print one object an item, and at the end what became of all of them."""
    going = [("goes", item, {}) for item in plan.going] if applied is None else list(_became(plan, applied))
    for action, item, more in going:
        command.output.object({"action": action, **item.to_json(plan.home), **more})
    for each in plan.staying:
        why = {"reason": each.reason, "detail": each.detail}
        command.output.object({"action": "stays", **each.item.to_json(plan.home), **why})
    told = {} if applied is None else applied.to_json()
    command.summary(
        len(going) + len(plan.staying), None, **plan.to_json(), applied=applied is not None, **_besides(told)
    )


def _besides(told: dict[str, Any]) -> dict[str, Any]:
    """Return what the application tells besides the plan, whose figures it does not repeat."""
    return {name: told[name] for name in ("trash", "gone", "left", "faults") if name in told}


def _became(plan: RetentionPlan, applied: Applied) -> Iterator[tuple[str, Item, dict[str, Any]]]:
    """Yield what became of each item that was to go."""
    for item in applied.gone:
        yield "gone", item, {}
    for left in applied.left:
        yield "left", left.item, {"reason": left.why, "failed": left.failed}
    if applied.held_back:
        yield from (("left", item, {"reason": "held back", "failed": False}) for item in plan.going)


def _print_rows(output: Output, plan: RetentionPlan, applied: Applied | None) -> None:
    """Print a row an item; those that are only too young are counted."""
    if applied is None:
        for item in plan.going:
            _print_row(output, "goes", item, plan.home, _what(item))
    else:
        for action, item, more in _became(plan, applied):
            _print_row(output, action, item, plan.home, more.get("reason") or _what(item))
    for each in plan.staying:
        if each.reason not in ("too young", "held back"):
            why = f"{each.reason}: {each.detail}" if each.detail else each.reason
            _print_row(output, "stays", each.item, plan.home, why)
    _tell(output, plan, applied)


def _print_row(output: Output, action: str, item: Item, home: str, why: str) -> None:
    path = os.path.relpath(item.path(home), home)
    size = numbers.size(item.bytes)
    output.row(f"{action:<6}{human_time(item.last_activity)}  {size:>8}  {path}  [{why}]")


def _what(item: Item) -> str:
    """Say what an item is that goes."""
    if item.begun is not None:
        return "saved outputs of a session that is in the trash"
    if item.kind == "session":
        saved = item.outputs.files if item.outputs is not None else 0
        return f"session, {counted(saved, 'saved output')}" if saved else "session"
    return "saved outputs of a first version" if item.kind == "run" else "saved outputs without a log"


def _tell(output: Output, plan: RetentionPlan, applied: Applied | None) -> None:
    """Say beside the rows what that comes to."""
    faults = list(plan.held_back) if applied is None else [*applied.held_back, *applied.faults]
    for fault in faults[:NAMED_FAULTS]:
        output.note(fault)
    if len(faults) > NAMED_FAULTS:
        output.note(f"{len(faults) - NAMED_FAULTS} more like these")
    if plan.held_back or (applied is not None and applied.held_back):
        output.note("nothing is removed")
        return
    for line in _sums(plan, applied):
        output.note(line)


def _sums(plan: RetentionPlan, applied: Applied | None) -> Iterator[str]:
    items = plan.going if applied is None else applied.gone
    size = numbers.size(sum(item.bytes for item in items))
    if applied is None and items:
        yield f"{_named(items)} ({size}) would go to the trash of {plan.home} for 7 days; --yes does it"
    elif items:
        yield f"{_named(items)} ({size}) went to the trash of {plan.home}, and can be had back for 7 days"
    else:
        yield "nothing to remove"
    emptied = plan.emptied if applied is None else applied.emptied
    if emptied:
        does = "would be emptied" if applied is None else "was emptied"
        yield f"of the trash what went {', '.join(batch[:8] for batch in emptied)} {does} for ever"
    reasons = Counter(each.reason for each in plan.staying)
    if reasons:
        why = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())
        yield f"{len(plan.staying):,} {'stays' if len(plan.staying) == 1 else 'stay'}: {why}"


def _named(items: tuple[Item, ...] | list[Item]) -> str:
    """Count sessions, and folders of saved outputs."""
    sessions = sum(item.kind == "session" for item in items)
    folders = len(items) - sessions
    parts = [counted(sessions, "session")] if sessions else []
    parts += [counted(folders, "folder of saved outputs", "folders of saved outputs")] if folders else []
    return " and ".join(parts)
