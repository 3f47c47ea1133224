"""Holding what the command answers about a home against what is right about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.running import Answer, unspool

AMPLE = ("--max-bytes", "9999999", "--max-tokens", "9999999")
"""Bounds that no piece of these homes reaches."""

OTHERS = ("twin", "replayed", "abandoned", "reasoning")


def sessions(home: Path) -> dict[str, dict[str, Any]]:
    """Return the list of a home by path, empty sessions included."""
    answer = unspool("sessions", "--json", "--all", "--root", home)
    assert answer.code in (0, 1), answer.err
    return {row["path"]: row for row in answer.rows}


def ref_of(home: Path, path: Path) -> str:
    """Return the reference under which a file is listed."""
    return str(sessions(home)[str(path)]["ref"])


def stats(home: Path, ref: str) -> dict[str, Any]:
    """Return the statistics of a session."""
    answer = unspool("stats", ref, "--json", "--root", home)
    assert answer.code == 0, answer.err
    return answer.object


def counts(figures: dict[str, Any]) -> dict[str, int]:
    """Return all nine counts."""
    return {**figures["counts"], **{name: figures[name] for name in OTHERS}}


def lines_unreadable(figures: dict[str, Any]) -> list[int]:
    """Return the unreadable lines."""
    return sorted({each["line"] for each in figures["unreadable"]})


def found(home: Path, needle: str, *targets: str) -> int:
    """Return how many pieces hold a text; exit code and total must tell the same."""
    answer = unspool("search", "--json", "--limit", "1000", "--root", home, "--", needle, *targets)
    assert answer.code == (0 if answer.rows else 1), answer.err
    assert answer.summary["total"] == len(answer.rows)
    assert answer.summary["complete"]
    return len(answer.rows)


def rows(home: Path, ref: str, *options: str) -> list[dict[str, Any]]:
    """Return evidence rows."""
    return unspool("evidence", ref, "--json", *options, "--root", home).rows


def read(home: Path, target: str) -> str:
    """Return the whole text of one piece."""
    answer = unspool("read", target, "--json", *AMPLE, "--root", home)
    (piece,) = answer.object["pieces"]
    assert not answer.object["truncation"]["truncated"]
    return str(piece["text"])


def everything(home: Path) -> list[Answer]:
    """Run every verb on everything in a home, for people and as JSON."""
    answers = []
    for form in ([], ["--json"]):
        end = [*form, "--root", str(home)]
        answers += [unspool("sessions", "--all", "--full", *end), unspool("doctor", *end), unspool("search", "e", *end)]
        for row in sessions(home).values():
            ref = row["ref"]
            answers += [unspool(verb, ref, *end) for verb in ("overview", "brief", "stats")]
            answers += [
                unspool("evidence", ref, "--all", *end),
                unspool("read", ref, "--in", "E0-E9999", *AMPLE, *end),
                unspool("resolve", ref, "--in", "E0-E9999", *end),
            ]
            for piece in unspool("evidence", ref, "--all", "--json", "--root", str(home)).rows:
                answers += [
                    unspool("inspect", f"{ref}/{piece['id']}", *AMPLE, *end),
                    unspool("resolve", f"{ref}/{piece['id']}", *end),
                ]
    return answers


def ends_in_half_a_record(said: str) -> bool:
    """Say whether the command told so: in a file that was copied just now the record may be yet to come."""
    return "ends in half a record" in said or "last record is still being written" in said
