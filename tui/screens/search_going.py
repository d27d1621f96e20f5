"""From what a search lists to the places on the page."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from engine.domain.book import WorkId
from engine.domain.hits import SearchHit
from engine.domain.locator import Locator
from engine.domain.search import HitRun
from engine.domain.wiki import PageKey, PageKind
from tui.render.found import Found
from tui.render.search_list import Group, Listed
from tui.render.search_strips import hit_marks


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
