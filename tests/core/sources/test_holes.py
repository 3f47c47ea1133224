"""A hole of NULs costs its length, wherever it stands."""

from __future__ import annotations

import pytest

from tests.snapshots import entries_of


@pytest.mark.parametrize("behind", [b'"x', b' {"type":"user"}', b"", b'{ "type":"user"}'])
def test_a_hole_that_no_record_follows_is_read_once(behind: bytes) -> None:
    line = b'{"type":"user",' + b"\0" * 1_000_000 + behind
    [torn, whole] = entries_of(line + b'\n{"type":"assistant"}\n')
    assert torn.unreadable
    assert [record.value for record in whole.records] == [{"type": "assistant"}]
