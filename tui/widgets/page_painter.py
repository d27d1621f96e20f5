"""What the page draws besides rows of text: pictures; and what it does not draw: the focus."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.strip import Strip

from engine.domain.book import DocumentId
from tui.render.pictures import PictureKey, Pictures
from tui.render.prose import PageStyle, blank_strip
from tui.render.rows import Row
from tui.widgets.row_widget import RowWidget


class PagePainter(RowWidget):
    """A widget that shows pictures as they are drawn, and looks the same with and without the keys."""

    @dataclass
    class PictureWanted(Message):
        """A picture comes into view that was not drawn yet."""

        key: PictureKey

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pictures = Pictures()

    def take_picture(self, key: PictureKey, rgb: bytes) -> None:
        """Show a picture that was drawn; without bytes it could not be."""
        self._pictures.take(key, rgb)
        self.redraw_pictures()

    def forget_pictures(self) -> None:
        """Have them drawn anew."""
        self._pictures.clear()
        self.redraw_pictures()

    def redraw_pictures(self) -> None:
        """Draw the rows of pictures anew."""
        raise NotImplementedError

    def draw_art(self, document: DocumentId, row: Row, gutter: int, style: PageStyle) -> Strip:
        """Draw a row of a picture, blank until the picture is there."""
        width = self.size.width
        if row.art is None:
            return blank_strip(width, style)
        key = PictureKey(document, row.art.href, row.art.columns, row.art.rows)
        if self._pictures.is_new(key):
            self.post_message(self.PictureWanted(key))
        strip = self._pictures.strip(key, row.art.row, gutter + row.indent, width, style)
        return blank_strip(width, style) if strip is None else strip

    def on_focus(self, event: events.Focus) -> None:
        """Take the keys; the page looks the same with and without them, so nothing is drawn."""
        self._has_keys(event, events.DescendantFocus(self), has_focus=True)

    def on_blur(self, event: events.Blur) -> None:
        """Give the keys away."""
        self._has_keys(event, events.DescendantBlur(self), has_focus=False)

    def _has_keys(self, event: events.Event, told: events.Event, *, has_focus: bool) -> None:
        event.prevent_default()
        self.has_focus = has_focus
        if self.parent is not None:
            self.parent.post_message(told)
