"""Markdown: texts as quotes with their own formatting, calls and outputs as fenced code.

Nothing of a session is left to be taken for anything else: no HTML, no heading of ours, no image that a reader would
fetch, no link but to http and https.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.export.display import cleaned
from unspool.export.figures import size
from unspool.export.prose import Code, closing, parts
from unspool.export.who import facts_of, who
from unspool.formats.piece import Kind
from unspool.pattern import pattern
from unspool.text import clean

if TYPE_CHECKING:
    from unspool.export.exhibit import Exhibit
    from unspool.export.heading import Heading
    from unspool.export.report import Exported, Prompts

_LEAST_FENCE: Final = 3

_LIVE: Final = pattern(
    r"(?P<pair>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>`++)"
    r"|(?P<tag><(?=[A-Za-z/!?]))"
    r"|(?P<entity>&(?=[#A-Za-z]))"
    r"|(?P<image>!(?=\[))"
    r"|(?P<link>\](?:\((?=https?://)|(?=[(\[:])))"
    r"|(?P<scheme>(?:(?<=ftp)|(?<=mailto)|(?<=xmpp)):)"
)
"""What may be more than text to a reader of Markdown."""


class MarkdownWriter:
    """Writes Markdown; `ref` leads to what was cut."""

    def __init__(self, ref: str) -> None:
        self._ref = ref

    def begin(self, heading: Heading, prompts: Prompts) -> Iterator[str]:
        """Yield the title and the facts."""
        facts = "  \n".join(code_span(fact) for fact in heading.facts())
        yield f"# {escaped(heading.title)}\n\n{code_span(heading.ref)}  \n{facts}\n"

    def piece(self, exhibit: Exhibit) -> Iterator[str]:
        """Yield one piece."""
        evidence = exhibit.evidence
        level = "##" if evidence.kind is Kind.USER else "###"
        words = [str(evidence.id), who(evidence), *facts_of(evidence)]
        yield f"\n{level} {words[0]} {code_span(words[1])}" + "".join(f" · {code_span(word)}" for word in words[2:])
        yield "\n\n"
        if evidence.tool_part is None and exhibit.text is not None:
            yield from _quote(clean(exhibit.text))
        else:
            yield from _fenced(exhibit)
        yield from self._remarks(exhibit)

    def end(self, exported: Exported) -> Iterator[str]:
        """Yield what was redacted and cut."""
        yield f"\n---\n\n{exported.redacted()}"
        yield f"; {exported.cut} cut\n" if exported.cut else "\n"

    def _remarks(self, exhibit: Exhibit) -> Iterator[str]:
        if exhibit.cut is not None:
            command = f"unspool read {self._ref}/{exhibit.evidence.id} --after {exhibit.cut.after}"
            yield f"\n*… {size(exhibit.cut.left)} more:* {code_span(command)}\n"
        if exhibit.notice is not None:
            yield f"\n*{escaped(clean(exhibit.notice, newline=False))}*\n"


def escaped(line: str) -> str:
    """Return one line of cleaned text as Markdown that shows just it: code spans stay, nothing else is live.

    Every run of backticks that is left has its partner in the same line, so that no reader pairs it with another.
    """
    written: list[str] = []
    done, unpaired = 0, set[int]()
    while (found := _LIVE.search(line, done)) is not None:
        written.append(line[done : found.start()])
        done = found.end()
        if found["code"]:
            end = _closing(line, done, len(found[0]), unpaired)
            if end is not None:
                written.append(line[found.start() : end])
                done = end
                continue
        written.append(_inert(found))
    return "".join([*written, line[done:]])


def _closing(line: str, start: int, length: int, unpaired: set[int]) -> int | None:
    """Return where a code span ends, `None` where it has no end or a table could cut it open."""
    if length in unpaired:
        return None
    found = closing(line, start, length)
    if found is None:
        unpaired.add(length)
        return None
    return None if "|" in line and "<" in line[start : found[0]] else found[1]


def _inert(found: re.Match[str]) -> str:
    sign = found[0]
    if found["pair"]:
        return sign
    if found["tag"] or found["entity"]:
        return {"<": "&lt;", "&": "&amp;"}[sign]
    if found["link"]:
        return sign if len(sign) > 1 else f"\\{sign}"
    return "".join(f"\\{each}" for each in sign)


def code_span(text: str) -> str:
    """Return any text as a code span."""
    shown = clean(text, newline=False)
    runs = _Runs()
    runs.add(shown)
    fence = "`" * (runs.longest + 1)
    gap = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{gap}{shown}{gap}{fence}"


def _quote(text: str) -> Iterator[str]:
    for part in parts(text):
        if isinstance(part, Code):
            lines: Iterable[str] = (f"{part.fence}{part.language}", *part.lines, part.fence)
        else:
            lines = (escaped(part.text),)
        yield "".join(f"> {line}".rstrip() + "\n" for line in lines)


def _fenced(exhibit: Exhibit) -> Iterator[str]:
    """Yield the text between fences that are longer than any run of backticks in it; a long text is gone over twice.

    What is yielded on the first way is empty: whoever writes may give up there too.
    """
    runs = _Runs()
    for block in cleaned(exhibit.blocks(again=True)):
        runs.add(block)
        yield ""
    fence = "`" * max(_LEAST_FENCE, runs.longest + 1)
    yield f"{fence}{_language(exhibit)}\n"
    last = "\n"
    for block in cleaned(exhibit.blocks()):
        yield block
        last = block[-1:] or last
    yield ("" if last == "\n" else "\n") + f"{fence}\n"


def _language(exhibit: Exhibit) -> str:
    if exhibit.told or exhibit.evidence.tool_part is None:
        return "text"
    return "diff" if (exhibit.text or "").startswith(("*** Begin Patch", "diff --git")) else "text"


class _Runs:
    """How many backticks stand together at most, across blocks too."""

    def __init__(self) -> None:
        self.longest = self._open = 0

    def add(self, block: str) -> None:
        """Look at the next block."""
        for run in re.finditer("`+", block):
            length = len(run[0]) + (self._open if run.start() == 0 else 0)
            self.longest = max(self.longest, length)
        whole = block == "`" * len(block)
        self._open = (self._open if whole else 0) + len(block) - len(block.rstrip("`"))
