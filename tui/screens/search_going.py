"""From what a search lists to the places on the page."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from engine.domain.book import WorkId
from engine.domain.conversations import Attachment, AttachmentKind
from engine.domain.hits import SearchHit
from engine.domain.locator import Locator
from engine.domain.search import HitRun
from engine.domain.wiki import PageKey, PageKind
from tui.render.found import Found
from tui.render.search_list import Group, Listed
from tui.render.search_strips import hit_marks
from tui.screens.chat_reading import quoted_words

_BEFORE_CHARS = 300
"""Of the text before a match that is put beside a question."""


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """Where something found leads."""

    work: WorkId
    at: Locator | None = None
    """None for nowhere in a text."""
    entry: PageKey | None = None
    """A page of the wiki to show."""
    is_text: bool = False
    """It is a hit of the text, beside which others can be gone to."""


def place_of(listed: Listed, group: Group, number: int, here: WorkId) -> FoundPlace:
    """Return where an item leads.

    Args:
        listed: The answer it is of.
        group: Its group.
        number: Which of it.
        here: The work being read.
    """
    finds = listed.finds
    if group is Group.TEXT and finds.text is None:
        return FoundPlace(here, is_text=True)
    if group is Group.TEXT:
        hit = listed.hits[number]
        return FoundPlace(hit.work, Locator(hit.locator.document, *hit_marks(hit, listed.words)[0]), is_text=True)
    if group is Group.WIKI:
        entry = finds.entries[number]
        return FoundPlace(entry.work, entry.first, PageKey(PageKind.ENTRY, point=entry.point))
    if group is Group.CHAPTERS:
        return FoundPlace(finds.chapters[number].work, finds.chapters[number].start)
    shown = finds.notes[number]
    return FoundPlace(shown.work or here, shown.locator)


def attachment_of(listed: Listed, group: Group, number: int, here: WorkId) -> Attachment | None:
    """Return an item as it goes beside a question: a passage, an entry or a note; None for a chapter.

    Args:
        listed: The answer it is of.
        group: Its group.
        number: Which of it.
        here: The work being read.
    """
    finds = listed.finds
    if group is Group.TEXT and finds.text is None:
        hit = listed.found.hit(number)
        # Nothing behind the words that were found: it may not be read yet.
        at = Locator(hit.document, max(0, hit.start - _BEFORE_CHARS), hit.end)
        return Attachment(AttachmentKind.PASSAGE, here, quoted_words(listed.words), at)
    if group is Group.TEXT:
        passage = listed.hits[number]
        return Attachment(AttachmentKind.PASSAGE, passage.work, quoted_words(passage.text), passage.locator)
    if group is Group.WIKI:
        entry = finds.entries[number]
        return Attachment(AttachmentKind.ENTRY, entry.work, entry.name, point=entry.point)
    if group is Group.NOTES:
        shown = finds.notes[number]
        words = shown.note.comment or (shown.note.anchor.quote.exact if shown.note.anchor is not None else "")
        label = quoted_words(words)
        return Attachment(AttachmentKind.NOTE, shown.work or here, label, shown.locator, note_uid=shown.note.uid)
    return None


def places_on_the_way(listed: Listed, number: int, work: WorkId) -> tuple[Found, int]:
    """Return the places in one work of all that is listed, to go through one by one, and the place of an item."""
    if listed.finds.text is None:
        return listed.found, number
    hits = [hit for hit in listed.hits if hit.work == work]
    found = Found([_run(hit, listed.words) for hit in hits])
    chosen = listed.hits[number]
    first, _end = hit_marks(chosen, listed.words)[0]
    return found, found.first_from(chosen.pos - chosen.locator.start + first)


def _run(hit: SearchHit, words: str) -> HitRun:
    marks = hit_marks(hit, words)
    starts, ends = array("q", [start for start, _end in marks]), array("q", [end for _start, end in marks])
    return HitRun(hit.locator.document, hit.pos - hit.locator.start, starts, ends, hit.locator.end)
