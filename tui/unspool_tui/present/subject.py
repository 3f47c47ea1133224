"""What is being read: one piece, its counterpart, and how its body is best shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from unspool.dataclass import dataclass, field
from unspool.formats.piece import Flag, Kind, ToolPart

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence
    from unspool_tui.present.lines import Line
    from unspool_tui.present.markdown_page import MarkdownPage
    from unspool_tui.present.patch import Patch
    from unspool_tui.present.picture_line import Pixels


class Nature(Enum):
    """How a body is shown."""

    PROSE = "prose"  # markdown, line by line
    OUTPUT = "output"  # what a program printed, its colours included
    FILE = "file"  # a file that a tool read
    PLAIN = "plain"  # a script, a patch that is none, a raw record
    DIFF = "diff"  # laid out anew: what an edit changed
    COMMAND = "command"  # laid out anew: what a shell was told
    JSON = "json"  # laid out anew: structured input or output


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One piece, ready to be read.

    `peer` is the call of a result and the first result of a call. `arguments` are those of the call, when they are
    structured. `laid_out` holds the lines of a body that is not shown as written (such as `JSON`), else `None`.
    `seam` counts the bytes from the beginning that the model saw, `None` when it saw all or something else.
    `notice` is what a person must know before reading ("full output not found"). `page` is the text with its Markdown
    rendered, `None` for what is none, or too long. `pictures` has the pixels of its images, by their bytes.
    `file_line` is the number in its file of the first line, where a tool that read it says so.
    """

    evidence: Evidence
    nature: Nature
    peer: Evidence | None = None
    arguments: Any = None
    path: str = ""
    patch: Patch | None = None
    laid_out: Sequence[Line] | None = None
    seam: int | None = None
    notice: str | None = None
    page: MarkdownPage | None = None
    pictures: Mapping[int | None, Pixels] = field(default_factory=dict)
    file_line: int | None = None

    @property
    def call(self) -> Evidence | None:
        """The call: the piece itself or its counterpart."""
        return self.evidence if self.evidence.tool_part is ToolPart.INPUT else self.peer

    @property
    def took(self) -> int | None:
        """Milliseconds from the call to its result; `None` for other pieces and for times that run backwards."""
        if self.evidence.tool_part is not ToolPart.OUTPUT or self.peer is None:
            return None
        start, end = self.peer.time, self.evidence.time
        return end - start if start is not None and end is not None and end >= start else None

    @property
    def failed(self) -> bool:
        """Whether this is an output that failed."""
        return self.evidence.failed

    @property
    def shortened(self) -> bool:
        """Whether the model saw less than there is."""
        return self.evidence.model_bytes is not None

    @property
    def cut(self) -> bool:
        """Whether the agent cut it and kept the rest nowhere: the model saw what there is, and not what there was."""
        return Flag.SHORTENED in self.evidence.flags and not self.shortened

    @property
    def ink(self) -> str:
        """The token of its plain text."""
        if Flag.REASONING in self.evidence.flags:
            return "soft"
        if self.evidence.kind is Kind.SYSTEM:
            return "muted"
        return "output" if self.evidence.tool_part is ToolPart.OUTPUT else "text"
