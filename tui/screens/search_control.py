"""The search of the page: a line over it, and from hit to hit. Imported when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.config import SpoilerMode
from engine.domain.locator import Pos
from engine.domain.marks import MarkKind, ShownMark
from engine.domain.search import PosRange, TextQuery, query_from_text
from engine.translate import _
from tui.render.found import Found, Hit
from tui.render.layers import Layer
from tui.screens.page import PageScreen
from tui.screens.search_running import GROUP, HitsFound, more_words, start_search
from tui.widgets.search_line import SearchLine

_END: Pos = 1 << 62


@dataclass(slots=True)
class _Search:
    """The search of the page as the reader sees it."""

    query: TextQuery
    frontier: Pos
    """When it was begun; what is read since is searched again."""
    step: int = 0
    """What n or N asked for while it ran."""
    found: Found = field(default_factory=Found)
    number: int = -1
    """Of the hit the reader is at, -1 for none."""
    is_whole: bool = False
    has_more: bool = False
    is_listed: bool = False
    """It was found elsewhere, by more than its words: looking for these again would find less."""


class SearchControl:
    """The searches of one reading screen."""

    def __init__(self, screen: PageScreen) -> None:
        """Take the screen and put the line over its page."""
        self._screen = screen
        self._search: _Search | None = None
        self._origin: ShownMark | None = None
        """Where the search began, until the way back knows it."""
        self._search_line = SearchLine(self, id="search")
        screen.mount(self._search_line, before=0)  # so that nothing else is drawn when it comes and goes

    # the line over the page

    def open(self) -> None:
        """Open the line; what is typed is found at once."""
        self._origin = self._screen.mark_here(MarkKind.BACK)
        self._search_line.open()

    def typed(self, words: str) -> None:
        """Look for what is typed so far."""
        query = query_from_text(words)
        if query.is_pattern:
            self._search_line.say(_("Enter searches"))
        elif query.words.strip():
            self._look_for(query)
        else:
            self.forget()
            self._search_line.say("")
            self._go_to_origin()

    def accept(self, words: str) -> None:
        """Stay where the search led; without words go on with the last ones."""
        query, search = query_from_text(words), self._search
        self._screen.give_keys(self._screen.text)
        if words:
            self._search_line.remember(words)
        if query.words.strip() and (search is None or query != search.query):
            self._look_for(query)
        elif search is not None and not words:
            self.step(1)
        elif search is not None:
            self._tell(search)
        self._keep_origin()

    def give_up(self) -> None:
        """Go back to where it was opened."""
        self.forget()
        self._screen.give_keys(self._screen.text)
        self._go_to_origin()

    def _go_to_origin(self) -> None:
        self._screen.text.lay_over(Layer.LANDING, None)
        if self._origin is not None and self._has_left(self._origin):
            self._screen.text.go_to(self._origin.document, self._origin.offset)

    def _has_left(self, origin: ShownMark) -> bool:
        return self._screen.here != (origin.document, origin.offset)

    def _keep_origin(self) -> None:
        """Let the way back lead to where the search began, once the page has moved away for good."""
        if self._origin is not None and not self._search_line.display and self._has_left(self._origin):
            self._screen.session.jumped(self._origin)
            self._origin = None

    # searching

    def _look_for(self, query: TextQuery, *, step: int = 0) -> None:
        """Search the chapter of the page, then what follows it, then what stands before it."""
        screen, old = self._screen, self._search
        chapter = screen.session.index.chapter_at(screen.pos)
        here = screen.shown
        if chapter is not None:
            here = PosRange(chapter.pos, max(chapter.pos_end, here.end))
        self._search = _Search(query, screen.session.frontier, step)
        if step and old is not None:
            self._search.found, self._search.number = old.found, old.number
        ranges = (here, PosRange(here.end, _END), PosRange(0, here.start))
        start_search(screen, query, ranges)

    def take(self, event: HitsFound) -> None:
        """Show what a search has found."""
        search = self._search
        if search is None or search.query != event.job.query:
            return
        at = search.found.hit(search.number).pos if search.number >= 0 else None
        search.found, search.is_whole, search.has_more = event.found, event.is_whole, event.has_more
        last = len(event.found) - 1
        if at is not None:
            search.number = min(event.found.first_from(at), last)
        elif last >= 0:
            search.number = min(event.found.first_from(self._search_from()), last)
            self._show_hit(search)
        elif self._search_line.display:
            self._go_to_origin()
        self._lay_hits(search)
        if search.step and event.is_whole:
            step, search.step = search.step, 0
            self._step(search, step)
        else:
            self._tell(search, event.error)
        self._keep_origin()

    def _search_from(self) -> Pos:
        return self._origin.pos if self._origin is not None else self._screen.pos

    def _lay_hits(self, search: _Search) -> None:
        self._screen.text.lay_over(Layer.FOUND, search.found.overlays if len(search.found) else None)

    def _show_hit(self, search: _Search) -> None:
        hit = search.found.hit(search.number)
        self._screen.show_words(hit.document, hit.start, hit.end)

    def _tell(self, search: _Search, error: str = "") -> None:
        words = error or self._status(search)
        if self._search_line.display:
            self._search_line.say(words)
        else:
            self._screen.notice(words)

    def _status(self, search: _Search) -> str:
        total = len(search.found)
        if not total:
            parts = [_("not found")] if search.is_whole else []
        else:
            count = f"{total}" if search.is_whole else f"{total}+"
            parts = [_("{n} of {total}").format(n=search.number + 1, total=count)]
            chapter = self._screen.session.index.chapter_at(search.found.hit(search.number).pos)
            inside = search.found.count_in(chapter.pos, chapter.pos_end) if chapter is not None else total
            if inside != total:
                parts.append(_("{n} in this chapter").format(n=inside))
        return " · ".join(parts + (self._more(search) if search.is_whole else []))

    def _more(self, search: _Search) -> list[str]:
        return more_words(self._screen.session, has_more=search.has_more)

    # from hit to hit

    def step(self, step: int) -> None:
        """Go to the next (positive) or the previous hit, some of them on; what was read since is searched too."""
        search, screen = self._search, self._screen
        if search is None:
            screen.notice(_("Nothing is searched for. / searches from here, g/ lists the whole work."))
        elif not search.is_listed and self._has_read_on(search):
            self._look_for(search.query, step=step)
        elif search.number < 0 and not search.is_whole:
            search.step += step  # typed before the search has found anything
        else:
            self._step(search, step)

    def _has_read_on(self, search: _Search) -> bool:
        """Say whether there may be more hits by now."""
        screen = self._screen
        return search.frontier < screen.session.frontier and screen.settings.spoilers is not SpoilerMode.OFF

    def _step(self, search: _Search, step: int) -> None:
        is_here = self._is_at_hit(search)
        number = search.number + step if is_here else self._number_from_page(search, step)
        if not len(search.found):
            self._tell(search)
        elif not 0 <= number < len(search.found):
            end = _("no more places before this one") if step < 0 else _("no more places behind this one")
            self._screen.notice(" · ".join([end, *self._more(search)]))
        else:
            if not is_here:
                self._screen.remember_here()
            search.number = number
            self._lay_hits(search)
            self._show_hit(search)
            self._tell(search)

    def _is_at_hit(self, search: _Search) -> bool:
        """Say whether the hit the reader went to last is on the page; if not, she has turned on since."""
        if search.number < 0:
            return False
        hit = search.found.hit(search.number)
        return self._screen.text.shows(hit.document, hit.start)

    def _number_from_page(self, search: _Search, step: int) -> int:
        first = search.found.first_from(self._screen.pos)
        return first + step - 1 if step > 0 else first + step

    def hit_in_focus(self) -> Hit | None:
        """Return the hit the reader is at; None when it is not on the page, or no more marked."""
        search = self._search
        is_marked = search is not None and self._screen.has_hits and self._is_at_hit(search)
        return search.found.hit(search.number) if search is not None and is_marked else None

    def clear_hits(self) -> bool:
        """Take the marks of the search off the page; n brings them back. Say whether there were any."""
        return self._screen.text.lay_over(Layer.FOUND, None)

    def forget(self) -> None:
        """Forget what was searched for."""
        self._search = None
        self.clear_hits()
        self._screen.workers.cancel_group(self._screen, GROUP)

    def go_to(self, query: TextQuery, found: Found, number: int, *, is_listed: bool) -> None:
        """Go to a hit of a search made elsewhere, and take that search over.

        Args:
            query: What was searched for.
            found: All it found.
            number: Which one to go to.
            is_listed: It was found by more than its words.
        """
        self._screen.remember_here()
        self._origin = None
        self._search = _Search(
            query, self._screen.session.frontier, 0, found, number, is_whole=True, is_listed=is_listed
        )
        self._lay_hits(self._search)
        self._show_hit(self._search)
        self._tell(self._search)
