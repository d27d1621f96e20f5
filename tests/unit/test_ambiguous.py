"""Characters that are wide in East Asian terminals only: counted as the terminal draws them."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import east_asian_width

import pytest
from rich.cells import cell_len, get_character_cell_size
from rich.segment import Segment
from textual.strip import Strip

from tui.render.ambiguous import draw_ambiguous_wide, is_drawn_wide
from tui.render.cells import cell_width, cells_of_any, fit_cells, is_plain
from tui.render.meter import volume_row, work_row
from tui.render.wrap import wrap

_ZH = "“他说：我们走吧，”阿丽丝看了看那只兔子——它很慌张……然后消失了。"
_JA = "「先輩……」と、彼女は言った。①の答えは×だ。"
_EN = "“You kept the lamp burning,” said the stationmaster — and ‘you’ were gone…"
_RU = "Все счастливые семьи похожи друг на друга — α, β, γ."


def _as_drawn(text: str) -> int:
    """Return the cells an East Asian terminal draws."""
    return sum(2 if east_asian_width(char) in "WFA" else 1 for char in text)


@pytest.fixture
def wide() -> Iterator[None]:
    """Count as such a terminal does, and go back."""
    assert draw_ambiguous_wide(True)
    yield
    assert draw_ambiguous_wide(False)


@pytest.mark.parametrize("text", [_ZH, _JA, _EN, _RU])
@pytest.mark.usefixtures("wide")
def test_widths_are_the_terminals(text: str) -> None:
    assert (cell_width(text), cell_len(text), sum(cells_of_any(text))) == (_as_drawn(text),) * 3


@pytest.mark.parametrize("text", [_ZH, _JA, _EN, _RU])
@pytest.mark.parametrize("width", [4, 7, 20, 33, 68])
@pytest.mark.usefixtures("wide")
def test_no_row_is_wider_than_it_may_be(text: str, width: int) -> None:
    starts = wrap(text, width)
    rows = [text[start:end].rstrip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")
    assert max(map(_as_drawn, rows)) <= width


@pytest.mark.usefixtures("wide")
def test_a_cut_text_fits() -> None:
    assert max(_as_drawn(fit_cells(_ZH, cells)) - cells for cells in range(40)) <= 0


@pytest.mark.usefixtures("wide")
def test_bars_are_drawn_with_what_is_narrow_everywhere() -> None:
    assert work_row(0.4, 20).isascii()
    assert volume_row(0.4, [0.1, 0.5], 20).isascii()


@pytest.mark.usefixtures("wide")
def test_what_combines_still_takes_no_cell() -> None:
    assert [get_character_cell_size(char) for char in "\u0301\u200d\ufe0f"] == [0, 0, 0]


def test_afterwards_all_is_as_before() -> None:
    before = [cell_len(each) for each in (_ZH, _EN)], is_plain(_ZH)
    draw_ambiguous_wide(True)
    assert is_drawn_wide()
    assert not is_plain(_ZH)
    draw_ambiguous_wide(False)
    assert ([cell_len(each) for each in (_ZH, _EN)], is_plain(_ZH)) == before
    assert not is_drawn_wide()


@pytest.mark.usefixtures("wide")
def test_textual_crops_by_the_same_widths() -> None:
    assert Strip([Segment(_ZH)]).cell_length == _as_drawn(_ZH)


def test_telling_what_is_known_already_changes_nothing() -> None:
    assert not draw_ambiguous_wide(False)
