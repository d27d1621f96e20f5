"""The companion without a model: what the book itself has, quoted and cited."""

from __future__ import annotations

from collections.abc import Iterator

from engine.agent.access import BookAccess
from engine.domain.chat import (
    AnswerReady,
    Card,
    CardKind,
    ChatEvent,
    Citation,
    Cited,
    SpoilerAnswered,
    SpoilerAsked,
    SpoilerChoice,
    TextAdded,
    TurnStopped,
)
from engine.spoilers.policy import LookAhead, look_ahead
from engine.translate import _

_MOST_PASSAGES, _MOST_ENTRIES, _MOST_CITED = 5, 3, 3
_PASSAGE_CELLS = 240
"""Of each passage; about five rows beside the text."""


def quote(book: BookAccess, question: str, choice: SpoilerChoice | None = None) -> Iterator[ChatEvent]:
    """Answer with entries that match and the sentences of the best passages that hold most of the question.

    Who is asked for by name is introduced first, in the words of the wiki. Chapters of the story come
    before title pages and afterwords. When what would answer lies only beyond what was read the last
    event is `SpoilerAsked`; called again with what the reader says it goes on.

    Args:
        book: The work, up to the boundary.
        question: As the reader put it.
        choice: What she says to the spoiler; None when she was not asked.
    """
    if choice is not None:
        yield SpoilerAnswered(choice)
        if choice is SpoilerChoice.STOP:
            yield TurnStopped(_("left for later"))
            return
        if choice is SpoilerChoice.FULL:
            book = book.lifted()
    found = book.search(question, _MOST_PASSAGES, in_story=True, most_cells=_PASSAGE_CELLS)
    if not found.passages:
        found = book.search(question, _MOST_PASSAGES, most_cells=_PASSAGE_CELLS)
    entries = book.entries(question, _MOST_ENTRIES)
    may_ask = choice is None and look_ahead(book.mode) is LookAhead.ASKS
    has_nothing = not found.passages and not entries and found.is_more_beyond
    if may_ask and (has_nothing or book.lies_beyond(question)):
        yield SpoilerAsked(_("What you ask about has not come up as far as you have read."))
        return
    for entry in entries:
        also = f"{entry.kind} · {', '.join(entry.also)}" if entry.also else entry.kind
        yield Card(CardKind.ENTRY, entry.name, str(entry.point), ((also,),))
    lines: list[str] = []
    citations: list[Citation] = []
    known = [(line.text, line.places[:_MOST_CITED]) for line in book.introductions(question)]
    quoted = [(f"{each.place.where}: {each.text.strip()}", (each.place,)) for each in found.passages]
    for text, places in (*known, *quoted):
        first = len(citations) + 1
        new = tuple(Citation(n, each.locator, each.where, each.quote) for n, each in enumerate(places, first))
        citations += new
        yield Cited(new)
        line = f"{text} {''.join(f'[{each.number}]' for each in new)}".strip() + "\n\n"
        lines.append(line)
        yield TextAdded(line)
    if not lines and not entries:
        nothing = _("Nothing in the book, as far as you have read, holds these words.")
        lines.append(nothing)
        yield TextAdded(nothing)
    yield AnswerReady("".join(lines).strip(), tuple(citations))
