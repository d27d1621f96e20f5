"""What only shows when one looks at the page: that things stand in line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import make_epub
from tests.piloted import library_with, lines_of, reading, settle

NOTED = """<h1>{word}</h1><p>{word}<a epub:type="noteref" href="#n1">1</a></p>
<aside epub:type="footnote" id="n1"><p>{note}</p></aside>"""


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (160, 50)])
@pytest.mark.parametrize(
    ("word", "note"), [("Lamp", "It hung over the platform."), ("六闸", "敲六下。"), ("番傘", "竹と紙で作る。")]
)
async def test_a_note_stands_in_the_column_of_the_page(
    tmp_path: Path, size: tuple[int, int], word: str, note: str
) -> None:
    library = library_with(
        make_epub(tmp_path / "b.epub", title="b", chapters=[("c", NOTED.format(word=word, note=note))])
    )
    async with reading(library, size=size) as (app, pilot):
        await pilot.press("enter")
        await settle(app, pilot)
        rows = lines_of(app)
        page = next(row for row in rows if row.strip() == word)
        card = next(row for row in rows if note in row)
        assert card.index(note) == page.index(word)
    library.close()


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (40, 15)])
async def test_a_note_leaves_the_notice_below_it_whole(tmp_path: Path, size: tuple[int, int]) -> None:
    body = "<p>Nobody ever boarded the 6.40. </p>" * 200
    chapters = [("One", f"<h1>One</h1>{body}"), ("Two", NOTED.format(word="Lamp", note="It hung there.") + body)]
    library = library_with(make_epub(tmp_path / "b.epub", title="b", chapters=chapters))
    async with reading(library, size=size) as (app, pilot):
        await pilot.press("]", "space", "b")  # whether a chapter passed over was read is asked on reading on
        await settle(app, pilot)
        asked = next(row for row in lines_of(app) if "Esc" in row)
        await pilot.press("enter")
        await settle(app, pilot)
        rows = lines_of(app)
        assert any("It hung there." in row for row in rows)
        assert asked in rows
    library.close()


@pytest.mark.parametrize(
    "title", ["The Last Train of the Thaw", "贾宝玉初试云雨情刘姥姥一进荣", "久世くんは傘をさせないと言う"]
)
async def test_in_a_narrow_contents_a_title_goes_before_its_minutes(tmp_path: Path, title: str) -> None:
    body = "<p>Nobody ever boarded the 6.40. </p>" * 200
    chapters = [("One", f"<h1>One</h1>{body}"), (title, f"<h1>{title}</h1>{body}"), ("Two", f"<h1>Two</h1>{body}")]
    library = library_with(make_epub(tmp_path / "b.epub", title="b", chapters=chapters))
    async with reading(library, size=(120, 36)) as (app, pilot):
        await pilot.press("t")
        await settle(app, pilot)
        contents = [row[:35].strip() for row in lines_of(app)]
        assert title in [row.removeprefix("▎").strip() for row in contents]
        assert contents[6].endswith("min")
    library.close()


@pytest.mark.parametrize("title", ["The Lamp", "雪夜来信", "ハルト様の雨"])
async def test_a_narrow_window_names_the_chapter(tmp_path: Path, title: str) -> None:
    body = f"<h1>{title}</h1>" + "<p>Nobody ever boarded the 6.40. </p>" * 200
    library = library_with(make_epub(tmp_path / "b.epub", title="b", chapters=[(title, body)]))
    async with reading(library, size=(40, 15)) as (app, _pilot):
        assert title in lines_of(app)[0]
        assert lines_of(app)[0].endswith("0 %")
    library.close()
