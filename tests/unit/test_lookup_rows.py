"""The rows of the look-up card at every width."""

from __future__ import annotations

import pytest

from engine.domain.knowledge import PointKind
from engine.domain.wiki import MatchHow, NameMatch, PointId
from tui.render.cells import cell_width
from tui.render.lookup_rows import CardContent, KeyHint, Tone, card_rows

_MATCHES = (
    NameMatch(PointId(1), PointKind.PERSON, "The Lamplighter", "The Lamplighter", MatchHow.EXACT, 100.0),
    NameMatch(PointId(2), PointKind.PERSON, "Ilse Marrow", "the Lamplighter’s girl", MatchHow.ALIAS, 100.0),
    NameMatch(PointId(3), PointKind.CONCEPT, "灯火信号", "灯火の信号", MatchHow.FUZZY, 86.0),
)
_HINTS = (
    KeyHint("a", "ask", is_usable=False),
    KeyHint("e", "explain", is_usable=False),
    KeyHint("h", "highlight", is_usable=False),
    KeyHint("c", "comment", is_usable=False),
    KeyHint("x", "excerpt", is_usable=False),
    KeyHint("y", "copy"),
    KeyHint("Esc", "close"),
)
_CONTENT = CardContent(_MATCHES, hints=_HINTS)


def _rows(
    content: CardContent = _CONTENT, width: int = 80, chosen: int = 0, first: int = 0, most: int = 5
) -> list[str]:
    rows = card_rows(content, chosen, first, most, width, is_ascii=False)
    return ["".join(words for words, _tone in row) for row in rows]


def test_the_card_is_drawn_as_it_was_meant() -> None:
    assert [row.rstrip() for row in _rows()] == [
        "   ● The Lamplighter   person · exact                                Enter open",
        "   ○ Ilse Marrow       person · “the Lamplighter’s girl”             ↑↓ choose",
        "   ○ 灯火信号          concept · similar to “灯火の信号”",
        "   a ask   e explain   h highlight   c comment   x excerpt   y copy   Esc close",
    ]


@pytest.mark.parametrize("width", [*range(12, 60), 80, 200])
def test_every_row_is_as_wide_as_the_card(width: int) -> None:
    assert {cell_width(row) for row in _rows(width=width)} == {width}


def test_keys_that_do_not_fit_go_on_in_the_next_row() -> None:
    rows = _rows(width=40)
    assert [row.strip() for row in rows[3:]] == [
        "a ask   e explain   h highlight",
        "c comment   x excerpt   y copy",
        "Esc close",
    ]


def test_what_cannot_be_done_is_faint() -> None:
    tones = {
        words.strip(): tone for words, tone in card_rows(_CONTENT, 0, 0, 5, 80, is_ascii=False)[-1] if words.strip()
    }
    assert (tones["e explain"], tones["y copy"]) == (Tone.FAINT, Tone.INK)


def test_a_long_list_is_shown_from_where_it_was_scrolled_to() -> None:
    rows = _rows(chosen=2, first=1, most=2)
    assert ["○ Ilse" in rows[0], "● 灯火" in rows[1], len(rows)] == [True, True, 3]


def test_nothing_found_is_said_in_place_of_matches() -> None:
    rows = _rows(CardContent((), words="Nothing is known of “x” as far as you have read.", hints=_HINTS))
    assert rows[0].strip() == "Nothing is known of “x” as far as you have read."
    assert "Enter" not in "".join(rows)


def test_brackets_in_a_name_are_shown_as_they_are() -> None:
    match = NameMatch(PointId(4), PointKind.PERSON, "[/b] Marrow", "[red]", MatchHow.ALIAS, 100.0)
    assert "● [/b] Marrow   person · “[red]”" in _rows(CardContent((match,)))[0]


def test_signs_are_ascii_where_they_have_to_be() -> None:
    rows = card_rows(_CONTENT, 0, 0, 5, 80, is_ascii=True)
    assert rows[0][1][0].startswith("> The")
