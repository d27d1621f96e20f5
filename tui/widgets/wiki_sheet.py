"""A page of the wiki as it is drawn: the sheet under the keys of `WikiView`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip

from tui.render.cells import cell_width, fit_cells
from tui.render.wiki_bits import Ink
from tui.render.wiki_strip import WikiStyle, row_segments
from tui.widgets.key_taker import KeyTaker
from tui.widgets.row_list import FOCUS_BAR
from tui.widgets.wiki_place import WikiPlace

_LEFT_CELLS, _RIGHT_CELLS = 2, 1
_WIDEST_CELLS = 112
_INKS: Mapping[Ink, str] = {ink: f"wiki--{ink.value}" for ink in Ink if ink is not Ink.TEXT}


class WikiSheet(KeyTaker):
    """One page at a time, drawn row by row."""

    DEFAULT_CSS = """
    WikiSheet { height: 1fr; width: 1fr; color: $foreground; background: $background; }
    WikiSheet > .wiki--title { color: $foreground; background: $background; text-style: bold; }
    WikiSheet > .wiki--heading { color: $foreground; background: $background; text-style: bold; }
    WikiSheet > .wiki--faint { color: $faint; background: $background; }
    WikiSheet > .wiki--number { color: $faint; background: $background; }
    WikiSheet > .wiki--link { color: $foreground; background: $background; text-style: underline; }
    WikiSheet > .wiki--entry { color: $foreground; background: $background; }
    WikiSheet > .wiki--cite { color: $accent; background: $background; }
    WikiSheet > .wiki--place { color: $accent; background: $background; }
    WikiSheet > .wiki--name { color: $foreground; background: $background; text-style: underline; }
    WikiSheet > .wiki--veil { color: $veil; background: $background; }
    WikiSheet > .wiki--asked { color: $warn; background: $background; text-style: italic; }
    WikiSheet > .wiki--focus { color: $foreground; background: $mark; }
    WikiSheet > .wiki--accent { color: $accent; background: $background; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {*_INKS.values(), "wiki--focus", "wiki--accent"}

    def __init__(self, *, is_ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.has_bar = True
        """A bar at the left edge shows that the keys go here."""
        self.place = WikiPlace(is_ascii=is_ascii)
        """What is shown, and from where on."""
        self._style: WikiStyle | None = None
        self._numbers: dict[int, int] = {}

    def fit(self) -> None:
        """Set the page for the size of the widget."""
        cells = min(_WIDEST_CELLS, self.size.width - _LEFT_CELLS - _RIGHT_CELLS)
        self.place.resize(max(1, cells) if self.size.width else 0, self.size.height)

    def line_over(self, y: int) -> tuple[str, bool] | None:
        """Return what stands over a row of the page, and whether it is being typed; None for the page itself."""
        return None

    @property
    def left_cells(self) -> int:
        """Blank cells before the page, which stands in the middle of a wide window."""
        layout = self.place.layout
        cells = layout.text_cells + layout.gap_cells + layout.side_cells if layout is not None else 0
        return max(_LEFT_CELLS, (self.size.width - cells) // 2)

    def _styles(self) -> WikiStyle:
        if self._style is None:
            inks = {ink: self.get_component_rich_style(name) for ink, name in _INKS.items()}
            self._style = WikiStyle({Ink.TEXT: self.base, **inks}, self.get_component_rich_style("wiki--focus"))
        return self._style

    def notify_style_update(self) -> None:
        """Take the theme's colours anew."""
        super().notify_style_update()
        self._style = None

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips of some rows, the links that are seen numbered anew."""
        self._numbers = self.place.numbers() if self.has_focus else {}
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw a row of the page, or over it what is asked or typed."""
        width, place = self.size.width, self.place
        accent = self.get_component_rich_style("wiki--accent")
        bar = Segment(FOCUS_BAR if self.has_bar and self.has_focus else " ", accent)
        over = self.line_over(y)
        if over is not None:
            return self._line(bar, *over)
        if place.layout is None:
            return Strip([bar, Segment(" " * (width - 1), self.base)], width)
        left = Segment(" " * (self.left_cells - cell_width(bar.text)), self.base)
        row, side = place.top + y, place.side_top() + y
        drawn = row_segments(place.layout, row, side, self._styles(), focus=self._shown_focus, numbers=self._numbers)
        return Strip([bar, left, *drawn]).adjust_cell_length(width, self.base)

    @property
    def _shown_focus(self) -> int:
        return self.place.focus if self.has_focus else -1

    def _line(self, bar: Segment, words: str, is_typed: bool) -> Strip:
        accent = self.get_component_rich_style("wiki--accent")
        text = fit_cells(words, max(1, self.size.width - 4)) + ("_" if is_typed else "")
        return Strip([bar, Segment(f" {text}", accent)]).adjust_cell_length(self.size.width, self.base)
