"""The reader on every kind of piece, and what it does with it."""

from __future__ import annotations

from tests.tui.conftest import MEDIUM, WIDE
from tests.tui.pictures.claims import (
    Claim,
    at,
    column,
    cursor,
    focus,
    inked,
    lacks,
    row,
    shows,
    somewhere,
    within,
)  # fmt: skip
from tests.tui.pictures.picture import Picture
from tests.tui.pictures.walk import Keys, State, Walk
from unspool_tui.settings.effective import Settings

SIDE = (MEDIUM, WIDE)
"""Where the panes stand side by side."""


def to(piece: str) -> Keys:
    """Return the keys that lead to a piece, in whatever pane."""
    return ("colon", f"type:{piece}", "enter")


WIDE_ONLY = (WIDE,)
"""Where a text of a screenful is seen as a whole."""


def without_marks(widget: str) -> Claim:
    """Make a claim: nothing in a widget is marked as Markdown marks it."""

    def holds(picture: Picture) -> bool:
        rows = picture.part(picture.regions[widget]) if widget in picture.regions else []
        return not any(mark in text for text in rows for mark in ("##", "**", "```", "`"))

    return Claim(f"{widget} has no marks of Markdown", holds)


def once(words: str) -> Claim:
    """Make a claim: the reader says something once."""

    def holds(picture: Picture) -> bool:
        rows = [*picture.part(picture.regions["ReaderHeader"]), *picture.part(picture.regions["ReaderBody"])]
        return sum(words in text for text in rows) == 1

    return Claim(f"{words!r} stands once in the reader", holds)


KIOSK = Walk(
    "kiosk",
    (
        State("opened", (), (cursor(r"▌E0\.0 "), *at(SIDE, shows("U unreadable 2")), lacks("Use a library"))),
        State(
            "prompt",
            ("enter",),
            (
                focus("ReaderHeader"),
                within("ReaderBody", "見出しが途中で切れる", "∙ English only between words", "labels.py"),
            ),
        ),
        State(
            "markdown",
            to("E2"),
            (
                within(
                    "ReaderBody", r"^  What goes wrong", "is cut by characters, not by cells:", r"^  │ heading │     7"
                ),
                *at(WIDE_ONLY, somewhere("def", "syn-key", ground="rail"), within("ReaderBody", r"widths \(https://")),
                within("ReaderFoot", "all 20 lines   rendered"),
                without_marks("ReaderBody"),
                without_marks("ThreadList"),
                within("ReaderHeader", "20 lines"),
            ),
        ),
        State(
            "source",
            ("M",),
            (
                within("ReaderBody", "^     1  ## What goes wrong", r"^     3  The label is \*\*cut by"),
                within("ReaderFoot", "all 20 lines   as written"),
            ),
        ),
        State(
            "ansi",
            ("M", *to("E4")),
            (
                somewhere("ok", "live"),
                somewhere("FAIL", "error"),
                lacks("[32m", "[0m"),
                within("ReaderFoot", "all 6 lines"),
            ),
        ),
        State(
            "json",
            to("E8"),
            (
                within("ReaderBody", r'^  "?{', r'^    "id": 7,$|^    "id": 7, *', r'"name": "Ada"'),
                somewhere('"id"', "syn-def"),
                somewhere("7,", "syn-num"),
                within("ReaderFoot", "all 19 lines"),
            ),
        ),
        State("arguments", to("E9"), (within("ReaderBody", r'"limit": 20'), shows("→ query"))),
        State("wrapped", to("E12"), (within("ReaderBody", r"^     1  short", r"^     3  一行が長い", r"^ {12,}word"),)),
        State(
            "cut",
            ("w",),
            (within("ReaderBody", r"^     2  one long line: .*…", r"^     3  一行.*…", r"^     4  path.*…"),),
        ),
        State("aside", ("right", "right"), (within("ReaderBody", r"^     2  ord0 word1", r"^     3  が長い日本語"),)),
        State(
            "written",
            ("w", *to("E13")),
            (
                within("ReaderHeader", r"E13\.0  → Write   .*\+10 −0"),
                somewhere("def", "syn-key", ground="add-bg"),
            ),
        ),
        State(
            "file",
            to("E16"),
            (
                within("ReaderHeader", r"/home/mira/src/kiosk/labels\.py   → E15\.0"),
                somewhere("from", "syn-key"),
                inked("0x2E80", "syn-num"),
                within("ReaderBody", r"^     8  def cells"),
                within("ReaderHeader", "numbered as in the file"),
            ),
        ),
        State(
            "found",
            ("slash", "type:cells", "enter", "n"),
            (
                within("ReaderFoot", "match 2 of 2 in this piece   line 9 of the file"),
                somewhere("cells", "match-now-text", ground="match-now"),
                somewhere("cells", "match", ground="match-bg"),
            ),
        ),
        State("line", ("colon", "type:3", "enter"), (within("ReaderBody", r"^     3 "),)),
        State(
            "typing",
            ("slash",),
            (row(-1, r"^ enter search  esc give up"),),
        ),
        State("sought", ("escape",), (row(-1, "esc clear"), within("ReaderFoot", r"match \d of 2"))),
        State(
            "image",
            to("E18"),
            (
                within("ReaderBody", r"PNG image   96 × 64 pixels   6\.3 KB"),
                within("ReaderFoot", "all of 1 line   .*no match in this piece"),
            ),
        ),
        State("cleared", ("escape",), (within("ReaderFoot", "all of 1 line"), lacks("no match", "m model"))),
        State("raw", ("r",), (within("ReaderHeader", "raw record"), within("ReaderBody", r'^     1  {"parentUuid":'))),
        State(
            "pasted",
            ("r", *to("E19")),
            (within("ReaderHeader", "1 image"), within("ReaderBody", "Like this:", "PNG image   120 × 90 pixels")),
        ),
        State("compacted", to("E26"), (within("ReaderBody", "Conversation compacted"),)),
        State(
            "pending",
            to("E29"),
            (
                within("ReaderHeader", r"→ Bash   ◌ no result yet"),
                inked("◌", "live"),
                once("kiosk check --all"),
                lacks("call ↔ result"),
            ),
        ),
        State(
            "hidden",
            ("escape", "H"),
            (
                shows("is:hidden", "⌁ user"),
                cursor(r"▌E29\.0 "),
                column(("⌁ user", "⌁ assistant", "≡ system")),
            ),
        ),
        State(
            "unreadable",
            ("U",),
            (
                shows("2 lines could not be read"),
                cursor("▌  line 7          torn"),
                inked("torn", "error"),
                column(("torn", "syntax")),
                shows('{"type":"user","message":{"role":"us'),
            ),
        ),
        State(
            "exact",
            ("escape", "H", *to("E4"), "Y", "Y"),
            (
                shows("Copy it with everything in it?", "enter yes   esc no", "controls."),
                row(0, "unspool"),
                row(-1, "help"),
            ),
        ),
    ),
    target=lambda sample: sample.kiosk,
)

LIGHT = Walk(
    "light",
    (
        State("sessions", (), (somewhere("Invoices drift", "text", ground="cursor"), row(0, "^ unspool"))),
        State(
            "error", ("enter", "e", "enter"), (within("ReaderHeader", "exit 1"), somewhere("AssertionError", "error"))
        ),
        State("diff", to("E22"), (inked("seen += share", "text", ground="add-bg"),)),
        State("help", ("question_mark",), (inked("Move", "accent", bold=True),)),
        State("ledger", ("escape", "L"), (cursor(r"▌  2\.6 MB"), somewhere("▣", "stored"))),
    ),
    home=lambda sample: sample.small,
    settings=Settings(dark=False),
)

ASCII = Walk(
    "ascii",
    (
        State("sessions", (), (cursor(r"\|o claude    Invoices"), lacks("▌", "●", "✗", "…"))),
        State("stored", ("enter", "e", "e", "enter"), (shows("# model saw 2.0 KB"), lacks("▌", "▣", "←", "━", "–"))),
        State("help", ("question_mark",), (shows("> <", "call, its result"), lacks("→", "◌", "↓"))),
    ),
    home=lambda sample: sample.small,
    settings=Settings(ascii=True),
)

WALKS = (KIOSK, LIGHT, ASCII)
