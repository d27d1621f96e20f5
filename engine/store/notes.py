"""What the reader keeps of her books, known by their content and not by ids of this library."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Locator, QuoteSelector, pos_of
from engine.domain.notes import Anchor, Note, NoteId, NoteKind, ShownNote, Tone
from engine.store.connection import Connection, utc_now

_NAMES = (
    *("uid", "kind", "tone", "book_sha256", "spine_index", "start", '"end"', "exact", "prefix", "suffix"),
    *("comment", "title", "chapter", "is_lost", "made_at", "changed_at", "rev", "is_brought"),
)
_COLUMNS = ", ".join(_NAMES)
_PLACES = ", ".join("?" * len(_NAMES))
# Where a note stands now: its document, if its book is here; for a jotting the first volume of its book.
_SHOWN = (
    f"SELECT n.id, {', '.join(f'n.{name}' for name in _NAMES)}, d.id, v.work_id, v.ord, d.base, d.length"  # noqa: S608
    " FROM reader_note n LEFT JOIN book b ON b.sha256 = n.book_sha256 AND b.state = 'ready'"
    " LEFT JOIN document d ON d.book_id = b.id AND d.spine_index = n.spine_index"
    " LEFT JOIN volume v ON v.id = coalesce(d.volume_id, (SELECT min(id) FROM volume WHERE book_id = b.id))"
)


def new_uid() -> str:
    """Return a name no other note has."""
    return os.urandom(8).hex()


def put_note(w: Connection, note: Note) -> Note:
    """Keep a note that is not kept yet, and return it as it is kept."""
    now = utc_now()
    kept = replace(
        note, uid=note.uid or new_uid(), made_at=note.made_at or now, changed_at=note.changed_at or note.made_at or now
    )
    w.execute(f"INSERT INTO reader_note ({_COLUMNS}) VALUES ({_PLACES})", _values(kept))  # noqa: S608  (our own names)
    return replace(kept, id=NoteId(w.last_insert_rowid()))


def change_note(w: Connection, note: Note) -> Note | None:
    """Write the kind, comment and tone of a kept note, and return it as it is kept.

    None when it is not what it was for whoever changed it: another window has changed it since, or taken it away.
    """
    changed = replace(note, changed_at=utc_now(), rev=note.rev + 1)
    w.execute(
        "UPDATE reader_note SET kind = ?, comment = ?, tone = ?, changed_at = ?, rev = ? WHERE id = ? AND rev = ?",
        (note.kind, note.comment, note.tone, changed.changed_at, changed.rev, note.id, note.rev),
    )
    return changed if w.changes() else None


def delete_note(w: Connection, note: NoteId) -> None:
    """Take a note away; one that is not there is no error."""
    w.execute("DELETE FROM reader_note WHERE id = ?", (note,))


def note_by_id(r: Connection, note: NoteId) -> Note | None:
    """Return a note, None when there is none of that id."""
    row = r.execute(f"SELECT id, {_COLUMNS} FROM reader_note WHERE id = ?", (note,)).fetchone()  # noqa: S608
    return None if row is None else _note_from(row)


def uids(r: Connection) -> frozenset[str]:
    """Return the uids of all notes."""
    return frozenset(str(uid) for (uid,) in r.execute("SELECT uid FROM reader_note"))


def notes_of_book(r: Connection, sha256: str) -> tuple[Note, ...]:
    """Return the notes of a book, imported or not, in the order of its text; served by `reader_note_book`."""
    rows = r.execute(
        f"SELECT id, {_COLUMNS} FROM reader_note WHERE book_sha256 = ? ORDER BY spine_index, start, id",  # noqa: S608
        (sha256,),
    )
    return tuple(_note_from(row) for row in rows)


def shown_notes(r: Connection, work: WorkId | None = None) -> tuple[ShownNote, ...]:
    """Return notes in story order, all of them or a work's; those without a place follow the others of their work."""
    rows = r.execute(f"{_SHOWN} WHERE ?1 IS NULL OR v.work_id = ?1", (work,))
    found = [_shown_from(row) for row in rows]
    return tuple(sorted(found, key=_story_order))


def shown_note(r: Connection, note: NoteId) -> ShownNote | None:
    """Return a note as it stands, None when there is none of that id."""
    row = r.execute(f"{_SHOWN} WHERE n.id = ?", (note,)).fetchone()
    return None if row is None else _shown_from(row)


def put_anchors(w: Connection, notes: Iterable[Note]) -> None:
    """Write where notes stand now, and whether they were lost."""
    w.executemany(
        'UPDATE reader_note SET book_sha256 = ?, spine_index = ?, start = ?, "end" = ?,'
        " exact = ?, prefix = ?, suffix = ?, is_lost = ? WHERE id = ?",
        [(*_anchor_values(note), int(note.is_lost), note.id) for note in notes],
    )


def take_along(w: Connection, source: str, sha256: str) -> None:
    """Give what is still kept for a book to the one that took its place; where it stands there is not known."""
    w.execute(
        "UPDATE reader_note SET book_sha256 = ?, is_lost = spine_index >= 0 WHERE book_sha256 = ?", (sha256, source)
    )


def _story_order(shown: ShownNote) -> tuple[object, ...]:
    has_place = shown.locator is not None
    return (shown.work is None, shown.work or 0, shown.note.title, not has_place, shown.pos, shown.note.id)


def _values(note: Note) -> tuple[str | int, ...]:
    return (
        note.uid,
        note.kind,
        note.tone,
        *_anchor_values(note),
        note.comment,
        note.title,
        note.chapter,
        int(note.is_lost),
        note.made_at,
        note.changed_at,
        note.rev,
        int(note.is_brought),
    )


def _anchor_values(note: Note) -> tuple[str, int, int, int, str, str, str]:
    anchor = note.anchor
    if anchor is None:
        return (note.book_sha256, -1, 0, 0, "", "", "")
    quote = anchor.quote
    place = (anchor.book_sha256, anchor.spine_index, anchor.start, anchor.end)
    return (*place, quote.exact, quote.prefix, quote.suffix)


def _note_from(row: Sequence[Any]) -> Note:  # Any: SQLite's columns are typed by the schema alone
    id_, uid, kind, tone, sha256, spine_index, start, end, exact, prefix, suffix, *rest = row
    comment, title, chapter, is_lost, made_at, changed_at, rev, is_brought = rest
    anchor = None
    if spine_index >= 0:
        anchor = Anchor(sha256, spine_index, start, end, QuoteSelector(exact, prefix, suffix))
    tones = {each.value: each for each in Tone}
    return Note(
        NoteKind(kind),
        anchor,
        comment,
        tones.get(tone, Tone.MARK),
        sha256,
        title,
        chapter,
        bool(is_lost),
        made_at,
        changed_at,
        uid,
        rev,
        NoteId(id_),
        bool(is_brought),
    )


def _shown_from(row: Sequence[Any]) -> ShownNote:
    *own, document, work, ord_, base, length = row
    note = _note_from(own)
    anchor = note.anchor
    if document is None or anchor is None or note.is_lost:
        return ShownNote(note, None if work is None else WorkId(work))
    start, end = min(anchor.start, length), min(anchor.end, length)
    return ShownNote(note, WorkId(work), Locator(DocumentId(document), start, end), pos_of(ord_, base + start))
