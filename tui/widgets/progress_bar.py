"""The two bottom rows: how far in the work, and how far in the volume with its chapters."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from tui.render.cells import cell_width, fill_cells, fit_cells
from tui.render.meter import share_at, volume_row, work_row
from tui.widgets.row_widget import RowWidget


@dataclass(frozen=True, slots=True)
class Progress:
    """What the bar shows."""

    work_share: float
    """In [0, 1]."""
    volume_share: float
    """In [0, 1]."""
    ticks: tuple[float, ...]
    """Starts of chapters as shares of the volume."""
    label: str
    """At the right of the lower row: the volume's title and number."""
    names: tuple[str, str]
    """Left of the two rows: "work" and "volume", translated."""
    marks: tuple[float, ...] = ()
    """Places to mark as shares of the volume, such as where somebody appears."""


class ProgressBar(RowWidget):
    """Two scales; a row is sent to the terminal only when its characters change."""

    DEFAULT_CSS = "ProgressBar { height: 2; width: 1fr; color: $faint; background: $background; }"

    @dataclass
    class Pressed(Message):
        """The reader clicked on a scale."""

        share: float
        """In [0, 1]."""
        is_work: bool
        """Upper scale; else the volume's."""

    def __init__(self, *, is_ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._is_ascii = is_ascii
        self._progress: Progress | None = None
        self._rows = ["", ""]
        self._bar = (0, 0)

    def show_progress(self, progress: Progress) -> None:
        """Draw these shares from now on."""
        self._progress = progress
        self._redraw()

    def on_resize(self) -> None:
        """Draw for the new width."""
        self._redraw()

    def _redraw(self) -> None:
        width = self.size.width
        if self._progress is None or width <= 0:
            return
        rows = self._composed(self._progress, width)
        for y, (old, new) in enumerate(zip(self._rows, rows, strict=True)):
            if old != new:
                self.refresh(Region(0, y, width, 1))
        self._rows = rows

    def _composed(self, progress: Progress, width: int) -> list[str]:
        names = max(cell_width(name) for name in progress.names) + 2
        label_cells = min(cell_width(progress.label), max(0, width // 3))
        bar = max(1, width - 4 - names - (label_cells + 3 if label_cells else 0))
        self._bar = (2 + names, bar)
        heads = [f"  {name}{' ' * (names - cell_width(name))}" for name in progress.names]
        upper = heads[0] + work_row(progress.work_share, bar, is_ascii=self._is_ascii)
        volume, ticks, marks = progress.volume_share, progress.ticks, progress.marks
        lower = heads[1] + volume_row(volume, ticks, bar, marks=marks, is_ascii=self._is_ascii)
        if label_cells:
            lower += "   " + _fitted(progress.label, label_cells)
        return [fill_cells(row, width) for row in (upper, lower)]

    def render_line(self, y: int) -> Strip:
        """Draw one of the two rows; with a single row of height it is the work's."""
        row = self._rows[y] if y < len(self._rows) and self._rows[y] else " " * self.size.width
        return Strip([Segment(row, self.base)], self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Tell where on which scale it was pressed."""
        start, cells = self._bar
        if self._progress is not None and start <= event.x < start + cells:
            self.post_message(self.Pressed(share_at(event.x - start, cells), is_work=event.y == 0))


def _fitted(label: str, cells: int) -> str:
    """Cut a label in its title; the number behind two blanks is what tells volumes of one title apart."""
    title, _blanks, number = label.rpartition("  ")
    room = cells - cell_width(number) - 2
    if cell_width(label) <= cells or not title or room < 1:
        return fit_cells(label, cells)
    return f"{fit_cells(title, room)}  {number}"
