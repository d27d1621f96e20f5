"""Give a book's passages their vectors: a few at a time, each batch committed before the next is begun.

It can be ended at any moment and is gone on with at the first passage without a vector. What
has been embedded once is not embedded again: a passage whose text has a vector, wherever it
stands, gets a copy of it. Searches see nothing of it before the book is whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from engine.domain.book import BookId
from engine.domain.search import PassageId
from engine.domain.vectors import EmbedderChoice, Vector, dims_of
from engine.errors.models import CallRefusedError, ContextOverflowError, ModelError
from engine.errors.vectors import EmbeddingFailedError
from engine.providers.embedders import Embedder, chosen_embedder, open_embedder
from engine.providers.retry import RetryPolicy
from engine.store import passages, vectors
from engine.store.store import Store
from engine.store.vectors import ToEmbed, VectorIndex

GoOn = Callable[[int, int], None]
"""Told (done, all) between batches; raises to stop."""
_NAP_S = 0.2


@dataclass(slots=True)
class _Run:
    store: Store
    embedder: Embedder
    choice: EmbedderChoice
    go_on: GoOn
    policy: RetryPolicy
    done: int = 0
    total: int = 0
    index: VectorIndex | None = None
    known: dict[bytes, PassageId] = field(default_factory=dict)
    """A passage with a vector for each text, by the text's hash."""


def embed_as_wanted(store: Store, book: BookId, config_file: Path, go_on: GoOn) -> None:
    """Give each passage of a book its vector by the embedder the settings name; raises as `embed_book`.

    Raises:
        EmbedderMissingError: it is not here.
        EmbedderUnchosenError: none is named any more.
        KeyMissingError: it needs a key nobody has.
    """
    choice = chosen_embedder(config_file)
    embedder = open_embedder(choice)
    try:
        embed_book(store, book, embedder, choice, go_on)
    finally:
        embedder.close()


def embed_book(
    store: Store,
    book: BookId,
    embedder: Embedder,
    choice: EmbedderChoice,
    go_on: GoOn,
    policy: RetryPolicy = RetryPolicy(),  # noqa: B008  (frozen)
) -> None:
    """Give each passage of a book its vector by an embedder, then let searches use them.

    What searches used before is kept until every book of the work is whole, then deleted.

    Args:
        store: The library.
        book: A book whose passages are made.
        embedder: Who makes the vectors.
        choice: What the settings call it.
        go_on: See `GoOn`.
        policy: How often a call that failed in passing is made again.

    Raises:
        EmbeddingFailedError: the embedder does not take a passage, or keeps failing; what was done is kept.
        VectorInvalidError: what it returns are no vectors, or of another length than before.
        LibraryUnavailableError: the disk is full, or sqlite-vec does not load.
    """
    run = _Run(store, embedder, choice, go_on, policy)
    with store.read() as r:
        if not passages.index_rev(r, book):
            return  # when they are whole this is queued again
        run.index = vectors.index_of(r, embedder.identity)
        todo = vectors.missing(r, run.index, book)
        run.known = vectors.by_text(r, run.index) if run.index is not None and todo else {}
    run.total = len(todo)
    fresh = [each for each in todo if not _copy_known(run, each)]
    go_on(run.done, run.total)
    for batch in _batches(fresh, embedder.batch):
        _write(run, list(zip(batch, _embed(run, batch), strict=True)))
        go_on(run.done, run.total)
    _finish(run, book)


def _batches(todo: Sequence[ToEmbed], size: int) -> list[tuple[ToEmbed, ...]]:
    rest = iter(todo)
    return list(iter(lambda: tuple(islice(rest, size)), ()))


def _copy_known(run: _Run, passage: ToEmbed) -> bool:
    """Give a passage the vector its text has elsewhere, if there is one."""
    if run.index is None or (twin := run.known.get(passage.text_hash)) is None:
        return False
    with run.store.read() as r:
        vector = vectors.vector_of(r, run.index, twin)
    if vector is None:
        return False
    run.go_on(run.done, run.total)
    _write(run, [(passage, vector)])
    return True


def _embed(run: _Run, batch: Sequence[ToEmbed]) -> list[Vector]:
    """Return the vectors of a batch, asking again after a pause, or for half as much where it is too much."""
    with run.store.read() as r:
        texts = [passages.text_of_passage(r, each.id) or "" for each in batch]
    return _embed_texts(run, texts, run.done)


def _embed_texts(run: _Run, texts: Sequence[str], first: int) -> list[Vector]:
    for made in range(1, run.policy.most_calls + 1):
        try:
            return run.embedder.embed_passages(texts)
        except (ContextOverflowError, CallRefusedError) as error:
            if len(texts) == 1:
                raise _failed(run, first, 1, error) from error
            middle = len(texts) // 2
            return _embed_texts(run, texts[:middle], first) + _embed_texts(run, texts[middle:], first + middle)
        except ModelError as error:
            pause_s = run.policy.pause_s(made, error.retry_after_s, 0.5)
            if not error.is_temporary or made == run.policy.most_calls or pause_s > run.policy.longest_s:
                raise _failed(run, first, len(texts), error) from error
        _wait(run, pause_s)
    raise AssertionError("the last call returns or raises")


def _failed(run: _Run, first: int, count: int, error: ModelError) -> EmbeddingFailedError:
    return EmbeddingFailedError(run.embedder.name, first + 1, first + count, error.message)


def _wait(run: _Run, seconds: float) -> None:
    """Wait, asking all the time whether to go on."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        run.go_on(run.done, run.total)
        time.sleep(min(left, _NAP_S))


def _write(run: _Run, rows: Sequence[tuple[ToEmbed, Vector]]) -> None:
    # What was paid for is on the disk before more is paid for; what this machine made can be made again.
    with run.store.write(bulk=run.choice.is_local) as w:
        if run.index is None:
            run.index = vectors.make_index(w, run.embedder.identity, dims_of(rows[0][1]), run.choice)
        here = [(now, vector) for each, vector in rows if (now := vectors.still_there(w, each)) is not None]
        vectors.add_vectors(w, run.index, here)
    run.done += len(rows)


def _finish(run: _Run, book: BookId) -> None:
    """Let searches use the book's vectors, and delete those nobody needs any more."""
    with run.store.write() as w:
        if run.index is None or vectors.missing(w, run.index, book):
            return
        vectors.set_whole(w, run.index, book)
        old = vectors.superseded(w, run.index, book)
        books = vectors.companions(w, book) if old else []
    for each in books:
        is_gone = False
        while not is_gone:
            run.go_on(run.total, run.total)
            with run.store.write(bulk=True) as w:
                is_gone = vectors.delete_some(w, each, old)
    if books:
        with run.store.write() as w:
            vectors.drop_empty(w)
