"""A page holds nothing but its own elements and the words of the session."""

from __future__ import annotations

import base64
import hashlib
import re

from hypothesis import example, given

from tests.core.export.hostile import texts
from tests.core.export.page import Page
from tests.sessions import CLAUDE_CODE, Said, view_of
from unspool.export import export_view
from unspool.export.exhibit import CUT_BYTES
from unspool.export.page_look import STYLE
from unspool.text import clean
from unspool.views.filter import Filter
from unspool.views.view import SessionView
from unspool_tui.present.tokens import DARK, LIGHT


def page_of(*said: Said, filter: Filter | None = None, full: bool = False) -> tuple[Page, str]:
    """Return the page of a session, read and as written."""
    written: list[str] = []
    export_view(view_of(said), written.append, "html", filter, full=full)
    page = "".join(written)
    return Page(page), page


def letters_of(text: str) -> list[str]:
    """Return the letters of a text, without the targets of its links and what may be the language of a fence."""
    text = re.sub(r"\]\(https?:[^)\s]*\)|(`{3,}|~{3,}) *[\w+#.\-]*", " ", text)
    return [sign for sign in text if sign.isalnum()]


@given(texts, texts)
@example("</pre><script>", "`<b>` **<i>** [<u>](https://x.invalid/<s>)")
def test_nothing_of_a_session_becomes_an_element(one: str, other: str) -> None:
    page, _ = page_of(("user", one or "x"), ("assistant", other or "x"), ("input", {one: other}), ("output", other))
    assert page.faults == []
    assert [link for link in page.links if not link.startswith(("#E", "http://", "https://"))] == []


@given(texts)
def test_an_output_is_shown_letter_for_letter(text: str) -> None:
    page, _ = page_of(("user", "x"), ("input", {"a": 1}), ("output", text))
    wanted = clean(text)
    assert page.texts["E2.0"].endswith(wanted)


@given(texts)
def test_prose_is_shown_letter_for_letter(text: str) -> None:
    page, _ = page_of(("user", "x"), ("assistant", text or "x"))
    shown = iter(page.texts["E1.0"].partition("\n")[2])
    assert [sign for sign in letters_of(clean(text)) if sign not in shown] == [], page.texts["E1.0"]


def test_every_piece_has_an_anchor_and_every_link_inside_has_its_target() -> None:
    page, _ = page_of(("user", "a"), ("input", {"command": "ls"}), ("output", "b"), ("user", "c"), ("assistant", "d"))
    assert page.ids == ["E0.0", "E1.0", "E2.0", "E3.0", "E4.0"]
    inside = [link.removeprefix("#") for link in page.links if link.startswith("#")]
    assert set(inside) == set(page.ids)
    assert inside.count("E1.0") == 2, "its own anchor, and the one of its output"


def test_a_call_that_is_not_in_the_page_is_no_link() -> None:
    page, _ = page_of(("user", "a"), ("input", {"a": 1}), ("output", "b"), filter=Filter.parse("part:output")[0])
    assert page.ids == ["E2.0"]
    assert page.links == ["#E2.0"]


def test_tool_calls_are_folded_and_failures_are_open() -> None:
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "false"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "bad", "is_error": True}
    said = [
        {"type": "assistant", "message": {"role": "assistant", "content": [call]}},
        {"type": "user", "message": {"role": "user", "content": [result]}},
    ]
    written: list[str] = []
    export_view(SessionView.of(said, CLAUDE_CODE), written.append, "html")
    page = "".join(written)
    assert page.count("<details>") == 1
    assert page.count("<details open>") == 1
    assert page.index("<details>") < page.index("<details open>")


def test_the_policy_allows_this_script_and_style_and_no_network() -> None:
    page, written = page_of(("user", "a"), ("assistant", "b"))
    assert page.policy.startswith("default-src 'none'; ")
    for name, tag in (("style", "style"), ("script", "script")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", written, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in page.policy
    assert "unsafe" not in page.policy
    assert not re.search(
        r"\b(?:src|srcset|action|style|on\w+)=", written.partition("</style>")[2].partition("<script>")[0]
    )


def test_both_themes_are_there() -> None:
    _, written = page_of(("user", "a"))
    assert "prefers-color-scheme:light" in written
    assert "--ground:#14161b" in written
    assert "--ground:#fcfbf9" in written


def test_the_tokens_of_the_page_are_those_of_the_app() -> None:
    dark, light = STYLE.split("@media", 1)
    for style, theme in ((dark, DARK), (light, LIGHT)):
        tokens = dict(re.findall(r"--([a-z-]+):(#[0-9a-f]{6});", style))
        assert len(tokens) > 15
        assert {name: theme[name] for name in tokens} == tokens


def test_prose_shows_its_formatting() -> None:
    _, written = page_of(
        ("user", "x"), ("assistant", "# Plan\n**now** `a<b`\n```py\nx < 1\n```\n[d](https://x.invalid/?a=1&b).")
    )
    for part in (
        "<b>Plan</b>",
        "<b>now</b>",
        "<code>a&lt;b</code>",
        "<pre>x &lt; 1</pre>",
        '<a href="https://x.invalid/?a=1&amp;b" rel="noreferrer noopener">d</a>.',
    ):
        assert part in written


def test_a_long_text_is_cut_with_the_way_to_the_rest_unless_all_is_asked_for() -> None:
    text = "".join(f"line {number}\n" for number in range(200_000))
    said: list[Said] = [("user", "x"), ("input", {"a": 1}), ("output", text)]
    page, written = page_of(*said)
    assert len(written) < CUT_BYTES + 30_000
    (after,) = re.findall(r"unspool read claude:memory/E2\.0 --after (E2\.0\+\d+)", written)
    shown = int(after.partition("+")[2])
    assert page.texts["E2.0"].partition("… ")[0].endswith(text[:shown])
    assert page_of(*said, full=True)[0].texts["E2.0"].endswith(text)
