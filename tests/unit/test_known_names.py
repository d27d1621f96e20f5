"""Names by place: what is asked for, what is kept, what is forgotten."""

from __future__ import annotations

from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from engine.domain.wiki import NameInText, PointId
from tests.pages import make_slice
from tui.render.known_names import KnownNames
from tui.render.prose import Look, Overlay

_ONE, _TWO = DocumentId(1), DocumentId(2)
_PIECE = make_slice("x" * 1000)
_WHOLE, _PAGE = (_ONE, 0, 1000), (_ONE, 200, 300)


def _names(*spans: tuple[int, int]) -> list[NameInText]:
    return [NameInText(start, end, PointId(1)) for start, end in spans]


def _known(*spans: tuple[int, int], frontier: Pos = 500) -> KnownNames:
    known = KnownNames()
    known.take(_WHOLE, _names(*spans), frontier)
    return known


def test_a_stretch_has_the_names_that_reach_into_it() -> None:
    known = _known((5, 9), (20, 24), (30, 34))
    assert [list(known.spans(_ONE, *each)) for each in ((8, 21), (9, 20), (23, 31), (34, 99))] == [
        [(5, 9), (20, 24)],
        [],
        [(20, 24), (30, 34)],
        [],
    ]
    assert not known.spans(_TWO, 0, 99)


def test_names_are_laid_over_the_text() -> None:
    assert _known((5, 9)).overlays(_ONE, 0, 50) == [Overlay(5, 9, Look.NAME)]


def test_what_was_never_asked_about_is_asked_for_whole() -> None:
    assert KnownNames().missing([_PIECE], [_PAGE], 500) == (_WHOLE,)


def test_the_page_is_asked_about_again_when_more_was_read() -> None:
    known = _known((5, 9))
    assert known.missing([_PIECE], [_PAGE], 500) == ()
    assert known.missing([_PIECE], [_PAGE], 600) == (_PAGE,)
    known.take(_PAGE, _names((210, 214)), 600)
    assert known.missing([_PIECE], [_PAGE], 600) == ()


def test_new_names_of_a_page_stand_beside_those_around_it() -> None:
    known = _known((5, 9), (250, 254), (400, 404))
    assert known.take(_PAGE, _names((210, 214), (250, 254)), 600)
    assert list(known.spans(_ONE, 0, 1000)) == [(5, 9), (210, 214), (250, 254), (400, 404)]
    assert not known.take(_PAGE, _names((210, 214), (250, 254)), 700)


def test_a_frontier_set_back_hides_what_was_known_beyond_it() -> None:
    known = _known((5, 9))
    assert known.missing([_PIECE], [_PAGE], 100) == (_WHOLE,)
    assert not known.spans(_ONE, 0, 1000)
