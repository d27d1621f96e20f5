"""The line a search is typed in, what and where it is searched, and when to ask."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.domain.finds import SearchReach
from engine.domain.hits import SearchMode
from engine.domain.search import query_from_text
from tui.render.line_edit import LineEdit
from tui.render.search_list import Group, Listed
from tui.render.search_strips import MODES, REACHES


@dataclass(frozen=True, slots=True)
class Wanted:
    """One search as the reader wants it."""

    words: str
    """As typed."""
    mode: SearchMode | None
    """None for the best there is."""
    reach: SearchReach
    lists_all: bool = False


@dataclass(slots=True)
class SearchTyping:
    """What a panel of searches keeps; handed on when the search goes over the whole screen, and back."""

    line: LineEdit = field(default_factory=LineEdit)
    mode: SearchMode | None = None
    reach: SearchReach = SearchReach.WORK
    is_typing: bool = True
    is_fresh: bool = False
    """The words are those of the list: the next character begins anew."""
    folded: frozenset[Group] = frozenset()
    listed: Listed | None = None
    item: tuple[Group, int] | None = None
    """The item the cursor is on."""
    chosen: tuple[Group, int] | None = None
    """The one the reader went to last."""

    def wanted(self, *, lists_all: bool) -> Wanted:
        """Return what is to be searched now."""
        return Wanted(self.line.text, self.mode, self.reach, lists_all)

    @property
    def waits_for_enter(self) -> bool:
        """Whether what is typed is not to be searched before it is finished: a pattern."""
        return query_from_text(self.line.text).is_pattern

    def feed(self, key: str, character: str | None) -> None:
        """Take a key into the line."""
        begins_anew = self.is_fresh and ((character is not None and character.isprintable()) or key == "backspace")
        self.is_fresh = False
        if begins_anew:
            self.line.set("")
        if not begins_anew or key != "backspace":
            self.line.feed(key, character)

    def next_mode(self) -> None:
        """Search by the next of words, meaning and both."""
        modes = list(MODES)
        now = self.mode or (self.listed.mode if self.listed is not None else None) or SearchMode.LEXICAL
        self.mode = modes[(modes.index(now) + 1) % len(modes)]

    def next_reach(self) -> None:
        """Search in the next of this volume, this work and the whole library."""
        reaches = list(REACHES)
        self.reach = reaches[(reaches.index(self.reach) + 1) % len(reaches)]
