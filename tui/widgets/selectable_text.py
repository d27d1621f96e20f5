"""The page with a selection of its own: by keys, and by a pointer that is held down.

Textual selects what stands on the screen, and everything of a widget the pointer leaves. Here
a selection is a stretch of the text itself, and holds what the pointer has passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message
from textual.timer import Timer

from engine.domain.book import DocumentId
from engine.domain.reading import Slice, SliceKey
from tui.render.flow import Flow, RowRef
from tui.render.link_focus import Placed
from tui.render.rows import TypeOptions
from tui.widgets.text_view import TextView

# What selects is imported when the first word is selected: 4 ms less at each start.

if TYPE_CHECKING:
    from tui.render.selection import Reach, Selection
    from tui.render.units import NamesIn
    from tui.widgets.selecting import Selecting

_SCROLL_S = 0.06
"""Between two rows while the pointer is held beyond the edge of the page."""
_FASTEST_ROWS = 3


class SelectableText(TextView):
    """The text of a work, of which a stretch can be selected."""

    ALLOW_SELECT = False

    @dataclass
    class Pointed(Message):
        """The pointer has selected something, or taken the selection away."""

    @dataclass
    class Touched(Message):
        """A character was clicked that is no link's."""

        document: DocumentId
        offset: int

    @dataclass
    class CaretArrived(Message):
        """The caret has waited for text, and goes on in it."""

    def __init__(
        self, options: TypeOptions, *, gutter_cells: int, can_scroll: bool = False, id: str | None = None
    ) -> None:
        super().__init__(options, gutter_cells=gutter_cells, can_scroll=can_scroll, id=id)
        self.names: NamesIn = _no_names
        """The names known in a stretch of the text; a word to the caret and to a double click."""
        self.covered_rows = 0
        """Rows at the bottom that something lies over; the caret keeps clear of them."""
        self._made: Selecting | None = None
        self._pressed: tuple[int, int] | None = None
        """(row, cell) where the pointer went down; None while it is up."""
        self._pointed: tuple[int, int] = (0, 0)
        self._anchor: Reach | None = None
        self._has_dragged = False
        self._scrolling: Timer | None = None
        self._scroll_by = 0

    # what stands on the page

    @property
    def flow(self) -> Flow:
        """The text as one scroll."""
        return self._flow

    @property
    def refs(self) -> list[RowRef]:
        """The rows on the page, from the top."""
        return self._shown.refs

    @property
    def link_focus(self) -> Placed | None:
        """The link or note in focus, with its row."""
        return self._shown.links.current

    def pieces_around(self) -> list[Slice]:
        """Return the slices on the page and the one behind it, as far as they are loaded."""
        keys = dict.fromkeys(ref.key for ref in self._shown.refs)
        pieces = [self._flow.loaded.slice_of(key) for key in keys]
        following = self._flow.loaded.beside(pieces[-1].key, 1) if pieces else None
        return [*pieces, *([following] if following is not None else [])]

    def paragraphs_shown(self) -> list[tuple[DocumentId, int, int]]:
        """Return the stretches (document, start, end) of whole paragraphs of which something stands on the page."""
        shown: dict[SliceKey, list[int]] = {}
        for ref in self._shown.refs:
            shown.setdefault(ref.key, [ref.index, ref.index])[1] = ref.index
        found = []
        for key, numbers in shown.items():
            blocks = self._flow.loaded.slice_of(key).blocks
            first, last = (self._flow.layout_of(key)[number].block for number in numbers)
            if blocks:
                found.append((key.document, blocks[first].start, blocks[last].end))
        return found

    # the selection

    @property
    def selecting(self) -> Selecting:
        """What selects; made when it is first asked for."""
        if self._made is None:
            from tui.widgets.selecting import Selecting

            self._made = Selecting(self)
        return self._made

    @property
    def selection(self) -> Selection | None:
        """What is selected; None for nothing."""
        return None if self._made is None else self._made.selection

    def clear_selection(self) -> bool:
        """Select nothing; say whether something was selected."""
        return self._made is not None and self._made.clear()

    @property
    def awaits_text(self) -> bool:
        """Whether the caret waits for text to be loaded."""
        return self._made is not None and self._made.awaits_text

    def want_text(self, key: SliceKey, step: int) -> None:
        """Ask for the text from a slice on (+1) or back (-1)."""
        self.post_message(self.SlicesWanted(((key, step),)))

    def take(self, pieces: Iterable[Slice]) -> None:
        """Take loaded slices into the scroll, and let a caret that waited for them go on."""
        super().take(pieces)
        if self._made is not None and self._made.text_came():
            self.post_message(self.CaretArrived())

    # the pointer

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin to select; nothing is selected before the pointer has moved."""
        if event.button == 1:
            self._pressed = self._pointed = self._place(event)
            self._anchor = self.selecting.reach_at(self._pressed)
            self._has_dragged = False
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select up to the pointer."""
        place = self._place(event)
        if self._pressed is None or self._anchor is None or (place == self._pressed and not self._has_dragged):
            return
        self._has_dragged = True
        self._pointed = place
        self._drag()
        self._scroll_at_edge(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Leave selected what was passed over."""
        if self._pressed is not None:
            self._pressed = None
            self._stop_scrolling()
            self.release_mouse()
            if self._has_dragged:
                self.post_message(self.Pointed())

    def on_click(self, event: events.Click) -> None:
        """Select a word or name by two clicks, a sentence by three, a paragraph by four; one takes it all away."""
        if self._has_dragged:
            self._has_dragged = False
            event.prevent_default()  # no link is opened by the end of a selection
        elif event.chain > 1:
            event.prevent_default()
            self.selecting.select_at(self._place(event), event.chain)
            self.post_message(self.Pointed())
        elif self.clear_selection():
            self.post_message(self.Pointed())
        else:
            self._touch(event)

    def _touch(self, event: events.Click) -> None:
        shown = self._shown
        is_link = event.y < len(shown) and shown.links.under(shown.refs[event.y], event.x - self._gutter)
        at = None if is_link else self.selecting.reach_at(self._place(event))
        if at is not None and not at.is_gap:
            self.post_message(self.Touched(at.first.document, at.first.offset))

    def _place(self, event: events.MouseEvent) -> tuple[int, int]:
        """Return the (row, cell) of the text under the pointer, the nearest row for one beyond the page."""
        return min(max(0, event.y), max(0, self._height - 1)), event.x - self._gutter

    def _drag(self) -> None:
        if self._anchor is not None:
            self.selecting.drag(self._anchor, self._pointed)

    def _scroll_at_edge(self, event: events.MouseMove) -> None:
        """Move the page while the pointer is beyond its upper or lower edge, or on it where there is no beyond."""
        top = 0 if self.region.y else 1
        bottom = self._height - (1 if self.region.bottom < self.screen.size.height else 2)
        beyond = event.y - bottom if event.y > bottom else min(0, event.y - top)
        self._scroll_by = min(_FASTEST_ROWS, max(-_FASTEST_ROWS, beyond))
        if not self._scroll_by:
            self._stop_scrolling()
        elif self._scrolling is None:
            self._scrolling = self.set_interval(_SCROLL_S, self._scroll)

    def _scroll(self) -> None:
        self.move_rows(self._scroll_by)
        self._drag()

    def _stop_scrolling(self) -> None:
        if self._scrolling is not None:
            self._scrolling.stop()
            self._scrolling = None


def _no_names(_document: DocumentId, _start: int, _end: int) -> Sequence[tuple[int, int]]:
    return ()
