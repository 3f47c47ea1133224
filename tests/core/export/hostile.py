"""Texts that try to be more than text in a file for people."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</pre>", "</details></article>", "<!--", "-->",
    "<![CDATA[", "<?php", "<a href='javascript:x'>", "<b", ">", "&lt;", "&#60;script&#62;", "&", '"', "'", "<", "</",
    "![i](http://x.invalid/a.png)", "[x](javascript:alert(1))", "[x](JaVaScRiPt:1)", "[x]( javascript:1)", "](", "[",
    "[x](<javascript:1>)", "[x](data:text/html,1)", "[x](http://ok.invalid/a)", "[x][y]", "[y]: javascript:1", "]",
    "[y]:", "javascript:1", "<http://x.invalid>", "<javascript:1>", "<mailto:a@b.c>", "!", "\\", "\\<", "\\`",
    "\\\\", "`", "``", "```", "````", "~~~", "~~~~ a`b", "```html", "`<b>`", "`|`", "|", "| a | b |", "|---|---|",
    "| `a | <b>` |", "- ", "1. ", "> ", "    ", "   ", "  ", "# ", "- ```", "> ```", "1. ~~~", "===", "---", "* * *",
    "**bold**", "**", "word", "http://x.invalid/<b>", "https://x.invalid/a(b)", "\t", "\x1b[31m", "\x9b1m", "\u202e",
    "\u2028", "\x85", "\r", "\x00", "[redacted: x]", "&amp", "ftp://x.invalid", "www.x.invalid", "[^1]: ", "[ ] ",
    "$`x`$", ":", "(", ")",
)  # fmt: skip

lines = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=8).map("".join)
texts = st.lists(lines, max_size=8).map("\n".join)
"""Some lines of it."""
