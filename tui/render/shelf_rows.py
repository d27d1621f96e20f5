"""The shelf as rows: what is listed in which order, and how a work or a volume of it is written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.book import VolumeId, WorkId
from engine.domain.reading import VolumeOutline, WorkSummary
from engine.translate import N_, _, grouped, ngettext
from tui.render.cells import cell_width, fit_cells
from tui.render.meter import work_row

_BAR_CELLS = 12
_NARROW = 64
_READ_CELLS = 5
"""Of "100 %", and of what stands there before a work was opened."""


class ShelfOrder(StrEnum):
    """What the shelf is sorted by."""

    READ = "read"
    TITLE = "title"
    AUTHOR = "author"
    LENGTH = "length"


ORDER_WORDS: Mapping[ShelfOrder, str] = {
    ShelfOrder.READ: N_("last read first"),
    ShelfOrder.TITLE: N_("by title"),
    ShelfOrder.AUTHOR: N_("by author"),
    ShelfOrder.LENGTH: N_("longest first"),
}


@dataclass(frozen=True, slots=True)
class ShelfRow:
    """A line of the list: a work, or a volume of a work that is unfolded."""

    work: WorkId
    volume: VolumeId | None = None


def listed_works(
    works: Iterable[WorkSummary], order: ShelfOrder, wanted: str, without: frozenset[WorkId]
) -> tuple[WorkSummary, ...]:
    """Return the works to show: those whose title or author holds `wanted`, sorted, without the removed ones."""
    key = _folded(wanted)
    shown = [
        work
        for work in works
        if work.id not in without and (key in _folded(work.title) or any(key in _folded(a) for a in work.authors))
    ]
    if order is ShelfOrder.TITLE:
        shown.sort(key=lambda work: _folded(work.title))
    elif order is ShelfOrder.AUTHOR:
        shown.sort(key=lambda work: (_folded(work.authors[0] if work.authors else "\uffff"), _folded(work.title)))
    elif order is ShelfOrder.LENGTH:
        shown.sort(key=lambda work: -work.characters)
    return tuple(shown)


def _folded(words: str) -> str:
    return unicodedata.normalize("NFKC", words).casefold()


def rows_of(works: Iterable[WorkSummary], unfolded: Mapping[WorkId, tuple[VolumeOutline, ...]]) -> tuple[ShelfRow, ...]:
    """Return the lines: each work, and below an unfolded one its volumes."""
    rows: list[ShelfRow] = []
    for work in works:
        rows.append(ShelfRow(work.id))
        rows += [ShelfRow(work.id, volume.id) for volume in unfolded.get(work.id, ())]
    return tuple(rows)


def work_line(work: WorkSummary, width: int, *, sign: str, is_ascii: bool = False) -> tuple[str, str]:
    """Return the left and the right part of a work's line, which together take `width` cells.

    Args:
        work: What to write.
        width: Cells.
        sign: Two cells before the title: marked, unfolded or nothing.
        is_ascii: Draw the bar with ASCII only.
    """
    read = _("{share} %").format(share=f"{work.read_share * 100:.0f}") if work.last_read else _("new")
    read = " " * (_READ_CELLS - cell_width(read)) + read
    volumes = ngettext("{n} volume", "{n} volumes", work.volumes).format(n=work.volumes)
    bar = work_row(work.read_share, _BAR_CELLS, is_ascii=is_ascii) if work.last_read else " " * _BAR_CELLS
    right = f"{volumes}  {bar}  {read}  {work.last_read[:10]:10}  " if width >= _NARROW else f"{read}  "
    title = " · ".join(part for part in (work.title, _(", ").join(work.authors)) if part)
    return _filled(f" {sign}{title}", width - cell_width(right)), right


def volume_line(number: int, volume: VolumeOutline, width: int) -> tuple[str, str]:
    """Return the left and the right part of a volume's line below its work."""
    chars = _("{n} characters").format(n=grouped(volume.length))
    right = f"{chars}  " if width >= _NARROW else ""
    return _filled(f"     {number}  {volume.title}", width - cell_width(right)), right


def _filled(words: str, width: int) -> str:
    cut = fit_cells(words, max(0, width - 2))
    return cut + " " * max(0, width - cell_width(cut))


def moved(volumes: tuple[VolumeOutline, ...], volume: VolumeId, step: int) -> tuple[VolumeId, ...] | None:
    """Return the volumes' ids with one of them a place further down (+1) or up (-1); None at the ends."""
    ids = [each.id for each in volumes]
    at = ids.index(volume)
    if not 0 <= at + step < len(ids):
        return None
    ids[at], ids[at + step] = ids[at + step], ids[at]
    return tuple(ids)
