"""Which sentence introduces somebody, and which words around a name are quoted."""

from __future__ import annotations

import pytest

from engine.domain.book import DocumentId
from engine.wiki.defining import TELLING, defining_score, subject_score
from engine.wiki.passages import (
    BlockText,
    Passage,
    in_quotation_marks,
    passage_around,
    quoted,
    sentences_of,
    shown_words,
)


def _score(sentence: str, name: str) -> float:
    start = sentence.index(name)
    return defining_score(sentence, start, start + len(name))


def _around(text: str, name: str) -> Passage:
    start = text.index(name)
    block = BlockText(DocumentId(1), 100, 5_000, text, is_heading=False)
    return passage_around(block, start, start + len(name), sentences_of(text))


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Lydia was a stout, well-grown girl of fifteen, with a fine complexion.", "Lydia"),
        ("Her name was Ilse Marrow, and nobody had sent for her.", "Ilse Marrow"),
        ("There came in a boy called Tom, who carried the lamp.", "Tom"),
        ("Jane, the eldest daughter of the house, stood at the door.", "Jane"),
        ("They drove through the little town of Merrin in the rain.", "Merrin"),
        ("此人姓姜名维，字伯约，天水冀人也。", "伯约"),
        ("沈砚是一个从不说谎的抄书人。", "沈砚"),
        ("門外站著一個少年，名叫林小滿。", "林小滿"),
        ("半七は神田の岡っ引である。", "半七"),
        ("綾という娘が傘を持って立っていた。", "綾"),
        ("その男の名は庄太、と聞いた。", "庄太"),
    ],
)
def test_a_sentence_that_says_who_somebody_is_is_telling(sentence: str, name: str) -> None:
    assert _score(sentence, name) >= TELLING


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("When Jane and Elizabeth were alone, they talked of the ball.", "Elizabeth"),
        ("She had walked as far as the bridge when Tom overtook her.", "Tom"),
        ("Was Tobias a keeper of the lamp at that time?", "Tobias"),
        ("后主乃下车步行，独进第三重门。", "后主"),
        ("张郎中忽然回头看见沈砚站在门外。", "沈砚"),
        ("沈砚回视其人，身长八尺，声若巨雷。", "沈砚"),
        ("Watching his friend, Tom was far from suspecting anything.", "Tom"),
        ("半七は三人を路ばたの大榎の下へ呼び込んだ。", "半七"),
        ("半七は更にその人相を詳しく訊きただして、ここを出た。", "半七"),
    ],
)
def test_a_sentence_that_only_mentions_somebody_is_not(sentence: str, name: str) -> None:
    assert _score(sentence, name) < TELLING


def test_a_title_never_introduces() -> None:
    title = "Lydia was a girl"
    assert defining_score(title, 0, 5, is_heading=True) < TELLING


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Mr. Bingley came. Mrs. Long told me so.", ["Mr. Bingley came.", "Mrs. Long told me so."]),
        ("He came at 5. It rained.", ["He came at 5.", "It rained."]),
        ("玄德大喜。雲長曰：「善！」", ["玄德大喜。", "雲長曰：「善！」"]),
        ("雨が降った。傘を出した。", ["雨が降った。", "傘を出した。"]),
        ("no stop at all", ["no stop at all"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_sees_them_end(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentences_of(text)] == sentences


def test_a_short_sentence_is_quoted_with_the_next() -> None:
    text = "It was Jane. She had come over the hill in the rain and stood in the hall. Nobody spoke."
    assert quoted(_around(text, "Jane")) == "It was Jane. She had come over the hill in the rain and stood in the hall."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("word " * 80 + "and there stood Jane by the gate, " + "word " * 80 + "end.", "Jane"),
        ("一二三四五六七八九十" * 20 + "，卻見沈硯立於門外，" + "一二三四五六七八九十" * 20 + "。", "沈硯"),
        ("あいうえおかきくけこ" * 20 + "、そこに綾がいた、" + "あいうえおかきくけこ" * 20 + "。", "綾"),
    ],
)
def test_a_long_sentence_is_cut_around_the_name_and_says_so(text: str, name: str) -> None:
    passage = _around(text, name)
    words = quoted(passage)
    assert name in words
    assert len(words) < len(text) * 3 // 5
    assert (words[0], words[-1]) == ("…", "…")
    assert passage.words == text[passage.start : passage.end]


def test_a_passage_knows_its_place_in_the_document_and_the_work() -> None:
    text = "Rain. Then Jane came home from the hills, wet to the bone and singing loudly."
    passage = _around(text, "Jane")
    assert (passage.locator.start, passage.locator.end) == (100 + passage.start, 100 + passage.end)
    assert passage.pos == 5_000 + passage.start
    assert passage.block.pos_end == 5_000 + len(text)


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        ("She sighed. “I know Jane. I have known her these ten years and more.", "Jane", "“I know Jane. I have"),
        ("“Go. Jane has gone to the station with the others, and the dog.”", "Jane", "“Jane has gone"),
        ('"Go. Jane has gone to the station with the others, and the dog."', "Jane", '"Jane has gone'),
    ],
)
def test_quotation_marks_are_opened_and_closed(text: str, name: str, shown: str) -> None:
    words = quoted(_around(text, name))
    assert words.startswith(shown)
    assert words.count("“") == words.count("”")
    assert words.count('"') % 2 == 0


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        ("It rained.", "“It rained.”"),
        ("雨が降った。", "「雨が降った。」"),
        ("下雨了。", "“下雨了。”"),
        ("“Rain.”", "“Rain.”"),
        ("其人曰：“吾姓关名羽。”", "“其人曰：‘吾姓关名羽。’”"),
        ("「雨だ。」と綾が言った。", "「『雨だ。』と綾が言った。」"),
        ('"Rain," said she, "again."', "“'Rain,' said she, 'again.'”"),
        ('"Rain," said she.', "“'Rain,' said she.”"),
    ],
)
def test_a_quotation_stands_in_the_marks_of_its_script(words: str, marked: str) -> None:
    assert in_quotation_marks(words) == marked


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("「雨だ。」と綾が言った。また降った。", ["「雨だ。」と綾が言った。", "また降った。"]),
        ("“Is it you?” said Jane. Nobody spoke.", ["“Is it you?” said Jane.", "Nobody spoke."]),
        ("He (Jane saw it. Nobody else did.) went. Then.", ["He (Jane saw it. Nobody else did.) went.", "Then."]),
        ("他（阿砚看见了。别人没有。）走了。完了。", ["他（阿砚看见了。别人没有。）走了。", "完了。"]),
    ],
)
def test_a_sentence_is_over_behind_its_speech_and_its_brackets(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentences_of(text)] == sentences


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("if you do _not_ marry", "if you do not marry"),
        ("_That is all._", "That is all."),
        ("snake_case_name and __init__", "snake_case_name and __init__"),
    ],
)
def test_underscores_for_italics_are_not_shown(words: str, shown: str) -> None:
    assert shown_words(words) == shown


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("卓视之，乃荆州刺史丁原也。", "荆州"),
        ("玄德视之，乃荆州幕宾伊籍，字机伯。", "荆州"),
        ("此人乃曹操之子曹丕，年方八岁。", "曹操"),
        ("It was Jane's mother who was a widow of the town.", "Jane"),
        ("綾の母は町の女であった。", "綾"),
    ],
)
def test_a_sentence_about_somebody_else_does_not_introduce(sentence: str, name: str) -> None:
    at = sentence.index(name)
    assert defining_score(sentence, at, at + len(name)) < TELLING


@pytest.mark.parametrize(
    ("about", "in_passing", "name"),
    [
        ("Elizabeth listened in silence.", "I must throw in a good word for Elizabeth.", "Elizabeth"),
        ("张飞大怒，拔剑而起。", "众人皆言张飞之勇。", "张飞"),
        ("半七は黙って歩いた。", "その時に半七の女房が来た。", "半七"),
    ],
)
def test_a_sentence_that_speaks_of_somebody_goes_before_one_that_names_her_in_passing(
    about: str, in_passing: str, name: str
) -> None:
    scores = [subject_score(words, words.index(name), words.index(name) + len(name)) for words in (about, in_passing)]
    assert scores[0] > scores[1]


def test_a_name_set_beside_what_somebody_is_to_another_introduces() -> None:
    words = "It is from my cousin, Mr. Collins, who may turn you all out of this house."
    at = words.index("Mr. Collins")
    assert defining_score(words, at, at + len("Mr. Collins")) >= TELLING
