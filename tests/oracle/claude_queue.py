"""Prompts that wait in Claude Code's queue, and the records that deliver them."""

from __future__ import annotations

import re
from typing import Any

from tests.oracle.blocks import as_text
from tests.oracle.claude_blocks import read_blocks
from tests.oracle.claude_text import is_aside, own_words
from tests.oracle.lines import Record
from tests.oracle.session import OraclePiece

Rows = list[tuple[Record, list[OraclePiece]]]


def mark_delivered(rows: Rows) -> None:
    """Flag each queued prompt as a twin that a later record says again.

    That is a record of the same words, as they were typed; or the next thing that the person sent after the prompt was
    taken out of the queue, if it holds the words as whole lines, or has other text where they refer to a pasted one.
    """
    waiting: list[dict[str, Any]] = []
    for record, pieces in rows:
        value = record.value
        if value.get("type") == "queue-operation":
            words = read_blocks(value.get("content")).text.strip()
            if value.get("operation") == "enqueue":
                waiting.append({"words": words, "piece": pieces[0] if pieces else None, "out": None})
            else:
                _take_out(waiting, as_text(value.get("operation")), words)
        elif value.get("type") in ("user", "attachment") and not is_aside(value):
            said = [piece for piece in pieces if piece.kind != "tool" or "by_user" in piece.flags]
            for item in _delivered(waiting, said[0]) if said else ():
                waiting.remove(item)
                if item["piece"]:
                    item["piece"].flags.add("twin")


def _take_out(waiting: list[dict[str, Any]], operation: str, words: str) -> None:
    inside = [item for item in waiting if not item["out"] and (operation != "remove" or item["words"] == words)]
    for item in inside if operation == "popAll" else inside[:1]:
        item["out"] = operation


def _delivered(waiting: list[dict[str, Any]], said: OraclePiece) -> list[dict[str, Any]]:
    words = said.text.strip()
    same = [item for item in waiting if item["words"] in (words, _typed(words))]
    if same or (said.kind == "system" and not words.startswith("<command-")):
        return same[:1]
    out = [item for item in waiting if item["out"] not in (None, "too late") and item["words"]]
    held = [item for item in out if f"\n{item['words']}\n" in f"\n{words}\n" or _pasted(item["words"], words)]
    for item in [] if held else out:
        item["out"] = "too late"
    return held


def _typed(words: str) -> str:
    """What a person types for a command to come out so, or words behind context."""
    inside = {name: found[1].strip() for name in _TAGS if (found := re.search(f"<{name}>(.*?)</{name}>", words, re.S))}
    if words.startswith("<bash-input>"):
        return "!" + inside.get("bash-input", "")
    if words.startswith("<command-"):
        return f"{inside.get('command-name', '')} {inside.get('command-args', '')}".strip()
    return own_words(words).strip()


def _pasted(words: str, sent: str) -> bool:
    parts = re.split(r"\[Pasted text #\d+[^\]]*\]", words)
    return len(parts) > 1 and re.fullmatch(".*".join(map(re.escape, parts)), sent, re.S) is not None


_TAGS = ("bash-input", "command-name", "command-args")
