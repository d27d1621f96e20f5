"""Names in a note that the reader does not have yet give way to those she has."""

from __future__ import annotations

import pytest

from engine.analysis.drafts import known_words
from engine.analysis.ledger import Form, Ledger
from engine.domain.knowledge import PointKind


@pytest.fixture
def ledger() -> Ledger:
    ledger = Ledger()
    hask = [Form("Hask", 10), Form("Superintendent", 40), Form("Superintendent Hask", 40)]
    ledger.add_point(PointKind.PERSON, "Superintendent Hask", hask)
    ledger.add_point(PointKind.PERSON, "Oren Vale", [Form("Oren", 5), Form("Oren Vale", 5), Form("Captain Vale", 60)])
    ledger.add_point(PointKind.PERSON, "Judith Vale", [Form("Captain", 30), Form("Captain Vale", 60)])
    ledger.add_point(PointKind.PERSON, "刘备", [Form("刘备", 10), Form("玄德", 40), Form("刘玄德", 40)])
    return ledger


@pytest.mark.parametrize(
    ("text", "pos", "numbers", "told"),
    [
        ("Superintendent Hask came.", 20, (1,), "Hask came."),
        ("Superintendent Hask came.", 50, (1,), "Superintendent Hask came."),
        ("刘玄德来了，玄德不语。", 20, (4,), "刘备来了，刘备不语。"),
    ],
)
def test_a_late_name_is_replaced_as_a_whole(
    ledger: Ledger, text: str, pos: int, numbers: tuple[int, ...], told: str
) -> None:
    assert known_words(ledger, text, pos, numbers) == told


def test_a_known_name_that_holds_a_late_word_stays(ledger: Ledger) -> None:
    ledger.points[1].forms[2].known_pos = 10
    assert known_words(ledger, "Superintendent Hask came.", 20, (1,)) == "Superintendent Hask came."


def test_a_name_two_bear_is_never_replaced_by_that_of_one(ledger: Ledger) -> None:
    assert known_words(ledger, "Captain Vale walked over.", 40, (3, 2)) == "Captain Vale walked over."
