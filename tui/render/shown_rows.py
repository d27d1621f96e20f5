"""The rows a page shows: what stands in them, and the strips they are drawn as."""

from __future__ import annotations

from collections.abc import Callable

from textual.cache import LRUCache
from textual.strip import Strip

from engine.domain.book import BlockKind, DocumentId, Picture
from tui.render.flow import Flow, RowRef
from tui.render.layers import Layers
from tui.render.link_focus import LinkFocus
from tui.render.prose import PageStyle, row_strip
from tui.render.rows import Row

_KEPT_STRIPS = 4096


class ShownRows:
    """The rows of one page, with the link in focus and whatever else lies over them."""

    def __init__(self, flow: Flow, gutter_cells: int) -> None:
        self._flow = flow
        self._gutter = gutter_cells
        self.refs: list[RowRef] = []
        self.links = LinkFocus(flow)
        self.layers = Layers()
        self._strips: LRUCache[tuple[RowRef, int], Strip] = LRUCache(_KEPT_STRIPS)

    def __len__(self) -> int:
        return len(self.refs)

    def row_at(self, offset: int) -> Row | None:
        """Return the row that holds an offset of the document the page begins in, None when none does."""
        return next((row for row in map(self._flow.row, self.refs) if row.start <= offset < row.end), None)

    def holds(self, document: DocumentId, offset: int) -> bool:
        """Say whether the character at an offset stands in one of them."""
        return any(
            ref.key.document == document and row.start <= offset < row.end
            for ref in self.refs
            for row in (self._flow.row(ref),)
        )

    def first_picture(self) -> tuple[DocumentId, Picture] | None:
        """Return the first picture in them that can be drawn, whether it stands there or is only a line."""
        for ref in self.refs:
            row = self._flow.row(ref)
            for picture in self._flow.loaded.slice_of(ref.key).pictures if row.role is BlockKind.PICTURE else ():
                if picture.href and picture.width and (row.start <= picture.offset < max(row.end, row.start + 1)):
                    return ref.key.document, picture
        return None

    def forget_strips(self) -> None:
        """Draw every row anew when it is next asked for."""
        self._strips.clear()

    def strip(self, ref: RowRef, width: int, style: PageStyle) -> Strip | None:
        """Return a row of text as it is drawn, None for a row of a picture."""
        strip = self._strips.get((ref, width))
        if strip is None:
            row, focus = self._flow.row(ref), self.links.in_row(ref)
            if row.art is not None:
                return None
            overlays = self.layers.of_row(ref.key.document, row)
            strip = row_strip(row, width, self._gutter, style, focus=focus, overlays=overlays)
            self._strips[(ref, width)] = strip
        return strip

    def changed_by(self, change: Callable[[], object]) -> list[int]:
        """Make a change to what lies over the rows, and return the numbers of those that look different for it."""
        before = self._looks()
        change()
        self.forget_strips()
        return [y for y, (old, new) in enumerate(zip(before, self._looks(), strict=True)) if old != new]

    def _looks(self) -> list[object]:
        rows = [(ref, self._flow.row(ref)) for ref in self.refs]
        return [(self.layers.of_row(ref.key.document, row), self.links.in_row(ref)) for ref, row in rows]
