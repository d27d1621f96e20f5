"""The same words in other books, each up to where it was read, and in what the reader has written herself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.domain.book import WorkId
from engine.text.fold import fold_words
from engine.text.sanitize import sanitize_line

if TYPE_CHECKING:
    from engine.library.asking import Asking

_MOST_BOOKS, _MOST_NOTES, _LINE_CHARS = 3, 3, 120


def elsewhere(library: Asking, work: WorkId, words: str) -> tuple[tuple[str, str], ...]:
    """Return (where, line) for the same words in other works and in the reader's notes; nothing for a long passage.

    Args:
        library: Where they are looked for.
        work: The one they were selected in, which is left out.
        words: What was selected.
    """
    wanted = " ".join(words.split())
    if not 2 <= len(wanted) <= _LINE_CHARS:
        return ()
    others = tuple(each.id for each in library.works() if each.id != work)
    found: list[tuple[str, str]] = []
    if others:
        hits = library.search(wanted, others, limit=12, by_rank=True).hits
        whole = [hit for hit in hits if fold_words(wanted) in fold_words(hit.text)]
        found += [(f"{hit.work_title} · {hit.where}", _around(hit.text, wanted)) for hit in whole[:_MOST_BOOKS]]
    for each in library.listed_notes():
        said = each.note.comment or (each.note.anchor.quote.exact if each.note.anchor is not None else "")
        if len(found) < _MOST_BOOKS + _MOST_NOTES and fold_words(wanted) in fold_words(said):
            found.append((each.note.title, _around(said, wanted)))
    return tuple(found)


def _around(text: str, wanted: str) -> str:
    """Return a line of a text with some words in it."""
    line = sanitize_line(" ".join(text.split()))
    at = max(0, line.casefold().find(wanted.casefold()) - _LINE_CHARS // 3)
    return f"{'…' if at else ''}{line[at : at + _LINE_CHARS]}{'…' if at + _LINE_CHARS < len(line) else ''}"
