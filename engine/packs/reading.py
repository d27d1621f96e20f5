"""From the lines of a stranger's file to a pack: every field checked, what is not expected refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from engine.domain.knowledge import PointKind
from engine.domain.locator import DeepLink, deep_link_from_text
from engine.domain.statements import QuoteHow, Role, Verdict
from engine.errors.packs import PackUnreadableError
from engine.packs.records import (
    FORMAT,
    NOTHING,
    QUOTE_CHARS,
    VERSION,
    Pack,
    PackBook,
    PackEntry,
    PackEvidence,
    PackForm,
    PackIdentity,
    PackPoint,
    PackStatement,
    PackWriter,
)
from engine.text.sanitize import sanitize_line
from engine.translate import _

_E = TypeVar("_E", bound=StrEnum)
_HEX64, _NOT_EMPTY = re.compile(r"[0-9a-f]{64}"), re.compile(r"\S.*")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TIERS = frozenset({"core", "supporting", "local"})
_MOST_BOOKS, _MOST_POINTS, _MOST_FORMS, _MOST_EVIDENCE, _MOST_LINKS = 200, 20_000, 200, 64, 200
_MOST_TEXT, _MOST_NAME, _MOST_TITLE = 4_000, 200, 300
_MOST_NUMBER = (1 << 31) - 1
_MOST_PASSAGE = 4_000
"""Characters from the first of a passage to its last."""


def pack_from_lines(lines: Iterable[bytes]) -> Pack:
    """Read a pack.

    Raises:
        PackUnreadableError: a line is nothing a pack of this format holds.
    """
    draft = _Draft()
    number = 0
    for number, line in enumerate(lines, 1):
        fields = _Fields(_parsed(line, number), number)
        if draft.is_ended:
            raise fields.wrong("is")
        _TAKERS.get(fields.text("is", 20), _refuse)(draft, fields)
        fields.must_be_all()
    if not draft.is_ended:
        raise PackUnreadableError(_("it is cut off"))
    return draft.finished()


def _parsed(line: bytes, number: int) -> Mapping[str, object]:
    def refuse(_text: str) -> object:
        raise ValueError

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    try:
        found = json.loads(line.decode("utf-8"), parse_float=refuse, parse_constant=refuse, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:  # also bytes that are no UTF-8 and numbers of 5 000 digits
        raise PackUnreadableError(_("line {n} is no record").format(n=number)) from error
    if not isinstance(found, dict):
        raise PackUnreadableError(_("line {n} is no record").format(n=number))
    return found


class _Fields:
    """The fields of a line, each taken once."""

    def __init__(self, record: Mapping[str, object], number: int) -> None:
        self._record = dict(record)
        self._number = number

    def wrong(self, name: str) -> PackUnreadableError:
        """Return the refusal of a field."""
        where = sanitize_line(name)[:30]
        return PackUnreadableError(_("line {n}: {name} is not what it should be").format(n=self._number, name=where))

    def must_be_all(self) -> None:
        """Refuse what is left."""
        if self._record:
            raise self.wrong(next(iter(self._record)))

    def text(self, name: str, most: int, pattern: re.Pattern[str] | None = None) -> str:
        """Take a text, cleaned of what drives a terminal."""
        value = self._record.pop(name, None)
        if not isinstance(value, str) or len(value) > most:
            raise self.wrong(name)
        if pattern is not None and not pattern.fullmatch(value):
            raise self.wrong(name)
        return _clean(value)

    def number(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """Take a whole number."""
        value = self._record.pop(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(name)
        return value

    def flag(self, name: str) -> bool:
        """Take a yes or no, no where it is missing."""
        value = self._record.pop(name, False)
        if not isinstance(value, bool):
            raise self.wrong(name)
        return value

    def one_of(self, name: str, kinds: type[_E]) -> _E:
        """Take one of a closed set."""
        value = self.text(name, 40)
        try:
            return kinds(value)
        except ValueError as error:
            raise self.wrong(name) from error

    def items(self, name: str, most: int) -> list[object]:
        """Take a list, empty where it is missing."""
        value = self._record.pop(name, [])
        if not isinstance(value, list) or len(value) > most:
            raise self.wrong(name)
        return value

    def link(self, name: str) -> DeepLink:
        """Take a place."""
        return self.as_link(name, self._record.pop(name, None))

    def has(self, name: str) -> bool:
        """Say whether a field is there."""
        return name in self._record

    def as_link(self, name: str, value: object) -> DeepLink:
        """Read a place."""
        found = deep_link_from_text(value) if isinstance(value, str) and len(value) <= _MOST_TITLE * 2 else None
        if found is None or not found.start <= found.end <= found.start + _MOST_PASSAGE:
            raise self.wrong(name)
        if len(found.exact) > QUOTE_CHARS or max(found.spine_index, found.end) > _MOST_NUMBER:
            raise self.wrong(name)
        return found


def _clean(text: str) -> str:
    """Return a text whose parts, set apart by tabs, are one line each."""
    return "\t".join(sanitize_line(part) for part in text.split("\t"))


@dataclass(slots=True)
class _Draft:
    """A pack on its way."""

    head: tuple[str, str, str, str] | None = None
    books: list[PackBook] = field(default_factory=list)
    writers: list[PackWriter] = field(default_factory=list)
    points: list[PackPoint] = field(default_factory=list)
    identities: list[PackIdentity] = field(default_factory=list)
    statements: list[PackStatement] = field(default_factory=list)
    entries: list[PackEntry] = field(default_factory=list)
    is_ended: bool = False

    @property
    def count(self) -> int:
        """Lines so far."""
        lists = (self.books, self.writers, self.points, self.identities, self.statements, self.entries)
        return (self.head is not None) + sum(len(each) for each in lists)

    def finished(self) -> Pack:
        """Return the pack.

        Raises:
            PackUnreadableError: it has no head or no book, or something is about a point or book it does not have.
        """
        if self.head is None or not self.books:
            raise PackUnreadableError(_("it does not say which books it is about"))
        pack = Pack(
            *self.head, tuple(self.books), tuple(self.writers), tuple(self.points), tuple(self.identities),
            tuple(self.statements), tuple(self.entries),
        )  # fmt: skip
        if not _hangs_together(pack):
            raise PackUnreadableError(_("it speaks of something it does not hold"))
        return pack


def _hangs_together(pack: Pack) -> bool:
    books, points = {book.sha256[:16] for book in pack.books}, range(1, len(pack.points) + 1)
    links = [link for s in pack.statements for link in (*_links_of(s), *([s.not_before] if s.not_before else []))]
    links += [form.learned_at for point in pack.points for form in point.forms if form.learned_at is not None]
    links += [link for each in pack.identities for link in (each.evidence, each.known_at)]
    named = [n for s in pack.statements for n in (*s.links, *([s.point] if s.point else []))]
    named += [n for each in pack.identities for n in (each.a, each.b)] + [each.point for each in pack.entries]
    are_writers = all(s.writer <= len(pack.writers) for s in pack.statements)
    is_known = all(link.book_sha16 in books for link in links)
    return len(books) == len(pack.books) and is_known and all(n in points for n in named) and are_writers


def _links_of(statement: PackStatement) -> list[DeepLink]:
    return [each.link for each in statement.evidence]


# one taker for each kind of line


def _refuse(_draft: _Draft, fields: _Fields) -> None:
    raise fields.wrong("is")


def _take_head(draft: _Draft, fields: _Fields) -> None:
    if draft.head is not None or fields.text("format", 40) != FORMAT:
        raise fields.wrong("format")
    if fields.number("version", 1, _MOST_NUMBER) != VERSION:
        raise PackUnreadableError(_("it was made by a later release"))
    title, language = fields.text("title", _MOST_TITLE), fields.text("language", 40)
    draft.head = (title, language, fields.text("made", 10, _DAY), fields.text("program", 40))


def _take_book(draft: _Draft, fields: _Fields) -> None:
    if draft.head is None or len(draft.books) >= _MOST_BOOKS:
        raise fields.wrong("is")
    sha256, text_hash = fields.text("sha256", 64, _HEX64), fields.text("text", 64, _HEX64)
    draft.books.append(PackBook(sha256, text_hash, fields.text("title", _MOST_TITLE)))


def _take_writer(draft: _Draft, fields: _Fields) -> None:
    model, prompt = fields.text("model", _MOST_NAME), fields.text("prompt", _MOST_NAME)
    draft.writers.append(PackWriter(model, prompt, fields.text("made", 10, _DAY)))


def _take_point(draft: _Draft, fields: _Fields) -> None:
    if len(draft.points) >= _MOST_POINTS:
        raise fields.wrong("is")
    forms = tuple(_form(fields, each) for each in fields.items("forms", _MOST_FORMS))
    name = fields.text("name", _MOST_NAME)
    if not name or not forms:
        raise fields.wrong("forms")
    set_right = fields.text("set", 20) if fields.has("set") else ""
    if set_right not in ("", NOTHING, *map(str, PointKind)):
        raise fields.wrong("set")
    draft.points.append(PackPoint(fields.one_of("kind", PointKind), name, forms, set_right))


def _form(fields: _Fields, value: object) -> PackForm:
    if not isinstance(value, list) or not 1 <= len(value) <= 2 or not isinstance(value[0], str):
        raise fields.wrong("forms")
    form = sanitize_line(value[0])
    if not form or len(form) > _MOST_NAME:
        raise fields.wrong("forms")
    return PackForm(form, None if len(value) == 1 else fields.as_link("forms", value[1]))


def _take_identity(draft: _Draft, fields: _Fields) -> None:
    a, b = fields.number("a", 1, _MOST_POINTS), fields.number("b", 1, _MOST_POINTS)
    if a == b:
        raise fields.wrong("b")
    basis = fields.text("basis", 40)
    draft.identities.append(PackIdentity(a, b, basis, fields.link("evidence"), fields.link("known")))


def _take_statement(draft: _Draft, fields: _Fields) -> None:
    evidence = tuple(_evidence(fields, each) for each in fields.items("evidence", _MOST_EVIDENCE))
    links = tuple(fields.items("links", _MOST_LINKS))
    numbers = tuple(n for n in links if isinstance(n, int) and not isinstance(n, bool))
    text = fields.text("text", _MOST_TEXT)
    if len(numbers) != len(links) or not text.strip():
        raise fields.wrong("links" if text.strip() else "text")
    draft.statements.append(
        PackStatement(
            fields.text("unit", _MOST_NAME, _NOT_EMPTY),
            fields.number("point", 1, _MOST_POINTS, default=1) if fields.has("point") else 0,
            fields.one_of("role", Role),
            fields.text("section", _MOST_NAME),
            fields.number("ord", 0, _MOST_NUMBER),
            text,
            numbers,
            fields.one_of("verdict", Verdict),
            fields.flag("marked"),
            fields.link("not_before") if fields.has("not_before") else None,
            fields.number("writer", 0, _MOST_NUMBER, default=0),
            evidence,
        )
    )


def _evidence(fields: _Fields, value: object) -> PackEvidence:
    link, how = value if isinstance(value, list) and len(value) == 2 else (value, QuoteHow.EXACT)
    found = fields.as_link("evidence", link)
    if not found.exact or how not in tuple(QuoteHow):
        raise fields.wrong("evidence")
    return PackEvidence(found, QuoteHow(how))


def _take_entry(draft: _Draft, fields: _Fields) -> None:
    tier = fields.text("tier", 20)
    if tier not in _TIERS:
        raise fields.wrong("tier")
    draft.entries.append(PackEntry(fields.number("point", 1, _MOST_POINTS), tier))


def _take_end(draft: _Draft, fields: _Fields) -> None:
    if fields.number("lines", 1, _MOST_NUMBER) != draft.count:
        raise fields.wrong("lines")
    draft.is_ended = True


_TAKERS = {
    "pack": _take_head,
    "book": _take_book,
    "writer": _take_writer,
    "point": _take_point,
    "identity": _take_identity,
    "statement": _take_statement,
    "entry": _take_entry,
    "end": _take_end,
}
