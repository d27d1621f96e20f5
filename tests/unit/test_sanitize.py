from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.normalize import join_nfc, nfc
from engine.text.sanitize import is_clean, sanitize, sanitize_in_place, sanitize_line

_HOSTILE = "\x00\x07\x1b\x7f\x9b\x9d\u202e\u2066\u200e\u061c\U000e0041\ud800\ufdd0\uffff\U0001fffe\r\n\t\u200d\u200c"
_COMPOSING = "ae가\u1100\u1161\u11a8\u0301\u0323\u3099\u0316かb "
_TEXTS = st.text(alphabet=st.one_of(st.characters(exclude_categories=()), st.sampled_from(_HOSTILE)), max_size=60)


def _is_harmless(text: str) -> bool:
    return all(char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs") for char in text) and is_clean(text)


def _check(text: str) -> None:
    shown, in_place = sanitize(text), sanitize_in_place(text)
    assert _is_harmless(shown)
    assert _is_harmless(in_place)
    assert sanitize(shown) == shown
    assert sanitize_in_place(in_place) == in_place
    assert len(in_place) == len(text)
    assert "\n" not in sanitize_line(text)


@settings(max_examples=2_000, deadline=None)
@given(_TEXTS)
def test_whatever_goes_in_comes_out_harmless_and_does_not_change_again(text: str) -> None:
    _check(text)


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None)
@given(_TEXTS)
def test_ten_thousand_strings_come_out_harmless(text: str) -> None:
    _check(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\nin two lines",
        "می\u200cخواهم",
        "क्\u200dष",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "葛\U000e0100飾",
        "\u2764\ufe0f",
        "頁\u3000 ０",
    ],
)
def test_joiners_inside_words_and_variation_selectors_stay(text: str) -> None:
    assert sanitize(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x1b[31mb", "a\ufffd[31mb"),
        ("a\x9b31mb", "a\ufffd31mb"),
        ("\u202egpj.exe", "gpj.exe"),
        ("x\u2066y\u2069z", "xyz"),
        ("hi\U000e0068\U000e0069", "hi"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\ud83d", "\ufffd"),
        ("a \u200d b", "a  b"),
        ("a\u200d\u200d\u200db", "a\u200db"),
    ],
)
def test_each_kind_of_hostile_character_is_taken_out(text: str, expected: str) -> None:
    assert sanitize(text) == expected


def test_line_variant_folds_all_white_space() -> None:
    assert sanitize_line("  Padded \n\t Title\x1b ") == "Padded Title\ufffd"


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80))
def test_normal_form_is_the_standard_one(text: str) -> None:
    assert nfc(text) == unicodedata.normalize("NFC", text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=_COMPOSING, min_size=1, max_size=40), st.integers(0, 40))
def test_two_normal_pieces_join_to_a_normal_whole(text: str, cut: int) -> None:
    before, after = nfc(text[:cut]), nfc(text[cut:])

    joined = "".join(join_nfc(before, after))

    assert joined == unicodedata.normalize("NFC", before + after)


def test_long_text_is_normalised_across_its_pieces() -> None:
    text = ("e\u0301" * 300 + "か\u3099" * 300 + "각" * 300) * 3

    assert nfc(text) == unicodedata.normalize("NFC", text)


def test_a_million_unordered_marks_take_no_minutes() -> None:
    assert len(nfc("a" + "\u0301\u0316" * 250_000)) > 400_000


@pytest.mark.parametrize("hint", ["\u00ad", "\u200b", "\u2060", "\ufeff"])
def test_a_line_is_without_hints_to_a_typesetter(hint: str) -> None:
    assert sanitize_line(f"Chap{hint}ter 一") == "Chapter 一"
