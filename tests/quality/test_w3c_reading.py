from __future__ import annotations

from pathlib import Path

from tests.quality.w3c_reading import cases, print_table, verdicts


def test_the_test_books_that_concern_reading_are_shown_as_it_is_said(corpora: Path) -> None:
    found = verdicts(corpora)

    print_table(found)
    assert len(found) == len(cases())
    assert {each.name: each.fault for each in found if each.fault} == {}
    assert [each.name for each in found if each.verdict != "pass" and not each.reason] == []
