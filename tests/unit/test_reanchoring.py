"""A passage is found again in a changed text from its first character to its last, or not at all."""

from __future__ import annotations

import pytest

from engine.domain.locator import select_quote
from engine.text.reanchoring import Letters, find_passage, letters_found

_TEXTS = {
    "en": "The lamp burned low. “Nobody came,” she said, and turned the page without a word. It rained all night.",
    "zh": "灯塔里的火从来没有熄过。“谁也没有来。”她说着，又翻过了一页，一个字也没有说。雨下了整整一夜，直到天亮。",
    "ja": "灯台の火は一度も消えたことがなかった。「誰も来なかった」と彼女は言って、黙って頁をめくった。雨は夜通し",
}
_PASSAGES = {
    "en": "“Nobody came,” she said, and turned the page",
    "zh": "“谁也没有来。”她说着，又翻过了一页",
    "ja": "「誰も来なかった」と彼女は言って、黙って頁を",
}
_LANGUAGES = sorted(_TEXTS)


def _found(language: str, newer: str, passage: str = "") -> str | None:
    text, passage = _TEXTS[language], passage or _PASSAGES[language]
    start = text.index(passage)
    found = find_passage(Letters(newer), select_quote(text, start, start + len(passage)))
    return None if found is None else newer[found.start : found.end]


@pytest.mark.parametrize("language", _LANGUAGES)
def test_a_passage_is_found_behind_paragraphs_that_were_put_in(language: str) -> None:
    assert _found(language, "Foreword.\n" * 50 + _TEXTS[language]) == _PASSAGES[language]


@pytest.mark.parametrize("language", _LANGUAGES)
def test_a_passage_is_found_when_signs_and_spaces_have_changed(language: str) -> None:
    signs = str.maketrans({"“": '"', "”": '"', "「": "『", "」": "』", "，": ",", "。": "．", " ": "\u00a0"})
    assert _found(language, _TEXTS[language].translate(signs)) == _PASSAGES[language].translate(signs).strip('"『')


@pytest.mark.parametrize(
    ("language", "typo", "mended"), [("en", "turned", "tumed"), ("zh", "翻过", "翻過"), ("ja", "黙って", "黙つて")]
)
def test_a_passage_is_found_though_a_word_in_it_was_mended(language: str, typo: str, mended: str) -> None:
    assert _found(language, _TEXTS[language].replace(typo, mended)) == _PASSAGES[language].replace(typo, mended)


@pytest.mark.parametrize("language", _LANGUAGES)
def test_a_passage_that_is_gone_is_not_found_elsewhere(language: str) -> None:
    newer = _TEXTS[language].replace(_PASSAGES[language], "")
    assert _found(language, newer) is None


def test_a_refrain_is_told_by_what_stands_around_it() -> None:
    text = "Row on, said the ferryman. Night fell. Row on, said the ferryman. Day broke."
    start = text.rindex("Row on")
    quote = select_quote(text, start, start + len("Row on, said the ferryman."))
    newer = "New lines here. " + text
    found = find_passage(Letters(newer), quote)
    assert found is not None
    assert found.start == newer.rindex("Row on")


def test_of_two_places_alike_neither_is_guessed_without_a_place_to_expect_it_at() -> None:
    text = "The bell rang. " * 20
    quote = select_quote(text, 150, 164)
    assert find_passage(Letters("x " + text), quote) is None
    assert find_passage(Letters("x " + text), quote, 152) is not None


def test_a_short_word_is_not_taken_for_its_like_elsewhere() -> None:
    text = "He looked at the sea for an hour and said nothing more about it to anybody."
    quote = select_quote(text, 17, 20)
    assert find_passage(Letters("There was a sea in her dream, and it was warm."), quote) is None


def test_words_are_found_by_their_letters() -> None:
    found = letters_found("“No,” he said — twice.", "No he said twice")
    assert found is not None
    assert (found.start, found.end) == (1, 21)
