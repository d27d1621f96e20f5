"""What is selected on a page, and where its caret goes. Imported when something is first selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from tui.render.caret import Caret, Motion, holds_text
from tui.render.flow import RowRef
from tui.render.layers import Layer
from tui.render.pointer import Pointer
from tui.render.selection import Reach, Selection, reach_in
from tui.render.words import Span

if TYPE_CHECKING:
    from tui.widgets.selectable_text import SelectableText

_MOST_ROWS = 4000
"""Looked through for the caret; what is farther away is jumped to."""
_SENTENCE_CLICKS, _PARAGRAPH_CLICKS = 3, 4


class Selecting:
    """The selection of one page of text."""

    def __init__(self, view: SelectableText) -> None:
        """Take the page."""
        self._view = view
        self._flow = view.flow
        self._caret = Caret(view.flow, self._names_in)
        self.selection: Selection | None = None
        """What is selected; None for nothing."""
        self._cell = 0
        """The cell up and down keep to."""
        self._awaited: tuple[Motion, int] | None = None
        """A motion to be done, and how often, when more of the text is loaded."""
        self._bases: dict[DocumentId, Pos] = {}

    def _names_in(self, document: DocumentId, start: int, end: int) -> Sequence[Span]:
        return self._view.names(document, start, end)

    def names_shown(self) -> list[Reach]:
        """Return the known names that begin on the page, from the top, each once."""
        rows = [(self._flow.loaded.slice_of(ref.key), self._flow.row(ref)) for ref in self._view.refs]
        found: dict[str, Reach] = {}
        for piece, row in rows:
            for start, end in self._view.names(piece.key.document, row.start, row.end):
                if row.start <= start:
                    found.setdefault(piece.text[start - piece.start : end - piece.start], reach_in(piece, start, end))
        return list(found.values())

    def reach_of(self, document: DocumentId, start: int, end: int) -> Reach | None:
        """Return a stretch of the text; None when it is not loaded."""
        piece = self._flow.loaded.find(document, start)
        return None if piece is None or start >= end else reach_in(piece, start, end)

    def link_in_focus(self) -> Reach | None:
        """Return the words of the link in focus, or the word a note in focus hangs on; None for none."""
        if self._view.link_focus is None:
            return None
        ref, link = self._view.link_focus
        document, row = ref.key.document, self._flow.row(ref)
        if link.note:
            return self._caret.units.word_at(document, max(0, link.offset - 1))
        return self.reach_of(document, row.offset_of(link.start), row.offset_of(link.end - 1) + 1)

    # the selection

    def clear(self) -> bool:
        """Select nothing; say whether something was selected."""
        had = self.selection is not None
        self._awaited = None
        self._show(None)
        self._bases.clear()
        return had

    def select(self, reach: Reach, *, has_caret: bool = True) -> bool:
        """Select a stretch, with the caret on its last character; False when it is not loaded."""
        first = self._caret.units.char(reach.first.document, reach.first.offset)
        last = self._caret.units.char(reach.last.document, max(0, reach.last.offset - 1))
        if first is None or last is None:
            return False
        self._show(Selection(first, last, has_caret))
        self._cell = self._caret.cell(last)
        return True

    def select_first_word(self) -> bool:
        """Select the first word of the page; False when there is none."""
        for ref in self._view.refs:
            if holds_text(self._flow.row(ref)):
                start = self._caret.char_in_row(ref, 0)
                first = start if self._word_of(start) is not None else self._caret.word(start, 1)
                return first is not None and self.select(self._word_of(first) or first)
        return False

    def _word_of(self, at: Reach) -> Reach | None:
        return self._caret.units.word_at(at.first.document, at.first.offset)

    def begin_anew(self) -> None:
        """Let go of what was passed over and select the word at the caret."""
        if self.selection is not None:
            at = self.selection.caret
            self.select(self._word_of(at) or at)

    def turn(self) -> None:
        """Move the other end from now on."""
        if self.selection is not None:
            self._show(replace(self.selection, has_caret=True).turned())
            self._cell = self._caret.cell(self.selection.caret)
            self._follow()

    def move_caret(self, motion: Motion, count: int = 1) -> None:
        """Move the caret some times; where the text is not loaded it goes on when that comes."""
        selection = self.selection
        if selection is None:
            return
        selection = replace(selection, has_caret=True)
        for done in range(count):
            following = self._moved(selection, motion)
            if following is None:
                self._wait_for_text(selection.caret, motion, count - done)
            if following is None or following == selection:
                break
            selection = following
        if not motion.is_upright:
            self._cell = self._caret.cell(selection.caret)
        self._show(selection)
        self._follow()

    def _moved(self, selection: Selection, motion: Motion) -> Selection | None:
        """Return a selection after a motion, None when nothing is loaded there.

        By words, sentences and paragraphs it holds whole ones: the caret stops on the last character of one at
        the end of the selection, on the first at its start. Where it passes the other end, they change places.
        """
        anchor, at = selection.anchor, selection.caret
        if not motion.is_by_units:
            found = self._caret.go(at, motion, self._cell)
            return None if found is None else selection.moved(found)
        is_at_end = anchor.first <= at.first
        if is_at_end and motion.step > 0:
            found = self._caret.unit_end(at, motion)
        elif is_at_end:
            found = self._caret.end_before(at, motion)
            if found is None or found.first < anchor.first:
                found = self._caret.go(anchor, motion, 0)
                return None if found is None else Selection(at, found)
        else:
            found = self._caret.go(at, motion, 0)
            if motion.step > 0 and found is not None and anchor.first < found.first:
                found = self._caret.unit_end(anchor, motion)
                return None if found is None else Selection(at, found)
        return None if found is None else selection.moved(found)

    def _wait_for_text(self, at: Reach, motion: Motion, count: int) -> None:
        key = self._caret.missing(at, motion.step)
        if key is not None:
            before = self._awaited[1] if self._awaited is not None and self._awaited[0] is motion else 0
            self._awaited = motion, before + count
            self._view.want_text(key, motion.step)

    def text_came(self) -> bool:
        """Finish a motion that waited for text; say whether one did, and waits no more."""
        awaited, self._awaited = self._awaited, None
        if awaited is not None:
            self.move_caret(*awaited)
        return awaited is not None and self._awaited is None

    @property
    def awaits_text(self) -> bool:
        """Whether the caret waits for text to be loaded."""
        return self._awaited is not None

    def stop_waiting(self) -> bool:
        """Leave the caret where it is; say whether it waited for text."""
        awaited, self._awaited = self._awaited, None
        return awaited is not None

    def selected_rows(self) -> tuple[int, int] | None:
        """Return the first and last row of the page that hold something selected; None when none does."""
        if self.selection is None:
            return None
        source = replace(self.selection, has_caret=False).overlays(self._base)
        rows = [(y, ref.key.document, self._flow.row(ref)) for y, ref in enumerate(self._view.refs)]
        lit = [y for y, document, row in rows if row.start < row.end and source(document, row.start, row.end)]
        return (lit[0], lit[-1]) if lit else None

    def _show(self, selection: Selection | None) -> None:
        self.selection = selection
        self._view.lay_over(Layer.SELECTION, None if selection is None else selection.overlays(self._base))

    def _base(self, document: DocumentId) -> Pos:
        if document not in self._bases:
            pieces = (self._flow.loaded.slice_of(ref.key) for ref in self._view.refs if ref.key.document == document)
            piece = next(pieces, None)
            if piece is None:
                return -1  # it is not shown
            self._bases[document] = piece.pos - piece.start
        return self._bases[document]

    # the page follows the caret

    def _follow(self) -> None:
        """Move the page as far as the caret needs to be seen, clear of what lies over the bottom."""
        ref = None if self.selection is None else self._caret.row(self.selection.caret)
        if ref is None or not self._view.refs:
            return
        height = self._view.page_rows
        last = max(0, height - 1 - max(self._view.covered_rows, 1 if height > 1 else 0))
        row = self._rows_to(ref)
        if row is None:
            self._view.go_to(ref.key.document, self._flow.row(ref).start, lead_rows=last // 2)
        elif row < 0:
            self._view.move_rows(row)
        elif row > last:
            self._view.move_rows(row - last)

    def _rows_to(self, wanted: RowRef) -> int | None:
        """Return how many rows below the top of the page a row stands, negative above it; None when far away."""
        for step in (1, -1):
            for rows, ref in enumerate(self._caret.rows_from(self._view.refs[0], step)):
                if ref == wanted:
                    return rows * step
                if rows > _MOST_ROWS:
                    break
        return None

    # the pointer

    def reach_at(self, place: tuple[int, int]) -> Reach | None:
        """Return what is at a (row, cell) of the page; None where there is no text at all."""
        return Pointer(self._flow, self._caret, self._view.refs).reach(*place)

    def drag(self, anchor: Reach, place: tuple[int, int]) -> None:
        """Select what lies between where the pointer went down and a (row, cell) of the page."""
        at = self.reach_at(place)
        if at is not None:
            selection = Selection(anchor, at, has_caret=False)
            self._show(None if selection.reach.is_gap else selection)

    def select_at(self, place: tuple[int, int], clicks: int) -> None:
        """Select the word or name at a (row, cell), the sentence by three clicks, the paragraph by four."""
        at = self.reach_at(place)
        if at is None or at.is_gap:
            return
        document, offset = at.first.document, at.first.offset
        found = {
            _SENTENCE_CLICKS: self._caret.units.sentence_at,
            _PARAGRAPH_CLICKS: self._caret.units.paragraph_at,
        }.get(min(clicks, _PARAGRAPH_CLICKS), self._caret.units.word_at)(document, offset)
        if found is not None:
            self.select(found, has_caret=False)
