"""The reader: one piece, its header, the body in bounded windows, and a foot that always says what is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive

from unspool.text import clean, size
from unspool_tui.keymap import bindings
from unspool_tui.present.found import Found
from unspool_tui.present.matches import Case, pattern_of
from unspool_tui.present.opening import OpenedPiece
from unspool_tui.present.pages import Move, Pages, Spot
from unspool_tui.present.reader_foot import Foot, foot_of
from unspool_tui.present.reader_header import Mode
from unspool_tui.present.requests import Requests
from unspool_tui.present.subject import Nature, Subject
from unspool_tui.present.windows import Request, Where, Window
from unspool_tui.widgets.reader_body import ReaderBody
from unspool_tui.widgets.reader_foot import ReaderFoot
from unspool_tui.widgets.reader_header import ReaderHeader
from unspool_tui.widgets.reader_prompt import ReaderPrompt

ABOVE: Final = 1 / 3
"""Share of the body that stays above a match that is gone to."""


@dataclass
class _Posted(Message):
    """What the reader says to its screen."""

    reader: Reader

    @property
    def control(self) -> Reader:
        """The reader."""
        return self.reader


@dataclass(slots=True)
class _Kept:
    """Full text, as it was left for the model view or the raw record."""

    pages: Pages
    spot: Spot


class Reader(Vertical):
    """Shows what it is given and posts what it needs; it reads nothing and knows no other pane.

    Every request carries a generation, and an answer to an older one is dropped. One window is asked for at a time.
    """

    DEFAULT_CSS = "Reader { height: 1fr; width: 1fr; background: $u-ground; }"
    BINDINGS = bindings("reader.wrap", "reader.model", "reader.raw", "reader.find", "match.next", "match.previous")

    words: reactive[str] = reactive("", repaint=False)
    """Words that are looked for and highlighted."""
    case: reactive[Case] = reactive("smart", repaint=False)
    """How the words are compared."""
    wrap: reactive[bool] = reactive(True, repaint=False)
    """Whether long lines are broken."""
    model_view: reactive[bool] = reactive(False, repaint=False)
    """Whether what the model saw is shown instead of everything."""
    raw: reactive[bool] = reactive(False, repaint=False)
    """Whether the record itself is shown."""
    tz: reactive[tzinfo | None] = reactive(None, repaint=False)
    """Time zone of the times; `None` for this machine's own."""

    @dataclass
    class Wanted(_Posted):
        """A window is needed: answer with `deliver` or `fail`, and this generation."""

        request: Request
        generation: int

    @dataclass
    class SearchEnded(_Posted):
        """There is no further match in this piece."""

        words: str
        backward: bool

    @dataclass
    class WordsTyped(_Posted):
        """Other words were typed in the reader."""

        words: str

    @dataclass
    class PeerWanted(_Posted):
        """The counterpart of the piece was clicked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.subject: Subject | None = None
        self._requests = Requests()
        self._kept: _Kept | None = None
        self._said = ""
        self._trouble = ""

    def compose(self) -> ComposeResult:
        """Stack header, body, the line for words, foot."""
        yield ReaderHeader()
        yield ReaderBody()
        yield ReaderPrompt()
        yield ReaderFoot()

    # What the screen calls.

    def show(self, opened: OpenedPiece) -> None:
        """Show a piece that was just opened."""
        self.subject = opened.subject
        self._kept = None
        self.set_reactive(Reader.model_view, False)
        self.set_reactive(Reader.raw, False)
        self._forget_requests()
        self._replace(opened.window)

    def clear(self) -> None:
        """Show nothing."""
        self.subject, self._kept = None, None
        self._forget_requests()
        self.body.open(None)
        self._tell()

    def deliver(self, window: Window | None, generation: int) -> None:
        """Take the answer to a request: a window, or `None` for no match."""
        request = self._requests.answered(generation)
        if request is None:
            return
        if window is None:
            self._search_ended(backward=request.where is Where.PREVIOUS)
        elif not self._requests.pointless(request):
            self._take(request, window)
        following = self._requests.following()
        if following is not None:
            self._ask(following)

    def fail(self, words: str, generation: int) -> None:
        """Say that a request could not be answered."""
        if self._requests.answered(generation) is not None:
            self._forget_requests()
            self._trouble = clean(words, newline=False)
            self._tell()

    def go_to_line(self, line: int) -> None:
        """Go to a line, counted from 1."""
        pages = self.body.pages
        if pages is None:
            return
        if pages.complete or pages.first_line <= line <= pages.last_line:
            index = max(0, min(line - pages.first_line, len(pages.lines) - 1))
            self.body.go_to((index, 0), above=3)
        else:
            self._want(Where.LINE, line)

    def next_match(self, *, backward: bool = False) -> None:
        """Go to the next match from the present one on, or from what is in view; back with `backward`."""
        body = self.body
        if not self.words or body.pages is None:
            return
        start = body.found.spot or body.top_spot()
        if body.found.go(start, backward=backward, here=body.found.spot is None):
            self._at_match()
        elif self._whole_is_here(backward):
            self._search_ended(backward=backward)
        elif backward:
            self._want(Where.PREVIOUS, body.pages.first.start)
        else:
            self._want(Where.NEXT, max(0, body.pages.last.stop - size(self.words) + 1))

    @property
    def position(self) -> tuple[int, int] | None:
        """Number of the first line in view and how many lines there are; `None` where lines have no numbers."""
        pages = self.body.pages
        if pages is None or not pages.first.numbered or self.raw:
            return None
        return pages.first_line + self.body.top_spot()[0], pages.last.total_lines

    @property
    def body(self) -> ReaderBody:
        """The part with the text, which takes the focus."""
        return self.query_one(ReaderBody)

    def focus(self, scroll_visible: bool = True) -> Reader:
        """Give the focus to the body."""
        self.body.focus(scroll_visible)
        return self

    # Windows.

    def _want(self, where: Where, at: int) -> None:
        if self.subject is not None:
            self._ask(Request(self.subject, where, at, self.model_view, self.raw, self.words, self.case))

    def _ask(self, request: Request) -> None:
        generation = self._requests.want(request)
        if generation is not None:
            self.post_message(self.Wanted(self, request, generation))

    def _forget_requests(self) -> None:
        self._requests.forget()
        self._said = self._trouble = ""

    def _take(self, request: Request, window: Window) -> None:
        pages = self.body.pages
        move: Move | None = None
        if pages is not None and request.where is Where.AFTER:
            move = pages.append(window)
        elif pages is not None and request.where is Where.BEFORE:
            move = pages.prepend(window)
        if move is not None:
            now = self.body.found.spot
            self._look_again(move.of(now) if now is not None else None)
            self.body.extend(move)
        elif request.where not in (Where.AFTER, Where.BEFORE):
            self._replace(window)
        self._tell()

    def _replace(self, window: Window) -> None:
        """Show a window that does not go on from those at hand."""
        subject = self.subject
        assert subject is not None
        pages = Pages(window)
        full = not self.model_view and not self.raw
        seam = (subject.seam, window.total_bytes) if full and subject.seam is not None else None
        squeeze = subject.nature is Nature.OUTPUT and not self.raw
        self._said = window.said
        self.body.open(pages, squeeze=squeeze, seam=seam)
        spot = pages.spot_of(window.match[0]) if window.match is not None else None
        self._look_again(spot)
        if spot is not None:
            self._at_match()
        elif window.target != (0, 0):
            self.body.go_to(window.target, above=3)
        elif not window.numbered and self.words and self.body.found.count:
            self.next_match()
        self._tell()

    # Matches.

    def _look_again(self, spot: Spot | None) -> None:
        """Find the matches in the lines at hand; the one at a spot is the present one."""
        pages = self.body.pages
        found = Found(pages.lines if pages is not None else (), pattern_of(self.words, self.case))
        if spot is not None:
            found.go(spot, here=True)
        self.body.mark(found)

    def _at_match(self) -> None:
        """Bring the present match into view."""
        body = self.body
        body.mark(body.found)
        spot = body.found.spot
        if spot is not None and not body.in_view(spot):
            body.go_to(spot, above=int(body.size.height * ABOVE))
        self._said = self._trouble = ""
        self._tell()

    def _whole_is_here(self, backward: bool) -> bool:
        pages = self.body.pages
        if pages is None or self.raw or not pages.first.numbered:
            return True
        return pages.at_start if backward else pages.at_end

    def _search_ended(self, *, backward: bool) -> None:
        self._said = f"no {'earlier' if backward else 'further'} match"
        self._tell()
        self.post_message(self.SearchEnded(self, self.words, backward))

    # Telling.

    def _tell(self) -> None:
        """Bring header and foot up to date."""
        header = self.query_one(ReaderHeader)
        header.zone = self.tz
        header.mode = Mode(self.model_view, self.raw, self.body.has_focus)
        if header.subject is not self.subject:
            header.subject = self.subject
        self.query_one(ReaderFoot).foot = self._foot()

    def _foot(self) -> Foot | None:
        pages = self.body.pages
        if pages is None:
            return Foot(trouble=self._trouble) if self._trouble else None
        return foot_of(pages, self.body.found if self.words else None, said=self._said, trouble=self._trouble)

    # Keys, and what the parts say.

    def action_wrap(self) -> None:
        """Break long lines, or cut them."""
        self.wrap = not self.wrap

    def action_model(self) -> None:
        """Show what the model saw, or everything again."""
        if self.subject is not None and not self.subject.shortened:
            self._said = "the model saw all of this"
            self._tell()
        elif self.subject is not None:
            self._turn(model_view=not self.model_view, raw=False)

    def action_raw(self) -> None:
        """Show the record itself, or the piece again."""
        if self.subject is not None:
            self._turn(model_view=False, raw=not self.raw)

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
        self._forget_requests()
        kept, subject = self._kept, self.subject
        if not model_view and not raw and kept is not None and subject is not None:
            seam = (subject.seam, kept.pages.last.total_bytes) if subject.seam is not None else None
            body.open(kept.pages, squeeze=subject.nature is Nature.OUTPUT, seam=seam)
            body.go_to(kept.spot)
            self._look_again(None)
            self._tell()
        else:
            self._tell()
            self._want(Where.START, 0)

    def watch_wrap(self, wrap: bool) -> None:
        """Hand the wish on to the body."""
        if self.is_mounted:
            self.body.wrap = wrap

    def watch_tz(self) -> None:
        """Write the times anew."""
        if self.is_mounted:
            self._tell()

    def watch_words(self) -> None:
        """Highlight other words."""
        if self.is_mounted:
            self._said = ""
            self._look_again(None)
            self._tell()

    def watch_case(self) -> None:
        """Compare in another way."""
        self.watch_words()

    @on(ReaderBody.Wanted)
    def _window_wanted(self, event: ReaderBody.Wanted) -> None:
        event.stop()
        self._want(event.where, event.at)

    @on(ReaderBody.Moved)
    def _body_moved(self, event: ReaderBody.Moved) -> None:
        event.stop()
        if self._said and not self.words:
            self._said = ""
            self._tell()

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
        self._tell()

    def on_descendant_blur(self) -> None:
        """Dim the header."""
        self._tell()
