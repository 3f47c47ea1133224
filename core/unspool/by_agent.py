"""What each agent has one of, each imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar, cast

__all__ = ["ByAgent"]

_Own = TypeVar("_Own")


class ByAgent(Generic[_Own]):
    """One object for each agent, in a fixed order; `homes` are the module of `package` and the name of each."""

    def __init__(self, package: str, homes: Mapping[str, tuple[str, str]]) -> None:
        self._package, self._homes = package, homes
        self._known: dict[str, _Own] = {}

    @property
    def agents(self) -> tuple[str, ...]:
        """The names that references use, in order."""
        return tuple(self._homes)

    def get(self, agent: str) -> _Own | None:
        """Return what an agent has, by the name that references use (`claude`); `None` for other names."""
        return self._own(agent) if agent in self._homes else None

    def __iter__(self) -> Iterator[_Own]:
        return map(self._own, self._homes)

    def __len__(self) -> int:
        return len(self._homes)

    def _own(self, agent: str) -> _Own:
        if agent not in self._known:
            module, name = self._homes[agent]
            self._known[agent] = cast("_Own", getattr(import_module(f"{self._package}.{module}"), name))
        return self._known[agent]
