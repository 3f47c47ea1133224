"""The writing side of a session, for people who build agents: tool results, the session's log, resume.

What is written is MiniCode's format. `session_log` writes the events of a session, `active_log` reads them back in one
pass, `resume` gives what an agent goes on with. `tool_results` decides which results are saved beside the log,
`stand_in` writes and reads the text that takes their place, `side_file` names their files, `utf16` measures as the
format does.
"""

from __future__ import annotations

from unspool.recording.active_log import ActiveLog
from unspool.recording.clearing import Cleared
from unspool.recording.collapse import CollapseState
from unspool.recording.place import SessionPlace
from unspool.recording.replacement_state import ReplacementState
from unspool.recording.resume import RuntimeState, load_runtime_state, load_transcript
from unspool.recording.session_log import SessionLog
from unspool.recording.tool_results import ResultLimits, ToolResult, ToolResultStore
from unspool.recording.transcript import TranscriptEntry

__all__ = [
    "ActiveLog",
    "Cleared",
    "CollapseState",
    "ReplacementState",
    "ResultLimits",
    "RuntimeState",
    "SessionLog",
    "SessionPlace",
    "ToolResult",
    "ToolResultStore",
    "TranscriptEntry",
    "load_runtime_state",
    "load_transcript",
]
