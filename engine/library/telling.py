"""What is explained or told again, gathered from the library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.agent.access import FoundPassage
from engine.agent.citations import Place
from engine.agent.told import Explained, Retold
from engine.domain.chat import ChatEvent
from engine.domain.conversations import ConversationKind, Facet, path_to
from engine.domain.locator import Locator
from engine.errors import PlaceUnknownError
from engine.library.elsewhere import elsewhere
from engine.library.recapping import stretch_of
from engine.store import conversations, reading

if TYPE_CHECKING:
    from engine.agent.telling import Teller
    from engine.domain.search import PosRange
    from engine.library.asking import Asking
    from engine.library.book_view import BookView
    from engine.library.turn_starting import Request
    from engine.providers.protocols import Cancel
    from engine.store.reading import DocumentRow
    from engine.store.turns import TurnRow

_SCENE_BEFORE, _SCENE_AFTER = 1_600, 500
_WHOLE_TEXT_CHARS = 14_000
"""A stretch up to this long is told from its text, a longer one from what is written of its chapters."""
_MOST_CHAPTERS = 40
"""Of a long stretch, the last ones."""


def told_events(
    library: Asking, row: TurnRow, asked: Request, book: BookView, teller: Teller, cancel: Cancel
) -> Iterator[ChatEvent]:
    """Have a turn of these kinds told.

    Args:
        library: Where things stand.
        row: The turn.
        asked: What it asks for.
        book: The work, up to the boundary.
        teller: Who speaks.
        cancel: Gives it up.

    Raises:
        PlaceUnknownError: what was selected is not there any more.
    """
    if asked.kind is ConversationKind.RECAP:
        stretch = stretch_of(library, asked.scene, asked.span)
        if stretch is None:
            raise PlaceUnknownError(row.question)
        return teller.recap(_retold(book, stretch, row.question), cancel)
    if asked.scene.selection is None:
        raise PlaceUnknownError(row.question)
    return teller.explain(_explained(library, row, asked, book, asked.scene.selection), cancel)


def _explained(library: Asking, row: TurnRow, asked: Request, book: BookView, at: Locator) -> Explained:
    with library._store.read() as r:
        document = reading.document_row(r, at.document)
    words = library.text_of(at.document, at.start, at.end)
    made = book.place(at, document.pos(at.start), words)
    # She has it before her eyes, wherever she has read to.
    place = Place(made.locator, made.pos, made.pos_end, made.where, made.quote, is_elsewhere=True)
    found = elsewhere(library, row.work, words) if Facet.ELSEWHERE in asked.facets else ()
    angle = str(asked.more.get("angle", ""))
    around, outline = _around(library, book, document, at), library.outline(row.work)
    named = " · ".join(filter(None, (outline.title, ", ".join(outline.authors))))
    return Explained(words, place, around, asked.facets, angle, _said(library, row), found, named)


def _around(library: Asking, book: BookView, document: DocumentRow, at: Locator) -> FoundPassage | None:
    """Return the scene before the selection, and behind it as far as she has read; None where she has not read to."""
    if document.pos(at.start) > book.boundary:
        return None
    start = max(0, at.start - _SCENE_BEFORE)
    seen = book.boundary - document.pos(0)
    end = max(at.end, min(at.end + _SCENE_AFTER, seen))
    text = library.text_of(at.document, start, end)
    made = book.place(Locator(at.document, start, start + len(text)), document.pos(start), text)
    place = Place(made.locator, made.pos, made.pos_end, made.where, made.quote, is_elsewhere=True)
    return FoundPassage(place, "", text)


def _said(library: Asking, row: TurnRow) -> str:
    """Return what was said of the selection before."""
    if row.parent is None:
        return ""
    with library._store.read() as r:
        turns = conversations.turns_of(r, row.conversation)
    return "\n\n".join(turn.view.text for turn in path_to(turns, row.parent))


def _retold(book: BookView, stretch: PosRange, words: str) -> Retold:
    numbers = book.numbers_within(stretch)[-_MOST_CHAPTERS:]
    if stretch.end - stretch.start <= _WHOLE_TEXT_CHARS:
        return Retold((), book.text_within(stretch), words)
    return Retold(book.summaries(numbers), (), words)
