"""Sizes and numbers as an exported file writes them."""

from __future__ import annotations


def size(count: int) -> str:
    """Write bytes in powers of 1000, two figures below 10: `812 B`, `2.0 KB`, `38 KB`, `5.6 MB`."""
    if count < 1000:
        return f"{count} B"
    value, unit = count / 1000, "KB"
    for larger in ("MB", "GB", "TB"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"


def figure(number: int) -> str:
    """Write a number in groups of three: `48 210`."""
    return f"{number:,}".replace(",", " ")


def counted(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun: `1 piece`, `48 210 pieces`."""
    return f"{figure(number)} {one if number == 1 else many or one + 's'}"


def moment(time: str | None) -> str:
    """Shorten a time in ISO 8601 to the second: `2026-03-01 10:00:01 UTC`; nothing for none."""
    return f"{time[:10]} {time[11:19]} UTC" if time else ""
