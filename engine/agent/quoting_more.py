"""Explaining and telling the story so far without a model: what the wiki and the text themselves have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.agent.access import BookAccess, FoundPassage
from engine.domain.chat import AnswerReady, Card, CardKind, ChatEvent, Citation, Cited, TextAdded
from engine.domain.locator import Locator
from engine.translate import _

_MOST_ENTRIES, _MOST_ELSEWHERE = 3, 5


def quote_explanation(
    book: BookAccess, selection: Locator, words: str, elsewhere: Sequence[tuple[str, str]]
) -> Iterator[ChatEvent]:
    """Explain a selection by the entries it names and the other places of its words.

    Args:
        book: The work, up to the boundary.
        selection: Where the words stand; that place itself is no other place.
        words: What was selected.
        elsewhere: Titled lines from other books and from the reader's notes.
    """
    entries = book.entries(words, _MOST_ENTRIES)
    for entry in entries:
        yield Card(CardKind.ENTRY, entry.name, str(entry.point), tuple((line,) for line in entry.lines[:2]))
    found = [each for each in book.search(words, _MOST_ELSEWHERE + 1).passages if not _holds(each, selection)]
    yield from _quoted(found[:_MOST_ELSEWHERE], elsewhere, has_more=bool(entries))


def quote_recap(passages: Sequence[FoundPassage]) -> Iterator[ChatEvent]:
    """Tell the story so far by the first lines of its chapters.

    Args:
        passages: The beginning of each chapter that was read, in order.
    """
    yield from _quoted(passages, (), has_more=False)


def _holds(passage: FoundPassage, selection: Locator) -> bool:
    at = passage.place.locator
    return at.document == selection.document and at.start <= selection.start < at.end


def _quoted(
    passages: Sequence[FoundPassage], elsewhere: Sequence[tuple[str, str]], *, has_more: bool
) -> Iterator[ChatEvent]:
    lines: list[str] = []
    citations: list[Citation] = []
    for number, passage in enumerate(passages, 1):
        place = passage.place
        citations.append(Citation(number, place.locator, place.where, place.quote))
        yield Cited((citations[-1],))
        lines.append(f"{place.where}: {passage.text.strip()} [{number}]\n\n")
        yield TextAdded(lines[-1])
    if elsewhere:
        yield Card(CardKind.TABLE, _("elsewhere"), "", tuple(elsewhere))
    if not lines and not elsewhere and not has_more:
        lines.append(_("Neither the wiki nor the text, as far as you have read, has more on these words."))
        yield TextAdded(lines[-1])
    yield AnswerReady("".join(lines).strip() or _("Here is what the wiki has."), tuple(citations))
