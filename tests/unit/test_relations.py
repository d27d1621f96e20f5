"""What somebody is to another is said once, and names the other once."""

from __future__ import annotations

import pytest

from engine.analysis.drafts import Signed, volume_units
from engine.analysis.ledger import Form, Ledger, Relation
from engine.domain.book import DocumentId
from engine.domain.knowledge import PointKind
from engine.domain.statements import QuoteHow, Role
from engine.domain.wiki import PointId
from engine.store.wiki import FoundEvidence

_FOUND = (FoundEvidence(DocumentId(1), 0, 4, 100, 200, "word", QuoteHow.EXACT),)


def _relations(*said: tuple[int, str], volume: int = 0) -> list[str]:
    """Return the relations of a volume, of which some volumes have said something of one to the other."""
    ledger = Ledger()
    nephew = ledger.add_point(PointKind.PERSON, "Tobin Hask", [Form("Tobin Hask", 0)], PointId(1))
    aunt = ledger.add_point(
        PointKind.PERSON, "Judith Vale", [Form("Judith Vale", 0), Form("Aunt Judith", 50)], PointId(2)
    )
    ledger.relations += [Relation(nephew.number, aunt.number, label, _FOUND, of) for of, label in said]
    [_notes, course] = volume_units(ledger, volume, Signed("scripted", "read 1"))
    return [draft.statement.text for draft in course.drafts if draft.statement.role is Role.RELATION]


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("nephew of", "nephew of Judith Vale"),
        ("nephew of Judith Vale", "nephew of Judith Vale"),
        ("nephew of Aunt Judith", "nephew of Aunt Judith"),
    ],
)
def test_the_other_is_named_once_by_whatever_name(label: str, text: str) -> None:
    assert _relations((0, label)) == [text]


def test_what_was_said_is_not_said_again() -> None:
    assert _relations((0, "nephew of"), (0, "Nephew of"), (0, "heir of")) == [
        "nephew of Judith Vale",
        "heir of Judith Vale",
    ]


def test_what_an_earlier_volume_has_said_is_not_said_again() -> None:
    assert _relations((0, "nephew of"), (1, "nephew of"), volume=1) == []
