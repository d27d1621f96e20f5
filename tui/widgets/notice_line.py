"""A row above the progress bar for a word from the program, more where it needs them; else absent."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip

from tui.render.cells import cell_width, fit_cells
from tui.widgets.row_widget import RowWidget

_MOST_ROWS = 4


class NoticeLine(RowWidget):
    """Lies over the row between text and bar, so that nothing moves when it comes and goes."""

    DEFAULT_CSS = """
    NoticeLine { layer: notice; dock: bottom; height: 1; width: 100%; margin-bottom: 2; display: none;
        color: $accent; background: $background; }
    NoticeLine > .notice--faint { color: $faint; background: $background; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"notice--faint"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._words = ""
        self._is_faint = False
        self._question = self._short = self._answers = ""

    @property
    def words(self) -> str:
        """What is being said."""
        return self._words or self._question

    @property
    def question(self) -> str:
        """What waits to be answered; empty for nothing."""
        return self._question

    @property
    def question_rows(self) -> int:
        """Rows the question takes; 0 for none."""
        return len(self._rows_of_question(self.app.size.width)) if self._question else 0

    def say(self, words: str, *, is_faint: bool = False) -> None:
        """Show `words`, faint for what cannot be done; the empty string takes the line away."""
        self._is_faint = is_faint
        if words != self._words:
            self._words = _cleaned(words)
            self._redraw()

    def ask(self, question: str, short: str = "", answers: str = "") -> None:
        """Let a question stand until it is taken away by an empty one; what is said meanwhile lies over it.

        Args:
            question: What is asked.
            short: The same for a line too narrow.
            answers: The keys that answer it, never cut.
        """
        if (question, short, answers) != (self._question, self._short, self._answers):
            self._question, self._short, self._answers = question, short, answers
            self._redraw()

    def on_resize(self) -> None:
        """Lay the words out for the new width."""
        self._redraw()

    def _redraw(self) -> None:
        self.display = bool(self.words)
        rows = self._rows(self.app.size.width)
        if self.styles.height is None or self.styles.height.value != len(rows):
            self.styles.height = len(rows)
        self.refresh()

    def _rows(self, width: int) -> list[str]:
        """Return what is said as rows; the keys that answer a question stand below it where it has no room else."""
        if self._words:
            return self._rows_of_words(width)
        return self._rows_of_question(width)

    def _rows_of_words(self, width: int) -> list[str]:
        """Break what is too long for a row: its end says what to do. What no rows are left for is cut."""
        if cell_width(self._words) + 2 <= width:
            return ["  " + self._words]
        from tui.render.wrap import wrap  # UAX #14, and most words fit

        most = max(1, min(_MOST_ROWS, self.app.size.height // 3))
        starts = wrap(self._words, max(1, width - 4))
        rows = [self._words[start:end].rstrip() for start, end in pairwise([*starts, len(self._words)])]
        if len(rows) > most:
            rows[most - 1 :] = [self._words[starts[most - 1] :]]
        return [fit_cells("  " + row, width) for row in rows]

    def _rows_of_question(self, width: int) -> list[str]:
        if not self._answers:
            return [fit_cells("  " + self._question, width)]
        for question in (self._question, self._short):
            row = f"  {question}   {self._answers}"
            if cell_width(row) <= width:
                return [row]
        return [fit_cells(f"  {words}", width) for words in (self._short, self._answers)]

    def render_line(self, y: int) -> Strip:
        """Draw a row of the words."""
        width = self.size.width
        rows = self._rows(width)
        row = rows[y] if y < len(rows) else ""
        style = self.get_component_rich_style("notice--faint") if self._words and self._is_faint else self.base
        return Strip([Segment(row + " " * (width - cell_width(row)), style)], width)


def _cleaned(words: str) -> str:
    """Return words fit to be shown: an address, a title or an error may hold anything."""
    if words.isprintable():
        return words
    from engine.text.sanitize import sanitize_line  # its patterns take 3 ms, and most words need none

    return sanitize_line(words)
