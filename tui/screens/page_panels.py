"""The panels around the text: contents and marks at the left, the sidebar at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.widget import Widget

from engine.config import Settings
from engine.domain.marks import ShownMark
from tui.render.panel_plan import PanelPlan, SeenPanels
from tui.render.tabs import Tab, panels_from_text, text_from_panels
from tui.screens.page import PageScreen
from tui.session import ReadingSession
from tui.widgets.toc import Toc

if TYPE_CHECKING:
    from tui.widgets.mark_list import MarkList
    from tui.widgets.sidebar import Sidebar

# Sidebar and list of marks are imported and made when they are first opened: 15 ms less at each start.

SHORT_ROWS = 20
"""Below this the progress bar is one row."""


class PagePanels(PageScreen):
    """The part that opens and closes panels."""

    @dataclass
    class PanelsChanged(Message):
        """The reader wants to see other panels."""

        kept: str
        """To be given to the next reading screen."""

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings)
        self._plan = PanelPlan(panels_from_text(panels))
        self._made_sidebar: Sidebar | None = None
        self._made_marks: MarkList | None = None

    @property
    def _toc(self) -> Toc:
        return self.query_one(Toc)

    @property
    def sidebar(self) -> Sidebar:
        """The sidebar; made when it is first asked for."""
        if self._made_sidebar is None:
            from tui.widgets.sidebar import Sidebar

            self._made_sidebar = Sidebar(id="sidebar")
            self.query_one("#body").mount(self._made_sidebar)
            self._made_sidebar.fill()
            self._made_sidebar.open(self._plan.wanted.tab, has_keys=False)
        return self._made_sidebar

    @property
    def mark_list(self) -> MarkList:
        """The list of marks; made when it is first asked for."""
        if self._made_marks is None:
            from tui.widgets.mark_list import MarkList

            self._made_marks = MarkList(id="marks")
            self.query_one("#body").mount(self._made_marks, before="#page")
            self.read_marks()
        return self._made_marks

    # what is seen

    def _seen(self) -> SeenPanels:
        return self._plan.seen(self.size.width)

    @property
    def is_narrow(self) -> bool:
        """Whether panels lie over the text."""
        return self._plan.is_narrow(self.size.width)

    def switch_zen(self) -> bool:
        """See the text alone, or the panels again; say whether it is alone now."""
        self._plan.is_zen = not self._plan.is_zen
        return self._plan.is_zen

    def arrange_panels(self) -> None:
        """Show the panels there is room for."""
        self.set_class(self.is_narrow, "-narrow")
        self.set_class(self.size.height < SHORT_ROWS, "-short")
        seen = self._seen()
        # Set on the widgets themselves: each class of the screen costs 3 ms, for all styles are looked up again.
        self._toc.display = seen.left == "contents"
        if seen.left == "marks" or self._made_marks is not None:
            self.mark_list.display = seen.left == "marks"
        if seen.has_sidebar or self._made_sidebar is not None:
            self.sidebar.display = seen.has_sidebar
        self.place_text()
        self.show_panels()

    def place_text(self) -> None:
        """Fit the panels around the column, which stays in the middle of the screen as far as they leave it there."""
        measures = self._plan.measures(self.size.width, self.column_cells)
        if measures.sidebar_cells:
            self.sidebar.styles.width = measures.sidebar_cells
        padding = (0, measures.behind, 0, measures.before)
        page = self.query_one("#page")
        if tuple(page.styles.padding) != padding:
            page.styles.padding = padding

    @property
    def column_cells(self) -> int:
        """Width of the text column."""
        return self.settings.column_width

    def show_panels(self) -> None:
        """Bring the panels that are seen up to the page."""
        if self._seen().left == "contents":
            titles_upto = self.session.titles_upto(self.settings)
            self._toc.show_place(self.pos, self.session.frontier, titles_upto)

    def shows_tab(self, tab: Tab) -> bool:
        """Say whether a tab of the sidebar is seen."""
        return self._seen().has_sidebar and self.sidebar.tab is tab

    def show_outline(self) -> None:
        """Show another work in the contents."""
        self._toc.show_outline(self.session.index, self.session.titles_upto(self.settings))
        if self._made_marks is not None:
            self.read_marks()

    # opening and closing

    def toggle_left(self, panel: str) -> None:
        """Open a left panel and go there; from inside close it."""
        is_seen = self._seen().left == panel
        if is_seen and self.focused is self._left_widget(panel):
            self.close_panel()
            return
        self._want(lambda: self._plan.open_left(panel, self.size.width))
        self.arrange_panels()
        if panel == "contents":
            self._toc.open()
        self.give_keys(self._left_widget(panel))

    def _left_widget(self, panel: str) -> Widget:
        return self._toc if panel == "contents" else self.mark_list

    def toggle_sidebar(self) -> None:
        """Open the sidebar beside the text, or close it."""
        if self._seen().has_sidebar:
            self._close_sidebar()
        else:
            self.open_tab(self._plan.wanted.tab, has_keys=self.is_narrow)

    def open_tab(self, tab: Tab, *, has_keys: bool = True) -> None:
        """Open a tab of the sidebar."""
        self._want(lambda: self._plan.open_tab(tab, self.size.width))
        self.arrange_panels()
        self.sidebar.open(tab, has_keys=has_keys)
        if tab is Tab.SEARCH:
            self.sidebar.search.start_typing()
        self.show_panels()

    def search_work(self, words: str) -> None:
        """Search the whole work for words in the sidebar."""
        self.open_tab(Tab.SEARCH)
        self.sidebar.search.ask(words)

    def toggle_marks(self) -> None:
        """Open the list of marks, or close it."""
        self.read_marks()
        self.toggle_left("marks")

    def show_marks(self, marks: Sequence[ShownMark]) -> None:
        """List these marks, if the list was ever opened."""
        if self._made_marks is not None:
            self._made_marks.show_marks(marks, self.session.index, self.session.titles_upto(self.settings))

    def _want(self, change: Callable[[], None]) -> None:
        """Change what is wanted, and tell when that is to be kept."""
        before = self._plan.wanted
        change()
        if self._plan.wanted != before:
            self.post_message(self.PanelsChanged(text_from_panels(self._plan.wanted)))

    def close_panel(self) -> None:
        """Close the left panel and go back to the text."""
        self._want(lambda: self._plan.close_left(self.size.width))
        self.arrange_panels()
        self.give_keys(self.text)

    def _close_sidebar(self) -> None:
        self._want(lambda: self._plan.close_sidebar(self.size.width))
        self.arrange_panels()
        self.give_keys(self.text)

    def panel_done(self) -> None:
        """Go back to the text; a panel that lies over it is closed."""
        if self._plan.uncover():
            self.arrange_panels()
        self.give_keys(self.text)

    def focus_pane(self, step: int) -> None:
        """Give the keys to the next (+1) or the previous (-1) of text, left panel and sidebar."""
        seen = self._seen()
        panes: list[Widget] = [self.text, *([self._left_widget(seen.left)] if seen.left else [])]
        at = next((i for i, pane in enumerate(panes) if pane is self.focused), len(panes) if seen.has_sidebar else 0)
        count = len(panes) + seen.has_sidebar
        following = (at + step) % count
        if following < len(panes):
            self.give_keys(panes[following])
        else:
            self.sidebar.focus_pane()

    def on_descendant_focus(self) -> None:
        """Close a panel that lies over the text once the text has the keys, by a click or by Tab."""
        if self._plan.over and self.focused is self.text:
            self.panel_done()

    @on(Toc.Closed)
    def _left_closed(self) -> None:
        self.close_panel()

    def on_mark_list_closed(self) -> None:
        """Go back to the text."""
        self.close_panel()

    def on_sidebar_closed(self) -> None:
        """Go back to the text."""
        self.panel_done()

    def on_sidebar_tab_opened(self, event: Sidebar.TabOpened) -> None:
        """Keep which tab is open."""
        self._want(lambda: self._plan.choose_tab(event.tab))
        self.show_panels()

    @on(Toc.Chosen)
    def _go_to_chosen(self, event: Toc.Chosen) -> None:
        self.panel_done()
        self.land(event.document, event.offset)
