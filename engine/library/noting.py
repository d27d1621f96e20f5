"""The half of the library that keeps what the reader highlights, comments on, excerpts and jots down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.domain.book import PICTURE_CHAR, WorkId
from engine.domain.locator import DeepLink, Locator, select_quote
from engine.errors import FileMissingError, PlaceUnknownError
from engine.errors.notes import NoteGoneError, NoteRefusedError, QuoteMissingError
from engine.library.texts import Texts
from engine.store import reading, works
from engine.text.sanitize import sanitize
from engine.translate import _

# engine.domain.notes and engine.store.notes are imported where they are used: the first page needs neither.

if TYPE_CHECKING:
    from string import Template

    from engine.domain.notes import Note, NoteId, NoteKind, ShownNote, Tone
    from engine.store.connection import Connection


class Noting(Texts):
    """The notes of a library. They know their books by content, so they outlive removal, regrouping and rebuilding."""

    def notes(self, work: WorkId | None = None) -> tuple[ShownNote, ...]:
        """Return a work's notes in story order, or all of them work by work.

        What cannot be placed follows at the end of its work: jottings, and passages that were lost.
        """
        from engine.store import notes

        with self._store.read() as r:
            return notes.shown_notes(r, work)

    def add_note(
        self, work: WorkId, kind: NoteKind, passage: Locator, comment: str = "", tone: Tone | None = None
    ) -> ShownNote:
        """Keep a note of a passage; it is on disk when this returns.

        Raises:
            PlaceUnknownError: the work has no such passage.
            NoteRefusedError: the passage is empty or too long, or an annotation has no words.
        """
        from engine.domain.notes import Anchor, Note, Tone

        with self._store.read() as r:
            row = reading.document_row(r, passage.document)
            if row.work != work or not passage.start < passage.end <= row.length:
                raise PlaceUnknownError(str(passage))
            first = max(0, passage.start - 64)
            text = reading.text_of(r, row.id, first, passage.end + 64)
            quote = select_quote(text, passage.start, passage.end, text_offset=first)
            anchor = Anchor(row.sha256, row.spine_index, passage.start, passage.end, quote)
            outline = works.outline(r, work)
            note = Note(kind, anchor, comment, tone or Tone.MARK, row.sha256, outline.title)
            pos = row.pos(passage.start)
        from engine.domain.outline import OutlineIndex

        chapter = OutlineIndex(outline).chapter_at(pos)
        return self.keep_note(replace(note, chapter=chapter.title if chapter is not None else ""))

    def add_jotting(self, work: WorkId | None, comment: str) -> ShownNote:
        """Keep free words, tied to a work or to none.

        Raises:
            WorkNotFoundError: there is no such work.
            NoteRefusedError: there are no words.
        """
        from engine.domain.notes import Note, NoteKind

        sha256 = title = ""
        if work is not None:
            outline = self.outline(work)
            title = outline.title
            sha256 = next((volume.book_sha256 for volume in outline.volumes), "")
        return self.keep_note(Note(NoteKind.JOTTING, comment=comment, book_sha256=sha256, title=title))

    def find_words(self, work: WorkId, words: str) -> Locator:
        """Return where words of a work stand, the first place in the order of the story.

        Raises:
            WorkNotFoundError: there is no such work.
            QuoteMissingError: they stand nowhere in it.
        """
        from engine.text.reanchoring import letters_found

        for volume in self.outline(work).volumes:
            for document in sorted(volume.documents, key=lambda d: d.base):
                with self._store.read() as r:
                    text = reading.text_of(r, document.id, 0, document.length)
                found = letters_found(text, words)
                if found is not None:
                    return Locator(document.id, found.start, found.end)
        raise QuoteMissingError(words)

    def keep_note(self, note: Note) -> ShownNote:
        """Keep a note that is not kept yet; it is on disk when this returns.

        Raises:
            NoteRefusedError: the passage is too long, or there are no words.
        """
        from engine.store import notes

        checked = _checked(note)
        with self._store.write() as w:
            return _shown(w, notes.put_note(w, checked).id)

    def change_note(self, note: Note) -> ShownNote:
        """Keep another comment, kind or tone of a note.

        Where another window has changed it meanwhile both stay: what is given here becomes a note of its own.

        Raises:
            NoteGoneError: it was taken away meanwhile.
            NoteRefusedError: there are no words.
        """
        from engine.domain.notes import NoteId
        from engine.store import notes

        checked = _checked(note)
        with self._store.write() as w:
            changed = notes.change_note(w, checked)
            if changed is None:
                if notes.note_by_id(w, note.id) is None:
                    raise NoteGoneError
                changed = notes.put_note(w, replace(checked, id=NoteId(0), uid="", rev=0, changed_at=""))
            return _shown(w, changed.id)

    def drop_note(self, note: NoteId) -> None:
        """Take a note away; one that is not there is no error. `keep_note` brings it back as it was."""
        from engine.store import notes

        with self._store.write() as w:
            notes.delete_note(w, note)

    def bring_notes(self, brought: Iterable[Note]) -> int:
        """Keep notes of another library, those that are not here yet, and return how many those were.

        A passage is looked for in the text that is here; one whose book is not here waits for it.

        Raises:
            NoteRefusedError: a passage or comment is too long.
        """
        from engine.store import notes, renoting

        kept = 0
        sha256s: dict[str, None] = {}
        with self._store.write() as w:
            known = set(notes.uids(w))
            for note in brought:
                if note.uid not in known:
                    known.add(notes.put_note(w, _checked(replace(note, is_brought=True))).uid)
                    sha256s[note.book_sha256] = None
                    kept += 1
        for sha256 in sha256s:
            with self._store.read() as r:
                placed = renoting.placed_anew(r, sha256)
            if placed.moved:
                with self._store.write() as w:
                    renoting.put_renoted(w, placed)
        return kept

    def notes_as_markdown(self, notes: Sequence[ShownNote], template: Template | None = None) -> Iterator[str]:
        """Yield notes as Markdown in pieces, their passages as the book has them.

        Args:
            notes: In the order they are to have.
            template: How one looks; see `engine.library.note_files`.
        """
        from engine.library.note_files import markdown_of_notes
        from engine.text.markdown import markdown_from_document

        def passage(shown: ShownNote) -> str:
            at = shown.locator
            if at is None:
                return ""
            return markdown_from_document(self.document_text(at.document), at.start, at.end, with_readings=False)

        return markdown_of_notes(notes, passage, template)

    def write_notes(
        self, notes: Sequence[ShownNote], folder: Path, title: str = "", template: Template | None = None
    ) -> Path:
        """Write notes as Markdown into a new file of a folder, which is made, and return the file.

        Raises:
            FileMissingError: the folder cannot be written.
        """
        from engine.library.note_files import free_file

        titles = {shown.note.title for shown in notes}
        named = title or (titles.pop() if len(titles) == 1 else "") or _("Notes")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = free_file(folder, named)
            file.write_text(sanitize("".join(self.notes_as_markdown(notes, template))), encoding="utf-8")
        except OSError as error:
            raise FileMissingError(folder, error.strerror or str(error)) from error
        return file

    def place_of_link(self, link: DeepLink) -> tuple[WorkId, Locator]:
        """Return where an address leads in this library; by its words where the text has moved.

        Raises:
            PlaceUnknownError: its book is not here, or has no such place.
        """
        from engine.text.reanchoring import near_words

        with self._store.read() as r:
            row = reading.document_of_prefix(r, link.book_sha16, link.spine_index)
            if row is None:
                raise PlaceUnknownError(str(link))
            start, end = min(link.start, row.length), min(max(link.start, link.end), row.length)
            text = reading.text_of(r, row.id, start, start + len(link.exact))
            if link.exact and text != link.exact:
                found = near_words(reading.text_of(r, row.id, 0, row.length), link.exact, start)
                if found is not None:
                    end += found - start
                    start = found
            return row.work, Locator(row.id, start, max(start, min(end, row.length)))


def _checked(note: Note) -> Note:
    """Return a note fit to be kept: its words safe, its title and chapter one line.

    Raises:
        NoteRefusedError: it holds no words of anybody, or too many.
    """
    from engine.domain.notes import MOST_COMMENT_CHARS, MOST_PASSAGE_CHARS, NoteKind
    from engine.text.sanitize import sanitize_line

    comment = sanitize(note.comment).strip("\n")
    if len(comment) > MOST_COMMENT_CHARS:
        raise NoteRefusedError.of_long_comment(MOST_COMMENT_CHARS)
    if note.kind in (NoteKind.JOTTING, NoteKind.ANNOTATION) and not comment.strip():
        raise NoteRefusedError.of_no_words()
    if note.kind is not NoteKind.JOTTING:
        if note.anchor is None or not note.anchor.quote.exact.replace(PICTURE_CHAR, "").strip():
            raise NoteRefusedError.of_no_passage()
        if len(note.anchor.quote.exact) > MOST_PASSAGE_CHARS:
            raise NoteRefusedError.of_long_passage(MOST_PASSAGE_CHARS)
    sha256 = note.book_sha256 if note.anchor is None else note.anchor.book_sha256
    title, chapter = sanitize_line(note.title), sanitize_line(note.chapter)
    return replace(note, comment=comment, title=title, chapter=chapter, book_sha256=sha256)


def _shown(r: Connection, note: NoteId) -> ShownNote:
    from engine.store import notes

    shown = notes.shown_note(r, note)
    if shown is None:
        raise NoteGoneError
    return shown
