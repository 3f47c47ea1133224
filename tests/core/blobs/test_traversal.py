"""Nothing that a stranger writes, or lays into the folder, makes a store open a file outside."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest

from tests.running import unspool
from unspool.blobs.calls import Os
from unspool.blobs.content import Text
from unspool.blobs.files import FileBlobStore
from unspool.errors import BadReference, BlobError, BlobNotFound
from unspool.ids import BlobId
from unspool.views.inspect_tool import inspect_tool
from unspool.views.inspecting import inspect

ID = "019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90"
SECRET = "a secret that lies outside"


class Watched(Os):
    """Notes what is opened: each as (device, inode)."""

    def __init__(self) -> None:
        self.opened: set[tuple[int, int]] = set()

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        descriptor = super().open(path, flags, mode, dir_fd=dir_fd)
        found = os.fstat(descriptor)
        self.opened.add((found.st_dev, found.st_ino))
        return descriptor


class OfDevices(Watched):
    """Calls whatever is opened below a folder a device, which only root could make."""

    def stat(self, descriptor: int) -> os.stat_result:
        found = super().stat(descriptor)
        return os.stat_result((stat.S_IFCHR | 0o600, *found[1:]))


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file beside the folder of blobs, also under the names that a blob's file might have."""
    for name in ("secret", "secret.txt", f"{ID}.txt", f"{ID}.json"):
        (tmp_path / name).write_text(SECRET)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / f"{ID}.txt").write_text(SECRET)
    return tmp_path / "secret"


NAMED: list[tuple[str, str]] = [
    ("nothing", ""),
    ("up", ".."),
    ("up to a file", "../secret"),
    ("up to a file with an ending", "../secret.txt"),
    ("up to a file with the name of a blob", f"../{ID}"),
    ("up and up", "../../../../etc/passwd"),
    ("up behind an id", f"{ID}/../../{ID}"),
    ("up the way of Windows", f"..\\{ID}"),
    ("up, encoded", f"%2e%2e%2f{ID}"),
    ("absolute", "/etc/passwd"),
    ("absolute to the file", "{secret}"),
    ("absolute with the name of a blob", "{folder}/" + ID),
    ("below", f"folder/{ID}"),
    ("from here", f"./{ID}"),
    ("home", f"~/{ID}"),
    ("an address", f"file:///{ID}"),
    ("NUL", "\0"),
    ("NUL behind an id", f"{ID}\0.txt"),
    ("NUL before an ending", f"{ID}.txt\0"),
    ("a line end behind an id", f"{ID}\n../secret"),
    ("an ending", f"{ID}.txt"),
    ("another ending", f"{ID}.md"),
    ("no version 7", ID.replace("-7", "-4")),
    ("no variant of ours", ID.replace("-9f", "-cf")),
    ("a digit too few", ID[:-1]),
    ("a digit too many", f"{ID}0"),
    ("digits of another script", ID.replace("0", "٠")),
    ("fullwidth digits", ID.replace("0", "０")),
]
"""Names that are no ids, as a log, a model or a person may give them."""


@pytest.mark.parametrize("named", [named for _, named in NAMED], ids=[what for what, _ in NAMED])
@pytest.mark.parametrize("marked", [False, True])
def test_what_is_no_id_opens_nothing(named: str, marked: bool, secret: Path) -> None:
    calls = Watched()
    store = FileBlobStore(secret.parent / "blobs", calls=calls)
    kept = store.store(Text("inside"))
    calls.opened.clear()
    written = named.format(secret=secret, folder=secret.parent)
    written = f"[blob:{written}]" if marked else written
    with pytest.raises(BadReference):
        inspect(written, store=store)
    assert inspect_tool(store)({"blob_id": written}).startswith("blob not found")
    assert calls.opened == set()
    if "\0" not in written and (marked or "/" not in written):  # a path that a person types is opened
        answer = unspool("inspect", written, "--blobs", store.root)
        assert SECRET not in answer.out + answer.err
        assert answer.code == 2
    assert list(store.ids()) == [kept]


def link(to: str) -> Callable[[Path, Path], None]:
    return lambda place, secret: place.symlink_to(to.format(folder=secret.parent, id=ID))


def bound_socket(place: Path, secret: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made, chdir(place.parent):  # a socket's path must be short
        made.bind(place.name)


LAID: list[tuple[str, Callable[[Path, Path], None]]] = [
    ("a link to a file", link("{folder}/secret")),
    ("a link up", link("../secret")),
    ("a link to a link", lambda place, secret: (secret.parent / "on").symlink_to(secret) or place.symlink_to("../on")),
    ("a link to a folder", link("{folder}/folder")),
    ("a link to a device", link("/dev/zero")),
    ("a link to what processes hold open", link("/proc/self/environ")),
    ("a link to nothing", link("{folder}/nowhere")),
    ("a link to itself", link("{id}.txt")),
    ("a folder", lambda place, secret: place.mkdir()),
    ("a FIFO", lambda place, secret: os.mkfifo(place)),
    ("a socket", bound_socket),
]
"""What may lie in the folder under the name of a blob."""


@pytest.mark.parametrize("lay", [lay for _, lay in LAID], ids=[what for what, _ in LAID])
@pytest.mark.parametrize("ending", [".txt", ".json"])
def test_what_is_no_plain_file_is_not_read(lay: Callable[[Path, Path], None], ending: str, secret: Path) -> None:
    calls = Watched()
    store = FileBlobStore(secret.parent / "blobs", calls=calls)
    store.root.mkdir()
    lay(store.root / f"{ID}{ending}", secret)
    inside = {(found.st_dev, found.st_ino) for found in map(os.lstat, (store.root, *store.root.iterdir()))}
    refused(store)
    assert calls.opened <= inside
    answer = unspool("inspect", ID, "--blobs", store.root)
    assert (answer.code, answer.out) == (2, "")
    assert SECRET not in answer.err


def test_a_device_is_not_read(secret: Path) -> None:
    store = FileBlobStore(secret.parent / "blobs", calls=OfDevices())
    store.root.mkdir()
    (store.root / f"{ID}.txt").write_text("as of a device")
    refused(store)


def refused(store: FileBlobStore) -> None:
    """Whatever is asked, the answer is an error."""
    blob_id = BlobId.parse(ID)
    assert not store.exists(blob_id)
    for ask in (store.open, store.load, store.stat, store.delete):
        with pytest.raises(BlobError):
            ask(blob_id)
    with pytest.raises(BlobError):
        inspect(ID, store=store)


OTHERS = [
    f"{ID.upper()}.txt", f"{ID}.TXT", f"{ID}.Txt", f"{ID}.JSON", f"{ID}.txt.bak", f"{ID}.txt~", f"{ID}.jsonl", ID,
    f"{ID}.", f"{ID}.md", f"{ID}.txt.txt", f" {ID}.txt", f"{ID}.txt ", f"{{{ID}}}.txt", f"{ID.replace('-', '')}.txt",
    f"urn:uuid:{ID}.txt", f".tmp-{ID}.txt",
]  # fmt: skip
"""Names that are not those of a blob, though they look like one: other cases, endings, spellings."""


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_of_another_name_is_no_blob(name: str, secret: Path) -> None:
    store = FileBlobStore(secret.parent / "blobs")
    store.root.mkdir()
    (store.root / name).write_text("another")
    assert list(store.ids()) == []
    with pytest.raises(BlobNotFound):
        store.load(BlobId.parse(ID))


@pytest.mark.parametrize("name", [".digests", f"{ID}.txt", f"{ID}.json"])
def test_storing_writes_through_no_link(name: str, secret: Path) -> None:
    calls = Watched()
    store = FileBlobStore(secret.parent / "blobs", calls=calls)
    store.root.mkdir()
    (store.root / name).symlink_to(secret)
    with pytest.raises(BlobError):
        store.keep(BlobId.parse(ID), Text("written"))
    assert secret.read_text() == SECRET
    assert sorted(os.listdir(store.root)) == [name]


def test_the_same_id_in_another_spelling_leads_to_the_same_file(secret: Path) -> None:
    store = FileBlobStore(secret.parent / "blobs")
    store.keep(BlobId.parse(ID), Text("inside"))
    for spelled in (ID.upper(), ID.replace("-", ""), f"{{{ID}}}", f"urn:uuid:{ID}"):
        assert store.load(BlobId.parse(spelled)) == Text("inside")
