"""Let the terminal move the rows of a page that moves by a few: scroll margins, delete or insert lines.

A line costs the new row instead of the page. Only where nothing but the widget stands in its
rows and nothing waits to be drawn there; otherwise Textual draws as ever. What is written here
goes past Textual's compositor, which keeps no picture of the screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


def shift_between(before: Sequence[object], after: Sequence[object]) -> int:
    """Return by how many rows the page moved, positive when it moved on; 0 when it is another page.

    Only less than half a page counts, for the rest is quicker drawn anew.
    """
    height = len(after)
    if len(before) != height or not height:
        return 0
    for rows in range(1, (height + 1) // 2):
        if before[rows] == after[0] and list(before[rows:]) == list(after[: height - rows]):
            return rows
        if after[rows] == before[0] and list(after[rows:]) == list(before[: height - rows]):
            return -rows
    return 0


def scroll_rows(widget: Widget, rows: int) -> bool:
    """Move what the terminal shows of a widget, and draw the rows that come into sight.

    Args:
        widget: Already in its new state; blank to the left and right of it, in its own colours.
        rows: By how many rows its content moved up.

    Returns:
        False when nothing was done and the widget has to be drawn anew.
    """
    app, region = widget.app, widget.region
    driver = app._driver
    if driver is None or not hasattr(driver, "drawn_by_hand") or not _is_at_rest(widget) or not _stands_alone(widget):
        return False
    top, bottom = region.y + 1, region.bottom
    fresh = range(bottom - rows, bottom) if rows > 0 else range(region.y, region.y - rows)
    written = [f"\x1b[{top};{bottom}r\x1b[{top};1H\x1b[{abs(rows)}{'M' if rows > 0 else 'L'}\x1b[r"]
    written += [f"\x1b[{y + 1};1H{_row(widget, y - region.y)}" for y in fresh]
    begin, end = ("\x1b[?2026h", "\x1b[?2026l") if app._sync_available else ("", "")
    driver.drawn_by_hand()
    driver.write(begin + "".join(written) + "\x1b[1;1H" + end)
    return True


def _is_at_rest(widget: Widget) -> bool:
    """Say whether the terminal shows what the widget was before: nothing of it waits to be drawn."""
    screen, app = widget.screen, widget.app
    return (
        screen is app.screen
        and len(app.screen_stack) == 1
        and not app._batch_count
        and not (widget._repaint_required or widget._layout_required)
        and not (screen._repaint_required or screen._layout_required or screen._scroll_required)
        and not screen._dirty_widgets
        and not screen._compositor._dirty_regions
        and not screen.message_queue_size
    )


def _stands_alone(widget: Widget) -> bool:
    """Say whether nothing but what holds the widget stands in its rows, and all of it is to be seen."""
    region, size = widget.region, widget.screen.size
    rows = Region(0, region.y, size.width, region.height)
    if region.height < 2 or region.size != widget.size or region.bottom > size.height or region.right > size.width:
        return False
    holders = set(widget.ancestors_with_self)
    others = widget.screen._compositor.visible_widgets.items()
    return not any(place.overlaps(rows) for other, (place, _clip) in others if other not in holders)


def _row(widget: Widget, y: int) -> str:
    """Return a row of the screen: the widget's, with blanks on both sides in the colours of its ends."""
    region = widget.region
    strip = widget.render_lines(Region(0, y, region.width, 1))[0]
    first, last = strip._segments[0], strip._segments[-1]
    right = widget.screen.size.width - region.right
    segments = [Segment(" " * region.x, first.style), *strip, Segment(" " * right, last.style)]
    return Strip(segments).simplify().render(widget.app.console)
