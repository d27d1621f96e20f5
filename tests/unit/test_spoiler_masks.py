"""The table of what may be shown, cell by cell."""

from __future__ import annotations

import pytest

from engine.domain.book import DocumentId
from engine.domain.locator import Locator
from engine.domain.outline import VEILED_TITLE
from engine.domain.statements import Role
from engine.domain.wiki import Plain, Revealed, StatementId, Veil
from engine.spoilers import masks
from engine.spoilers.masks import Showing
from engine.spoilers.policy import (
    END,
    FRONTIER,
    WHOLE,
    Bound,
    LookAhead,
    Mode,
    Reach,
    Upto,
    Wishes,
    bound_of,
    look_ahead,
    may_tell_of_more,
    upto_from_text,
)

_READ = 1000
"""How far the reader of these tests has read."""
_ID = StatementId(7)


def _bound(mode: Mode, upto: Upto = FRONTIER, place_end: int = 0, wishes: Wishes | None = None) -> Bound:
    return bound_of(mode, _READ, upto, place_end, wishes)


@pytest.mark.parametrize(
    ("mode", "upto", "place_end", "boundary"),
    [
        (Mode.AUTO, FRONTIER, 0, _READ),
        (Mode.STRICT, FRONTIER, 0, _READ),
        (Mode.OFF, FRONTIER, 0, END),
        (Mode.AUTO, WHOLE, 0, END),
        (Mode.STRICT, WHOLE, 0, END),
        (Mode.AUTO, Upto(Reach.PLACE, Locator(DocumentId(1), 0, 9)), 300, 300),
        (Mode.STRICT, Upto(Reach.PLACE, Locator(DocumentId(1), 0, 9)), 5000, 5000),
        (Mode.OFF, Upto(Reach.PLACE, Locator(DocumentId(1), 0, 9)), 300, END),
    ],
)
def test_the_boundary_of_a_request(mode: Mode, upto: Upto, place_end: int, boundary: int) -> None:
    assert _bound(mode, upto, place_end) == Bound(mode, _READ, boundary)


@pytest.mark.parametrize(
    ("text", "upto"),
    [
        ("frontier", FRONTIER),
        (" end ", WHOLE),
        ("f12-3-9", Upto(Reach.PLACE, Locator(DocumentId(12), 3, 9))),
        ("[f12-3-9]", Upto(Reach.PLACE, Locator(DocumentId(12), 3, 9))),
        ("place", None),
        ("", None),
        ("f12-9-3", None),
    ],
)
def test_how_far_a_command_wants_to_see(text: str, upto: Upto | None) -> None:
    assert upto_from_text(text) == upto


_UPTO_MASKS = [masks.entry_upto, masks.title_upto, masks.hit_upto, masks.track_upto, masks.statement_upto]


@pytest.mark.parametrize("mask", _UPTO_MASKS)
@pytest.mark.parametrize(("mode", "upto"), [(Mode.OFF, END), (Mode.AUTO, _READ), (Mode.STRICT, _READ)])
def test_queries_end_at_the_boundary(mask: object, mode: Mode, upto: int) -> None:
    assert callable(mask)
    assert mask(_bound(mode)) == upto


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Mode.OFF, Plain("words")),
        (Mode.AUTO, Veil(_ID, 5, "chapter 11")),
        (Mode.STRICT, Veil(_ID, masks.STRICT_VEIL_CHARS)),
    ],
)
def test_a_statement_past_the_boundary(mode: Mode, expected: object) -> None:
    is_read = masks.statement_upto(_bound(mode)) >= _READ + 1
    words = "words" if is_read else None
    assert masks.mask_statement(_ID, words, 5, "chapter 11", _bound(mode), is_asked=False) == expected


@pytest.mark.parametrize("mode", Mode)
def test_a_statement_behind_the_frontier(mode: Mode) -> None:
    assert masks.mask_statement(_ID, "words", 5, "", _bound(mode), is_asked=False) == Plain("words")


@pytest.mark.parametrize(("mode", "is_veiled"), [(Mode.OFF, False), (Mode.AUTO, False), (Mode.STRICT, True)])
def test_a_run_marked_as_a_spoiler_that_was_read(mode: Mode, is_veiled: bool) -> None:
    assert masks.veils_marked(_bound(mode)) is is_veiled


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.STRICT])
def test_a_statement_the_reader_asked_for(mode: Mode) -> None:
    assert masks.mask_statement(_ID, "words", 5, "", _bound(mode), is_asked=True) == Revealed(_ID, "words")


@pytest.mark.parametrize(
    ("mode", "showing"), [(Mode.OFF, Showing.SHOWN), (Mode.AUTO, Showing.ABSENT), (Mode.STRICT, Showing.ABSENT)]
)
def test_an_entry_of_somebody_not_yet_met(mode: Mode, showing: Showing) -> None:
    assert masks.mask_entry(_READ + 1, _READ + 1, _bound(mode)) is showing


@pytest.mark.parametrize(
    ("mode", "showing"), [(Mode.OFF, Showing.SHOWN), (Mode.AUTO, Showing.LOCKED), (Mode.STRICT, Showing.ABSENT)]
)
def test_an_entry_whose_title_is_a_spoiler(mode: Mode, showing: Showing) -> None:
    assert masks.mask_entry(_READ, _READ + 1, _bound(mode)) is showing


@pytest.mark.parametrize("mode", Mode)
def test_an_entry_of_somebody_met_is_listed(mode: Mode) -> None:
    assert masks.mask_entry(_READ, _READ, _bound(mode)) is Showing.SHOWN


@pytest.mark.parametrize(
    ("mode", "has_more", "is_told"),
    [
        (Mode.OFF, True, False),
        (Mode.AUTO, True, True),
        (Mode.AUTO, False, False),
        (Mode.STRICT, True, False),
    ],
)
def test_that_there_is_more_beyond(mode: Mode, has_more: bool, is_told: bool) -> None:
    assert masks.tells_of_more(_bound(mode), has_more=has_more) is is_told
    assert may_tell_of_more(mode) is (mode is Mode.AUTO)


_MARKS = (10, _READ - 1, _READ, _READ + 1)


@pytest.mark.parametrize(
    ("mode", "shows_future", "shown"),
    [
        (Mode.OFF, False, _MARKS),
        (Mode.AUTO, False, (10, _READ - 1)),
        (Mode.AUTO, True, _MARKS),
        (Mode.STRICT, False, (10, _READ - 1)),
        (Mode.STRICT, True, (10, _READ - 1)),
    ],
)
def test_marks_on_the_progress_bar(mode: Mode, shows_future: bool, shown: tuple[int, ...]) -> None:
    bound = _bound(mode, wishes=Wishes(marks_ahead=shows_future))
    assert tuple(masks.mask_marks(_MARKS, bound)) == shown


@pytest.mark.parametrize(
    ("mode", "veils_ahead", "title"),
    [
        (Mode.OFF, False, "The Fall"),
        (Mode.OFF, True, "The Fall"),
        (Mode.AUTO, False, "The Fall"),
        (Mode.AUTO, True, VEILED_TITLE),
        (Mode.STRICT, False, VEILED_TITLE),
    ],
)
def test_a_chapter_title_ahead(mode: Mode, veils_ahead: bool, title: str) -> None:
    bound = _bound(mode, wishes=Wishes(veils_titles=veils_ahead))
    assert masks.mask_chapter_title("The Fall", _READ + 1, bound) == title


@pytest.mark.parametrize("mode", Mode)
def test_a_chapter_title_that_was_reached(mode: Mode) -> None:
    bound = _bound(mode, wishes=Wishes(veils_titles=True))
    assert masks.mask_chapter_title("The Fall", _READ, bound) == "The Fall"


@pytest.mark.parametrize(
    ("mode", "look"), [(Mode.OFF, LookAhead.FREE), (Mode.AUTO, LookAhead.ASKS), (Mode.STRICT, LookAhead.NEVER)]
)
def test_whether_the_companion_looks_ahead(mode: Mode, look: LookAhead) -> None:
    assert look_ahead(mode) is look


@pytest.mark.parametrize(
    ("role", "unlock_pos", "chapter_pos", "is_shown"),
    [
        (Role.RECAP, 900, 1000, True),
        (Role.RECAP, 1001, 1000, False),  # of the chapter itself
        (Role.RECAP, 1500, 2000, False),  # of a chapter not read, though before this one
        (Role.TEASER, END, 1000, True),
        (Role.TEASER, END, 1001, False),  # of a chapter not reached
    ],
)
def test_what_the_glance_of_a_chapter_holds(role: Role, unlock_pos: int, chapter_pos: int, is_shown: bool) -> None:
    assert masks.is_in_glance(role, unlock_pos, chapter_pos, _bound(Mode.AUTO)) is is_shown
