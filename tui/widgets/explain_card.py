"""The card that explains a selection: it lies over the page, never over the lines selected, and grows downwards."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip

from engine.domain.chat import TurnView
from engine.domain.conversations import Facet
from engine.translate import N_, _
from tui.render.cells import cell_width, fit_cells
from tui.render.chat_bits import ShownTurn
from tui.render.transcript import Transcript
from tui.render.wiki_bits import Ink
from tui.widgets.chat_sheet import ChatSheet

FACETS: tuple[tuple[Facet, str], ...] = (
    (Facet.TERM, N_("names")),
    (Facet.BACKGROUND, N_("background")),
    (Facet.SUBTEXT, N_("between the lines")),
    (Facet.ELSEWHERE, N_("elsewhere")),
)
"""In the order of the keys 1 to 4."""
_LEAST_ROWS = 5
_GAP = "   "


class ExplainCard(ChatSheet):
    """One explanation. The page keeps the keys; it is told what to do."""

    DEFAULT_CSS = """
    ExplainCard { layer: card; dock: top; width: 100%; height: 5; display: none; }
    """
    can_focus = False

    def __init__(self, *, is_ascii: bool = False, id: str | None = None) -> None:
        super().__init__(is_ascii=is_ascii, id=id)
        self.transcript = Transcript(is_explained=True)
        self.is_writing = False
        self._facets: frozenset[Facet] = frozenset()
        self._most_rows = _LEAST_ROWS
        self._page_cells = 0
        self._text_left = 2
        self._column_cells = 84

    @property
    def is_active(self) -> bool:
        """Whether the keys go here: as long as it is seen."""
        return self.is_open

    @property
    def is_open(self) -> bool:
        """Whether it is seen."""
        return bool(self.display)

    @property
    def view(self) -> TurnView | None:
        """The explanation shown."""
        turns = self.transcript.turns
        return turns[-1].view if turns else None

    def show(self, turn: ShownTurn, facets: frozenset[Facet]) -> None:
        """Show an explanation from its first line."""
        self._facets = facets
        self.line.set("")
        self.is_writing = False
        self.display = True
        self.transcript.show([turn])
        self.transcript.scroll_to(0)
        self.grow()

    def take(self, view: TurnView) -> None:
        """Show the explanation as it is now; what is read stays where it is."""
        top = self.transcript.top
        first = self.transcript.take(view)
        self.transcript.scroll_to(top)
        if not self.grow():
            self.draw(min(first, self.page_rows))

    def place(self, page: tuple[int, int], column: tuple[int, int], selected: tuple[int, int] | None) -> int:
        """Lie where nothing selected is covered, its text under that of the page.

        Args:
            page: Its width and height.
            column: Where the text of the page begins, and how wide it is.
            selected: First and last row of it that hold something selected; None for none.

        Returns:
            How many rows of the bottom of the page it may take; 0 when it lies above what is selected.
        """
        width, height = page
        first, last = selected if selected is not None else (height, height // 3)
        below, above = height - last - 1, first
        is_below = below >= above or below >= height // 2
        self._page_cells = width
        self._text_left, self._column_cells = max(2, column[0]), column[1]
        self._most_rows = max(_LEAST_ROWS, min(below if is_below else above, height * 2 // 3))
        top = min(last + 1, height - self._most_rows) if is_below else 0
        self.styles.offset = (0, max(0, top))
        self.styles.height = 1  # as for another selection; it grows with what it says
        self.grow()
        return height - max(0, top) if is_below else 0

    def grow(self) -> bool:
        """Take the rows that are needed, as far as there are; return whether that has changed."""
        if not self._page_cells:
            return False
        cells = self._cells_at(self._page_cells)
        self.transcript.resize(cells, self._most_rows - self._other_rows(cells), is_ascii=self.is_ascii)
        height = self.styles.height
        now = int(height.value) if height is not None else 0
        wanted = min(self._most_rows, max(now, len(self.transcript) + self._other_rows(cells), _LEAST_ROWS))
        self.styles.height = wanted
        self.transcript.resize(cells, wanted - self._other_rows(cells), is_ascii=self.is_ascii)
        if wanted != now:
            self.refresh()
        return wanted != now

    def close(self) -> None:
        """Go away."""
        self.display = False

    # how it is divided: the explanation, its foot, and a blank row towards the text above and below

    def _cells_at(self, width: int) -> int:
        return max(8, min(self._column_cells, width - self._text_left - 1))

    @property
    def text_cells(self) -> int:
        """Cells of a row of the explanation."""
        return self._cells_at(self.size.width)

    def _other_rows(self, cells: int) -> int:
        return 2 + len(self._foot_words(cells))

    @property
    def head_rows(self) -> int:
        """The blank row towards the text."""
        return 1

    @property
    def page_rows(self) -> int:
        """Rows of the explanation that are seen."""
        return max(1, self.size.height - self._other_rows(self.text_cells))

    @property
    def left_cells(self) -> int:
        """Cells before the text: it begins where the page's does."""
        return self._text_left

    def _head_row(self, y: int) -> tuple[str, str]:
        return "", ""

    def _drawn(self, first: int, behind: int) -> dict[int, Strip]:
        blank = Strip([Segment(" " * self.size.width, self.base)], self.size.width)
        rows = {0: blank, self.size.height - 1: blank}
        shown = self.transcript.seen(self.page_rows)
        rows.update(enumerate((self._turn_row(*each) for each in shown), 1))
        rows.update(enumerate(self._foot(), 1 + self.page_rows))
        return rows

    def _lead(self) -> list[Segment]:
        return [Segment(" " * (self._left - 2), self.base), self._bar(), Segment(" ", self.base)]

    def _foot(self) -> Sequence[Strip]:
        if self.is_writing:
            return [*[self._text_row("", "")] * (self._other_rows(self.text_cells) - 3), self._angle_row()]
        return [self._text_row(row, "") for row in self._foot_words(self.text_cells)]

    def _foot_words(self, cells: int) -> list[str]:
        """Return the facets with their keys, those that are on marked, and what else can be done."""
        on, off = ("+", "-") if self.is_ascii else ("●", "○")
        hints = [
            f"{number} {on if facet in self._facets else off} {_(words)}"
            for number, (facet, words) in enumerate(FACETS, 1)
        ]
        below = self.transcript.rows_below
        hints += [_("e another angle"), _("Esc close"), *([_("j {n} more").format(n=below)] if below > 1 else [])]
        rows = [""]
        for hint in hints:
            following = f"{rows[-1]}{_GAP}{hint}" if rows[-1] else hint
            if cell_width(following) <= cells:
                rows[-1] = following
            elif len(rows) < 2:
                rows.append(fit_cells(hint, cells))
        return rows

    def _angle_row(self) -> Strip:
        label = Segment(f"{_('another angle:')} ", self._ink(Ink.PLACE))
        room = max(4, self.text_cells - cell_width(label.text) - 1)
        text, cell = self.line.window(room)
        return Strip([*self._lead(), label, *self._typed(text, cell)]).adjust_cell_length(self.size.width, self.base)
