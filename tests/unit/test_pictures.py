"""Pictures: how large they are, how many cells they take, how they are drawn, and what cannot be."""

from __future__ import annotations

import base64
import io
import re
import subprocess
import sys
import zipfile
import zlib
from itertools import pairwise, product
from pathlib import Path

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
from engine.epub.reader import open_epub
from engine.library.drawing import PictureForm, PictureRequest, draw_picture, encode_picture
from tests.builders import make_epub
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


_SVG = "http://www.w3.org/2000/svg"


def _drawing(attributes: str = 'viewBox="0 0 8 8"', body: str = '<rect width="8" height="8" fill="#ff0000"/>') -> bytes:
    root = f'<svg xmlns="{_SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>{body}</svg>'
    return f'<?xml version="1.0"?><!-- by hand -->{root}'.encode()


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="300" height="200"', (300, 200)),
        ("height='1in' width='2in' viewBox='0 0 9 9'", (192, 96)),
        ('width="100%" height="100%" viewBox="0,0 1240 1612"', (923, 1200)),
        ('viewBox="-5 -5 30 10"', (1200, 400)),
        ('width="90px" viewBox="0 0 30 10"', (90, 30)),
        ('stroke-width="7" data-height="9"', (0, 0)),
        ('width="1e9" height="5"', (0, 0)),
        ('width="999999" height="5"', (0, 0)),
        ('viewBox="0 0 nan 1"', (0, 0)),
        ('viewBox="0 0 e+1 1"', (0, 0)),
    ],
)
def test_a_drawing_tells_its_size_or_its_proportions(attributes: str, size: tuple[int, int]) -> None:
    assert size_of_picture(_drawing(attributes)) == size


@given(
    st.binary(max_size=64),
    st.sampled_from(
        [
            b"",
            b"\xff\xd8\xff",
            b"\x89PNG\r\n\x1a\n",
            b"RIFF0000WEBP",
            b"BM",
            b"GIF89a",
            b"<svg viewBox='",
            b"<svg width='",
        ]
    ),
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


def test_a_drawing_is_drawn() -> None:
    drawn = draw_picture(_drawing(), 4, 2, _PAPER)
    assert drawn is not None
    assert drawn.data == bytes((0xFF, 0, 0)) * 16


@pytest.mark.parametrize(
    ("paper", "ink", "seen"),
    [("#101010", "#000000", 0xFF), ("#f0f0f0", "#000000", 0), ("#f0f0f0", "#ffffff", 0), ("#101010", "#ffffff", 0xFF)],
)
def test_black_lines_on_nothing_turn_white_on_dark_paper(paper: str, ink: str, seen: int) -> None:
    drawn = draw_picture(_drawing(body=f'<rect width="8" height="4" fill="{ink}"/>'), 4, 4, paper)
    assert drawn is not None
    assert drawn.data[:12] == bytes((seen,)) * 12
    assert drawn.data[-12:] == bytes.fromhex(paper[1:]) * 4


def test_a_coloured_drawing_keeps_its_colours_on_any_paper() -> None:
    drawn = draw_picture(_drawing(body='<rect width="8" height="4" fill="#000060"/>'), 4, 4, "#101010")
    assert drawn is not None
    assert drawn.data[:3] == bytes((0, 0, 0x60))


@pytest.mark.parametrize(
    "body",
    [
        '<image width="8" height="8" href="{file}"/>',
        '<image width="8" height="8" xlink:href="{file}"/>',
        '<image width="8" height="8" href="file://{file}"/>',
        '<filter id="f"><feImage href="{file}"/></filter><rect width="8" height="8" filter="url(#f)"/>',
        '<image width="8" height="8" href="data:image/svg+xml;utf8,&lt;svg xmlns=%22{ns}%22&gt;'
        '&lt;image href=%22{file}%22 width=%228%22 height=%228%22/&gt;&lt;/svg&gt;"/>',
    ],
)
def test_a_drawing_never_shows_a_file_of_the_machine(tmp_path: Path, body: str) -> None:
    file = tmp_path / "secret.png"
    file.write_bytes(_bytes("PNG", (8, 8), "#00ff00"))
    drawn = draw_picture(_drawing(body=body.format(file=file, ns=_SVG)), 4, 2, _PAPER)
    assert bytes((0, 0xFF, 0)) not in (drawn.data if drawn is not None else b"")


def test_a_picture_within_a_drawing_is_drawn() -> None:
    data = base64.b64encode(_bytes("PNG", (8, 8), "#00ff00")).decode()
    drawn = draw_picture(
        _drawing(body=f'<image width="8" height="8" xlink:href="data:image/png;base64,{data}"/>'), 4, 2, _PAPER
    )
    assert drawn is not None
    assert drawn.data == bytes((0, 0xFF, 0)) * 16


_ENTITIES = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in pairwise("abcdefghij")
)


@pytest.mark.parametrize(
    "data",
    [
        _ENTITIES.encode() + b"]>" + _drawing(body="<text>&j;</text>").partition(b"-->")[2],
        _drawing(body="<g>" * 100_000 + "</g>" * 100_000),
        _drawing(
            body='<g id="u0"><path d="M0 0h1"/></g>'
            + "".join(f'<g id="u{n}">' + f'<use href="#u{n - 1}"/>' * 10 + "</g>" for n in range(1, 9))
        ),
        _drawing('width="8" height="8"', "<path d='M0"),
    ],
    ids=["entities", "depth", "copies", "torn"],
)
def test_a_hostile_drawing_takes_no_more_than_its_process(data: bytes) -> None:
    drawn = draw_picture(data, 4, 2, _PAPER)
    assert drawn is None or len(drawn.data) == 48


def test_a_drawing_that_only_shows_a_picture_is_that_picture(tmp_path: Path) -> None:
    photo = _bytes("JPEG")
    only, more = '<image xlink:href="photo.jpg"/>', '<image xlink:href="photo.jpg"/><path d="M0 0h1"/>'
    book = make_epub(tmp_path / "a.epub", title="A", chapters=[("One", '<p><img src="a.svg"/><img src="b.svg"/></p>')])
    with zipfile.ZipFile(book, "a") as more_of_it:
        more_of_it.writestr("OEBPS/photo.jpg", photo)
        more_of_it.writestr("OEBPS/a.svg", _drawing(body=only))
        more_of_it.writestr("OEBPS/b.svg", _drawing(body=more))
    with open_epub(book) as opened:
        (wrapping, drawing) = opened.document(0).pictures
        assert (wrapping.width, wrapping.height) == (1200, 1200)
        assert opened.resource(wrapping.href) == photo
        assert opened.resource(drawing.href) == _drawing(body=more)


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
