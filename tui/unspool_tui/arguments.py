"""Arguments that several verbs share, and the parser that answers a wrong one with a single line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NoReturn

from unspool.pattern import pattern
from unspool.text import elided
from unspool_tui.output import Output
from unspool_tui.present.since import age_of as age_of

if TYPE_CHECKING:
    from unspool.views.bounds import Bounds
    from unspool.views.filter import Filter
    from unspool_tui.settings.limits import Limits

TARGET_HELP = (
    "a path, AGENT:ID or the beginning of one, '.' (newest of this folder's project), 'last' (newest of all), "
    "'-' (standard input)"
)
WINDOW_BYTES: Final = 4 << 20
WINDOW_ITEMS: Final = 10_000
"""What of an unbounded answer is held at a time."""

PIECE_HELP = f"{TARGET_HELP}; with /ID for one piece, as in claude:7c41e0d2/E12.1"


MOST: Final = 1 << 48
"""The largest bound, in whatever unit: no session comes near it, and a machine word still counts four times as much."""
DIGITS: Final = len(str(MOST)) + 1
"""Digits of a number that are looked at: with more of them it is above `MOST` anyway."""
SHOWN: Final = 60
"""Characters of a wrong value that its line repeats."""

LOOKS: Final = ("--theme", "--ascii")
"""Options that say how the app looks."""

NAMED: Final = 12
"""Names that a line lists: enough to recognise the one that was meant."""

_DIGITS = pattern(r"[0-9]+\Z")
_NUMBER = pattern(r"-(?:[0-9.]*\Z|/)")
"""A lone dash, a piece of what it names, or what is more likely looked for than an option."""


class UsageError(Exception):
    """The arguments are wrong; the message is one line with the way out."""


class Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError` instead of printing its whole usage."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog=prog, description=description, allow_abbrev=False)

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse options and words in any order; behind `--` all are words. Every option takes one value or none."""
        options: list[str] = []
        words: list[str] = []
        left = iter(argv)
        for argument in left:
            if argument == "--":
                words += left
            elif self._is_word(argument):
                words.append(argument)
            else:
                options.append(argument)
                action = self._option_string_actions.get(argument)
                options += islice(left, 0 if action is None or action.nargs == 0 else 1)
        parsed = self.parse_args([*options, "--", *words] if words else options)
        for action in self._actions:
            if action.option_strings and _says_nothing(getattr(parsed, action.dest, None), action.default):
                self.error(f"argument {action.option_strings[-1]}: nothing is given")
        return parsed

    def _is_word(self, argument: str) -> bool:
        if argument.partition("=")[0] in self._option_string_actions:
            return False
        return not argument.startswith("-") or " " in argument or bool(_NUMBER.match(argument))

    def print_help(self, file: Any = None) -> None:
        """Print the help like every other answer: what cannot be written is told."""
        Output(json=False).text(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Raise the message as one line."""
        kind, colon, given = message.partition("unrecognized arguments: ")
        if colon:  # one `--` among them is that of `parse`
            message = kind + colon + f" {given} ".replace(" -- ", " ", 1).strip()
        if (look := next((each for each in LOOKS if f": {each}" in message), None)) is not None:
            raise UsageError(f"{look} says how the app looks, and `{self.prog}` answers without it; leave it out")
        near = self._near(message)
        raise UsageError(f"{message}{near}; `{self.prog} --help` shows what it takes")

    def _near(self, message: str) -> str:
        """Return a suggestion for the first unknown option, or nothing."""
        if not message.startswith("unrecognized arguments: -"):
            return ""
        import difflib

        unknown = message.partition(": ")[2].split()[0].partition("=")[0]
        near = difflib.get_close_matches(unknown, list(self._option_string_actions), 1)
        return f"; did you mean {near[0]}?" if near else "; a text that begins with - goes behind --"


def _says_nothing(value: Any, default: Any) -> bool:
    """Say whether an option was given an empty value, or `--`, which argparse takes for none at all."""
    given = value if isinstance(value, list) else [value]
    return "" in given or [] in given or (value == [] and default != [])


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add what every verb takes."""
    parser.add_argument(
        "--root",
        action="append",
        default=[],
        metavar="DIR",
        help="look here instead of in the agents' own folders (repeatable): an agent's home, a HOME, a project, a file",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line, in ASCII")


def add_looks(parser: argparse.ArgumentParser) -> None:
    """Add how the app looks this time, whatever is set."""
    group = parser.add_argument_group("how it looks")
    group.add_argument("--theme", choices=("auto", "dark", "light"), help="dark or light; auto asks the terminal")
    group.add_argument("--ascii", action="store_true", help="draw with ASCII only")


def add_filter(parser: argparse.ArgumentParser) -> None:
    """Add the words that choose pieces."""
    group = parser.add_argument_group("which pieces")
    group.add_argument("--kind", action="append", default=[], metavar="KIND", help="user, assistant, system or tool")
    group.add_argument("--part", metavar="input|output", help="only calls, or only their results")
    group.add_argument("--tool", action="append", default=[], metavar="NAME", help="only this tool (repeatable)")
    group.add_argument("--errors", action="store_true", help="only what failed")
    group.add_argument("--in", dest="within", metavar="E1-E9", help="only these entries")
    group.add_argument("--path", metavar="TEXT", help="only calls that name a file whose path holds TEXT")
    group.add_argument(
        "--stored",
        action="store_true",
        help="only outputs of which the model saw less, the rest saved beside the session or cut by the agent",
    )


def add_bounds(parser: argparse.ArgumentParser, *, items: bool = True) -> None:
    """Add the bounds on an answer; what can be given whole has `items` and takes `--all`."""
    group = parser.add_argument_group("how much")
    if items:
        group.add_argument("--all", action="store_true", help="everything, without bounds")
        group.add_argument("--max-items", type=positive, metavar="N", help="at most N pieces (40)")
    group.add_argument(
        "--max-bytes", type=positive, metavar="N", help="at most N bytes of text (32,768, or what N tokens take)"
    )
    group.add_argument(
        "--max-tokens", type=positive, metavar="N", help="at most about N tokens of text (8,192, or what N bytes make)"
    )


def positive(text: str) -> int:
    """Parse a number of at least 1; one above `MOST` is `MOST`."""
    if not _DIGITS.match(text) or not text.strip("0"):
        raise argparse.ArgumentTypeError(f"{elided(text, SHOWN)!r} is not a number of at least 1")
    return min(int(text.lstrip("0")[:DIGITS]), MOST)


def at_most(most: int, advice: str) -> Callable[[str], int]:
    """Return what parses a number of at least 1 that may not be above `most`; `advice` is told where it is."""

    def parse(text: str) -> int:
        number = positive(text)
        if number > most:
            raise argparse.ArgumentTypeError(f"{elided(text, SHOWN)} is too much: {advice}")
        return number

    return parse


def nearest(word: str, there: Sequence[str]) -> str:
    """Say which names there are, those first that are like a wrong one."""
    import difflib

    if not there:
        return "there are none"
    plain = {name.casefold(): name for name in there}
    close = [plain[each] for each in difflib.get_close_matches(word.casefold(), list(plain), 3, 0.5)]
    close += [name for name in there if word.casefold() in name.casefold() and name not in close]
    if close:
        return f"did you mean {' or '.join(close[:3])}?"
    more = f" and {len(there) - NAMED:,} more" if len(there) > NAMED else ""
    return f"there are {', '.join(there[:NAMED])}{more}"


def filter_of(arguments: argparse.Namespace, **more: Any) -> Filter:
    """Return the filter that the arguments describe."""
    from unspool.ids import EntryRange
    from unspool.views.filter import Filter, parse_kind, parse_part

    return Filter(
        kinds=frozenset(parse_kind(word) for word in _words(arguments.kind)),
        tool_part=parse_part(arguments.part) if arguments.part else None,
        tools=frozenset(_words(arguments.tool)),
        errors=arguments.errors,
        stored=arguments.stored,
        within=EntryRange.parse(arguments.within) if arguments.within else None,
        path=arguments.path,
        **more,
    )


def bounds_of(arguments: argparse.Namespace, limits: Limits) -> Bounds:
    """Return the bounds that the arguments set, else the usual ones.

    A size that is given in bytes or tokens lifts the usual one of the other so far that it never binds: every piece
    takes whole tokens, many short ones together more than their bytes. For `--all` the bounds are those of one window
    of many.
    """
    from unspool.views.bounds import BYTES_PER_TOKEN, Bounds

    items, size, tokens = (getattr(arguments, f"max_{name}", None) for name in ("items", "bytes", "tokens"))
    if getattr(arguments, "all", False):
        if items or size or tokens:
            raise UsageError("--all has no bounds; leave out either it or the others")
        return Bounds(WINDOW_ITEMS, WINDOW_BYTES, WINDOW_BYTES)
    return Bounds(
        items or limits.read_items,
        size or max(limits.read_bytes, (tokens or 0) * BYTES_PER_TOKEN + 1),
        tokens or max(limits.read_tokens, size or 0),
    )


def _words(values: list[str]) -> list[str]:
    """Split repeated and comma-separated values; raises `UsageError` for commas alone."""
    words = [word for value in values for word in value.split(",") if word]
    if values and not words:
        raise UsageError(f"{values[-1]!r} names nothing")
    return words
