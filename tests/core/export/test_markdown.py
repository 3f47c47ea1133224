"""Markdown that a reader renders shows what was said, and lets nothing of it act."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.core.export.hostile import texts
from tests.sessions import Said, view_of
from unspool.export import export_view
from unspool.export.as_markdown import code_span, escaped
from unspool.text import clean

READERS = (
    MarkdownIt("commonmark", {"html": True}),
    MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]),
)
for reader in READERS:
    reader.validateLink = lambda url: True  # type: ignore[method-assign]    # a reader that believes everything


def markdown_of(*said: Said, **options: bool) -> str:
    """Return the Markdown of a session."""
    written: list[str] = []
    export_view(view_of(said), written.append, "md", **options)
    return "".join(written)


def tokens(markdown: str, reader: MarkdownIt) -> Iterator[Token]:
    """Yield every token that a reader makes."""
    for token in reader.parse(markdown):
        yield token
        yield from token.children or ()


def live(markdown: str) -> list[str]:
    """Return what a reader would not only show: HTML, images, links to anything but http and https."""
    found = []
    for reader in READERS:
        for token in tokens(markdown, reader):
            target = str(token.attrs.get("href", "http://"))
            if token.type in ("html_block", "html_inline", "image") or not target.startswith(("http://", "https://")):
                found.append(f"{token.type} {token.content or target}")
    return found


def shown(markdown: str) -> str:
    """Return all text that a reader shows."""
    wanted = ("text", "code_inline", "fence", "code_block")
    return "\n".join(token.content for token in tokens(markdown, READERS[0]) if token.type in wanted)


def headings(markdown: str) -> list[str]:
    """Return the headings that stand at the margin: ours."""
    return [token.tag for token in READERS[0].parse(markdown) if token.type == "heading_open" and token.level == 0]


@given(texts, texts)
@example("| a | b |\n|---|---|\n| `a | <b>` |", "")
@example("```\n<b>\n- ```\n<script>", "- ```\n  x\n  ```\n```\n<script>\n```\n<script>")
@example("`a\nb` <script>`", "[x]\n(javascript:1)\n[y]\n: javascript:1")
@example("> ```\n> <b>\n<script>\n```\n<script>", "~~~ `\n<b>\n~~~\n<script>")
def test_nothing_of_a_session_is_live(one: str, other: str) -> None:
    markdown = markdown_of(
        ("user", one or "x"), ("assistant", other or "x"), ("input", {one: other}), ("output", other)
    )
    assert live(markdown) == []


@given(texts)
def test_every_piece_has_its_heading_and_nothing_of_a_session_is_one(text: str) -> None:
    markdown = markdown_of(("user", "x" + text), ("assistant", "x" + text), ("input", {"a": text}), ("output", text))
    assert headings(markdown) == ["h1", "h2", "h3", "h3", "h3"]


@given(texts)
def test_an_output_is_shown_letter_for_letter(text: str) -> None:
    markdown = markdown_of(("user", "x"), ("input", {"a": 1}), ("output", text))
    fences = [token.content for token in READERS[0].parse(markdown) if token.type == "fence"]
    wanted = clean(text)
    assert fences[-1] == wanted + ("" if wanted.endswith("\n") or not wanted else "\n")


@given(texts)
def test_a_code_span_shows_any_text_on_one_line(text: str) -> None:
    (paragraph,) = [token for token in READERS[0].parse(f"a {code_span(text)} b") if token.type == "inline"]
    kinds = [token.type for token in paragraph.children or ()]
    assert kinds == ["text", "code_inline", "text"]


def test_prose_keeps_its_formatting() -> None:
    text = "# Plan\n\n- **first** `a < b` and a < b, AT&T\n\n```python\nif a < b & c: <tag>\n```\n[docs](https://x.invalid)"
    kinds = {token.type for token in tokens(markdown_of(("user", "x"), ("assistant", text)), READERS[0])}
    assert {"heading_open", "bullet_list_open", "strong_open", "code_inline", "fence", "link_open"} <= kinds
    words = shown(markdown_of(("user", "x"), ("assistant", text)))
    assert [part for part in ("a < b", "AT&T", "if a < b & c: <tag>") if part not in words] == []


@pytest.mark.parametrize(
    "line", ["a < b", "x <= 3 && y", "5 * 3 _ok_ **ok**", "`<b>` and `x`", "[x](https://a.invalid/b)"]
)
def test_what_cannot_act_is_left_as_it_was_written(line: str) -> None:
    assert escaped(line) == line


def test_a_fence_in_a_list_or_quote_is_written_at_the_margin() -> None:
    text = "1. run\n   ```sh\n   ls <dir>\n   ```\n> ~~~\n> x\n> ~~~\nend"
    fences = [
        token for token in tokens(markdown_of(("user", "x"), ("assistant", text)), READERS[0]) if token.type == "fence"
    ]
    assert [(token.info, token.content) for token in fences] == [("sh", "ls <dir>\n"), ("", "x\n")]


def test_a_fence_is_longer_than_any_run_of_backticks_inside() -> None:
    markdown = markdown_of(("user", "x"), ("input", {"a": 1}), ("output", "a\n`````\nb ``````` c"))
    assert re.search(r"^`{8}text$", markdown, re.MULTILINE)


def test_a_long_text_without_cuts_is_fenced_all_the_same() -> None:
    text = "".join(f"{number} {'`' * (number % 9)}\n" for number in range(150_000)) + "`" * 12
    markdown = markdown_of(("user", "x"), ("input", {"a": 1}), ("output", text), full=True)
    fences = [token.content for token in READERS[0].parse(markdown) if token.type == "fence"]
    assert fences[-1] == text + "\n"
