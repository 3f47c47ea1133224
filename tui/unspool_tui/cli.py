"""The `unspool` command: finds the verb, runs it, and turns every fault into one line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from unspool_tui.streams import settle
from unspool_tui.verbs import FOUND, INTERRUPTED, VERBS, WRONG, load

if TYPE_CHECKING:
    from types import TracebackType

    from unspool_tui.output import Output

DEBUG = "UNSPOOL_DEBUG"
"""Set to see the traceback of an unexpected error, which may quote session text."""

LONGEST: Final = 1_000
"""Characters of the line that tells a fault: some screens' rows, however long a wrong argument was."""

HELP: Final = """\
unspool: the reading room for coding-agent sessions

  unspool             the app, on every session it finds
  unspool TARGET      the app, on one session

{verbs}

A target is a file, a folder, AGENT:ID or its beginning (claude:7c41e0d2),
`.` (the newest session of this folder's project), `last` (the newest of all) or
`-` (what streams in on standard input).
Behind a session, /E12.1 is one piece, /E12 one record, /E1-E9 a range.

  unspool sessions --since 7d           what was worked on this week
  unspool overview .                    what was said here last
  unspool search "connection refused"   in every session
  unspool evidence last --errors        the tool outputs that failed
  unspool read last/E40                 one record, as text
  unspool inspect last/E40.0 tail:20    the end of an output of any size

  --root DIR   look here instead of in the agents' own folders (repeatable)
  --json       one JSON object a line, with every verb that answers
  --help       what a verb takes, as `unspool help VERB`
  --version    the version

Exit codes: 0 found, 1 nothing matched, 2 wrong usage or an unreadable target,
130 interrupted."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, without `argv` that of this process; return its exit code."""
    settle()
    if argv is not None:
        return _exit_code(list(argv))
    from unspool_tui.bundle import bundled

    with bundled():
        return _exit_code(sys.argv[1:])


def _exit_code(argv: list[str]) -> int:
    """Run the command, and tell what went wrong."""
    try:
        try:
            return run(argv)
        finally:
            _output().flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return FOUND
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else WRONG
    except Exception as error:  # the outermost frame: whatever went wrong is told in one line
        if _is_foreseen(error):
            return _report(str(error))
        if os.environ.get(DEBUG):
            sys.excepthook = _show
            raise
        return _report(_unforeseen(error))


def run(argv: list[str]) -> int:
    """Run one verb; raises what went wrong."""
    verb, rest = _verb(argv)
    if verb is None:
        return _about(rest)
    if verb == "open" and len(rest) < 2 and all(word and not word.startswith("-") for word in rest):
        from unspool_tui.verbs import opening

        return opening.at_once(*rest or (None,))
    from unspool_tui.arguments import Parser, add_common
    from unspool_tui.command import Command
    from unspool_tui.output import Output

    module = load(verb)
    parser = Parser(f"unspool {verb}", _sentence(VERBS[verb][1]))
    module.configure(parser)
    add_common(parser)
    arguments = parser.parse(rest)
    return module.run(Command(arguments, Output(json=arguments.json)))


def _verb(argv: list[str]) -> tuple[str | None, list[str]]:
    """Return the verb and its arguments. A first word that is no verb is a target to open, unless it is a slip."""
    at = 0
    while at < len(argv) and argv[at].startswith("-") and argv[at][1:2] not in ("", "/"):
        if argv[at] in ("-h", "--help", "--version"):
            return None, argv[at:]
        at += 2 if argv[at] in ("--root", "--theme") else 1
    if at >= len(argv):
        return "open", argv
    word = argv[at]
    if word in VERBS:
        return word, argv[:at] + argv[at + 1 :]
    if word == "help":
        return _help(argv[at + 1 :])
    _catch_slip(word)
    return "open", argv


def _help(words: list[str]) -> tuple[str | None, list[str]]:
    """Return what shows the help of a verb, or of the whole command."""
    if not words or words[0].startswith("-"):
        return None, []
    if words[0] in VERBS:
        return words[0], ["--help"]
    _catch_slip(words[0])
    from unspool_tui.arguments import UsageError

    raise UsageError(f"no verb {words[0]!r}; `unspool --help` lists them")


def _catch_slip(word: str) -> None:
    """Raise `UsageError` for a word that looks like a mistyped verb and not like a target."""
    if os.path.lexists(word) or any(sign in word for sign in ":/."):
        return
    import difflib

    near = difflib.get_close_matches(word.lower(), [*VERBS, "help"], 1, 0.7)
    if near:
        from unspool_tui.arguments import UsageError

        meant = "unspool --help" if near[0] == "help" else f"unspool {near[0]}"
        raise UsageError(f"no verb {word!r}; did you mean `{meant}`?")


def _about(argv: list[str]) -> int:
    """Print the version, or the help of the whole command."""
    if argv and argv[0] == "--version":
        from unspool import __version__

        _output().text(f"unspool {__version__}")
        return FOUND
    width = max(map(len, VERBS)) + 2
    verbs = "\n".join(f"  unspool {name:<{width}}{does}" for name, (_, does) in VERBS.items())
    _output().text(HELP.format(verbs=verbs))
    return FOUND


def _report(message: str) -> int:
    """Tell a fault in one line; of what it quotes at great length its beginning and its end."""
    if len(message) > LONGEST:
        message = f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 :]}"
    _output().note(f"unspool: {message}")
    return WRONG


def _is_foreseen(error: Exception) -> bool:
    """Say whether an error tells a person what to do."""
    from unspool.errors import UnspoolError
    from unspool_tui.arguments import UsageError

    return isinstance(error, UsageError | UnspoolError)


def _unforeseen(error: Exception) -> str:
    """Say what went wrong: a fault of the system in its own words, any other by the place where it was raised."""
    if isinstance(error, OSError):
        return f"{error.filename or 'the system says'}: {error.strerror or type(error).__name__}"
    return f"unexpected {type(error).__name__} at {_where(error)}; {DEBUG}=1 shows more"


def _where(error: BaseException) -> str:
    """Return file and line where an error was raised; its message may hold session text and is not told."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "an unknown place"
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print a traceback; what it quotes does nothing to a terminal."""
    import traceback

    from unspool.text import clean

    sys.stderr.write(clean("".join(traceback.format_exception(kind, error, trace))))


def _output() -> Output:
    from unspool_tui.output import Output

    return Output(json=False)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
