from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.book import DocumentId, Footnote, NoteRef, Ruby, Span, SpanKind
from engine.domain.locator import offset_in_volume_of, volume_ord_of
from engine.domain.reading import SliceKey
from engine.errors import PlaceUnknownError
from engine.store import reading, works
from engine.store.store import Store
from tests.shelving import document_of, open_store, shelve

_LONG = ["The lamp burned low, and nobody came to trim it before the morning train."] * 600


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _ids(store: Store) -> list[DocumentId]:
    with store.read() as r:
        return [d.id for v in works.outline(r, works.summaries(r)[0].id).volumes for d in v.documents]


def test_every_character_is_found_in_the_slice_of_its_offset(store: Store) -> None:
    document = document_of(_LONG)
    shelve(store, [document])
    (id_,) = _ids(store)
    with store.read() as r:
        found = [reading.slice_at(r, id_, offset) for offset in range(0, len(document.text), 997)]
    # The newline between two slices belongs to neither; it is found with the one before.
    assert [
        s.text[o - s.start : o - s.start + 5] for o, s in zip(range(0, len(document.text), 997), found, strict=True)
    ] == [document.text[o : min(o + 5, s.end)] for o, s in zip(range(0, len(document.text), 997), found, strict=True)]


@pytest.mark.parametrize(("offset", "start_of"), [(-5, 0), (10**9, -1)])
def test_an_offset_outside_the_document_is_clamped(store: Store, offset: int, start_of: int) -> None:
    shelve(store, [document_of(_LONG)])
    (id_,) = _ids(store)
    with store.read() as r:
        assert reading.slice_at(r, id_, offset) == reading.slice_of(r, SliceKey(id_, start_of))


def test_reading_goes_on_across_documents_and_volumes_and_back_the_same_way(store: Store) -> None:
    shelve(store, [document_of(_LONG), document_of(["two"], spine_index=1)], series="S", series_index=1)
    shelve(store, [document_of(["three"])], sha256="b" * 64, title="B", series="S", series_index=2)
    forwards = _walk(store, _ids(store)[0])
    assert [store_text[-5:] for store_text in forwards][-2:] == ["two", "three"]
    assert len(forwards) == 5


def _walk(store: Store, first: DocumentId) -> list[str]:
    with store.read() as r:
        seen = [reading.slice_at(r, first, 0)]
        while (key := seen[-1].after) is not None:
            seen.append(reading.slice_of(r, key))
        back = [seen[-1]]
        while (key := back[-1].before) is not None:
            back.append(reading.slice_of(r, key))
    assert back == seen[::-1]
    assert [s.pos for s in seen] == sorted({s.pos for s in seen})
    return [s.text for s in seen]


def test_a_document_outside_the_reading_order_stands_alone_behind_the_volume(store: Store) -> None:
    shelve(
        store,
        [
            document_of(["one"]),
            document_of(["aside"], spine_index=1, is_linear=False),
            document_of(["two"], spine_index=2),
        ],
    )
    one, two, aside = _ids(store)
    with store.read() as r:
        alone = reading.slice_at(r, aside, 0)
        assert reading.slice_at(r, one, 0).after == SliceKey(two, 0)
        assert (alone.before, alone.after) == (None, None)
        assert offset_in_volume_of(alone.pos) == len("onetwo")


def test_an_empty_document_is_skipped_and_can_still_be_asked_for(store: Store) -> None:
    shelve(store, [document_of(["one"]), document_of([], spine_index=1), document_of(["two"], spine_index=2)])
    one, empty, two = _ids(store)
    with store.read() as r:
        assert reading.slice_at(r, one, 0).after == SliceKey(two, 0)
        alone = reading.slice_at(r, empty, 0)
    assert (alone.text, alone.before, alone.after) == ("", SliceKey(one, 0), SliceKey(two, 0))


def test_an_unknown_document_is_told_so(store: Store) -> None:
    with store.read() as r, pytest.raises(PlaceUnknownError):
        reading.slice_at(r, DocumentId(99), 0)


@pytest.mark.parametrize(("start", "end"), [(0, 10**9), (16_300, 16_500), (-3, 5), (7, 7), (9, 2)])
def test_text_is_the_same_whether_or_not_it_lies_in_one_slice(store: Store, start: int, end: int) -> None:
    document = document_of(_LONG)
    shelve(store, [document])
    (id_,) = _ids(store)
    with store.read() as r:
        assert reading.text_of(r, id_, start, end) == document.text[max(0, start) : max(0, end)]


def test_a_whole_document_comes_back_as_it_was_imported(store: Store) -> None:
    document = replace(
        document_of(["漢字の話", "two"]),
        spans=(Span(0, 2, SpanKind.BOLD), Span(5, 8, SpanKind.LINK, "3#x")),
        rubies=(Ruby(0, 2, "かんじ"),),
        note_refs=(NoteRef(4, "1", "0#n1"),),
        notes=(Footnote("0#n1", "a note\nof two lines"),),
        anchors=(("top", 0), ("mid", 5)),
        title="T",
        language="ja",
    )
    shelve(store, [document])
    with store.read() as r:
        assert reading.document_text(r, _ids(store)[0]) == document


def test_a_note_is_found_from_any_document_of_its_book_and_from_no_other(store: Store) -> None:
    notes = replace(document_of(["notes"], spine_index=1), notes=(Footnote("1#n1", "said so"),))
    shelve(store, [document_of(["text"]), notes], series="S", series_index=1)
    shelve(store, [document_of(["else"])], sha256="b" * 64, title="B", series="S", series_index=2)
    first, _notes, other = _ids(store)
    with store.read() as r:
        assert reading.footnote(r, first, "1#n1") == Footnote("1#n1", "said so")
        assert reading.footnote(r, other, "1#n1") is None


@pytest.mark.parametrize(("target", "offset"), [("1#mid", 3), ("1#", 0), ("1", 0), ("1#gone", 0)])
def test_a_link_leads_to_its_anchor_or_else_to_the_start(store: Store, target: str, offset: int) -> None:
    shelve(store, [document_of(["text"]), replace(document_of(["abcdef"], spine_index=1), anchors=(("mid", 3),))])
    with store.read() as r:
        found = reading.link_target(r, _ids(store)[0], target)
    assert found is not None
    assert (found.document, found.offset) == (_ids(store)[1], offset)


@pytest.mark.parametrize("target", ["9#x", "", "#x", "https://example.invalid/", "²#x", "-1#x"])
def test_a_link_to_nowhere_leads_nowhere(store: Store, target: str) -> None:
    shelve(store, [document_of(["text"])])
    with store.read() as r:
        assert reading.link_target(r, _ids(store)[0], target) is None


def test_an_outline_tells_where_each_chapter_begins_and_ends(store: Store) -> None:
    shelve(store, [document_of(["one"])], series="S", series_index=1)
    shelve(
        store,
        [document_of(["three"]), document_of(["four"], spine_index=1)],
        sha256="b" * 64,
        title="B",
        series="S",
        series_index=2,
    )
    with store.read() as r:
        outline = works.outline(r, works.summaries(r)[0].id)
    chapters = [c for v in outline.volumes for c in v.chapters]
    assert [(volume_ord_of(c.pos), offset_in_volume_of(c.pos), offset_in_volume_of(c.pos_end)) for c in chapters] == [
        (0, 0, 3),
        (1, 0, 5),
        (1, 5, 9),
    ]
