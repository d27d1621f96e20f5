"""How long and how fast she reads: what counts, what is kept, and what the time left goes by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine.domain.locator import pos_of
from engine.domain.outline import OutlineIndex
from engine.domain.pace import PaceMeter, Sitting
from engine.domain.wiki import PageKey, PageKind
from engine.library import Library
from tests.builders import make_epub
from tests.planted_commands import run_here
from tests.shelving import document_of, paths_in, shelve, wait_for_names
from tui.render.glance import first_glance
from tui.render.place_words import how_far_words

_PAGE = 1000


def _read(pages: Sequence[tuple[float, int]]) -> tuple[float, int]:
    """Turn to pages at some seconds; return what was counted."""
    meter = PaceMeter()
    for at_s, page in pages:
        meter.turned(at_s, page * _PAGE, (page + 1) * _PAGE)
    return meter.seconds, meter.characters


@pytest.mark.parametrize(
    ("pages", "counted"),
    [
        ([(0, 0)], (0, 0)),
        ([(0, 0), (30, 1), (70, 2)], (70, 2000)),
        ([(0, 0), (2, 1), (4, 2)], (0, 0)),  # leafed through
        ([(0, 0), (30, 9), (60, 10)], (30, 1000)),  # jumped ahead
        ([(0, 3), (30, 2), (60, 3)], (30, 1000)),  # went back
        ([(0, 0), (9000, 1)], (180, 1000)),  # fell asleep
        ([(0, 0), (10, 0), (30, 1)], (30, 1000)),  # told twice
    ],
)
def test_only_pages_that_were_read_on_from_count(pages: list[tuple[float, int]], counted: tuple[float, int]) -> None:
    assert _read(pages) == counted


def test_two_volumes_are_not_one_page() -> None:
    meter = PaceMeter()
    meter.turned(0, pos_of(0, 0), pos_of(0, 1000))
    meter.turned(30, pos_of(1, 0), pos_of(1, 1000))
    assert (meter.seconds, meter.characters) == (0, 0)


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    library = Library(paths_in(home))
    yield library
    library.close()


def test_a_pace_is_known_after_some_minutes_and_by_language(library: Library) -> None:
    library.keep_sitting(Sitting("a", "a" * 64, "en", 100, 100 * 2800 // 60))
    assert library.pace("en") == 1.0
    library.keep_sitting(Sitting("a", "a" * 64, "en", 600, 600 * 2800 // 60))
    assert library.pace("en") == pytest.approx(2.0)
    assert library.pace("ja") == 1.0


def test_the_time_left_goes_by_her_own_pace(library: Library) -> None:
    work = shelve(library._store, [document_of(["x" * 14_000])])
    index = OutlineIndex(library.outline(work))
    average = how_far_words(index, 0, 0)[2]
    index.pace = 2.0
    assert (average, how_far_words(index, 0, 0)[2]) == ("10 min left in chapter", "5 min left in chapter")


def test_a_glance_tells_the_minutes_of_her_own_pace(library: Library, tmp_path: Path) -> None:
    words = "Ilse Marrow met Oren Vale at the lamp. Oren Vale followed Ilse Marrow home. " * 180
    book = make_epub(tmp_path / "lamp.epub", title="Lamp", chapters=[("One", f"<p>{words}</p>")])
    library.import_now(book)
    wait_for_names(library)
    work = library.works()[0].id
    library.keep_sitting(Sitting("a", "a" * 64, "en", 600, 600 * 2800 // 60))
    index = OutlineIndex(library.outline(work))
    index.pace = library.pace("en")
    page = library.page(work, PageKey(PageKind.GLANCE, pos=0))
    assert page.parts
    assert page.kind_words.endswith("5 min")
    assert page.kind_words == first_glance(index, 0).kind_words


def test_stats_tell_sittings_pace_and_what_is_left(library: Library) -> None:
    shelve(library._store, [document_of(["x" * 28_000])])
    library.keep_sitting(Sitting("a", "a" * 64, "en", 600, 28_000, "2026-01-02T03:04:05Z"))
    library.keep_sitting(Sitting("b", "a" * 64, "en", 60, 2_800, "2026-01-03T03:04:05Z"))
    code, out, _said = run_here("stats", "--json")
    assert code == 0
    assert '"sittings": 2, "minutes": 11, "characters": 30800, "per_minute": 2800' in out
    assert '"left_minutes": 10' in out
    assert "2 sittings" in run_here("stats")[1]


def test_nothing_is_told_of_what_was_not_read(library: Library) -> None:
    shelve(library._store, [document_of(["x" * 100])])
    assert run_here("stats")[1] == ""


def test_sittings_outlive_a_damaged_library(library: Library) -> None:
    library.keep_sitting(Sitting("a", "a" * 64, "en", 600, 28_000))
    library.close()
    library.paths.library_db.write_bytes(b"no library any more" * 400)
    mended = Library(library.paths)
    assert mended.pace("en") == pytest.approx(2.0)
    mended.close()
