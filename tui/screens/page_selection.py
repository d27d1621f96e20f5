"""Select, look up and copy: the part of the reading screen that leads to what does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on

from engine.config import Settings
from tui.keys import KeyMachine
from tui.messages import WorkFailed
from tui.screens.page_names import PageNames
from tui.session import ReadingSession
from tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from engine.domain.wiki import PointId
    from tui.render.selection import Selection
    from tui.screens.selection_control import MatchesArrived, SelectionControl, TextCopied
    from tui.widgets.lookup_card import LookupCard

# What acts on a selection is imported when something is first selected.


class PageSelection(PageNames):
    """The part that knows what is selected."""

    ALLOW_SELECT: ClassVar[bool] = False  # Textual's own selection

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings, panels)
        self._made_selection: SelectionControl | None = None
        self.page_keys = KeyMachine({})
        """The keys of the page, and of its modes."""
        self.is_ascii = False
        """Signs are drawn in ASCII."""
        self.is_looking_up = False
        """An answer is awaited."""

    @property
    def _selection_control(self) -> SelectionControl:
        if self._made_selection is None:
            from tui.screens.selection_control import SelectionControl

            self._made_selection = SelectionControl(self)
        return self._made_selection

    @property
    def is_awaiting(self) -> bool:
        """Whether what is typed is meant for what comes first: an answer, or text for the caret to go on in."""
        return self.is_looking_up or self.page.awaits_text

    @property
    def selection(self) -> Selection | None:
        """What is selected; None for nothing."""
        return self.page.selection

    def start_selection(self) -> None:
        """Select the link or match in focus, or the first word of the page; from there keys go on."""
        self._selection_control.start()

    def look_up(self) -> None:
        """Look up the name in focus, or the first on the page; again, the next one."""
        self._selection_control.look_up_here()

    def takes_selection_key(self, key: str) -> bool:
        """Take a key that means something while something is selected; say whether it did."""
        if self.selection is None or self.focused not in (None, self.page):
            return False
        return self._selection_control.take_key(key)

    def act_on_selection(self, action: str, selection: Selection) -> bool:
        """Do what an action asks for with what is selected; False where nothing does it yet.

        Args:
            action: "select-ask", "select-explain", "select-highlight", "select-comment" or "select-excerpt".
            selection: What is selected.
        """
        return False

    def select_nothing(self) -> None:
        """Let go of what is selected."""
        if self._made_selection is not None:
            self._made_selection.leave()

    def forget_selection(self) -> None:
        """Select nothing and know no names, as for another work."""
        self.is_looking_up = False
        if self._made_selection is not None:
            self._made_selection.leave()
        self.page.clear_selection()
        self.forget_names()

    def open_entry(self, point: PointId) -> None:
        """Show an entry beside the text; over the text of a narrow screen it takes the keys, to be closed again."""
        from engine.domain.wiki import PageKey, PageKind  # 15 ms, and the first page needs none of it

        self.show_entry(PageKey(PageKind.ENTRY, point=point), has_keys=self.is_narrow)

    # what is told

    def on_selectable_text_caret_arrived(self) -> None:
        """Do what was typed while text was loaded for the caret."""
        self.arrived()

    @on(TextView.PageMoved)
    def _keep_card_clear(self) -> None:
        if self._made_selection is not None:
            self._made_selection.page_moved()

    @on(WorkFailed)
    def _await_no_more(self) -> None:
        if self.page.awaits_text and self.page.selecting.stop_waiting():
            self.arrived()

    def on_selectable_text_pointed(self) -> None:
        """Follow what the pointer has selected."""
        self._selection_control.pointed()

    def on_lookup_card_chosen(self, event: LookupCard.Chosen) -> None:
        """Open the entry that was clicked."""
        self._selection_control.open_entry(event.match)

    def on_matches_arrived(self, event: MatchesArrived) -> None:
        """Show who may be meant, then do what was typed meanwhile."""
        if self._selection_control.take_matches(event):
            self.is_looking_up = False
            self.arrived()

    def on_text_copied(self, event: TextCopied) -> None:
        """Hand on to the terminal what was copied."""
        self._selection_control.take_copied(event)
