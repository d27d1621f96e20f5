"""What goes with a question: where she is, what she selected and put beside it, what was said before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.agent.citations import Place
from engine.agent.companion import Question
from engine.agent.context import Exchange, LayerName, Piece
from engine.domain.book import WorkId
from engine.domain.chat import SpoilerChoice, TurnState
from engine.domain.conversations import MOST_SELECTION_CHARS, Attachment, AttachmentKind, path_to
from engine.domain.locator import Locator
from engine.domain.wiki import PointId
from engine.errors import EntryUnknownError, PlaceUnknownError, WorkNotFoundError
from engine.library.book_view import BookView
from engine.library.turn_starting import Request
from engine.spoilers.policy import FRONTIER, mode_of_others
from engine.store import conversations, reading
from engine.store.turns import TurnRow
from engine.text.script import Script, script_of

if TYPE_CHECKING:
    from engine.library.asking import Asking

_AROUND_CHARS = 1_500
_ATTACHED_CHARS = 4_000
_MOST_NAMES, _MOST_TITLES = 40, 60
_NUMBER = re.compile(r" ?\[\d{1,3}\]")


def question_of(library: Asking, row: TurnRow, asked: Request, book: BookView) -> Question:
    """Return a question with all that goes with it.

    Args:
        library: Where things stand.
        row: The turn.
        asked: What it asks for.
        book: The work, up to the boundary.
    """
    scene = _Scene(library, asked, book)
    pieces = tuple(piece for piece in scene.pieces() if piece.text)
    return Question(row.question, pieces, tuple(scene.places), _history(library, row))


class _Scene:
    """Gathers the pieces, and the places among them that may be cited."""

    def __init__(self, library: Asking, asked: Request, book: BookView) -> None:
        self._library = library
        self._asked = asked
        self._book = book
        self.places: list[Place] = []

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces; what stays the same from turn to turn comes first, for the caches of providers."""
        book, scene = self._book, self._asked.scene
        yield Piece(LayerName.MUST, "book", f"Language of the book: {book.language}. Spoilers: {book.mode}.")
        yield Piece(LayerName.MUST, "title and contents", self._contents(), "The book:", is_material=True)
        yield Piece(LayerName.MUST, "names", self._names(), "Entries of the wiki, most named first:", is_material=True)
        if scene.place is not None:
            yield Piece(LayerName.MUST, "place", self._where(scene.place), "The reader is at:", is_material=True)
        if scene.selection is not None:
            words = self._passage(scene.selection, MOST_SELECTION_CHARS)
            yield Piece(LayerName.MUST, "selection", words, "She has selected:", is_material=True)
        if scene.point is not None:
            yield Piece(LayerName.IMPORTANT, "entry", self._entry(book, scene.point), "She has open:", is_material=True)
        for each in scene.attachments:
            text = self._attached(each)
            yield Piece(LayerName.IMPORTANT, f"attached {each.kind}", text, "She has put beside it:", is_material=True)
        if scene.place is not None:
            yield Piece(LayerName.NICE, "text around", self._around(scene.place), "On her page:", is_material=True)

    def _contents(self) -> str:
        lines = self._book.chapters()
        here = next((line.number for line in reversed(lines) if line.is_read), 1)
        first = max(0, min(here - _MOST_TITLES // 2, len(lines) - _MOST_TITLES))
        shown = [
            f"{line.number}. {line.title or '-'}{'' if line.kind == 'body' else f' ({line.kind})'}"
            f"{' (read)' if line.is_read else ''}"
            for line in lines[first : first + _MOST_TITLES]
        ]
        left = len(lines) - len(shown)
        return "\n".join([self._book.title, *shown, *([f"... {left} chapters more"] if left else [])])

    def _names(self) -> str:
        return ", ".join(point.name for point in self._book.wiki.known[:_MOST_NAMES])

    def _where(self, at: Locator) -> str:
        row = self._row(at)
        return "" if row is None else self._book.where(row.pos(at.start))

    def _row(self, at: Locator) -> reading.DocumentRow | None:
        try:
            with self._library._store.read() as r:
                return reading.document_row(r, at.document)
        except PlaceUnknownError:
            return None

    def _passage(self, at: Locator, most: int) -> str:
        """Return a passage under the place to cite; what she has before her eyes may be cited wherever she has read."""
        row = self._row(at)
        if row is None:
            return ""
        end = min(at.end, at.start + most)
        text = self._library.text_of(at.document, at.start, end)
        place = self._book.place(Locator(at.document, at.start, end), row.pos(at.start), text)
        self.places.append(Place(place.locator, place.pos, place.pos_end, place.where, place.quote, is_elsewhere=True))
        return f"{place.locator} ({place.where})\n{text}"

    def _entry(self, book: BookView, point: PointId) -> str:
        try:
            page = book.wiki.page(point)
        except EntryUnknownError:
            return ""
        lines, places = book.wiki.read(page)
        is_elsewhere = book is not self._book
        self.places += [Place(p.locator, p.pos, p.pos_end, p.where, p.quote, is_elsewhere=is_elsewhere) for p in places]
        return "\n".join([f"{page.title} ({page.kind_words})", *lines])

    def _attached(self, each: Attachment) -> str:
        if each.kind is AttachmentKind.NOTE:
            return self._note(each.note_uid)
        if each.kind is AttachmentKind.ENTRY and each.point is not None:
            is_same = each.work == self._asked.scene.work
            try:
                book = self._book if is_same else self._other(each.work)
                return self._entry(book, each.point)
            except WorkNotFoundError:
                return ""
        return self._passage(each.locator, _ATTACHED_CHARS) if each.locator is not None else ""

    def _other(self, work: WorkId) -> BookView:
        return BookView(self._library, work, FRONTIER, mode_of_others(self._book.mode) or self._library.mode_of(work))

    def _note(self, uid: str) -> str:
        shown = next((each for each in self._library.listed_notes() if each.note.uid == uid), None)
        if shown is None or shown.is_ahead:
            return ""
        note = shown.note
        passage = self._passage(shown.locator, _ATTACHED_CHARS) if shown.locator is not None else ""
        if not passage and note.anchor is not None:
            passage = note.anchor.quote.exact[:_ATTACHED_CHARS]
        return "\n".join(filter(None, [note.title, passage, note.comment[:_ATTACHED_CHARS]]))

    def _around(self, at: Locator) -> str:
        """Return the text before and on her page, never past the boundary."""
        row = self._row(at)
        if row is None:
            return ""
        chars = _AROUND_CHARS // 2 if script_of(self._book.title[:1]) in (Script.HAN, Script.KANA) else _AROUND_CHARS
        start = max(0, at.start - chars // 2)
        end = min(at.start + chars // 2, at.start + max(0, self._book.boundary - row.pos(at.start)))
        return self._passage(Locator(at.document, start, end), chars) if start < end else ""


def _history(library: Asking, row: TurnRow) -> tuple[Exchange, ...]:
    """Return the turns before one, as they were shown; what was told beyond the boundary is not told again."""
    with library._store.read() as r:
        turns = conversations.turns_of(r, row.conversation)
    found = []
    for turn in path_to(turns, row.parent) if row.parent is not None else ():
        view = turn.view
        if view.choice is SpoilerChoice.FULL:
            found.append(Exchange(view.question, "(answered with what lies beyond her reading; not repeated here)"))
        elif view.state is TurnState.COMPLETED:
            found.append(Exchange(view.question, _NUMBER.sub("", view.text)))
    return tuple(found)
