"""Which panels are seen, by the width of the screen, and how the row is divided."""

from __future__ import annotations

import pytest

from tui.render.panel_plan import GUTTER_CELLS, PanelPlan, SeenPanels
from tui.render.tabs import Panels, Tab

_BOTH = Panels("contents", has_sidebar=True)


@pytest.mark.parametrize(
    ("width", "seen"),
    [
        (80, SeenPanels()),
        (100, SeenPanels(has_sidebar=True)),
        (139, SeenPanels(has_sidebar=True)),
        (140, SeenPanels("contents", has_sidebar=True)),
    ],
)
def test_of_two_panels_that_were_wanted_those_are_seen_there_is_room_for(width: int, seen: SeenPanels) -> None:
    assert PanelPlan(_BOTH).seen(width) == seen


def test_the_side_opened_last_stays_where_there_is_room_for_one() -> None:
    plan = PanelPlan(_BOTH)
    plan.open_left("marks", 120)
    assert plan.seen(120) == SeenPanels("marks")
    plan.open_tab(Tab.WIKI, 120)
    assert plan.seen(120) == SeenPanels(has_sidebar=True)
    assert plan.wanted == Panels("marks", has_sidebar=True, tab=Tab.WIKI)


def test_what_lies_over_a_narrow_screen_is_not_wanted_on_a_wide_one() -> None:
    plan = PanelPlan(Panels())
    plan.open_left("contents", 80)
    assert plan.seen(80) == SeenPanels("contents")
    assert plan.seen(120) == SeenPanels()
    assert plan.uncover()
    assert plan.seen(80) == SeenPanels()
    assert not plan.uncover()


def test_the_text_alone_hides_panels_and_keeps_what_is_wanted() -> None:
    plan = PanelPlan(_BOTH)
    plan.is_zen = True
    assert (plan.seen(200), plan.wanted) == (SeenPanels(), _BOTH)


@pytest.mark.parametrize("width", [100, 120, 139, 140, 200])
@pytest.mark.parametrize("panels", [Panels(), Panels("contents"), Panels(has_sidebar=True), _BOTH])
def test_the_column_stands_in_the_middle_as_far_as_the_panels_leave_it_there(width: int, panels: Panels) -> None:
    plan = PanelPlan(panels)
    seen, measures, column = plan.seen(width), plan.measures(width, 60), 60 + 2 * GUTTER_CELLS
    left = 35 if seen.left else 0
    rest = width - left - measures.sidebar_cells
    start = left + measures.before + (rest - measures.before - measures.behind - column) // 2
    assert min(measures.before, measures.behind) == 0
    assert start == max(left, min((width - column) // 2, left + max(0, rest - column)))
