"""The outputs of one step of an agent loop: what goes into context, with the rest stored."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from unspool.errors import BlobError
from unspool.outputs.marker import blob_marker
from unspool.outputs.output import Stored, ToolOutput

if TYPE_CHECKING:
    from unspool.blobs.store import BlobStore


def into_context(results: Iterable[Any], store: BlobStore | None) -> list[str]:
    """Return the texts for a model's context, one for each result, in their order.

    Results are strings, JSON values and `ToolOutput`, side by side; errors that are to stay inline longer are given as
    `ToolOutput.of(text, error=True)`. What is stored reads `[blob:<id>] ` and its summary. Without a store all is
    inline. When storing fails, that output stays inline whole, with a warning: an output is never lost.
    """
    return [_placed(ToolOutput.of(result), store) for result in results]


def _placed(output: ToolOutput, store: BlobStore | None) -> str:
    if store is None or not isinstance(output, Stored):
        return output.whole
    try:
        return f"{blob_marker(store.store(output.content))}{output.summary}"
    except (BlobError, OSError) as error:
        message = f"an output could not be stored and stays in context whole: {error}"
        warnings.warn(message, RuntimeWarning, stacklevel=4)
        return output.whole
