"""Where a caret goes in the text that is loaded: by character, word, sentence, paragraph, line.

Every movement leads to a character that is drawn, in slices beside each other as if they were
one text; None where nothing more is loaded that way.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from enum import StrEnum

from engine.domain.reading import Slice, SliceKey
from tui.render.flow import Flow, RowRef
from tui.render.rows import Row, RowKind
from tui.render.selection import Reach, reach_in, unit_at
from tui.render.units import Cut, NamesIn, Units


class Motion(StrEnum):
    """Where the keys move a caret."""

    RIGHT = "right"
    LEFT = "left"
    DOWN = "down"
    UP = "up"
    WORD = "word"
    WORD_BACK = "word-back"
    WORD_END = "word-end"
    SENTENCE = "sentence"
    SENTENCE_BACK = "sentence-back"
    PARAGRAPH = "paragraph"
    PARAGRAPH_BACK = "paragraph-back"
    LINE_START = "line-start"
    LINE_END = "line-end"

    @property
    def is_upright(self) -> bool:
        """Whether it keeps to the cell the caret came from."""
        return self in (Motion.DOWN, Motion.UP)

    @property
    def step(self) -> int:
        """+1 when it goes on in the text, -1 when it goes back."""
        return -1 if self in _BACKWARDS else 1

    @property
    def is_by_units(self) -> bool:
        """Whether it goes by words, sentences or paragraphs, of which a selection then holds whole ones."""
        return _BACKWARDS.get(self, self) in (Motion.WORD, Motion.SENTENCE, Motion.PARAGRAPH)


_TEXT_ROWS = (RowKind.TEXT, RowKind.RULE, RowKind.PICTURE)

_BACKWARDS = {
    Motion.LEFT: Motion.RIGHT,
    Motion.UP: Motion.DOWN,
    Motion.WORD_BACK: Motion.WORD,
    Motion.SENTENCE_BACK: Motion.SENTENCE,
    Motion.PARAGRAPH_BACK: Motion.PARAGRAPH,
    Motion.LINE_START: Motion.LINE_END,
}
"""Motions that go back, each with the one that goes on."""


def holds_text(row: Row) -> bool:
    """Say whether a row draws characters of the text."""
    return row.kind in _TEXT_ROWS and row.start < row.end and bool(row.text)


class Caret:
    """The movements over one flow."""

    def __init__(self, flow: Flow, names: NamesIn) -> None:
        """Take the text and what tells the names in it."""
        self._flow = flow
        self.units = Units(flow.loaded, names)

    def go(self, at: Reach, motion: Motion, cell: int) -> Reach | None:
        """Return where a motion leads from a character, None when nothing is loaded there.

        Args:
            at: The character.
            motion: Which.
            cell: Of the row, to keep to when moving up and down.
        """
        moves: dict[Motion, Callable[[Reach, int], Reach | None]] = {
            Motion.RIGHT: self.beside,
            Motion.WORD: self.word,
            Motion.SENTENCE: self.sentence,
            Motion.PARAGRAPH: self.paragraph,
            Motion.LINE_END: self.line_edge,
            Motion.DOWN: lambda reach, by: self.line(reach, by, cell),
            Motion.WORD_END: lambda reach, _by: self.word_end(reach),
        }
        return moves[_BACKWARDS.get(motion, motion)](at, motion.step)

    def missing(self, at: Reach, step: int) -> SliceKey | None:
        """Return the slice to load so that a caret can go on (+1) or back (-1); None at the ends of the text."""
        piece = self._piece(at)
        while piece is not None:
            following = self._flow.loaded.beside(piece.key, step)
            if following is None:
                return self._flow.loaded.wanted(piece.key, step)
            piece = following
        return None

    # characters

    def char_in_row(self, ref: RowRef, cell: int) -> Reach:
        """Return the character of a row at a cell, the nearest one where none is. The row must hold text."""
        piece, row = self._flow.loaded.slice_of(ref.key), self._flow.row(ref)
        # A reading may run on from the row above, where its character stands.
        start, end = unit_at(piece.text, max(row.start, row.offset_at(cell)) - piece.start)
        return reach_in(piece, piece.start + start, piece.start + end)

    def beside(self, at: Reach, step: int) -> Reach | None:
        """Return the character drawn after (+1) or before (-1) a stretch."""
        piece = self._piece(at)
        offset = at.last.offset if step > 0 else at.first.offset - 1
        while piece is not None:
            found = self._drawn_from(piece, offset, step)
            if found is not None:
                return found
            piece = self._flow.loaded.beside(piece.key, step)
            offset = 0 if piece is None else piece.start if step > 0 else piece.end - 1
        return None

    def _drawn_from(self, piece: Slice, offset: int, step: int) -> Reach | None:
        while piece.start <= offset < piece.end:
            start, end = (piece.start + bound for bound in unit_at(piece.text, offset - piece.start))
            if self._is_drawn(piece, start):
                return reach_in(piece, start, end)
            offset = end if step > 0 else start - 1
        return None

    def _is_drawn(self, piece: Slice, offset: int) -> bool:
        row = self._flow.row(self._ref(piece, offset))
        start, end = row.span_of(offset, offset + 1)
        return start < end

    def _piece(self, at: Reach) -> Slice | None:
        return self._flow.loaded.find(at.first.document, at.first.offset)

    def _ref(self, piece: Slice, offset: int) -> RowRef:
        return RowRef(piece.key, self._flow.layout_of(piece.key).row_of(offset))

    # rows

    def row(self, at: Reach) -> RowRef | None:
        """Return the row in which a stretch begins, None when it is not loaded."""
        piece = self._piece(at)
        return None if piece is None else self._ref(piece, at.first.offset)

    def cell(self, at: Reach) -> int:
        """Return the cell of its row at which a stretch begins."""
        ref = self.row(at)
        if ref is None:
            return 0
        row = self._flow.row(ref)
        start, end = row.span_of(at.first.offset, at.last.offset)
        return row.cells_of(start, end)[0]

    def line(self, at: Reach, step: int, cell: int) -> Reach | None:
        """Return the character at a cell of the next (+1) or previous (-1) row that holds text."""
        ref = self.row(at)
        if ref is None:
            return None
        for each in self.rows_from(ref, step):
            if each != ref and holds_text(self._flow.row(each)):
                return self.char_in_row(each, cell)
        return None

    def line_edge(self, at: Reach, step: int) -> Reach | None:
        """Return the last (+1) or first (-1) character of the row."""
        ref = self.row(at)
        if ref is None:
            return None
        row = self._flow.row(ref)
        return self.char_in_row(ref, row.width() if step > 0 else 0) if holds_text(row) else at

    def rows_from(self, ref: RowRef, step: int) -> Iterator[RowRef]:
        """Yield a row and all loaded ones after (+1) or before (-1) it."""
        piece: Slice | None = self._flow.loaded.slice_of(ref.key)
        index = ref.index
        while piece is not None:
            count = len(self._flow.layout_of(piece.key))
            for number in range(index if index >= 0 else count - 1, count if step > 0 else -1, step):
                yield RowRef(piece.key, number)
            piece = self._flow.loaded.beside(piece.key, step)
            index = 0 if step > 0 else -1

    # words, sentences, paragraphs

    def word(self, at: Reach, step: int) -> Reach | None:
        """Return the first character of the next (+1) word, or of the word before (-1); its own counts when inside."""
        return self._start(at, step, self.units.words)

    def word_end(self, at: Reach) -> Reach | None:
        """Return the last character of the word at a stretch, of the next one at its end."""
        here = self._piece(at)
        for piece, spans in self.units.blocks_from(at, 1, self.units.words):
            ends = [end for _start, end in spans]
            number = bisect_right(ends, at.last.offset) if piece is here else 0
            if number < len(ends):
                return self._char_of(piece, ends[number] - 1)
        return None

    def unit_end(self, at: Reach, motion: Motion) -> Reach | None:
        """Return the last character of the word, sentence or paragraph at a stretch, of the next one at its end."""
        unit = self._unit_at(at, motion)
        if unit is None or unit.last <= at.last:
            following = self.go(at, motion, 0)
            unit = None if following is None or following.first <= at.first else self._unit_at(following, motion)
        return None if unit is None else self._last_of(unit)

    def end_before(self, at: Reach, motion: Motion) -> Reach | None:
        """Return the last character of the last word, sentence or paragraph that ends before a stretch.

        `motion` is the one that goes back.
        """
        unit = None
        while True:
            before = self.go(at if unit is None else unit, motion, 0)
            unit = None if before is None else self._unit_at(before, motion)
            if unit is None or unit.last <= at.first:
                return None if unit is None else self._last_of(unit)

    def _unit_at(self, at: Reach, motion: Motion) -> Reach | None:
        found = {
            Motion.WORD: self.units.word_at,
            Motion.SENTENCE: self.units.sentence_at,
            Motion.PARAGRAPH: self.units.paragraph_at,
        }
        return found[_BACKWARDS.get(motion, motion)](at.first.document, at.first.offset)

    def _last_of(self, unit: Reach) -> Reach | None:
        last = self.units.char(unit.last.document, unit.last.offset - 1)
        piece = None if last is None else self._piece(last)
        is_drawn = last is None or piece is None or self._is_drawn(piece, last.first.offset)
        return last if is_drawn or last is None else self.beside(last, -1)

    def sentence(self, at: Reach, step: int) -> Reach | None:
        """Return the first character of the next (+1) or previous (-1) sentence; its own counts when inside."""
        return self._start(at, step, self.units.sentences)

    def paragraph(self, at: Reach, step: int) -> Reach | None:
        """Return the first character of the next (+1) or previous (-1) paragraph; its own counts when inside."""
        return self._start(at, step, self.units.paragraphs)

    def _start(self, at: Reach, step: int, cut: Cut) -> Reach | None:
        offset = at.first.offset
        here = self._piece(at)
        for piece, spans in self.units.blocks_from(at, step, cut):
            starts = [start for start, _end in spans]
            if piece is not here:
                number = 0 if step > 0 else len(starts) - 1
            else:
                number = bisect_right(starts, offset) if step > 0 else bisect_left(starts, offset) - 1
            if 0 <= number < len(starts):
                return self._char_of(piece, starts[number])
        return None

    def _char_of(self, piece: Slice, offset: int) -> Reach | None:
        start, end = unit_at(piece.text, offset - piece.start)
        found = reach_in(piece, piece.start + start, piece.start + end)
        return found if self._is_drawn(piece, found.first.offset) else self.beside(found, 1)
