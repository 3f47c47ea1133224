"""The sessions, the search over all of them, and what opens over them."""

from __future__ import annotations

from pathlib import Path

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
)
from tests.tui.pictures.walk import State, Walk

SIDE = (MEDIUM, WIDE)

COMPLAINT = inked("since:soon is no", "error")

SESSIONS = Walk(
    "sessions",
    (
        State(
            "list",
            (),
            (
                row(0, r"^ unspool   26 sessions   2 live  2 agents *$"),
                focus("FacetBar"),
                inked("all 26", "text", ground="chip"),
                cursor(r"▌● claude    Invoices drift by a cent +billing +now"),
                above("today", "▌●"),
                above("▌●", "yesterday"),
                inked("●", "live"),
                *at((NARROW, MEDIUM), matches(r"codex     Retry budget per tenant, review…")),
                matches(r"日本語のエラーメッセージを直す +web "),
                column(("project ", "gateway")),
                column(("✗ 3", "✗ 5"), right=True),
                column(("    45", "   110"), right=True),
                keys("enter open", "/ filter", "s search all", "? help"),
                at(SIDE, within("SessionPreview", "Invoices drift by a cent", "● turn 1", "✗ 3 errors   ▣ 2 stored")),
                at((NARROW, MEDIUM), lacks("size")),
                at((WIDE,), matches("errors +size")),
                lacks("cannot read"),
            ),
        ),
        State("child", ("j",), (cursor(r"▌ +└ Find every place"), somewhere("Find every", "text", ground="cursor"))),
        State(
            "filter-typed",
            ("slash", "type:project:we"),
            (
                row(-1, r"^ enter done  esc clear  tab complete *$"),
                matches(r"^  / project:web"),
                inked("project:", "muted"),
            ),
        ),
        State(
            "filtered",
            ("tab", "enter"),
            (
                shows("5 of 26"),
                lacks("billing", "gateway"),
                inked("/ project", "faint"),
                focus("FacetBar"),
            ),
        ),
        State("live", ("escape", "f"), (shows("2 of 26", "is:live"), lacks("yesterday"))),
        State("nothing-fits", ("escape", "slash", "type:zzz", "enter"), (shows("0 of 26"),)),
        State(
            "bad-word",
            ("escape", "slash", "type:since:soon", "enter"),
            (COMPLAINT, *at((NARROW,), row(2, "^  / since:soon  +since"))),
        ),
        State("copied", ("escape", "g", "y"), (row(-1, "copied "),)),
        State("resume", ("C",), (row(-1, "copied the command; folder is gone"),)),
        State(
            "open-path",
            ("o", "type:nowhere", "enter"),
            (
                row(-1, r"^ open  nowhere +✗ no session 'nowhere'"),
                inked("open ", "accent", ground="raised", bold=True),
            ),
        ),
        State(
            "help",
            ("escape", "question_mark"),
            (
                shows("all sessions", "Marks", "agent:codex"),
                lacks("error on"),
                somewhere("Sessions ", "text"),
            ),
        ),
        State(
            "palette",
            ("escape", "ctrl+p"),
            (
                shows("a command, or a session"),
                cursor(r"▌  Open or read what the cursor is on +enter"),
            ),
        ),
        State(
            "palette-typed",
            ("type:sett",),
            (
                cursor(r"▌  Settings from YAML to TOML +claude  core  3d"),
                shows("Keyboard help for the settings page"),
                matches(r"^ .*sett"),
            ),
        ),
        State(
            "export",
            ("escape", "x"),
            (
                shows("Export  Invoices drift by a cent", "~/claude-6611b339.md"),
                inked("the session", "text", ground="chip"),
                column(("the session", "Markdown", "left out")),
            ),
        ),
        State(
            "search",
            ("escape", "s"),
            (
                row(0, r"^ unspool  ›  Search all sessions *$"),
                shows("type what to look for"),
                keys(),
            ),
        ),
        State(
            "search-hits",
            ("type:settings", "enter"),
            (
                shows("4 pieces in 2 sessions"),
                above("Keyboard help", "Settings from"),
                cursor(r"▌E0\.0 "),
                somewhere("settings", "match", ground="match-bg"),
                column(("E0.0", "E71.0", "E175.0")),
            ),
        ),
        State(
            "search-opened",
            ("j", "enter"),
            (
                shows("match 1 of 1 in this piece"),
                row(0, r"^ unspool  ›  Keyboard help"),
                somewhere("settings", "match-now-text", ground="match-now"),
            ),
        ),
        State("search-nothing", ("q", "escape", "s", "type:zzqq", "enter"), (shows("nothing found"),)),
    ),
)

HERE = Walk(
    "here",
    (State("list", (), (cursor("▌  claude    Labels break"), above("Labels break", "Invoices drift"))),),
    home=lambda sample: sample.small,
    here="/home/mira/src/kiosk",
)

EMPTY = Walk(
    "empty",
    (
        State(
            "list",
            (),
            (
                row(0, r"^ unspool   no sessions *$"),
                inked("No sessions found", "text", bold=True),
                keys("o open a path", "q quit"),
                column(("/home/of/nobody/.claude", "/home/of/nobody/.codex")),
                shows("look again", "unspool --root DIR"),
            ),
        ),
        State("help", ("question_mark",), (shows("path, again", "esc closes", "only reads"),)),
    ),
    home=lambda sample: Path("/home/of/nobody"),
)

WALKS = (SESSIONS, HERE, EMPTY)
