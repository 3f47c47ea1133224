"""What is told of an image: its type, its pixels by its first bytes, its size."""

from __future__ import annotations

import base64
import json

import pytest

from unspool_tui.present.picture_line import picture_cells, pictures_of, pixels_of, without_sizes

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (1280).to_bytes(4) + (720).to_bytes(4) + bytes(40)
GIF = b"GIF89a" + (320).to_bytes(2, "little") + (200).to_bytes(2, "little") + bytes(20)
JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08" + (600).to_bytes(2) + (800).to_bytes(2) + bytes(40)
LOSSY = b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + (99).to_bytes(2, "little") + (98).to_bytes(2, "little") + bytes(9)
LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L" + bytes(4) + b"\x2f" + (99 - 1 | 98 - 1 << 14).to_bytes(4, "little") + bytes(20)
EXTENDED = b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + (98).to_bytes(3, "little") + (97).to_bytes(3, "little") + bytes(9)


@pytest.mark.parametrize(
    ("image", "pixels"),
    [
        (PNG, (1280, 720)),
        (GIF, (320, 200)),
        (JPEG, (800, 600)),
        (LOSSY, (99, 98)),
        (LOSSLESS, (99, 98)),
        (EXTENDED, (99, 98)),
        (PNG[:20], None),
        (JPEG[:10], None),
        (b"\xff\xd8\xff\xe0\0\0", None),
        (b"BM", None),
        (b"", None),
    ],
)
def test_the_first_bytes_say_how_large_an_image_is(image: bytes, pixels: tuple[int, int] | None) -> None:
    assert pixels_of(image) == pixels


def test_images_of_a_record_are_known_by_their_bytes() -> None:
    png, gif = (base64.b64encode(image).decode() for image in (PNG, GIF))
    record = json.dumps({"a": png, "b": f"data:image/gif;base64,{gif}"})
    assert pictures_of(record) == {len(PNG): (1280, 720), len(GIF): (320, 200)}


def test_an_image_whose_data_goes_on_behind_what_was_read_still_tells_its_pixels() -> None:
    assert pictures_of('{"data":"' + base64.b64encode(PNG).decode()[:60]) == {None: (1280, 720)}


def test_the_line_of_an_image_is_told_in_words() -> None:
    cells = picture_cells("[image image/png 6276]", {6276: (96, 64)})
    assert cells is not None
    assert "".join(text for text, _ in cells) == " PNG image   96 × 64 pixels   6.3 KB"
    bare = picture_cells("[image application/pdf]", {})
    assert bare == ((" application/pdf ", "text bold on chip"), ("", "text"))
    assert picture_cells("see [image image/png 6276]", {}) is None


def test_where_a_few_words_must_do_an_image_is_named_by_its_type() -> None:
    assert without_sizes("Like this: [image image/svg+xml 10958]") == "Like this: [SVG image]"


def test_an_image_whose_type_nobody_told_is_an_image() -> None:
    assert without_sizes("[image ?] and [image ? 812]") == "[image] and [image]"
    assert picture_cells("[image ? 812]", {}) == ((" image ", "text bold on chip"), ("  812 B", "text"))
