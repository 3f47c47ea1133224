"""The reader: one piece, its header, the body in bounded windows, and a foot that always says what is shown."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING

from textual import on
from textual.reactive import reactive

from unspool.dataclass import dataclass, replace
from unspool_tui.keymap import bindings
from unspool_tui.present import numbers
from unspool_tui.present.found import Found
from unspool_tui.present.layout import ENDLESS
from unspool_tui.present.matches import pattern_of
from unspool_tui.present.reader_header import Mode
from unspool_tui.present.rendered import RenderedPages, pages_of
from unspool_tui.present.subject import Nature
from unspool_tui.present.windows import Where, Window
from unspool_tui.widgets.reader_body import ReaderBody
from unspool_tui.widgets.reader_foot import ReaderFoot
from unspool_tui.widgets.reader_header import ReaderHeader
from unspool_tui.widgets.reader_prompt import ReaderPrompt
from unspool_tui.widgets.windowed_text import Posted, WindowedText

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool_tui.present.opening import OpenedPiece
    from unspool_tui.present.pages import Pages, Spot
    from unspool_tui.present.reader_foot import Foot


@dataclass(slots=True)
class _Kept:
    """Full text, as it was left for the model view or the raw record."""

    pages: Pages
    spot: Spot


class Reader(WindowedText):
    """Shows what it is given and posts what it needs; it reads nothing and knows no other pane."""

    DEFAULT_CSS = "Reader { height: 1fr; width: 1fr; }"
    BINDINGS = bindings(
        "reader.wrap", "reader.model", "reader.raw", "reader.markdown", "reader.find", "match.next", "match.previous"
    )

    wrap: reactive[bool] = reactive(True, repaint=False)
    """Whether long lines are broken."""
    written: reactive[bool] = reactive(False, repaint=False)
    """Whether texts are shown as they were written, though their Markdown could be rendered."""
    tz: reactive[tzinfo | None] = reactive(None, repaint=False)
    """Time zone of the times; `None` for this machine's own."""

    @dataclass
    class WordsTyped(Posted):
        """Other words were typed in the reader."""

        words: str

    @dataclass
    class Turned(Posted):
        """Another text of the piece is shown."""

    @dataclass
    class PeerWanted(Posted):
        """The counterpart of the piece was clicked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._kept: _Kept | None = None

    def compose(self) -> ComposeResult:
        """Stack header, body, the line for words, foot."""
        yield ReaderHeader()
        yield ReaderBody()
        yield ReaderPrompt()
        yield ReaderFoot()

    @property
    def asking(self) -> bool:
        """Whether words to look for are being typed."""
        return self.query_one(ReaderPrompt).asking

    @property
    def idle(self) -> frozenset[str]:
        """The ids of commands that have nothing to do on this piece."""
        subject = self.subject
        model = subject is not None and subject.shortened
        markdown = subject is not None and subject.page is not None and not self.raw and not self.model_view
        known = {"reader.model": model, "reader.markdown": markdown}
        return frozenset(name for name, does in known.items() if not does)

    # What the screen calls.

    def show(self, opened: OpenedPiece) -> None:
        """Show a piece that was just opened."""
        self.subject = opened.subject
        self._kept = None
        self.set_reactive(Reader.model_view, False)
        self.set_reactive(Reader.raw, False)
        self._forget_requests()
        self._replace(opened.window, last=opened.last)

    def renew(self, opened: OpenedPiece) -> None:
        """Show the same piece after it grew; what is in view stays in view, and so does the chosen text of it."""
        body, pages = self.body, self.body.pages
        if self.model_view or self.raw or pages is None:
            self.subject, self._kept = opened.subject, None
            self.tell()
            return
        line, character = body.top_spot()
        number, match = pages.first_line + line, body.found.spot
        self.show(opened)
        pages = body.pages
        if pages is not None and number >= pages.first_line:
            if match is not None:
                self._look_again((match[0] + number - line - pages.first_line, match[1]))
            body.go_to((min(number - pages.first_line, len(pages.lines)), character))
        self.tell()

    def pages_of(self, window: Window) -> Pages:
        """Render a text, unless it is to be shown as it was written: a place in it is wanted, or it holds a match."""
        page = self.subject.page if self.subject is not None and not self.raw and not self.model_view else None
        placed = self.written or window.match is not None or window.target != (0, 0)
        return pages_of(window, page, rendered=not placed and not self._count(window))

    def go_to_line(self, line: int) -> None:
        """Go to a line of the text as it was written, counted from 1."""
        self._turn_page(rendered=False)
        super().go_to_line(line)

    def next_match(self, *, backward: bool = False) -> None:
        """Go to the next match; a text that holds one is shown as it was written."""
        pages = self.body.pages
        if isinstance(pages, RenderedPages) and self._count(pages.written):
            self._turn_page(rendered=False)
        super().next_match(backward=backward)

    def watch_words(self) -> None:
        """Highlight other words; without any a text is rendered again."""
        super().watch_words()
        if self.is_mounted and not self.words and not self.written:
            self._turn_page(rendered=True)

    def _count(self, window: Window) -> int:
        """Return how many matches a window holds."""
        return Found(window.lines, pattern_of(self.words, self.case)).count

    def _turn_page(self, *, rendered: bool) -> None:
        """Show the text rendered, or as it was written, from the same line on; nothing happens where it cannot be."""
        body, pages = self.body, self.body.pages
        page = self.subject.page if self.subject is not None and not self.raw and not self.model_view else None
        if pages is None or page is None or isinstance(pages, RenderedPages) is rendered:
            return
        line = pages.line_of(body.top_spot()[0])
        shown = pages_of(pages.written, page, rendered=rendered)
        body.open(shown)
        body.go_to((shown.index_of(line), 0))
        self._look_again(None)
        self.tell()

    def clear(self) -> None:
        """Show nothing."""
        self.subject, self._kept = None, None
        self._forget_requests()
        self.body.open(None)
        self.tell()

    def focus(self, scroll_visible: bool = True) -> Reader:
        """Give the focus to the body."""
        self.body.focus(scroll_visible)
        return self

    # Telling.

    def tell(self) -> None:
        """Bring header and foot up to date."""
        header = self.query_one(ReaderHeader)
        header.zone = self.tz
        header.mode = Mode(self.model_view, self.raw, self.body.has_focus)
        if header.subject is not self.subject:
            header.subject = self.subject
        super().tell()

    def _foot(self) -> Foot | None:
        foot, subject, pages = super()._foot(), self.subject, self.body.pages
        if foot is None or subject is None or subject.nature is not Nature.PROSE or self.raw or self.model_view:
            return foot
        if isinstance(pages, RenderedPages):
            count = self._count(pages.written)
            return replace(foot, form="rendered", match=(None, count) if count else foot.match)
        return replace(foot, form="as written" if subject.page is not None else "as written, too long to be rendered")

    # Keys, and what the parts say.

    def action_wrap(self) -> None:
        """Break long lines, or cut them."""
        self.wrap = not self.wrap
        lines = self.body.pages.lines if self.body.pages is not None else ()
        if not self.wrap and any(len(line.text) > ENDLESS for line in lines):
            self.say(f"lines over {numbers.full(ENDLESS)} characters stay broken")

    def action_model(self) -> None:
        """Show what the model saw, or everything again."""
        if self.subject is not None and not self.subject.shortened:
            cut = "the model saw this; the rest is lost"
            self.say(cut if self.subject.cut else "the model saw all of this")
        elif self.subject is not None:
            self._turn(model_view=not self.model_view, raw=False)

    def action_raw(self) -> None:
        """Show the record itself, or the piece again."""
        if self.subject is not None:
            self._turn(model_view=False, raw=not self.raw)

    def action_markdown(self) -> None:
        """Show a text as it was written, or its Markdown rendered."""
        if self.subject is None or self.subject.nature is not Nature.PROSE or self.raw or self.model_view:
            self.say("only a text can be rendered")
        elif self.subject.page is None:
            self.say("shown as written; too long or too deep to be rendered")
        else:
            self.written = isinstance(self.body.pages, RenderedPages)
            self._turn_page(rendered=not self.written)

    def action_find(self) -> None:
        """Ask for words to look for."""
        self.query_one(ReaderPrompt).ask(self.words)

    def action_match(self, by: int) -> None:
        """Go to the next match, or the one before."""
        self.next_match(backward=by < 0)

    def _turn(self, *, model_view: bool, raw: bool) -> None:
        """Show another text of the piece; the full one comes back as it was left."""
        body = self.body
        if not self.model_view and not self.raw and body.pages is not None:
            self._kept = _Kept(body.pages, body.top_spot())
        self.model_view, self.raw = model_view, raw
        self.post_message(self.Turned(self))
        self._forget_requests()
        kept, subject = self._kept, self.subject
        if not model_view and not raw and kept is not None and subject is not None:
            seam = (subject.seam, kept.pages.last.total_bytes) if subject.seam is not None else None
            body.open(kept.pages, squeeze=subject.nature is Nature.OUTPUT, seam=seam)
            body.go_to(kept.spot)
            self._look_again(None)
            self.tell()
        else:
            self.tell()
            self._want(Where.START, 0)

    def watch_wrap(self, wrap: bool) -> None:
        """Hand the wish on to the body."""
        if self.is_mounted:
            self.body.wrap = wrap

    def watch_tz(self) -> None:
        """Write the times anew."""
        if self.is_mounted:
            self.tell()

    @on(ReaderPrompt.Answered)
    def _words_typed(self, event: ReaderPrompt.Answered) -> None:
        event.stop()
        self.body.focus()
        if event.words is None:
            return
        self.words = event.words
        self.post_message(self.WordsTyped(self, event.words))
        self.next_match()

    @on(ReaderHeader.SwitchClicked)
    def _switch_clicked(self, event: ReaderHeader.SwitchClicked) -> None:
        event.stop()
        self.action_model()

    @on(ReaderHeader.PeerClicked)
    def _peer_clicked(self, event: ReaderHeader.PeerClicked) -> None:
        event.stop()
        self.post_message(self.PeerWanted(self))

    def on_descendant_focus(self) -> None:
        """Light the header."""
        self.tell()

    def on_descendant_blur(self) -> None:
        """Dim the header."""
        self.tell()
