"""What is imported before the first frame: each module more is time in which nothing is on the screen."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.tui.terminal import Terminal

STANDARD = frozenset({
    "array", "atexit", "bisect", "collections", "contextlib", "copyreg", "enum", "errno", "functools", "gc",
    "importlib", "itertools", "keyword", "marshal", "operator", "re", "reprlib", "signal", "termios", "types", "typing",
    "warnings",
})  # fmt: skip
"""What of the standard library may be needed to show the beginning of a file, beside what Python starts with."""

BEFORE = {
    "": ("the packages", "unspool unspool_tui"),
    "unspool": (
        "what all others are made of, and their packages",
        "blake2b by_agent columns dataclass errors formats ids named_tuple outputs pattern sources stores text views",
    ),
    "unspool.sources": (
        "lines of the file and the records in them; what is no plain record waits",
        "bad_json beginning binary codec identity json_text json_value jsonl lines record regular_file zstd",
    ),
    "unspool.formats": (
        "whose records they are, and what those of Claude Code mean, one by one and together",
        "base base64 claude_blocks claude_bookkeeping claude_branches claude_code claude_copies claude_fold "
        "claude_message claude_notice claude_plain claude_queue claude_step claude_stream claude_tools "
        "claude_usage claude_voice claude_waiting decoded facts fields fingerprint headline key lookalikes "
        "minicode_sign parts piece row waiting",
    ),
    "unspool.stores": (
        "the session that a path names, and where its outputs lie",
        "artifacts base claude_code homes listing",
    ),
    "unspool.outputs": ("what an output says that is saved elsewhere", "marker"),
    "unspool.columns": (
        "pieces as rows, calls beside their results, and where each text is",
        "base64_lines build chain measured pairing piece_text records rows segments side_files source stored_blob "
        "table verbatim",
    ),
    "unspool.views": (
        "the view, the rows that it chooses, what each of them says, and the thread",
        "bounds evidence filter glimpse index label masks material members opened overview rows selection snapshot "
        "taken target telling thread view",
    ),
    "unspool_tui": (
        "the command as far as a session is opened, and the terminal",
        "bundle cli first held present settings streams verbs",
    ),
    "unspool_tui.verbs": ("the verb", "opening"),
    "unspool_tui.settings": ("how it is drawn where nobody has set anything", "looks memory place"),
    "unspool_tui.first": ("the frame", "browse_rows frame paint"),
    "unspool_tui.present": (
        "its rows: two bars, facets, the list and the thread",
        "bars cells choosing evidence_row facets few_words folding listing markdown_words marks numbers overview_rows "
        "paths titles tokens width",
    ),
}
"""Our own modules that a session of Claude Code needs before it is shown, and for what: each takes a quarter of a
millisecond, and a hello in Python takes no more than seventy of them."""

OPENED = (
    "textual.widgets._markdown", "textual.widgets._text_area", "unspool.export", "unspool.search",
    "unspool.views.ledger", "unspool.views.stats", "unspool_tui.commands", "unspool_tui.demo",
    "unspool_tui.outbox.exports", "unspool_tui.pager", "unspool_tui.present.body", "unspool_tui.present.diff",
    "unspool_tui.present.opening", "unspool_tui.screens.export_dialog", "unspool_tui.screens.help",
    "unspool_tui.screens.ledger", "unspool_tui.screens.palette", "unspool_tui.screens.paths",
    "unspool_tui.screens.search", "unspool_tui.screens.sessions", "unspool_tui.screens.unreadable",
    "watchfiles",
)  # fmt: skip
"""What the screen of a session needs when something is opened over it, or asked of it."""

UNOPENED = (
    "unspool.columns", "unspool.library.finding", "unspool.library.reader", "unspool.search",
    "unspool.stores.discovery", "unspool.views.view",
)  # fmt: skip
"""What opens a session: the list needs none of it for those that it has looked at before."""

HEAVY = frozenset({"argparse", "asyncio", "dataclasses", "inspect", "orjson", "rich", "textual", "uuid"})
"""What takes milliseconds each, and the list of sessions needs neither."""


def imported(told: tuple[Path, str], tmp_path: Path, *arguments: str, colours: str = "truecolor") -> Sequence[str]:
    """Return the modules that are there when something is shown."""
    written = tmp_path / "modules"
    with Terminal() as terminal:
        terminal.start(
            "-m",
            "tests.tui.first.asked",
            str(written),
            *arguments,
            environ={"HOME": str(told[0]), "COLORTERM": colours, "TERM": "xterm-256color"},
        )
        assert terminal.ended() == 0, str(terminal)
    return written.read_text("utf-8").split("\n")


def after(code: str) -> list[str]:
    """Return what is there when some code has run."""
    command = [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def test_a_session_is_shown_by_what_reads_and_draws_it(told: tuple[Path, str], tmp_path: Path) -> None:
    needed = {f"{package}.{name}".lstrip(".") for package, (_, names) in BEFORE.items() for name in names.split()}
    loaded = {name for name in imported(told, tmp_path, told[1]) if name.startswith("unspool")}
    assert loaded - needed == set(), "import it where it is used, or say in BEFORE what it is needed for"
    assert needed - loaded == set(), "needed no more: take it from BEFORE"


def test_a_session_is_shown_with_little_of_the_standard_library(told: tuple[Path, str], tmp_path: Path) -> None:
    names = {name.partition(".")[0] for name in imported(told, tmp_path, told[1])} & sys.stdlib_module_names
    started = {name.partition(".")[0] for name in after("import runpy")}
    assert {name for name in names - STANDARD - started if not name.startswith("_")} == set()


def test_a_terminal_of_fewer_colours_waits_for_no_palettes(told: tuple[Path, str], tmp_path: Path) -> None:
    assert HEAVY.isdisjoint(imported(told, tmp_path, told[1], colours=""))


def test_the_list_is_shown_without_what_is_heavy_once_its_sessions_were_looked_at(
    told: tuple[Path, str], tmp_path: Path
) -> None:
    imported(told, tmp_path)
    names = imported(told, tmp_path)
    assert "unspool.library.shelf" in names
    assert not [name for name in names if any(is_within(name, package) for package in UNOPENED)]
    assert HEAVY.isdisjoint(names)


def test_the_app_begins_without_what_is_opened_later() -> None:
    names = after("import unspool_tui.app, unspool_tui.screens.begun")
    assert "unspool_tui.screens.browse" in names
    assert not [name for name in names if any(is_within(name, package) for package in OPENED)]
