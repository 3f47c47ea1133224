"""Times as the command writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def iso(milliseconds: int | None) -> str | None:
    """Return milliseconds since 1970 as ISO 8601 UTC (`2026-06-01T09:00:01.000Z`), `None` for none or out of range."""
    if milliseconds is None:
        return None
    try:
        moment = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
