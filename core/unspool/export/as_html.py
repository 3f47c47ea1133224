"""HTML: one file that needs nothing else, with an anchor for each piece, tool calls folded, everything escaped."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.export.display import cleaned
from unspool.export.figures import size
from unspool.export.page_look import SCRIPT, STYLE
from unspool.export.prose import Code, closing, parts
from unspool.export.who import facts_of, headline, who
from unspool.formats.piece import Flag, ToolPart
from unspool.pattern import pattern
from unspool.text import clean

if TYPE_CHECKING:
    from unspool.export.exhibit import Exhibit
    from unspool.export.heading import Heading
    from unspool.export.report import Exported, Prompts
    from unspool.ids import EvidenceId

_SPAN: Final = pattern(
    r"(?P<fence>`++)"
    r"|\*\*(?P<bold>[^\s*](?:[^*\n]{0,400}[^\s*])?)\*\*"
    r"|\[(?P<words>[^\[\]\n]{1,400})\]\((?P<target>https?://[^\s()<>\"]{1,2000})\)"
    r"|(?P<url>https?://[^\s<>\"'`|\\)\]}]{1,2000})"
)
_HEADLINE: Final = pattern(r"#{1,6} +(?P<words>.*?)(?: +#+)?\Z")
_MARK: Final = pattern(r"\[redacted: [a-z-]+\]")


class HtmlWriter:
    """Writes a page; `ref` leads to what was cut, `holds` says which pieces are in the page and can be linked to."""

    def __init__(self, ref: str, holds: Callable[[EvidenceId], bool]) -> None:
        self._ref = ref
        self._holds = holds

    def begin(self, heading: Heading, prompts: Prompts) -> Iterator[str]:
        """Yield the head of the page, the session, and links to its prompts."""
        policy = (
            f"default-src 'none'; style-src 'sha256-{_digest(STYLE)}'; script-src 'sha256-{_digest(SCRIPT)}'; "
            "base-uri 'none'; form-action 'none'"
        )
        facts = "".join(f"<span>{escaped(fact)}</span>" for fact in (heading.ref, *heading.facts()))
        yield (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="dark light">\n'
            f"<title>{escaped(heading.title)}</title>\n<style>{STYLE}</style>\n</head>\n"
            f"<body{' class=told' if len(prompts) > 1 else ''}>\n"
        )
        yield f'<header>\n<h1>{escaped(heading.title)}</h1>\n<p class="facts">{facts}</p>\n</header>\n'
        if len(prompts) > 1:
            links = (f'<li><a href="#{id}">{escaped(words) or str(id)}</a></li>' for id, words in prompts)
            yield "<nav>\n<h2>Prompts</h2>\n<ol>\n" + "\n".join(links) + "\n</ol>\n</nav>\n"
        yield "<main>\n"

    def piece(self, exhibit: Exhibit) -> Iterator[str]:
        """Yield one piece."""
        evidence = exhibit.evidence
        names = [str(evidence.kind) if evidence.tool_part is None else str(evidence.tool_part)]
        names += ["reasoning"] if Flag.REASONING in evidence.flags else []
        yield f'<article class="{" ".join(names)}" id="{evidence.id}">'
        if evidence.tool_part is None:
            yield f'<div class="head">{self._head(exhibit)}</div><div class="prose">'
            yield from _prose(exhibit)
            yield "</div>" + self._remarks(exhibit)
        else:
            opened = " open" if Flag.ERROR in evidence.flags else ""
            yield f'<details{opened}><summary><span class="head">{self._head(exhibit)}</span></summary><pre>'
            yield from _plain(exhibit)
            yield "</pre>" + self._remarks(exhibit) + "</details>"
        yield "</article>\n"

    def end(self, exported: Exported) -> Iterator[str]:
        """Yield what was redacted and cut, and the end of the page."""
        cut = f"; {exported.cut} cut" if exported.cut else ""
        yield f"</main>\n<footer>{escaped(exported.redacted())}{cut}</footer>\n"
        yield f"<script>{SCRIPT}</script>\n</body>\n</html>\n"

    def _head(self, exhibit: Exhibit) -> str:
        """Return who speaks, the id, and what is said beside."""
        evidence = exhibit.evidence
        what = headline(evidence)
        words = [f'<span class="who">{html.escape(who(evidence))}</span>']
        words += [f'<span class="what">{html.escape(what)}</span>'] if what else []
        words.append(f'<a class="id" href="#{evidence.id}">{evidence.id}</a>')
        for fact in facts_of(evidence):
            if fact != what:
                name = "bad" if fact.startswith("✗") else "seen" if fact.startswith("model saw") else "facts"
                words.append(f'<span class="{name}">{html.escape(fact)}</span>')
        peer = evidence.peer
        if evidence.tool_part is ToolPart.OUTPUT and peer is not None and self._holds(peer):
            words.append(f'<a class="id" href="#{peer}">call {peer}</a>')
        return " ".join(words)

    def _remarks(self, exhibit: Exhibit) -> str:
        written = ""
        if exhibit.cut is not None:
            command = f"unspool read {self._ref}/{exhibit.evidence.id} --after {exhibit.cut.after}"
            written += f'<p class="cut">… {size(exhibit.cut.left)} more: <code>{escaped(command)}</code></p>'
        if exhibit.notice is not None:
            written += f'<p class="notice">{escaped(exhibit.notice)}</p>'
        return written


def escaped(text: str) -> str:
    """Return one line of any text as HTML."""
    return html.escape(clean(text, newline=False))


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _plain(exhibit: Exhibit) -> Iterator[str]:
    """Yield a text as it is; a line feed that a reader of HTML would drop at the beginning is written twice."""
    first = True
    for block in cleaned(exhibit.blocks()):
        yield ("\n" if first and block.startswith("\n") else "") + _marked(html.escape(block))
        first = False


def _prose(exhibit: Exhibit) -> Iterator[str]:
    """Yield a text with its fences, headings, code, bold words and links shown as such."""
    if exhibit.text is None:
        yield from _plain(exhibit)
        return
    lines: list[str] = []
    for part in parts(clean(exhibit.text)):
        if isinstance(part, Code):
            yield _marked("\n".join(lines))
            code = "\n".join(part.lines)
            yield f"<pre>{_marked(html.escape(code))}</pre>"
            lines = []
        else:
            lines.append(_line(part.text))
    yield _marked("\n".join(lines))


def _line(line: str) -> str:
    heading = _HEADLINE.match(line)
    return f"<b>{_inline(heading['words'])}</b>" if heading is not None else _inline(line)


def _inline(line: str) -> str:
    written: list[str] = []
    done = 0
    while (found := _SPAN.search(line, done)) is not None:
        written.append(html.escape(line[done : found.start()]))
        done = found.end()
        if found["fence"]:
            end = closing(line, done, len(found["fence"]))
            written.append(found["fence"] if end is None else f"<code>{html.escape(line[done : end[0]])}</code>")
            done = done if end is None else end[1]
        elif found["bold"]:
            written.append(f"<b>{html.escape(found['bold'])}</b>")
        else:
            target = found["target"] or found["url"].rstrip(".,;:!?*")
            words = found["words"] or target
            written.append(f'<a href="{html.escape(target)}" rel="noreferrer noopener">{html.escape(words)}</a>')
            done = found.end() if found["target"] else found.start() + len(target)
    return "".join([*written, html.escape(line[done:])])


def _marked(escaped_text: str) -> str:
    return _MARK.sub(lambda match: f"<mark>{match[0]}</mark>", escaped_text)
