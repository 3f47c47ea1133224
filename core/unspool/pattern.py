"""Regular expressions that are compiled when they are first used: most runs use few of all that their modules name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["pattern"]


class _Pattern:
    """Stands for a compiled expression. Each of its methods is looked up once, and is the compiled one's own then.

    What it finds has the compiled one as its `re`.
    """

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        import re

        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    from re import compile as pattern
else:
    pattern = _Pattern
