"""The wiki over the whole screen."""

from __future__ import annotations

from collections.abc import Callable

from textual import events, on
from textual.app import ComposeResult

from engine.config import Settings
from engine.domain.locator import Locator
from engine.domain.wiki import Page, PageKey, PageKind
from engine.translate import N_, _
from tui.keys import key_name
from tui.screens.correcting import Corrected, Correcting, CorrectionReady
from tui.screens.wiki_loading import WikiArrived, WikiFailed, WikiLoader
from tui.session import ReadingSession
from tui.widgets.answering import Answering
from tui.widgets.notice_line import NoticeLine
from tui.widgets.top_line import TopLine
from tui.widgets.wiki_view import WikiView

WIKI_KEYS: tuple[tuple[str, str], ...] = (
    ("j k", N_("up and down; in a list from entry to entry")),
    ("space b", N_("a page on or back")),
    ("[ ]", N_("section before or behind")),
    ("tab n", N_("next link; shift+tab or N the one before")),
    ("enter", N_("open the link: an entry, or a passage in the text")),
    ("1-9", N_("open the link of that number")),
    ("/", N_("filter a list")),
    ("t", N_("the track, a line a chapter")),
    ("x", N_("show a veiled run")),
    ("e", N_("set the entry right: merge, split, rename, hide, undo")),
    ("a", N_("ask about the entry")),
    ("o", N_("have it written anew, or ask for an entry or a topic")),
    ("i", N_("all that is kept of it: names, notes, passages")),
    ("backspace", N_("back; g o forward; g h where you have been")),
    ("g w", N_("first page; g n all names")),
    ("escape", N_("to the text")),
)
"""Keys of the wiki with what they do, for the help."""


class WikiScreen(Answering[Locator | None]):
    """Answers with a passage to go to; None when the reader goes back to where she was."""

    DEFAULT_CSS = """
    WikiScreen { background: $background; color: $foreground; layers: base notice; }
    WikiScreen TopLine { margin-bottom: 1; }
    WikiScreen NoticeLine { margin-bottom: 0; }
    """
    BLANK = True

    def __init__(
        self,
        session: ReadingSession,
        settings: Settings,
        start: PageKey | None = None,
        *,
        here: Locator | None = None,
        ask: Callable[[Page], None] | None = None,
        is_ascii: bool = False,
    ) -> None:
        """Take the work.

        Args:
            session: Whose wiki.
            settings: Of the reader.
            start: The page to begin with; None for the first.
            here: Where the page of the text ends.
            ask: Lets a question be asked about an entry.
            is_ascii: Draw with ASCII signs.
        """
        super().__init__()
        self._start = start or PageKey(PageKind.HOME)
        self._view = WikiView(is_ascii=is_ascii, id="wiki")
        self._loader = WikiLoader(self, self._view, lambda: session)
        self._correcting = Correcting(self, self._view, lambda: session, lambda: here, self._show_corrected)
        self._is_renewing = False
        self._ask_about = ask
        self._view.has_bar = False
        self._view.needs_yes = settings.spoilers.asks_before_a_reveal

    def compose(self) -> ComposeResult:
        """Lay the page under the line that names it."""
        yield TopLine(id="top")
        yield self._view
        yield NoticeLine(id="notice")

    def on_mount(self) -> None:
        """Ask for the first page."""
        self.set_focus(self._view)
        self._loader.ask(self._start)

    @on(WikiView.EntryWanted)
    def _ask(self, event: WikiView.EntryWanted) -> None:
        self._loader.ask(event.key)

    @on(WikiView.RevealWanted)
    def _reveal(self, event: WikiView.RevealWanted) -> None:
        if self._view.page is not None:
            self._loader.ask(self._view.page.key, event.statement)

    @on(WikiView.CorrectionWanted)
    def _ask_what(self, event: WikiView.CorrectionWanted) -> None:
        self._correcting.ask(event.page)

    @on(CorrectionReady)
    def _open_dialog(self, event: CorrectionReady) -> None:
        event.correcting.open(event)

    @on(Corrected)
    def _finish(self, event: Corrected) -> None:
        event.correcting.finish(event)

    def _show_corrected(self, key: PageKey, words: str, is_done: bool) -> None:
        self.query_one(NoticeLine).say(words)
        if is_done:
            self._is_renewing = True
            self._loader.ask(key)

    @property
    def view(self) -> WikiView:
        """What shows the pages."""
        return self._view

    @on(WikiArrived)
    def _show(self, event: WikiArrived) -> None:
        if self._loader.take(event):
            self._is_renewing = False
            self.query_one(TopLine).left = (_("Wiki"), event.page.title)

    @on(WikiView.PassageWanted)
    def _go(self, event: WikiView.PassageWanted) -> None:
        self.dismiss(event.locator)

    @on(WikiFailed)
    def _tell(self, event: WikiFailed) -> None:
        if not self._loader.give_up(event):
            return
        if self._is_renewing:  # whom it is about was hidden
            self._is_renewing = False
            self._loader.ask(PageKey(PageKind.HOME))
        else:
            self.query_one(NoticeLine).say(event.error.message)

    def on_key(self, event: events.Key) -> None:
        """Go back to the text, or show the keys."""
        self.query_one(NoticeLine).say("")
        key = key_name(event.key, event.character)
        if key in ("escape", "q", "W"):
            event.stop()
            self.dismiss(None)
        elif key in ("?", "f1"):
            event.stop()
            self._show_keys()
        elif key == "a" and self._ask_about is not None and self._view.page is not None:
            event.stop()
            page = self._view.page
            self.dismiss(None)
            self._ask_about(page)

    def _show_keys(self) -> None:
        from tui.modals.note_card import NoteCard  # not before it is asked for

        self.app.push_screen(NoteCard("\n".join(f"{keys:12}{_(words)}" for keys, words in WIKI_KEYS)))
