"""The folded text of each slice, in which searches look.

Where it differs from the text by a few characters, these are all that is kept: five million characters are swapped
in 60 ms. Else, in traditional Chinese and Japanese, it lies there packed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Pos
from engine.domain.search import PosRange
from engine.store.connection import Connection
from engine.store.marks import SLICE_ID_SHIFT
from engine.text.fold import Folded, Reading, fold, part, spoken, spoken_text
from engine.text.normalize import nfc
from engine.text.slices import Piece

FoldedRow = tuple[int, int, int, bytes | None, str, str, bytes]
"""A row of the table, in its order of columns."""
_MOST_SWAPS = 48
"""Each costs a walk through the text, 2 us; a text with capitals and typographic quotes has 40."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A slice's folded text, or the part of it that was asked for."""

    document: DocumentId
    base: Pos
    """Pos of the document's first character."""
    start: int
    """Document offset of the source of `folded`."""
    end: int
    folded: Folded
    readings: tuple[Reading, ...] = ()
    """What stands beside the text, folded, in document offsets."""

    @property
    def spoken_text(self) -> str:
        """The folded text with readings in the place of what they stand beside."""
        return spoken_text(self.folded, self._own_readings)

    @property
    def spoken(self) -> Folded:
        """The same with the way back."""
        return spoken(self.folded, self._own_readings, self.end - self.start)

    @property
    def _own_readings(self) -> list[Reading]:
        return [(start - self.start, end - self.start, reading) for start, end, reading in self.readings]


def row_from_piece(slice_id: int, piece: Piece) -> FoldedRow:
    """Fold a piece into a row."""
    folded = fold(piece.text)
    swaps = _swaps(piece.text, folded)
    readings = [
        number for start, end, _reading in _readings(piece) for number in (start - piece.start, end - piece.start)
    ]
    words = [reading for _start, _end, reading in _readings(piece)]
    return (
        slice_id,
        piece.start,
        piece.end,
        _packed(folded.text) if swaps is None else None,
        swaps or "",
        _json(folded.shifts) if folded.shifts else "",
        _packed(_json([readings, words])) if words else b"",
    )


def _readings(piece: Piece) -> list[Reading]:
    return [(ruby.start, ruby.end, fold(nfc(ruby.reading)).text) for ruby in piece.rubies if ruby.start < ruby.end]


def _swaps(text: str, folded: Folded) -> str | None:
    """Return which characters of a text are others in the folded one, in pairs; None where that does not tell all."""
    if folded.shifts or len(folded.text) != len(text):
        return None
    changed = {char: fold(char).text for char in sorted(set(text))}
    pairs = "".join(char + other for char, other in changed.items() if char != other)
    return pairs if len(pairs) <= 2 * _MOST_SWAPS and _swapped(text, pairs) == folded.text else None


def _swapped(text: str, pairs: str) -> str:
    for char, other in zip(pairs[::2], pairs[1::2], strict=True):
        text = text.replace(char, other)
    return text


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode("utf-8", "surrogatepass")


def stretch_from_piece(document: DocumentId, base: Pos, piece: Piece, within: PosRange) -> Stretch | None:
    """Fold the part of a piece that lies in a range, without a library; None when nothing does."""
    if base + piece.start >= within.end or base + piece.end <= within.start:
        return None
    whole = Stretch(document, base, piece.start, piece.end, fold(piece.text), tuple(_readings(piece)))
    return _cut(whole, within.start - base, within.end - base)


def add_rows(w: Connection, rows: Iterable[FoldedRow]) -> None:
    """Add rows made by `row_from_piece`."""
    w.executemany(
        'INSERT INTO folded (id, start, "end", text, swaps, shifts, readings) VALUES (?, ?, ?, ?, ?, ?, ?)', rows
    )


_DOCUMENTS = (
    "SELECT d.id, (v.ord << 40) + d.base, d.slices FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
    " JOIN document d ON d.volume_id = v.id AND d.slices > 0 WHERE v.work_id = ?"
    " AND (v.ord << 40) + d.base < ? AND (v.ord << 40) + d.base + d.length > ? ORDER BY v.ord, d.base"
)
_ROW = (
    'SELECT f.start, f."end", f.text, iif(f.text IS NULL, s.text, NULL), f.swaps, f.shifts, f.readings'
    " FROM folded f JOIN slice s ON s.id = f.id"
)
_ROWS = f'{_ROW} WHERE f.id BETWEEN ? AND ? AND f.start < ? AND f."end" > ? ORDER BY f.id'


def stretches(r: Connection, work: WorkId, within: PosRange) -> Iterator[Stretch]:
    """Yield the folded text of a work that lies in a range, in the order of pos, and nothing beyond it.

    A slice that reaches over an end of the range comes cut. Documents outside the reading order
    follow their volume. Served by `document_order` and the primary key.
    """
    documents: list[Any] = list(r.execute(_DOCUMENTS, (work, within.end, within.start)))
    for document, base, slices in documents:
        first = document << SLICE_ID_SHIFT
        start, end = within.start - base, within.end - base
        for row in r.execute(_ROWS, (first, first + slices - 1, end, start)):
            yield _cut(_stretch_from(DocumentId(document), base, row), start, end)


def stretch_of_slice(r: Connection, document: DocumentId, ord_: int) -> Stretch | None:
    """Return the folded text of a slice, in whatever state its book is; its base is 0. None when there is none."""
    row = r.execute(f"{_ROW} WHERE f.id = ?", (document << SLICE_ID_SHIFT | ord_,)).fetchone()
    return None if row is None else _stretch_from(document, 0, row)


def cut_stretch(stretch: Stretch, start: int, end: int) -> Stretch:
    """Return the part of a stretch that lies between two document offsets, at most all of it."""
    return _cut(stretch, start, end)


def _stretch_from(document: DocumentId, base: Pos, row: Sequence[Any]) -> Stretch:  # Any: typed by the schema
    start, end, packed, text, swaps, shifts, readings = row
    folded = Folded(
        _swapped(text, swaps) if packed is None else _unpacked(packed),
        _shifts_from(json.loads(shifts)) if shifts else (),
    )
    return Stretch(document, base, start, end, folded, _readings_from(start, readings) if readings else ())


def _readings_from(slice_start: int, packed: bytes) -> tuple[Reading, ...]:
    numbers, words = json.loads(_unpacked(packed))
    ends = iter(numbers)
    return tuple(
        (slice_start + start, slice_start + end, word) for start, end, word in zip(ends, ends, words, strict=True)
    )


def _shifts_from(found: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((index, shift) for index, shift in found)


def _cut(stretch: Stretch, start: int, end: int) -> Stretch:
    """Return the part of a stretch that lies between two document offsets."""
    if start <= stretch.start and end >= stretch.end:
        return stretch
    start, end = max(stretch.start, start), min(stretch.end, end)
    first, last = start - stretch.start, end - stretch.start
    return replace(
        stretch,
        start=start,
        end=end,
        folded=part(stretch.folded, first, last),
        # One that a boundary runs through would tell of what lies behind it.
        readings=tuple(each for each in stretch.readings if start <= each[0] and each[1] <= end),
    )
