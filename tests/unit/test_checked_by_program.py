"""What the program itself finds wrong with a statement, before any judge."""

from __future__ import annotations

import pytest

from engine.analysis.content import numbers
from engine.analysis.evidence import Desk, KnownName
from engine.analysis.judge import checked_by_program
from engine.domain.statements import NewStatement, Role
from engine.domain.wiki import PointId

_DESK = Desk([], [KnownName("The 6.40", PointId(1), 0), KnownName("三号灯", PointId(2), 0)], {}, 0)


def _finds(text: str, *passages: str) -> str:
    return checked_by_program(_DESK, NewStatement(text), passages)


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("Abel Thorne is one of those who open the doors.", "Abel Thorne went out and opened the doors."),
        ("The doors of the 6.40 stand open.", "The doors of the train stood open in the snow."),
        ("She was the first in the new 6.40.", "She was the first in the new train since the winter."),
        ("On 19 January they wait.", "They wait on the nineteenth of January."),
        ("Anna was twenty-six.", "Anna, wife 26 1 d."),
        ("It fell on the 28th.", "On the twenty-eighth it fell."),
        ("There were 23 people in the train.", "It had twenty-three people in it, and a train has doors."),
        ("两人在三号灯下等候。", "两人在那盏灯下等候。"),
        ("一个孩子提着灯。", "孩子手里提着灯。"),
        ("死了三百一十七人，无人听见钟声。", "居民不闻警，死者三百一十七。"),
    ],
)
def test_what_is_no_number_of_its_own_is_let_through(text: str, passage: str) -> None:
    assert _finds(text, passage) == ""


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("Eight people were in the train.", "The train was full of people."),
        ("There were 24 people in the train.", "It had twenty-three people in it, in a train."),
        ("他等了三年。", "他在灯下等了很久。"),
        ("死者三百一十七。", "死者二百九十九。"),
    ],
)
def test_a_number_the_passages_do_not_have_is_found(text: str, passage: str) -> None:
    assert "do not say" in _finds(text, passage)


def test_a_number_in_two_words_is_one() -> None:
    assert "23" in numbers("twenty-three people")


def test_what_shares_only_names_with_its_passages_is_left_to_the_judge() -> None:
    desk = Desk([], [KnownName("Oren", PointId(1), 0), KnownName("Ilse", PointId(2), 0)], {}, 0)
    statement = NewStatement("Oren told Ilse that nobody knows why.")
    assert checked_by_program(desk, statement, ["“Nobody knows why. He’s the Lamplighter.”"]) == ""


def test_how_something_is_known_is_no_word_of_the_passages() -> None:
    fact = NewStatement("already\tcertain\tThe mother and the child were lost passengers.", Role.KNOWLEDGE)
    assert checked_by_program(_DESK, fact, ["Ilse, daughter in her 4th year"]) == ""


def test_a_question_claims_nothing() -> None:
    passages = ["“What does it open?” said Ilse."]
    question = NewStatement("Why does the cruel inspector of the harbour want the stolen brass key?", Role.QUESTION)
    assert checked_by_program(_DESK, question, passages) == ""
    claim = NewStatement("The cruel inspector of the harbour wants the stolen brass key of the tower.")
    assert checked_by_program(_DESK, claim, passages)


def test_a_claim_that_two_are_one_is_left_to_the_judge() -> None:
    assert (
        _finds("Abel Thorne = Stationmaster: the same person.", "“Abel Thorne,” he said. “I am the Stationmaster.")
        == ""
    )
