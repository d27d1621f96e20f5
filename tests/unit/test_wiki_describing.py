"""Which sentences describe whom they name, which tell nothing, and which say what ends every chapter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.wiki import PageKey, PageKind, Paragraph, Quotation
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE
from engine.wiki.defining import TELLING, defining_score, script_of
from engine.wiki.describing import describing_score, thinness
from engine.wiki.markdown import plain_runs
from engine.wiki.passages import sentences_of
from tests.knowledge import know, named, point_called, shelve_story


def _at(sentence: str, name: str) -> tuple[str, int, int]:
    start = sentence.index(name)
    return sentence, start, start + len(name)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Jane united with great strength of feeling, a composure of temper and a cheerfulness of manner.", "Jane"),
        ("They are all silly, but Lizzy has something more of quickness than her sisters.", "Lizzy"),
        ("Mr. Bingley was good looking and lively; he had a pleasant countenance and easy manners.", "Mr. Bingley"),
        ("Tom had been formerly in trade, and had made a tolerable fortune.", "Tom"),
        ("But his friend Tom soon drew every eye by his tall person, handsome features and fine voice.", "Tom"),
        ("马超年方十七岁，生得面如傅粉。", "马超"),
        ("林小满身长七尺，性情温和。", "林小满"),
        ("お冬は十五にしては大柄の方で、容貌も人並み以上であった。", "お冬"),
    ],
)
def test_looks_age_and_standing_describe(sentence: str, name: str) -> None:
    assert describing_score(*_at(sentence, name)) >= TELLING


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Jane was quite disconcerted, and could not answer.", "Jane"),
        ("Tom looked at a tall man of thirty with handsome features.", "Tom"),
        ("The tall man of thirty with handsome features saw Tom.", "Tom"),
        ("公孙瓒看那少年：生得身长八尺，浓眉大眼。", "公孙瓒"),
        ("张飞大怒，拔剑而起。", "张飞"),
        ("半七は黙って若い男の顔を見た。", "半七"),
        ("半七は更にその人相や身なりを詳しく訊きただした。", "半七"),
    ],
)
def test_moods_and_the_looks_of_others_do_not(sentence: str, name: str) -> None:
    assert describing_score(*_at(sentence, name)) < TELLING


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("To live in Corrow, was a severe disappointment to them all.", "Corrow"),
        ("He had brought six with him from Corrow, his five sisters and a cousin.", "Corrow"),
        ("彼ばかりでなく、半七も同様であった。", "半七"),
        ("You may carry a report of us into Corrow, my dear cousin.", "Corrow"),
        ("He hoped that after his return to Corrow, the day would be fixed that was to be his.", "Corrow"),
        ("伝蔵は主人を斬っただけで、なんの獲物もなかったのである。", "伝蔵"),
        ("「本所はどこだ。吉良の屋敷じゃあるめえ」", "本所"),
    ],
)
def test_what_is_said_of_another_does_not_introduce(sentence: str, name: str) -> None:
    assert defining_score(*_at(sentence, name)) < TELLING


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("允潜步窥之，乃府中歌伎貂蝉也。", "貂蝉"),
        ("卓婿谋士李儒曰：“今虽奉诏，中间多有暗味。”", "李儒"),
        ("この夫婦は神田に住む岡っ引の吉五郎と、その女房である。", "吉五郎"),
        ("Lady Catherine, widow of Sir Lewis, lived in a great house.", "Lady Catherine"),
        ("Mr. Bennet was so odd a mixture of quick parts and reserve.", "Mr. Bennet"),
        ("Miss Bingley is to live with her brother and keep his house.", "Miss Bingley"),
    ],
)
def test_trades_kin_and_plain_statements_introduce(sentence: str, name: str) -> None:
    assert defining_score(*_at(sentence, name)) >= TELLING


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Syme smiled.", "Syme"),
        ('Elizabeth coloured, and said--"A little."', "Elizabeth"),
        ("孔明六出祁山前，愿以只手将天补。", "孔明"),
        ("玄德大喜。", "玄德"),
        ("半七は笑った。", "半七"),
    ],
)
def test_a_word_or_two_and_a_line_of_verse_are_thin(sentence: str, name: str) -> None:
    assert thinness(*_at(sentence, name)) >= 2


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Elizabeth walked three miles through the mud that morning to see her sister.", "Elizabeth"),
        ("玄德引关、张至荆州见刘表，说起当日之事。", "玄德"),
        ("半七は三人を路ばたの大榎の下へ呼び込んだ。", "半七"),
    ],
)
def test_a_plain_sentence_is_not(sentence: str, name: str) -> None:
    assert thinness(*_at(sentence, name)) < 2


def test_the_script_decides_whose_rules_hold() -> None:
    assert [script_of(words) for words in ("Rain.", "下雨了。", "雨だ。")] == ["en", "zh", "ja"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("源蔵はうなずいた。「十五でございます」", ["源蔵はうなずいた。", "「十五でございます」"]),
        ("他点了点头。“十五。”", ["他点了点头。", "“十五。”"]),
        ("She rose.--Mr.--no, Tom was tall.—He sat.", ["She rose.", "Mr.--no, Tom was tall.", "He sat."]),
    ],
)
def test_a_speech_or_a_sentence_behind_a_dash_begins_on_its_own(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentences_of(text)] == sentences


_CHAPTERS = {
    "zh": (
        ("沈砚提着灯从桥上走过来，一路上谁也不看一眼。", "毕竟沈砚性命如何，且听下回慢慢分解。"),
        ("那一天沈砚在灯城的旧书铺里抄了整整一夜的书。", "毕竟沈砚能否脱身，且听下回慢慢分解。"),
        ("沈砚同陆衡在城门口说了半天话才各自回去了。", "毕竟沈砚去了何处，且听下回慢慢分解。"),
        ("沈砚把那封信藏在靴子里面一直带到了海边去。", "毕竟沈砚性命如何，且听下回慢慢分解。"),
    ),
    "en": (
        ("Ilse came over the wooden bridge with the lamp that evening, and looked at nobody.",
         "What became of Ilse after that the next chapter shall truly tell the gentle reader."),
        ("Ilse copied letters all night in the bookshop under the arches of the station.",
         "How Ilse came away unhurt the next chapter shall truly tell the gentle reader."),
        ("Ilse talked with Oren for half the day before the gate of the town was closed.",
         "Where Ilse went from there the next chapter shall truly tell the gentle reader."),
        ("Ilse carried the letter in her boot the whole long way down to the sea.",
         "Whether Ilse lived or died the next chapter shall truly tell the gentle reader."),
    ),
}  # fmt: skip
_NAMES = {"zh": "沈砚", "en": "Ilse"}
_FORMULA = {"zh": "下回慢慢分解", "en": "gentle reader"}


@pytest.mark.parametrize("language", sorted(_CHAPTERS))
def test_how_every_chapter_ends_is_not_quoted(library: Library, language: str) -> None:
    work = shelve_story(library, *_CHAPTERS[language], language=language)
    know(library, work, named(_NAMES[language]))
    point = point_called(library, work, _NAMES[language])
    page = library.page(work, PageKey(PageKind.ENTRY, point=point.id), upto=WHOLE)
    words = [part.text for part in page.parts if isinstance(part, Quotation)]
    words += [plain_runs(part.runs) for part in page.parts if isinstance(part, Paragraph)]
    assert len(words) >= 2
    assert not any(_FORMULA[language] in each for each in words)
