"""Books are opened and read within their budgets, in CPU seconds of this process."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.epub.reader import open_epub
from tests.builders import make_epub
from tests.pace import allowance

_LETTERS = (
    "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学"
)
_DOCUMENTS = 80
_CHARS = 12_500


@contextmanager
def _within(seconds: float, what: str) -> Iterator[None]:
    start = time.process_time()
    yield
    spent = time.process_time() - start
    print(f"{what}: {spent:.2f} s CPU, budget {seconds} s")
    assert spent <= seconds * allowance()


@pytest.fixture(scope="module")
def chinese_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a million characters in eighty chapters."""
    dice = random.Random(7)
    body = ["".join(dice.choices(_LETTERS, k=60)) for _ in range(_CHARS // 60)]
    chapters = [(f"第{n}章", "".join(f"<p>{line}。</p>" for line in body)) for n in range(_DOCUMENTS)]
    return make_epub(tmp_path_factory.mktemp("bench") / "zh.epub", title="巨著", chapters=chapters, language="zh")


@pytest.fixture(scope="module")
def single_document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write one document of ten megabytes."""
    words = " ".join(f"word{n % 997}" for n in range(60))
    body = "".join(f"<p id='p{n}'>{words}</p>" for n in range(23_000))
    return make_epub(tmp_path_factory.mktemp("bench") / "one.epub", title="One", chapters=[("All", body)])


def test_a_million_characters_are_read_in_a_fifth_of_the_budget_for_five(chinese_book: Path) -> None:
    with open_epub(chinese_book) as book, _within(1.6, "a million Chinese characters"):
        total = sum(len(book.document(item.index).text) for item in book.spine)
    assert total > 900_000


def test_a_book_opens_on_its_first_document_at_once(chinese_book: Path) -> None:
    with _within(0.15, "open and first document"), open_epub(chinese_book) as book:
        assert book.document(0).text
        assert book.metadata.title == "巨著"


def test_the_start_of_a_document_of_ten_megabytes_is_read_at_once(single_document: Path) -> None:
    with _within(0.6, "the first 64 k characters of 10 MB"), open_epub(single_document) as book:
        part = book.document(0, upto=65_536)
    assert not part.is_complete
    assert 65_536 <= len(part.text) < 70_000
