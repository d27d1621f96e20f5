"""Short runs are counted where they stand and nowhere else, however they are spelled."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.book import BookId, WorkId
from engine.domain.hits import SearchMode
from engine.library import Library
from engine.retrieval.indexing import index_book
from engine.spoilers.policy import WHOLE
from engine.store import passages
from engine.text.fold import fold, fold_character
from engine.text.script import HAN, HANGUL, KANA
from engine.text.unfold import respell
from tests.shelving import document_of, passages_of, paths_in, shelve

_ALPHABET = "爱愛丽麗ありアリｱﾘ薴苧"
_ODD = "\u00ad㍿ｱﾞﾞ，"
_DENSE = re.compile(f"[{HAN}{KANA}{HANGUL}]")


@pytest.fixture(scope="module")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, WorkId, Sequence[str]]]:
    """A work of two kinds of documents, those whose characters are folded one by one and others; folded passages."""
    library, rng = Library(paths_in(tmp_path_factory.mktemp("home"))), random.Random(5)

    def paragraph(alphabet: str) -> str:
        return "".join(rng.choices(alphabet, k=rng.randint(5, 25))) + "。" + "雪。" * 130

    alphabets = (_ALPHABET, _ALPHABET + _ODD)
    documents = [
        document_of([paragraph(alphabets[number % 2]) for _each in range(8)], spine_index=number)
        for number in range(12)
    ]
    work = shelve(library._store, documents, language="ja")
    index_book(library._store, BookId(1), lambda _done, _of: None)
    with library._store.read() as r:
        rows = list(passages_of(r, work))
        texts = [fold(passages.text_of_passage(r, row.id) or "").text for row in rows]
    yield library, work, texts
    library.close()


@given(run=st.text("爱愛丽麗ありアリｱﾘ薴苧", min_size=3, max_size=4))
@settings(max_examples=60, deadline=None)
def test_the_count_is_that_of_a_look_into_every_passage(
    shelved: tuple[Library, WorkId, Sequence[str]], run: str
) -> None:
    library, work, texts = shelved
    key = fold(run).text
    standing = sum(key in text for text in texts)
    loose = sum(all(key[at : at + 2] in text for at in range(len(key) - 1)) for text in texts)
    found = library.search(run, [work], mode=SearchMode.LEXICAL, upto=WHOLE)
    assert not found.is_exact or found.count == (standing or loose)
    assert found.is_exact or not loose


def test_the_passages_looked_into_are_many_and_hold_runs_and_parts_of_runs(
    shelved: tuple[Library, WorkId, Sequence[str]],
) -> None:
    _library, _work, texts = shelved
    whole = [text for text in texts if "爱丽爱" in text]
    parts = [text for text in texts if "爱丽" in text and "丽爱" in text]
    assert 0 < len(whole) < len(parts) < len(texts) > 50


@pytest.mark.parametrize(
    ("text", "chars", "respelled"),
    [
        ("愛麗絲とアリス", "丽す", "愛丽絲とアリす"),
        ("发髮發発髪", "发", "发发发发发"),
        ("ﾊﾝ㊗", "はん祝", "はん祝"),
        ("nothing", "爱", "nothing"),
    ],
)
def test_other_forms_are_respelled_and_nothing_else(text: str, chars: str, respelled: str) -> None:
    assert respell(text, chars) == respelled


def test_every_form_of_a_character_is_known() -> None:
    ranges = (range(0xD800), range(0xE000, 0x10000), range(0x1F000, 0x20000), range(0x2F800, 0x2FA20))
    folds = {char: fold_character(char) for each in ranges for char in map(chr, each)}
    forms = {char: key for char, key in folds.items() if char != key and len(key) == 1 and _DENSE.match(key)}
    assert {char: key for char, key in forms.items() if respell(char, key) != key} == {}
    assert len(forms) > 4000
