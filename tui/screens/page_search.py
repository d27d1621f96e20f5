"""Search: the part of the reading screen that leads to what searches, and from what is found to the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from engine.config import Settings, SpoilerMode
from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Locator, Pos
from engine.domain.search import query_from_text
from engine.translate import _
from tui.render.tabs import Tab
from tui.screens.page_notes import PageNotes
from tui.session import ReadingSession

if TYPE_CHECKING:
    from engine.domain.conversations import Attachment
    from tui.render.search_list import Group, Listed
    from tui.screens.search_control import SearchControl
    from tui.screens.search_full import SearchChoice
    from tui.screens.search_running import HitsFound
    from tui.screens.work_search import SearchAnswered, SnippetsArrived, WorkSearch
    from tui.widgets.search_panel import SearchPanel
    from tui.widgets.search_results import SearchResults

# What searches is imported when it is first asked for: 15 ms less at each start. Handlers are found by
# their names, for decorators would need the classes of the messages.


class PageSearch(PageNotes):
    """The part that finds words."""

    @dataclass
    class OtherWorkWanted(Message):
        """The reader goes to a place in another work."""

        work: WorkId
        at: Locator | None

    @dataclass
    class FoundAttached(Message):
        """Something found is to go beside a question."""

        attachment: Attachment

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings, panels)
        self._made_control: SearchControl | None = None
        self._made_work_search: WorkSearch | None = None
        self._found_at: Pos = 0
        """The furthest frontier at which something was found."""

    @property
    def _control(self) -> SearchControl:
        if self._made_control is None:
            from tui.screens.search_control import SearchControl

            self._made_control = SearchControl(self)
        return self._made_control

    @property
    def _work_search(self) -> WorkSearch:
        if self._made_work_search is None:
            from tui.screens.work_search import WorkSearch

            self._made_work_search = WorkSearch(self, self.sidebar.search, self)
        return self._made_work_search

    def start_search(self) -> None:
        """Open the line over the page; what is typed is found at once."""
        self._control.open()

    def step_hit(self, step: int) -> None:
        """Go to the next (positive) or the previous hit, some of them on."""
        self._control.step(step)

    def match_in_focus(self) -> tuple[DocumentId, int, int] | None:
        """Return where the match stands that the reader is at; None when none is on the page."""
        hit = self._made_control.hit_in_focus() if self._made_control is not None else None
        return None if hit is None else (hit.document, hit.start, hit.end)

    def clear_hits(self) -> bool:
        """Take the marks of the search off the page; say whether there were any."""
        return self._made_control is not None and self._made_control.clear_hits()

    def forget_search(self) -> None:
        """Forget what was searched for, as for another work; what was found in the whole library stays."""
        if self._made_control is not None:
            self._made_control.forget()
        if self._made_work_search is not None and not self._made_work_search.is_of_library:
            self._made_work_search.forget()

    def hide_found_ahead(self) -> None:
        """Forget what was found when the frontier stood further on: it was set back, and hits tell what lies ahead."""
        if self.session.frontier < self._found_at and self.settings.spoilers is not SpoilerMode.OFF:
            self.forget_search()
            if self._made_work_search is not None:
                self._made_work_search.forget()
            self._found_at = 0

    # beside the text, and over the whole screen

    def open_tab(self, tab: Tab, *, has_keys: bool = True) -> None:
        """Open a tab of the sidebar; in a search that stands there, look for what was read since as well."""
        super().open_tab(tab, has_keys=has_keys)
        if tab is Tab.SEARCH and self._found_at < self.session.frontier and self.sidebar.search.listed is not None:
            self.sidebar.search.ask_again()

    def open_search(self) -> None:
        """Search over the whole screen, with the list that stands in the sidebar."""
        from tui.screens.search_full import SearchScreen

        self.app.push_screen(SearchScreen(self, self.sidebar.search.hand_over()), self._back_from_search)

    def _back_from_search(self, choice: SearchChoice | None) -> None:
        """Go to what was chosen, or beside the text with the list; the list stays as it is."""
        if choice is None:
            return
        panel = self.sidebar.search
        panel.take_over(*choice.handed)
        self._found_at = max(self._found_at, choice.found_at)
        if choice.listed is not None and choice.group is not None and choice.is_attached:
            self._attach_found(choice.listed, choice.group, choice.number)
        elif choice.listed is not None and choice.group is not None:
            self._go_to_found(choice.listed, choice.group, choice.number)
        elif choice.is_beside:
            super().open_tab(Tab.SEARCH)

    def on_search_panel_asked(self, event: SearchPanel.Asked) -> None:
        """Search."""
        self._work_search.ask(event.wanted)

    def on_search_panel_chosen(self, event: SearchPanel.Chosen) -> None:
        """Go to what was found."""
        self.panel_done()
        self._go_to_found(event.listed, event.group, event.number)

    def on_search_panel_attach_wanted(self, event: SearchPanel.AttachWanted) -> None:
        """Put what was found beside a question."""
        self._attach_found(event.listed, event.group, event.number)

    def on_search_results_snippets_wanted(self, event: SearchResults.SnippetsWanted) -> None:
        """Read the words around some places."""
        self._work_search.bring_snippets(event)

    def on_search_panel_width_wanted(self, event: SearchPanel.WidthWanted) -> None:
        """Search over the whole screen."""
        self.open_search()

    def on_search_panel_keys_wanted(self, event: SearchPanel.KeysWanted) -> None:
        """Show the keys of the list."""
        from tui.screens.search_full import show_keys

        show_keys(self.app)

    def _attach_found(self, listed: Listed, group: Group, number: int) -> None:
        from tui.screens.search_going import attachment_of

        attachment = attachment_of(listed, group, number, self.here_in_words()[0])
        if attachment is None:
            self.notice(_("Passages, entries and notes go beside a question, a chapter does not."))
        else:
            self.post_message(self.FoundAttached(attachment))

    def _go_to_found(self, listed: Listed, group: Group, number: int) -> None:
        from tui.screens.search_going import place_of, places_on_the_way

        here = self.here_in_words()[0]
        place = place_of(listed, group, number, here)
        if place.work != here:
            if place.at is None:
                self.notice(_("It has no place in a text."))
            else:
                self.post_message(self.OtherWorkWanted(place.work, place.at))
        elif place.entry is not None:
            self.show_entry(place.entry)
        elif place.is_text:
            found, at = places_on_the_way(listed, number, place.work)
            self._control.go_to(query_from_text(listed.words), found, at, is_listed=bool(listed.hits))
        elif place.at is None:
            self.notice(_("It has no place in a text."))
        elif place.at.start == place.at.end:
            self.land(place.at.document, place.at.start)
        else:
            self.go_to_passage(place.at)

    # what searches tell

    def on_hits_found(self, event: HitsFound) -> None:
        """Show what was found on the page; a late answer for another work is dropped."""
        if event.job.source is self.session.source:
            self._found_at = max(self._found_at, self.session.frontier)
            self._control.take(event)

    def on_search_answered(self, event: SearchAnswered) -> None:
        """List what was found."""
        self._found_at = max(self._found_at, self.session.frontier)
        event.search.take(event)

    def on_snippets_arrived(self, event: SnippetsArrived) -> None:
        """Show the words around places."""
        event.search.show_snippets(event)
