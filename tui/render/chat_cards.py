"""What stands beside an answer: cards, the passages it cites, and a preview of one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.domain.chat import Card, CardKind, Citation
from engine.domain.locator import Locator, locator_from_text
from engine.translate import N_, _
from tui.render.cells import cell_width, fit_cells
from tui.render.chat_bits import ChatTarget, ToAct, ToCard, ToLocator, ToPlace
from tui.render.dress import raised
from tui.render.wiki_bits import Bit, Ink, WikiRow, fit_bits, joined, one_line, set_rows, two_ends

_LOCATOR = re.compile(r"\[f\d+-\d+-\d+\]")
"""For whoever cites; nobody reads it."""
_INDENT_CELLS = 2
_MOST_PREVIEW_ROWS = 16
_MOST_CARD_ROWS = 12
_MOST_PAIR_ROWS = 4
_NAME_SHARE = 3
_GAP_CELLS = 2
_KIND_WORDS: Mapping[CardKind, str] = {
    CardKind.ENTRY: N_("entry"),
    CardKind.CHAPTER: N_("chapter"),
    CardKind.VOLUME: N_("volume"),
    CardKind.SETTING: N_("setting"),
    CardKind.QUOTE: "",
    CardKind.TABLE: "",
    CardKind.TRACK: N_("track"),
}
_ACT_WORDS: Mapping[str, str] = {
    "offered": N_("y does it"),
    "done": N_("done · u undoes it"),
    "undone": N_("undone · y does it again"),
}


def source_rows(citations: Sequence[Citation], width: int, links: list[ChatTarget]) -> list[WikiRow]:
    """Return a row for each passage an answer rests on, in order of their numbers."""
    rows = []
    for citation in sorted(citations, key=lambda each: each.number):
        link = len(links)
        links.append(ToPlace(citation.number))
        place = Bit(f"{raised(str(citation.number))} {one_line(citation.where)}", Ink.PLACE, link)
        quote = f" “{one_line(citation.quote)}”" if citation.quote.strip() else ""
        rows.append(WikiRow(tuple(fit_bits([place, Bit(quote, Ink.FAINT)], width))))
    return rows


def preview_rows(citation: Citation, text: str, width: int, links: list[ChatTarget]) -> list[WikiRow]:
    """Return the rows that show a cited passage where it is cited.

    Args:
        citation: Which.
        text: The passage as it stands in the book; empty while that is not known.
        width: Cells.
        links: Takes what can be opened.
    """
    link = len(links)
    links.append(ToPlace(citation.number))
    words = one_line(text or citation.quote)
    rows = set_rows([Bit(words, Ink.EMPHASIS)], width, indent=_INDENT_CELLS)
    if len(rows) > _MOST_PREVIEW_ROWS:
        last = rows[_MOST_PREVIEW_ROWS - 1]
        rows = [*rows[: _MOST_PREVIEW_ROWS - 1], WikiRow(tuple(fit_bits([*last.bits, Bit(" " * width)], width)))]
    place = Bit(fit_cells(one_line(citation.where), width - _INDENT_CELLS), Ink.PLACE, link)
    return [*rows, WikiRow((Bit(" " * _INDENT_CELLS), place))]


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card, and what is known of it here."""

    card: Card
    number: int
    """Which card of its turn it is."""
    act: str = ""
    """What has become of its offer: "offered", "done" or "undone"; empty while that is not known."""


def card_rows(shown: ShownCard, width: int, links: list[ChatTarget]) -> list[WikiRow]:
    """Return the rows of a card.

    Args:
        shown: What it shows.
        width: Cells.
        links: Takes what can be opened.
    """
    card = shown.card
    if card.kind in (CardKind.SETTING, CardKind.OFFER):
        return _offer_rows(shown, width, links)
    rows = []
    kind = _(_KIND_WORDS[card.kind]) if _KIND_WORDS.get(card.kind) else ""
    if card.title.strip():
        link = -1
        if card.target:
            link = len(links)
            links.append(ToCard(shown.number))
        title = Bit(one_line(card.title), Ink.LINK if card.target else Ink.HEADING, link)
        rows.append(two_ends([title], [Bit(kind, Ink.FAINT)] if kind else [], width))
    if card.kind is CardKind.QUOTE:
        for row in card.rows[:_MOST_CARD_ROWS]:
            rows += set_rows([Bit(one_line(" ".join(row)), Ink.EMPHASIS)], width, indent=_INDENT_CELLS)
        return rows
    places = [(row[0], at) for row in card.rows if len(row) == 2 and (at := locator_from_text(row[1])) is not None]
    others = [row for row in card.rows if len(row) != 2 or locator_from_text(row[1]) is None]
    return [*rows, *_place_rows(places, width, links), *_cell_rows(others[:_MOST_CARD_ROWS], width)]


def _place_rows(places: Sequence[tuple[str, Locator]], width: int, links: list[ChatTarget]) -> list[WikiRow]:
    """Return places that can be gone to, side by side."""
    bits: list[Bit] = []
    for where, locator in places:
        bits += [Bit(" · ", Ink.FAINT)] if bits else []
        bits.append(Bit(joined(one_line(where)), Ink.PLACE, len(links)))
        links.append(ToLocator(locator))
    return set_rows(bits, width, indent=_INDENT_CELLS) if bits else []


def _offer_rows(shown: ShownCard, width: int, links: list[ChatTarget]) -> list[WikiRow]:
    """Return what would be changed, old and new, and the key that does it or undoes it."""
    card, link = shown.card, len(links)
    links.append(ToAct(shown.number))
    hint = Bit(_(_ACT_WORDS.get(shown.act, _ACT_WORDS["offered"])), Ink.PLACE, link)
    rows = []
    if card.kind is CardKind.OFFER:
        rows = set_rows([Bit(one_line(card.title))], width)
        rows += _cell_rows(card.rows[:_MOST_CARD_ROWS], width)
        return [*rows, WikiRow((hint,))]
    for number, row in enumerate(card.rows):
        name, old, new = (*map(one_line, row), "", "", "")[:3]
        title = one_line(card.title) or name
        change = [Bit(f"{title}  "), Bit(old, Ink.FAINT), Bit(" → ", Ink.FAINT), Bit(new, Ink.STRONG)]
        rows.append(two_ends(change, [hint] if number == 0 else [], width))
    return rows or [two_ends([Bit(one_line(card.title))], [hint], width)]


def _cell_rows(cells: Sequence[Sequence[str]], width: int) -> list[WikiRow]:
    lines = [[one_line(_LOCATOR.sub("", cell)) for cell in row] for row in cells]
    lines = [line for line in lines if any(line)]
    count = max(map(len, lines), default=0)
    if count <= 1:
        bits = [Bit(line[0], Ink.FAINT) for line in lines if line and line[0]]
        return [row for bit in bits for row in set_rows([bit], width, indent=_INDENT_CELLS)]
    if count == 2:
        return [row for line in lines for row in _pair_rows(line, width)]
    most = max(6, (width - _INDENT_CELLS) // count - _GAP_CELLS)
    wanted = [max((cell_width(line[at]) for line in lines if at < len(line)), default=0) for at in range(count)]
    return [_cell_row(line, [min(most, each) for each in wanted], width) for line in lines]


def _pair_rows(line: Sequence[str], width: int) -> list[WikiRow]:
    """Return a name and what is said of it: beside it, or below it where the row is narrow."""
    name, words = (*line, "", "")[:2]
    room = width - _INDENT_CELLS
    if cell_width(name) > room // _NAME_SHARE:
        rows = [WikiRow((Bit(" " * _INDENT_CELLS), Bit(fit_cells(name, room), Ink.FAINT)))]
        return rows + set_rows([Bit(words)], width, indent=2 * _INDENT_CELLS)[:_MOST_PAIR_ROWS]
    indent = _INDENT_CELLS + cell_width(name) + _GAP_CELLS
    first = (Bit(" " * _INDENT_CELLS), Bit(name, Ink.FAINT))
    return set_rows([Bit(words)], width, indent=indent, first=first)[:_MOST_PAIR_ROWS]


def _cell_row(line: Sequence[str], widths: Sequence[int], width: int) -> WikiRow:
    bits = [Bit(" " * _INDENT_CELLS)]
    for at, cell in enumerate(line):
        is_last = at == len(line) - 1
        words = cell if is_last else fit_cells(cell, widths[at])
        bits.append(Bit(words if is_last else words + " " * (widths[at] - cell_width(words) + _GAP_CELLS)))
    return WikiRow(tuple(fit_bits(bits, width)))
