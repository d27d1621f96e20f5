"""Turn rows into strips: one a row, of exact width, with as few segments as its formatting allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from engine.domain.book import BlockKind, SpanKind
from tui.render.breaks import begins_row
from tui.render.cells import JOINER, cell_width, cells_of_any, is_plain
from tui.render.contrast import readable
from tui.render.page_strip import PageStrip
from tui.render.rows import Link, Row, RowKind

_NO_KINDS: frozenset[SpanKind] = frozenset()


class Look(StrEnum):
    """What is laid over the text; the later wins where two overlap."""

    NAME = "name"
    """A name the wiki knows."""
    MARK = "mark"
    """The reader's highlight; what follows are its other tones."""
    MARK_ACCENT = "mark_accent"
    MARK_WARN = "mark_warn"
    MARK_FAINT = "mark_faint"
    FOUND = "found"
    """A match of the search in the page."""
    FOCUS = "focus"
    """The link or match in focus."""
    SELECTION = "selection"


MARK_LOOKS = frozenset({Look.MARK, Look.MARK_ACCENT, Look.MARK_WARN, Look.MARK_FAINT})
"""The tones of highlights."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A stretch of the document that looks different for a while."""

    start: int
    """Document offset."""
    end: int
    look: Look
    sign: str = ""
    """Drawn at the left of its rows, for whom colours do not tell; a cell or two."""


@dataclass(frozen=True, slots=True)
class PageStyle:
    """The styles of a page; each is complete, with ink and paper."""

    ink: Style
    faint: Style
    heading: Style
    link: Style
    note: Style
    name: Style
    mark: Style
    found: Style
    focus: Style
    selection: Style
    mark_accent: Style = field(default_factory=Style)
    mark_warn: Style = field(default_factory=Style)
    mark_faint: Style = field(default_factory=Style)
    name_line: str = ""
    """Colour of the lines under names, as `PageStrip.underline`; empty for that of the text."""
    _made: dict[tuple[Style, frozenset[SpanKind], Look | None, str], Style] = field(
        default_factory=dict, compare=False, repr=False
    )

    def of_row(self, row: Row) -> Style:
        """Return the style of a row's plain text."""
        if row.kind is not RowKind.TEXT or row.role is BlockKind.CAPTION:
            return self.faint
        return self.heading if row.role is BlockKind.HEADING else self.ink

    def of_text(self, base: Style, kinds: frozenset[SpanKind], look: Look | None, colour: str = "") -> Style:
        """Return the style of a stretch; made once for each combination."""
        key = (base, kinds, look, colour)
        style = self._made.get(key)
        if style is None:
            style = self._made[key] = self._composed(base, kinds, look, colour)
        return style

    def _composed(self, base: Style, kinds: frozenset[SpanKind], look: Look | None, colour: str) -> Style:
        style = base
        if SpanKind.SMALL in kinds:
            style += Style(color=self.faint.color)
        if colour:
            style += self._in_colour(colour)
        if SpanKind.LINK in kinds:
            style += self.link
        style += Style(
            bold=True if SpanKind.BOLD in kinds else None,
            italic=True if kinds & {SpanKind.ITALIC, SpanKind.EMPHASIS_DOTS} else None,
            underline=True if kinds & {SpanKind.UNDERLINE, SpanKind.EMPHASIS_DOTS} else None,
            strike=True if SpanKind.STRIKE in kinds else None,
        )
        return style + getattr(self, look.value) if look is not None else style

    def _in_colour(self, colour: str) -> Style:
        """Return a colour of the book as it can be read here; none where colours are the terminal's own."""
        paper, ink = self.ink.bgcolor, self.ink.color
        if paper is None or ink is None or paper.triplet is None or ink.triplet is None:
            return Style()
        return Style(color=readable(colour, paper.triplet.hex, ink.triplet.hex))


def blank_strip(width: int, style: PageStyle) -> Strip:
    """Return an empty row of `width` cells."""
    return Strip([Segment(" " * width, style.ink)], width)


def row_strip(
    row: Row,
    width: int,
    gutter: int,
    style: PageStyle,
    *,
    focus: Link | None = None,
    overlays: Sequence[Overlay] = (),
) -> Strip:
    """Draw a row.

    Args:
        row: From a layout of `width - 2 * gutter` cells or less.
        width: Cells of the strip.
        gutter: Blank cells to the left of the text column.
        style: Styles of the page.
        focus: The link of this row that is in focus.
        overlays: What is laid over the text, the last on top.
    """
    if row.kind is RowKind.BLANK:
        return blank_strip(width, style)
    base = style.of_row(row)
    left = " " * (gutter + row.indent)
    used = len(left) + cell_width(row.text)
    right = " " * (width - used)
    is_open = row.text.endswith(JOINER)  # rich lets a joiner swallow the blank behind it
    if not row.runs and not row.links and not overlays and not is_open:
        return PageStrip([Segment(left + row.text + right, base)], max(width, used))
    if focus is None and _has_only_names(row, overlays):
        return _named(PageStrip(_named_segments(row, left, right, base, style, overlays), max(width, used)), style)
    segments = []
    sign = next((overlay.sign for overlay in overlays if overlay.sign), "") if gutter else ""
    if sign:
        segments.append(Segment(sign, style.faint))
        left = left[cell_width(sign) :]
    plain = left
    for start, end, text_style in _stretches(row, base, style, focus, overlays):
        if text_style is base:
            plain += row.text[start:end]
            continue
        if plain:
            segments.append(Segment(plain, base))
        segments.append(Segment(row.text[start:end], text_style))
        plain = ""
    if plain and is_open:
        segments.append(Segment(plain, base))
        plain = ""
    if plain or right:
        segments.append(Segment(plain + right, base))
    strip = PageStrip(segments, max(width, used))
    return _named(strip, style) if any(overlay.look is Look.NAME for overlay in overlays) else strip


def _named(strip: PageStrip, style: PageStyle) -> PageStrip:
    """Return a strip with names in it."""
    if style.name_line:
        strip.underline = style.name_line
    return strip


def _has_only_names(row: Row, overlays: Sequence[Overlay]) -> bool:
    """Say whether nothing but names is to be told apart in a row, and each character by itself: most rows of a page."""
    is_bare = not row.runs and not row.links and is_plain(row.text)
    return is_bare and all(overlay.look is Look.NAME for overlay in overlays)


def _named_segments(
    row: Row, left: str, right: str, base: Style, style: PageStyle, overlays: Sequence[Overlay]
) -> list[Segment]:
    """Return the segments of such a row; names come in order and do not overlap."""
    name = style.of_text(base, _NO_KINDS, Look.NAME)
    segments = []
    at, before = 0, left
    for overlay in overlays:
        start, end = row.span_of(overlay.start, overlay.end)
        if at <= start < end:
            if before or at < start:
                segments.append(Segment(before + row.text[at:start], base))
            segments.append(Segment(row.text[start:end], name))
            at, before = end, ""
    if before or at < len(row.text) or right:
        segments.append(Segment(before + row.text[at:] + right, base))
    return segments


def _stretches(
    row: Row, base: Style, style: PageStyle, focus: Link | None, overlays: Sequence[Overlay]
) -> list[tuple[int, int, Style]]:
    """Return (start, end, style) that cover the row's text, neighbours of one style joined."""
    looks = [(*row.span_of(overlay.start, overlay.end), overlay.look) for overlay in overlays]
    if focus is not None:
        looks.append((focus.start, focus.end, Look.FOCUS))
    notes = [(link.start, link.end) for link in row.links if link.note]
    edges = {0, len(row.text)}
    edges.update(edge for run in row.runs for edge in (run.start, run.end))
    edges.update(edge for look in looks for edge in look[:2])
    edges.update(edge for note in notes for edge in note)
    cuts = sorted(edges)
    if not is_plain(row.text):
        widths = cells_of_any(row.text)
        inner = [cut for cut in cuts if 0 < cut < len(widths) and begins_row(row.text, widths, cut)]
        cuts = [0, *inner, len(widths)]
    stretches: list[tuple[int, int, Style]] = []
    for start, end in pairwise(cuts):
        kinds, colour = next(
            ((run.kinds, run.colour) for run in row.runs if run.start <= start < run.end), (_NO_KINDS, "")
        )
        if row.role is BlockKind.ITEM and SpanKind.LINK in kinds:
            kinds = kinds - {SpanKind.LINK} | {SpanKind.UNDERLINE}  # a contents page is nothing but links
        look = next((look for first, last, look in reversed(looks) if first <= start < last), None)
        if look in MARK_LOOKS and any(first <= start < last for first, last, over in looks if over is Look.NAME):
            kinds = kinds | {SpanKind.UNDERLINE}  # a name in a highlight is a name still
        ground = style.note if any(first <= start < last for first, last in notes) else base
        made = style.of_text(ground, kinds, look, colour) if kinds or colour or look is not None else ground
        if stretches and stretches[-1][2] is made:
            start = stretches.pop()[0]  # noqa: PLW2901  (the stretch grows to the left)
        stretches.append((start, end, made))
    return stretches
