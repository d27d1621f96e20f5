"""What an answer may say: proven, before the boundary, and nothing that names what is hidden."""

from __future__ import annotations

import pytest

from engine.agent.citations import Judge, Place, drawn, renumbered
from engine.agent.names import NamesOfWork
from engine.config import SpoilerMode
from engine.domain.book import DocumentId
from engine.domain.locator import Locator

_NAMES = NamesOfWork([("Ilse", 10), ("Marrow", 10), ("Vale", 900), ("灯婆", 10), ("灯婆之子", 900), ("アリス", 10)])


def _judge(mode: SpoilerMode = SpoilerMode.AUTO, boundary: int = 500) -> Judge:
    judge = Judge(mode, boundary, _NAMES.is_about, lambda words: _NAMES.is_hidden(words, boundary))
    judge.allow(Place(Locator(DocumentId(1), 100, 200), 100, 200, "ch 1", "She came"))
    judge.allow(Place(Locator(DocumentId(1), 300, 400), 300, 400, "ch 2", "He left"))
    judge.allow(Place(Locator(DocumentId(2), 0, 80), 900, 980, "ch 9", "It was"))
    return judge


def test_a_cited_sentence_is_shown_with_its_number() -> None:
    text, new = _judge().judge("Ilse came [f1-100-200]. ")
    assert drawn(text.text) == "Ilse came [1]. "
    assert [(c.number, c.where) for c in new] == [(1, "ch 1")]


def test_one_place_has_one_number() -> None:
    judge = _judge()
    judge.judge("Ilse came [f1-100-200].")
    judge.judge("Marrow left [f1-300-400].")
    text, new = judge.judge("Ilse was tired [f1-120-140; f1-300-400].")
    assert drawn(text.text) == "Ilse was tired [1] [2]."
    assert new == ()


@pytest.mark.parametrize(
    "cited",
    ["", " [f1-90-200]", " [f7-100-200]", " [f2-0-80]", " [f1-100]", " [f1-200-100]", " [w12]"],
    ids=["none", "wider than what was returned", "never returned", "beyond", "no end", "backwards", "of no kind"],
)
def test_a_sentence_about_the_book_that_proves_nothing_is_veiled(cited: str) -> None:
    text, new = _judge().judge(f"Ilse came{cited}.")
    assert (text.text, new) == ("", ())
    assert text.veiled_chars == len("Ilse came.")


@pytest.mark.parametrize("words", ["灯婆来了。", "アリスは来た。", "She said “I never meant to come here”."])
def test_a_sentence_is_about_the_book_in_any_language_and_by_its_words(words: str) -> None:
    assert _judge().judge(words)[0].veiled_chars


def test_a_sentence_that_follows_one_about_the_book_is_about_it_too() -> None:
    judge = _judge()
    judge.judge("Ilse came [f1-100-200]. ")
    assert judge.judge("Then she died. ")[0].veiled_chars


def test_a_new_paragraph_begins_anew() -> None:
    judge = _judge()
    judge.judge("Ilse came [f1-100-200].\n\n")
    assert judge.judge("I found nothing more.")[0].text == "I found nothing more."


def test_a_proven_sentence_with_a_name_from_beyond_is_veiled() -> None:
    text, new = _judge().judge("Ilse came with Vale [f1-100-200].")
    assert (text.text, new) == ("", ())


def test_a_veiled_sentence_leaves_no_number_behind() -> None:
    judge = _judge()
    judge.judge("Vale came [f1-100-200].")
    text, new = judge.judge("Ilse left [f1-300-400].")
    assert drawn(text.text) == "Ilse left [1]."
    assert [c.number for c in new] == [1]


def test_a_longer_hidden_name_hides_though_its_beginning_is_known() -> None:
    assert _judge().judge("灯婆之子来了[f1-100-200]。")[0].veiled_chars
    assert not _judge().judge("灯婆来了[f1-100-200]。")[0].veiled_chars


def test_a_name_inside_another_word_is_none() -> None:
    assert _judge().judge("Valery is no one here.")[0].text


def test_off_shows_and_marks_what_is_unproven() -> None:
    text, _new = _judge(SpoilerMode.OFF).judge("Ilse came.")
    assert text.is_unproven
    assert text.text == "Ilse came."


def test_brackets_of_the_prose_stay() -> None:
    assert _judge().judge("It is [as they say] late.")[0].text == "It is [as they say] late."


def test_what_a_model_says_drives_no_terminal() -> None:
    assert "\x1b" not in _judge().judge("Late \x1b]52;c;aGk=\x07 again.")[0].text


@pytest.mark.parametrize("own", ["[1]", "[2, 3]", "[^4]", "[1-3]"])
def test_numbers_a_model_writes_by_itself_prove_nothing_and_are_not_shown(own: str) -> None:
    judge = _judge()
    judge.judge("Marrow left [f1-300-400]. ")
    assert judge.judge(f"Ilse came {own}.")[0].veiled_chars
    assert drawn(judge.judge(f"Ilse came {own} [f1-100-200].")[0].text) == "Ilse came [2]."


def test_the_whole_answer_is_numbered_in_its_own_order() -> None:
    judge = _judge()
    judge.judge("Said before looking on: Marrow left [f1-300-400]. ")
    text, _new = judge.judge("Ilse came [f1-100-200].")
    shown, citations = renumbered(text.text, judge.citations)
    assert (shown, [(c.number, c.where) for c in citations]) == ("Ilse came [1].", [(1, "ch 1")])


def test_a_model_cannot_write_a_number_as_we_do() -> None:
    assert _judge().judge("Ilse came \ue0001\ue001.")[0].veiled_chars
    assert drawn(_judge().judge("It is late \ue0007\ue001.")[0].text) == "It is late 7."


@pytest.mark.parametrize(
    "cited",
    [
        "【f1-100-200】",
        "［f1-100-200］",
        "（f1-100-200）",
        "(f1-100-200)",
        "([f1-100-200])",
        "【f1-100-200，f1-300-400】",
    ],
)
def test_other_brackets_cite_too(cited: str) -> None:
    assert drawn(_judge().judge(f"アリスは来た{cited}。")[0].text).startswith("アリスは来た [1]")


@pytest.mark.parametrize(
    ("words", "is_shown"),
    [
        ("I did not find how he died.", True),
        ("I found nothing more.", True),
        ("没有找到他是怎么死的。", True),
        ("どうして亡くなったかは見つかりませんでした。", True),
        ("I did not find how Ilse died.", False),
        ("I did not find that Vale had done it.", False),
        ("He died in the yard.", False),
    ],
)
def test_that_something_was_not_found_may_follow_what_is_proven(words: str, is_shown: bool) -> None:
    judge = _judge()
    judge.judge("Ilse came [f1-100-200]. ")
    assert (judge.judge(words)[0].text == words) is is_shown


@pytest.mark.parametrize(
    ("words", "is_shown"),
    [
        ("They are in the same class.", False),
        ("二人は同じクラスの生徒です。", False),
        ("彼は窓ぎわの席だった。", False),
        ("“迟”是撑船救他的人写的。", False),
        ("他没有写信回来。", False),
        ("他读完那封信，没有写回信。", False),
        ("The driver kept a lamp burning on the bridge.", False),
        ("There are two reasons:", True),
        ("As far as you have read she is not engaged to anybody.", True),
        ("What you have read does not tell yet whom she marries.", True),
        ("读到这里，书里还没有说出是谁。", True),
        ("書かれていません。", True),
        ("The column is 68 cells wide.", True),
        ("其他设置不变。", True),
    ],
)
def test_a_sentence_without_a_name_needs_a_passage_when_it_speaks_of_the_story(words: str, is_shown: bool) -> None:
    judge = _judge()
    judge.hear("[f1-100-200] (ch 1)\nThe driver had left a lamp burning upon the bridge of the river.")
    assert bool(judge.judge(words)[0].text) is is_shown


def test_words_of_the_settings_are_none_of_the_book() -> None:
    judge = _judge()
    judge.hear("column_width = 68 (40-120) How wide the text column is, in cells")
    assert judge.judge("The text column is 68 cells wide.")[0].text


@pytest.mark.parametrize(
    ("words", "is_shown"),
    [
        ("“Washes his hands of it” is a saying for refusing blame.", True),
        ("“Washing hands of things” is said of refusing blame.", True),
        ("“Yesternight” is an old word for last night.", True),
        ("“I never meant to build a bridge” is what was said.", False),
    ],
)
def test_words_before_her_eyes_may_be_quoted_without_a_passage(words: str, is_shown: bool) -> None:
    judge = Judge(SpoilerMode.AUTO, 500, _NAMES.is_about, lambda _words: False, "washes his hands of it")
    assert bool(judge.judge(words)[0].text) is is_shown


@pytest.mark.parametrize(
    ("asked", "words", "is_shown"),
    [
        ("What became of Ilse?", "What became of Ilse is not told as far as you have read.", True),
        ("What became of Ilse?", "That is what is told as far as you have read.", True),
        ("写信的“灯婆”是谁？", "读到这里还不知道灯婆是谁。", True),
        (
            "アリスは最後にどうなりますか。",
            "アリスが最後にどうなるかは、まだお読みになっていないところにあります。",
            True,
        ),
        ("Who is Ilse?", "Why Ilse drowned is not told as far as you have read.", False),
        ("写信的“灯婆”是谁？", "读到这里还不知道灯婆死了。", False),
        (
            "アリスは最後にどうなりますか。",
            "アリスは最後に死にますが、まだお読みになっていないところにあります。",
            False,
        ),
        ("Who is Vale?", "Who is Vale is not told as far as you have read.", False),
        ("What became of Ilse?", "Ilse became what became of Ilse.", False),
    ],
)
def test_that_the_answer_lies_ahead_may_be_said_in_the_words_of_the_question(
    asked: str, words: str, is_shown: bool
) -> None:
    judge = Judge(SpoilerMode.AUTO, 500, _NAMES.is_about, lambda said: _NAMES.is_hidden(said, 500), asked=asked)
    judge.allow(Place(Locator(DocumentId(1), 100, 200), 100, 200, "ch 1", "She came"))
    judge.judge("Ilse came [f1-100-200]. ")
    assert (judge.judge(words)[0].text == words) is is_shown


@pytest.mark.parametrize(
    "words", ["I did not find how Ilse died. ", "没有找到灯婆的死因。", "I found no trace of Vale.\n\n"]
)
def test_instead_of_a_veil_it_is_said_that_something_was_not_found(words: str) -> None:
    text = _judge().judge(words)[0].text
    assert text.strip() == "This is not told so far."
    assert text.endswith(words[len(words.rstrip()) :])
