from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from engine.domain.locator import QuoteSelector, select_quote
from engine.text.anchoring import find_quote, stands_at

_TEXTS = {
    "en": "The lamp burned low. Nobody came. The lamp burned high, and the keeper came at last to trim it.",
    "zh": "灯火渐渐暗了下去。没有人来。灯火又亮了起来，守灯人终于来剪灯芯了。",
    "ja": "灯は次第に弱まった。誰も来なかった。灯はまた明るくなり、灯台守がついに芯を切りに来た。",
}


@pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS)
def test_in_an_unchanged_text_a_place_stays(text: str) -> None:
    assert [find_quote(text, select_quote(text, at, at + 4), at) for at in range(len(text) - 4)] == [
        *range(len(text) - 4)
    ]


@pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS)
def test_after_an_insertion_a_place_moves_with_its_words(text: str) -> None:
    changed = "Something new. " + text
    assert [find_quote(changed, select_quote(text, at, at + 6), at) for at in range(len(text) - 6)] == [
        at + 15 for at in range(len(text) - 6)
    ]


def test_of_several_the_one_with_the_old_surroundings_is_it() -> None:
    text = "one fish, two fish, red fish, blue fish"
    quote = select_quote(text, text.index("fish, blue"), text.index("fish, blue") + 4)
    changed = "no fish. " + text
    assert find_quote(changed, quote, 4) == changed.index("fish, blue")


def test_of_two_alike_the_nearest_is_it() -> None:
    quote = QuoteSelector("the lamp", "", "")
    assert find_quote("x the lamp" + " " * 90 + "the lamp", quote, 95) == 100


def test_a_misprint_corrected_does_not_lose_the_place() -> None:
    text = "It was the bset of times, it was the worst of times, and the lamp burned low all night."
    quote = select_quote(text, 11, 24)
    changed = "A preface. " + text.replace("bset", "best")
    assert find_quote(changed, quote, 11) == changed.index("best")


@pytest.mark.parametrize(
    "quote",
    [
        QuoteSelector("", "", ""),
        QuoteSelector("xyzzy plugh", "quux wibble ", " fnord"),
        QuoteSelector("e", "", ""),
        QuoteSelector("", "zq", ""),
    ],
)
def test_what_is_not_there_or_says_nothing_is_not_found(quote: QuoteSelector) -> None:
    assert find_quote(_TEXTS["en"] * 3, quote, 5) is None


@pytest.mark.parametrize("offset", [-5, 0, 10**9])
def test_an_offset_outside_the_text_does_no_harm(offset: int) -> None:
    text = _TEXTS["en"]
    assert find_quote(text, QuoteSelector("Nobody came", "", ""), offset) == text.index("Nobody")


def test_a_place_holds_only_with_what_went_before_it() -> None:
    assert stands_at("abcdef", QuoteSelector("cd", "ab", "ef"), 2)
    assert not stands_at("xbcdef", QuoteSelector("cd", "ab", "ef"), 2)
    assert not stands_at("abcdef", QuoteSelector("", "ab", ""), 2)


@pytest.mark.parametrize("language", ["en-pdnc", "zh", "ja"])
def test_nearly_all_places_are_found_after_every_space_rule_changed(language: str, corpora: Path) -> None:
    text = _novel(corpora, language)
    changed = text.replace("\n\n", "\n").replace("，", "， ").replace("、", "、 ").replace(", ", ",  ")
    chance = random.Random(5)
    places = [chance.randrange(len(text) - 60) for _ in range(100)]
    began = time.process_time()
    found = [find_quote(changed, select_quote(text, at, at + 24), at) for at in places]
    seconds = time.process_time() - began
    right = sum(
        hit is not None and _bare(changed[hit : hit + 40])[:12] == _bare(text[at : at + 40])[:12]
        for at, hit in zip(places, found, strict=True)
    )
    assert right >= 99
    assert seconds / len(places) < 0.3


def _bare(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def _novel(corpora: Path, language: str) -> str:
    texts = sorted((corpora / "novels" / language).rglob("*.txt"), key=lambda path: path.stat().st_size)
    return "\n\n".join(path.read_text(encoding="utf-8") for path in texts[-3:])[:60_000]
