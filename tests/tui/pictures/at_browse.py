"""One session: its thread, its evidence, and the ways through it."""

from __future__ import annotations

from tests.tui.conftest import MEDIUM, NARROW, WIDE
from tests.tui.pictures.claims import (
    above,
    at,
    column,
    cursor,
    focus,
    inked,
    keys,
    lacks,
    matches,
    row,
    shows,
    somewhere,
    within,
    without,
)
from tests.tui.pictures.walk import State, Walk

SIDE = (MEDIUM, WIDE)
"""Where the panes stand side by side."""

TRAIL = Walk(
    "browse",
    (
        State(
            "opened",
            (),
            (
                cursor(r"▌E0\.0    15:53:55    user +How does"),
                focus("FacetBar"),
                row(0, r"^ unspool  ›  Invoices drift by a cent"),
                inked("Invoices drift", "text", ground="bar", bold=True),
                inked("● live", "live", bold=True),
                keys("enter read", "/ filter", "e E error", "? help"),
                inked("→ Glob", "input"),
                column(("→ Glob", "← Glob")),
                inked("src/billing/**", "text"),
                at(
                    (NARROW,),
                    inked("✗ ← Bash", "error"),
                    inked("▣ ← Bash", "stored"),
                    inked("2.6 MB", "stored"),
                    column(("11 KB", "2.6 MB"), right=True),
                ),
                at((NARROW,), row(0, r"overview  evidence  reader $"), inked("evidence", "accent", ground="bar")),
                at(
                    SIDE,
                    within("ThreadList", r"● turn 1 +15:53 ?$", "8 pieces"),
                    shows("filter: words, kind: tool:"),
                    within("ReaderHeader", "E0.0  user"),
                    within("ReaderFoot", "all of 1 line"),
                ),
                at((WIDE,), matches(r"← Glob .*6 lines "), row(1, r"1 user 4   2 assistant 8   3 system 1")),
                at(
                    (NARROW, MEDIUM),
                    row(1, r"Evidence 45  user 4  assistant 8  system 1  →.* 16  ←.* 16  ✗.* 3  ▣.* 2"),
                ),
            ),
        ),
        State(
            "overview",
            ("shift+tab", "j"),
            (
                cursor(r"▌ ├ I'll follow the total"),
                focus("PaneTitle"),
                row(1, r"^▌Overview"),
                row(1, r"turn 1 of 4, progress 1|turn 1 of 4"),
                inked("● turn 1", "user"),
                above("● turn 1", "◆"),
                keys("enter go there", "] turn on", "? help"),
                at(SIDE, shows("▌E2.0 ")),
            ),
        ),
        State(
            "error",
            ("tab", "e"),
            (
                at(SIDE, cursor(r"▌E17\.0 .*✗ ← Bash +exit 1  132 failed")),
                somewhere("exit 1", "error"),
                within(
                    "ReaderHeader",
                    r"E17\.0  ← Bash   exit 1   175 lines   11 KB +.*took 4 s   model saw all",
                    r"\$ pytest -q tests/test_split.py   → E16\.0",
                ),
                within("ReaderFoot", r"all 175 lines   11 KB"),
                somewhere("AssertionError", "error"),
            ),
            narrow=("tab", "e", "enter"),
        ),
        State("error-list", (), (cursor(r"▌E17\.0 "), without("ReaderBody")), narrow=("escape",), sizes=(NARROW,)),
        State(
            "stored",
            ("e", "enter"),
            (
                inked(" ▣ model saw 2.0 KB of 2.6 MB ", "stored", ground="stored-bg", bold=True),
                inked(" full ", "text", ground="chip"),
                matches(r" full  model "),
                focus("ReaderHeader"),
                within("ReaderBody", r"^ 61201  61200 orders, 3825 differ"),
                within("ReaderFoot", r"─━━  lines 55 216–61 201"),
            ),
        ),
        State(
            "model-view",
            ("m",),
            (
                within("ReaderBody", r"^     1  <persisted-output>", "Preview"),
                within("ReaderFoot", "all 54 lines"),
                somewhere("model", "text", ground="chip"),
                somewhere("full", "muted"),
            ),
        ),
        State(
            "seam",
            ("m", "g", *("j",) * 32),
            (within("ReaderBody", "╌ the model saw down to here, 2.0 KB ╌.* 2.6 MB more, stored", "▎"),),
            narrow=("m", "g", "space", "space"),
        ),
        State("end", ("G",), (within("ReaderBody", r"^ 61201  61200 orders"), inked("━", "muted"))),
        State(
            "zoomed",
            ("g", "z"),
            (
                without("ThreadList", "EvidenceList"),
                within("ReaderBody", r"^▎? *▎?    1  order 1000000"),
                row(0, r"overview  evidence  reader $"),
            ),
            sizes=SIDE,
        ),
        State(
            "facets",
            ("escape", "escape", "5", "6"),
            (
                shows("3 of 45", "part:output is:error"),
                inked("part:", "muted"),
                inked("is:", "muted"),
                cursor(r"▌E20\.0 "),
                lacks("→ Bash"),
                keys("enter read"),
            ),
            narrow=("escape", "5", "6"),
        ),
        State(
            "filter-typed",
            ("0", "slash", "type:tool:gr"),
            (
                inked("tool:", "muted"),
                matches(r"/ tool:grep"),
                inked("/", "accent", bold=True),
                row(-1, r"^ enter done  esc clear  tab complete"),
            ),
        ),
        State(
            "searched",
            ("escape", "slash", "type:rounded", "enter"),
            (
                shows("8 of 45", "12 matches"),
                inked("/ rounded", "faint"),
                somewhere("rounded", "match", ground="match-bg"),
                within("EvidenceList", r"E22\.0 .* 2 • "),
                keys("n N match", "esc clear", "c case"),
            ),
        ),
        State(
            "match",
            ("n", "n"),
            (
                within("ReaderFoot", r"match \d of \d in this piece"),
                somewhere("rounded", "match-now-text", ground="match-now"),
            ),
        ),
        State("match-round", ("N", "N", "N"), (within("ReaderFoot", r"match \d of \d in this piece"),)),
        State(
            "nothing-fits",
            ("escape", "slash", "type:zzz", "enter"),
            (shows("nothing fits the filter   esc clears it", "0 of 45"),),
            narrow=("escape", "escape", "slash", "type:zzz", "enter"),
        ),
        State(
            "bad-word", ("escape", "slash", "type:is:nonsense", "enter"), (inked("is:nonsense is unknown", "error"),)
        ),
        State(
            "reasoning",
            ("escape", "t", "g", "j"),
            (
                cursor(r"▌E1\.0    15:54:02  ~ assistant"),
                at(SIDE, within("ReaderHeader", "~ reasoning")),
                shows("is:reasoning"),
            ),
        ),
        State("goto", ("t", "colon", "type:E999", "enter"), (row(-1, r"^ :  E999 +✗ nothing at E999 "),)),
        State(
            "diff",
            ("escape", "colon", "type:E22", "enter", "enter"),
            (
                within("ReaderHeader", r"E22\.0  → Edit   …/src/billing/money.py   \+6 −4"),
                within("ReaderBody", r"^ +19 +− +parts = \[\]", r"^ +19 \+ +parts, seen, given"),
                inked("parts = []", "text", ground="del-bg"),
                inked("seen += share", "text", ground="add-bg"),
                column(("whole = sum", "parts = []", "parts, seen")),
            ),
        ),
        State("peer", ("p",), (within("ReaderHeader", r"E23\.0  ← Edit"),)),
        State("copied", ("y",), (row(-1, "copied "),)),
        State("resume", ("C",), (row(-1, "copied the command; folder is gone"),)),
        State(
            "help",
            ("question_mark",),
            (
                shows("Browse", "by row", "call ↔ result", "in:E10-E90"),
                inked("Move", "accent", bold=True),
                column(("Move", "j k")),
                column(("Find", "n N")),
                column(("Marks", "→ ←")),
                row(-1, r"."),
            ),
        ),
        State(
            "palette",
            ("escape", "ctrl+p"),
            (
                shows("a command, or a session: title, project, id"),
                inked("Go from a call", "text", bold=True),
                cursor(r"▌  Go from a call to its result, or back +p"),
                somewhere("esc", "text"),
            ),
        ),
        State(
            "export",
            ("escape", "x"),
            (
                shows("Export  Invoices drift by a cent", "45 pieces  5.1 MB of text", "none recognised"),
                inked("the session", "text", ground="chip"),
                column(("the session", "Markdown", "left out", "cut   whole")),
                row(-1, r"."),
            ),
        ),
    ),
    target=lambda sample: sample.story,
)

PARTS = Walk(
    "parts",
    (
        State(
            "list", (), (cursor(r"▌  yoi       Build the kiln   2 parts"), inked("2 parts", "muted", ground="cursor"))
        ),
        State("newest", ("enter",), (row(0, "part 2 of 2"), shows("Fire it"), keys("{ } part"))),
        State("first", ("left_curly_bracket",), (row(0, "part 1 of 2"), shows("It stands."), lacks("Fire it"))),
    ),
    home=lambda sample: sample.parts,
)

LENSES = Walk(
    "lens",
    (
        State(
            "ledger",
            ("L",),
            (
                row(0, r"Invoices drift by a cent  ›  Ledger"),
                focus("OrderBar"),
                inked("by size", "text", ground="chip", bold=True),
                cursor(r"▌  2\.6 MB  ▣   2\.2 KB"),
                column(("2.6 MB", "4.5 KB", "328 B"), right=True),
                above("2.6 MB", "2.5 MB"),
                inked("▣", "stored"),
                keys("enter go there", "1-3 order", "esc back", "? help"),
            ),
        ),
        State("by-tool", ("2",), (cursor(r"▌  5\.1 MB  ▣ .*5 outputs   ← Bash"), above("5.1 MB", "8.4 KB"))),
        State("by-file", ("3",), (cursor(r"▌  4\.5 KB .*src/billing/invoice\.py"), above("4.5 KB", "3.0 KB"))),
        State(
            "ledger-filtered",
            ("1", "slash", "type:tool:Bash", "enter"),
            (
                shows("5 of 16"),
                lacks("← Read"),
                inked("tool:", "muted"),
                inked("Bash ", "accent"),
            ),
        ),
        State(
            "paths",
            ("escape", "escape", "P"),
            (
                row(0, r"›  Paths"),
                cursor(r"▌       6    ✗ 1   3\.0 KB  16:00:40  E36\.0    src/billing/pdf\.py"),
                row(1, r"^▌Paths 6 .*most touched first *$"),
                column(("E36.0", "E23.0", "E42.0")),
            ),
        ),
        State(
            "paths-filtered", ("slash", "type:money", "enter"), (shows("1 of 6"), cursor(r"▌.*src/billing/money\.py"))
        ),
        State("path", ("enter",), (shows("/ path:src/billing/money.py", "4 of 45"), cursor(r"▌E5\.0 "))),
    ),
    target=lambda sample: sample.story,
)

WALKS = (TRAIL, PARTS, LENSES)
