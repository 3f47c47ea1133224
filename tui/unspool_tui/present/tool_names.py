"""The names of a session's tools, for who types one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

from unspool.text import clean

if TYPE_CHECKING:
    from unspool.views.view import SessionView


class MostUsed(Sequence[str]):
    """The names, most used first: every call is counted when one of them is looked at, and none before."""

    def __init__(self, view: SessionView) -> None:
        self._view = view

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        return self._names[at]

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(clean(tool, newline=False) for tool in self._view.tool_counts())
