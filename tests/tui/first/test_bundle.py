"""Modules come from the bundle as they come without it: nobody can tell, but for the time."""

from __future__ import annotations

import importlib
import importlib.resources
import inspect
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from marshal import dumps, loads
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from tests.tui.terminal import Terminal
from unspool_tui.bundle import LENGTH_BYTES, Bundle, BundledLoader
from unspool_tui.bundling import add
from unspool_tui.cli import main

SOURCES: Final = {
    "told/__init__.py": "",
    "told/word.py": "WORD = 'one'\n\n\ndef fail():\n    raise ValueError(WORD)\n",
    "told/inner/__init__.py": "from told.word import WORD\n",
    "told/inner/deep.py": "from told.inner import WORD\n",
    "told/inner/words.txt": "two",
}
NAMES: Final = ("told", "told.word", "told.inner", "told.inner.deep")
BEFORE: Final = 1_600_000_000 * 10**9


def lay(folder: Path) -> None:
    """Write the sources, as they were some time ago."""
    for name, text in SOURCES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, ns=(BEFORE, BEFORE))


class Starts:
    """Starts that import the package, each with the bundle that the ones before it left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "bundle"
        lay(folder)

    def begin(self, *names: str) -> dict[str, ModuleType]:
        """Import modules as a new process does; return them."""
        for name in NAMES:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        bundle = Bundle(str(self.path))
        sys.meta_path.insert(0, bundle)
        try:
            found = {name: importlib.import_module(name) for name in names or NAMES}
            add(bundle, [name for name in NAMES if name in sys.modules])
        finally:
            sys.meta_path.remove(bundle)
            bundle.close()
        return found

    def bundled(self, *names: str) -> set[str]:
        """Return which modules of a new start come from the bundle."""
        return {name for name, module in self.begin(*names).items() if is_bundled(module)}


def is_bundled(module: ModuleType) -> bool:
    return type(module.__loader__) is BundledLoader


IN_IT: Final = set(NAMES) - {"told"}
"""All that lie in a package."""


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Starts]:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Starts(tmp_path)
    for name in NAMES:
        sys.modules.pop(name, None)


def told_of(module: ModuleType) -> dict[str, Any]:
    """Return all that a module says of where it is from."""
    spec = module.__spec__
    assert spec is not None
    names = ("__file__", "__cached__", "__name__", "__package__", "__path__", "__doc__")
    said = {name: getattr(module, name, None) for name in names}
    asked = ("name", "origin", "cached", "parent", "has_location", "submodule_search_locations")
    return said | {f"spec.{name}": getattr(spec, name) for name in asked}


def test_the_second_start_finds_in_the_bundle_what_lies_in_packages(starts: Starts) -> None:
    assert starts.bundled() == set()
    assert starts.bundled() == IN_IT


def test_a_module_from_the_bundle_says_the_same_of_itself(starts: Starts) -> None:
    plain = {name: told_of(module) for name, module in starts.begin().items()}
    modules = starts.begin()
    assert is_bundled(modules["told.inner"])
    assert {name: told_of(module) for name, module in modules.items()} == plain


def test_its_source_its_files_and_its_lines_are_found(starts: Starts) -> None:
    starts.begin()
    word, inner = starts.begin("told.word", "told.inner").values()
    assert is_bundled(word)
    assert "raise ValueError" in inspect.getsource(word.fail)
    assert isinstance(word.__loader__, SourceFileLoader)
    assert word.__loader__.get_source("told.word") == SOURCES["told/word.py"]
    assert importlib.resources.files(inner).joinpath("words.txt").read_text() == "two"
    with pytest.raises(ValueError, match="one") as caught:
        word.fail()
    (*_, last) = traceback.extract_tb(caught.tb)
    assert (last.filename, last.lineno, last.line) == (word.__file__, 5, "raise ValueError(WORD)")


@pytest.mark.parametrize(
    ("word", "later"), [("other", 0), ("two", 1)], ids=["as long as a second ago", "of the same length"]
)
def test_a_source_that_changed_is_read_and_is_in_the_bundle_the_next_time(
    starts: Starts, word: str, later: int
) -> None:
    starts.begin()
    source = starts.folder / "told/word.py"
    source.write_text(SOURCES["told/word.py"].replace("one", word))
    os.utime(source, ns=(BEFORE, BEFORE + later * 10**9))
    modules = starts.begin()
    found = modules["told.inner.deep"].WORD
    assert found == word
    assert {name for name, module in modules.items() if is_bundled(module)} == IN_IT - {"told.word"}
    assert starts.bundled() == IN_IT


def test_what_is_loaded_anew_is_loaded_from_its_source(starts: Starts) -> None:
    starts.begin()
    word = starts.begin()["told.word"]
    source = starts.folder / "told/word.py"
    source.write_text("WORD = 'changed since'\n")
    loader = word.__loader__
    assert importlib.reload(word).WORD == "changed since"
    assert isinstance(loader, BundledLoader)
    code = loader.get_code("told.word")
    assert code is not None
    assert "changed since" in code.co_consts


def test_a_package_that_is_found_elsewhere_is_loaded_from_there(
    starts: Starts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts.begin()
    lay(tmp_path / "first")
    monkeypatch.syspath_prepend(str(tmp_path / "first"))
    modules = starts.begin()
    assert all(str(module.__file__).startswith(str(tmp_path / "first")) for module in modules.values())
    assert not any(map(is_bundled, modules.values()))


def test_what_one_start_did_not_need_stays_for_the_others(starts: Starts) -> None:
    starts.begin("told.inner.deep")
    starts.begin("told.word")
    assert starts.bundled("told.word") == {"told.word"}
    assert starts.bundled() == IN_IT


@pytest.mark.parametrize("name", ["told.inner", "told.inner.deep"])
def test_a_start_that_needs_more_leaves_what_others_need(starts: Starts, name: str) -> None:
    (starts.folder / "told/inner/__init__.py").write_text("")
    (starts.folder / "told/inner/deep.py").write_text("")
    starts.begin("told.word")
    starts.begin(name)
    assert starts.bundled("told.word", name) == {"told.word", name}


def test_what_was_copied_with_its_bytecode_names_the_files_where_it_lies_now(
    starts: Starts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts.begin()
    copied = tmp_path / "copied"
    shutil.copytree(starts.folder / "told", copied / "told")
    monkeypatch.syspath_prepend(str(copied))
    starts.begin()
    word = starts.begin()["told.word"]
    assert is_bundled(word)
    assert word.fail.__code__.co_filename == word.__file__ == str(copied / "told/word.py")


def test_bytecode_that_is_torn_is_left_out(starts: Starts) -> None:
    cached = Path(str(starts.begin()["told.inner.deep"].__cached__))
    cached.write_bytes(cached.read_bytes()[:20])
    (starts.folder / "told/word.py").write_text("WORD = 'another'\n")
    starts.begin("told.word")
    cached.unlink()
    assert starts.bundled() == IN_IT - {"told.inner.deep"}


def test_bytecode_of_an_older_source_is_not_taken(starts: Starts, monkeypatch: pytest.MonkeyPatch) -> None:
    starts.begin()
    starts.path.unlink()
    (starts.folder / "told/word.py").write_text("WORD = 'newer'\n")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    starts.begin("told.word")
    assert starts.begin("told.word")["told.word"].WORD == "newer"


def test_who_may_write_the_bundle_is_who_wrote_it(starts: Starts) -> None:
    before = os.umask(0)
    try:
        starts.begin()
    finally:
        os.umask(before)
    assert not os.stat(starts.path).st_mode & 0o022


def test_nothing_is_written_when_nothing_is_lacking(starts: Starts) -> None:
    starts.begin()
    first = os.stat(starts.path)
    starts.begin()
    assert os.stat(starts.path).st_ino == first.st_ino


@pytest.mark.parametrize("share", [0.0, 0.01, 0.2, 0.5, 0.9, 0.97])
@pytest.mark.parametrize("filled", [b"\x00", b"\xff", b""], ids=["zeros", "ones", "cut"])
def test_a_torn_bundle_costs_time_and_becomes_whole(starts: Starts, share: float, filled: bytes) -> None:
    starts.begin()
    whole = starts.path.read_bytes()
    kept = int(len(whole) * share)
    starts.path.write_bytes(whole[:kept] + filled * (len(whole) - kept))
    modules = starts.begin()
    assert modules["told.inner.deep"].WORD == "one"
    assert not all(is_bundled(modules[name]) for name in IN_IT)
    assert starts.bundled() == IN_IT


def test_a_bundle_of_another_python_is_none(starts: Starts) -> None:
    starts.begin()
    data = starts.path.read_bytes()
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    _, kept = loads(data[LENGTH_BYTES : LENGTH_BYTES + length])
    index = dumps(("another", kept))
    starts.path.write_bytes(len(index).to_bytes(LENGTH_BYTES, "little") + index + data[LENGTH_BYTES + length :])
    assert starts.bundled() == set()
    assert starts.bundled() == IN_IT


def test_a_module_without_bytecode_of_its_own_is_in_no_bundle(starts: Starts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    starts.begin()
    assert not starts.path.exists()


def test_a_folder_that_takes_no_file_is_no_fault(starts: Starts) -> None:
    starts.path = starts.folder / "missing" / "bundle"
    assert starts.begin()["told.word"].WORD == "one"
    assert starts.bundled() == set()


CODE: Final = """
import sys
from unspool_tui.bundle import bundled
{before}
with bundled():
    import json
    {inside}
print(type(json.decoder.__loader__).__name__)
"""


def loader(prefix: Path, before: str = "", inside: str = "", **environ: str) -> str:
    """Return what loaded a module in a process that keeps its bytecode in a folder of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(before=before, inside=inside)],
        env={**kept, "PYTHONPYCACHEPREFIX": str(prefix), **environ},
        capture_output=True,
        text=True,
        check=not inside,
    )
    return done.stdout.strip()


def test_the_bundle_lies_beside_the_bytecode(tmp_path: Path) -> None:
    assert loader(tmp_path) == "SourceFileLoader"
    assert loader(tmp_path) == "BundledLoader"
    (bundle,) = tmp_path.rglob("*.modules")
    assert bundle.with_suffix(".pyc").exists()


OTHER: Final = """
class Other:
    find_spec = lambda name, *_: print("asked") if name == "json.decoder" else None
sys.meta_path.insert(0, Other)
"""


def test_who_looks_for_modules_before_others_still_does(tmp_path: Path) -> None:
    loader(tmp_path)
    assert loader(tmp_path, OTHER).split() == ["asked", "BundledLoader"]


def test_there_is_none_where_no_bytecode_is_to_be_written(tmp_path: Path) -> None:
    assert loader(tmp_path, PYTHONDONTWRITEBYTECODE="1") == "SourceFileLoader"
    assert not [*tmp_path.rglob("*.modules")]
    loader(tmp_path)
    assert loader(tmp_path, PYTHONDONTWRITEBYTECODE="1") == "SourceFileLoader"


def test_there_is_none_of_a_start_that_failed(tmp_path: Path) -> None:
    assert loader(tmp_path, inside="raise ValueError") == ""
    assert [*tmp_path.rglob("*.pyc")]
    assert not [*tmp_path.rglob("*.modules")]


IMPATIENT: Final = """
    import unspool_tui.bundling
    def add(*_):
        raise KeyboardInterrupt
    unspool_tui.bundling.add = add
"""


def test_who_will_not_wait_for_it_to_be_written_has_had_the_answer(tmp_path: Path) -> None:
    assert loader(tmp_path, inside=IMPATIENT) == "SourceFileLoader"


def test_every_verb_leaves_a_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    for arguments in (["--version"], ["sessions"], ["no such session"]):
        subprocess.run([sys.executable, "-m", "unspool_tui", *arguments], capture_output=True, check=False)
    (path,) = tmp_path.rglob("*.modules")
    bundle = Bundle(str(path))
    assert {"unspool_tui.output", "unspool_tui.verbs.sessions", "unspool_tui.verbs.opening"} <= bundle.left.keys()
    bundle.close()


def test_a_command_inside_another_program_leaves_its_imports_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unspool_tui.bundle.bundled", lambda: pytest.fail("bundled"))
    assert main(["--version"]) == 0


def test_the_app_leaves_a_bundle_and_works_from_it(
    told: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    for _ in range(2):
        with Terminal() as terminal:
            environ = {"HOME": str(told[0]), "PYTHONPYCACHEPREFIX": str(tmp_path)}
            terminal.start("-m", "unspool_tui", "open", told[1], environ=environ)
            terminal.wait_for("Evidence ")
            terminal.type("e")
            terminal.wait_for("▌E17.0")
            terminal.type("\x03")
            assert terminal.ended() == 0, str(terminal)
        (path,) = tmp_path.rglob("*.modules")
        bundle = Bundle(str(path))
        assert {"unspool.views.view", "unspool_tui.screens.browse", "textual.app"} <= bundle.left.keys()
        bundle.close()
