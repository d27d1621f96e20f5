"""The pages a reader has been on: back, forward, and the list of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.domain.wiki import LinkRow, Listing, Page, PageKey, PageKind, PageLink, Part
from engine.translate import _

_MOST_STOPS = 100


@dataclass(frozen=True, slots=True)
class Stop:
    """A page as it was left."""

    key: PageKey
    title: str
    kind_words: str = ""
    top: int = 0
    """First row shown."""
    focus: int = -1
    """Index of the link in focus."""


class WikiTrail:
    """Where the reader is among the pages she has been on."""

    def __init__(self) -> None:
        self._stops: list[Stop] = []
        self._at = -1

    @property
    def here(self) -> Stop | None:
        """The page that is shown; None before the first."""
        return self._stops[self._at] if self._at >= 0 else None

    def visit(self, page: Page) -> None:
        """Go to another page; the way forward ends."""
        del self._stops[self._at + 1 :]
        self._stops.append(Stop(page.key, page.title, page.kind_words))
        del self._stops[:-_MOST_STOPS]
        self._at = len(self._stops) - 1

    def look(self, page: Page) -> None:
        """Know the page that is shown as it is called now."""
        if self._at >= 0:
            self._stops[self._at] = replace(self._stops[self._at], title=page.title, kind_words=page.kind_words)

    def forget_others(self) -> None:
        """Forget the way there and back, not the page that is shown."""
        self._stops = self._stops[self._at : self._at + 1] if self._at >= 0 else []
        self._at = len(self._stops) - 1

    def leave(self, top: int, focus: int) -> None:
        """Remember how the page looked that is left."""
        if self._at >= 0:
            self._stops[self._at] = replace(self._stops[self._at], top=top, focus=focus)

    def step(self, step: int) -> Stop | None:
        """Go back (-1) or forward (+1) and return the page there; None where the way ends."""
        if not 0 <= self._at + step < len(self._stops):
            return None
        self._at += step
        return self._stops[self._at]

    def page(self) -> Page:
        """Return the list of pages seen, the last one first, each once."""
        stops = dict.fromkeys((stop.key, stop.title, stop.kind_words) for stop in reversed(self._stops))
        rows = tuple(LinkRow(PageLink(title, key), kind) for key, title, kind in stops)
        parts: tuple[Part, ...] = (Listing(rows),)
        return Page(PageKey(PageKind.HOME), _("Seen before"), "", (), parts)

    def clear(self) -> None:
        """Forget everything, as for another work."""
        self._stops.clear()
        self._at = -1
