"""Search everything: a line to type in, and what was found of text, wiki, chapters and notes."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message

from engine.domain.book import WorkId
from engine.domain.finds import SearchReach
from engine.domain.hits import SearchMode
from engine.domain.outline import OutlineIndex
from tui.keys import key_name
from tui.render.search_list import Group, Listed, RowKind
from tui.widgets.inquiry import Inquiry
from tui.widgets.keys_in_turn import type_again
from tui.widgets.search_results import SearchResults
from tui.widgets.search_typing import SearchTyping, Wanted

_LEAVING = ("escape", "tab", "shift+tab")


class SearchPanel(SearchResults):
    """Words or a /pattern/, and what is found. Enter goes to it."""

    @dataclass
    class Asked(Message):
        """Something is looked for."""

        panel: SearchPanel
        wanted: Wanted

    @dataclass
    class Chosen(Message):
        """The reader wants to go to what was found."""

        panel: SearchPanel
        listed: Listed
        group: Group
        number: int

    @dataclass
    class AttachWanted(Message):
        """What was found is to go beside a question."""

        panel: SearchPanel
        listed: Listed
        group: Group
        number: int

    @dataclass
    class WidthWanted(Message):
        """The reader wants the search over the whole screen, or beside the text again."""

        panel: SearchPanel

    @dataclass
    class KeysWanted(Message):
        """The reader wants to see the keys."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._inquiry = Inquiry(self, lambda wanted: self.post_message(self.Asked(self, wanted)))

    # what it shows

    @property
    def words(self) -> str:
        """What is typed."""
        return self.typing.line.text

    def start_typing(self) -> None:
        """Let the next keys go into the line; the first replaces words that were searched for."""
        self.typing.is_typing = True
        asked = self._inquiry.asked
        is_asked = asked is not None and asked.words == self.words  # its list may still be on its way
        self.typing.is_fresh = bool(self.words) and is_asked
        self.show_cursor()
        self.refresh()

    def ask(self, words: str) -> None:
        """Search as if the words had been typed, with Enter."""
        self.typing.line.set(words)
        self.start_typing()
        self._ask(lists_all=True)

    def ask_again(self) -> None:
        """Search for the same once more: it was not ready, or more was read since."""
        self._inquiry.ask_again()

    def clear(self) -> None:
        """Forget what was found, as for another work; what is typed stays."""
        self._inquiry.forget()
        self.typing.chosen = self.typing.item = None
        self.list_anew(None)

    # asking

    def _ask(self, *, lists_all: bool) -> None:
        self._inquiry.ask(self.typing.wanted(lists_all=lists_all))

    def _ask_soon(self) -> None:
        if self.typing.waits_for_enter:
            self._inquiry.stop()
        else:
            self._inquiry.ask_soon(lambda: self._ask(lists_all=False))

    def show_listed(self, listed: Listed, index: OutlineIndex, work: WorkId) -> None:
        """List an answer, and do what was typed for it."""
        super().show_listed(listed, index, work)
        self._inquiry.is_pending = False
        held = self._inquiry.ahead.end()
        for number, each in enumerate(held):
            if not self.take_key(*each):  # what means nothing here is meant for the screen
                type_again(self.app, [events.Key(*key) for key in held[number:]])
                break

    def take_over(self, typing: SearchTyping, index: OutlineIndex | None, work: WorkId) -> None:
        """Go on where another panel was."""
        super().take_over(typing, index, work)
        self._inquiry.asked = typing.wanted(lists_all=True) if typing.listed is not None else None

    # keys

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Take a key; say whether it meant something here."""
        key = key_name(textual_key, character)
        if key in ("ctrl+t", "ctrl+r"):
            self._choose_next(is_mode=key == "ctrl+t")
            return True
        if self.typing.is_typing:
            return self._typed(key, character)
        if key not in _LEAVING and self._inquiry.ahead.keep(textual_key, character):
            return True
        return self._moved(key)

    def _typed(self, key: str, character: str | None) -> bool:
        typing, before = self.typing, self.words
        if key in _LEAVING:
            return False
        if key == "enter":
            typing.is_fresh = False
            typing.is_typing = not before.strip()
            if not typing.is_typing:
                self._finish()
        elif key in ("down", "pagedown") and self.row_count:
            typing.is_typing = typing.is_fresh = False
        elif key not in ("up", "down", "pageup", "pagedown"):
            typing.feed(key, character)
        if self.words != before:
            self._ask_soon()
        self.show_cursor()
        self.refresh()
        return True

    def _finish(self) -> None:
        """List everything of what is typed; the keys behind Enter are meant for its list."""
        listed = self.listed
        is_all_there = listed is not None and listed.words == self.words and listed.has_all
        if is_all_there and not self._inquiry.is_pending:
            self._inquiry.stop()
        else:
            self._ask(lists_all=True)
        self._inquiry.ahead.end()
        if self._inquiry.is_pending:
            self._inquiry.ahead.wait()

    def _moved(self, key: str) -> bool:
        if key in ("/", "i") or (key in ("up", "k") and self._is_at_first()):
            self.start_typing()
        elif key in ("m", "w"):
            self._choose_next(is_mode=key == "m")
        elif key in ("1", "2", "3", "4"):
            self._go_to_group(list(Group)[int(key) - 1])
        elif key == "z":
            self._fold()
        elif key in ("[", "]"):
            self._go_by_rank(1 if key == "]" else -1)
        elif key == "a":
            self._put_beside()
        elif key == "f":
            self.post_message(self.WidthWanted(self))
        elif key == "?":
            self.post_message(self.KeysWanted())
        else:
            return self.moved_by(key)
        return True

    def _choose_next(self, *, is_mode: bool) -> None:
        if is_mode:
            self.typing.next_mode()
        else:
            self.typing.next_reach()
        self.refresh()
        if self.words.strip():
            self._ask(lists_all=not self.typing.is_typing)

    def _is_at_first(self) -> bool:
        return not any(self.can_rest_on(row) for row in range(min(self.cursor, 4)))

    def _go_to_group(self, group: Group) -> None:
        row = self.rows.row_of_group(group) if self.rows is not None else None
        if row is not None:
            self.move_to(row)

    def _fold(self) -> None:
        if self.rows is not None and len(self.rows):
            self.fold(self.rows.row(self.cursor).group)

    def fold(self, group: Group) -> None:
        """Fold a group away, or unfold it."""
        self.typing.folded ^= {group}
        if self.typing.item is None or self.typing.item[0] is not group:
            self.typing.item = group, 0
        self.lay_out()

    def _go_by_rank(self, step: int) -> None:
        """Go to the next best hit, or back to a better one."""
        hits, item = (self.listed.hits if self.listed is not None else ()), self.typing.item
        ranked = sorted(range(len(hits)), key=lambda number: hits[number].rank)
        if not ranked or self.rows is None:
            return
        at = ranked.index(item[1]) + step if item is not None and item[0] is Group.TEXT and self.has_moved else 0
        row = self.rows.row_of(Group.TEXT, ranked[min(max(0, at), len(ranked) - 1)])
        if row is not None:
            self.move_to(row)
            self.has_moved = True

    def moved_by(self, key: str) -> bool:
        """Take a key that moves the cursor or chooses."""
        self.has_moved = True
        return super().moved_by(key)

    def choose(self) -> None:
        """Go to what is under the cursor, unfold a group, or list those left out."""
        if self.rows is None or self.listed is None:
            return
        row = self.rows.row(self.cursor)
        if row.kind is RowKind.GROUP:
            self.fold(row.group)
        elif row.kind is RowKind.ALL:
            self._ask(lists_all=True)
        elif row.kind is RowKind.ITEM:
            self.typing.chosen = row.group, row.number
            self.post_message(self.Chosen(self, self.listed, row.group, row.number))

    def _put_beside(self) -> None:
        row = self.rows.row(self.cursor) if self.rows is not None and len(self.rows) else None
        if row is not None and row.kind is RowKind.ITEM and self.listed is not None:
            self.typing.chosen = row.group, row.number
            self.post_message(self.AttachWanted(self, self.listed, row.group, row.number))

    # mouse

    def on_paste(self, event: events.Paste) -> None:
        """Put in what was pasted."""
        event.stop()
        self.typing.is_typing = True
        if self.typing.is_fresh:
            self.typing.line.set("")
            self.typing.is_fresh = False
        self.typing.line.insert(event.text)
        self._ask_soon()
        self.show_cursor()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Choose an item, a mode, a reach, fold a group, or type."""
        row = self.top + event.y - self.head_rows
        if event.y == 0:
            self.start_typing()
        elif event.y == self.CHOICES_ROW:
            self._click_choice(event.x)
        elif event.y >= self.head_rows and self.rows is not None and 0 <= row < len(self.rows):
            self.typing.is_typing = False
            if self.rows.row(row).kind is RowKind.GROUP:
                self.fold(self.rows.row(row).group)
            else:
                super().on_click(event)

    def _click_choice(self, cell: int) -> None:
        chosen = self.choice_at(cell)
        if isinstance(chosen, SearchMode):
            self.typing.mode = chosen
        elif isinstance(chosen, SearchReach):
            self.typing.next_reach()
        if chosen is not None:
            self.refresh()
            if self.words.strip():
                self._ask(lists_all=True)
