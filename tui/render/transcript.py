"""A conversation in a window of some width and height: which rows are seen, what is in focus.

The answer that comes never scrolls the reader away: the window follows it only until the
question stands at the top, and not at all once she has moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.domain.chat import TurnId, TurnView
from tui.render.cells import cell_width
from tui.render.chat_bits import ChatLink, Part, ShownTurn
from tui.render.turn_rows import TurnOptions, TurnRows
from tui.render.wiki_bits import BLANK_ROW, WikiRow

_FIRST_TURNS = 12
"""Laid out at first; those before when they are asked for."""


class Transcript:
    """The turns of a conversation.

    Attributes:
        top: First row seen.
        focus: Turn and link in focus; None for none.
    """

    def __init__(self, *, is_explained: bool = False) -> None:
        self._is_explained = is_explained
        self._turns: list[ShownTurn] = []
        self._rows: dict[TurnId, TurnRows] = {}
        self._from = 0
        """Number of the first turn laid out."""
        self._options = TurnOptions(0)
        self._height = 1
        self.top = 0
        self.focus: tuple[TurnId, ChatLink] | None = None
        self._follows = True

    # what is shown

    @property
    def turns(self) -> Sequence[ShownTurn]:
        """All turns, oldest first."""
        return self._turns

    @property
    def earlier(self) -> int:
        """How many turns before the first row are not laid out."""
        return self._from

    def show(self, turns: Sequence[ShownTurn]) -> None:
        """Show another conversation: its last question, or as much of its end as there is room for."""
        self._turns = list(turns)
        self._rows = {}
        self.focus = None
        self._from = max(0, len(self._turns) - _FIRST_TURNS)
        self._follows = True
        self._lay_out()
        self._follow()
        self._follows = self._is_coming()

    def _is_coming(self) -> bool:
        return bool(self._turns) and not self._turns[-1].view.has_ended

    def add(self, turn: ShownTurn) -> None:
        """Show a new turn at the end, and follow it."""
        self._turns.append(turn)
        self._lay_out()
        self.focus = None
        self._follows = True
        self._follow()

    def drop(self, turn: TurnId) -> None:
        """Take a turn away, as when it was not taken."""
        self._turns = [each for each in self._turns if each.view.turn != turn]
        self._rows.pop(turn, None)
        self.focus = None
        self.scroll_to(self.top)

    def show_earlier(self) -> None:
        """Lay out all turns; the row that is at the top stays there."""
        before = len(self)
        self._from = 0
        self._lay_out()
        self.top += len(self) - before

    def take(self, view: TurnView) -> int:
        """Show a turn as it is now; return the first row of the window that may have changed."""
        rows = self._rows.get(view.turn)
        self._turns = [replace(each, view=view) if each.view.turn == view.turn else each for each in self._turns]
        if rows is None:
            return self._height
        first, top = self._start_of(view.turn) + rows.update(view), self.top
        self._follow()
        return 0 if self.top != top else max(0, first - self.top)

    def resize(self, width: int, height: int, *, is_ascii: bool = False, models_key: str = "") -> bool:
        """Set everything for another window; return whether anything changed."""
        options = TurnOptions(width, is_ascii, models_key or self._options.models_key, self._is_explained)
        if (options, height) == (self._options, self._height):
            return False
        is_first = not self._options.width
        is_at_end = self.top >= len(self) - self._height
        if options != self._options:
            self._options = options
            for rows in self._rows.values():
                rows.resize(options)
            self._lay_out()
        self._height = max(1, height)
        if is_first:
            self._follows = True
            self._follow()
            self._follows = self._is_coming()
        elif is_at_end:
            self.to_end()
        else:
            self.scroll_to(self.top)
        return True

    def _lay_out(self) -> None:
        if self._options.width:
            for turn in self._turns[self._from :]:
                if turn.view.turn not in self._rows:
                    self._rows[turn.view.turn] = TurnRows(turn, self._options)

    def rows_of(self, turn: TurnId) -> TurnRows | None:
        """Return the rows of a turn, None while they are not laid out."""
        return self._rows.get(turn)

    def _laid(self) -> list[TurnRows]:
        return [rows for turn in self._turns[self._from :] if (rows := self._rows.get(turn.view.turn)) is not None]

    def __len__(self) -> int:
        """Return how many rows there are."""
        return sum(map(len, self._laid()))

    def _start_of(self, turn: TurnId) -> int:
        start = 0
        for rows in self._laid():
            if rows.turn.view.turn == turn:
                break
            start += len(rows)
        return start

    def seen(self, count: int, first: int = 0) -> list[tuple[WikiRow, int, int]]:
        """Return rows of the window from one on: each with its indent and the link in focus, -1 for none."""
        drawn: list[tuple[WikiRow, int, int]] = []
        top, at = self.top + first, 0
        for rows in self._laid():
            size = len(rows)
            for number in range(max(0, top - at), min(size, top + count - at)):
                part, row, indent = rows.row(number)
                drawn.append((row, indent, self._focus_in(rows, part)))
            at += size
            if at >= top + count:
                break
        return drawn + [(BLANK_ROW, 0, -1)] * (count - len(drawn))

    def _focus_in(self, rows: TurnRows, part: Part) -> int:
        if self.focus is None or self.focus[0] != rows.turn.view.turn or self.focus[1].part is not part:
            return -1
        return self.focus[1].index

    # moving

    def scroll_to(self, row: int) -> None:
        """Show the conversation from a row on, as far as there are rows."""
        self.top = max(0, min(row, len(self) - self._height))

    def scroll_by(self, rows: int) -> None:
        """Scroll; what comes is not followed any more."""
        self._follows = False
        if rows < 0 and self.top + rows < 0 and self._from:
            self.show_earlier()
        self.scroll_to(self.top + rows)

    def to_end(self) -> None:
        """Show the last rows."""
        self.scroll_to(len(self))

    def _follow(self) -> None:
        if self._follows and self._turns:
            last = self._start_of(self._turns[-1].view.turn)
            self.top = max(0, min(last, len(self) - self._height))

    @property
    def rows_below(self) -> int:
        """How many rows follow below the window."""
        return max(0, len(self) - self.top - self._height)

    def step_turn(self, step: int) -> None:
        """Go to the next (+1) or the previous (-1) question."""
        starts, at = [0], 0
        for rows in self._laid():
            at += len(rows)
            starts.append(at)
        wanted = [start for start in starts if (start - self.top) * step > 0]
        self._follows = False
        if step < 0 and not wanted and self._from:
            self.show_earlier()
            self.step_turn(step)
        elif wanted:
            self.scroll_to(min(wanted) if step > 0 else max(wanted))

    def turn_seen(self) -> TurnRows | None:
        """Return the turn in focus, else the one the window shows most of; None without any."""
        if self.focus is not None:
            return self._rows.get(self.focus[0])
        best, most, at = None, 0, 0
        for rows in self._laid():
            seen = min(at + len(rows), self.top + self._height) - max(at, self.top)
            if seen > 0 and seen >= most:
                best, most = rows, seen
            at += len(rows)
        return best

    # links

    def links(self) -> list[tuple[TurnId, ChatLink, int]]:
        """Return what can be opened, in the order it is read, each with its row."""
        found, at = [], 0
        for rows in self._laid():
            found += [(rows.turn.view.turn, link, at + link.row) for link in rows.links()]
            at += len(rows)
        return found

    def move_focus(self, step: int) -> bool:
        """Go to the next or previous link, the first one seen when none is in focus; False where there is none."""
        links = self.links()
        at = next((n for n, (turn, link, _row) in enumerate(links) if self._is_in_focus(turn, link)), None)
        if at is None or not self._is_seen(links[at][2]):
            seen = [n for n, each in enumerate(links) if self._is_seen(each[2])]
            wanted = (seen[0] if step > 0 else seen[-1]) if seen else -1
        else:
            wanted = at + step
        if not 0 <= wanted < len(links):
            return False
        turn, link, row = links[wanted]
        self.focus = turn, link
        self._follows = False
        if not self._is_seen(row):
            self.scroll_to(row - self._height // 3 if row < self.top else row - self._height + 1 + self._height // 3)
        return True

    def focus_on(self, turn: TurnId, link: ChatLink) -> None:
        """Put the focus on a link."""
        self.focus = turn, link

    def _is_in_focus(self, turn: TurnId, link: ChatLink) -> bool:
        if self.focus is None or self.focus[0] != turn:
            return False
        return (self.focus[1].part, self.focus[1].index) == (link.part, link.index)

    def _is_seen(self, row: int) -> bool:
        return self.top <= row < self.top + self._height

    def link_at(self, y: int, cell: int) -> tuple[TurnId, ChatLink] | None:
        """Return the link under a cell of the window."""
        for turn, link, row in self.links():
            if row != self.top + y:
                continue
            rows = self._rows[turn]
            _part, drawn, indent = rows.row(link.row)
            left = indent
            for bit in drawn.bits:
                right = left + cell_width(bit.text)
                if bit.link == link.index and left <= cell < right:
                    return turn, link
                left = right
        return None
