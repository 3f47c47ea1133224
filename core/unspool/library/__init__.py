"""The facade: open roots, list sessions, take a view."""

from __future__ import annotations

from unspool.library.facade import Library
from unspool.library.opening import open_library
from unspool.library.roots import RootReport
from unspool.library.summary import SessionSummary
from unspool.library.targets import Place, Target

__all__ = ["Library", "Place", "RootReport", "SessionSummary", "Target", "open_library"]
