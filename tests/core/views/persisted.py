"""Sessions whose long outputs lie in files beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from unspool.columns.side_files import SideFiles
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.ids import EvidenceId, SessionRef
from unspool.stores.artifacts import ArtifactFolder
from unspool.views.view import SessionView

SESSION = "5f1d9b0e-77aa-4c43-9a59-0c4b3e1d2a10"
ORIGIN = "a3c2e8d4-1b60-4f7e-8d1f-6f0e9b7c5d21"
PREVIEW = "the beginning of it"


def stub(name: str, *, session: str = SESSION, preview: str = PREVIEW, home: str = "/home/else/.claude") -> str:
    """What the model saw in place of a long output that was saved as `name` on another machine."""
    return (
        "<persisted-output>\nOutput too large (64.1KB). Full output saved to: "
        f"{home}/projects/-srv-shop/{session}/tool-results/{name}\n\n"
        f"Preview (first 2KB):\n{preview}\n...\n</persisted-output>"
    )


def side_folder(project: Path, session: str = SESSION) -> Path:
    """The folder of a session's side files, made if it is not there."""
    folder = project / session / "tool-results"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def session_of(
    project: Path, *outputs: object, shares: Callable[[str, str], bool] = lambda session, call: False
) -> SessionView:
    """A view of a session with one call `toolu_<n>` for each output; outputs are E2.0, E4.0, …"""
    records: list[dict[str, object]] = [{"type": "user", "uuid": "u", "message": {"content": "Check everything"}}]
    for number, output in enumerate(outputs):
        call = f"toolu_{number}"
        used = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"check {number}"}}
        told = {"type": "tool_result", "tool_use_id": call, "content": output}
        records.append({"type": "assistant", "uuid": f"a{number}", "message": {"content": [used]}})
        records.append({"type": "user", "uuid": f"r{number}", "message": {"content": [told]}})
    path = project / f"{SESSION}.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    side_files = SideFiles(ArtifactFolder(str(project), (SESSION, "tool-results")), shares)
    return SessionView.open(str(path), SessionRef("claude", SESSION), CLAUDE_CODE, side_files)


def output_id(number: int = 0) -> EvidenceId:
    """The id of the output of call `toolu_<number>`."""
    return EvidenceId(2 * number + 2, 0)
