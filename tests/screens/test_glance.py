"""The glance of a chapter: what may be known before it is read."""

from __future__ import annotations

from engine.domain.book import WorkId
from engine.library import Library
from tests.piloted import page_of, reading, settle
from tests.told import READ, Told, type_and_wait, wiki_title
from tui.app.program import UnderstoryApp


async def test_the_glance_names_whom_she_knows(library: Library, told: Told) -> None:
    async with reading(library, size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "gs")
        await pilot.pause(0.3)
        await settle(app, pilot)
        rows = [row for row in _glance(app) if row.strip()]
        assert rows[0].endswith("chapter 1 · 1 min")
        assert told.person in next(row for row in rows if row.startswith("Known here")).replace("\u00a0", " ")
        assert "Ahead" not in "\n".join(rows)


async def test_the_glance_of_the_next_chapter_tells_how_it_begins(told_english: tuple[Library, WorkId]) -> None:
    library, work = told_english
    async with reading(library, size=(120, 24)) as (app, pilot):
        page_of(app).jump(library.outline(work).volumes[0].documents[READ].id, 0)
        await type_and_wait(app, pilot, "gs")
        await pilot.pause(0.3)
        await settle(app, pilot)
        assert "Ahead       “Moth counted the lamps again in" in _glance(app)


def _glance(app: UnderstoryApp) -> list[str]:
    region = page_of(app).sidebar.glance.region
    rows = app.screen._compositor.render_strips()[region.y : region.bottom]
    return [row.crop(region.x + 2).text.rstrip() for row in rows]


async def test_a_name_of_the_glance_opens_its_entry_in_the_wiki(told_english: tuple[Library, WorkId]) -> None:
    async with reading(told_english[0], size=(120, 36)) as (app, pilot):
        await type_and_wait(app, pilot, "gs")
        await pilot.pause(0.3)
        await type_and_wait(app, pilot, "1")
        assert wiki_title(app) == "Ilse Marrow"
        assert page_of(app).focused is page_of(app).sidebar.wiki


async def test_how_a_chapter_begins_is_not_told_before_she_stands_at_its_door(
    told_english: tuple[Library, WorkId],
) -> None:
    library, work = told_english
    async with reading(library, size=(120, 36)) as (app, pilot):
        page_of(app).jump(library.outline(work).volumes[0].documents[5].id, 0)
        await type_and_wait(app, pilot, "gs")
        await pilot.pause(0.3)
        await settle(app, pilot)
        assert "Ahead" not in "\n".join(_glance(app))
