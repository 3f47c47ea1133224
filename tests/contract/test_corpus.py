"""Real sessions read as a plain decoder reads them, and every piece of them can be quoted and found again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import OracleSession, counts, naive_search, read_claude, read_codex, read_minicode, read_yoi
from tests.oracle.blocks import data_url_line, image_line
from tests.oracle.values import compact, decode_whole, visible
from tests.shared_data import SHARED
from unspool.blobs.files import FileBlobStore
from unspool.columns.build import Builder
from unspool.columns.side_files import SideFiles
from unspool.columns.source import LineSource
from unspool.formats import by_agent
from unspool.formats.base import Format
from unspool.ids import EvidenceId, Reference, SessionRef
from unspool.sources.jsonl import JsonLines
from unspool.stores import by_agent as store_of
from unspool.views.bounds import Bounds
from unspool.views.filter import Filter
from unspool.views.view import SessionView

HAND_COUNTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "oracle" / "hand_counts.json").read_text("utf-8")
)
EVERY = Filter(reasoning=True, hidden=True)
WHOLE = Bounds(1, 1 << 30, 1 << 30)
UNSAID = frozenset({"shortened", "inherited"})
"""Flags that the plain decoder does not know; no count depends on them."""
PICTURES = frozenset({"image_url", "images", "local_images"})
"""Steps of a pointer that lead to the address of a picture."""
SIGNS = {"file_ref": "@", "knowledge_ref": "#", "workflow_invoke": "/", "unknown": "[unknown input segment]"}
"""What stands for a segment of input itself; what it names follows."""
UNKNOWN_SHARE = 0.01
READERS: dict[str, Callable[[Path], OracleSession]] = {
    "claude": read_claude,
    "codex": read_codex,
    "yoi": read_yoi,
    "minicode": read_minicode,
}


def sessions(*folders: str) -> list[Path]:
    """Every session of these folders of the corpus; none without sample sessions."""
    corpus = [SHARED / "corpus" / folder for folder in folders] if SHARED else []
    return sorted(file for folder in corpus for file in folder.rglob("*.jsonl*") if ".trace." not in file.name)


ALL = sessions("claude", "codex", "codex-zst", "yoi", "minicode")
every_session = pytest.mark.parametrize("path", ALL, ids=lambda path: f"{agent_of(path)}-{path.name[-24:]}")
every_plain_session = pytest.mark.parametrize(
    "path", [path for path in ALL if path.suffix != ".zst"], ids=lambda path: f"{agent_of(path)}-{path.name[-24:]}"
)


def agent_of(path: Path) -> str:
    return next(agent for part in path.parts for agent in READERS if part.startswith(agent))


def format_of(path: Path) -> Format:
    format = by_agent(agent_of(path))
    assert format is not None
    return format


def opened(path: Path) -> SessionView:
    agent = agent_of(path)
    store = store_of(agent)
    assert store is not None
    source = store.source(str(path))
    assert source is not None
    folder = store.blobs(source)
    blobs = FileBlobStore(folder, links=False) if folder is not None else None
    side_files = SideFiles(store.artifacts(source), partial(_shares, path), blobs)
    return SessionView.open(str(path), SessionRef(agent, "sample"), format_of(path), side_files)


def _shares(path: Path, session_id: str, call_id: str) -> bool:
    other = path.with_name(f"{session_id}.jsonl")
    return other.exists() and f'"{call_id}"' in other.read_text("utf-8", "replace")


@lru_cache(maxsize=64)
def ours(path: Path) -> SessionView:
    return opened(path)


@lru_cache(maxsize=64)
def plain(path: Path) -> OracleSession:
    return READERS[agent_of(path)](path)


def text_of(view: SessionView, evidence_id: EvidenceId, *, model_view: bool = False) -> str:
    reading = view.read(evidence_id, bounds=WHOLE, model_view=model_view)
    assert not reading.truncation.truncated
    return reading.pieces[0].text


@every_session
def test_counts_are_those_of_a_plain_decoder(path: Path, shared: Path) -> None:
    view, oracle = ours(path), plain(path)
    assert view.counts.to_json() | view.counts.others_to_json() == counts(oracle)
    assert view.entries == oracle.entries
    assert [line.line for line in view.unreadable] == [line for line, _ in oracle.unreadable]
    assert view.complete == (oracle.pending is None)
    assert sum(view.other_records.values()) == sum(oracle.other_records.values())


@every_session
def test_every_piece_has_the_text_of_a_plain_decoder(path: Path, shared: Path) -> None:
    view, oracle = ours(path), plain(path)
    assert [str(view.id(row)) for row in range(view.rows)] == [piece.id for piece in oracle.pieces]
    for row, piece in enumerate(oracle.pieces):
        assert text_of(view, view.id(row)) == piece.text, piece.id
        assert view.bytes(row) == len(piece.text.encode()), piece.id
        assert view.lines(row) == piece.text.count("\n") + (piece.text[-1:] not in ("", "\n")), piece.id


@every_session
def test_every_piece_has_the_kind_and_flags_of_a_plain_decoder(path: Path, shared: Path) -> None:
    view = ours(path)
    for row, piece in enumerate(plain(path).pieces):
        part = view.tool_part(row)
        assert (str(view.kind(row)), str(part) if part is not None else None) == (piece.kind, piece.tool_part), piece.id
        assert set(view.flags(row).names()) - UNSAID == piece.flags - UNSAID, piece.id
        assert (view.tool(row), view.images(row)) == (piece.tool, piece.images), piece.id
        assert piece.call_id in (None, view.call_id(row)), piece.id


@every_session
def test_calls_and_results_are_joined_by_their_call_id(path: Path, shared: Path) -> None:
    view = ours(path)
    for row in range(view.rows):
        peer = view.peer_row(row)
        if peer is not None:
            assert view.call_id(peer) == view.call_id(row) is not None
            assert {view.tool_part(peer), view.tool_part(row)} == {0, 1}


@pytest.mark.parametrize("hand", HAND_COUNTS, ids=lambda hand: Path(hand["file"]).name[:30])
def test_what_was_counted_by_hand_is_counted(hand: dict[str, Any], shared: Path) -> None:
    view = ours(shared / "corpus" / hand["file"])
    stats = view.stats()
    found = view.counts.to_json() | view.counts.others_to_json()
    assert view.entries == hand["entries"]
    assert {name: number for name, number in found.items() if number} == hand["counts"]
    assert sum(view.other_records.values()) == hand["other_records"]
    assert stats.errors == hand["errors"]
    assert sum("unanswered" in view.flags(row).names() for row in range(view.rows)) == hand["unanswered"]
    assert stats.usage is not None
    assert stats.usage.output == hand["output_tokens"]
    title = view.facts.title or view.facts.generated_title or view.facts.first_prompt or ""
    assert title.startswith(hand["title"])
    assert {needle: view.search(needle, limit=1).total for needle in hand["find"]} == hand["find"]


@every_session
def test_words_of_a_session_are_found_where_a_naive_search_finds_them(path: Path, shared: Path) -> None:
    view, oracle = ours(path), plain(path)
    words = re.findall(r"[^\W\d_]{4,12}", " ".join(piece.text[:4000] for piece in oracle.pieces))
    rare = [word for word, number in Counter(words).items() if number < 4 and word.isascii()]
    for needle in [*rare[:: max(1, len(rare) // 12)], "\\n", '","', ": ", "é", "\ufffd"]:
        hits = view.search(needle, limit=1000).hits
        assert [str(hit.evidence.id) for hit in hits] == [piece.id for piece in naive_search(oracle, needle)], needle


@pytest.mark.parametrize("agent", READERS)
def test_nearly_every_record_is_of_a_known_type(agent: str, shared: Path) -> None:
    views = [ours(path) for path in ALL if agent_of(path) == agent]
    unknown = sum((Counter(view.unknown_records) for view in views), Counter[str]())
    records = sum(view.entries for view in views)
    print(f"{agent}: {unknown.total()} of {records} records of unknown type: {dict(unknown) or 'none'}")
    assert records
    assert unknown.total() < UNKNOWN_SHARE * records


@every_session
def test_what_a_prefix_holds_has_the_ids_of_the_whole(path: Path, shared: Path) -> None:
    view = ours(path)
    ids = [view.id(row) for row in range(view.rows)]
    lines = JsonLines.open(path)
    source, builder, before = LineSource(lines), Builder(format_of(path), SideFiles(None)), 0
    for entry in lines.entries():
        builder.take(source, entry)
        rows = range(before, len(builder.columns))
        grown = [EvidenceId(builder.columns.entry[row], builder.columns.piece[row]) for row in rows]
        assert grown == ids[before : rows.stop]
        assert rows.stop == view.nearest_row(entry.number + 1)
        before = rows.stop
    assert before == view.rows
    columns = builder.columns
    assert ids == [EvidenceId(*pair) for pair in zip(columns.entry, columns.piece, strict=True)]
    lines.close()


@every_session
def test_byte_range_and_pointer_lead_to_the_text(path: Path, shared: Path) -> None:
    view = ours(path)
    lines = JsonLines.open(path)
    for row in range(view.rows):
        anchor = view.resolve(view.id(row))
        assert anchor.byte_range is not None
        start, stop = anchor.byte_range
        record = decode_whole(lines.read(start, stop - start).decode(errors="replace"))
        wanted = text_of(view, view.id(row), model_view=True)
        assert pointed(record, anchor.pointers, wanted) == wanted, str(view.id(row))
    lines.close()


def pointed(record: Any, pointers: tuple[tuple[str | int, ...], ...], wanted: str) -> str:
    """Follow the pointers into a record; what stands there, as text."""
    found = []
    for pointer in pointers:
        value = record
        for step in pointer:
            value, holder = value[step], value
        if "attachments" in pointer:
            found.append(f"[image {holder['mime_type']} {len(value.rstrip('=')) * 3 // 4}]")
        elif "segments" in pointer and isinstance(value, dict):
            found.append(SIGNS[value["kind"]])
        else:
            found.append(data_url_line(value) if PICTURES & set(pointer) else _as_text(value))
    text = ("" if len(found) > 1 and "segments" in pointers[0] else "\n").join(found)
    if text != wanted and len(found) == 1:
        return _once_more(text)
    return text


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict) and value.get("type") in ("image", "input_image"):
        return image_line(value)
    return compact(value)


def _once_more(text: str) -> str:
    """Decode a JSON document inside a string; base64 alone is that of a picture."""
    try:
        return compact(decode_whole(text))
    except ValueError:
        return f"[image image/png {len(text.rstrip('=')) * 3 // 4}]"


@every_session
def test_the_sum_over_all_counts_is_the_whole_index(path: Path, shared: Path) -> None:
    view = ours(path)
    page = view.evidence(EVERY, limit=None)
    assert view.counts.total == page.total == len(page.items) == view.rows
    assert page.next is None
    assert view.evidence(limit=None).total == view.counts.visible


@every_session
def test_a_reference_survives_being_written_and_read(path: Path, shared: Path) -> None:
    view, again = ours(path), opened(path)
    for row in range(0, view.rows, max(1, view.rows // 40)):
        reference = Reference.parse(str(view.reference(view.id(row))))
        anchor = again.resolve(reference)
        assert (anchor.state, anchor.evidence_id) == ("intact", view.id(row))
    again.close()


@every_plain_session
def test_a_quoted_piece_that_was_changed_or_cut_off_is_told(path: Path, shared: Path, tmp_path: Path) -> None:
    view, data = ours(path), path.read_bytes()
    row, at = changeable(view, data)
    reference = view.reference(view.id(row))
    anchor = view.resolve(reference)
    assert anchor.byte_range is not None
    copy = tmp_path / path.parent.relative_to(shared) / path.name
    copy.parent.mkdir(parents=True)
    copy.write_bytes(data[:at] + bytes([data[at] ^ 0x20]) + data[at + 1 :])
    assert opened(copy).resolve(reference).state == "changed"
    copy.write_bytes(data[: anchor.byte_range[0]])
    assert opened(copy).resolve(reference).state == "missing"


def changeable(view: SessionView, data: bytes) -> tuple[int, int]:
    """Find a piece whose text no other piece has, and a letter that stands only in that text; its row and byte."""
    digests = Counter(view.reference(view.id(row)).digest for row in range(view.rows))
    for row in reversed(range(view.rows)):
        byte_range = view.resolve(view.id(row)).byte_range
        if digests[view.reference(view.id(row)).digest] > 1 or byte_range is None:
            continue
        record = data[slice(*byte_range)]
        for word in re.findall(r"[A-Za-z]{5,}", text_of(view, view.id(row))):
            if record.count(word.encode()) == 1:
                return row, byte_range[0] + record.index(word.encode()) + 2
    raise AssertionError("no piece can be told by a word of its own")
