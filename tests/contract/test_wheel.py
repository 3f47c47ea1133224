"""What people install: the built wheel, alone in an environment with nothing but its declared dependencies."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import termios
import time
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import unspool
from tests.shared_data import PROJECT

PATIENCE: Final = 60.0
"""Seconds after which an app that shows nothing, or does not end, has failed. Never waited for when it works."""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel once."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-deps", "--no-build-isolation", "--disable-pip-version-check", "-q")
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, "-w", str(folder), str(PROJECT)], check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with the wheel and what it declares, and return its `bin`."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for dependency in closure("unspool"):
        link(dependency, packages)
    options = ("--no-deps", "--no-index", "--disable-pip-version-check", "-q")
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "bin/python"))
    subprocess.run([*pip, "install", *options, str(wheel)], check=True)
    return folder / "bin"


def closure(name: str) -> Iterator[Distribution]:
    """Yield everything that a distribution needs, directly or not, each once and without itself."""
    seen = {canonicalize_name(name)}
    waiting = [distribution(name)]
    while waiting:
        for text in waiting.pop().requires or ():
            requirement = Requirement(text)
            if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
                continue
            if (key := canonicalize_name(requirement.name)) not in seen:
                seen.add(key)
                waiting.append(distribution(requirement.name))
                yield waiting[-1]


def link(dependency: Distribution, packages: Path) -> None:
    """Let the files of an installed distribution appear in another environment."""
    for file in dependency.files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts:
            there = packages / file
            there.parent.mkdir(parents=True, exist_ok=True)
            there.symlink_to(Path(str(dependency.locate_file(file))))


def run(clean: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command, far from the project."""
    command = [str(clean / "unspool"), *arguments]
    return subprocess.run(command, cwd=clean, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def test_the_wheel_holds_every_file_of_both_packages(wheel: Path) -> None:
    parts = (PROJECT / "core", PROJECT / "tui")
    sources = {str(path.relative_to(part)) for part in parts for path in part.rglob("*") if path.is_file()}
    sources = {name for name in sources if "__pycache__" not in name}
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == sources
    assert "unspool_tui/app.tcss" in held
    assert {"unspool/py.typed", "unspool_tui/py.typed"} <= held


def test_the_installed_command_says_the_version_of_the_wheel(clean: Path, wheel: Path) -> None:
    assert wheel.name.startswith(f"unspool-{unspool.__version__}-")
    done = run(clean, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert unspool.__version__ in done.stdout


def test_the_installed_library_is_the_one_of_the_wheel(clean: Path) -> None:
    code = "import unspool, unspool_tui; print(unspool.__file__, unspool_tui.__file__)"
    done = subprocess.run([str(clean / "python"), "-c", code], cwd=clean, capture_output=True, text=True, check=True)
    assert all(path.startswith(str(clean.parent)) for path in done.stdout.split())


def test_every_module_of_the_wheel_needs_only_what_is_declared(clean: Path) -> None:
    code = (
        "import importlib, pkgutil, unspool, unspool_tui\n"
        "for package in (unspool, unspool_tui):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        module.name.endswith('__main__') or importlib.import_module(module.name)\n"
    )
    command = [str(clean / "python"), "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_installed_app_opens_and_quits(clean: Path) -> None:
    terminal, inside = pty.openpty()
    termios.tcsetwinsize(inside, (24, 80))
    app = subprocess.Popen([str(clean / "unspool")], stdin=inside, stdout=inside, stderr=inside, cwd=clean)
    os.close(inside)
    try:
        screen = until(terminal, b"No sessions found")
        assert b"\x1b[?1049h" in screen
        os.write(terminal, b"q")
        rest = until(terminal, b"\x1b[?1049l")
        assert app.wait(PATIENCE) == 0, rest
    finally:
        app.kill()
        app.wait()
        os.close(terminal)


def until(terminal: int, awaited: bytes) -> bytes:
    """Read what a program writes to a terminal until it has written that, and return it all."""
    written = b""
    deadline = time.monotonic() + PATIENCE
    while awaited not in written:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        try:
            chunk = os.read(terminal, 65536) if ready else b""
        except OSError:  # Linux says so when the program has closed its end
            chunk = b""
        assert chunk, f"{awaited!r} never came: {written[-2000:]!r}"
        written += chunk
    return written
