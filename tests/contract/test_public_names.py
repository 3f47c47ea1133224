"""What `unspool` promises to those who import it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import unspool
import unspool.recording


def test_public_names_are_listed_in_order_and_once() -> None:
    assert list(unspool.__all__) == sorted(set(unspool.__all__))


def test_every_public_name_can_be_imported() -> None:
    assert [name for name in unspool.__all__ if getattr(unspool, name, None) is None] == []


def test_every_public_name_is_offered_by_dir() -> None:
    assert set(unspool.__all__) <= set(dir(unspool))


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = unspool.no_such_name  # type: ignore[attr-defined]


def test_the_version_is_a_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", unspool.__version__)


STORED_OUTPUTS = """
    BlobId BlobStore FileBlobStore MemoryBlobStore AsyncBlobStore Text Structured BlobError BlobNotFound BlobConflict
    ToolOutput Inline Stored summarize into_context inspect inspect_tool loop_tools
"""


@pytest.mark.parametrize("name", STORED_OUTPUTS.split())
def test_all_that_stores_outputs_and_looks_into_them_is_offered(name: str) -> None:
    assert name in unspool.__all__


RECORDING = (
    "ActiveLog ReplacementState ResultLimits SessionLog ToolResult ToolResultStore load_runtime_state load_transcript"
)


@pytest.mark.parametrize("name", RECORDING.split())
def test_all_that_records_a_session_and_goes_on_with_it_is_offered(name: str) -> None:
    assert name in unspool.__all__
    assert name in unspool.recording.__all__


def test_a_name_is_imported_when_it_is_first_asked_for() -> None:
    asked = (
        "import sys, unspool; unspool.ToolOutput; print(*(name for name in sys.modules if name.startswith('unspool')))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "unspool.outputs.output" in loaded
    assert not loaded & {"unspool.library", "unspool.views.view", "unspool.blobs.files", "unspool.export"}
