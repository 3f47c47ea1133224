"""Opening a piece: everything that its header and body need, read once, in a worker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from unspool.dataclass import dataclass, replace
from unspool.formats.piece import Kind, ToolPart
from unspool_tui.present.body import rendered
from unspool_tui.present.code_lines import language_of, own_numbers
from unspool_tui.present.diff import diff_lines
from unspool_tui.present.json_lines import laid_out
from unspool_tui.present.markdown_page import RENDERED
from unspool_tui.present.patch import Patch, patch_of
from unspool_tui.present.picture_line import Pixels, pictures_of
from unspool_tui.present.seam import LOOKED_AT, seam
from unspool_tui.present.shell_call import command_lines, command_of
from unspool_tui.present.subject import Nature, Subject
from unspool_tui.present.windows import WINDOW, Request, Source, Where, Window, answer, whole

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence
    from unspool.views.reading import Slice
    from unspool_tui.present.matches import Case

_READING_TOOLS: Final = frozenset({"read", "view", "cat", "read_file", "readfile", "open_file", "notebookread"})


class View(Source, Protocol):
    """What of a session view is needed to open a piece."""

    def evidence_at(self, row: int) -> Evidence:
        """Return one row of the index."""
        ...

    def peer_row(self, row: int) -> int | None:
        """Return the row of the counterpart."""
        ...

    def arguments(self, row: int) -> Any | None:
        """Return the structured arguments of a call."""
        ...

    def result_detail(self, row: int) -> Any | None:
        """Return the agent's own record of a result."""
        ...

    def notice(self, row: int) -> str | None:
        """Return what a person must know before reading."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class OpenedPiece:
    """A piece and the window it is opened with; `last` says that the last match is wanted, not the first."""

    subject: Subject
    window: Window
    last: bool = False


def open_piece(
    view: View, row: int, *, line: int | None = None, query: str = "", case: Case = "smart", last: bool = False
) -> OpenedPiece:
    """Read what a reader shows first: the wanted line, else the first match of `query`, else where reading begins.

    With `last` it is the last match instead of the first.

    Reads the source: two or three windows at most for a piece that did not fail. Raises what the view raises.
    """
    subject = _subject(view, row)
    wanted = Request(subject, Where.OPENING)
    if line is not None:
        wanted = Request(subject, Where.LINE, line)
    elif query:
        where, at = (Where.PREVIOUS, subject.evidence.bytes) if last else (Where.NEXT, 0)
        wanted = Request(subject, where, at, query=query, case=case)
    return OpenedPiece(subject, whole(subject) or _first_window(view, subject, wanted), last)


def _first_window(view: View, subject: Subject, wanted: Request) -> Window:
    window = answer(view, wanted)
    window = window or answer(view, Request(subject, Where.OPENING))
    assert window is not None  # only a search finds nothing
    return window


def _subject(view: View, row: int) -> Subject:
    evidence = view.evidence_at(row)
    peer_row = view.peer_row(row)
    is_call = evidence.tool_part is ToolPart.INPUT
    call, result = (row, peer_row) if is_call else (peer_row, row)
    arguments = view.arguments(call) if call is not None and evidence.kind is Kind.TOOL else None
    head = view.slice(evidence.id, bytes=(0, WINDOW))
    patch = None
    if is_call:
        detail = view.result_detail(row if result is None else result)
        patch = patch_of(arguments, detail, head.text if head.at_end else "")
    path = _path(evidence, arguments)
    command = command_of(evidence.tool, arguments) if is_call else None
    lines, nature = _laid_out(patch, command, arguments, head, evidence)
    nature = nature or _nature(evidence, path, head)
    subject = Subject(
        evidence=evidence,
        nature=nature,
        peer=view.evidence_at(peer_row) if peer_row is not None else None,
        arguments=arguments,
        path=path,
        patch=patch,
        laid_out=lines,
        seam=_seam(view, evidence, head),
        notice=view.notice(row),
        pictures=_pictures(view, evidence),
        file_line=next(iter(own_numbers(head.text.split("\n", 2)[:2])), None) if nature is Nature.FILE else None,
    )
    renders = nature is Nature.PROSE and head.at_end and head.total_bytes <= RENDERED
    return replace(subject, page=rendered(head.text, subject)) if renders else subject


def _laid_out(
    patch: Patch | None, command: str | None, arguments: Any, head: Slice, evidence: Evidence
) -> tuple[Any, Nature | None]:
    """Return the lines of a body that is better not shown as it was written, and its nature."""
    if patch is not None:
        return diff_lines(patch), Nature.DIFF
    if command is not None and head.at_end:
        return command_lines(command, arguments), Nature.COMMAND
    if evidence.kind is Kind.TOOL and head.at_end and "\n" not in head.text.strip():
        lines = laid_out(head.text)
        return lines, Nature.JSON if lines is not None else None
    return None, None


def _pictures(view: View, evidence: Evidence) -> Mapping[int | None, Pixels]:
    """Return the pixels of the images whose data begins near the beginning of the record."""
    if not evidence.images:
        return {}
    return pictures_of(view.slice(evidence.id, bytes=(0, WINDOW), raw=True).text)


def _nature(evidence: Evidence, path: str, head: Slice) -> Nature:
    if evidence.kind is not Kind.TOOL:
        return Nature.PROSE
    if evidence.tool_part is ToolPart.INPUT:
        return Nature.PLAIN
    reads = (evidence.tool or "").lower() in _READING_TOOLS
    numbered = reads and any(own_numbers(head.text.split("\n", 2)[:2]))
    return Nature.FILE if numbered or (reads and language_of(path) is not None) else Nature.OUTPUT


def _path(evidence: Evidence, arguments: Any) -> str:
    if isinstance(arguments, dict):
        for key in ("file_path", "filePath", "path", "notebook_path", "filename"):
            if isinstance(arguments.get(key), str):
                return str(arguments[key])
    return evidence.files[0] if evidence.files else ""


def _seam(view: View, evidence: Evidence, head: Slice) -> int | None:
    if evidence.model_bytes is None:
        return None
    seen = view.slice(evidence.id, bytes=(0, LOOKED_AT), model_view=True)
    return seam(seen.text, head.text[:LOOKED_AT])
