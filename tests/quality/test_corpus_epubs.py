from __future__ import annotations

from pathlib import Path

from tests.quality.corpus_epubs import books_of, check_book, check_prefixes, print_table


def test_no_good_book_is_refused_and_none_loses_text(corpora: Path) -> None:
    outcomes = [check_book(book) for book in books_of(corpora)]

    print_table(outcomes)
    assert len(outcomes) > 150
    assert {outcome.name: outcome.faults for outcome in outcomes if outcome.faults} == {}
    assert all(outcome.chapters >= outcome.entries * 0.98 for outcome in outcomes if outcome.source in ("nav", "ncx"))


def test_the_first_part_of_each_document_is_the_start_of_the_whole(corpora: Path) -> None:
    books = [book for book in books_of(corpora) if "w3c" not in str(book)]

    assert [fault for book in books for fault in check_prefixes(book)] == []
