"""Sessions as files that people can share: Markdown, HTML, JSON, without the secrets in them."""

from __future__ import annotations

from unspool.export.file import ENDINGS, export_file, file_name, format_of
from unspool.export.redaction import EMAIL, RULES, Redactor
from unspool.export.report import Exported
from unspool.export.session import Export, ExportFormat, export_view

__all__ = [
    "EMAIL",
    "ENDINGS",
    "RULES",
    "Export",
    "ExportFormat",
    "Exported",
    "Redactor",
    "export_file",
    "export_view",
    "file_name",
    "format_of",
]
