"""For what Codex waits.

| record                                                           | waits for                            |
|------------------------------------------------------------------|--------------------------------------|
| event `exec_approval_request`, `apply_patch_approval_request`,   | permission, until that call begins,  |
| `request_permissions`                                            | ends or has its output               |
| event `request_user_input`, a call of that name,                 | question, until it is answered       |
| `elicitation_request`                                            |                                      |
| event `task_complete`                                            | turn, until the next one starts      |

A turn that a person aborted or rolled back leaves nothing that they do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.formats.fields import identity
from unspool.formats.piece import Kind, ToolPart
from unspool.formats.waiting import Standing, Waiting

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded

_EVENT: Final = "event_msg/"
_ASKING: Final[Mapping[str, Waiting]] = {
    "apply_patch_approval_request": "permission",
    "elicitation_request": "question",
    "exec_approval_request": "permission",
    "request_permissions": "permission",
    "request_user_input": "question",
}
ASKING_TOOL: Final = "request_user_input"
_RESTING: Final = frozenset({"task_complete", "turn_complete"})
_WORKING: Final = frozenset({"task_started", "thread_rolled_back", "turn_aborted", "turn_started", "user_message"})
_SETTLING: Final = frozenset({
    "exec_command_begin", "exec_command_end", "mcp_tool_call_begin", "mcp_tool_call_end", "patch_apply_begin",
    "patch_apply_end",
})  # fmt: skip
STANDING_EVENTS: Final = frozenset(f"{_EVENT}{name}" for name in (*_ASKING, *_RESTING, *_WORKING, *_SETTLING))
"""Events that say for what the agent waits, or that it does not."""


class CodexStanding(Standing):
    """Where a rollout stands."""

    def take(self, payload: Mapping[str, Any], decoded: Decoded) -> None:
        """Take the next record by its payload."""
        name = decoded.type
        if name.startswith(_EVENT):
            self._take_event(name.removeprefix(_EVENT), payload)
            return
        for piece in decoded.pieces:
            if piece.tool_part == ToolPart.OUTPUT:
                self.answered(piece.call_id)
            elif piece.tool_part == ToolPart.INPUT and piece.tool == ASKING_TOOL and piece.call_id is not None:
                self.asks(piece.call_id, "question")
            elif piece.kind in (Kind.ASSISTANT, Kind.USER):
                self.works()

    def _take_event(self, name: str, payload: Mapping[str, Any]) -> None:
        asked = _ASKING.get(name)
        if asked is not None:
            self.asks(_called(payload) or name, asked)
        elif name in _RESTING:
            self.rests()
        elif name in _WORKING:
            self.works()
        elif name in _SETTLING:
            self.answered(_called(payload))


def _called(event: Mapping[str, Any]) -> str | None:
    return identity(event.get("call_id")) or identity(event.get("id"))
