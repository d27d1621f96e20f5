"""Folding: many spellings, one key, and the way back to every offset."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.fold import fold, fold_pattern, fold_words, spoken, spoken_text
from engine.text.normalize import nfc


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("alice", "Ａｌｉｃｅ"),
        ("ALICE", "alice"),
        ("アリス", "ｱﾘｽ"),
        ("ありす", "アリス"),
        ("ガラス", "ｶﾞﾗｽ"),
        ("か\u3099らす", "がらす"),
        ("爱丽丝", "愛麗絲"),
        ("臺灣", "台湾"),
        ("蠟燭", "蝋燭"),
        ("三遊亭圓朝", "三遊亭円朝"),
        ("瀧澤廣澤櫻濱國鐵", "滝沢広沢桜浜国鉄"),
        ("龍の聲と靈氣", "竜の声と霊気"),
        ("don't", "don’t"),
        ('"yes"', "“yes”"),
        ("co-op", "co‐op"),
        ("cooperate", "co\u00adoper\u200cate"),
        ("find", "ﬁnd"),
        ("strasse", "Straße"),
        ("修雷·诺赞", "修雷・诺赞"),
        ("lamp oil", "Lamp　oil"),
        ("café", "cafe\u0301"),
    ],
)
def test_two_spellings_of_a_word_have_one_key(typed: str, printed: str) -> None:
    assert fold_words(typed) == fold_words(printed)


@pytest.mark.parametrize(("one", "other"), [("蕾娜", "蕾娜斯"), ("cafe", "café"), ("は", "ば"), ("一", "ー")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert fold_words(one) != fold_words(other)


@pytest.mark.parametrize(
    ("text", "found", "source"),
    [
        ("the ﬁrst ﬁnd", "find", "ﬁnd"),
        ("a soft\u00adhyphen b", "softhyphen", "soft\u00adhyphen"),
        ("彼はｶﾞﾗｽの", "がらす", "ｶﾞﾗｽ"),
        ("die Straße hier", "strasse", "Straße"),
        ("x ﬁx ﬁy", "iy", "ﬁy"),
        ("“Yes”, said ﬁn", "yes", "Yes"),
    ],
)
def test_what_is_found_in_the_key_leads_to_the_words_of_the_text(text: str, found: str, source: str) -> None:
    folded = fold(text)
    at = folded.text.index(found)
    assert text[folded.source_start(at) : folded.source_end(at + len(found))] == source


def test_text_that_folds_one_to_one_needs_no_map() -> None:
    assert fold("“臺灣”，ＡＢＣ……").shifts == ()


def test_an_ellipsis_moves_nothing() -> None:
    assert fold("嗯……好").text == "嗯……好"


_TEXTS = st.text(st.sampled_from("aAﬁß\u00ad\u200c ｶﾞﾗｽ臺漢字x½℃\n"), max_size=40).map(nfc)


@given(_TEXTS)
def test_each_folded_character_comes_from_the_text_in_order(text: str) -> None:
    folded = fold(text)
    starts = [folded.source_start(i) for i in range(len(folded.text))]
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)
    assert all(folded.source_end(i + 1) > start for i, start in enumerate(starts))


@given(_TEXTS, st.integers(0, 40))
def test_a_source_offset_leads_to_the_first_character_behind_it(text: str, offset: int) -> None:
    folded = fold(text)
    starts = [folded.source_start(i) for i in range(len(folded.text))]
    expected = next((i for i, start in enumerate(starts) if start >= offset), len(starts))
    assert folded.folded_index(min(offset, len(text))) == (expected if offset < len(text) else len(starts))


def test_readings_take_the_place_of_what_they_stand_beside() -> None:
    read = spoken(fold("私は食べる"), [(2, 3, "た")], 5)
    assert read.text == "私はたべる"
    assert read.source_start(read.text.index("べ")) == 3


@given(_TEXTS, st.lists(st.integers(0, 40), max_size=8, unique=True))
def test_readings_lead_back_to_what_they_stand_beside(text: str, cuts: list[int]) -> None:
    ends = sorted(cut for cut in cuts if cut <= len(text))
    readings = [(start, end, f"<{start}>") for start, end in zip(ends[::2], ends[1::2], strict=False)]
    folded = fold(text)
    read = spoken(folded, readings, len(text))
    assert read.text == spoken_text(folded, readings)
    assert all(read.source_start(read.text.index(word)) == start for start, _end, word in readings)


def test_a_pattern_keeps_its_escapes_and_folds_its_letters() -> None:
    assert fold_pattern(r"[A-Z]\W\p{Lu}\x41アリス“") == r'[a-z]\W\p{Lu}\x41ありす"'
