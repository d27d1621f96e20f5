"""A statement is given the paragraph that names, counts or says what its own does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.claims import complete
from engine.analysis.evidence import Desk, KnownName
from engine.domain.book import DocumentId
from engine.domain.statements import NewStatement, Quote, Role, Verdict
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


def test_what_stands_three_paragraphs_off_beside_nothing_else_is_not_taken_but_told() -> None:
    paragraphs = ("Mirel came in.", "It rained.", "It rained on.", "She counted the ropes.")
    statement = NewStatement(
        "Mirel counted the ropes.", quotes=(Quote(_DOCUMENT, sum(len(each) + 1 for each in paragraphs[:3]), "ropes"),)
    )
    completed = complete(_desk(*paragraphs), statement)
    assert completed.statement == statement
    assert completed.unnamed == ("Mirel",)


_RAIN = ("It rained.", "It rained on.", "It rained all day.")


@pytest.mark.parametrize(
    ("text", "paragraphs", "expected"),
    [
        (
            "Tobin Hask wanted the ledger.",
            ("The ledger lay there.", "Tobin Hask wanted it."),
            ["The ledger lay there."],
        ),
        ("钟舌藏在洞里。", ("钟舌在这里。", "它藏在洞里。"), ["钟舌在这里。"]),
        ("第三份写错了。", ("这是第三份。", "他写错了。"), ["这是第三份。"]),
        ("遺言書はカバンにある。", ("カバンを開けた。", "遺言書がある。"), ["カバンを開けた。"]),
        ("Rule ninety-one stands.", ("That is rule ninety-one.", "The rule stands."), ["That is rule ninety-one."]),
    ],
)
def test_a_telling_word_is_looked_for_next_door(text: str, paragraphs: tuple[str, ...], expected: list[str]) -> None:
    assert _cited(text, *paragraphs, at=1) == expected


@pytest.mark.parametrize(
    ("text", "paragraphs", "expected"),
    [
        ("Mirel sold the ropes.", ("Mirel had ropes.", *_RAIN, "She sold them."), ["Mirel had ropes."]),
        (
            "He sold the ropes on the quay.",
            ("Ropes lay on the quay.", *_RAIN, "He sold them."),
            ["Ropes lay on the quay."],
        ),
        ("冬至，归潮响了。", ("冬至，归潮要敲。", *_RAIN, "它响了。"), ["冬至，归潮要敲。"]),
        ("Mirel sold the ropes.", ("Ropes lay there.", *_RAIN, "Mirel sold them."), []),  # the word alone
        ("Mirel sold the ropes.", ("# Mirel had ropes", *_RAIN, "She sold them."), []),  # a heading
    ],
)
def test_what_stands_further_back_is_cited_where_it_stands_beside_another_part(
    text: str, paragraphs: tuple[str, ...], expected: list[str]
) -> None:
    assert _cited(text, *paragraphs, at=len(paragraphs) - 1) == expected


def test_of_paragraphs_further_back_the_nearest_is_taken() -> None:
    paragraphs = ("Mirel had ropes.", "Ropes, said Mirel.", *_RAIN, "She sold them.")
    assert _cited("Mirel sold the ropes.", *paragraphs, at=5) == ["Ropes, said Mirel."]


def test_a_paragraph_that_would_have_it_shown_later_is_not_taken() -> None:
    paragraphs = ("She counted the ropes.", "Mirel had a ledger.")
    assert _cited("Mirel counted the ropes in the ledger.", *paragraphs, at=0) == []


def test_a_foreword_is_no_evidence() -> None:
    blocks = make_text_blocks("Mirel has ropes, as you will read.", *_RAIN, "She sold them.")
    blocks[0] = replace(blocks[0], is_story=False)
    placed = [PlacedBlock(block, _DOCUMENT, block.pos) for block in blocks]
    statement = NewStatement("Mirel sold the ropes.", quotes=(Quote(_DOCUMENT, blocks[-1].pos, "She sold them."),))
    completed = complete(Desk(placed, _NAMES, {}, blocks[-1].pos_end), statement)
    assert completed.statement == statement
    assert completed.unnamed == ("Mirel", "ropes")


def test_a_word_the_whole_work_uses_is_not_looked_for() -> None:
    paragraphs = (*["They had ropes."] * 300, "She had ropes.", "She sold them.")
    assert _cited("She sold the ropes.", *paragraphs, at=301) == []


def test_the_label_of_a_cell_is_not_looked_for() -> None:
    paragraphs = ("The family came in.", "His brother counted them.")
    assert _cited("Family\this brother", *paragraphs, at=1, role=Role.CELL) == []


_PARTS = ("Mirel", "Tobin Hask", "Corrow", "ropes", "ledger", "quay", "nine", "23", "顾迟", "钟舌", "第三份", "三年")
_PARAGRAPH = st.lists(st.sampled_from(_PARTS), min_size=1, max_size=4).map(lambda some: f"{', '.join(some)}.")


@settings(deadline=None)
@given(st.lists(_PARAGRAPH, min_size=1, max_size=9), _PARAGRAPH, st.data())
def test_nothing_that_is_added_has_a_statement_shown_later(
    paragraphs: list[str], text: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(paragraphs) - 1))
    desk = _desk(*paragraphs)
    start = sum(len(each) + 1 for each in paragraphs[:at])
    before = NewStatement(text, quotes=(Quote(_DOCUMENT, start, paragraphs[at]),), verdict=Verdict.SUPPORT)
    after = complete(desk, before).statement
    assert after.quotes[:1] == before.quotes
    assert len(after.quotes) <= 3
    unlocks = [
        desk.unlock(each, [found for quote in each.quotes if (found := desk.find(quote)) is not None])
        for each in (before, after)
    ]
    assert unlocks[0] == unlocks[1]


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
