"""Books put into a store without an EPUB: documents of plain paragraphs, published as one work."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from engine.domain.book import (
    TEXT_REV,
    Block,
    BlockKind,
    BookId,
    BookMetadata,
    DocumentId,
    DocumentText,
    ParsedChapter,
    WorkId,
)
from engine.domain.locator import select_quote
from engine.domain.reading import Place
from engine.domain.source import ReadingSource
from engine.library import Library
from engine.paths import Paths, paths_under
from engine.store import books, grouping
from engine.store.connection import Connection
from engine.store.grouping import NewVolume, NewWork
from engine.store.passages import PassageRow, passage
from engine.store.store import Store
from engine.text.series import series_key
from engine.text.slices import cut_pieces
from tests.pace import PATIENCE_S


def paths_in(folder: Path) -> Paths:
    """Return the folders of a library that lies under `folder`, made."""
    paths = paths_under(folder)
    for made in (paths.data_dir, paths.state_dir, paths.config_dir):
        made.mkdir(parents=True, exist_ok=True)
    return paths


def open_store(folder: Path) -> Store:
    """Open the store under `folder`."""
    paths = paths_in(folder)
    return Store(paths.library_db, paths.backups_dir)


def document_of(paragraphs: Sequence[str], *, spine_index: int = 0, is_linear: bool = True) -> DocumentText:
    """Make a document of paragraphs."""
    blocks, at = [], 0
    for paragraph in paragraphs:
        blocks.append(Block(BlockKind.PARAGRAPH, at, at + len(paragraph)))
        at += len(paragraph) + 1
    text = "\n".join(paragraphs)
    return DocumentText(spine_index, f"c{spine_index}.xhtml", text, tuple(blocks), is_linear=is_linear)


def shelve(
    store: Store,
    documents: Sequence[DocumentText],
    *,
    sha256: str = "a" * 64,
    title: str = "A Book",
    series: str = "",
    series_index: float | None = None,
    author: str = "Ann Author",
    language: str = "en",
    text_rev: int = TEXT_REV,
) -> WorkId:
    """Publish documents as a book of one volume, each document a chapter."""
    metadata = BookMetadata(title, (author,), language, series=series, series_index=series_index)
    with store.write() as w:
        book = books.begin_book(
            w, sha256=sha256, file_name=f"{title}.epub", size=1, text_rev=text_rev, metadata=metadata
        )
        ids = [shelve_document(store, book, document) for document in documents]
        chapters = [ParsedChapter(f"Chapter {d.spine_index}", 0, d.spine_index, 0) for d in documents]
        books.add_contents(w, enumerate(chapters), (), {d.spine_index: i for d, i in zip(documents, ids, strict=True)})
        in_order = sorted(zip(documents, ids, strict=True), key=lambda pair: not pair[0].is_linear)
        starts = accumulate((len(document.text) for document, _id in in_order), initial=0)
        books.set_bases(w, [(id_, start) for (_d, id_), start in zip(in_order, starts, strict=False)])
        length = sum(len(d.text) for d in documents if d.is_linear)
        volume = NewVolume(0, title, length, len(chapters), 0, max(d.spine_index for d in documents))
        about = NewWork(series or title, metadata, series_key(series), series_index)
        return grouping.publish(w, book, about, [volume], ())


def shelve_document(store: Store, book: BookId, document: DocumentText) -> DocumentId:
    """Write one document of a growing book."""
    pieces = cut_pieces(document)
    with store.write() as w:
        id_ = books.add_document(w, book, document, len(pieces), f"{hash(document.text) & (1 << 64) - 1:032x}")
        books.add_slices(w, books.slice_rows(id_, 0, pieces))
    return id_


def place_in(document: DocumentText, offset: int, *, sha256: str = "a" * 64, counter: int = 0) -> Place:
    """Make the place at an offset of a document, with its words."""
    quote = select_quote(document.text, offset, min(offset + 24, len(document.text)))
    return Place(sha256, document.spine_index, offset, quote, counter)


def page_in(library: Library, work: WorkId, words: str) -> tuple[DocumentId, int]:
    """Return the first (document, offset) of a work at which these words stand."""
    documents = [d.id for volume in library.outline(work).volumes for d in volume.documents]
    texts = {id_: library.document_text(id_).text for id_ in documents}
    return next((id_, text.index(words)) for id_, text in texts.items() if words in text)


def wait_for_names(library: Library, timeout_s: float = PATIENCE_S) -> None:
    """Wait until the background process has done all its work, the names of every work included."""
    deadline = time.monotonic() + timeout_s
    while library.jobs():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def place_at(source: ReadingSource, document: DocumentId, offset: int, *, spine_index: int, sha256: str) -> Place:
    """Make the place of an offset as a reading screen does, from the slice shown."""
    shown = source.slice_at(document, offset)
    end = min(offset + 24, shown.end)
    return Place(sha256, spine_index, offset, select_quote(shown.text, offset, end, text_offset=shown.start))


def wait_until_indexed(library: Library, timeout_s: float = PATIENCE_S) -> None:
    """Wait until the helper has indexed the text of all works."""
    until = time.monotonic() + timeout_s
    while not library.is_indexed():
        assert time.monotonic() < until, "the text was not indexed in time"
        time.sleep(0.02)


def passages_of(r: Connection, work: WorkId) -> list[PassageRow]:
    """Return a work's passages in the order of pos, as far as they are written."""
    ids = r.execute(
        "SELECT p.id FROM volume v JOIN document d ON d.volume_id = v.id"
        " JOIN passage p ON p.id BETWEEN d.id << 20 AND (d.id << 20) + 1048575"
        " WHERE v.work_id = ? ORDER BY v.ord, d.base, p.id",
        (work,),
    )
    return [row for (id_,) in ids if (row := passage(r, id_)) is not None]
