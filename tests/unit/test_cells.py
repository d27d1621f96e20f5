"""The page's widths are rich's, and nothing is cut through a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.text.segment import grapheme_bounds
from tui.render.cells import (
    cell_width,
    cells_of_any,
    cells_of_plain,
    clean,
    cut_cells,
    fit_cells,
    is_plain,
)

PLAIN = [char for char in map(chr, range(0x10000)) if is_plain(char) and char != "\n"]
MIXED = "字かa 1“…—é👨‍👩‍👧❤️🇯🇵ﾊﾞ゙\u0301क्षก็\u200b\u200d\ufe0f👍🏽\u00ad\ufffc"


def test_each_plain_character_is_as_wide_as_rich_says() -> None:
    assert [char for char in PLAIN if cells_of_plain(char)[0] != cell_len(char)] == []


def test_most_of_what_novels_are_written_in_is_plain() -> None:
    assert is_plain("他说：“你好——”……「行こう」々ーｶ"[:-1] + "The lamp’s – “out”, №5 ★☆♪①→■○ 한국어 Ünïcödé")
    assert len(PLAIN) > 40_000


def test_no_plain_character_joins_the_one_before_it() -> None:
    assert grapheme_bounds("".join(PLAIN)) == list(range(len(PLAIN) + 1))


@pytest.mark.parametrize("char", ["\t", "\0", "\x1b", "\x9b", "\u200b", "\u0301", "\ufe0f", "👍", "\ud800", "\u2028"])
def test_what_needs_care_is_not_plain(char: str) -> None:
    assert not is_plain(f"字{char}a")


@given(st.one_of(st.text(st.sampled_from(MIXED)), st.text()))
def test_widths_of_characters_add_up_to_the_width_of_the_row(text: str) -> None:
    text = clean(text).replace("\n", " ")
    assert sum(cells_of_any(text)) == cell_width(text) == cell_len(text)


@given(st.text(st.sampled_from(MIXED)), st.integers(-1, 30))
def test_a_text_is_cut_to_fit_between_characters_as_seen(text: str, cells: int) -> None:
    cut = cut_cells(text, cells)
    assert text.startswith(cut)
    assert cell_len(cut) <= max(0, cells)
    assert len(cut) in grapheme_bounds(text)


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        ("红楼梦", 6, "红楼梦"),
        ("红楼梦", 5, "红楼…"),
        ("彼女は黒髪", 4, "彼…"),
        ("Ilse Marrow", 6, "Ilse…"),
        ("e\u0301tude", 3, "e\u0301t…"),
        ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
        ("Ilse", 1, "…"),
        ("Ilse", 0, ""),
        ("Ilse", -4, ""),
    ],
)
def test_what_does_not_fit_ends_in_an_ellipsis(text: str, cells: int, expected: str) -> None:
    assert fit_cells(text, cells) == expected


def test_no_control_is_left_and_offsets_hold() -> None:
    dirty = "".join(map(chr, range(0xA0))) + "\u2028\u2029\ud800字"
    cleaned = clean(dirty)
    assert len(cleaned) == len(dirty)
    assert cleaned.isprintable() or set(cleaned) - {"\n"} == set(filter(str.isprintable, cleaned))
    assert cleaned.endswith("\n\n 字")


def test_text_without_controls_comes_back_as_it_is() -> None:
    text = "一行\n二行"
    assert clean(text) is text


@given(st.text(st.characters(whitelist_categories=["Cc", "Cs", "Zl", "Zp", "Lo"])))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_a_flag_is_not_cut_in_two() -> None:
    assert cut_cells("🇯🇵🇨🇳", 3) == "🇯🇵"
