"""The page: one widget that draws rows of a flow, and moves.

No scroll view and no children: position is an anchor in the text, a row is one strip, and a
movement repaints this widget alone. Measured against the alternatives in docs/decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from engine.config import PictureStyle
from engine.domain.book import DocumentId, Picture
from engine.domain.reading import Slice, SliceKey
from tui.render.flow import Anchor, Flow, PageSpan
from tui.render.layers import Layer, OverlaySource, landing
from tui.render.prose import PageStyle, blank_strip
from tui.render.rows import Link, TypeOptions
from tui.render.shown_rows import ShownRows
from tui.render.typeset import Layout, typeset
from tui.terminal.scroll import scroll_rows, shift_between
from tui.widgets.page_painter import PagePainter

_MARGIN_PAGES = 2
"""Laid-out pages kept ready above and below."""
_PICTURE_SHARE = 60
"""Parts in a hundred of a page that a picture takes at most."""
_DOCUMENT_GAP_ROWS = 2
"""Blank rows between two documents."""


class TextView(PagePainter, can_focus=True):
    """The text of a work as one scroll."""

    DEFAULT_CSS = "TextView { height: 1fr; color: $foreground; background: $background; }"

    @dataclass
    class PageMoved(Message):
        """Another part of the text is shown."""

        span: PageSpan
        piece: Slice
        """The slice that holds the first character."""

    @dataclass
    class SlicesWanted(Message):
        """The page comes near the end of what is loaded."""

        wanted: tuple[tuple[SliceKey, int], ...]
        """Keys, each with the direction (+1, -1) to go on in."""

    @dataclass
    class PlaceWanted(Message):
        """A place was asked for whose slice is not loaded."""

        document: DocumentId
        offset: int

    @dataclass
    class LinkOpened(Message):
        """The reader opened the link or note in focus."""

        document: DocumentId
        link: Link

    def __init__(
        self, options: TypeOptions, *, gutter_cells: int, can_scroll: bool = False, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._can_scroll = can_scroll
        self._options = options
        self._gutter = gutter_cells
        self._flow = Flow(self._typeset)
        self._shown = ShownRows(self._flow, gutter_cells)
        self._page_style: PageStyle | None = None
        self.span: PageSpan | None = None
        """What the page shows; None before anything is loaded."""
        self._width = 0
        self._height = 0
        self._pending_rows = 0
        self._waiting: tuple[DocumentId, int] | None = None
        """A place to show as soon as the width is known."""
        self._bound_for: tuple[DocumentId, int, int] | None = None
        """A place that is not loaded yet, and the rows to show above it."""

    # what it shows

    @property
    def top_anchor(self) -> Anchor | None:
        """The first character shown."""
        return self._flow.anchor

    @property
    def top_row(self) -> tuple[int, int]:
        """Document offsets (start, end) of the row that holds the first character shown; (0, 0) before anything is."""
        anchor = self._flow.anchor
        row = None if anchor is None else self._shown.row_at(anchor.offset)
        return (0, 0) if row is None else (row.start, row.end)

    @property
    def options(self) -> TypeOptions:
        """How the text is set."""
        return self._options

    @property
    def page_rows(self) -> int:
        """Rows of a page."""
        return self._height

    @property
    def is_travelling(self) -> bool:
        """Whether a place was asked for that is still to be loaded."""
        return self._bound_for is not None

    def stay(self) -> None:
        """Give up the place that was to be loaded."""
        self._bound_for = None

    def shows(self, document: DocumentId, offset: int) -> bool:
        """Say whether the character at an offset stands on the page, or will as soon as it is loaded."""
        if self._bound_for is not None:
            return self._bound_for[:2] == (document, offset)
        return self._shown.holds(document, offset)

    def piece_at(self, document: DocumentId, offset: int) -> Slice | None:
        """Return the loaded slice that holds an offset."""
        return self._flow.loaded.find(document, offset)

    def first_picture(self) -> tuple[DocumentId, Picture] | None:
        """Return the first picture on the page that can be drawn, whether it stands there or is only a line."""
        return self._shown.first_picture()

    def use_style(self, style: PageStyle) -> None:
        """Draw with these styles from now on."""
        self._page_style = style
        self._shown.forget_strips()
        self.refresh()

    def use_options(self, options: TypeOptions) -> None:
        """Set the text anew, keeping the first character where it is."""
        if options != self._options:
            self._options = options
            self._lay_out_anew()

    def measure_anew(self) -> None:
        """Set the text anew because characters changed their width."""
        self._lay_out_anew()

    def take(self, pieces: Iterable[Slice]) -> None:
        """Take loaded slices into the scroll, and finish a movement that waited for them."""
        for piece in pieces:
            self._flow.add(piece)
        if self._pending_rows:
            rows, self._pending_rows = self._pending_rows, 0
            self.move_rows(rows)
        elif len(self._shown) < self._height:
            self._changed()
        else:
            self._ask_for_more()

    def replace(self, pieces: Iterable[Slice], document: DocumentId, offset: int) -> None:
        """Forget what is loaded, take these slices and show a place among them.

        Where none of them reaches to the place, though its document is there, the nearest one is shown: to
        ask for it once more would bring the same slices.
        """
        self._flow.clear()
        self._shown.forget_strips()
        self._shown.refs = []
        own = []
        for piece in pieces:
            self._flow.add(piece)
            if piece.key.document == document:
                own.append(min(max(piece.start, offset), piece.end))
        self.go_to(document, min(own, key=lambda at: abs(at - offset), default=offset))

    # moving

    def go_to(self, document: DocumentId, offset: int, *, lead_rows: int = 0) -> None:
        """Show a place at the top, or ask for it when it is not loaded.

        Args:
            document: Where to.
            offset: Where to.
            lead_rows: Rows of the text before it to show above.
        """
        self._shown.links.current = None
        self._pending_rows = 0
        bound, self._bound_for = self._bound_for, None
        if bound is not None and bound[:2] == (document, offset):
            lead_rows = lead_rows or bound[2]
        if not self._width:
            self._waiting = (document, offset)
        elif self._flow.show(document, offset):
            self._flow.move(-lead_rows, self._height)
            self._changed()
        else:
            self._bound_for = (document, offset, lead_rows)
            self.post_message(self.PlaceWanted(document, offset))

    def move_rows(self, rows: int) -> None:
        """Move by rows, down when positive; what is not loaded yet is moved when it comes."""
        moved = self._flow.move(rows, self._height)
        self._after_move(rows - moved if (rows > 0) == (rows - moved > 0) else 0, rows)

    def page_on(self, pages: int) -> None:
        """Turn pages; a row cut by the page's end stays for the eye to find."""
        if pages < 0:
            self.move_rows(pages * max(1, self._height - 1))
            return
        for turned in range(pages):
            if not self._flow.page_down(self._height):
                self._after_move((pages - turned) * max(1, self._height - 1), 1)
                return
        self._after_move(0, 1)

    def paragraph_on(self, step: int) -> None:
        """Go to the start of the next (+1) or the previous (-1) paragraph."""
        start = self._flow.block_start(step)
        if start is not None:
            self.go_to(start.document, start.offset)

    def _after_move(self, rest: int, direction: int) -> None:
        self._bound_for = None
        missing = self._missing()
        sign = 1 if direction > 0 else -1
        if rest and any(step == sign for _key, step in missing):
            self._pending_rows = rest
        if self._shown.links.current is not None:
            self._shown.links.current = None
            self.refresh()
        self._changed()

    # what lies over it

    def lay_over(self, layer: Layer, source: OverlaySource | None) -> bool:
        """Lay something over the text, None to take it away; say whether there was something to take away."""
        had = self._shown.layers.has(layer)
        if had or source is not None:
            self._redraw_after(lambda: self._shown.layers.put(layer, source))
        return had

    def has_layer(self, layer: Layer) -> bool:
        """Say whether something lies on a layer."""
        return self._shown.layers.has(layer)

    def land(self, document: DocumentId, start: int, end: int = 0) -> None:
        """Mark where a jump led: the words up to `end`, or the first row of the place."""
        self.lay_over(Layer.LANDING, landing(document, start, end))

    def _redraw_after(self, change: Callable[[], object]) -> None:
        """Make a change and draw the rows it made look different."""
        for y in self._shown.changed_by(change):
            self.refresh(Region(0, y, self._width, 1))

    def redraw_pictures(self) -> None:
        """Draw the rows of pictures anew."""
        self.refresh()

    # links and notes

    def focus_link(self, step: int) -> Link | None:
        """Move the focus some links or notes of the page on (positive) or back."""
        self._redraw_after(lambda: self._shown.links.step(self._shown.refs, step))
        return self._shown.links.current[1] if self._shown.links.current is not None else None

    def focus_note(self, step: int) -> bool:
        """Move the focus to the next (+1) or previous (-1) note on the page; False when there is none."""
        self._redraw_after(lambda: self._shown.links.step(self._shown.refs, step, only_notes=True))
        return self._shown.links.current is not None and bool(self._shown.links.current[1].note)

    def open_link(self) -> int:
        """Open the link in focus, or the only one on the page, and return how many there are.

        With several and none in focus, the first gets it.
        """
        links = self._shown.links.links(self._shown.refs)
        if links and self._shown.links.current is None:
            self.focus_link(1)
            if len(links) > 1:
                return len(links)
        if self._shown.links.current is not None:
            ref, link = self._shown.links.current
            self.post_message(self.LinkOpened(ref.key.document, link))
        return min(1, len(links))

    def on_click(self, event: events.Click) -> None:
        """Open the link under the pointer."""
        if event.y < len(self._shown):
            ref = self._shown.refs[event.y]
            link = self._shown.links.under(ref, event.x - self._gutter)
            if link is not None:
                self._redraw_after(lambda: setattr(self._shown.links, "current", (ref, link)))
                self.post_message(self.LinkOpened(ref.key.document, link))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll three rows on."""
        event.stop()
        self.move_rows(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll three rows back."""
        event.stop()
        self.move_rows(-3)

    # drawing

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new size, keeping the first character."""
        has_other_height, self._height = event.size.height != self._height, event.size.height
        if event.size.width == self._width and has_other_height and self._options.pictures is PictureStyle.BLOCKS:
            self._lay_out_anew()
        elif event.size.width != self._width:
            self._width = event.size.width
            self._lay_out_anew()
            if self._waiting is not None and self._width:
                waiting, self._waiting = self._waiting, None
                self.go_to(*waiting)
        else:
            self._changed()

    def render_line(self, y: int) -> Strip:
        """Draw one row of the page."""
        style = self._page_style
        if style is None:
            return Strip.blank(self._width)
        if y >= len(self._shown):
            return blank_strip(self._width, style)
        ref = self._shown.refs[y]
        strip = self._shown.strip(ref, self._width, style)
        if strip is None:
            return self.draw_art(ref.key.document, self._flow.row(ref), self._gutter, style)
        return strip

    def _typeset(self, piece: Slice) -> Layout:
        """Lay out a slice; a document ends with room below it."""
        column = max(1, min(self._options.width_cells, self._width - 2 * self._gutter))
        pictures = max(0, self._height * _PICTURE_SHARE // 100)
        layout = typeset(piece, replace(self._options, width_cells=column, picture_rows=pictures))
        is_last = piece.after is not None and piece.after.document != piece.key.document
        return layout.with_room_below(_DOCUMENT_GAP_ROWS) if is_last else layout

    def _lay_out_anew(self) -> None:
        self._shown.forget_strips()
        self._shown.links.current = None
        if self._width:
            self._flow.relayout(self._typeset)
            self._changed()

    def _changed(self) -> None:
        """Show the page the flow stands at, and tell the screen: by way of its parents it heard after the frame."""
        before, self._shown.refs = self._shown.refs, self._flow.page(self._height)
        shift = shift_between(before, self._shown.refs) if self._can_scroll else 0
        if not shift or not scroll_rows(self, shift):
            self.refresh()
        self.span = self._flow.span(self._height) if self._shown.refs else None
        if self.span is not None:
            piece = self._flow.loaded.find(self.span.anchor.document, self.span.anchor.offset)
            shown = piece or self._flow.loaded.slice_of(self._shown.refs[0].key)
            self.screen.post_message(self.PageMoved(self.span, shown))
        self._ask_for_more()

    def _missing(self) -> tuple[tuple[SliceKey, int], ...]:
        return self._flow.missing(self._height, self._height * _MARGIN_PAGES)

    def _ask_for_more(self) -> None:
        missing = self._missing()
        if missing:
            self.post_message(self.SlicesWanted(missing))
