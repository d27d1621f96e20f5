"""Which link or note of a page is in focus."""

from __future__ import annotations

from collections.abc import Sequence

from tui.render.flow import Flow, RowRef
from tui.render.rows import Link

Placed = tuple[RowRef, Link]
"""A link in a row of the page."""


class LinkFocus:
    """The links and notes of the rows shown, and the one in focus."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self.current: Placed | None = None

    def links(self, refs: Sequence[RowRef]) -> list[Placed]:
        """Return the links of some rows; one that runs on over a line break counts once."""
        found: list[Placed] = []
        for ref in refs:
            for link in self._flow.row(ref).links:
                if not (found and _is_same(found[-1], (ref, link))):
                    found.append((ref, link))
        return found

    def step(self, refs: Sequence[RowRef], step: int, *, only_notes: bool = False) -> bool:
        """Move the focus some links on (positive) or back, around the ends; False when there is none."""
        links = [link for link in self.links(refs) if link[1].note or not only_notes]
        if links:
            at = next((i for i, link in enumerate(links) if self.current and _is_same(link, self.current)), None)
            following = at + step if at is not None else (step - 1 if step > 0 else step)
            self.current = links[following % len(links)]
        return bool(links)

    def in_row(self, ref: RowRef) -> Link | None:
        """Return the link of a row that is in focus, whole or in part."""
        if self.current is None:
            return None
        return next((link for link in self._flow.row(ref).links if _is_same((ref, link), self.current)), None)

    def under(self, ref: RowRef, cell: int) -> Link | None:
        """Return the link at a cell of a row."""
        row = self._flow.row(ref)
        for link in row.links:
            first, last = row.cells_of(link.start, link.end)
            if first <= cell < last:
                return link
        return None


def _is_same(one: Placed, other: Placed) -> bool:
    return (one[0].key.document, one[1].offset, one[1].target, one[1].note) == (
        other[0].key.document,
        other[1].offset,
        other[1].target,
        other[1].note,
    )
