"""From a selection to whom it may mean: every way of fitting, and nothing that only looks alike."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine.analysis.rules.clusters import Link
from engine.domain.book import WorkId
from engine.domain.knowledge import AliasKind
from engine.domain.locator import Locator
from engine.domain.wiki import MatchHow, NameMatch, PointId
from engine.library import Library
from engine.paths import paths_under
from engine.retrieval.resolve import NameIndex
from engine.spoilers.policy import FRONTIER, WHOLE, Mode
from engine.store.points import AliasRow
from engine.text.fold import fold_words
from tests.knowledge import know, named, place_of, point_called, shelve_story, upto_words
from tests.pace import allowance


def _index(*forms: str) -> NameIndex:
    rows = [
        AliasRow(n, PointId(n), form, fold_words(form), AliasKind.FULL, n, n, n, is_shared=False)
        for n, form in enumerate(forms)
    ]
    index = NameIndex()
    index.extend(rows, len(rows))
    return index


def _found(text: str, *forms: str) -> list[tuple[str, str]]:
    return [(each.alias.form, str(each.how)) for each in _index(*forms).find(text)]


@pytest.mark.parametrize(
    ("text", "form", "how"),
    [
        ("Ilse Marrow", "Ilse Marrow", "exact"),
        ("ilse  marrow", "Ilse Marrow", "folded"),
        ("ILSE", "Ilse", "folded"),
        ("O'Brien", "O’Brien", "folded"),
        ("the Lamplighter", "Lamplighter", "folded"),
        ("アリス", "ｱﾘｽ", "folded"),
        ("ありす", "アリス", "folded"),
        ("諸葛亮", "诸葛亮", "folded"),
        ("卡西安・洛特", "卡西安·洛特", "folded"),
        ("Mr. Darcy", "Darcy", "title"),
        ("Darcy", "Mr. Darcy", "title"),
        ("Captain Vale", "Mrs. Vale", "title"),
        ("綾野さん", "綾野様", "title"),
        ("裴照师兄", "裴照", "title"),
        ("Vale", "Oren Vale", "contained"),
        ("Mr. Vale", "Oren Vale", "contained"),
        ("the Lamplighter", "the Lamplighter’s girl", "contained"),
        ("Oren Vale", "Oren", "contained"),
        ("洛特", "卡西安·洛特", "contained"),
        ("アンナ", "アンナ・カレーニナ", "contained"),
        ("卡西安·洛特", "洛特", "contained"),
        ("Elisabeth Bennet", "Elizabeth Bennet", "fuzzy"),
        ("Superintendant", "Superintendent", "fuzzy"),
        ("シュウレイ・ノウゼン", "シュウレイ・ノーゼン", "fuzzy"),
    ],
)
def test_a_text_fits_a_name(text: str, form: str, how: str) -> None:
    assert _found(text, form) == [(form, how)]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", "Ilse"),
        ("？", "Ilse"),
        ("...", "Ilse"),
        ("剣", "聖剣エクスカリバー"),
        ("蕾娜", "蕾娜斯"),
        ("蕾娜斯", "蕾娜"),
        ("蕾娜", "蕾娜斯·诺赞"),
        ("Ann", "Annihilation"),
        ("Ann", "Anna Marrow"),
        ("Mr. Darcy", "Miss Darcy"),
        ("Mr. Darcy", "Mrs. Darcy"),
        ("Lady Catherine", "Sir Catherine"),
        ("the", "the Lamplighter"),
        ("the Captain", "Captain Vale"),
        ("Mr.", "Mr. Darcy"),
        ("of", "Duke of York"),
        ("Jane", "Jame"),
        ("刘备", "刘表"),
        ("顾", "顾迟"),
        ("Ilse Marrow", "Otto Marrow"),
        ("x" * 200, "x" * 99),
    ],
)
def test_what_only_looks_alike_does_not_fit(text: str, form: str) -> None:
    assert _found(text, form) == []


def test_the_better_fit_comes_first() -> None:
    forms = ("Judith Vale", "Vale", "vale", "Valle House", "Mr. Vale")
    assert [how for _form, how in _found("Vale", *forms)] == ["exact", "folded", "title", "contained"]


def test_nothing_similar_is_offered_where_the_name_itself_is_known() -> None:
    assert _found("Elizabeth", "Elizabeth", "Elisabeth") == [("Elizabeth", "exact")]


def test_an_index_grows_with_the_reader() -> None:
    index = _index("Ilse")
    row = AliasRow(9, PointId(9), "Oren", "oren", AliasKind.FULL, 50, 50, 50, is_shared=False)
    index.extend([row], 60)
    assert index.upto == 60
    assert [each.alias.form for each in index.find("Oren")] == ["Oren"]


@pytest.fixture(scope="module")
def large_index() -> NameIndex:
    """20 000 names of three scripts."""
    syllables = [a + b for a in "bdfghklmnprstvw" for b in ("a", "en", "ir", "o", "ul")]
    han = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎"
    kana = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモラリルレロ"
    at = range(1, 5001)
    latin = [f"{_made(syllables, n, (1, 7, 11)).title()} {_made(syllables, n, (3, 5)).title()}" for n in at]
    chinese = [_made(han, n, (1, 7, 13)) for n in at]
    japanese = [f"{_made(kana, n, (1, 3, 5))}・{_made(kana, n, (2, 7, 9))}" for n in at]
    titled = [f"Mr. {name.split()[0]}" for name in latin]
    return _index(*latin, *chinese, *japanese, *titled)


def _made(parts: Sequence[str], n: int, steps: tuple[int, ...]) -> str:
    return "".join(parts[n * step % len(parts)] for step in steps)


def _cpu_ms(index: NameIndex, texts: list[str]) -> float:
    index.find("warm up a little")
    began = time.thread_time()
    for text in texts:
        index.find(text)
    return (time.thread_time() - began) * 1000 / len(texts)


def test_a_known_name_is_found_within_a_millisecond(large_index: NameIndex) -> None:
    texts = [row.form for row in large_index._rows[::400]]
    assert _cpu_ms(large_index, texts) <= 1.0 * allowance()


def test_a_misspelt_name_is_found_within_five(large_index: NameIndex) -> None:
    texts = [f"{row.form[:2]}x{row.form[3:]}" for row in large_index._rows[:5000:100]]
    assert _cpu_ms(large_index, texts) <= 5.0 * allowance()


# In the library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


_TEXT = ("A girl they called Moth kept the lamp.", "Ilse Marrow was her name.", "Tobias Marrow lit it. Marrow wept.")


@pytest.fixture
def work(library: Library) -> WorkId:
    work = shelve_story(library, _TEXT)
    shared = {"Marrow": AliasKind.NICKNAME}
    know(
        library,
        work,
        named("Ilse Marrow", "Moth", "Marrow", links=[Link("Ilse Marrow", "Moth")], kinds=shared),
        named("Tobias Marrow", "Marrow", kinds=shared),
    )
    return work


def _how(match: NameMatch) -> tuple[str, str, MatchHow]:
    return match.name, match.matched, match.how


def test_an_alias_comes_with_the_proper_name(library: Library, work: WorkId) -> None:
    assert [_how(m) for m in library.resolve(work, "Moth", None, WHOLE)] == [("Ilse Marrow", "Moth", MatchHow.ALIAS)]


def test_before_the_proper_name_is_known_the_alias_stands_alone(library: Library, work: WorkId) -> None:
    upto = upto_words(library, work, "they called Moth")
    assert [_how(m) for m in library.resolve(work, "Moth", None, upto)] == [("Moth", "Moth", MatchHow.EXACT)]


@pytest.mark.parametrize("text", ["Ilse Marrow", "Tobias", "Marrow", "Ilze Marrow"])
def test_nobody_beyond_the_boundary_is_offered(library: Library, work: WorkId, text: str) -> None:
    assert library.resolve(work, text, None, upto_words(library, work, "kept the lamp.")) == ()


def test_the_index_forgets_what_a_request_may_not_see(library: Library, work: WorkId) -> None:
    assert library.resolve(work, "Tobias Marrow", None, WHOLE)
    assert library.resolve(work, "Tobias Marrow", None, FRONTIER) == ()
    assert library.resolve(work, "Tobias Marrow", None, FRONTIER, Mode.OFF)
    assert library.resolve(work, "Tobias Marrow", None, FRONTIER, Mode.STRICT) == ()


def test_a_bare_surname_brings_all_who_bear_it(library: Library, work: WorkId) -> None:
    assert {m.name for m in library.resolve(work, "Marrow", None, WHOLE)} == {"Ilse Marrow", "Tobias Marrow"}


def test_whom_the_text_means_there_comes_first(library: Library, work: WorkId) -> None:
    document, at = place_of(library, work, "Marrow wept")
    first = library.resolve(work, "Marrow", Locator(document, at, at + 6), WHOLE)[0]
    assert first.name == "Tobias Marrow"


def test_a_selection_that_missed_the_name_by_a_letter_finds_it(library: Library, work: WorkId) -> None:
    document, at = place_of(library, work, "called Moth")
    [match] = library.resolve(work, "d Moth k", Locator(document, at + 5, at + 13), WHOLE)
    assert (match.name, match.matched, match.how) == ("Ilse Marrow", "Moth", MatchHow.CONTAINED)


def test_a_point_is_offered_once(library: Library, work: WorkId) -> None:
    ilse = point_called(library, work, "Ilse Marrow").id
    matches = library.resolve(work, "Ilse Marrow", None, WHOLE)
    assert [m.point for m in matches].count(ilse) == 1
