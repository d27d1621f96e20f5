from __future__ import annotations

from pathlib import Path

from tests.quality.bad_epubs import print_table, run


def test_every_bad_book_is_treated_as_expected(corpora: Path, tmp_path: Path) -> None:
    outcomes = run(corpora, tmp_path, is_huge=True)

    print_table(outcomes)
    assert {outcome.file: outcome.faults for outcome in outcomes if outcome.faults} == {}
    assert len(outcomes) == 84
