"""What the list of notes shows, row by row: works, chapters, passages, comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from engine.domain.notes import NoteKind, ShownNote
from engine.domain.outline import VEILED_TITLE
from engine.text.sanitize import sanitize_line
from engine.translate import N_, _


class NoteRowKind(StrEnum):
    """What a row is."""

    WORK = "work"
    CHAPTER = "chapter"
    NOTE = "note"
    COMMENT = "comment"
    """The second row of a note."""


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A row of the list."""

    kind: NoteRowKind
    words: str
    shown: ShownNote | None = None


KIND_WORDS: Mapping[NoteKind, str] = {
    NoteKind.HIGHLIGHT: N_("highlights"),
    NoteKind.ANNOTATION: N_("comments"),
    NoteKind.EXCERPT: N_("excerpts"),
    NoteKind.JOTTING: N_("jottings"),
}
"""Marked for translation."""


def fitting(notes: Iterable[ShownNote], words: str, kind: NoteKind | None) -> list[ShownNote]:
    """Return the notes that hold all of some words, and are of a kind; None for any."""
    wanted = words.casefold().split()
    return [
        shown
        for shown in notes
        if (kind is None or shown.note.kind is kind) and all(word in _all_words(shown) for word in wanted)
    ]


def _all_words(shown: ShownNote) -> str:
    note = shown.note
    exact = note.anchor.quote.exact if note.anchor is not None else ""
    return "\n".join((exact, note.comment, note.title, note.chapter)).casefold()


def note_rows(notes: Sequence[ShownNote]) -> list[NoteRow]:
    """Return the rows of a list, grouped by work and chapter in the order they come."""
    return list(_rows(notes))


def _rows(notes: Sequence[ShownNote]) -> Iterator[NoteRow]:
    for title, of_work in groupby(notes, key=lambda shown: shown.note.title):
        yield NoteRow(NoteRowKind.WORK, sanitize_line(title) or _("Of no work"))
        for chapter, of_chapter in groupby(of_work, key=_chapter):
            if chapter:
                yield NoteRow(NoteRowKind.CHAPTER, chapter)
            for shown in of_chapter:
                note = shown.note
                if shown.is_ahead:
                    yield NoteRow(NoteRowKind.NOTE, VEILED_TITLE, shown)
                    continue
                passage = sanitize_line(note.anchor.quote.exact) if note.anchor is not None else ""
                comment = sanitize_line(note.comment)
                yield NoteRow(NoteRowKind.NOTE, passage or comment, shown)
                if passage and comment:
                    yield NoteRow(NoteRowKind.COMMENT, comment, shown)


def _chapter(shown: ShownNote) -> str:
    if shown.is_ahead:
        return _("Ahead of where you have read")
    if shown.note.is_lost:
        return _("Not found in the text that is here now")
    return sanitize_line(shown.note.chapter)
