"""Notes as pop-ups, links with the way back, addresses that are only shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.library import Library
from tests.builders import make_epub
from tests.piloted import library_with, lines_of, page_of, reading, settle, shown_by, type_ahead
from tui.app import UnderstoryApp

_PLAIN = "".join(f"<p>Nobody ever boarded the 6.40, number {n}. </p>" for n in range(60))
_NOTED = """<h1>Noted</h1>
<p>One<a epub:type="noteref" href="#n1">1</a> and two<a epub:type="noteref" href="#n2">2</a> words,
then <a href="c2.xhtml#here">a link</a>, <a href="c3.xhtml">an aside</a>
and <a href="https://example.org/x">the web</a>.</p>
<aside epub:type="footnote" id="n1"><p>The first note.</p></aside>
<aside epub:type="footnote" id="n2"><p>The second note. 第二条注释。二つ目の注。</p></aside>"""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """A book with notes, links, and a document outside the reading order."""
    chapters = [
        ("Noted", _NOTED),
        ("Linked", f'<h1>Linked</h1>{_PLAIN}<p id="here">Here it leads.</p>{_PLAIN}'),
        ("Aside", "<h1>Aside</h1><p>It stands apart.</p>"),
        ("One", '<h1>One</h1><p>Only one<a epub:type="noteref" href="#o">*</a>.</p>'
                '<aside epub:type="footnote" id="o"><p>The only note.</p></aside>' + _PLAIN),
    ]  # fmt: skip
    library = library_with(make_epub(tmp_path / "b.epub", title="Links", chapters=chapters, outside=[3]))
    yield library
    library.close()


def _card(app: UnderstoryApp) -> str:
    return shown_by(app) if len(app.screen_stack) > 1 else ""


async def test_enter_opens_the_only_note_of_a_page_and_any_key_closes_it(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await type_ahead(app, pilot, "2]")
        here = page_of(app).here
        await pilot.press("enter")
        await settle(app, pilot)
        assert "The only note." in _card(app)
        await pilot.press("escape")
        await settle(app, pilot)
        assert page_of(app).here == here


async def test_among_several_enter_puts_the_first_in_focus_and_then_opens_it(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await type_ahead(app, pilot, "\r")
        assert _card(app) == ""
        assert "5 on this page" in shown_by(app)
        await type_ahead(app, pilot, "\r")
        assert "The first note." in _card(app)


async def test_f_goes_on_to_the_next_note_from_inside_the_card(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await type_ahead(app, pilot, "f\r")
        assert "The first note." in _card(app)
        await pilot.press("f")
        await settle(app, pilot)
        assert "The second note. 第二条注释。二つ目の注。" in _card(app)
        await pilot.press("f")
        await settle(app, pilot)
        assert "The first note." in _card(app)


async def test_a_link_is_followed_and_backspace_leads_back(library: Library) -> None:
    async with reading(library) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "3f\r")
        assert "Here it leads." in lines_of(app)[2]
        await type_ahead(app, pilot, "\b")
        assert page_of(app).here == here


async def test_a_document_outside_the_reading_order_is_left_by_backspace_and_asks_nothing(library: Library) -> None:
    async with reading(library) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "ffff\r")
        assert "It stands apart." in shown_by(app)
        assert "Count" not in shown_by(app)
        await type_ahead(app, pilot, "\b")
        assert page_of(app).here == here


async def test_an_address_outside_the_book_is_only_shown(library: Library, no_network: list[str]) -> None:
    async with reading(library) as (app, pilot):
        here = page_of(app).here
        await type_ahead(app, pilot, "fffff\r")
        assert "This leads out of the book: https://example.org/x" in shown_by(app)
        assert page_of(app).here == here
    assert no_network == []


async def test_a_note_opens_under_the_mouse(library: Library) -> None:
    async with reading(library) as (app, pilot):
        row = next(y for y, line in enumerate(lines_of(app)) if "two²" in line)
        await pilot.click(offset=(lines_of(app)[row].index("²"), row))
        await settle(app, pilot)
        assert "The second note." in _card(app)


async def test_a_page_without_links_says_so(library: Library) -> None:
    async with reading(library) as (app, pilot):
        await type_ahead(app, pilot, "]")
        await type_ahead(app, pilot, "\r")
        assert "No link or note on this page." in shown_by(app)
