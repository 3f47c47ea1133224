"""The import contracts hold, and each is seen to break when it is broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.shared_data import PROJECT

PLANTS = (
    ("core", "core/unspool/library/planted.py", "import textual.app"),
    ("core", "core/unspool/formats/planted.py", "import rich"),
    ("core", "core/unspool/outputs/planted.py", "import unspool_tui.present"),
    ("core-floors", "core/unspool/outputs/planted.py", "import unspool.views"),
    ("core-floors", "core/unspool/sources/planted.py", "import unspool.formats"),
    ("core-floors", "core/unspool/helpers.py", ""),
    ("pure-formats", "core/unspool/formats/planted.py", "import os"),
    ("pure-formats", "core/unspool/formats/planted.py", "from pathlib import Path"),
    ("headless", "tui/unspool_tui/present/planted.py", "import textual.strip"),
    ("headless", "tui/unspool_tui/verbs/planted.py", "import unspool_tui.widgets.planted"),
    ("headless", "tui/unspool_tui/verbs/planted.py", "import unspool_tui.app"),
    ("app-floors", "tui/unspool_tui/screens/planted.py", "import unspool_tui.app"),
    ("app-floors", "tui/unspool_tui/present/planted.py", "import unspool_tui.widgets"),
    ("app-floors", "tui/unspool_tui/widgets/planted.py", "import unspool_tui.gateway"),
    ("app-floors", "tui/unspool_tui/helpers.py", ""),
)
"""Contract, file, and the line in it that the contract forbids."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Copy what the contracts look at, so that it can be broken."""
    for package in ("core", "tui"):
        shutil.copytree(PROJECT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    (tmp_path / "tui/unspool_tui/widgets/planted.py").write_text("import textual.widget\n", "utf-8")
    return tmp_path


def lint(house: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Check the contracts on the packages of that house, not on those that are installed."""
    paths = os.pathsep.join(str(house / package) for package in ("core", "tui"))
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    return subprocess.run(
        [*command, "--no-cache", "--no-logo", *options],
        cwd=house,
        env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_floor_is_kept(house: Path) -> None:
    lines = lint(house)
    assert lines.returncode == 0, lines.stdout


@pytest.mark.parametrize(("contract", "path", "line"), PLANTS)
def test_a_broken_floor_is_noticed(house: Path, contract: str, path: str, line: str) -> None:
    (house / path).write_text(f"{line}\n", "utf-8")
    lines = lint(house, "--contract", contract)
    assert lines.returncode == 1
    assert "1 broken" in lines.stdout, lines.stdout
    assert "planted" in lines.stdout or "helpers" in lines.stdout


def test_no_contract_is_taken_on_trust() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    contracts = {contract["id"] for contract in settings["tool"]["importlinter"]["contracts"]}
    assert contracts == {contract for contract, _path, _line in PLANTS}
