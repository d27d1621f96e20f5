"""Where a reader is on a page of the wiki: the rows she sees, the link in focus. Knows nothing of keys or terminals."""

from __future__ import annotations

from engine.domain.wiki import Page, PageKey
from tui.render.wiki_bits import ToFold, ToReveal
from tui.render.wiki_rows import WikiLayout, WikiLink, lay_out
from tui.render.wiki_setting import WikiOptions

_MOST_NUMBERS = 9


class WikiPlace:
    """A page set for a window of some width and height.

    Attributes:
        page: What is shown; None before the first.
        layout: The page in rows.
        top: First row shown.
        focus: Index of the link in focus; -1 for none.
        is_unfolded: The track shows a line a chapter.
    """

    def __init__(self, *, is_ascii: bool = False) -> None:
        self.page: Page | None = None
        self.layout: WikiLayout | None = None
        self.top = 0
        self.focus = -1
        self.is_unfolded = False
        self._is_ascii = is_ascii
        self._filter = ""
        self._width = 0
        self._height = 1

    @property
    def links(self) -> tuple[WikiLink, ...]:
        """The links of the page."""
        return self.layout.links if self.layout is not None else ()

    @property
    def is_list(self) -> bool:
        """Whether the page is read entry by entry."""
        return self.layout is not None and self.layout.is_list

    # setting

    def take(self, page: Page | None, top: int = 0, focus: int = -1) -> None:
        """Show a page from a row on; in a list some link always has the focus."""
        self.page = page
        self._set()
        is_kept = 0 <= focus < len(self.links)
        self.focus = focus if is_kept else self._first_entry() if self.is_list else -1
        self.scroll_to(top)

    def resize(self, width: int, height: int) -> None:
        """Set the page for another window; the same again costs nothing."""
        if (width, height) == (self._width, self._height):
            return
        self._width, self._height = max(0, width), max(1, height)
        self._set()
        self.scroll_to(self.top)

    def filter(self, words: str) -> None:
        """Show only what holds some words in lists."""
        self._filter = words
        self._set()
        self.focus = self._first_entry()
        self.scroll_to(0)

    def fold(self) -> None:
        """Open the track to a line a chapter, or close it, and go there."""
        self.is_unfolded = not self.is_unfolded
        self._set()
        self.focus_link(next((i for i, link in enumerate(self.links) if isinstance(link.target, ToFold)), -1))

    def _set(self) -> None:
        if self.page is None or self._width == 0:
            self.layout = None
            return
        self.layout = lay_out(self.page, WikiOptions(self._width, self.is_unfolded, self._filter, self._is_ascii))
        self.focus = min(self.focus, len(self.links) - 1)

    # scrolling

    def scroll_to(self, row: int) -> None:
        """Show the page from a row on, as far as there are rows."""
        rows = len(self.layout.rows) if self.layout is not None else 0
        self.top = max(0, min(row, rows - self._height))

    def scroll_by(self, rows: int) -> None:
        """Scroll; in a list the focus stays on what is seen."""
        self.scroll_to(self.top + rows)
        seen = [index for index in self.seen_links() if not self.links[index].is_aside]
        if self.is_list and seen and self.focus not in seen:
            self.focus = seen[0] if rows > 0 else seen[-1]

    def line(self, step: int) -> None:
        """Go a row on or back, or in a list an entry."""
        entries = self._entries() if self.is_list else []
        following = entries if step > 0 else entries[::-1]
        wanted = next((index for index in following if (index - self.focus) * step > 0), -1)
        if wanted >= 0 and (self.focus < 0 or self.is_seen(self.focus)):
            self.focus_link(wanted)
        else:
            self.scroll_by(step)

    def _entries(self) -> list[int]:
        return [index for index, link in enumerate(self.links) if isinstance(link.target, PageKey)]

    def _first_entry(self) -> int:
        return next(iter(self._entries()), -1)

    def section(self, step: int) -> None:
        """Go to the next (+1) or previous (-1) section."""
        rows = [section.row for section in self.layout.sections] if self.layout is not None else []
        if step > 0:
            self.scroll_to(next((row for row in rows if row > self.top), self.top))
        else:
            self.scroll_to(next((row for row in reversed(rows) if row < self.top), 0))

    def side_top(self) -> int:
        """Return the first row of the side column; it scrolls only when it is longer than the window."""
        side = len(self.layout.side) if self.layout is not None else 0
        return max(0, min(self.top, side - self._height))

    # links

    def is_seen(self, index: int) -> bool:
        """Say whether a link is in the window."""
        link = self.links[index]
        top = self.side_top() if link.is_aside else self.top
        return top <= link.row < top + self._height

    def seen_links(self) -> list[int]:
        """Return the links in the window."""
        return [index for index in range(len(self.links)) if self.is_seen(index)]

    def numbers(self) -> dict[int, int]:
        """Return the digit that opens each of the first links to pages that are seen, by the link's index."""
        pages = (index for index in self.seen_links() if isinstance(self.links[index].target, PageKey))
        return dict(zip(pages, range(1, _MOST_NUMBERS + 1), strict=False))

    def link_numbered(self, digit: int) -> int:
        """Return the link a digit opens, -1 for none."""
        return next((index for index, number in self.numbers().items() if number == digit), -1)

    def veil_near(self) -> int:
        """Return the veiled run in focus, else the first that is seen; -1 for none."""
        veils = [index for index in self.seen_links() if isinstance(self.links[index].target, ToReveal)]
        return self.focus if self.focus in veils else veils[0] if veils else -1

    def only_entry(self) -> int:
        """Return the one link to a page there is, -1 where there are none or several."""
        entries = self._entries()
        return entries[0] if len(entries) == 1 else -1

    def move_focus(self, step: int) -> bool:
        """Go to the next or previous link; False where there is none that way."""
        if 0 <= self.focus < len(self.links) and self.is_seen(self.focus):
            wanted = self.focus + step
        else:
            seen = self.seen_links()
            wanted = (seen[0] if step > 0 else seen[-1]) if seen else -1
        if not 0 <= wanted < len(self.links):
            return False
        self.focus_link(wanted)
        return True

    def focus_link(self, index: int) -> None:
        """Put the focus on a link and bring it into the window."""
        self.focus = index
        if not 0 <= index < len(self.links) or self.links[index].is_aside or self.is_seen(index):
            return
        row, above = self.links[index].row, self._height // 3
        self.scroll_to(row - above if row < self.top else row - self._height + 1 + above)
