"""Notes outside the library: records that can be brought back whole, and Markdown for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from string import Template
from typing import TypeAlias

from engine.domain.locator import QuoteSelector
from engine.domain.notes import Anchor, Note, NoteKind, ShownNote, Tone
from engine.errors.notes import NoteUnreadableError
from engine.text.sanitize import sanitize, sanitize_in_place, sanitize_line
from engine.translate import _

NoteRecord: TypeAlias = dict[str, str | int | bool | None]
"""A note as one JSON object."""

DEFAULT_TEMPLATE = "$passage\n\n$comment\n\n[$place]($link) · $made\n"
TEMPLATE_WORDS = ("passage", "comment", "place", "chapter", "title", "link", "kind", "tone", "made", "changed")
"""What may stand behind a $ in a template."""
_FORMAT = 1
_HEX = re.compile(r"[0-9a-f]{64}")
_UID = re.compile(r"[0-9a-f]{16}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_MOST = 1 << 40
_NOT_IN_NAMES = re.compile(r"[^\w\- .]")
_MOST_NAME_CHARS = 60
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")
_LIST_MARKUP = re.compile(r"^(\s*\d*)([-+=.)])", re.MULTILINE)
_MANY_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def record_from_note(note: Note) -> NoteRecord:
    """Return a note as a record that holds all of it."""
    anchor = note.anchor
    place: NoteRecord = {}
    if anchor is not None:
        place = {
            "link": str(anchor.link),
            "spine": anchor.spine_index,
            "start": anchor.start,
            "end": anchor.end,
            "exact": anchor.quote.exact,
            "prefix": anchor.quote.prefix,
            "suffix": anchor.quote.suffix,
        }
    return {
        "v": _FORMAT,
        "uid": note.uid,
        "kind": str(note.kind),
        "tone": str(note.tone),
        "comment": note.comment,
        "title": note.title,
        "chapter": note.chapter,
        "book": note.book_sha256,
        **place,
        "lost": note.is_lost,
        "made": note.made_at,
        "changed": note.changed_at,
    }


def note_from_record(record: Mapping[str, object]) -> Note:
    """Read a note back; what is not known in a record is passed over.

    Raises:
        NoteUnreadableError: something it needs is missing, or is nothing of the kind.
    """
    text = _Field(record)
    kind, tone = NoteKind(text.one_of("kind", NoteKind)), Tone(text.one_of("tone", Tone))
    sha256 = text.matching("book", _HEX)
    anchor = None
    if kind is not NoteKind.JOTTING:
        quote = QuoteSelector(*(sanitize_in_place(text.of(name)) for name in ("exact", "prefix", "suffix")))
        start, end = text.number("start"), text.number("end")
        if not sha256 or start >= end:
            raise NoteUnreadableError(_("its place is missing"))
        anchor = Anchor(sha256, text.number("spine"), start, end, quote)
    return Note(
        kind,
        anchor,
        sanitize(text.of("comment")),
        tone,
        sha256,
        sanitize_line(text.of("title")),
        sanitize_line(text.of("chapter")),
        record.get("lost") is True,
        text.matching("made", _TIME),
        text.matching("changed", _TIME),
        text.matching("uid", _UID),
    )


class _Field:
    """Reads the fields of a record that may hold anything."""

    def __init__(self, record: Mapping[str, object]) -> None:
        self._record = record

    def of(self, name: str) -> str:
        value = self._record.get(name, "")
        if not isinstance(value, str):
            raise NoteUnreadableError(_("{name} is no text").format(name=name))
        return value

    def matching(self, name: str, pattern: re.Pattern[str]) -> str:
        value = self.of(name)
        if value and not pattern.fullmatch(value):
            raise NoteUnreadableError(_("{name} is none").format(name=name))
        return value

    def one_of(self, name: str, kinds: type[NoteKind] | type[Tone]) -> str:
        value = self.of(name) or (str(Tone.MARK) if kinds is Tone else "")
        if value not in {str(kind) for kind in kinds}:
            raise NoteUnreadableError(_("{name} is none").format(name=name))
        return value

    def number(self, name: str) -> int:
        value = self._record.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST:
            raise NoteUnreadableError(_("{name} is no number").format(name=name))
        return value


# Markdown


def check_template(text: str) -> Template:
    """Return a template for notes.

    Raises:
        NoteUnreadableError: it asks for something a note does not have.
    """
    template = Template(text)
    unknown = [name for name in template.get_identifiers() if name not in TEMPLATE_WORDS]
    if unknown or not template.is_valid():
        known = ", ".join(f"${name}" for name in TEMPLATE_WORDS)
        raise NoteUnreadableError(_("a template knows {known}, and $$ for a dollar").format(known=known))
    return template


def markdown_of_notes(
    notes: Sequence[ShownNote],
    passage: Callable[[ShownNote], str],
    template: Template | None = None,
    link: Callable[[ShownNote], str] | None = None,
) -> Iterator[str]:
    """Yield notes as Markdown, a piece a work, a chapter, a note: works as first headings, chapters as second.

    Args:
        notes: In the order they are to have.
        passage: Returns the Markdown of a note's passage; empty where its words alone are known.
        template: For each note.
        link: Returns its address; the one of its anchor by default.
    """
    template = template or Template(DEFAULT_TEMPLATE)
    for title, of_work in groupby(notes, key=lambda shown: shown.note.title):
        yield f"# {escaped(title) or _('Jottings')}\n\n"
        for chapter, of_chapter in groupby(of_work, key=lambda shown: shown.note.chapter):
            if chapter:
                yield f"## {escaped(chapter)}\n\n"
            for shown in of_chapter:
                yield _one(shown, passage(shown), template, link)


def _one(shown: ShownNote, passage: str, template: Template, link: Callable[[ShownNote], str] | None) -> str:
    note = shown.note
    words = passage or (escaped(note.anchor.quote.exact) if note.anchor is not None else "")
    address = link(shown) if link is not None else str(note.anchor.link) if note.anchor is not None else ""
    made = template.substitute(
        passage=_quoted(words),
        comment=note.comment,
        place=escaped(note.chapter or note.title) or _("no book"),
        chapter=escaped(note.chapter),
        title=escaped(note.title),
        link=address,
        kind=str(note.kind),
        tone=str(note.tone),
        made=note.made_at,
        changed=note.changed_at,
    )
    if not address:
        made = made.replace(f"[{escaped(note.chapter or note.title) or _('no book')}]()", escaped(note.title))
    return sanitize(_MANY_BLANK_LINES.sub("\n\n", made).strip("\n ·") + "\n\n")


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip("\n").split("\n")) if text else ""


def escaped(text: str) -> str:
    """Return words as Markdown that shows them as they are."""
    return _LIST_MARKUP.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", text))


def free_file(folder: Path, title: str) -> Path:
    """Return a file for notes of a title that is not there yet; nothing in a title leads to another folder."""
    stem = _NOT_IN_NAMES.sub("", sanitize_line(title)).strip(" .")[:_MOST_NAME_CHARS] or "notes"
    names = (f"{stem}{end}.md" for end in ("", *(f" {n}" for n in range(2, 10_000))))
    return next(file for name in names if not (file := folder / name).exists())


def by_work(notes: Iterable[ShownNote]) -> dict[str, list[ShownNote]]:
    """Return notes by the title of their work, in the order the works come."""
    found: dict[str, list[ShownNote]] = {}
    for shown in notes:
        found.setdefault(shown.note.title, []).append(shown)
    return found
