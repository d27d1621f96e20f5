"""The search over the whole screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual import events, on
from textual.app import App, ComposeResult
from textual.containers import Container

from engine.domain.book import WorkId
from engine.domain.locator import Pos
from engine.domain.outline import OutlineIndex
from engine.translate import N_, _
from tui.keys import key_name
from tui.render.search_list import Group, Listed
from tui.screens.page import PageScreen
from tui.screens.work_search import SearchAnswered, SnippetsArrived, WorkSearch
from tui.widgets.answering import Answering
from tui.widgets.search_panel import SearchPanel
from tui.widgets.search_results import SearchResults
from tui.widgets.search_typing import SearchTyping
from tui.widgets.top_line import TopLine

SEARCH_KEYS: tuple[tuple[str, str], ...] = (
    ("enter", N_("list everything; on a row: go there")),
    ("j k", N_("up and down")),
    ("/", N_("change the words")),
    ("ctrl+t m", N_("by words, by meaning, by both")),
    ("ctrl+r w", N_("this volume, this work, all works")),
    ("1-4", N_("text, wiki, chapters, notes")),
    ("z", N_("fold a group away, or unfold it")),
    ("] [", N_("the next best, the one before")),
    ("a", N_("beside a question to the companion")),
    ("f", N_("over the whole screen, or beside the text")),
    ("n N", N_("on the page: the next place, the one before")),
    ("escape", N_("to the text; the list stays")),
)
"""Keys of the list with what they do, for the help; ctrl+t and ctrl+r hold while typing too."""

Handed = tuple[SearchTyping, OutlineIndex | None, WorkId]


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """How the reader left the search."""

    handed: Handed
    """For the panel beside the text."""
    found_at: Pos
    """The frontier at which it was found."""
    listed: Listed | None = None
    """What she chose from; None when she chose nothing."""
    group: Group | None = None
    number: int = -1
    is_beside: bool = False
    """She goes on beside the text."""
    is_attached: bool = False
    """What she chose goes beside a question."""


class SearchScreen(Answering[SearchChoice]):
    """Answers with what to go to, and with the list as it stands."""

    DEFAULT_CSS = """
    SearchScreen { background: $background; color: $foreground; }
    SearchScreen TopLine { margin-bottom: 1; }
    SearchScreen Container { align-horizontal: center; height: 1fr; background: $background; }
    SearchScreen SearchPanel { max-width: 132; }
    """
    BLANK = True

    def __init__(self, page: PageScreen, handed: Handed) -> None:
        """Take the page of the work, and what a panel of it has handed over."""
        super().__init__()
        self._page = page
        self._handed = handed
        self.panel = SearchPanel(id="search-full")
        self._search = WorkSearch(self, self.panel, page)
        self._found_at: Pos = page.session.frontier

    def compose(self) -> ComposeResult:
        """Lay the list under the line that names the work."""
        yield TopLine(id="top")
        with Container():
            yield self.panel

    def on_mount(self) -> None:
        """Go on where the panel was."""
        self.query_one(TopLine).left = (_("Search"), self._page.session.index.outline.title)
        self.panel.take_over(*self._handed)
        self.set_focus(self.panel)
        self.panel.start_typing()

    @on(SearchPanel.Asked)
    def _ask(self, event: SearchPanel.Asked) -> None:
        self._search.ask(event.wanted)

    @on(SearchAnswered)
    def _list(self, event: SearchAnswered) -> None:
        event.search.take(event)

    @on(SearchResults.SnippetsWanted)
    def _bring(self, event: SearchResults.SnippetsWanted) -> None:
        self._search.bring_snippets(event)

    @on(SnippetsArrived)
    def _show(self, event: SnippetsArrived) -> None:
        event.search.show_snippets(event)

    @on(SearchPanel.Chosen)
    def _go(self, event: SearchPanel.Chosen) -> None:
        self._leave(event.listed, event.group, event.number)

    @on(SearchPanel.AttachWanted)
    def _put_beside(self, event: SearchPanel.AttachWanted) -> None:
        self._leave(event.listed, event.group, event.number, is_attached=True)

    @on(SearchPanel.WidthWanted)
    def _go_beside(self) -> None:
        self._leave(is_beside=True)

    @on(SearchPanel.KeysWanted)
    def _show_keys(self) -> None:
        show_keys(self.app)

    def _leave(
        self,
        listed: Listed | None = None,
        group: Group | None = None,
        number: int = -1,
        *,
        is_beside: bool = False,
        is_attached: bool = False,
    ) -> None:
        handed = self.panel.hand_over()
        self.dismiss(SearchChoice(handed, self._found_at, listed, group, number, is_beside, is_attached))

    def on_key(self, event: events.Key) -> None:
        """Go back to the text, or show the keys."""
        key = key_name(event.key, event.character)
        if key in ("escape", "q"):
            event.stop()
            self._leave()
        elif key == "f1":
            event.stop()
            show_keys(self.app)


def show_keys(app: App[Any]) -> None:  # Any: what a program returns is of no account here
    """Show the keys of a search."""
    from tui.modals.note_card import NoteCard  # not before it is asked for

    app.push_screen(NoteCard("\n".join(f"{keys:12}{_(words)}" for keys, words in SEARCH_KEYS)))
