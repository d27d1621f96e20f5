"""The works on the shelf as a list: sorted, filtered, unfolded into volumes, marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from engine.domain.book import WorkId
from engine.domain.reading import VolumeOutline, WorkSummary
from engine.translate import N_, _, ngettext
from tui.keys import key_name
from tui.render.cells import fit_cells
from tui.render.shelf_rows import ORDER_WORDS, ShelfOrder, ShelfRow, listed_works, rows_of, volume_line, work_line
from tui.widgets.list_filter import ListFilter
from tui.widgets.row_widget import RowWidget

_HEAD_ROWS = 2
_EMPTY = (
    N_("Nothing here yet."),
    "",
    N_("i   bring in books: files, or a folder of them"),
    N_("d   read the series that comes with UnderStory"),
    N_("q   leave"),
)


class ShelfList(RowWidget, can_focus=True):
    """A list with a cursor. Keys it does not know itself are told as `Pressed`."""

    DEFAULT_CSS = """
    ShelfList { height: 1fr; width: 100%; color: $foreground; background: $background; }
    ShelfList > .shelf--faint { color: $faint; background: $background; }
    ShelfList > .shelf--cursor { color: $foreground; background: $mark; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"shelf--faint", "shelf--cursor"}

    @dataclass
    class Pressed(Message):
        """A key that is not about the list itself."""

        key: str

    @dataclass
    class Moved(Message):
        """Another row is under the cursor, perhaps."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.works: tuple[WorkSummary, ...] | None = None
        """All works; None until they were read."""
        self.unfolded: dict[WorkId, tuple[VolumeOutline, ...]] = {}
        self.marked: frozenset[WorkId] = frozenset()
        self.removed: tuple[WorkId, ...] = ()
        """Taken off the list, the last one last."""
        self.order = ShelfOrder.READ
        self._filter = ListFilter(lambda _text: self.list_anew())
        self._rows: tuple[ShelfRow, ...] = ()
        self._cursor = 0
        self._top = 0

    @property
    def here(self) -> ShelfRow | None:
        """The line under the cursor."""
        return self._rows[self._cursor] if self._cursor < len(self._rows) else None

    def work(self, work_id: WorkId) -> WorkSummary:
        """Return a work of the list. Raises StopIteration for one that is not there."""
        return next(each for each in self.works or () if each.id == work_id)

    def list_anew(self, keep: ShelfRow | None = None) -> None:
        """Show what has changed, with the cursor on the line it was on, or on `keep`."""
        keep = keep or self.here
        shown = listed_works(self.works or (), self.order, self._filter.text, frozenset(self.removed))
        self._rows = rows_of(shown, self.unfolded)
        self.move_to(self._rows.index(keep) if keep in self._rows else self._cursor)

    def move_to(self, row: int) -> None:
        """Put the cursor on a line, the nearest for one that is not there."""
        self._cursor = min(max(0, row), max(0, len(self._rows) - 1))
        rows = max(1, self.size.height - _HEAD_ROWS - 1)
        self._top = min(max(self._top, self._cursor - rows + 1), self._cursor)
        self.refresh()
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        """Keep the cursor on the page."""
        self.move_to(self._cursor)

    # keys and mouse

    def on_key(self, event: events.Key) -> None:
        """Filter, move, fold, mark; tell of the rest."""
        event.stop()
        event.prevent_default()
        key = key_name(event.key, event.character)
        if self._filter.take_key(key, event.character):
            self.refresh()
        elif not self._move_by(key) and not self._change_by(key):
            self.post_message(self.Pressed(key))

    def _move_by(self, key: str) -> bool:
        page = max(1, self.size.height - _HEAD_ROWS - 2)
        steps = {"j": 1, "down": 1, "k": -1, "up": -1, "space": page, "pagedown": page, "b": -page, "pageup": -page}
        ends = {"home": 0, "g": 0, "end": len(self._rows) - 1, "G": len(self._rows) - 1}
        if key in steps:
            self.move_to(self._cursor + steps[key])
        elif key in ends:
            self.move_to(ends[key])
        return key in steps or key in ends

    def _change_by(self, key: str) -> bool:
        if key == "/":
            self._filter.is_typing = True
        elif key == "escape" and self._filter.text:
            self._filter.clear()
        elif key == "o":
            orders = list(ShelfOrder)
            self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        elif key == "m" and self.here is not None:
            self.marked ^= {self.here.work}
            self._cursor += 1
        elif key in ("left", "h") and self.here is not None:
            self.unfolded.pop(self.here.work, None)
            self.list_anew(ShelfRow(self.here.work))
        else:
            return False
        self.list_anew()
        return True

    def on_click(self, event: events.Click) -> None:
        """Choose a line; a second click on it opens the work."""
        row = self._top + event.y - _HEAD_ROWS
        if event.y >= _HEAD_ROWS and row < len(self._rows):
            is_again = row == self._cursor
            self.move_to(row)
            if is_again:
                self.post_message(self.Pressed("enter"))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move three lines down."""
        event.stop()
        self.move_to(self._cursor + 3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move three lines up."""
        event.stop()
        self.move_to(self._cursor - 3)

    # drawing

    def render_line(self, y: int) -> Strip:
        """Draw the heading, a line of the list, or what to do when there is none."""
        width = self.size.width
        faint = self.get_component_rich_style("shelf--faint")
        if y == 0:
            return _strip([(f"  {_('Shelf')}", self.base + Style(bold=True)), (self._about(), faint)], width, faint)
        if self.works is not None and not self.works and 0 <= y - _HEAD_ROWS < len(_EMPTY):
            words = _EMPTY[y - _HEAD_ROWS]
            return _strip([(f"  {_(words) if words else ''}", self.base)], width, self.base)
        at = self._top + y - _HEAD_ROWS
        if y < _HEAD_ROWS or at >= len(self._rows):
            return _strip([], width, self.base)
        is_here = at == self._cursor
        ink = self.get_component_rich_style("shelf--cursor") if is_here else self.base
        left, right = self._line(self._rows[at], width)
        return _strip([(left, ink), (right, ink if is_here else faint)], width, ink)

    def _about(self) -> str:
        if self._filter.is_typing or self._filter.text:
            typed = self._filter.text + ("_" if self._filter.is_typing else "")
            return "   " + _("filter: {text}").format(text=typed)
        if not self.works:
            return ""
        count = ngettext("{n} work", "{n} works", len(self.works)).format(n=len(self.works))
        return "   " + _("{works}, {order}").format(works=count, order=_(ORDER_WORDS[self.order]))

    def _line(self, row: ShelfRow, width: int) -> tuple[str, str]:
        if row.volume is None:
            sign = "● " if row.work in self.marked else "▾ " if row.work in self.unfolded else "  "
            return work_line(self.work(row.work), width, sign=sign)
        volumes = self.unfolded[row.work]
        number = next(n for n, volume in enumerate(volumes, 1) if volume.id == row.volume)
        return volume_line(number, volumes[number - 1], width)


def _strip(parts: list[tuple[str, Style]], width: int, base: Style) -> Strip:
    return Strip([Segment(fit_cells(text, width), style) for text, style in parts]).adjust_cell_length(width, base)
