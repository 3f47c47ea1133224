"""Large tool results: saved beside the session's log, with a stand-in in the context of the model.

A result over its tool's threshold is saved whole; when the results of one step are together over the budget of a
batch, the largest that were not decided on before are saved too. Sizes are UTF-16 code units of the text, as the
format counts. When saving fails, the whole result stays in context, with a warning: nothing is ever lost.
"""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from unspool.blobs.calls import OS, Os
from unspool.blobs.folder import make_folder
from unspool.blobs.new_file import write_new
from unspool.dataclass import dataclass, field
from unspool.errors import BlobConflict
from unspool.recording.folders import open_folder
from unspool.recording.replacement_state import ReplacementState
from unspool.recording.result_text import ResultText, read_result
from unspool.recording.side_file import ENDINGS, is_name_of, safe_name, second_name
from unspool.recording.stand_in import OPENING, StandIn, read_stand_in, write_stand_in
from unspool.recording.utf16 import length, without_half
from unspool.text import utf8

THRESHOLD: Final = 50_000
TOOL_THRESHOLDS: Final[Mapping[str, float]] = {"run_command": 30_000, "grep_files": 20_000, "read_file": math.inf}
"""Tools that differ. A reader of files bounds itself; saving what it read would only copy the file."""

BATCH_BUDGET: Final = 200_000
PREVIEW: Final = 2_000
SHELL_PREVIEW: Final = 5_000
"""A command's output tells at its beginning what ran; a model that sees more of it asks less often."""
SHELL_TOOLS: Final = frozenset({"run_command", "bash", "local_bash"})

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One result: `content` is a text, a list of content blocks, or any JSON value."""

    tool_use_id: str
    tool_name: str
    content: Any
    is_error: bool = False

    def with_content(self, text: str) -> ToolResult:
        """Return the result with a text for its content."""
        return ToolResult(self.tool_use_id, self.tool_name, text, self.is_error)


@dataclass(frozen=True, slots=True)
class ResultLimits:
    """Sizes above which results are saved, in UTF-16 code units; `math.inf` for never."""

    threshold: float = THRESHOLD
    by_tool: Mapping[str, float] = field(default_factory=lambda: TOOL_THRESHOLDS)
    batch: int = BATCH_BUDGET

    def of(self, tool_name: str) -> float:
        """Return the threshold of a tool."""
        return self.by_tool.get(tool_name, self.threshold)


class ToolResultStore:
    """Saves the large results of one session in `folder`, and decides by a `ReplacementState` what a model sees.

    `origins` are the folders of the sessions that this one was forked from: their stand-ins are known too.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        limits: ResultLimits | None = None,
        origins: Sequence[str | os.PathLike[str]] = (),
        calls: Os = OS,
    ) -> None:
        self.folder = Path(folder).absolute()
        self.limits = limits or ResultLimits()
        self._origins = tuple(Path(origin).absolute() for origin in origins)
        self._calls = calls

    def settle(self, results: Iterable[ToolResult], state: ReplacementState) -> list[ToolResult]:
        """Return the results of one step as a model sees them: each within its threshold, together within the budget.

        This is `replace` for each and then `fit_batch`; the decisions are noted in `state`.
        """
        results = list(results)
        for result in results:
            self.replace(result, state)
        return self.fit_batch(results, state)

    def replace(self, result: ToolResult, state: ReplacementState) -> str:
        """Return what a model sees of one result, and note the decision in `state`.

        A decision that was taken before is given again, byte for byte.
        """
        known = self._decided(result, state)
        if known is not None:
            return known
        read = read_result(result.content)
        threshold = self.limits.of(result.tool_name)
        if not math.isfinite(threshold) or length(read.text) <= threshold:
            return read.text
        return self._saved(result, read, state)

    def fit_batch(self, results: Iterable[ToolResult], state: ReplacementState) -> list[ToolResult]:
        """Return the results of one step as a model sees them: together within the budget, as far as that goes.

        While they are over it, the largest one that was not decided on before is saved, the lesser id first where two
        are alike. Every result is decided on afterwards, so that no later batch looks at it again.
        """
        results = list(results)
        texts: list[str] = []
        fresh: list[tuple[int, str, int, ResultText]] = []
        for place, result in enumerate(results):
            known = self._decided(result, state)
            read = read_result(result.content) if known is None else ResultText(known)
            texts.append(read.text)
            if known is None and result.tool_use_id not in state.seen_ids:
                if math.isfinite(self.limits.of(result.tool_name)):
                    fresh.append((-length(read.text), result.tool_use_id, place, read))
                state.keep(result.tool_use_id)
        over = sum(map(length, texts)) - self.limits.batch
        for _, _, place, read in sorted(fresh, key=lambda candidate: candidate[:3]):
            if over <= 0:
                break
            before = length(texts[place])
            texts[place] = self._saved(results[place], read, state)
            over -= before - length(texts[place])
        return [result.with_content(text) for result, text in zip(results, texts, strict=True)]

    def rebuild(self, results: Iterable[ToolResult]) -> ReplacementState:
        """Return the state that led to results as a log holds them: all were seen, our stand-ins were decided."""
        return self.rebuild_from((result.tool_use_id, result.content) for result in results)

    def rebuild_from(self, results: Iterable[tuple[str, Any]]) -> ReplacementState:
        """Return what `rebuild` does, of the ids of results and their contents."""
        state = ReplacementState()
        for tool_use_id, content in results:
            state.seen_ids.add(tool_use_id)
            if isinstance(content, str) and content.startswith(OPENING) and self.is_ours(content, tool_use_id):
                state.replace(tool_use_id, content)
        return state

    def is_ours(self, text: str, tool_use_id: str) -> bool:
        """Say whether a text is a stand-in of ours, and not the output of a tool that looks like one.

        It is when it has the whole grammar, names a file of this id in this session's folder or one it was forked
        from, and its preview is how that file begins. The path's folder is not followed: only its name is looked up.
        """
        told = read_stand_in(text)
        if told is None:
            return False
        name = told.path.replace("\\", "/").rpartition("/")[2]
        stem, dot, ending = name.rpartition(".")
        if dot + ending not in ENDINGS or not is_name_of(stem, tool_use_id):
            return False
        return any(self._begins_with(folder, name, told) for folder in (self.folder, *self._origins))

    def _decided(self, result: ToolResult, state: ReplacementState) -> str | None:
        """Return what a decision gives that needs no saving, `None` when there is none."""
        tool_use_id = result.tool_use_id
        if tool_use_id in state.replacements:
            return state.replacements[tool_use_id]
        text = read_result(result.content).text
        if not text.strip():
            state.keep(tool_use_id)
            return f"({result.tool_name} completed with no output)"
        if self.is_ours(text, tool_use_id):
            return state.replace(tool_use_id, text)
        return None

    def _saved(self, result: ToolResult, read: ResultText, state: ReplacementState) -> str:
        """Save a result and return its stand-in; when that fails, the result itself, with a warning."""
        saved = read.saved
        try:
            path = self._write(result.tool_use_id, saved, ".txt" if read.blocks is None else ".json")
        except (OSError, BlobConflict) as error:
            message = f"the result of {result.tool_name} could not be saved and stays in context whole: {error}"
            warnings.warn(message, RuntimeWarning, stacklevel=4)
            return read.text
        units = SHELL_PREVIEW if result.tool_name in SHELL_TOOLS else PREVIEW
        text = write_stand_in(path=str(path), text=read.text, size=length(saved), preview_units=units)
        return state.replace(result.tool_use_id, text)

    def _write(self, tool_use_id: str, saved: str, ending: str) -> Path:
        """Write a result's file; another content that is there already keeps its name. Return the path."""
        make_folder(self._calls, str(self.folder))
        data = utf8(saved)
        with open_folder(self._calls, self.folder) as folder:
            name = f"{safe_name(tool_use_id)}{ending}"
            try:
                write_new(self._calls, folder, name, data)
            except BlobConflict:
                name = f"{second_name(tool_use_id, saved)}{ending}"
                write_new(self._calls, folder, name, data)
        return self.folder / name

    def _begins_with(self, folder: Path, name: str, told: StandIn) -> bool:
        """Say whether a file of a folder begins as a stand-in says; only as much as that needs is read."""
        wanted = utf8(without_half(told.preview))
        try:
            with open_folder(self._calls, folder) as descriptor:
                file = self._calls.open(name, _READ, dir_fd=descriptor)
                try:
                    if name.endswith(".txt"):
                        return self._calls.read(file, 0, len(wanted)) == wanted
                    size = self._calls.stat(file).st_size
                    return utf8(read_result(json.loads(self._calls.read(file, 0, size))).text).startswith(wanted)
                finally:
                    self._calls.close(file)
        except (OSError, ValueError, RecursionError):
            return False
