"""The base of what draws its own rows: a widget whose strips go to the screen as they are."""

from __future__ import annotations

from rich.style import Style
from textual.filter import ANSIToTruecolor
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class RowWidget(Widget):
    """A widget without border, padding or opacity whose `render_line` returns strips of its full width.

    Textual's styles cache would build each row again to put borders and padding around it: half
    of a page's 7 ms. Our colours are true colours already, so the filter for ANSI colours has
    nothing to do; others (NO_COLOR) are applied.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.base = Style()
        """Ink on paper, as the stylesheet gives them to this widget."""

    def notify_style_update(self) -> None:
        """Take the theme's colours anew."""
        super().notify_style_update()
        self.base = self.visual_style.rich_style

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips of some rows, cut to the columns asked for."""
        strips = [self.render_line(y) for y in crop.line_range]
        for line_filter in self.get_line_filters():
            if not isinstance(line_filter, ANSIToTruecolor):
                background = self.background_colors[1]
                strips = [strip.apply_filter(line_filter, background) for strip in strips]
        if crop.column_span != (0, self.size.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips
