"""A page of the wiki as rows, at any width: for the sidebar, the look-up card and the full screen.

Rows are made of cells alone; nothing of what a page says is ever read as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.domain.wiki import (
    Cite,
    Facts,
    Heading,
    Listing,
    Page,
    PageKind,
    PageLink,
    Paragraph,
    Part,
    Plain,
    Quotation,
    Revealed,
    Run,
    Source,
    Sources,
    Track,
    Veil,
)
from engine.translate import _
from tui.render.cells import cell_width, fit_cells
from tui.render.dress import raised
from tui.render.wiki_bits import (
    BLANK_ROW,
    NO_BREAK,
    Bit,
    Ink,
    Target,
    ToFold,
    ToPassage,
    ToReveal,
    ToSection,
    WikiRow,
    fit_bits,
    joined,
    one_line,
    set_rows,
    two_ends,
)
from tui.render.wiki_lists import kept_rows, name_column, set_listing
from tui.render.wiki_setting import Section, Setting, WikiOptions
from tui.render.wiki_track import node_rows, track_rows

SIDE_FROM_CELLS = 104
"""From here on there is room for a column beside the text: 110 columns of screen with their margins."""
_SIDE_CELLS, _GAP_CELLS = 32, 4
_WIDEST_TEXT = 76
_MOST_ALSO_ROWS = 2
_MOST_VEIL_CELLS = 32
_MOST_UNBROKEN_CELLS = 24
_LONG_ROWS = 34
"""A page of more rows gets an outline where there is a column for it."""
_VEIL = "░"
_BETWEEN_CITES = "\u02bc"
"""Keeps two raised numbers from being read as one."""


@dataclass(frozen=True, slots=True)
class WikiLink:
    """What can be opened on a page."""

    target: Target
    row: int
    """Of its first cell, in the column it stands in."""
    is_aside: bool = False


@dataclass(frozen=True, slots=True)
class WikiLayout:
    """A page set in rows."""

    rows: tuple[WikiRow, ...]
    side: tuple[WikiRow, ...]
    """The column beside them; none where there is no room or nothing to put there."""
    text_cells: int
    side_cells: int
    is_side_first: bool
    """The side column stands at the left."""
    links: tuple[WikiLink, ...]
    """In the order they are read, those of the side column last."""
    sections: tuple[Section, ...]
    is_list: bool
    """It is read entry by entry rather than line by line."""

    @property
    def gap_cells(self) -> int:
        """Blank cells between the columns."""
        return _GAP_CELLS if self.side_cells else 0


def lay_out(page: Page, options: WikiOptions) -> WikiLayout:
    """Set a page.

    Args:
        page: Already masked.
        options: Width and what is unfolded or filtered.
    """
    width = max(8, options.width)
    aside = [part for part in page.parts if _is_aside(part)]
    is_wide = width >= SIDE_FROM_CELLS and bool(aside)
    text_cells = min(_WIDEST_TEXT, width - _SIDE_CELLS - _GAP_CELLS) if is_wide else min(_WIDEST_TEXT, width)
    main = Setting(text_cells, options)
    main.name_cells = name_column(page.parts, text_cells)
    _set_head(main, page)
    _set_parts(main, [part for part in page.parts if not (is_wide and _is_aside(part))])
    side = Setting(_SIDE_CELLS, options, main.links)
    first_side_link = len(main.links.targets)
    if is_wide:
        _set_parts(side, aside)
        if len(main.rows) > _LONG_ROWS:
            _set_outline(side, main.sections)
    links = _placed(main.links.targets, main.rows, side.rows, first_side_link)
    return WikiLayout(
        _without_end(main.rows),
        _without_end(side.rows),
        text_cells,
        _SIDE_CELLS if is_wide else 0,
        page.key.kind is PageKind.HOME,
        links,
        tuple(main.sections),
        page.key.kind is not PageKind.ENTRY and not (page.key.kind is PageKind.INSPECTOR and page.key.point),
    )


def _without_end(rows: Sequence[WikiRow]) -> tuple[WikiRow, ...]:
    """Return rows without the blank ones behind the last."""
    last = next((number for number in range(len(rows) - 1, -1, -1) if rows[number] is not BLANK_ROW), -1)
    return tuple(rows[: last + 1])


def _is_aside(part: Part) -> bool:
    return (isinstance(part, Facts) and part.is_infobox) or (isinstance(part, Listing) and part.is_aside)


def _placed(
    targets: Sequence[Target], rows: Sequence[WikiRow], side: Sequence[WikiRow], first_side: int
) -> tuple[WikiLink, ...]:
    """Find the row each link begins in; a link filtered away or cut off has none and is left in its place."""
    where: dict[int, tuple[int, bool]] = {}
    for column, is_aside in ((rows, False), (side, True)):
        for number, row in enumerate(column):
            for bit in row.bits:
                if bit.link >= 0:
                    where.setdefault(bit.link, (number, is_aside))
    return tuple(WikiLink(target, *where.get(index, (0, index >= first_side))) for index, target in enumerate(targets))


# the head


def _set_head(setting: Setting, page: Page) -> None:
    title, kind = one_line(page.title), Bit(one_line(page.kind_words), Ink.FAINT)
    rows = set_rows([Bit(title, Ink.TITLE)], setting.width)
    if cell_width(title) + 2 + cell_width(kind.text) <= setting.width:
        rows = [two_ends(rows[0].bits, [kind], setting.width)]
    else:
        rows.append(WikiRow((Bit(fit_cells(kind.text, setting.width), Ink.FAINT),)))
    setting.rows += rows
    if page.also:
        also = Bit(_("also {names}").format(names=" · ".join(map(one_line, page.also))), Ink.FAINT)
        setting.rows += _first_rows(set_rows([also], setting.width), _MOST_ALSO_ROWS, setting.width)
    setting.gap()


def _first_rows(rows: Sequence[WikiRow], most: int, width: int) -> list[WikiRow]:
    if len(rows) <= most:
        return list(rows)
    last = rows[most - 1]
    return [*rows[: most - 1], WikiRow(tuple(fit_bits([*last.bits, Bit(" " * width, Ink.FAINT)], width)))]


# the parts


def _set_parts(setting: Setting, parts: Iterable[Part]) -> None:
    waiting: Heading | None = None
    for part in parts:
        if isinstance(part, Heading):
            _set_waiting(setting, waiting)
            waiting = part
            continue
        if isinstance(part, Listing) and not (kept_rows(part, setting) or part.has_more_to_come):
            waiting = None  # filtered away, and its heading with it
            continue
        _set_waiting(setting, waiting)
        waiting = None
        _set_part(setting, part)
    _set_waiting(setting, waiting)


def _set_waiting(setting: Setting, heading: Heading | None) -> None:
    if heading is None:
        return
    setting.gap()
    bits = _bits([heading.run], setting, Ink.HEADING)
    if heading.level == 1:
        title = "".join(bit.text for bit in bits if bit.ink is not Ink.FAINT)  # without where it unlocks
        setting.sections.append(Section(one_line(title), len(setting.rows)))
    setting.rows += set_rows(bits, setting.width)


def _set_part(setting: Setting, part: Part) -> None:
    if isinstance(part, Paragraph):
        setting.rows += set_rows(_bits(part.runs, setting), setting.width)
        setting.gap()
    elif isinstance(part, Quotation):
        _set_quotation(setting, part)
    elif isinstance(part, Facts):
        _gap_unless_headed(setting)
        _set_facts(setting, part)
        setting.gap()
    elif isinstance(part, Listing):
        set_listing(setting, part)
        setting.gap()
    elif isinstance(part, Track):
        _set_track(setting, part)
    elif isinstance(part, Sources):
        _set_sources(setting, part)


def _gap_unless_headed(setting: Setting) -> None:
    """Leave a row blank, but not between a heading and what stands below it."""
    last = setting.rows[-1].bits if setting.rows else ()
    if not any(bit.ink is Ink.HEADING for bit in last):
        setting.gap()


def _bits(runs: Iterable[Run], setting: Setting, ink: Ink = Ink.TEXT) -> list[Bit]:
    bits: list[Bit] = []
    told = list(runs)
    for number, run in enumerate(told):
        if isinstance(run, Plain):
            bits.append(Bit(run.text, ink))
        elif isinstance(run, PageLink):
            link = setting.links.add(run.target)
            bits += [Bit(NO_BREAK, Ink.NUMBER, link), Bit(_unbroken(run.text), Ink.LINK, link)]
        elif isinstance(run, Cite):
            link = setting.links.add(ToPassage(run.locator, run.pos))
            bits += [Bit(_BETWEEN_CITES, Ink.CITE)] if number and isinstance(told[number - 1], Cite) else []
            bits.append(Bit(raised(str(run.number)), Ink.CITE, link))
        elif isinstance(run, Veil):
            bits += _veil(run, setting, says_where=not _goes_on_veiled(run, told[number + 1 :]))
        elif isinstance(run, Revealed):
            bits += [Bit(run.text, Ink.ASKED), Bit(NO_BREAK + _("(ahead of you)").replace(" ", NO_BREAK), Ink.FAINT)]
    return bits


def _unbroken(name: str) -> str:
    """Keep the words of a name that is not long on one row."""
    line = one_line(name)
    return joined(line) if cell_width(line) <= _MOST_UNBROKEN_CELLS else line


def _whole_word(bit: Bit) -> Bit:
    """Keep a short value of a table, such as a name, on one row."""
    is_value = bit.ink is Ink.TEXT and bit.text == bit.text.strip() and " " not in bit.text
    return Bit(_unbroken(bit.text), bit.ink, bit.link) if is_value else bit


def _goes_on_veiled(veil: Veil, behind: Sequence[Run]) -> bool:
    """Say whether the next words are veiled too, up to the same place: then that place is told once, behind them."""
    following = next((run for run in behind if not (isinstance(run, Plain) and not run.text.strip())), None)
    return isinstance(following, Veil) and following.unlocks_chapter == veil.unlocks_chapter


def _veil(veil: Veil, setting: Setting, *, says_where: bool) -> list[Bit]:
    link = setting.links.add(ToReveal(veil.statement))
    cells = max(1, min(veil.length_chars, _MOST_VEIL_CELLS, setting.width)) // cell_width(_VEIL)
    bits = [Bit(_VEIL * max(1, cells), Ink.VEIL, link)]
    if veil.unlocks_chapter and says_where:
        where = f"({_('unlocks in {chapter}').format(chapter=one_line(veil.unlocks_chapter))})"
        bits.append(Bit(" " + (joined(where) if cell_width(where) < setting.width else where), Ink.FAINT))
    return bits


def _set_quotation(setting: Setting, part: Quotation) -> None:
    bits: list[Bit] = []
    at = 0
    for start, end in part.names:
        bits += [Bit(part.text[at:start]), Bit(part.text[start:end], Ink.NAME)]
        at = end
    link = setting.links.add(ToPassage(part.locator, part.pos))
    place = joined(one_line(part.where))
    bits += [Bit(f"{part.text[at:]}  "), Bit(place, Ink.PLACE, link)]
    _gap_unless_headed(setting)
    setting.rows += set_rows(bits, setting.width, indent=2)
    setting.gap()


def _set_facts(setting: Setting, part: Facts) -> None:
    labels = [one_line(label) for label, _runs in part.rows]
    column = min(max(map(cell_width, labels), default=0), max(6, setting.width // 3))
    for label, (_label, runs) in zip(labels, part.rows, strict=True):
        bits = [_whole_word(bit) for bit in _bits(runs, setting)]
        if not label:
            setting.rows += set_rows(bits, setting.width)
            continue
        first = Bit(fit_cells(label, column), Ink.FAINT)
        setting.rows += set_rows(bits, setting.width, indent=column + 2, first=(first,))


# what stands below


def _set_track(setting: Setting, part: Track) -> None:
    if not part.nodes:
        return
    setting.gap()
    link = setting.links.add(ToFold())
    sign = (
        ("-" if setting.options.is_unfolded else "+")
        if setting.options.is_ascii
        else ("▾" if setting.options.is_unfolded else "▸")
    )
    label = Bit(f"{_('Track')} {sign}", Ink.ENTRY, link)
    setting.rows += track_rows(part, label, setting.width, setting.signs)
    if setting.options.is_unfolded:
        setting.rows += node_rows(part, setting.width, setting.links, setting.signs)
    setting.gap()


def _set_sources(setting: Setting, part: Sources) -> None:
    if not part.rows:
        return
    setting.gap()
    setting.rows += [_source_row(setting, source) for source in part.rows]


def _source_row(setting: Setting, source: Source) -> WikiRow:
    link = setting.links.add(ToPassage(source.locator, source.pos))
    number = raised(str(source.number))
    quote = f" {one_line(source.quote)}" if source.quote else ""
    bits = [Bit(f"{number} {one_line(source.where)}", Ink.PLACE, link), Bit(quote, Ink.FAINT)]
    return WikiRow(tuple(fit_bits(bits, setting.width)))


def _set_outline(side: Setting, sections: Sequence[Section]) -> None:
    """List the sections of a long page beside it."""
    if len(sections) < 2:
        return
    side.gap()
    side.rows.append(WikiRow((Bit(_("On this page"), Ink.HEADING),)))
    for number, section in enumerate(sections):
        link = side.links.add(ToSection(number))
        side.rows.append(WikiRow((Bit("  "), Bit(fit_cells(section.title, side.width - 2), Ink.ENTRY, link))))
