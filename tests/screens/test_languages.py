"""The interface in three languages: every row fits its panel and its screen, and columns line up."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widget import Widget

from engine.library import Library
from engine.paths import paths_under
from engine.translate import _, ngettext, use_language
from tests.builders import make_epub
from tests.piloted import chapters_of, library_with, lines_of, page_of, reading, settle
from tui.app import UnderstoryApp
from tui.keys import READING_ACTIONS
from tui.modals.help_page import HelpPage
from tui.widgets.row_widget import RowWidget

_SIZES = [(40, 15), (80, 24), (120, 36), (200, 50)]
_BOOKS = {
    "en": ("Low Water, Vol. 1", "Low Water, Vol. 2", "A Winter without Lamps"),
    "zh_CN": ("听雨 第一卷 无人之字", "听雨 第二卷 迟来的钟声", "没有灯火的冬天"),
    "ja": ("雨の駅 第1巻", "雨の駅 第2巻", "灯りのない冬"),
}
_TEXTS = {"en": "en", "zh_CN": "zh", "ja": "ja"}
_SEARCHED = {"en": "boarded", "zh_CN": "添油", "ja": "扉"}


@pytest.fixture(params=sorted(_BOOKS))
def spoken(request: pytest.FixtureRequest) -> str:
    """Each language of the interface."""
    language = str(request.param)
    use_language(language)
    return language


@pytest.fixture(params=_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    """Columns and rows from the smallest screen one can read on to a large one."""
    columns, rows = request.param
    return columns, rows


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a home for each language, which holds a work of two volumes and one of a single."""
    folder = tmp_path_factory.mktemp("spoken")
    for language, titles in _BOOKS.items():
        paths = paths_under(folder / language)
        paths.data_dir.mkdir(parents=True)
        library = Library(paths)
        for number, title in enumerate(titles):
            book = make_epub(
                folder / f"{language}{number}.epub",
                title=title,
                chapters=chapters_of(_TEXTS[language], chapters=4, paragraphs=12),
                language=_TEXTS[language],
            )
            assert not library.import_now(book).error
        library.close()
    return folder


@pytest.fixture
def library(homes: Path, spoken: str, home: Path) -> Iterator[Library]:
    """A library of the test's own in the language spoken."""
    shutil.copytree(homes / spoken, home)
    library = library_with()
    yield library
    library.close()


def _wrong_rows(app: UnderstoryApp) -> list[str]:
    """Return the rows that are no whole row of their widget, or of the screen."""
    found = [
        f"screen {y}: {cell_len(strip.text)} of {app.size.width} cells {strip.text!r}"
        for y, strip in enumerate(app.screen._compositor.render_strips())
        if cell_len(strip.text) != app.size.width
    ]
    for widget in (*app.screen.query(RowWidget), *([app.screen] if isinstance(app.screen, HelpPage) else [])):
        if widget.is_on_screen and widget.display:
            rows = [widget.render_line(y).text for y in range(widget.size.height)]
            found += [f"{widget!r}: {row!r}" for row in rows if cell_len(row) != widget.size.width]
    return found


def _cells(row: str, start: int, end: int) -> str:
    """Return what stands in some cells of a row; the second cell of a wide character is empty."""
    cells = [part for char in row for part in (char, *[""] * (cell_len(char) - 1))]
    return "".join(cells[start:end])


def _blanked_rows(app: UnderstoryApp) -> list[str]:
    """Return the rows of panels in which what lies beneath cut a character in two."""
    rows = [strip.text for strip in app.screen._compositor.render_strips()]
    found = []
    for widget in app.screen.query(RowWidget):
        x, y, width, height = widget.region
        if widget.is_on_screen and widget.display and _is_in_front(widget):
            drawn = [widget.render_line(each).text for each in range(height)]
            shown = [_cells(rows[y + each], x, x + width) for each in range(height)]
            found += [f"{old!r} is shown as {new!r}" for old, new in zip(drawn, shown, strict=True) if old != new]
    return found


def _is_in_front(widget: Widget) -> bool:
    region = widget.region
    corners = ((region.x, region.y), (region.right - 1, region.y), (region.x, region.bottom - 1))
    return all(widget.screen.get_widget_at(*corner)[0] is widget for corner in corners)


async def _walk(app: UnderstoryApp, pilot: Pilot[None], searched: str) -> list[str]:
    """Open one thing after the other and return what was wrong on each."""
    steps: list[tuple[str, list[str]]] = [
        ("page", []),
        ("contents", ["t"]),
        ("filtered contents", ["/", *"1"]),
        ("marks", ["escape", "escape", "M", "B"]),
        ("sidebar", ["escape", "g", "s"]),
        ("wiki", ["right"]),
        ("chat", ["right"]),
        ("search", ["right", *searched]),
        ("found", ["enter"]),
        ("far jump", ["escape", "escape", "G"]),
        ("next link", ["f"]),
        ("search line", ["/", *searched]),
        ("selection", ["escape", "v"]),
        ("looked up", ["enter"]),
        ("copied", ["y"]),
        ("whole wiki", ["escape", "escape", "W"]),
        ("keys of the wiki", ["question_mark"]),
        ("palette", ["escape", "escape", ":", *"chapter"]),
        ("keys", ["escape", "question_mark"]),
        ("more keys", ["space"]),
        ("shelf", ["escape", "L"]),
        ("volumes", ["right"]),
        ("keys of the shelf", ["question_mark"]),
        ("import", ["escape", "i"]),
    ]
    wrong = []
    for name, keys in steps:
        await pilot.press(*keys)
        await settle(app, pilot)
        wrong += [f"{name}: {row}" for row in (*_wrong_rows(app), *_blanked_rows(app))]
    return wrong


async def test_every_row_of_every_panel_is_as_wide_as_it_should_be(
    library: Library, spoken: str, size: tuple[int, int]
) -> None:
    async with reading(library, size=size) as (app, pilot):
        assert await _walk(app, pilot, _SEARCHED[spoken]) == []


@pytest.mark.parametrize("columns", [40, 80])
async def test_the_scales_begin_where_the_longest_name_ends(library: Library, columns: int) -> None:
    async with reading(library, size=(columns, 24)) as (app, pilot):
        await settle(app, pilot)
        bars = [re.search("[█░▏▎▍▌▋▊▉┄┬●]+", row) for row in lines_of(app)[-2:]]
    starts = {cell_len(bar.string[: bar.start()]) for bar in bars if bar is not None}
    assert (starts, len({len(bar[0]) for bar in bars if bar is not None})) == (
        {4 + max(cell_len(_("work")), cell_len(_("volume")))},
        1,
    )


@pytest.mark.parametrize("columns", [40, 80])
async def test_how_far_works_are_read_ends_in_one_column(library: Library, columns: int) -> None:
    read, new = await _shelf_rows(library, columns)
    assert _cells_to(read, _("{share} %").format(share=0)) == _cells_to(new, _("new"))


async def test_the_volumes_of_works_are_counted_in_one_column(library: Library) -> None:
    rows = await _shelf_rows(library, 80)
    counted = [ngettext("{n} volume", "{n} volumes", n).format(n=n) for n in (2, 1)]
    assert len({_cells_to(row, words) for row, words in zip(rows, counted, strict=True)}) == 1


async def _shelf_rows(library: Library, columns: int) -> list[str]:
    """Return the rows of the work that was opened and of the one that was not."""
    async with reading(library, size=(columns, 24)) as (app, pilot):
        await pilot.press("L")
        await settle(app, pilot)
        return lines_of(app)[2:4]


def _cells_to(row: str, words: str) -> int:
    """Return the cell behind the words."""
    return cell_len(row[: row.rindex(words)] + words)


@pytest.mark.parametrize("columns", [40, 80])
async def test_what_keys_do_stands_in_one_column(library: Library, columns: int) -> None:
    async with reading(library, size=(columns, 24)) as (app, pilot):
        await pilot.press("question_mark")
        await settle(app, pilot)
        rows = lines_of(app)
    told = [_(action.description) for action in READING_ACTIONS[:12]]
    starts = [cell_len(row.removesuffix(words)) for words in told for row in rows if row.endswith(words)]
    assert (len(starts), len(set(starts))) == (len(told), 1)


async def test_a_page_drawn_again_leaves_the_panel_over_it_whole(homes: Path, home: Path) -> None:
    use_language("zh_CN")
    shutil.copytree(homes / "zh_CN", home)
    async with reading(library_with(), size=(80, 24)) as (app, pilot):
        await pilot.press("g", "slash", *"添油", "enter")
        await settle(app, pilot)
        drawn = app.screen._compositor.render_full_update().render_segments(app.console)
        page_of(app).text.refresh()
        app.screen._compositor.update_widgets({page_of(app).text})
        update = app.screen._compositor.render_partial_update()
        assert update is not None
        screen = pyte.Screen(80, 24)
        pyte.Stream(screen).feed(drawn + update.render_segments(app.console))
        shown = ["".join(screen.buffer[y][x].data for x in range(80)).rstrip() for y in range(24)]
        assert shown == lines_of(app)
