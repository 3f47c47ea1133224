"""A plain decoder of the sessions of every agent: slow, obvious, and nothing of unspool in it."""

from __future__ import annotations

from tests.oracle.claude import read_claude
from tests.oracle.codex import read_codex
from tests.oracle.minicode import read_minicode
from tests.oracle.session import OraclePiece, OracleSession, counts, naive_search
from tests.oracle.yoi import read_yoi

__all__ = [
    "OraclePiece",
    "OracleSession",
    "counts",
    "naive_search",
    "read_claude",
    "read_codex",
    "read_minicode",
    "read_yoi",
]
