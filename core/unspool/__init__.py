"""Read coding-agent sessions as bounded, citable evidence."""

from __future__ import annotations

__version__ = "0.1.0"
