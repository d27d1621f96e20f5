"""Notes in files: whatever they hold comes back the same, and nothing in them drives a terminal."""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.cli.noting import _notes_in
from engine.cli.output import Output
from engine.domain.book import PICTURE_CHAR
from engine.domain.locator import QuoteSelector
from engine.domain.notes import Anchor, Note, NoteId, NoteKind, ShownNote, Tone
from engine.errors.notes import NoteUnreadableError
from engine.library import Library
from engine.library.note_files import check_template, markdown_of_notes, note_from_record, record_from_note
from engine.text.sanitize import is_clean, sanitize, sanitize_in_place, sanitize_line
from tests.shelving import paths_in

_HOSTILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
_SIGNS = "\x1b\x07\x9b\u202e\u2066\r\n\t\x00$`*_[]()<>#|漢字🇯🇵é"
_ANY = st.text(st.one_of(st.characters(), st.sampled_from(_SIGNS)), max_size=60)
_HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
_TIMES = st.just("2026-05-04T03:02:01Z")


@st.composite
def _notes(draw: st.DrawFn) -> Note:
    """Notes as the library keeps them: it lets nothing hostile in."""
    kind = draw(st.sampled_from(NoteKind))
    anchor = None
    sha256 = draw(_HEX)
    if kind is not NoteKind.JOTTING:
        start = draw(st.integers(0, 10_000))
        quote = QuoteSelector(*(sanitize_in_place(draw(_ANY)) for _part in range(3)))
        end = start + draw(st.integers(1, 500))
        anchor = Anchor(sha256, draw(st.integers(0, 400)), start, end, quote)
    return Note(
        kind,
        anchor,
        sanitize(draw(_ANY)),
        draw(st.sampled_from(Tone)),
        sha256,
        sanitize_line(draw(_ANY)),
        sanitize_line(draw(_ANY)),
        draw(st.booleans()),
        draw(_TIMES),
        draw(_TIMES),
        draw(_HEX)[:16],
    )


def _written(notes: list[Note]) -> str:
    stream = io.StringIO()
    out = Output(stream, io.StringIO())
    for note in notes:
        out.record(record_from_note(note))
    return stream.getvalue()


@settings(max_examples=60, deadline=None)
@given(st.lists(_notes(), max_size=5))
def test_what_was_exported_is_imported_the_same(notes: list[Note]) -> None:
    assert list(_notes_in(_written(notes))) == notes


@settings(max_examples=60, deadline=None)
@given(st.lists(_notes(), max_size=3))
def test_no_json_holds_a_hostile_character(notes: list[Note]) -> None:
    assert _HOSTILE.search(_written(notes).replace("\n", "")) is None


@settings(max_examples=60, deadline=None)
@given(st.lists(_notes(), max_size=3), _ANY)
def test_no_markdown_holds_a_hostile_character(notes: list[Note], words: str) -> None:
    shown = [ShownNote(replace(note, id=NoteId(n))) for n, note in enumerate(notes)]
    assert is_clean("".join(markdown_of_notes(shown, lambda _shown: words)))


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["kind", "tone", "uid", "book", "spine", "start", "end", "exact", "comment", "made", "lost"]),
        st.one_of(_ANY, st.integers(), st.none(), st.booleans(), st.sampled_from([*NoteKind, *Tone]), _HEX),
    )
)
def test_whatever_a_record_holds_is_a_note_or_refused(record: dict[str, object]) -> None:
    note = Note(NoteKind.JOTTING)
    with contextlib.suppress(NoteUnreadableError):
        note = note_from_record(record)
    assert is_clean(note.comment + note.title + note.uid + note.book_sha256)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_notes(), max_size=6, unique_by=lambda note: note.uid))
def test_an_empty_library_gets_the_same_notes_from_what_another_exported(
    tmp_path_factory: pytest.TempPathFactory, notes: list[Note]
) -> None:
    first, second = (Library(paths_in(tmp_path_factory.mktemp("home"))) for _each in range(2))
    first.bring_notes(note for note in notes if _is_fit(note))
    exported = _written([shown.note for shown in first.notes()])
    second.bring_notes(_notes_in(exported))
    assert [replace(s.note, id=NoteId(0)) for s in second.notes()] == [
        replace(s.note, id=NoteId(0)) for s in first.notes()
    ]
    first.close()
    second.close()


def _is_fit(note: Note) -> bool:
    """Say whether a library would keep a note."""
    has_comment = bool(note.comment.strip()) or note.kind in (NoteKind.HIGHLIGHT, NoteKind.EXCERPT)
    has_passage = note.anchor is None or bool(note.anchor.quote.exact.replace(PICTURE_CHAR, "").strip())
    return has_comment and has_passage and bool(note.uid)


@pytest.mark.parametrize("line", ["[" * 100_000, '{"kind": 1e999}', "{'kind': 1}", '"x"', "null"])
def test_a_line_that_is_no_record_is_refused(line: str) -> None:
    with pytest.raises(NoteUnreadableError):
        list(_notes_in(line))


def test_a_template_may_not_ask_for_what_a_note_does_not_have() -> None:
    assert check_template("$passage $$ ${comment}").is_valid()
    with pytest.raises(NoteUnreadableError, match=r"\$passage"):
        check_template("$secret")


def test_words_of_a_book_are_no_markup() -> None:
    quote = QuoteSelector("# no *heading* [link](x) <b>", "", "")
    note = Note(NoteKind.EXCERPT, Anchor("a" * 64, 0, 0, 4, quote), title="- T_i_tle", chapter="1. One")
    made = "".join(markdown_of_notes([ShownNote(note)], lambda _shown: ""))
    assert "> \\# no \\*heading\\* \\[link\\](x) \\<b\\>" in made
    assert made.startswith("# \\- T\\_i\\_tle\n\n## 1\\. One\n")


def test_json_is_one_object_a_line() -> None:
    note = Note(NoteKind.JOTTING, comment="two\nlines")
    assert json.loads(_written([note]))["comment"] == "two\nlines"
