"""A statement is given the paragraph next to its own that names or counts what its own does not."""

from __future__ import annotations

import pytest

from engine.analysis.claims import complete
from engine.analysis.evidence import Desk, KnownName
from engine.domain.book import DocumentId
from engine.domain.statements import NewStatement, Quote, Role
from engine.domain.wiki import PointId
from engine.store.blocks import PlacedBlock
from tests.builders import make_text_blocks

_DOCUMENT = DocumentId(5)
_NAMES = tuple(
    KnownName(form, PointId(point), 0)
    for form, point in (
        ("Mirel Dunn", 1),
        ("Mirel", 1),
        ("Tobin Hask", 2),
        ("Corrow", 3),
        ("the key of Corrow", 4),
        ("顾迟", 5),
        ("迟哥", 5),
        ("千景", 6),
    )
)


def _desk(*paragraphs: str) -> Desk:
    blocks = make_text_blocks(*paragraphs)
    placed = [PlacedBlock(block, _DOCUMENT, block.pos) for block in blocks]
    return Desk(placed, _NAMES, {}, blocks[-1].pos_end)


def _cited(text: str, *paragraphs: str, at: int, role: Role = Role.SENTENCE, subject: str = "") -> list[str]:
    """Return the paragraphs a statement cites besides the one it is handed in with."""
    desk = _desk(*paragraphs)
    start = sum(len(each) + 1 for each in paragraphs[:at])
    statement = NewStatement(text, role, quotes=(Quote(_DOCUMENT, start, paragraphs[at]),))
    completed = complete(desk, statement, subject)
    found = [desk.find(quote) for quote in completed.statement.quotes[1:]]
    return [desk.block_text(each) for each in found if each is not None]


@pytest.mark.parametrize(
    ("text", "paragraphs", "at", "expected"),
    [
        ("Mirel counted the ropes.", ("Mirel came in.", "She counted the ropes."), 1, ["Mirel came in."]),
        ("Mirel counted nine ropes.", ("There were nine.", "Mirel counted the ropes."), 1, ["There were nine."]),
        ("She counted 23 ropes.", ("Twenty-three lay there.", "She counted them."), 1, ["Twenty-three lay there."]),
        ("顾迟数了绳子。", ("顾迟进来了。", "他数了绳子。"), 1, ["顾迟进来了。"]),
        ("顾迟守了三年。", ("他在这里住了三年。", "顾迟守着灯。"), 1, ["他在这里住了三年。"]),
        ("千景が縄を数えた。", ("千景が入った。", "縄を数えた。"), 1, ["千景が入った。"]),
    ],
)
def test_what_a_sentence_shows_is_looked_for_next_to_its_passage(
    text: str, paragraphs: tuple[str, ...], at: int, expected: list[str]
) -> None:
    assert _cited(text, *paragraphs, at=at) == expected


@pytest.mark.parametrize(
    "text",
    ["Mirel counted the ropes.", "Mirel Dunn counted the ropes.", "Somebody counted the ropes."],
)
def test_what_the_passage_has_under_any_form_of_the_name_stays_as_it_is(text: str) -> None:
    assert _cited(text, "Mirel Dunn came in.", "Mirel counted the ropes.", at=1) == []


def test_the_paragraph_before_is_taken_rather_than_the_one_behind() -> None:
    paragraphs = ("Mirel came in.", "She counted the ropes.", "Mirel went out.")
    assert _cited("Mirel counted the ropes.", *paragraphs, at=1) == ["Mirel came in."]


def test_one_paragraph_that_has_all_is_taken_rather_than_two() -> None:
    paragraphs = ("Mirel met Tobin Hask.", "Mirel sat down.", "She counted the ropes.", "Tobin Hask looked on.")
    assert _cited("Mirel counted the ropes with Tobin Hask.", *paragraphs, at=2) == ["Mirel met Tobin Hask."]


def test_what_stands_three_paragraphs_off_is_not_taken_but_told() -> None:
    paragraphs = ("Mirel came in.", "It rained.", "It rained on.", "She counted the ropes.")
    statement = NewStatement(
        "Mirel counted the ropes.", quotes=(Quote(_DOCUMENT, sum(len(each) + 1 for each in paragraphs[:3]), "ropes"),)
    )
    completed = complete(_desk(*paragraphs), statement)
    assert completed.statement == statement
    assert completed.unnamed == ("Mirel",)


def test_a_name_in_capitals_is_the_name() -> None:
    assert _cited("Corrow is written on the board.", "Corrow lay far off.", "CORROW, said the board.", at=1) == []


def test_a_description_wants_only_the_name_inside() -> None:
    paragraphs = ("They rode to Corrow.", "The key was lost.")
    assert _cited("The key of Corrow was lost.", *paragraphs, at=1) == ["They rode to Corrow."]


def test_whom_a_sentence_is_about_is_looked_for_too() -> None:
    paragraphs = ("Mirel came in.", "She counted the ropes.")
    assert _cited("She counted the ropes.", *paragraphs, at=1, subject="Mirel") == ["Mirel came in."]


def test_how_somebody_knows_a_fact_names_nobody() -> None:
    paragraphs = ("Corrow lay far off.", "The ropes were counted.")
    text = "told\tcertain\tThe ropes were counted."
    assert _cited(text, *paragraphs, at=1, role=Role.KNOWLEDGE) == []


def test_a_statement_without_evidence_stays_as_it_is() -> None:
    statement = NewStatement("Mirel counted the ropes.", quotes=(Quote(_DOCUMENT, 0, "nowhere to be found"),))
    assert complete(_desk("Mirel came in."), statement).statement is statement
