"""The look-up card as rows: who may be meant, how that was found, and what can be done with the selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.knowledge import PointKind
from engine.domain.wiki import MatchHow, NameMatch
from engine.translate import N_, _
from tui.render.cells import cell_width, fit_cells
from tui.render.lines import wrapped_lines

_MARGIN_CELLS, _RIGHT_CELLS = 3, 1
_GAP_CELLS = 3
_NAME_SHARE = 2
"""The names take at most half of the row."""
_LEAST_CELLS = 12
"""For how a name was found, and for the name beside it; with less only the name is shown."""
KIND_WORDS: Mapping[PointKind, str] = {
    PointKind.PERSON: N_("person"),
    PointKind.PLACE: N_("place"),
    PointKind.ORGANISATION: N_("organisation"),
    PointKind.ITEM: N_("item"),
    PointKind.EVENT: N_("event"),
    PointKind.CONCEPT: N_("concept"),
}
_HOW: Mapping[MatchHow, tuple[str, str]] = {
    MatchHow.EXACT: (N_("exact"), N_("“{name}”")),
    MatchHow.FOLDED: (N_("spelled otherwise"), N_("“{name}”")),
    MatchHow.ALIAS: (N_("exact"), N_("“{name}”")),
    MatchHow.TITLE: (N_("another title"), N_("another title, “{name}”")),
    MatchHow.CONTAINED: (N_("part of the name"), N_("part of “{name}”")),
    MatchHow.FUZZY: (N_("similar"), N_("similar to “{name}”")),
}
"""How a name was found: when it is the name of the entry, and when it is another."""


class Tone(StrEnum):
    """How a piece of a row is drawn."""

    INK = "ink"
    STRONG = "strong"
    """Who Enter opens."""
    FAINT = "faint"


Piece = tuple[str, Tone]
CardRow = list[Piece]


@dataclass(frozen=True, slots=True)
class KeyHint:
    """A key and what it does with the selection."""

    key: str
    words: str
    is_usable: bool = True


@dataclass(frozen=True, slots=True)
class CardContent:
    """What a card shows."""

    matches: tuple[NameMatch, ...]
    words: str = ""
    """What is said in place of matches."""
    hints: tuple[KeyHint, ...] = ()
    open_key: str = "Enter"
    choose_keys: str = "↑↓"
    has_more: bool = False
    """More comes under this name; never what."""


def card_rows(content: CardContent, chosen: int, first: int, most: int, width: int, *, is_ascii: bool) -> list[CardRow]:
    """Return the rows of a card, each exactly as wide as asked for.

    Args:
        content: What it shows.
        chosen: Number of the match that Enter opens.
        first: Number of the first match shown.
        most: Matches shown at most.
        width: Cells.
        is_ascii: Draw with ASCII signs.
    """
    shown = content.matches[first : first + most]
    if shown:
        side = [f"{content.open_key} {_('open')}", f"{content.choose_keys} {_('choose')}"]
        rows = _match_rows(shown, chosen - first, side if len(content.matches) > 1 else side[:1], width, is_ascii)
    else:
        rows = [[(line, Tone.INK)] for line in wrapped_lines(content.words, width - _MARGIN_CELLS - _RIGHT_CELLS)]
    if content.has_more:
        more = _("there is more beyond what you have read")
        rows.append([(fit_cells(more, width - _MARGIN_CELLS - _RIGHT_CELLS), Tone.FAINT)])
    rows += _hint_rows(content.hints, width - _MARGIN_CELLS - _RIGHT_CELLS)
    return [_padded(row, width) for row in rows]


def _match_rows(
    matches: Sequence[NameMatch], chosen: int, side: Sequence[str], width: int, is_ascii: bool
) -> list[CardRow]:
    signs = (">", " ") if is_ascii else ("●", "○")
    side_cells = max(map(cell_width, side))
    room = width - _MARGIN_CELLS - _RIGHT_CELLS - 2
    has_side = room - side_cells - _GAP_CELLS >= 2 * _LEAST_CELLS + _GAP_CELLS
    room -= side_cells + _GAP_CELLS if has_side else 0
    has_notes = room >= 2 * _LEAST_CELLS + _GAP_CELLS
    name_cells = min(max(cell_width(match.name) for match in matches), room // _NAME_SHARE if has_notes else room)
    note_cells = room - name_cells - _GAP_CELLS if has_notes else 0
    rows = []
    for number, match in enumerate(matches):
        tone = Tone.STRONG if number == chosen else Tone.INK
        row = [(f"{signs[number != chosen]} {fit_cells(match.name, name_cells)}", tone)]
        if has_notes:
            gap = " " * (name_cells + 2 - cell_width(row[0][0]) + _GAP_CELLS)
            row.append((gap + fit_cells(how_words(match), note_cells), Tone.INK))
        if has_side and number < len(side):
            used = sum(cell_width(words) for words, _tone in row)
            row.append((" " * (room + 2 + _GAP_CELLS - used) + side[number], Tone.FAINT))
        rows.append(row)
    return rows


def how_words(match: NameMatch) -> str:
    """Say what a match is, and how it was found: "person · exact", "person · “the Lamplighter’s girl”"."""
    same, other = _HOW[match.how]
    how = _(same) if match.matched == match.name else _(other).format(name=match.matched)
    return f"{_(KIND_WORDS[match.kind])} · {how}"


def _hint_rows(hints: Sequence[KeyHint], cells: int) -> list[CardRow]:
    rows: list[CardRow] = []
    used = 0
    for hint in hints:
        words = f"{hint.key} {hint.words}"
        needed = cell_width(words) + (_GAP_CELLS if used else 0)
        if not rows or used + needed > cells:
            rows.append([])
            used, needed = 0, cell_width(words)
        lead = " " * (needed - cell_width(words))
        rows[-1].append((lead + fit_cells(words, cells), Tone.INK if hint.is_usable else Tone.FAINT))
        used += needed
    return rows


def _padded(row: CardRow, width: int) -> CardRow:
    used = sum(cell_width(words) for words, _tone in row)
    room = max(0, width - _MARGIN_CELLS - used)
    return [(" " * min(_MARGIN_CELLS, width), Tone.INK), *row, (" " * room, Tone.INK)]
