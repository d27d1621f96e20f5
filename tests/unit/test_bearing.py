"""What is shown of a cited place bears what is said: whole sentences, and what stands just beside it."""

from __future__ import annotations

import pytest

from engine.agent.bearing import Bearing, Stretch
from engine.agent.citations import Judge, Place, drawn, renumbered
from engine.agent.names import NamesOfWork
from engine.agent.speech import VEIL, Speech
from engine.config import SpoilerMode
from engine.domain.book import DocumentId
from engine.domain.chat import TextAdded
from engine.domain.locator import Locator

_NAMES = NamesOfWork([(name, 0) for name in ("Ilse", "Tobias", "Button", "灯婆", "石阶坊", "アリス", "雨の店")])
_ENGLISH = (
    "Tobias had kept the lamp. He had done it for forty years.\n"
    "The boy came out. He had a coat with one button. It was of brass.\n"
    "They called him Button, and he carried the mail.\n"
    "Nothing else happened on that day.\n"
)
_CHINESE = "灯婆住在石阶坊。她点了四十年的灯。\n老人站了起来。她的手上有一道疤。\n那天夜里，水漫过了石阶坊。\n"
_JAPANESE = "アリスは坂の上に住んでいる。\n少女は傘を開いた。雨が降ってきた。\nその店は雨の店といった。\n"


def _place(text: str, words: str) -> Place:
    start = text.index(words)
    end = start + len(words)
    return Place(Locator(DocumentId(1), start, end), start, end, "ch 1", words[:48])


def _judge(text: str, *, boundary: int = 10_000, has_more: bool = True) -> Judge:
    def around(place: Place) -> Stretch:
        return Stretch(text[: max(place.pos_end, min(len(text), boundary))], 0)

    return Judge(
        SpoilerMode.AUTO,
        boundary,
        _NAMES.is_about,
        lambda _words: False,
        bearing=Bearing(around, _NAMES.forms_in),
        has_more=has_more,
    )


def _shown(judge: Judge, place: Place, words: str) -> str:
    judge.allow(place)
    judged, _new = judge.judge(f"{words} [{str(place.locator).strip('[]')}].")
    _text, citations = renumbered(judged.text, judge.citations)
    return " ".join(each.text for each in citations)


@pytest.mark.parametrize(
    ("text", "cited", "shown"),
    [
        (_ENGLISH, "a coat with one", "The boy came out. He had a coat with one button. It was of brass."),
        (_CHINESE, "手上有一道", "老人站了起来。她的手上有一道疤。"),
        (_JAPANESE, "雨が降って", "少女は傘を開いた。雨が降ってきた。"),
    ],
)
def test_a_few_words_are_shown_with_their_paragraph(text: str, cited: str, shown: str) -> None:
    assert _shown(_judge(text), _place(text, cited), cited) == shown


@pytest.mark.parametrize(
    ("text", "cited", "said", "also"),
    [
        (_ENGLISH, "He had a coat with one button.", "Button had a coat with a button", "They called him Button"),
        (_ENGLISH, "He had a coat with one button.", "Tobias gave him a coat", "Tobias had kept the lamp."),
        (_CHINESE, "她的手上有一道疤。", "灯婆手上有一道疤", "灯婆住在石阶坊。"),
        (_JAPANESE, "雨が降ってきた。", "雨の店では雨が降ってきた", "その店は雨の店といった。"),
    ],
)
def test_a_name_that_stands_beside_the_place_is_shown_too(text: str, cited: str, said: str, also: str) -> None:
    shown = _shown(_judge(text), _place(text, cited), said)
    assert also in shown
    assert cited in shown


def test_what_a_sentence_does_not_tell_is_not_shown() -> None:
    assert "Nothing else" not in _shown(_judge(_ENGLISH), _place(_ENGLISH, "It was of brass."), "Button had brass")


def test_nothing_beyond_the_boundary_is_shown() -> None:
    place = _place(_ENGLISH, "He had a coat with one button.")
    shown = _shown(_judge(_ENGLISH, boundary=place.pos_end), place, "Button had a coat with one button")
    assert shown == "The boy came out. He had a coat with one button."


def test_no_more_is_shown_than_there_is_room_for() -> None:
    text = (
        "Tobias came. " + "Snow fell on the roofs. " * 200 + "A door was shut.\n" + "It was cold. " * 200 + "Ilse left."
    )
    shown = _shown(_judge(text), _place(text, "A door was shut."), "Ilse and Tobias shut a door")
    assert "A door was shut." in shown
    assert len(shown) <= 1_300


def test_a_name_far_off_is_not_worth_all_that_stands_between() -> None:
    text = "Tobias came. " + "Snow fell. " * 60 + "\nA door was shut.\n"
    assert _shown(_judge(text), _place(text, "A door was shut."), "Tobias shut a door") == "A door was shut."


def test_a_place_two_sentences_cite_bears_both() -> None:
    judge = _judge(_ENGLISH)
    place = _place(_ENGLISH, "He had a coat with one button.")
    judge.allow(place)
    at = str(place.locator).strip("[]")
    texts = [judge.judge(f"{said} [{at}]. ")[0].text for said in ("Tobias gave him a coat", "Button had a coat")]
    _text, [citation] = renumbered("".join(texts), judge.citations)
    assert "Tobias had kept" in citation.text
    assert "called him Button" in citation.text
    assert _ENGLISH[citation.locator.start : citation.locator.end].split() == citation.text.split()


def test_of_places_one_within_the_other_the_smaller_is_cited() -> None:
    judge = _judge(_ENGLISH)
    judge.allow(_place(_ENGLISH, _ENGLISH.strip()))
    place = _place(_ENGLISH, "Nothing else happened on that day.")
    assert _shown(judge, place, "Nothing happened to Ilse") == "Nothing else happened on that day."


@pytest.mark.parametrize(
    ("text", "cited", "said", "is_shown"),
    [
        (_ENGLISH, "It was of brass.", 'Button\'s coat had "a button of pure silver on it"', False),
        (_ENGLISH, "It was of brass.", 'Button "had a coat ... It was of brass"', True),
        (_ENGLISH, "Nothing else happened on that day.", "Ilse drowned yesterday", False),
        (_CHINESE, "她的手上有一道疤。", "灯婆说：“我从来没有见过这样的月亮。”", False),
        (_CHINESE, "她的手上有一道疤。", "The old woman 灯婆 has a scar", True),
    ],
)
def test_what_is_shown_has_to_hold_what_is_quoted_and_something_of_what_is_said(
    text: str, cited: str, said: str, is_shown: bool
) -> None:
    judge = _judge(text)
    place = _place(text, cited)
    judge.allow(place)
    judged, _new = judge.judge(f"{said} [{str(place.locator).strip('[]')}].")
    assert bool(judged.text) is is_shown


def test_the_question_may_be_quoted_whatever_is_shown() -> None:
    judge = _judge(_ENGLISH)
    judge.asked = "Why is it called the silver mail of the mountain?"
    place = _place(_ENGLISH, "He had a coat with one button.")
    judge.allow(place)
    assert judge.judge(f'"The silver mail of the mountain" is said of the boy with the coat {place.locator}.')[0].text


def test_what_explains_a_passage_may_say_what_does_not_stand_there() -> None:
    bearing = Bearing(lambda _place: Stretch(_ENGLISH, 0), _NAMES.forms_in, is_checked=False)
    assert bearing.bears("This is meant as irony: “a thing of no use at all”.", ["He had a coat with one button."])


def _said(judge: Judge, words: str) -> str:
    speech = Speech(judge)
    events = [*speech.feed(words), *speech.rest()]
    text = "".join(event.text for event in events if isinstance(event, TextAdded))
    ready = speech.ready()
    assert ready is not None
    assert ready.text == text.strip()
    return ready.text


@pytest.mark.parametrize(
    "words",
    [
        "Button carried the mail. He had a coat with one button {at}. ",
        "He had a coat with one button {at}. Button carried the mail. ",
    ],
    ids=["before", "behind"],
)
def test_of_a_work_read_to_its_end_a_sentence_takes_over_the_place_beside_it_that_holds_it(words: str) -> None:
    judge = _judge(_ENGLISH, has_more=False)
    place = _place(_ENGLISH, "He had a coat with one button.")
    judge.allow(place)
    said = _said(judge, words.format(at=place.locator))
    assert said == words.replace("button {at}.", "button [1].").replace("mail.", "mail. [1]").strip()
    assert "carried the mail" in judge.citations[0].text


@pytest.mark.parametrize(
    ("words", "has_more"),
    [
        ("Button carried the mail. He had a coat with one button {at}. ", True),
        ("Button drowned in the river at night. He had a coat with one button {at}. ", False),
        ("Button carried the mail.\n\nHe had a coat with one button {at}. ", False),
    ],
    ids=["more lies ahead", "it does not hold it", "another paragraph"],
)
def test_else_it_stays_veiled(words: str, has_more: bool) -> None:
    judge = _judge(_ENGLISH, has_more=has_more)
    place = _place(_ENGLISH, "He had a coat with one button.")
    judge.allow(place)
    assert _said(judge, words.format(at=place.locator)).startswith(VEIL)


def test_a_number_stands_where_it_is_drawn() -> None:
    judge = _judge(_ENGLISH)
    place = _place(_ENGLISH, "It was of brass.")
    judge.allow(place)
    assert drawn(judge.judge(f"Button had brass {place.locator}. ")[0].text) == "Button had brass [1]. "


def test_a_note_that_bears_the_sentence_is_shown_and_no_other() -> None:
    def around(_place: Place) -> Stretch:
        at = _ENGLISH.index("It was of brass.")
        return Stretch(_ENGLISH, 0, ((at, "Brass was dear in the year 1850."), (at, "Of the coat nothing is known.")))

    judge = Judge(
        SpoilerMode.AUTO, 10_000, _NAMES.is_about, lambda _words: False, bearing=Bearing(around, _NAMES.forms_in)
    )
    shown = _shown(judge, _place(_ENGLISH, "It was of brass."), "Button's brass was dear in 1850")
    assert "Brass was dear in the year 1850." in shown
    assert "nothing is known" not in shown
