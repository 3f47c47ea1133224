"""The only floor that calls the library for the screens, always off their thread; answers come as messages."""

from __future__ import annotations

from unspool_tui.gateway.piece_questions import PieceQuestions
from unspool_tui.gateway.search_questions import SearchQuestions
from unspool_tui.gateway.session_questions import SessionQuestions
from unspool_tui.gateway.view_questions import ViewQuestions


class Gateway(SessionQuestions, SearchQuestions, ViewQuestions, PieceQuestions):
    """Asks a library on behalf of widgets."""
