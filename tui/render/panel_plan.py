"""Which panels are seen around the text, and how wide: what the reader wants, as far as there is room for it."""

from __future__ import annotations

from dataclasses import dataclass

from tui.render.tabs import Panels, Tab

GUTTER_CELLS = 2
NARROW_COLUMNS = 100
"""Below this panels lie over the text instead of beside it."""
WIDE_COLUMNS = 140
"""From here on there is room for a panel on both sides."""
_LEFT_CELLS = 35
_SIDEBAR_LEAST, _SIDEBAR_MOST = 34, 56
_SIDEBAR_OVER = 48
"""Width over the text of a narrow screen."""


@dataclass(frozen=True, slots=True)
class SeenPanels:
    """What is seen beside the text, or over it."""

    left: str = ""
    """The panel at the left, or nothing."""
    has_sidebar: bool = False


@dataclass(frozen=True, slots=True)
class Measures:
    """How the row of panels and text is divided."""

    sidebar_cells: int
    """0 without a sidebar."""
    before: int
    """Blank cells before what is in the middle of the rest."""
    behind: int


class PanelPlan:
    """The panels of one reading screen. Widths are cells of the whole screen."""

    def __init__(self, wanted: Panels) -> None:
        self.wanted = wanted
        self.is_zen = False
        """The text alone is shown."""
        self.over = ""
        """The panel that lies over the text of a narrow screen: "contents", "marks", "sidebar" or none."""
        self._is_right_first = wanted.has_sidebar
        """Which side stays where there is room for one."""

    def is_narrow(self, width: int) -> bool:
        """Say whether panels lie over the text."""
        return width < NARROW_COLUMNS

    def seen(self, width: int) -> SeenPanels:
        """Return which panels are seen."""
        if self.is_zen:
            return SeenPanels()
        if self.is_narrow(width):
            return SeenPanels("" if self.over == "sidebar" else self.over, self.over == "sidebar")
        left, has_sidebar, _tab = self.wanted
        if width >= WIDE_COLUMNS or not (left and has_sidebar):
            return SeenPanels(left, has_sidebar)
        return SeenPanels(has_sidebar=True) if self._is_right_first else SeenPanels(left)

    def measures(self, width: int, column_cells: int) -> Measures:
        """Fit the panels around the column, which stays in the middle of the screen as far as they leave it there.

        Args:
            width: Of the screen.
            column_cells: Of the text, without its gutters.
        """
        seen, is_narrow, column = self.seen(width), self.is_narrow(width), column_cells + 2 * GUTTER_CELLS
        left_cells = _LEFT_CELLS if seen.left and not is_narrow else 0
        start = max(left_cells, (width - column) // 2)
        right_cells = 0
        if seen.has_sidebar and not is_narrow:
            # Where there is room for one panel alone, it is of more use than margins.
            kept = start if width >= WIDE_COLUMNS else left_cells
            right_cells = min(_SIDEBAR_MOST, max(_SIDEBAR_LEAST, width - kept - column))
        sidebar_cells = min(width, _SIDEBAR_OVER) if seen.has_sidebar and is_narrow else right_cells
        # The container centres what is between its paddings.
        free = max(0, width - left_cells - right_cells - column)
        before = min(free, start - left_cells)
        return Measures(sidebar_cells, max(0, 2 * before - free), max(0, free - 2 * before))

    # what is wanted

    def open_left(self, panel: str, width: int) -> None:
        """Want a panel at the left."""
        if self.is_narrow(width):
            self.over = panel
        else:
            self.wanted = self.wanted._replace(left=panel)
            self._is_right_first = False

    def close_left(self, width: int) -> None:
        """Want none there."""
        if self.is_narrow(width):
            self.over = ""
        else:
            self.wanted = self.wanted._replace(left="")

    def open_tab(self, tab: Tab, width: int) -> None:
        """Want the sidebar, and this in it."""
        self.choose_tab(tab)
        if self.is_narrow(width):
            self.over = "sidebar"
        else:
            self.wanted = self.wanted._replace(has_sidebar=True)
            self._is_right_first = True

    def choose_tab(self, tab: Tab) -> None:
        """Want this whenever the sidebar is seen."""
        self.wanted = self.wanted._replace(tab=tab)

    def close_sidebar(self, width: int) -> None:
        """Want no sidebar."""
        if self.is_narrow(width):
            self.over = ""
        else:
            self.wanted = self.wanted._replace(has_sidebar=False)

    def uncover(self) -> bool:
        """Take away what lies over the text; say whether something did."""
        was, self.over = self.over, ""
        return bool(was)
