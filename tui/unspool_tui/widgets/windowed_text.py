"""A text in windows: those that are missing are asked for, taken in, and looked through for words."""

from __future__ import annotations

from typing import Final

from textual import on
from textual.message import Message
from textual.reactive import reactive

from unspool.dataclass import dataclass
from unspool.text import clean, size
from unspool_tui.present.found import Found
from unspool_tui.present.matches import Case, pattern_of
from unspool_tui.present.pages import Move, Pages, Spot
from unspool_tui.present.reader_foot import Foot, foot_of
from unspool_tui.present.rendered import RenderedPages
from unspool_tui.present.requests import Requests
from unspool_tui.present.subject import Nature, Subject
from unspool_tui.present.windows import Request, Where, Window
from unspool_tui.widgets.covered import CoveredColumn
from unspool_tui.widgets.reader_body import ReaderBody
from unspool_tui.widgets.reader_foot import ReaderFoot

ABOVE: Final = 1 / 3
"""Share of the body that stays above a match that is gone to."""


@dataclass
class Posted(Message):
    """What a text in windows says to its screen."""

    reader: WindowedText

    @property
    def control(self) -> WindowedText:
        """Who says it."""
        return self.reader


class WindowedText(CoveredColumn):
    """Keeps a body and a foot supplied; it reads nothing itself.

    Every request carries a generation, and an answer to an older one is dropped. One window is asked for at a time.
    A subclass composes a `ReaderBody` and a `ReaderFoot`.
    """

    words: reactive[str] = reactive("", repaint=False)
    """Words that are looked for and highlighted."""
    case: reactive[Case] = reactive("smart", repaint=False)
    """How the words are compared."""
    model_view: reactive[bool] = reactive(False, repaint=False)
    """Whether what the model saw is shown instead of everything."""
    raw: reactive[bool] = reactive(False, repaint=False)
    """Whether the record itself is shown."""

    @dataclass
    class Wanted(Posted):
        """A window is needed: answer with `deliver` or `fail`, and this generation."""

        request: Request
        generation: int

    @dataclass
    class SearchEnded(Posted):
        """There is no further match in this piece."""

        words: str
        backward: bool

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.subject: Subject | None = None
        self._requests = Requests()
        self._said = ""
        self._trouble = ""

    @property
    def body(self) -> ReaderBody:
        """The part with the text, which takes the focus."""
        return self.query_one(ReaderBody)

    # What the screen calls.

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
            self.tell()

    def go_to_line(self, line: int) -> None:
        """Go to a line, counted from 1, or as its file counts where the lines say so."""
        pages = self.body.pages
        if pages is None:
            return
        line = max(1, line - pages.shift)
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
        """Number of the first line in view as written, and how many there are; `None` where none has a number."""
        pages = self.body.pages
        if pages is None or not pages.written.numbered or self.raw:
            return None
        return pages.first_line + pages.line_of(self.body.top_spot()[0]), pages.last.total_lines

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
        self.tell()

    def _replace(self, window: Window, *, last: bool = False) -> None:
        """Show a window that does not go on from those at hand; a whole body at its first match, or its last one."""
        subject = self.subject
        assert subject is not None
        pages = self.pages_of(window)
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
            self.body.found.go((len(window.lines), 0) if last else (0, 0), backward=last, here=True)
            self._at_match()
        self.tell()

    def pages_of(self, window: Window) -> Pages:
        """Return the pages that a window begins."""
        return Pages(window)

    # Matches.

    def _look_again(self, spot: Spot | None) -> None:
        """Find the matches in the lines at hand; the one at a spot is the present one."""
        pages = self.body.pages
        lines = pages.lines if pages is not None and not isinstance(pages, RenderedPages) else ()
        found = Found(lines, pattern_of(self.words, self.case))
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
        self.tell()

    def _whole_is_here(self, backward: bool) -> bool:
        pages = self.body.pages
        if pages is None or self.raw or not pages.first.numbered:
            return True
        return pages.at_start if backward else pages.at_end

    def _search_ended(self, *, backward: bool) -> None:
        self._said = f"no {'earlier' if backward else 'further'} match"
        self.tell()
        self.post_message(self.SearchEnded(self, self.words, backward))

    # Telling.

    def tell(self) -> None:
        """Bring what stands around the body up to date."""
        self.query_one(ReaderFoot).foot = self._foot()

    def say(self, words: str) -> None:
        """Say something in the foot, until the next move."""
        self._said = words
        self.tell()

    def _foot(self) -> Foot | None:
        pages = self.body.pages
        if pages is None:
            return Foot(trouble=self._trouble) if self._trouble else None
        return foot_of(pages, self.body.found if self.words else None, said=self._said, trouble=self._trouble)

    # What the parts say.

    def watch_words(self) -> None:
        """Highlight other words."""
        if self.is_mounted:
            self._said = ""
            self._look_again(None)
            self.tell()

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
            self.tell()
