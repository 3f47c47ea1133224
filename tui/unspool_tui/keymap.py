"""Every key of the app: what it does, under which id it can be remapped, and where help and key bar name it.

The tables need no Textual: the command checks a keymap by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool_tui.present.key_names import named

if TYPE_CHECKING:
    from textual.binding import BindingsMap, BindingType


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its keys, the action they run, its words on the key bar, and what it does in a sentence."""

    keys: str
    action: str
    words: str
    does: str


_FACETS: Final = (
    ("user", "what people said"), ("assistant", "what the model said"), ("system", "what the harness said"),
    ("in", "calls of tools"), ("out", "outputs of tools"), ("errors", "errors"),
    ("stored", "outputs that the model saw less of"),
)  # fmt: skip
"""Words of the facets, in the order of their keys, and what each chooses."""

COMMANDS: Final[Mapping[str, Command]] = {
    "move.down": Command("j,down", "move(1)", "down", "Go to the next row"),
    "move.up": Command("k,up", "move(-1)", "up", "Go to the previous row"),
    "move.page_down": Command("space,pagedown,ctrl+f", "page(1)", "more", "Go on by a screenful"),
    "move.page_up": Command("b,pageup,ctrl+b", "page(-1)", "back up", "Go back by a screenful"),
    "move.half_down": Command("d,ctrl+d", "half(1)", "half down", "Go on by half a screenful"),
    "move.half_up": Command("u,ctrl+u", "half(-1)", "half up", "Go back by half a screenful"),
    "move.top": Command("g,home", "top", "top", "Go to the top"),
    "move.end": Command("G,end", "end", "end", "Go to the end"),
    "move.left": Command("left", "aside(-1)", "left", "Move to the left where lines are cut"),
    "move.right": Command("right", "aside(1)", "right", "Move to the right where lines are cut"),
    "turn.next": Command("]", "turn(1)", "turn on", "Go to the next prompt"),
    "turn.previous": Command("[", "turn(-1)", "turn back", "Go to the previous prompt"),
    "part.next": Command("}", "part(1)", "part on", "Go to the next part of a session that is made of several"),
    "part.previous": Command("{", "part(-1)", "part back", "Go to the part of the session before this one"),
    "list.open": Command("enter", "open", "open", "Open or read what the cursor is on"),
    "app.back": Command("escape", "back", "back", "Go back, or clear the filter"),
    "app.leave": Command("q", "leave", "back", "Leave this screen; at the sessions, quit"),
    "pane.next": Command("tab", "pane(1)", "pane", "Go to the next pane"),
    "pane.previous": Command("shift+tab", "pane(-1)", "pane back", "Go to the previous pane"),
    "pane.zoom": Command("z", "zoom", "zoom", "Give the whole screen to this pane, or take it back"),
    "filter.edit": Command("/", "find", "filter", "Filter or search in this pane"),
    "filter.done": Command("enter", "done", "done", "Keep the filter and go to the list"),
    "filter.complete": Command("tab", "complete", "complete", "Complete the word"),
    "filter.down": Command("down", "done", "list", "Keep the filter and go to the list"),
    "match.next": Command("n", "match(1)", "next match", "Go to the next match"),
    "match.previous": Command("N", "match(-1)", "previous", "Go to the previous match"),
    "search.case": Command("c", "case", "case", "Search with smart, exact or ignored case"),
    "error.next": Command("e", "error(1)", "next error", "Go to the next error"),
    "error.previous": Command("E", "error(-1)", "previous error", "Go to the previous error"),
    **{
        f"facet.{key}": Command(str(key), f"facet({key})", word, f"Only {those}, or everything again")
        for key, (word, those) in enumerate(_FACETS, 1)
    },
    "facet.0": Command("0", "facet(0)", "all", "Every kind again"),
    "show.reasoning": Command("t", "reasoning", "reasoning", "Show or hide reasoning"),
    "show.hidden": Command("H", "hidden", "hidden kinds", "Show or hide twins, copies and abandoned branches"),
    "show.unreadable": Command("U", "unreadable", "unreadable", "List the lines that could not be read"),
    "show.ledger": Command("L", "ledger", "ledger", "Weigh the outputs: what they made, what the model saw of it"),
    "show.paths": Command("P", "paths", "paths", "Choose a path, and see all that touches it"),
    "ledger.size": Command("1", "order(0)", "by size", "List the outputs, the largest first"),
    "ledger.tool": Command("2", "order(1)", "by tool", "List the tools, the heaviest first"),
    "ledger.file": Command("3", "order(2)", "by file", "List the files that outputs are about, the heaviest first"),
    "view.refresh": Command("R,f5", "refresh", "refresh", "Read what was appended since"),
    "view.follow": Command("F", "follow", "follow", "Follow what is written, or stay here"),
    "view.goto": Command(":", "goto", "go to", "Go to an id, a line or a time"),
    "piece.peer": Command("p", "peer", "call ↔ result", "Go from a call to its result, or back"),
    "reader.model": Command("m", "model", "model view", "Show what the model saw, or everything"),
    "reader.raw": Command("r", "raw", "raw", "Show the record as it is stored"),
    "reader.markdown": Command("M", "markdown", "markdown", "Show a text as it was written, or its Markdown rendered"),
    "reader.wrap": Command("w", "wrap", "wrap", "Wrap long lines, or cut them"),
    "reader.find": Command("/", "find", "search", "Search in this piece"),
    "copy.reference": Command("y", "take_reference", "copy ref", "Copy a reference that can be cited"),
    "copy.text": Command("Y", "take_text", "copy text", "Copy the text, cleaned; once more as it is"),
    "copy.resume": Command("C", "take_resume", "resume", "Copy the agent's command that goes on with this session"),
    "pager.open": Command("v", "page_out", "pager", "Open the piece in your pager or editor"),
    "export.open": Command("x", "export", "export", "Write pieces into a file that can be shared"),
    "form.next": Command("down", "form(1)", "row", "Go to the next row of the form"),
    "form.previous": Command("up", "form(-1)", "row back", "Go to the previous row of the form"),
    "form.done": Command("enter", "form(0)", "done", "Do what the form says"),
    "option.next": Command("right,l,space", "option(1)", "choose", "Choose the next option"),
    "option.previous": Command("left,h", "option(-1)", "choose back", "Choose the previous option"),
    "sessions.search": Command("s", "app.search_all", "search all", "Search all sessions"),
    "sessions.live": Command("f", "live", "live only", "Only sessions that still grow"),
    "sessions.open": Command("o", "open_path", "open a path", "Open a file or a folder"),
    "sessions.demo": Command("d", "demo", "demo", "Watch a scripted agent at work"),
    "sessions.again": Command("r", "again", "look again", "Look again for sessions"),
    "app.help": Command("?", "help", "help", "Show all keys and marks"),
    "app.palette": Command("ctrl+p", "palette", "commands", "Find a command or a session by its name"),
    "app.stop": Command("ctrl+c", "copy_or_quit", "quit", "Copy the selection, or quit"),
    "app.suspend": Command("ctrl+z", "suspend_process", "to the shell", "Go to the shell; its `fg` comes back"),
    "app.theme": Command("ctrl+t", "turn_theme", "light or dark", "Change between the dark and the light theme"),
    "palette.down": Command("down,ctrl+n", "offer(1)", "down", "Go to the next of the list"),
    "palette.up": Command("up", "offer(-1)", "up", "Go to the previous one of the list"),
    "palette.page_down": Command("pagedown", "offers(1)", "more", "Go on by a screenful of the list"),
    "palette.page_up": Command("pageup", "offers(-1)", "back up", "Go back by a screenful of the list"),
    "ask.yes": Command("enter", "yes", "yes", "Answer yes"),
    "card.close": Command("escape,q,question_mark", "close", "closes", "Close this card"),
}

HELP: Final[Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]] = {
    "Move": (
        (("move.down", "move.up"), "by row"),
        (("move.page_down", "move.page_up"), "by page"),
        (("move.half_down", "move.half_up"), "by half page"),
        (("move.top", "move.end"), "top, end"),
        (("move.left", "move.right"), "aside"),
        (("turn.previous", "turn.next"), "turn back, on"),
        (("part.previous", "part.next"), "part back, on"),
        (("list.open", "app.back"), "in, back out"),
        (("pane.next", "pane.previous"), "pane on, back"),
        (("pane.zoom",), "zoom pane"),
        (("app.leave", "app.stop"), "leave, quit"),
        (("app.suspend",), "to the shell"),
        (("show.ledger", "show.paths"), "ledger, paths"),
    ),
    "Find": (
        (("filter.edit", "reader.find"), "filter, find"),
        (("filter.done", "filter.complete", "filter.down"), "keep, complete"),
        (("match.next", "match.previous"), "match on, back"),
        (("error.next", "error.previous"), "error on, back"),
        (tuple(f"facet.{key}" for key in range(8)), "facets, 0 all"),
        (("ledger.size", "ledger.tool", "ledger.file"), "order"),
        (("view.goto",), "go to id, line"),
        (("search.case",), "case of search"),
        (("sessions.search",), "all sessions"),
        (("sessions.live",), "live ones only"),
    ),
    "Read": (
        (("piece.peer",), "call ↔ result"),
        (("reader.model",), "model view"),
        (("reader.raw", "reader.markdown"), "raw, written"),
        (("reader.wrap",), "wrap"),
        (("show.reasoning",), "show reasoning"),
        (("show.hidden",), "other hidden"),
        (("show.unreadable",), "unreadable"),
        (("view.follow", "view.refresh"), "follow, look"),
    ),
    "Take away": (
        (("copy.reference", "copy.text"), "copy ref, text"),
        (("copy.resume",), "copy resume"),
        (("export.open", "pager.open"), "export, pager"),
        (("sessions.open", "sessions.again"), "path, again"),
        (("sessions.demo",), "demo"),
        (("app.theme",), "light or dark"),
    ),
}
"""The rows of help: which commands stand on one line, and what they do in a few words."""

FIRST: Final = frozenset({"app.stop", "app.suspend"})
"""Commands that no widget may take: whatever has the focus, these keys lead out."""

EVERYWHERE: Final = frozenset({"sessions", "lists", "reader", "ledger", "typing", "card"})
_PLACES: Final[Mapping[str, frozenset[str]]] = {
    "app": EVERYWHERE,
    "sessions": frozenset({"sessions"}),
    "sessions.search": frozenset({"sessions", "lists", "reader"}),
    "reader": frozenset({"reader"}),
    "ledger": frozenset({"ledger"}),
    "filter.done": frozenset({"typing"}),
    "filter.complete": frozenset({"typing"}),
    "filter.down": frozenset({"typing"}),
    "palette": frozenset({"typing"}),
    **dict.fromkeys(("ask", "card", "form.done", "option"), frozenset({"card"})),
    "form": frozenset({"card", "typing"}),
    **dict.fromkeys(
        ("turn", "part", "match", "error", "facet", "show", "view", "piece", "pager"),
        frozenset({"lists", "reader"}),
    ),
    "export": frozenset({"sessions", "lists", "reader", "ledger"}),
}
"""Where commands work that do not work in every pane, by id or its first word."""

UNLISTED: Final = frozenset(
    name
    for name in COMMANDS
    if name.startswith(("ask.", "card.", "form.", "option.", "palette.")) or name in ("app.help", "app.palette")
)
"""Commands that help does not list: a card says itself what its keys do, the key bar how help opens."""

BARS: Final[Mapping[str, tuple[str | tuple[str, str], ...]]] = {
    "sessions": ("list.open", "filter.edit", "sessions.search", "sessions.live", "copy.reference", "sessions.open",
                 "export.open", "app.leave"),
    "empty": ("sessions.demo", "sessions.open", "sessions.again", "app.leave"),
    "filter": ("filter.done", "app.back", "filter.complete"),
    "overview": ("list.open", "turn.next", "filter.edit", "error.next", "part.previous", "copy.reference", "pane.next",
                 "pane.zoom", "app.leave"),
    "evidence": ("list.open", "filter.edit", "error.next", "part.previous", "facet.1", "copy.reference", "move.down",
                 "piece.peer", "pane.next", "pane.zoom", "show.ledger", "show.paths", "export.open", "show.reasoning",
                 "view.goto", "app.leave"),
    "matches": ("match.next", "list.open", ("app.back", "clear"), "facet.1", "search.case",
                "copy.reference", "pane.next", "piece.peer", "pane.zoom"),
    "reader": ("move.page_down", "piece.peer", ("reader.model", "model"), "reader.find", "app.back", "copy.reference",
               "copy.text", "reader.markdown", "reader.raw", "reader.wrap", "pager.open", "export.open", "error.next",
               "pane.next", "pane.zoom"),
    "found": ("match.next", "move.page_down", "reader.find", "app.back", "search.case", "copy.reference", "piece.peer",
              "reader.model", "copy.text", "reader.markdown", "reader.wrap", "pane.next", "pane.zoom"),
    "sought": ("match.next", "move.page_down", "reader.find", ("app.back", "clear"), "search.case", "copy.reference",
               "piece.peer", "reader.model", "copy.text", "reader.markdown", "reader.wrap", "pane.next", "pane.zoom"),
    "find": (("filter.done", "search"), ("app.back", "give up")),
    "ledger": ("list.open", "ledger.size", "filter.edit", "copy.reference", "export.open", ("app.back", "back")),
    "paths": (("list.open", "all that touches it"), "filter.edit", "copy.reference", "export.open",
              ("app.back", "back")),
    "hits": ("list.open", "app.back", "copy.reference"),
}  # fmt: skip
"""The commands of each pane's key bar, in order of use; what is not bound there is left out.

A pair gives a command other words than its binding has.
"""

PAIRS: Final[Mapping[str, tuple[str, str]]] = {
    "move.down": ("move.up", "move"),
    "error.next": ("error.previous", "error"),
    "match.next": ("match.previous", "match"),
    "part.previous": ("part.next", "part"),
}
"""Commands that stand on the key bar together with the one that leads the other way, and the words for both."""


def bindings(*wanted: str | tuple[str, str]) -> list[BindingType]:
    """Make the bindings of these commands; a pair gives a command other words for the key bar."""
    from textual.binding import Binding

    made: list[BindingType] = []
    for each in wanted:
        name, words = each if isinstance(each, tuple) else (each, "")
        command = COMMANDS[name]
        made.append(
            Binding(
                command.keys,
                command.action,
                words or command.words,
                id=name,
                tooltip=command.does,
                priority=name in FIRST,
            )
        )
    return made


def places(name: str) -> frozenset[str]:
    """Return where a command works: two that share a place cannot share a key."""
    return _PLACES.get(name) or _PLACES.get(name.partition(".")[0]) or EVERYWHERE - {"typing", "card"}


def keys_of(maps: Iterable[BindingsMap]) -> dict[str, tuple[str, ...]]:
    """Return the usual keys of each command id that is bound."""
    found: dict[str, list[str]] = {}
    for each in maps:
        for key, bound in each.key_to_bindings.items():
            for binding in bound:
                if binding.id and key not in found.setdefault(binding.id, []):
                    found[binding.id].append(key)
    return {name: tuple(sorted(keys, key=lambda key: rank_of(name, key))) for name, keys in found.items()}


def rank_of(name: str, key: str) -> int:
    """Return where a key stands among a command's own keys; a remapped one stands first."""
    own = [named(each) for each in COMMANDS[name].keys.split(",")] if name in COMMANDS else []
    return own.index(key) if key in own else -1
