"""What a read is aimed at, in any of the forms that people and programs write."""

from __future__ import annotations

from unspool.ids import EntryRange, EvidenceId, Reference

Target = str | EvidenceId | EntryRange | Reference
"""An id, a range, a reference, or the text of an id or range."""


def parse_target(target: Target) -> EntryRange:
    """Return the range that a target names; raises `BadReference`."""
    if isinstance(target, EntryRange):
        return target
    if isinstance(target, EvidenceId):
        return EntryRange.of(target)
    if isinstance(target, Reference):
        return target.target
    return Reference.parse(target).target if "/" in target else EntryRange.parse(target)
