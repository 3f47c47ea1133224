"""An agent without a model: what it says is scripted, what it does is done, and all of it is recorded.

It keeps its session as any agent can that is built on `unspool.recording`: a log, and a store for large results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass
from unspool.recording import ActiveLog, ReplacementState, SessionLog, ToolResult
from unspool.recording.stand_in import read_stand_in

if TYPE_CHECKING:
    from unspool_tui.demo.project import Project

CHARACTERS_PER_TOKEN: Final = 4
"""An estimate, as good as any without a tokenizer."""


@dataclass(frozen=True, slots=True)
class Used:
    """What became of a call: the ids of its two messages, and the path where its result was saved, if it was."""

    ids: tuple[str, str]
    saved: str | None


class Agent:
    """Works in a project and records it in a log; `wait` is called before each entry and may raise to end it."""

    def __init__(self, log: SessionLog, project: Project, wait: Callable[[], None]) -> None:
        self.log = log
        self.entries = 0
        self._project = project
        self._wait = wait
        self._store = log.result_store()
        self._decided = ReplacementState()
        self._calls = 0

    def hear(self, text: str) -> str:
        """Record what a person asks; return the id of the message, as all of these do."""
        return self._append({"role": "user", "content": text})

    def think(self, text: str) -> str:
        """Record a thought."""
        return self._append({"role": "assistant_thinking", "blocks": [{"type": "thinking", "thinking": text}]})

    def tell(self, text: str) -> str:
        """Record what is said on the way."""
        return self._append({"role": "assistant_progress", "content": text})

    def answer(self, text: str) -> str:
        """Record an answer."""
        return self._append({"role": "assistant", "content": text})

    def use(self, tool: str, **arguments: str) -> Used:
        """Use one tool."""
        return self.use_together((tool, arguments))[0]

    def use_together(self, *wanted: tuple[str, Mapping[str, str]]) -> list[Used]:
        """Use tools in one step: all calls are recorded, then all results as a model sees them."""
        ids = [self._call_id() for _ in wanted]
        asked = [
            self._append({"role": "assistant_tool_call", "toolUseId": own, "toolName": tool, "input": dict(arguments)})
            for own, (tool, arguments) in zip(ids, wanted, strict=True)
        ]
        results = []
        for own, (tool, arguments) in zip(ids, wanted, strict=True):
            outcome = self._project.use(tool, arguments)
            given = ToolResult(own, tool, outcome.text, outcome.failed)
            results.append(given.with_content(self._store.replace(given, self._decided)))
        fitted = self._store.fit_batch(results, self._decided)
        return [Used((call, self._record(result)), _saved(result)) for call, result in zip(asked, fitted, strict=True)]

    def name(self, title: str) -> None:
        """Give the session a name."""
        self._wait()
        self.log.rename(title)
        self.entries += 1

    def compact(self, summary: str, kept: int) -> None:
        """Go on with a summary and the last `kept` messages."""
        self._wait()
        messages = ActiveLog.read(self.log).messages()
        retained = messages[-kept:]
        before, after = _tokens(messages), _tokens([*retained, {"content": summary}])
        events = self.log.append_compact_boundary(summary, retained, pre_tokens=before, post_tokens=after)
        self.entries += len(events)

    def snip(self, ids: Sequence[str]) -> None:
        """Take messages out of the context."""
        self._wait()
        self.log.append_snip(ids, _tokens(self._named(ids)))
        self.entries += 1

    def collapse(self, ids: Sequence[str], summary: str) -> None:
        """Let a summary stand for messages that follow one another."""
        self._wait()
        before, after = _tokens(self._named(ids)), _tokens([{"content": summary}])
        self.log.append_collapse(ids, summary, tokens_before=before, tokens_after=after)
        self.entries += 1

    def _append(self, message: Mapping[str, Any]) -> str:
        self._wait()
        [event] = self.log.append([message])
        self.entries += 1
        return str(event["uuid"])

    def _record(self, result: ToolResult) -> str:
        told = {"toolUseId": result.tool_use_id, "toolName": result.tool_name, "content": result.content}
        return self._append({"role": "tool_result", **told, "isError": result.is_error})

    def _call_id(self) -> str:
        self._calls += 1
        return f"call_{self._calls:02}"

    def _named(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        return [message for message in ActiveLog.read(self.log).messages() if message["id"] in ids]


def _saved(result: ToolResult) -> str | None:
    """Return where a result was saved, as the text that stands in for it says."""
    told = read_stand_in(result.content)
    return told.path if told is not None else None


def _tokens(messages: Iterable[Mapping[str, Any]]) -> int:
    return sum(len(str(message)) for message in messages) // CHARACTERS_PER_TOKEN
