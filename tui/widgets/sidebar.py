"""The panel beside the text, with its four tabs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual import events
from textual.containers import Container
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from engine.translate import N_, _
from tui.keys import key_name
from tui.render.cells import cell_width, fit_cells
from tui.render.tabs import Tab
from tui.widgets.row_list import FOCUS_BAR
from tui.widgets.row_widget import RowWidget
from tui.widgets.search_panel import SearchPanel
from tui.widgets.wiki_view import WikiView

if TYPE_CHECKING:
    from tui.widgets.chat_view import ChatView

_TITLES: Mapping[Tab, str] = {
    Tab.GLANCE: N_("Glance"),
    Tab.WIKI: N_("Wiki"),
    Tab.CHAT: N_("Chat"),
    Tab.SEARCH: N_("Search"),
}


class SidebarTabs(RowWidget):
    """The row of titles."""

    DEFAULT_CSS = "SidebarTabs { height: 2; width: 1fr; color: $faint; background: $background; }"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"tabs--here"}

    @dataclass
    class Pressed(Message):
        """A title was clicked."""

        tab: Tab

    def __init__(self) -> None:
        super().__init__()
        self._current = Tab.GLANCE
        self._has_keys = False

    def show_keys(self, *, has_keys: bool) -> None:
        """Show whether the sidebar has the keys."""
        self._has_keys = has_keys
        self.refresh()

    def show(self, tab: Tab) -> None:
        """Mark the tab that is open."""
        self._current = tab
        self.refresh()

    def _spans(self) -> list[tuple[Tab, int, int]]:
        """Return (tab, first cell, cell behind it), shortened evenly where the row is narrow."""
        titles = [_(title) for title in _TITLES.values()]
        room = max(4, self.size.width - 2)
        gap = 3 if sum(map(cell_width, titles)) + 9 <= room else 1
        each = max(1, (room - 3 * gap) // 4) if sum(map(cell_width, titles)) + 3 * gap > room else room
        spans, at = [], 2
        for tab, title in zip(Tab, titles, strict=True):
            cells = min(cell_width(title), each)
            spans.append((tab, at, at + cells))
            at += cells + gap
        return spans

    def render_line(self, y: int) -> Strip:
        """Draw the titles, the open one bold."""
        width = self.size.width
        if y:
            return Strip([Segment(" " * width, self.base)], width)
        here = self.get_component_rich_style("tabs--here")
        segments = [Segment(f"{FOCUS_BAR} " if self._has_keys else "  ", here)]
        at = 2
        for tab, start, end in self._spans():
            title = fit_cells(_(_TITLES[tab]), end - start)
            segments.append(Segment(" " * (start - at), self.base))
            segments.append(Segment(title, here if tab is self._current else self.base))
            at = start + cell_width(title)
        return Strip(segments).adjust_cell_length(width, self.base)

    def on_click(self, event: events.Click) -> None:
        """Tell which title was clicked."""
        for tab, start, end in self._spans():
            if start <= event.x < end and event.y == 0:
                self.post_message(self.Pressed(tab))


class Sidebar(Container):
    """Four tabs of which one is open."""

    DEFAULT_CSS = "Sidebar { color: $foreground; background: $background; layout: vertical; }"

    @dataclass
    class TabOpened(Message):
        """Another tab is shown."""

        tab: Tab

    @dataclass
    class Closed(Message):
        """The reader goes back to the text."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tabs = SidebarTabs()
        self.glance = WikiView(id="glance")
        self.glance.has_way_back = False
        self.wiki = WikiView(id="wiki")
        self.search = SearchPanel(id="search-panel")
        self._panes: dict[Tab, Widget] = {
            Tab.GLANCE: self.glance,
            Tab.WIKI: self.wiki,
            Tab.SEARCH: self.search,
        }
        self.tab = Tab.GLANCE
        self._made_chat: ChatView | None = None

    @property
    def chat(self) -> ChatView:
        """The conversation with the companion; made when it is first asked for: 10 ms less for the other tabs."""
        if self._made_chat is None:
            from tui.widgets.chat_view import ChatView

            self._made_chat = self._panes[Tab.CHAT] = ChatView(id="chat")
            self._made_chat.display = self.tab is Tab.CHAT
            self.mount(self._made_chat)
        return self._made_chat

    def _pane(self, tab: Tab) -> Widget:
        return self.chat if tab is Tab.CHAT else self._panes[tab]

    def fill(self) -> None:
        """Put titles and panes in once the sidebar is mounted; by `compose` they would miss keys typed ahead."""
        self.mount(self._tabs, *self._panes.values())

    def open(self, tab: Tab, *, has_keys: bool) -> None:
        """Show a tab, and give it the keys."""
        opened = self._pane(tab)
        for each, pane in self._panes.items():
            pane.display = each is tab
        self._tabs.show(tab)
        if tab is not self.tab:
            self.tab = tab
            self.post_message(self.TabOpened(tab))
        if has_keys:
            self.screen.set_focus(opened, scroll_visible=False)

    def focus_pane(self) -> None:
        """Give the open tab the keys."""
        self.screen.set_focus(self._pane(self.tab), scroll_visible=False)

    def on_sidebar_tabs_pressed(self, event: SidebarTabs.Pressed) -> None:
        """Open the tab that was clicked."""
        event.stop()
        self.open(event.tab, has_keys=True)

    def on_key(self, event: events.Key) -> None:
        """Change tabs by arrows, leave by Esc; what is not ours goes on to the screen."""
        key = key_name(event.key, event.character)
        tabs = list(Tab)
        if key in ("left", "right", "h", "l"):
            step = 1 if key in ("right", "l") else -1
            self.open(tabs[(tabs.index(self.tab) + step) % len(tabs)], has_keys=True)
        elif key == "escape":
            self.post_message(self.Closed())
        else:
            return
        event.stop()
        event.prevent_default()

    def on_descendant_focus(self) -> None:
        """Show that the keys go here."""
        self._tabs.show_keys(has_keys=True)

    def on_descendant_blur(self) -> None:
        """Show that they go elsewhere."""
        self._tabs.show_keys(has_keys=False)
