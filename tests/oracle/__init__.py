"""A plain decoder of Claude Code and Codex sessions: slow, obvious, and nothing of unspool in it."""

from __future__ import annotations

from tests.oracle.claude import read_claude
from tests.oracle.codex import read_codex
from tests.oracle.session import OraclePiece, OracleSession, counts, naive_search

__all__ = ["OraclePiece", "OracleSession", "counts", "naive_search", "read_claude", "read_codex"]
