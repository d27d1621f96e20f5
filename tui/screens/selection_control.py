"""What is done with a selection: keys that move its end, the look-up, the copy. Imported when first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from engine.config import SpoilerMode
from engine.domain.locator import Locator
from engine.domain.reading import Slice
from engine.domain.source import ReadingSource
from engine.domain.wiki import KnowledgeState, NameMatch
from engine.errors import UnderstoryError, shown_path
from engine.paths import default_paths
from engine.text.sanitize import sanitize
from engine.translate import N_, _, ngettext
from tui.keys import SELECTING
from tui.render.caret import Motion
from tui.render.lookup_rows import CardContent, KeyHint
from tui.render.selection import MOST_BYTES, Reach, SelectedText, text_of_pieces
from tui.terminal.clipboard import MOST_SENT_BYTES, clipboard_sequence, give_to_tmux, write_clipboard_file
from tui.widgets.lookup_card import LookupCard

if TYPE_CHECKING:
    from tui.screens.page_selection import PageSelection

_LONGEST_NAME_CHARS = 100
_SHOWN_CHARS = 40
_MOTIONS: Mapping[str, Motion] = {f"select-{motion.value}": motion for motion in Motion}
_HANDED_ON = frozenset({"select-highlight", "select-comment", "select-excerpt", "select-ask", "select-explain"})
_HINTS: Mapping[str, str] = {
    "select-ask": N_("ask"),
    "select-explain": N_("explain"),
    "select-highlight": N_("highlight"),
    "select-comment": N_("comment"),
    "select-excerpt": N_("excerpt"),
    "select-copy": N_("copy"),
    "select-leave": N_("close"),
}
_KEY_WORDS: Mapping[str, str] = {"escape": "Esc", "enter": "Enter", "up": "↑", "down": "↓"}


@dataclass
class MatchesArrived(Message):
    """A look-up was answered."""

    request: int
    text: str
    matches: tuple[NameMatch, ...]
    words: str
    """What is to be said in place of matches."""
    has_more: bool = False
    """More comes under this name beyond what was read."""


@dataclass
class TextCopied(Message):
    """What is selected was read and kept."""

    sequence: str
    """To be written to the terminal; empty when it is too long for one."""
    words: str
    """What became of it."""


class SelectionControl:
    """The selection of one reading screen."""

    def __init__(self, screen: PageSelection) -> None:
        """Take the screen."""
        self._screen = screen
        self._keys = screen.page_keys.within(SELECTING)
        self._made_card: LookupCard | None = None
        self._request = 0
        self._shown_at: Reach | None = None
        """What the card is about."""

    @property
    def _card(self) -> LookupCard:
        if self._made_card is None:
            self._made_card = LookupCard(is_ascii=self._screen.is_ascii, id="card")
            page = self._screen.query_one("#page")
            page.styles.layers = "base card"
            page.mount(self._made_card)
        return self._made_card

    @property
    def _has_card(self) -> bool:
        return self._made_card is not None and self._made_card.is_open

    # beginning

    def start(self) -> None:
        """Select what is in focus, or the first word of the page."""
        page = self._screen.page
        focus = self._in_focus()
        if not (page.selecting.select(focus) if focus is not None else page.selecting.select_first_word()):
            self._screen.notice(_("There are no words on this page."))

    def _in_focus(self) -> Reach | None:
        """Return the words of the link or match in focus."""
        page = self._screen.page
        match = self._screen.match_in_focus()
        return page.selecting.link_in_focus() or (page.selecting.reach_of(*match) if match is not None else None)

    def look_up_here(self) -> None:
        """Look up what is selected, else the name in focus, else the first on the page; with the card open the next."""
        if self._screen.page.selection is not None and not self._has_card:
            self.look_up()
        else:
            self._screen.is_looking_up = True
            self._screen.with_names(self._look_up_next)

    def _look_up_next(self) -> None:
        page = self._screen.page
        self._screen.is_looking_up = False
        names = page.selecting.names_shown()
        before = self._shown_at if self._has_card else None
        after = [name for name in names if before is None or name.first > before.first]
        wanted = None if before is not None else self._in_focus()
        wanted = wanted or next(iter(after or names), None)
        if wanted is not None and page.selecting.select(wanted):
            self.look_up()
        else:
            self._screen.notice(
                _("No name you have met stands on this page. v selects other words.")
                if self._screen.are_names_ready
                else _("Names are still being looked for. v selects words.")
            )
            self._screen.arrived()

    def pointed(self) -> None:
        """Follow the pointer: the card, or the look-up on its way, is about something else now."""
        self._request += 1
        self._close_card()
        if self._screen.is_looking_up:
            self._screen.is_looking_up = False
            self._screen.arrived()

    # keys

    def take_key(self, key: str) -> bool:
        """Take a key; say whether it meant something."""
        stroke = self._keys.feed(key)
        self._screen.notice(self._keys.pending)
        if stroke.action:
            self._act(stroke.action, stroke.count)
        return bool(stroke.action) or stroke.is_pending

    def _act(self, action: str, count: int | None) -> None:
        page = self._screen.page
        if self._has_card and action in ("select-down", "select-up"):
            self._card.choose((1 if action == "select-down" else -1) * (count or 1))
        elif action in _MOTIONS:
            self._close_card()
            page.selecting.move_caret(_MOTIONS[action], count or 1)
        elif action in _HANDED_ON:
            if page.selection is not None:
                self._screen.act_on_selection(action, page.selection)
        else:
            self._plain_acts()[action]()

    def _plain_acts(self) -> Mapping[str, Callable[[], object]]:
        page = self._screen.page
        return {
            "select-other-end": page.selecting.turn,
            "select-anew": page.selecting.begin_anew,
            "select-look-up": self._open_or_look_up,
            "select-copy": self._copy,
            "select-leave": self._step_back,
        }

    def _step_back(self) -> None:
        """Close the card; without one select nothing."""
        if not self._close_card():
            self.leave()

    def close_card(self) -> None:
        """Close the card: another one takes its place."""
        self._request += 1
        self._close_card()

    def leave(self) -> None:
        """Select nothing."""
        self._request += 1
        self._keys.clear()
        self._close_card()
        self._screen.page.clear_selection()

    # looking up

    def _open_or_look_up(self) -> None:
        if self._has_card and self._card.match is not None:
            self.open_entry(self._card.match)
        elif not self._has_card:
            self.look_up()

    def open_entry(self, match: NameMatch) -> None:
        """Show an entry beside the text; the selection stays."""
        self._close_card()
        self._screen.open_entry(match.point)

    def look_up(self) -> None:
        """Ask who or what may be meant by the selection."""
        selection = self._screen.page.selection
        if selection is None:
            return
        self._request += 1
        self._screen.is_looking_up = True
        screen = self._screen
        ask = partial(
            self._resolve,
            self._request,
            screen.session.source,
            selection.reach,
            screen.settings.spoilers,
            screen.session.read_to,
        )
        screen.run_worker(ask, thread=True, group="look-up", exit_on_error=False)

    def _resolve(
        self, request: int, source: ReadingSource, reach: Reach, spoilers: SpoilerMode, read_to: Locator | None
    ) -> None:
        text, matches, words, has_more = "", tuple[NameMatch, ...](), "", False
        try:
            text = " ".join(_read(source, reach, 4 * _LONGEST_NAME_CHARS).text.split())
            if len(text) <= _LONGEST_NAME_CHARS:
                matches = source.resolve(text, spoilers, reach.locator, read_to)
                has_more = source.is_named_beyond(text, spoilers, read_to)
            words = "" if matches else _nothing_words(text, source.knowledge_state())
        except UnderstoryError as error:
            words = error.message
        finally:  # whatever happened, what is typed meanwhile must go on
            self._screen.post_message(MatchesArrived(request, text, matches, words, has_more))

    def take_matches(self, event: MatchesArrived) -> bool:
        """Open the card with the answer; False for an answer to an earlier question."""
        if event.request != self._request:
            return False
        page = self._screen.page
        selection, rows = page.selection, page.selecting.selected_rows()
        self._shown_at = None if selection is None else selection.reach
        words, open_key = sanitize(event.words), self._key("select-look-up")
        content = CardContent(event.matches, words, self._hints(), open_key, has_more=event.has_more)
        page.covered_rows = self._card.show(content, self._page_size(), rows)
        self._keep_clear(rows)
        return True

    def page_moved(self) -> None:
        """Put the card where it covers nothing selected, now that other rows are shown."""
        if self._has_card:
            page = self._screen.page
            page.covered_rows = self._card.place(self._page_size(), page.selecting.selected_rows())

    def _page_size(self) -> tuple[int, int]:
        return self._screen.query_one("#page").size.width, self._screen.page.page_rows

    def _keep_clear(self, rows: tuple[int, int] | None) -> None:
        """Move the page where the selection is so long that the card would lie over its end."""
        page = self._screen.page
        if rows is not None and page.covered_rows:
            hidden = rows[1] - (page.page_rows - page.covered_rows) + 1
            if 0 < hidden <= rows[0]:
                page.move_rows(hidden)

    def _close_card(self) -> bool:
        was_open = self._has_card
        if was_open:
            self._card.close()
            self._screen.page.covered_rows = 0
        return was_open

    def _hints(self) -> tuple[KeyHint, ...]:
        return tuple(KeyHint(self._key(name), _(words)) for name, words in _HINTS.items())

    def _key(self, action: str) -> str:
        key = self._keys.key_of(action)
        return _KEY_WORDS.get(key, key)

    # copying

    def _copy(self) -> None:
        selection = self._screen.page.selection
        if selection is not None:
            copy = partial(self._copied, self._screen.session.source, selection.reach)
            self._screen.run_worker(copy, thread=True, exclusive=True, group="copy", exit_on_error=False)

    def _copied(self, source: ReadingSource, reach: Reach) -> None:
        try:
            selected = _read(source, reach, MOST_BYTES)
        except UnderstoryError as error:
            self._screen.post_message(TextCopied("", error.message))
            return
        text = sanitize(selected.text)
        file = default_paths().clipboard_file
        ways = [_("given to tmux")] if give_to_tmux(text, os.environ) else []
        sequence = clipboard_sequence(text, os.environ)
        if sequence:
            ways.append(_("sent to the terminal"))
        trouble = ""
        try:
            write_clipboard_file(text, file)
            ways.append(_("kept in {file}").format(file=_short(file)))
        except OSError as error:
            trouble = _("it could not be kept in {file}: {reason}").format(file=_short(file), reason=error.strerror)
        self._screen.post_message(TextCopied(sequence, _copied_words(text, selected, ways, trouble)))

    def take_copied(self, event: TextCopied) -> None:
        """Hand the text on to the terminal and say what became of it."""
        driver = self._screen.app._driver
        if driver is not None and event.sequence:
            getattr(driver, "tell", driver.write)(event.sequence)
        self._screen.notice(event.words)


def _read(source: ReadingSource, reach: Reach, most_bytes: int) -> SelectedText:
    return text_of_pieces(_pieces(source, reach), reach, most_bytes)


def _pieces(source: ReadingSource, reach: Reach) -> Iterator[Slice]:
    piece = source.slice_at(reach.first.document, reach.first.offset)
    yield piece
    while piece.after is not None:
        piece = source.slice_of(piece.after)
        yield piece


def _nothing_words(text: str, state: KnowledgeState) -> str:
    if len(text) > _LONGEST_NAME_CHARS:
        return _("This is too long for a name. Its words can be copied.")
    shown = text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "…"
    if state is KnowledgeState.WORKING:
        return _("Nothing is known of “{text}” yet: names are still being looked for.").format(text=shown)
    return _("Nothing is known of “{text}” as far as you have read.").format(text=shown)


def _copied_words(text: str, selected: SelectedText, ways: list[str], trouble: str) -> str:
    """Say how much was copied, and by which ways."""
    if not ways:
        parts = [_("Nothing was copied")]
    elif selected.is_cut:
        parts = [_("Copied only the first {n} kB").format(n=MOST_BYTES // 1000), _(", ").join(ways)]
    else:
        copied = ngettext("Copied 1 character", "Copied {n} characters", len(text)).format(n=len(text))
        parts = [copied, _(", ").join(ways)]
    if len(text.encode("utf-8", "replace")) > MOST_SENT_BYTES:
        parts.append(_("a terminal takes no more than {n} kB").format(n=MOST_SENT_BYTES // 1000))
    return " · ".join([*parts, *([trouble] if trouble else [])])


def _short(file: Path) -> str:
    """Return a path with the home folder as ~."""
    shown = shown_path(str(file))
    home = os.environ.get("HOME", "")
    return "~" + shown[len(home) :] if home and shown.startswith(home + "/") else shown
