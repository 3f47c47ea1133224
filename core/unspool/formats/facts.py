"""What the records of a source say about the session as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool.dataclass import dataclass, field, replace

if TYPE_CHECKING:
    from unspool.formats.waiting import Waiting


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the agent reports them. `input` excludes what was read from or written to the cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


@dataclass(slots=True)
class Facts:
    """What the records of one source say about the session as a whole; filled by a fold, `None` until said.

    `title` is the explicit (renamed) one, `generated_title` the agent's own, `first_prompt` the first real prompt;
    `sidechain` says that all that was said so far, and so the prompt, is of a side conversation as subagents hold it.
    `cost_usd` is what the agent says that it all cost, in dollars; most never do.
    `context_tokens` and `context_window` are the fill after the newest API message. `joined_calls` maps the id of a
    subagent to the call that started it, as far as this source tells. `waiting` is for what the agent waits behind the
    last record; whether anybody still runs it, records do not tell.
    """

    session_id: str | None = None
    title: str | None = None
    generated_title: str | None = None
    first_prompt: str | None = None
    sidechain: bool = False
    cwd: str | None = None
    branch: str | None = None
    forked_from: str | None = None
    parent: str | None = None
    agent_name: str | None = None
    models: dict[str, int] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    usage: Usage | None = None
    cost_usd: float | None = None
    context_tokens: int | None = None
    context_window: int | None = None
    joined_calls: dict[str, str] = field(default_factory=dict)
    waiting: Waiting | None = None

    def copy(self) -> Facts:
        """Return what is said so far; what a fold says from now on changes nothing of it."""
        return replace(
            self, models=self.models.copy(), versions=self.versions.copy(), joined_calls=self.joined_calls.copy()
        )
