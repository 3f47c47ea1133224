"""Rules of the house that a look at the source can decide."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared_data import PROJECT

MAX_LINES = 400
"""A file longer than this has more than one subject."""

MAX_TEST_LINES = 600
"""Tests of one subject may hold long tables of cases."""

PACKAGES = ("core", "tui")
MODULES = sorted(path for package in PACKAGES for path in (PROJECT / package).rglob("*.py"))
FORMATS = [path for path in MODULES if "formats" in path.parts]
TESTS = sorted((PROJECT / "tests").rglob("*.py"))


def label(path: Path) -> str:
    """Name a file from the root of the project on."""
    return str(path.relative_to(PROJECT))


def calls(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and name of every call in a file: `open`, `.splitlines`, `time.sleep`."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and name of every module that a file imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or ""


def test_there_is_something_to_look_at() -> None:
    assert len(MODULES) > 20
    assert FORMATS


def test_every_folder_of_modules_is_a_package() -> None:
    assert not sorted({label(path.parent) for path in MODULES if not (path.parent / "__init__.py").exists()})


@pytest.mark.parametrize("path", MODULES + TESTS, ids=label)
def test_a_file_has_one_subject(path: Path) -> None:
    assert path.read_bytes().count(b"\n") <= (MAX_TEST_LINES if path in TESTS else MAX_LINES)


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_lines_end_at_line_feeds_only(path: Path) -> None:
    found = [line for line, name in calls(path) if name.endswith(".splitlines")]
    assert not found, f"splitlines() also cuts at U+2028, form feeds and the like: lines {found}"


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_no_file_that_may_shrink_is_mapped(path: Path) -> None:
    assert "mmap" not in {name for _line, name in imports(path)}


@pytest.mark.parametrize("path", FORMATS, ids=label)
def test_a_format_opens_no_file(path: Path) -> None:
    methods = (".open", ".read_bytes", ".read_text", ".stat")
    assert not [line for line, name in calls(path) if name == "open" or name.endswith(methods)]


@pytest.mark.parametrize("path", [path for path in TESTS if path.parent.name != "bench"], ids=label)
def test_no_test_sleeps(path: Path) -> None:
    """Benchmarks may: they pace what they write, and measure what is idle."""
    found = [line for line, name in calls(path) if name in ("time.sleep", "sleep")]
    assert not found, f"wait for what is to happen, not for a time: lines {found}"


@pytest.fixture(scope="module")
def product_text() -> str:
    """Return everything that ships, as one text in lower case."""
    files = [path for package in PACKAGES for path in (PROJECT / package).rglob("*") if path.is_file()]
    return "\n".join(path.read_text("utf-8").lower() for path in files if "__pycache__" not in path.parts)


def test_the_product_knows_no_sample(shared: Path, product_text: str) -> None:
    names = {path.name for path in (shared / "cases").iterdir() if re.match(r"\d\d-", path.name)}
    names |= {path.name.partition(".")[0] for path in (shared / "corpus").rglob("*") if path.is_file()}
    names |= set(re.findall(r"marker-[a-z0-9-]+", (shared / "cases" / "expected.json").read_text("utf-8")))
    names |= set(re.findall(r"([0-9a-f]{8})-[0-9a-f-]{27}", " ".join(map(str, shared.rglob("*")))))
    telling = {name.lower() for name in names if re.search(r"[\d-]", name) and len(name) > 4}
    assert len(telling) > 100
    assert not sorted(name for name in telling if name in product_text)


def test_the_product_knows_no_marker(product_text: str) -> None:
    assert "marker-" not in product_text
