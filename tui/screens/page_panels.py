"""The panels around the text: contents and marks at the left, the sidebar at the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.widget import Widget

from engine.config import Settings
from engine.domain.marks import ShownMark
from tui.render.tabs import Panels, Tab, panels_from_text, text_from_panels
from tui.screens.page import PageScreen
from tui.session import ReadingSession
from tui.widgets.toc import Toc

if TYPE_CHECKING:
    from tui.widgets.mark_list import MarkList
    from tui.widgets.sidebar import Sidebar

# Sidebar and list of marks are imported and made when they are first opened: 15 ms less at each start.

GUTTER_CELLS = 2
NARROW_COLUMNS = 100
"""Below this panels lie over the text instead of beside it."""
WIDE_COLUMNS = 140
"""From here on there is room for a panel on both sides."""
SHORT_ROWS = 20
"""Below this the progress bar is one row."""
_LEFT_CELLS = 35
_SIDEBAR_LEAST, _SIDEBAR_MOST = 34, 56
_SIDEBAR_OVER = 48
"""Width over the text of a narrow screen."""


class PagePanels(PageScreen):
    """The part that opens and closes panels."""

    @dataclass
    class PanelsChanged(Message):
        """The reader wants to see other panels."""

        kept: str
        """To be given to the next reading screen."""

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings)
        self._wanted = panels_from_text(panels)
        self._is_right_first = self._wanted.has_sidebar
        """Which side stays where there is room for one."""
        self.is_zen = False
        """The text alone is shown."""
        self._over = ""
        """The panel that lies over the text of a narrow screen: "contents", "marks", "sidebar" or none."""
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
            self._made_sidebar.open(self._wanted.tab, has_keys=False)
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

    @property
    def _is_narrow(self) -> bool:
        return self.size.width < NARROW_COLUMNS

    # what is seen

    def _seen(self) -> tuple[str, bool]:
        """Return the left panel that is seen, and whether the sidebar is."""
        if self.is_zen:
            return "", False
        if self._is_narrow:
            return ("" if self._over == "sidebar" else self._over), self._over == "sidebar"
        wanted = self._wanted
        if self.size.width >= WIDE_COLUMNS or not (wanted.left and wanted.has_sidebar):
            return wanted.left, wanted.has_sidebar
        return ("", True) if self._is_right_first else (wanted.left, False)

    def arrange_panels(self) -> None:
        """Show the panels there is room for."""
        self.set_class(self._is_narrow, "-narrow")
        self.set_class(self.size.height < SHORT_ROWS, "-short")
        left, has_sidebar = self._seen()
        # Set on the widgets themselves: each class of the screen costs 3 ms, for all styles are looked up again.
        self._toc.display = left == "contents"
        if left == "marks" or self._made_marks is not None:
            self.mark_list.display = left == "marks"
        if has_sidebar or self._made_sidebar is not None:
            self.sidebar.display = has_sidebar
        self.place_text()
        self.show_panels()

    def place_text(self) -> None:
        """Fit the panels around the column, which stays in the middle of the screen as far as they leave it there."""
        left, has_sidebar = self._seen()
        width, column = self.size.width, self.column_cells + 2 * GUTTER_CELLS
        left_cells = _LEFT_CELLS if left and not self._is_narrow else 0
        start = max(left_cells, (width - column) // 2)
        right_cells = 0
        if has_sidebar and self._is_narrow:
            self.sidebar.styles.width = min(width, _SIDEBAR_OVER)
        elif has_sidebar:
            # Where there is room for one panel alone, it is of more use than margins.
            kept = start if width >= WIDE_COLUMNS else left_cells
            right_cells = min(_SIDEBAR_MOST, max(_SIDEBAR_LEAST, width - kept - column))
            self.sidebar.styles.width = right_cells
        # The container centres what is between its paddings.
        free = max(0, width - left_cells - right_cells - column)
        before = min(free, start - left_cells)
        padding = (0, max(0, free - 2 * before), 0, max(0, 2 * before - free))
        page = self.query_one("#page")
        if tuple(page.styles.padding) != padding:
            page.styles.padding = padding

    @property
    def column_cells(self) -> int:
        """Width of the text column."""
        return self.settings.column_width

    def show_panels(self) -> None:
        """Bring the panels that are seen up to the page."""
        if self._seen()[0] == "contents":
            titles_upto = self.session.titles_upto(self.settings)
            self._toc.show_place(self.pos, self.session.frontier, titles_upto)

    def shows_tab(self, tab: Tab) -> bool:
        """Say whether a tab of the sidebar is seen."""
        return self._seen()[1] and self.sidebar.tab is tab

    def show_outline(self) -> None:
        """Show another work in the contents."""
        self._toc.show_outline(self.session.index, self.session.titles_upto(self.settings))
        if self._made_marks is not None:
            self.read_marks()

    # opening and closing

    def toggle_left(self, panel: str) -> None:
        """Open a left panel and go there; from inside close it."""
        is_seen = self._seen()[0] == panel
        if is_seen and self.focused is self._left_widget(panel):
            self.close_panel()
            return
        if self._is_narrow:
            self._over = panel
        else:
            self._want(left=panel, is_right_first=False)
        self.arrange_panels()
        if panel == "contents":
            self._toc.open()
        self.give_keys(self._left_widget(panel))

    def _left_widget(self, panel: str) -> Widget:
        return self._toc if panel == "contents" else self.mark_list

    def toggle_sidebar(self) -> None:
        """Open the sidebar beside the text, or close it."""
        if self._seen()[1]:
            self._close_sidebar()
        else:
            self.open_tab(self._wanted.tab, has_keys=self._is_narrow)

    def open_tab(self, tab: Tab, *, has_keys: bool = True) -> None:
        """Open a tab of the sidebar."""
        if self._is_narrow:
            self._over = "sidebar"
            self._want(tab=tab)
        else:
            self._want(has_sidebar=True, tab=tab, is_right_first=True)
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

    def _want(
        self,
        *,
        left: str | None = None,
        has_sidebar: bool | None = None,
        tab: Tab | None = None,
        is_right_first: bool | None = None,
    ) -> None:
        old = self._wanted
        self._wanted = Panels(
            old.left if left is None else left,
            old.has_sidebar if has_sidebar is None else has_sidebar,
            old.tab if tab is None else tab,
        )
        if is_right_first is not None:
            self._is_right_first = is_right_first
        if self._wanted != old:
            self.post_message(self.PanelsChanged(text_from_panels(self._wanted)))

    def close_panel(self) -> None:
        """Close the left panel and go back to the text."""
        if self._is_narrow:
            self._over = ""
        else:
            self._want(left="")
        self.arrange_panels()
        self.give_keys(self.text)

    def _close_sidebar(self) -> None:
        if self._is_narrow:
            self._over = ""
        else:
            self._want(has_sidebar=False)
        self.arrange_panels()
        self.give_keys(self.text)

    def panel_done(self) -> None:
        """Go back to the text; a panel that lies over it is closed."""
        if self._over:
            self._over = ""
            self.arrange_panels()
        self.give_keys(self.text)

    def focus_pane(self, step: int) -> None:
        """Give the keys to the next (+1) or the previous (-1) of text, left panel and sidebar."""
        left, has_sidebar = self._seen()
        panes: list[Widget] = [self.text, *([self._left_widget(left)] if left else [])]
        at = next((i for i, pane in enumerate(panes) if pane is self.focused), len(panes) if has_sidebar else 0)
        count = len(panes) + has_sidebar
        following = (at + step) % count
        if following < len(panes):
            self.give_keys(panes[following])
        else:
            self.sidebar.focus_pane()

    def on_descendant_focus(self) -> None:
        """Close a panel that lies over the text once the text has the keys, by a click or by Tab."""
        if self._over and self.focused is self.text:
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
        self._want(tab=event.tab)
        self.show_panels()

    @on(Toc.Chosen)
    def _go_to_chosen(self, event: Toc.Chosen) -> None:
        self.panel_done()
        self.land(event.document, event.offset)
