"""The only floor that calls the library for the screens, always off their thread; answers come as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool_tui.gateway.piece_questions import PieceQuestions
from unspool_tui.gateway.search_questions import SearchQuestions
from unspool_tui.gateway.session_questions import SessionQuestions
from unspool_tui.gateway.view_questions import ViewQuestions

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.facade import Library
    from unspool_tui.gateway.left import Left
    from unspool_tui.settings.limits import Limits


class Gateway(SessionQuestions, SearchQuestions, ViewQuestions, PieceQuestions):
    """Asks a library on behalf of widgets. `left` remembers where its sessions were left.

    `polling` says why changes are found by looking again and again, `None` when they are told.
    """

    def __init__(self, library: Library, limits: Limits | None = None) -> None:
        super().__init__(library, limits)
        self.left: dict[SessionRef, Left] = {}
        self.polling: str | None = None
