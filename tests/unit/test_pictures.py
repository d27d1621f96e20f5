"""Pictures: how large they are, how many cells they take, how they are drawn, and what cannot be."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zlib
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from engine.config import PictureStyle
from engine.domain.book import Block, BlockKind, DocumentId, Picture
from engine.domain.reading import Slice, SliceKey
from engine.epub.picture_size import size_of_picture
from engine.library.drawing import PictureForm, PictureRequest, draw_picture, encode_picture
from tui.render.art import art_strip, fitting_cells
from tui.render.pictures import PictureKey, Pictures
from tui.render.rows import TypeOptions
from tui.render.typeset import typeset

_PAPER = "#f0e0c0"


def _bytes(kind: str, size: tuple[int, int] = (60, 40), colour: str = "#ffffff") -> bytes:
    written = io.BytesIO()
    Image.new("RGB", size, colour).save(written, kind)
    return written.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_the_size_of_a_picture_is_read_from_its_beginning(kind: str) -> None:
    assert size_of_picture(_bytes(kind)[:4096]) == (60, 40)


def test_a_lossless_webp_tells_its_size_too() -> None:
    written = io.BytesIO()
    Image.new("RGBA", (33, 77)).save(written, "WEBP", lossless=True)
    assert size_of_picture(written.getvalue()) == (33, 77)


@given(
    st.binary(max_size=64),
    st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF0000WEBP", b"BM", b"GIF89a"]),
)
def test_no_bytes_make_reading_a_size_fail(data: bytes, start: bytes) -> None:
    width, height = size_of_picture(start + data)
    assert 0 <= width <= 100_000
    assert 0 <= height <= 100_000


@pytest.mark.parametrize(
    ("pixels", "field", "cells"),
    [
        ((600, 800), (68, 30), (45, 30)),
        ((800, 600), (68, 30), (68, 26)),
        ((80, 80), (68, 30), (10, 5)),
        ((4000, 10), (68, 30), (68, 2)),
        ((0, 80), (68, 30), (0, 0)),
        ((80, 80), (68, 0), (0, 0)),
    ],
)
def test_a_picture_keeps_its_proportions_in_its_field(
    pixels: tuple[int, int], field: tuple[int, int], cells: tuple[int, int]
) -> None:
    assert fitting_cells(*pixels, *field) == cells


def _picture(width: int = 320, height: int = 160, alt: str = "") -> Slice:
    block = Block(BlockKind.PICTURE, 0, 1)
    return Slice(
        SliceKey(DocumentId(1), 0), 0, 1, 0, "\ufffc", (block,), pictures=(Picture(0, "a.png", alt, width, height),)
    )


def test_a_picture_takes_its_rows_before_it_is_drawn_with_its_description_below() -> None:
    options = TypeOptions(68, pictures=PictureStyle.BLOCKS, picture_rows=20)
    rows = list(typeset(_picture(alt="A lamp"), options))
    assert [row.art.row if row.art else row.text for row in rows] == [*range(10), "A lamp"]
    assert {row.indent for row in rows[:-1]} == {14}


@pytest.mark.parametrize(
    ("picture", "options"),
    [
        (_picture(0, 0), TypeOptions(68, pictures=PictureStyle.BLOCKS, picture_rows=20)),
        (_picture(), TypeOptions(68, pictures=PictureStyle.BLOCKS)),
        (_picture(), TypeOptions(68, pictures=PictureStyle.LINE, picture_rows=20)),
    ],
)
def test_what_cannot_be_drawn_is_a_line(picture: Slice, options: TypeOptions) -> None:
    assert [row.text for row in typeset(picture, options)] == ["[illustration]"]


@pytest.mark.parametrize(("is_multiplied", "white"), [(False, (255, 255, 255)), (True, (0xF0, 0xE0, 0xC0))])
def test_a_picture_is_drawn_by_another_process(is_multiplied: bool, white: tuple[int, int, int]) -> None:
    drawn = draw_picture(_bytes("PNG"), 6, 2, _PAPER, is_multiplied=is_multiplied)
    assert drawn is not None
    assert (drawn.width, drawn.height) == (6, 4)
    assert drawn.data == bytes(white) * 24


def test_the_paper_is_seen_through_what_is_transparent() -> None:
    written = io.BytesIO()
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(written, "PNG")
    drawn = draw_picture(written.getvalue(), 2, 1, _PAPER)
    assert drawn is not None
    assert drawn.data == bytes((0xF0, 0xE0, 0xC0)) * 4


def _bomb() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = (30_000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1_000_000))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("data", [b"", b"no picture", b"<svg/>", _bytes("PNG")[:60], _bomb()], ids=len)
def test_what_is_no_picture_or_too_large_a_one_is_not_drawn(data: bytes) -> None:
    assert draw_picture(data, 20, 10, _PAPER) is None


def test_the_process_of_the_page_loads_no_decoder() -> None:
    code = "import sys, engine.library.drawing, tui.render.art, tui.render.pictures; print('PIL' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_a_row_of_a_picture_is_written_with_few_bytes() -> None:
    console = Console(force_terminal=True, color_system="truecolor")
    console._color_system = ColorSystem.TRUECOLOR
    rgb = bytes((200, 100, 50)) * 20 + bytes((0, 0, 0)) * 20
    strip = art_strip(rgb, 20, 0, 2, 30, Style(color="#000000", bgcolor="#ffffff"))
    written = strip.render(console)
    assert strip.cell_length == 30
    assert written.count("▀") == 20
    assert written.count("38;2;") == 3  # the blanks at both ends, and one for all cells
    assert len(written.encode()) < 200


def test_a_picture_is_asked_for_once_and_kept_for_a_while() -> None:
    pictures = Pictures()
    keys = [PictureKey(DocumentId(1), f"{n}.png", 4, 2) for n in range(30)]
    assert [pictures.is_new(key) for key in (keys[0], keys[0])] == [True, False]
    assert all(pictures.is_new(key) for key in keys[1:])
    assert pictures.is_new(keys[0])


def _pixels_of_sixel(sequence: bytes) -> Image.Image:
    """Draw a sixel sequence as a terminal does."""
    head, _q, body = sequence.removesuffix(b"\x1b\\").partition(b"q")
    assert head == b"\x1bP0;1;0"
    size = re.match(rb'"1;1;(\d+);(\d+)', body)
    assert size is not None
    image = Image.new("RGB", (int(size[1]), int(size[2])))
    colours: dict[int, tuple[int, int, int]] = {}
    x = top = colour = 0
    for token in re.finditer(rb"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)(.)|([?-~])|(\$)|(-)", body[size.end() :]):
        if token[2] is not None:
            red, green, blue = (round(int(token[n]) * 255 / 100) for n in (2, 3, 4))
            colours[int(token[1])] = red, green, blue
        elif token[1] is not None:
            colour = int(token[1])
        elif token[8] or token[9]:
            x, top = 0, top + (6 if token[9] else 0)
        else:
            bits = (token[6] or token[7])[0] - 63
            run = int(token[5] or 1)
            for column, row in product(range(x, x + run), range(6)):
                if bits >> row & 1:
                    image.putpixel((column, top + row), colours[colour])
            x += run
    return image


def _request(form: PictureForm, width: int, height: int, most_bytes: int = 1_000_000) -> PictureRequest:
    return PictureRequest(width, height, form, most_bytes, _PAPER)


@pytest.mark.parametrize("form", list(PictureForm))
def test_a_picture_that_takes_too_many_bytes_is_made_smaller(form: PictureForm) -> None:
    written = io.BytesIO()
    Image.effect_noise((200, 100), 90).convert("RGB").save(written, "PNG")
    drawn = encode_picture(written.getvalue(), _request(form, 200, 100, 20_000))
    assert drawn is not None
    assert 5_000 < len(drawn.data) <= 20_000
    assert drawn.width / drawn.height == pytest.approx(2, rel=0.1)


def test_a_sixel_shows_each_pixel_in_its_colour() -> None:
    source = Image.new("RGB", (37, 23), "#336699")
    for x in range(37):
        source.putpixel((x, x % 23), (255, 204, 0))
    written = io.BytesIO()
    source.save(written, "PNG")
    drawn = encode_picture(written.getvalue(), _request(PictureForm.SIXEL, 37, 23))
    assert drawn is not None
    assert (drawn.width, drawn.height) == (37, 23)
    shown = _pixels_of_sixel(drawn.data)
    for x in range(37):
        for y in range(23):
            wanted = (255, 204, 0) if y == x % 23 else (51, 102, 153)
            assert shown.getpixel((x, y)) == pytest.approx(wanted, abs=6)


@pytest.mark.parametrize("form", list(PictureForm))
def test_a_picture_in_pixels_keeps_its_proportions_and_fits(form: PictureForm) -> None:
    drawn = encode_picture(_bytes("PNG", (300, 100)), _request(form, 200, 200))
    assert drawn is not None
    assert (drawn.width, drawn.height) == (200, 67)


@pytest.mark.parametrize("form", list(PictureForm))
def test_what_is_no_picture_is_not_encoded(form: PictureForm) -> None:
    assert encode_picture(b"nothing", _request(form, 100, 100)) is None
