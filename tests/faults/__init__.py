"""Campaigns against storage: calls that fail, writers that are killed, power that goes away.

`python -m tests.faults` (or `make faults`) runs them long and prints figures; a short form of each is a test.
"""

from __future__ import annotations

from typing import Final

IN_MEMORY: Final = "/dev/shm"
"""Where Linux keeps files in memory."""
