"""What a tool gave back, as the text that a model reads: strings, blocks of content, anything else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from unspool.dataclass import dataclass
from unspool.outputs.words import in_words


@dataclass(frozen=True, slots=True)
class ResultText:
    """A result: its `text`, and the blocks it was made of, `None` when it came as anything else."""

    text: str
    blocks: Sequence[Mapping[str, Any]] | None = None

    @property
    def saved(self) -> str:
        """What a file of this result holds: the text, or the blocks as JSON, indented by two spaces."""
        return self.text if self.blocks is None else json.dumps(self.blocks, ensure_ascii=False, indent=2)


def read_result(content: Any) -> ResultText:
    """Return a result in the form it is judged in.

    A list counts as blocks when every element is an object with a string `type`; a block without a string `text` reads
    `[type]`. `None` is the empty text; what is neither text nor blocks is written as compact JSON, or, when it is no
    JSON, as its `str()`.
    """
    if content is None:
        return ResultText("")
    if isinstance(content, str):
        return ResultText(content)
    if _are_blocks(content):
        return ResultText("\n".join(_block_text(block) for block in content), content)
    try:
        return ResultText(json.dumps(content, ensure_ascii=False, separators=(",", ":")))
    except (TypeError, ValueError, RecursionError):
        return ResultText(in_words(content))


def _are_blocks(content: Any) -> bool:
    return (
        isinstance(content, (list, tuple))
        and len(content) > 0
        and all(isinstance(block, Mapping) and isinstance(block.get("type"), str) for block in content)
    )


def _block_text(block: Mapping[str, Any]) -> str:
    text = block.get("text")
    return text if isinstance(text, str) else f"[{block['type']}]"
