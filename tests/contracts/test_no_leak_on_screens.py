"""Veiled text is never drawn: the real program over works with planted facts, at random boundaries.

A new part of the screen joins in `tests/planted_screens.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from engine.library import Library
from engine.paths import paths_under
from engine.spoilers import masks
from engine.spoilers.policy import END, Mode
from tests.planted import triples
from tests.planted_screens import DRAWN, leaks_on, shown
from tests.planting import Planted, plant, sample_ground, tale_ground
from tui.session import ReadingSession

_GROUNDS = {"sample series": sample_ground, "tale of 20 chapters": tale_ground}


@pytest.fixture(scope="module", params=sorted(_GROUNDS))
def planted(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Planted]:
    folder = tmp_path_factory.mktemp("planted")
    library = Library(paths_under(folder / "home"))
    yield plant(library, folder, _GROUNDS[str(request.param)]())
    library.close()


@pytest.fixture
def at_home(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> Planted:
    """Let the program find the planted work."""
    monkeypatch.setenv("UNDERSTORY_HOME", str(planted.library.paths.data_dir.parent))
    return planted


async def _drawn_leaks(planted: Planted, mode: Mode, count: int, seed: int) -> list[str]:
    """Return what parts of the screen give away at random boundaries, in one sitting."""
    rng = random.Random(seed)
    async with shown(planted, mode) as at:
        return [
            leak
            for pos, _mode, part in triples(planted, count, seed, DRAWN)
            for leak in await leaks_on(at, pos, part, rng)
        ]


async def _first_leak(planted: Planted, part: str) -> str:
    """Return the first thing a part of the screen gives away in strict mode; empty when it gives away nothing."""
    rng = random.Random(5)
    async with shown(planted, Mode.STRICT) as at:
        for pos, _mode, each in triples(planted, 60, 5, [part]):
            for leak in await leaks_on(at, pos, each, rng):
                return leak
    return ""


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.STRICT])
async def test_nothing_is_drawn_that_was_not_read(at_home: Planted, mode: Mode) -> None:
    assert await _drawn_leaks(at_home, mode, 6, 0) == []


async def test_hits_go_away_when_the_frontier_is_set_back(at_home: Planted) -> None:
    rng = random.Random(0)
    async with shown(at_home, Mode.AUTO) as at:
        await leaks_on(at, at_home.end, "search", rng)
        assert at.screen.sidebar.search.listed is not None
        await at.read_to(0)
        assert at.screen.sidebar.search.listed is None


async def test_an_answer_waits_when_the_frontier_is_set_back(at_home: Planted) -> None:
    rng = random.Random(0)
    async with shown(at_home, Mode.AUTO) as at:
        assert await leaks_on(at, at_home.end, "chat", rng) == []
        assert await leaks_on(at, 0, "chat over the screen", rng) == []


@pytest.mark.gate
@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.STRICT])
@pytest.mark.parametrize("seed", range(1, 3))
async def test_nothing_is_drawn_at_a_hundred_boundaries(at_home: Planted, mode: Mode, seed: int) -> None:
    assert await _drawn_leaks(at_home, mode, 25, seed) == []


def _lifted(_bound: object) -> int:
    return END


def _told(title: str, *_rest: object, **_more: object) -> str:
    return title


@pytest.mark.gate
@pytest.mark.parametrize(
    ("mask", "without", "part"),
    [
        ("statement_upto", _lifted, "wiki"),
        ("track_upto", _lifted, "wiki"),
        ("title_upto", _lifted, "wiki over the screen"),
        ("title_upto", _lifted, "underlines"),
        ("hit_upto", _lifted, "card"),
        ("hit_upto", _lifted, "search"),
        ("hit_upto", _lifted, "chat"),
        ("hit_upto", _lifted, "explain"),
        ("hit_upto", _lifted, "search while typing"),
        ("hit_upto", _lifted, "search over the screen"),
        ("mask_chapter_title", _told, "glance"),
    ],
)
async def test_without_any_one_mask_the_screen_leaks(
    at_home: Planted, monkeypatch: pytest.MonkeyPatch, mask: str, without: Callable[..., object], part: str
) -> None:
    monkeypatch.setattr(masks, mask, without)
    assert await _first_leak(at_home, part) != ""


@pytest.mark.gate
@pytest.mark.parametrize("part", ["contents", "glance", "top line and bar"])
async def test_without_its_veil_a_title_ahead_is_drawn(
    at_home: Planted, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(ReadingSession, "titles_upto", lambda *_session_and_settings: END)
    assert await _first_leak(at_home, part) != ""
