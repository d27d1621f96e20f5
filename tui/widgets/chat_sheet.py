"""A conversation as it is drawn: the turns, and below them the question that is being written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset, Region
from textual.strip import Strip

from engine.translate import _
from tui.render.cells import cell_width, fit_cells
from tui.render.chat_hints import chip_rows, empty_rows, hint_row, said_rows
from tui.render.text_edit import TextEdit
from tui.render.transcript import Transcript
from tui.render.typed import typed_segments
from tui.render.wiki_bits import Ink, WikiRow, one_line
from tui.widgets.key_taker import KeyTaker
from tui.widgets.row_list import FOCUS_BAR

_LEFT_CELLS, _RIGHT_CELLS = 2, 1
_WIDEST_CELLS = 84
_SIGN, _PLAIN_SIGN = "┃ ", "| "
_MOST_LINE_ROWS, _MOST_CHIP_ROWS = 6, 2
_SHORT_ROWS = 12
_MOST_STRIPS = 500
_INKS: Mapping[Ink, str] = {ink: f"chat--{ink.value}" for ink in Ink if ink is not Ink.TEXT}


class ChatSheet(KeyTaker):
    """Draws; what the keys do is `ChatView`'s."""

    DEFAULT_CSS = """
    ChatSheet { height: 1fr; width: 1fr; color: $foreground; background: $background; }
    ChatSheet > .chat--title, ChatSheet > .chat--heading, ChatSheet > .chat--strong
        { color: $foreground; background: $background; text-style: bold; }
    ChatSheet > .chat--emphasis { color: $foreground; background: $background; text-style: italic; }
    ChatSheet > .chat--faint, ChatSheet > .chat--number, ChatSheet > .chat--code
        { color: $faint; background: $background; }
    ChatSheet > .chat--link, ChatSheet > .chat--name
        { color: $foreground; background: $background; text-style: underline; }
    ChatSheet > .chat--entry { color: $foreground; background: $background; }
    ChatSheet > .chat--cite, ChatSheet > .chat--place { color: $accent; background: $background; }
    ChatSheet > .chat--veil { color: $veil; background: $background; }
    ChatSheet > .chat--warn, ChatSheet > .chat--asked { color: $warn; background: $background; }
    ChatSheet > .chat--focus { color: $foreground; background: $mark; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {*_INKS.values(), "chat--focus"}

    def __init__(self, *, is_ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.is_ascii = is_ascii
        self.transcript = Transcript()
        self.line = TextEdit()
        """The question."""
        self.is_writing = True
        """The keys write it; else they read the conversation."""
        self.chips: tuple[str, ...] = ()
        """What stands beside the question."""
        self.title = ""
        self.model = ""
        """Who answers; empty when the book is quoted."""
        self.note = ""
        """Said in place of the hints."""
        self.has_bar = True
        self.hint_keys: dict[str, str] = {}
        self.models_key = "gm"
        self._styles: dict[Ink, Style] = {}
        self._rows: dict[int, Strip] = {}
        self._strips: dict[int, tuple[tuple[WikiRow, int, int, bool], Strip]] = {}
        """Of rows drawn before, by the identity of the row: each row of a window costs 70 µs."""
        self._width = self._left = 0
        """Cells of the widget, and blank ones before the text, as it is drawn: each asking walks up the tree."""

    @property
    def is_active(self) -> bool:
        """Whether the keys go here."""
        return self.has_focus

    # how the window is divided

    @property
    def text_cells(self) -> int:
        """Cells of a row of the conversation."""
        return max(8, min(_WIDEST_CELLS, self.size.width - _LEFT_CELLS - _RIGHT_CELLS))

    @property
    def left_cells(self) -> int:
        """Blank cells before it; it stands in the middle of a wide window."""
        return max(_LEFT_CELLS, (self.size.width - self.text_cells) // 2)

    def _chip_rows(self) -> list[str]:
        return chip_rows(self.chips, self.text_cells, most=_MOST_CHIP_ROWS) if self.chips else []

    def _line_rows(self) -> int:
        if not self.is_writing:
            return 1
        most = max(1, min(_MOST_LINE_ROWS, self.size.height // 3))
        return min(most, len(self.line.rows(self._line_cells)))

    @property
    def _line_cells(self) -> int:
        return max(2, self.text_cells - 3)

    @property
    def _gap_rows(self) -> int:
        return 0 if self.size.height < _SHORT_ROWS else 1

    @property
    def head_rows(self) -> int:
        """Rows above the conversation."""
        return 2 * self._gap_rows if self.title else 0

    @property
    def _foot_rows(self) -> int:
        return self._named_rows + len(self._chip_rows()) + self._line_rows()

    def _said_above(self) -> list[str]:
        """Return the rows of what is said where the line has words, or no room for it."""
        words = one_line(self.note)
        is_in_line = not (self.is_writing and self.line.text) and cell_width(words) <= self._line_cells
        return [] if not words or is_in_line else said_rows(words, self.text_cells)

    @property
    def _said_in_line(self) -> str:
        return "" if self._said_above() else self.note

    @property
    def _named_rows(self) -> int:
        """Rows between the conversation and the line; what is said has its own in a short window too."""
        return max(self._gap_rows, len(self._said_above()))

    @property
    def page_rows(self) -> int:
        """Rows of the conversation that are seen."""
        return max(1, self.size.height - self.head_rows - self._foot_rows)

    def fit(self) -> None:
        """Set the conversation for the size of the widget."""
        if self.size.width:
            cells = self.text_cells
            self.transcript.resize(cells, self.page_rows, is_ascii=self.is_ascii, models_key=self.models_key)

    # drawing

    def draw(self, first: int = 0) -> None:
        """Draw anew what may have changed: the conversation from a row of its window on, and what is below it."""
        self.fit()
        if not self.size.height:
            return
        top = min(self.size.height - 1, self.head_rows + first)
        self.refresh(Region(0, top, self.size.width, self.size.height - top) if first else Region(0, 0, *self.size))
        self.place_cursor()

    def notify_style_update(self) -> None:
        """Take the theme's colours anew."""
        super().notify_style_update()
        self._styles = {}
        self._strips = {}

    def _ink(self, ink: Ink) -> Style:
        if not self._styles:
            self._styles = {each: self.get_component_rich_style(name) for each, name in _INKS.items()}
            self._styles[Ink.TEXT] = self.base
        return self._styles[ink]

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips of some rows."""
        self.fit()  # a widget mounted and shown in one go gets no Resize
        if (self._width, self._left) != (self.size.width, self.left_cells) or len(self._strips) > _MOST_STRIPS:
            self._width, self._left, self._strips = self.size.width, self.left_cells, {}
        self._rows = self._drawn(crop.y, crop.bottom)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw a row."""
        return self._rows.get(y) or Strip([Segment(" " * self.size.width, self.base)], self.size.width)

    def _drawn(self, first: int, behind: int) -> dict[int, Strip]:
        """Return the rows from one up to another; those of the conversation only as far as they are asked for."""
        head, page = self.head_rows, self.page_rows
        rows = {y: self._text_row(*self._head_row(y)) for y in range(head)}
        start, end = max(0, first - head), min(page, behind - head)
        rows.update(enumerate(self._turns(start, end), head + start))
        said = self._said_above()
        foot = [self._text_row(row, "") for row in said]
        if not said:
            foot = [self._text_row(one_line(self.model), self._more_words())] * self._gap_rows
        foot += [self._text_row(chip, "") for chip in self._chip_rows()]
        rows.update(enumerate([*foot, *self._question_rows()], head + page))
        return rows

    def _head_row(self, y: int) -> tuple[str, str]:
        return (one_line(self.title), "") if y == 0 else ("", "")

    def _turns(self, first: int, behind: int) -> list[Strip]:
        if behind <= first:
            return []
        if not self.transcript.turns:
            words = empty_rows(self.text_cells, has_model=bool(self.model), models_key=self.models_key)
            return [self._text_row(row, "") for row in [*words, *[""] * self.page_rows][first:behind]]
        return [self._turn_row(*each) for each in self.transcript.seen(behind - first, first)]

    def _turn_row(self, row: WikiRow, indent: int, focus: int) -> Strip:
        key = row, indent, focus, self.is_active
        kept = self._strips.get(id(row))
        if kept is None or kept[0][0] is not row or kept[0] != key:
            kept = self._strips[id(row)] = key, self._made_row(row, indent, focus)
        return kept[1]

    def _made_row(self, row: WikiRow, indent: int, focus: int) -> Strip:
        segments = [*self._lead(), Segment(" " * indent, self.base)]
        focused = self.get_component_rich_style("chat--focus") if focus >= 0 and self.is_active else None
        for bit in row.bits:
            style = focused if focused is not None and bit.link == focus else self._ink(bit.ink)
            segments.append(Segment(bit.text, style))
        return Strip(segments).adjust_cell_length(self._width, self.base)

    def _more_words(self) -> str:
        below = self.transcript.rows_below if self.transcript.turns else 0
        sign = "v" if self.is_ascii else "↓"
        return _("{sign} {n} more").format(sign=sign, n=below) if below > 1 else ""

    def _text_row(self, left: str, right: str) -> Strip:
        width = self.text_cells
        right = fit_cells(right, width // 2)
        left = fit_cells(left, max(0, width - cell_width(right) - (1 if right else 0)))
        gap = " " * max(0, width - cell_width(left) - cell_width(right))
        row = [*self._lead(), Segment(f"{left}{gap}{right}", self._ink(Ink.FAINT))]
        return Strip(row).adjust_cell_length(self._width, self.base)

    def _lead(self) -> list[Segment]:
        """Return what stands before the text of a row."""
        return [self._bar(), Segment(" " * (self._left - 1), self.base)]

    def _bar(self) -> Segment:
        sign = "|" if self.is_ascii else FOCUS_BAR
        return Segment(sign if self.has_bar and self.is_active else " ", self._ink(Ink.PLACE))

    # the question

    def _question_rows(self) -> Sequence[Strip]:
        sign = Segment(_PLAIN_SIGN if self.is_ascii else _SIGN, self._ink(Ink.PLACE))
        lead = [*self._lead(), sign]
        if not self.is_writing:
            words = self._said_in_line or hint_row(self.hint_keys, self._line_cells, self._first_hint())
            segments = [*lead[:2], Segment(fit_cells(words, self.text_cells), self._ink(Ink.FAINT))]
            return [Strip(segments).adjust_cell_length(self.size.width, self.base)]
        rows, (at, cell) = self.line.rows(self._line_cells), self.line.cursor_cell(self._line_cells)
        shown = self._line_rows()
        first = max(0, min(at - shown + 1, len(rows) - shown)) if at >= shown else 0
        drawn = []
        for number in range(first, first + shown):
            text = rows[number].text
            cursor = cell if number == at and self.is_active else -1
            segments = [*lead, *self._typed(text, cursor)]
            drawn.append(Strip(segments).adjust_cell_length(self.size.width, self.base))
        return drawn

    def _first_hint(self) -> str:
        last = self.transcript.turns[-1].view if self.transcript.turns else None
        if last is None or last.has_ended:
            return ""
        return _("1 2 3 answer  Esc stop") if last.is_waiting else _("Esc stop")

    def _typed(self, text: str, cursor: int) -> list[Segment]:
        if cursor < 0:
            placeholder = "" if text or self.line.text else self._said_in_line or _("a question")
            return [Segment(text, self.base), Segment(placeholder, self._ink(Ink.FAINT))]
        if not self.line.text:
            words = self._said_in_line or _("a question")
            reverse = Style(reverse=True)
            return [Segment(words[:1], self._ink(Ink.FAINT) + reverse), Segment(words[1:], self._ink(Ink.FAINT))]
        return typed_segments(text, cursor, self.base, self.base + Style(reverse=True))

    def place_cursor(self) -> None:
        """Tell the terminal where words are being written, for what composes characters there."""
        if not (self.is_writing and self.is_active and self.size.width):
            return
        at, cell = self.line.cursor_cell(self._line_cells)
        shown = self._line_rows()
        y = self.size.height - shown + min(at, shown - 1)
        self.app.cursor_position = self.region.offset + Offset(self.left_cells + cell_width(_SIGN) + cell, y)
