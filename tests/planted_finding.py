"""Every way to search a work with planted facts."""

from __future__ import annotations

import re

from engine.domain.finds import Finds, SearchReach, Sought
from engine.domain.hits import SearchMode
from engine.domain.locator import Locator
from engine.domain.notes import NoteKind
from engine.domain.search import TextQuery
from engine.domain.vectors import EmbedderChoice
from engine.library import Library
from engine.retrieval.embedding import embed_book
from engine.retrieval.indexing import index_book
from engine.spoilers.policy import Mode, Upto
from engine.store import vectors
from tests.planted_seen import Seen, put_frontier
from tests.planting import Planted
from tests.vector_server import PlainEmbedder


def search(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """Search for everything that was planted; what stands behind a hit up to its limit may be read, too."""
    put_frontier(planted, upto)
    library, query = planted.library, TextQuery("The ink said|[Ll]ater", is_pattern=True)
    seen = Seen(tells_of_more=library.is_found_beyond(planted.work, query, mode))
    for run in (each for each in library.scan(planted.work, query, mode) if each is not None):
        words = [library.text_of(run.document, start, min(start + 60, run.limit)) for start in run.starts]
        seen.words += "\n".join(words)
        seen.places += [run.base + start for start in run.starts]
    return seen


def search_notes(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """Search notes that were kept of everything planted, as in a library they were brought to from another."""
    library, work = planted.library, planted.work
    if not library.notes(work):
        for document in (d for volume in planted.index.outline.volumes for d in volume.documents):
            text = library.text_of(document.id, 0, document.length)
            for found in re.finditer("The ink said.{1,40}", text):
                library.add_note(work, NoteKind.EXCERPT, Locator(document.id, found.start(), found.end()))
    hits = library.search_notes(work, "ink said", upto, mode)
    words = [shown.note.anchor.quote.exact for shown in hits if shown.note.anchor is not None]
    return Seen("\n".join(words), [shown.pos for shown in hits])


def passages(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """Search by relevance for what was planted, in the work and in the whole library."""
    put_frontier(planted, upto)
    seen = Seen(tells_of_more=False)
    for words in ("The ink said later", "later", *list(planted.points)[:6]):
        for works in ((planted.work,), ()):
            found = planted.library.search(words, works, limit=1000, spoilers=mode)
            assert found.count == len(found.hits)
            seen.words += "\n".join(f"{hit.text} {hit.chapter} {hit.where}" for hit in found.hits)
            seen.places += [hit.pos + hit.locator.end - hit.locator.start for hit in found.hits]
            seen.tells_of_more = bool(seen.tells_of_more) or found.has_more
    return seen


def neighbours(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    put_frontier(planted, upto)
    library = planted.library
    _embed_plainly(library)
    seen = Seen()
    for how in (SearchMode.SEMANTIC, SearchMode.HYBRID):
        found = library.search("The ink said later", [planted.work], mode=how, limit=99, spoilers=mode)
        assert found.mode is how
        seen.tells_of_more |= found.has_more
        for hit in found.hits:
            seen.words += hit.text + "\n"
            seen.places += [hit.pos, hit.pos + len(hit.text)]
    library.embedder = lambda: EmbedderChoice("none")  # type: ignore[method-assign]
    return seen


def _embed_plainly(library: Library) -> None:
    """Give every book its vectors, by an embedder of our own process; the second time nothing is left to do."""
    embedder, choice = PlainEmbedder(), EmbedderChoice("http://127.0.0.1:9/v1#plain")
    library.embedder = lambda: choice  # type: ignore[method-assign]
    library.query_vector = lambda _index, text, _timeout_s: embedder.embed_query(text)  # type: ignore[method-assign,assignment]
    store = library._store
    with store.read() as r:
        books = {book for work in library.works() for book, _name in vectors.books_of(r, work.id)}
        done = [index for index in vectors.indexes(r) if all(vectors.is_whole(r, index, book) for book in books)]
    for book in () if done else books:
        index_book(store, book, lambda _done, _all: None)
        embed_book(store, book, embedder, choice, lambda _done, _all: None)


def everything(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """Search text, wiki, chapters and notes as somebody types who has not read them, by words and by meaning."""
    put_frontier(planted, upto)
    library = planted.library
    _embed_plainly(library)
    seen = Seen()
    names = list(planted.points)
    typed = ["The ink said later", "later", "ink", *(name[:n] for name in names[:2] for n in (2, 3, 99))]
    typed += [title.marker for title in planted.titles[::6]]
    volumes, known = planted.index.outline.volumes, library.entities(planted.work, spoilers=mode)
    for number, words in enumerate(typed):
        reach = list(SearchReach)[number % 3]
        named = sum(any(words.lower() in alias.form.lower() for alias in point.aliases) for point in known)
        how = (None, SearchMode.LEXICAL, SearchMode.SEMANTIC)[number % 4 % 3]
        sought = Sought(words, how, reach, volumes[number % len(volumes)].id, lists_all=True)
        _add(seen, planted, library.find_everywhere(planted.work, sought, mode), named)
    library.embedder = lambda: EmbedderChoice("none")  # type: ignore[method-assign]
    return seen


def _add(seen: Seen, planted: Planted, finds: Finds, named: int) -> None:
    """Add what was found; a count of more than may be known counts as a place beyond the boundary."""
    text = finds.text
    assert text is not None
    seen.tells_of_more |= text.has_more
    seen.words += "\n".join(f"{hit.text} {hit.chapter} {hit.where}\n" for hit in text.hits)
    seen.places += [hit.pos + hit.locator.end - hit.locator.start for hit in text.hits]
    is_of_words = text.is_exact and text.mode is not SearchMode.SEMANTIC
    if is_of_words and text.count > sum(hit.holds_words for hit in text.hits):
        seen.places.append(planted.end)
    seen.words += repr((finds.entries, finds.chapters))
    seen.joined += [frozenset((entry.name, entry.matched)) for entry in finds.entries]
    seen.listed |= frozenset(entry.name for entry in finds.entries)
    seen.places += [planted.pos(entry.first) for entry in finds.entries if entry.first is not None]
    if finds.entry_count > max(len(finds.entries), named):
        seen.places.append(planted.end)
    seen.places += [chapter.pos for chapter in finds.chapters]
    seen.words += "\n".join(each.note.anchor.quote.exact for each in finds.notes if each.note.anchor is not None)
    seen.places += [each.pos for each in finds.notes]
