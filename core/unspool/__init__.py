"""Read coding-agent sessions as bounded, citable evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

__version__ = "0.1.0"

if TYPE_CHECKING:
    from unspool.blobs.background import AsyncBlobStore
    from unspool.blobs.content import Structured, Text
    from unspool.blobs.files import FileBlobStore
    from unspool.blobs.memory import MemoryBlobStore
    from unspool.blobs.store import BlobStore
    from unspool.errors import (
        Ambiguous,
        BadEvent,
        BadQuery,
        BadReference,
        BlobConflict,
        BlobError,
        BlobNotFound,
        NotFound,
        SourceChanged,
        Unreadable,
        UnspoolError,
        Unwritable,
    )
    from unspool.export import Exported, export_file, export_view
    from unspool.ids import BlobId, EntryRange, EvidenceId, Reference, SessionRef
    from unspool.library import Library, SessionSummary, open_library
    from unspool.outputs.batch import into_context
    from unspool.outputs.output import Inline, Stored, ToolOutput
    from unspool.outputs.summary import summarize
    from unspool.recording import (
        ActiveLog,
        ReplacementState,
        ResultLimits,
        SessionLog,
        ToolResult,
        ToolResultStore,
        load_runtime_state,
        load_transcript,
    )
    from unspool.retention import RetentionPlan, apply_retention, plan_retention
    from unspool.text import clean
    from unspool.views.anchor import SourceAnchor
    from unspool.views.bounds import Bounds, Truncation
    from unspool.views.evidence import Evidence
    from unspool.views.filter import Filter
    from unspool.views.hits import Hit, SearchResult
    from unspool.views.inspect_tool import inspect_tool, loop_tools
    from unspool.views.inspecting import inspect
    from unspool.views.overview import Overview, OverviewItem
    from unspool.views.reading import Reading
    from unspool.views.tools import ToolSpec, reference_tools
    from unspool.views.view import SessionView

_HOMES: Final = {
    "ActiveLog": "recording",
    "Ambiguous": "errors",
    "AsyncBlobStore": "blobs.background",
    "BadEvent": "errors",
    "BadQuery": "errors",
    "BadReference": "errors",
    "BlobConflict": "errors",
    "BlobError": "errors",
    "BlobId": "ids",
    "BlobNotFound": "errors",
    "BlobStore": "blobs.store",
    "Bounds": "views.bounds",
    "EntryRange": "ids",
    "Evidence": "views.evidence",
    "EvidenceId": "ids",
    "Exported": "export",
    "FileBlobStore": "blobs.files",
    "Filter": "views.filter",
    "Hit": "views.hits",
    "Inline": "outputs.output",
    "Library": "library",
    "MemoryBlobStore": "blobs.memory",
    "NotFound": "errors",
    "Overview": "views.overview",
    "OverviewItem": "views.overview",
    "Reading": "views.reading",
    "Reference": "ids",
    "ReplacementState": "recording",
    "ResultLimits": "recording",
    "RetentionPlan": "retention",
    "SearchResult": "views.hits",
    "SessionLog": "recording",
    "SessionRef": "ids",
    "SessionSummary": "library",
    "SessionView": "views.view",
    "SourceAnchor": "views.anchor",
    "SourceChanged": "errors",
    "Stored": "outputs.output",
    "Structured": "blobs.content",
    "Text": "blobs.content",
    "ToolOutput": "outputs.output",
    "ToolResult": "recording",
    "ToolResultStore": "recording",
    "ToolSpec": "views.tools",
    "Truncation": "views.bounds",
    "Unreadable": "errors",
    "UnspoolError": "errors",
    "Unwritable": "errors",
    "apply_retention": "retention",
    "clean": "text",
    "export_file": "export",
    "export_view": "export",
    "inspect": "views.inspecting",
    "inspect_tool": "views.inspect_tool",
    "into_context": "outputs.batch",
    "load_runtime_state": "recording",
    "load_transcript": "recording",
    "loop_tools": "views.inspect_tool",
    "open_library": "library",
    "plan_retention": "retention",
    "reference_tools": "views.tools",
    "summarize": "outputs.summary",
}
"""Where each public name lives; it is imported when it is first asked for, so that a short run stays short."""

__all__ = [
    "ActiveLog",
    "Ambiguous",
    "AsyncBlobStore",
    "BadEvent",
    "BadQuery",
    "BadReference",
    "BlobConflict",
    "BlobError",
    "BlobId",
    "BlobNotFound",
    "BlobStore",
    "Bounds",
    "EntryRange",
    "Evidence",
    "EvidenceId",
    "Exported",
    "FileBlobStore",
    "Filter",
    "Hit",
    "Inline",
    "Library",
    "MemoryBlobStore",
    "NotFound",
    "Overview",
    "OverviewItem",
    "Reading",
    "Reference",
    "ReplacementState",
    "ResultLimits",
    "RetentionPlan",
    "SearchResult",
    "SessionLog",
    "SessionRef",
    "SessionSummary",
    "SessionView",
    "SourceAnchor",
    "SourceChanged",
    "Stored",
    "Structured",
    "Text",
    "ToolOutput",
    "ToolResult",
    "ToolResultStore",
    "ToolSpec",
    "Truncation",
    "Unreadable",
    "UnspoolError",
    "Unwritable",
    "apply_retention",
    "clean",
    "export_file",
    "export_view",
    "inspect",
    "inspect_tool",
    "into_context",
    "load_runtime_state",
    "load_transcript",
    "loop_tools",
    "open_library",
    "plan_retention",
    "reference_tools",
    "summarize",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
