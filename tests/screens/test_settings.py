"""Settings over the page: seen at once, kept with her comments, undone, picked up from the file."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from engine.config import Settings, SpoilerMode, read_settings, setting_names
from engine.library import Library
from tests.piloted import lines_of, page_of, reading, settle, shown_by, type_ahead
from tui.app import UnderstoryApp
from tui.modals.settings import SettingsDialog
from tui.render.setting_rows import Chosen, setting_row, setting_title, stepped
from tui.screens.reading import ReadingScreen


def _page(app: UnderstoryApp) -> ReadingScreen:
    screen = app.reading_screen()
    assert screen is not None
    return screen


async def _press(app: UnderstoryApp, pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(app, pilot)


def test_every_setting_has_a_title() -> None:
    assert [name for name in setting_names() if not setting_title(name)] == []


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("name", setting_names())
def test_a_row_shows_title_and_value_at_any_width(name: str, width: int) -> None:
    title, value, remark = setting_row(name, Chosen(Settings()), width)
    assert len(title + value + remark) <= width
    assert value.startswith("◂ ")
    assert value.endswith(" ▸")
    assert "…" not in title


@pytest.mark.parametrize(
    ("name", "value", "step", "expected"),
    [
        ("column_width", 68, 1, 70),
        ("column_width", 200, 1, 200),
        ("paragraph_gap", 0, -1, 0),
        ("mouse", True, 1, False),
        ("ruby", "off", 1, "inline"),
        ("theme", "ink", 1, "moss"),
        ("theme", "gone", 1, "paper"),
        ("language", "", -1, "ja"),
    ],
)
def test_a_press_takes_the_next_value(name: str, value: str | int, step: int, expected: str | int) -> None:
    assert stepped(name, value, step, ("paper", "ink", "moss")) == expected


async def test_a_change_lays_the_page_anew_with_the_same_first_character(planted_library: Library) -> None:
    async with reading(planted_library) as (app, pilot):
        await type_ahead(app, pilot, "40%jj")
        here, row = _page(app).here, _page(app).text.render_line(0).text
        await _press(app, pilot, "S", "left", "left", "left", "left")
        assert _page(app).column_cells == 60
        assert _page(app).here == here
        await _press(app, pilot, "j", "right", "j", "right", "right")
        assert (app.settings.paragraph_gap, app.settings.first_line_indent) == (2, 2)
        assert _page(app).here == here
        await _press(app, pilot, *"uuuuuuu")
        assert app.settings == Settings()
        assert _page(app).here == here
        await _press(app, pilot, "escape")
        assert _page(app).text.render_line(0).text == row


async def test_what_is_kept_is_written_beside_her_comments_and_undone_later(english: Library) -> None:
    path = english.paths.config_file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('# mine\ntheme = "ink" # at night\n', "utf-8")
    chosen, _complaints = read_settings(path)
    async with reading(english, settings=chosen) as (app, pilot):
        await _press(app, pilot, "S", "right", "enter")
        assert '# mine\ntheme = "ink" # at night\n' in path.read_text("utf-8")
        assert read_settings(path)[0] == Settings(theme="ink", column_width=70)
        await _press(app, pilot, "S", "u", "enter")
        assert read_settings(path)[0] == Settings(theme="ink")
        assert _page(app).column_cells == 68


async def test_escape_leaves_everything_as_it_was(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await _press(app, pilot, "S", "right", "right", "escape")
        assert app.settings == Settings()
        assert _page(app).column_cells == 68
        assert not english.paths.config_file.exists()


async def test_a_work_may_have_its_own(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await _press(app, pilot, "S", "w", "right", "right", "enter")
        assert _page(app).column_cells == 72
        assert not english.paths.config_file.exists()
    async with reading(english) as (app, pilot):
        assert _page(app).column_cells == 72
        await _press(app, pilot, "S")
        assert "this work" in shown_by(app)
        await _press(app, pilot, "w", "enter")
        assert _page(app).column_cells == 68


async def test_one_work_may_show_everything_and_the_others_do_not(english: Library) -> None:
    work = english.works()[0].id
    spoilers = setting_names().index("spoilers")
    async with reading(english) as (app, pilot):
        await _press(app, pilot, "S", *"j" * spoilers, "w", "right")
        assert english.mode_of(work) is SpoilerMode.OFF  # seen at once
        await _press(app, pilot, "escape")
        assert english.mode_of(work) is SpoilerMode.AUTO
        await _press(app, pilot, "S", *"j" * spoilers, "w", "right", "enter")
    assert english.spoilers is SpoilerMode.AUTO
    assert not english.paths.config_file.exists()
    async with reading(english) as (app, pilot):
        assert app.settings.spoilers is SpoilerMode.OFF
        assert english.mode_of(work) is SpoilerMode.OFF


async def test_what_holds_for_all_cannot_be_a_works_own(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await _press(app, pilot, "S", "end", "w")
        assert "This one holds for all works." in shown_by(app)


async def test_the_file_edited_outside_changes_the_page_and_can_be_undone(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await type_ahead(app, pilot, "40%")
        here = _page(app).here
        english.paths.config_file.parent.mkdir(parents=True, exist_ok=True)
        english.paths.config_file.write_text("column_width = 50\nline_spacing = 2\n", "utf-8")
        while app.settings.column_width != 50:
            await pilot.pause(0.05)
        await settle(app, pilot)
        assert (_page(app).column_cells, _page(app).here) == (50, here)
        await _press(app, pilot, "S", "u", "enter")
        assert (_page(app).column_cells, _page(app).here) == (68, here)
        assert read_settings(english.paths.config_file)[0] == Settings()


@pytest.mark.parametrize("size", [(40, 15), (80, 24), (200, 50)])
async def test_the_page_is_seen_above_the_settings(english: Library, size: tuple[int, int]) -> None:
    async with reading(english, size=size) as (app, pilot):
        before = lines_of(app)
        await _press(app, pilot, "S")
        assert lines_of(app)[: size[1] // 2 - 1] == before[: size[1] // 2 - 1]
        assert "◂ 68 ▸" in shown_by(app)
        assert any("Esc" in line for line in lines_of(app)[-1:])


async def test_the_settings_are_changed_by_mouse(english: Library) -> None:
    async with reading(english) as (app, pilot):
        await _press(app, pilot, "S")
        rows = lines_of(app)
        y = next(n for n, row in enumerate(rows) if "◂ 68 ▸" in row)
        await pilot.click(offset=(rows[y].index("▸"), y))
        await settle(app, pilot)
        assert app.settings.column_width == 70
        await pilot.click(offset=(rows[y].index("◂"), y))
        await settle(app, pilot)
        assert app.settings.column_width == 68
        await pilot.click(offset=(3, 1))
        await settle(app, pilot)
        assert not isinstance(app.screen, SettingsDialog)


async def test_another_mode_of_veiling_holds_at_once(english: Library) -> None:
    async with reading(english, size=(120, 30)) as (app, pilot):
        await type_ahead(app, pilot, "t")
        await _press(app, pilot, "tab", "S", *["j"] * setting_names().index("spoilers"), "right", "right", "enter")
        assert english.spoilers == app.settings.spoilers == "strict"
        assert "░░░" in shown_by(app)
        assert page_of(app).session is app.session
