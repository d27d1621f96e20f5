"""Lists of a wiki page: names that lead elsewhere, with a note and a count."""

from __future__ import annotations

from collections.abc import Iterable

from engine.domain.wiki import LinkRow, Listing, Part
from engine.text.fold import fold_words
from engine.translate import _, grouped
from tui.render.cells import cell_width, fit_cells
from tui.render.wiki_bits import Bit, Ink, WikiRow, fit_bits, one_line, two_ends
from tui.render.wiki_setting import Setting

_ROOMY_CELLS = 60
"""From here on a list has its notes in a column."""


def kept_rows(part: Listing, setting: Setting) -> list[LinkRow]:
    """Return the rows of a list that the filter lets through."""
    wanted = fold_words(setting.options.filter)
    if not wanted:
        return list(part.rows)
    return [row for row in part.rows if wanted in fold_words(row.link.text) or wanted in fold_words(row.note)]


def name_column(parts: Iterable[Part], width: int) -> int:
    """Return the cells the names of a page's lists need, so that the notes beside them line up; 0 without room."""
    if width < _ROOMY_CELLS:
        return 0
    names = (row.link.text for part in parts if isinstance(part, Listing) and not part.is_aside for row in part.rows)
    return min(max((cell_width(one_line(name)) for name in names), default=0), width // 3)


def set_listing(setting: Setting, part: Listing) -> None:
    """Set a list of pages, notes and counts in columns where there is room."""
    if part.title:
        setting.gap()
        setting.rows.append(WikiRow((Bit(fit_cells(one_line(part.title), setting.width), Ink.HEADING),)))
    column = setting.name_cells if any(row.note for row in part.rows) else 0
    for row in kept_rows(part, setting):
        _set_link_row(setting, row, column)
    if part.has_more_to_come:
        setting.rows.append(WikiRow((Bit("  "), Bit(_("more to come"), Ink.FAINT))))


def _set_link_row(setting: Setting, row: LinkRow, column: int) -> None:
    link = setting.links.add(row.link.target)
    name, note = Bit(one_line(row.link.text), Ink.ENTRY, link), one_line(row.note)
    lead = [Bit(" ", Ink.NUMBER, link), Bit(" ")]
    count = [] if row.count is None else [Bit(grouped(row.count), Ink.FAINT)]
    width = setting.width
    if column:
        kept = fit_bits([name], column)
        pad = column - sum(cell_width(bit.text) for bit in kept)
        setting.rows.append(two_ends([*lead, *kept, Bit(" " * (pad + 2)), Bit(note, Ink.FAINT)], count, width))
        return
    taken = 2 + cell_width(name.text) + 2 + sum(2 + cell_width(bit.text) for bit in count)
    if note and taken + cell_width(note) <= width:
        setting.rows.append(two_ends([*lead, name, Bit("  "), Bit(note, Ink.FAINT)], count, width))
        return
    setting.rows.append(two_ends([*lead, name], count, width))
    if note:
        setting.rows.append(WikiRow((Bit("    "), Bit(fit_cells(note, max(1, width - 4)), Ink.FAINT))))
