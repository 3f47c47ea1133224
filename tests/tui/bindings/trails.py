"""The trails: for every screen and pane, every key that does something there."""

from __future__ import annotations

from typing import Final, NamedTuple

from tests.tui.bindings.moving import Rows, moves, under
from tests.tui.bindings.press import Press, Trail
from tests.tui.pictures.at_reading import to
from tests.tui.pictures.claims import Claim, focus, inked, lacks, matches, row, shows, within, without
from tests.tui.pictures.walk import Walk

SESSIONS: Final = Walk("sessions", ())
STORY: Final = Walk("story", (), target=lambda sample: sample.story)
KIOSK: Final = Walk("kiosk", (), target=lambda sample: sample.kiosk)
PARTS: Final = Walk("parts", (), home=lambda sample: sample.parts)
SMALL: Final = Walk("small", (), home=lambda sample: sample.small)

HELP = shows("Marks", "esc closes")
PALETTE = shows("a command, or a session: title, project, id")
AT_SESSIONS = row(0, r"^ unspool   \d+ sessions")
IN_STORY = row(0, r"^ unspool  ›  Invoices drift by a cent   claude")
TALL = Claim("the raw line has the room", lambda picture: picture.regions["RawRecord"].height > picture.size[1] // 3)
LIGHT = Claim("the theme is light", lambda picture: picture.theme == "unspool-light")


LIST = Trail(
    SESSIONS,
    (
        *moves(
            "SessionList",
            Rows("● claude    Invoices", " +└ Find every", "  claude    Upgrade to", "  codex     Move help",
                 "  claude    Summarise"),
        ),
        Press("SessionsScreen", "filter.edit", "slash", (row(-1, "^ enter done  esc clear"),)),
        Press("WordInput", "filter.complete", "tab", (matches("^  / project:web "), shows("5 of 26")),
              ("type:project:w",)),
        Press("WordInput", "filter.done", "enter", (focus("FacetBar"),)),
        Press("SessionsScreen", "app.back", "escape", (lacks("5 of 26"),)),
        Press("WordInput", "filter.down", "down", (focus("FacetBar"), shows("5 of 26")), ("slash", "type:project:web")),
        Press("WordInput", "app.back", "escape", (focus("FacetBar"), lacks("5 of 26")), ("slash",)),
        Press("SessionsScreen", "sessions.live", "f", (shows("2 of 26"),)),
        Press("SessionsScreen", "copy.reference", "y", (row(-1, "copied claude:6611b339"),), ("f", "g")),
        Press("SessionsScreen", "copy.resume", "C", (row(-1, "folder is gone"),)),
        Press("SessionsScreen", "sessions.open", "o", (row(-1, "^ open "),)),
        Press("SessionsScreen", "export.open", "x", (shows("Export  Invoices drift"),), ("escape",)),
        Press("SessionsScreen", "sessions.search", "s", (row(0, "Search all sessions"),), ("escape",)),
        Press("SessionsScreen", "sessions.again", "r", (row(-1, "y copy ref"),), ("escape", "C")),
        Press("SessionList", "list.open", "enter", (row(0, "›  Invoices drift"),), ("g",)),
        Press("SessionsScreen", "app.leave", "q", ends=0, before=("q",)),
    ),
)  # fmt: skip

APP = Trail(
    SMALL,
    (
        Press("UnspoolApp", "app.help", "question_mark", (HELP,)),
        Press("HelpScreen", "card.close", "escape", (lacks("esc closes"),)),
        Press("HelpScreen", "card.close", "q", (lacks("esc closes"),), ("question_mark",)),
        Press("HelpScreen", "card.close", "question_mark", (lacks("esc closes"),), ("question_mark",)),
        Press("UnspoolApp", "app.palette", "ctrl+p", (PALETTE,)),
        Press("PaletteField", "palette.down", "down", (under("  Filter or search"),)),
        Press("PaletteField", "palette.up", "up", (under("  Open or read"),)),
        Press("PaletteField", "palette.down", "ctrl+n", (under("  Filter or search"),)),
        Press("PaletteField", "palette.page_down", "pagedown", (under("  Go to the next row"),)),
        Press("PaletteField", "palette.page_up", "pageup", (under("  Filter or search"),)),
        Press("PaletteField", "app.back", "escape", (lacks("Filter or search in"),)),
        Press("UnspoolApp", "app.theme", "ctrl+t", (LIGHT,), ("escape",)),
        Press("UnspoolApp", "app.stop", "ctrl+c", ends=0),
    ),
)

OVERVIEW = Trail(
    STORY,
    (
        *moves(
            "ThreadList",
            Rows(" ● turn 1", " ├ I'll follow", " ● turn 3", " ├ First a test", " ◆ Done"),
            ("shift+tab",),
        ),
        Press("ThreadList", "list.open", "enter", (focus("FacetBar"),)),
    ),
)

EVIDENCE = Trail(
    STORY,
    (
        *moves("EvidenceList", Rows(r"E0\.0", r"E2\.0", r"E11\.0", r"E6\.0", r"E45\.0")),
        Press("BrowseScreen", "turn.next", "right_square_bracket", (under(r"E12\.0"),), ("g",)),
        Press("BrowseScreen", "turn.previous", "left_square_bracket", (under(r"E0\.0"),)),
        Press("BrowseScreen", "part.next", "right_curly_bracket", (row(-1, "this session is one whole"),)),
        Press("BrowseScreen", "error.next", "e", (under(r"E17\.0"),)),
        Press("BrowseScreen", "piece.peer", "p", (under(r"E16\.0"),)),
        Press("BrowseScreen", "error.previous", "E", (under(r"E32\.0"),), ("g",)),
        Press("BrowseScreen", "facet.1", "1", (shows("kind:user", "4 of 45"),)),
        Press("BrowseScreen", "facet.2", "2", (shows("8 of 45"),), ("0",)),
        Press("BrowseScreen", "facet.3", "3", (shows("1 of 45"),), ("0",)),
        Press("BrowseScreen", "facet.4", "4", (shows("16 of 45"), lacks("← Bash")), ("0",)),
        Press("BrowseScreen", "facet.5", "5", (shows("16 of 45"), lacks("→ Bash")), ("0",)),
        Press("BrowseScreen", "facet.6", "6", (shows("is:error", "3 of 45"),), ("0",)),
        Press("BrowseScreen", "facet.7", "7", (shows("is:stored", "2 of 45"),), ("0",)),
        Press("BrowseScreen", "facet.0", "0", (lacks("2 of 45"),)),
        Press("BrowseScreen", "show.reasoning", "t", (shows("is:reasoning", "~ assistant"),), ("g",)),
        Press("BrowseScreen", "filter.edit", "slash", (row(-1, "^ enter done  esc clear"),), ("t",)),
        Press("BrowseScreen", "match.next", "n", (under(r"E38\.0"),), ("type:1428386", "enter")),
        Press("BrowseScreen", "match.previous", "N", (under(r"E20\.0"),)),
        Press("BrowseScreen", "search.case", "c", (row(-1, "case exact"),)),
        Press("BrowseScreen", "app.back", "escape", (lacks("2 of 45"),)),
        Press("BrowseScreen", "view.refresh", "R", (row(-1, "nothing was appended"),)),
        Press("BrowseScreen", "view.refresh", "f5", (row(-1, "nothing was appended"),), ("j",)),
        Press("BrowseScreen", "view.goto", "colon", (row(-1, r"^ :  E128\.2, a line of the file, or 10:42"),)),
        Press(
            "BrowseScreen",
            "copy.reference",
            "y",
            (row(-1, r"copied the reference of E17\.0  62 B"),),
            ("type:E17", "enter"),
        ),
        Press(
            "BrowseScreen", "copy.text", "Y", (row(-1, r"copied the text of E11\.0"),), ("colon", "type:E11", "enter")
        ),
        Press("BrowseScreen", "copy.resume", "C", (row(-1, "folder is gone"),)),
        Press("BrowseScreen", "show.unreadable", "U", (row(-1, "every line could be read"),)),
        Press("BrowseScreen", "pager.open", "v", (row(-1, "cannot be lent|name one in"),)),
        Press("BrowseScreen", "export.open", "x", (shows("this piece", "esc closes"),)),
        Press("BrowseScreen", "show.ledger", "L", (row(0, "›  Ledger"),), ("escape",)),
        Press("BrowseScreen", "show.paths", "P", (row(0, "›  Paths"),), ("escape",)),
        Press("BrowseScreen", "sessions.search", "s", (row(0, "Search all sessions"),), ("escape",)),
        Press("BrowseScreen", "pane.zoom", "z", (without("ThreadList"),), ("escape",)),
        Press("BrowseScreen", "pane.next", "tab", (focus("ReaderHeader"),), ("z",)),
        Press("BrowseScreen", "pane.previous", "shift+tab", (focus("FacetBar"),)),
        Press("EvidenceList", "list.open", "enter", (focus("ReaderHeader"),)),
        Press("BrowseScreen", "view.follow", "F", (focus("FacetBar"), under(r"E45\.0"), row(-1, "following $"))),
        Press("BrowseScreen", "app.leave", "q", (AT_SESSIONS,)),
    ),
)

HIDDEN = Trail(
    KIOSK,
    (
        Press("BrowseScreen", "show.hidden", "H", (shows("is:hidden", "⌁ user"),), ("G",)),
        Press("BrowseScreen", "show.unreadable", "U", (shows("2 lines could not be read"),), ("H",)),
        *moves("UnreadableList", Rows("  line 7", "  line 8", "  line 8", "  line 8", "  line 8")),
        Press("UnreadableList", "list.open", "enter", (TALL,)),
        Press("UnreadableScreen", "card.close", "escape", (lacks("could not be read"),)),
        Press(
            "BrowseScreen",
            "copy.text",
            "Y",
            (shows("Copy it with everything in it?"),),
            ("colon", "type:E4", "enter", "Y"),
        ),
        Press("AskScreen", "card.close", "escape", (lacks("Copy it with"),)),
        Press("AskScreen", "ask.yes", "enter", (row(-1, r"copied E4\.0 as it is"),), ("Y", "Y")),
    ),
)


def reading(line: str) -> Claim:
    """The first row of the body is this one."""
    return Claim(
        f"the body begins with {line}",
        lambda picture: picture.part(picture.regions["ReaderBody"])[0].strip().startswith(line),
    )


READER = Trail(
    STORY,
    (
        Press("ReaderBody", "move.down", "j", (reading("2"),), ("e", "enter")),
        Press("ReaderBody", "move.up", "k", (reading("1 "),)),
        Press("ReaderBody", "move.down", "down", (reading("2"),)),
        Press("ReaderBody", "move.up", "up", (reading("1 "),)),
        *(
            press
            for on, off in (("space", "b"), ("pagedown", "pageup"), ("ctrl+f", "ctrl+b"))
            for press in (
                Press("ReaderBody", "move.page_down", on, (reading("17"),)),
                Press("ReaderBody", "move.page_up", off, (reading("1 "),)),
            )
        ),
        *(
            press
            for on, off in (("d", "u"), ("ctrl+d", "ctrl+u"))
            for press in (
                Press("ReaderBody", "move.half_down", on, (reading("10"),)),
                Press("ReaderBody", "move.half_up", off, (reading("1 "),)),
            )
        ),
        Press("ReaderBody", "move.end", "G", (reading("158"),)),
        Press("ReaderBody", "move.top", "g", (reading("1 "),)),
        Press("ReaderBody", "move.end", "end", (reading("158"),)),
        Press("ReaderBody", "move.top", "home", (reading("1 "),)),
        Press("Reader", "reader.model", "m", (shows("<persisted-output>"),), ("colon", "type:E20", "enter")),
        Press("Reader", "reader.raw", "r", (shows("raw record"),)),
        Press("Reader", "reader.find", "slash", (lacks("space more"),), ("r", "m")),
        Press("Reader", "match.next", "n", (within("ReaderFoot", "match 2 of"),), ("type:DIFFERS", "enter")),
        Press("Reader", "match.previous", "N", (within("ReaderFoot", "match 1 of"),)),
        Press("BrowseScreen", "app.back", "escape", (row(-1, "esc back"),)),
        Press("BrowseScreen", "app.back", "escape", (focus("FacetBar"),)),
        Press("Reader", "reader.markdown", "M", (within("ReaderBody", r"^ +1 "),), (*to("E0"), "enter")),
    ),
)

CUT = Trail(
    KIOSK,
    (
        Press(
            "Reader", "reader.wrap", "w", (within("ReaderBody", "^     2  one long line: .*…"),), (*to("E12"), "enter")
        ),
        Press("ReaderBody", "move.right", "right", (within("ReaderBody", "^     2   line: word0"),)),
        Press("ReaderBody", "move.left", "left", (within("ReaderBody", "^     2  one long line"),)),
    ),
)

PART = Trail(
    PARTS,
    (
        Press("BrowseScreen", "part.previous", "left_curly_bracket", (shows("part 1 of 2"),), ("enter",)),
        Press("BrowseScreen", "part.next", "right_curly_bracket", (shows("part 2 of 2"),)),
    ),
)

LEDGER = Trail(
    STORY,
    (
        *moves("LedgerList", Rows("  2.6 MB", "  2.5 MB", "    39 B", "    39 B", "    39 B"), ("L",)),
        Press("LedgerScreen", "ledger.tool", "2", (under("  5.1 MB .*← Bash"),)),
        Press("LedgerScreen", "ledger.file", "3", (under("  4.5 KB .*invoice"),)),
        Press("LedgerScreen", "ledger.size", "1", (under("  2.6 MB"),)),
        Press("LedgerScreen", "copy.reference", "y", (row(-1, r"copied the reference of E20\.0"),)),
        Press("LedgerScreen", "export.open", "x", (shows("this piece", "esc closes"),)),
        Press("LedgerScreen", "filter.edit", "slash", (row(-1, "^ enter done  esc clear"),), ("escape",)),
        Press("LedgerScreen", "app.back", "escape", (lacks("5 of 16"),), ("type:tool:Bash", "enter")),
        Press("LedgerScreen", "app.leave", "q", (IN_STORY,)),
        Press(
            "LedgerList", "list.open", "enter", (IN_STORY, focus("ReaderHeader"), shows("E38.0  ← Bash")), ("L", "j")
        ),
    ),
)

PATHS = Trail(
    STORY,
    (
        *moves(
            "PathList",
            Rows("       6", "       4", "       2 .*test_split", "       2 .*test_split", "       2 .*test_split"),
            ("P",),
        ),
        Press("PathsScreen", "copy.reference", "y", (row(-1, r"copied the reference of E36\.0"),)),
        Press("PathsScreen", "export.open", "x", (shows("this piece", "esc closes"),)),
        Press("PathsScreen", "filter.edit", "slash", (row(-1, "^ enter done  esc clear"),), ("escape",)),
        Press("PathsScreen", "app.back", "escape", (lacks("1 of 6"),), ("type:money", "enter")),
        Press("PathsScreen", "app.leave", "q", (IN_STORY,)),
        Press("PathList", "list.open", "enter", (IN_STORY, shows("path:src/billing/money.py")), ("P", "j")),
    ),
)

SEARCH = Trail(
    SESSIONS,
    (
        *moves(
            "HitList",
            Rows(r"E0\.0 .*How does", r"E1\.0 ", r"E28\.0 .*15:39:27", r"E28\.0 .*15:59", r"E16\.0 .*07:22:45"),
            ("s", "type:the", "enter"),
        ),
        Press("SearchScreen", "filter.edit", "slash", (row(-1, "^ enter done  esc clear"),)),
        Press("SearchScreen", "copy.reference", "y", (row(-1, r"copied …/E0\.0"),), ("enter", "g")),
        Press("HitList", "list.open", "enter", (IN_STORY,), ("g",)),
        Press("SearchScreen", "app.back", "escape", (AT_SESSIONS,), ("q",)),
        Press("SearchScreen", "app.leave", "q", (AT_SESSIONS,), ("s", "type:settings", "enter")),
    ),
)

EXPORT = Trail(
    STORY,
    (
        Press("OptionRow", "form.next", "down", (matches("▌format"),), ("x",)),
        Press("OptionRow", "form.previous", "up", (matches("▌pieces"),)),
        Press("OptionRow", "option.next", "right", (inked("a range", "text", ground="chip"),)),
        Press("OptionRow", "option.previous", "left", (inked("the session", "text", ground="chip"),)),
        Press("OptionRow", "option.next", "l", (inked("a range", "text", ground="chip"),)),
        Press("OptionRow", "option.previous", "h", (inked("the session", "text", ground="chip"),)),
        Press("OptionRow", "option.next", "space", (inked("a range", "text", ground="chip"),)),
        Press("FormField", "form.next", "down", (matches("▌pieces"),), ("left", "up")),
        Press("FormField", "form.previous", "up", (matches("▌long texts"),), ("up",)),
        Press(
            "FormField",
            "filter.complete",
            "tab",
            (shows("~/.claude/"),),
            ("down", *("backspace",) * 40, "type:~/.cl"),
        ),
        Press("FormField", "app.back", "escape", (IN_STORY, lacks("esc closes"))),
        Press("ExportDialog", "card.close", "escape", (IN_STORY, lacks("esc closes")), ("x",)),
        Press(
            "OptionRow",
            "form.done",
            "enter",
            (shows("exported.md", "enter closes"),),
            ("x", "up", *("backspace",) * 40, "type:~/exported.md", "down"),
        ),
        Press("ExportDialog", "ask.yes", "enter", (IN_STORY, lacks("enter closes"))),
    ),
)

TRAILS: Final = {
    "list": LIST, "app": APP, "overview": OVERVIEW, "evidence": EVIDENCE, "hidden": HIDDEN, "reader": READER,
    "cut": CUT,
    "part": PART,
    "ledger": LEDGER, "paths": PATHS, "search": SEARCH, "export": EXPORT,
}  # fmt: skip

LISTS: Final = (
    "list.open", "move.down", "move.up", "move.page_down", "move.page_up", "move.half_down", "move.half_up", "move.top",
    "move.end",
)  # fmt: skip
ALONE: Final = ("SessionsScreen", "LedgerScreen", "PathsScreen", "SearchScreen")


class Why(NamedTuple):
    """Why a binding has no press of its own, and the test that proves what it says: module and function."""

    said: str
    module: str
    test: str


_ABOVE: Final = Why(
    "the field above it has the focus, and moves in it",
    "test_palette", "test_arrows_and_the_mouse_choose_and_escape_does_nothing",
)  # fmt: skip
_ONE_PANE: Final = Why(
    "there is one pane: the command is off", "test_help", "test_help_names_all_that_works_on_a_screen_and_nothing_else"
)

_TOO_LONG: Final = Why(
    "it moves where the window is too low for all of it", "test_help",
    "test_help_goes_back_up_and_no_further_than_its_ends",
)  # fmt: skip

ELSEWHERE: Final[dict[tuple[str, str], Why]] = {
    **{("OfferList", name): _ABOVE for name in LISTS},
    **{("HelpScreen", name): _TOO_LONG for name in LISTS if name != "list.open"},
    **{(screen, name): _ONE_PANE for screen in ALONE for name in ("pane.next", "pane.previous", "pane.zoom")},
    ("FormField", "filter.done"): Why(
        "the form is done by it", "test_export_dialog",
        "test_the_whole_session_without_its_secrets_is_what_enter_exports",
    ),
    ("PaletteField", "filter.done"): Why(
        "what is chosen is done by it", "test_palette", "test_a_command_is_found_by_words_and_done_where_it_belongs"
    ),
    ("PaletteField", "filter.complete"): Why(
        "nothing is completed: what is typed is looked for as it is", "test_palette",
        "test_tab_leaves_what_is_typed_as_it_is",
    ),
    ("PaletteScreen", "card.close"): Why(
        "its field takes the key, and closes it", "test_palette",
        "test_arrows_and_the_mouse_choose_and_escape_does_nothing",
    ),
    ("SessionsScreen", "sessions.demo"): Why(
        "an agent begins to write", "test_demo", "test_who_has_no_session_is_offered_the_demo_and_sees_it"
    ),
    ("UnspoolApp", "app.suspend"): Why(
        "it needs a terminal", "test_terminal", "test_it_goes_to_the_shell_and_comes_back"
    ),
}  # fmt: skip
"""What is bound and has no press of its own, and why."""
