"""The wiki, page by page: in the sidebar, as a card, or over the whole screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from engine.domain.locator import Locator, Pos
from engine.domain.wiki import Page, PageKey, PageKind, StatementId
from engine.translate import _
from tui.keys import key_name
from tui.messages import OrdersWanted
from tui.render.wiki_bits import ToPassage, ToReveal, ToSection
from tui.render.wiki_strip import link_at
from tui.widgets.keys_ahead import KeysAhead
from tui.widgets.keys_in_turn import type_again
from tui.widgets.list_filter import ListFilter
from tui.widgets.wiki_sheet import WikiSheet
from tui.widgets.wiki_trail import Stop, WikiTrail

_FAR = 1 << 30
_BACK_KEYS = ("backspace", "ctrl+o")


class WikiView(WikiSheet):
    """One page at a time, with links by number, by Tab and by mouse.

    It asks for pages by `EntryWanted` and gets them by `show`; it never fetches.
    """

    @dataclass
    class EntryWanted(Message):
        """The reader wants another page."""

        view: WikiView
        key: PageKey

    @dataclass
    class PassageWanted(Message):
        """The reader wants to go to a passage."""

        view: WikiView
        locator: Locator
        pos: Pos

    @dataclass
    class CorrectionWanted(Message):
        """The reader wants to set an entry right."""

        view: WikiView
        page: Page

    @dataclass
    class RevealWanted(Message):
        """The reader wants to see a statement before its time; she has said yes where that is asked."""

        view: WikiView
        statement: StatementId

    def __init__(self, *, is_ascii: bool = False, id: str | None = None) -> None:
        super().__init__(is_ascii=is_ascii, id=id)
        self.needs_yes = False
        """A veiled run asks once more before it is shown."""
        self.has_way_back = True
        """Backspace leads back among the pages; else it is not taken."""
        self._trail = WikiTrail()
        self._awaited: Stop | None = None
        self._filter = ListFilter(self.place.filter)
        self._is_local = False
        """The list of pages seen is shown, which is no page of the wiki."""
        self._asked: ToReveal | None = None
        self._has_pressed_g = False
        self._ahead = KeysAhead()
        """Typed while a page is on its way."""

    # pages

    def wait(self) -> None:
        """Keep the keys that come from now on until the page they are meant for is there."""
        self._ahead.wait()

    def stop_waiting(self) -> None:
        """Let the keys that were typed while a page was on its way come again.

        Behind those that are on their way to this view: they were typed later and wait as well.
        """
        self.call_later(self._give_keys_back)

    def _give_keys_back(self) -> None:
        type_again(self.app, [events.Key(*each) for each in self._ahead.end()])

    @property
    def page(self) -> Page | None:
        """The page of the wiki that is shown; None before the first."""
        return None if self._is_local else self.place.page

    def show(self, page: Page) -> None:
        """Show a page: another one, one gone back to, or the same as it looks now."""
        here, awaited = self._trail.here, self._awaited
        self._awaited = None
        if awaited is not None and awaited.key == page.key:
            self._take(page, awaited.top, awaited.focus)
        elif here is not None and here.key == page.key and not self._is_local:
            self._take(page, self.place.top, self.place.focus)
        else:
            self._leave()
            self._trail.visit(page)
            self.place.is_unfolded = False
            self._filter.clear()
            self._take(page, 0, -1)
        self._trail.look(page)
        self._fit()
        if self.place.layout is not None:
            self.stop_waiting()  # else when it has a size, without which no link has a number

    def forget(self) -> None:
        """Show nothing and forget the way, as for another work."""
        self._trail.clear()
        self._awaited = None
        self._take(None, 0, -1)

    def forget_ahead(self) -> None:
        """Show nothing until the page comes anew, and forget the way: less is known now than it was."""
        self._trail.forget_others()
        self._awaited = None
        self._take(None, 0, -1)

    def _take(self, page: Page | None, top: int, focus: int) -> None:
        self._asked, self._is_local = None, False
        self.place.take(page, top, focus)
        self.refresh()

    def _leave(self) -> None:
        if not self._is_local:
            self._trail.leave(self.place.top, self.place.focus)

    def _go(self, step: int) -> None:
        """Go back or forward; from the list of pages seen, to the page it was opened on."""
        if self._is_local:
            stop = self._trail.here
        else:
            self._leave()
            stop = self._trail.step(step)
        if stop is not None:
            self._awaited = stop
            self.wait()
            self.post_message(self.EntryWanted(self, stop.key))

    def _want(self, key: PageKey) -> None:
        self._awaited = None
        self.wait()
        self.post_message(self.EntryWanted(self, key))

    def _show_history(self) -> None:
        self._leave()
        self._filter.clear()
        self._take(self._trail.page(), 0, -1)
        self._is_local = True

    # links

    def open_link(self, index: int) -> None:
        """Do what a link is for; an index that is none does nothing."""
        if not 0 <= index < len(self.place.links):
            return
        target = self.place.links[index].target
        self.place.focus = index
        if isinstance(target, PageKey):
            self._want(target)
        elif isinstance(target, ToPassage):
            self.post_message(self.PassageWanted(self, target.locator, target.pos))
        elif isinstance(target, ToReveal):
            self._reveal(target)
        elif isinstance(target, ToSection) and self.place.layout is not None:
            self.place.scroll_to(self.place.layout.sections[target.number].row)
        else:
            self.place.fold()
        self.refresh()

    def _reveal(self, target: ToReveal) -> None:
        if self.needs_yes and self._asked is None:
            self._asked = target
        else:
            self._asked = None
            self.wait()
            self.post_message(self.RevealWanted(self, target.statement))

    # keys and mouse

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Take a key; say whether it meant something here."""
        key = key_name(textual_key, character)
        if key != "escape" and self._ahead.keep(textual_key, character):
            return True
        is_ours = self._answered(key) or self._typed(key, character) or self._did_chord(key) or self._did(key)
        if is_ours:
            self.refresh()
        return is_ours

    def _answered(self, key: str) -> bool:
        if self._asked is None:
            return False
        if key in ("y", "x", "enter"):
            self._reveal(self._asked)
        self._asked = None
        return True

    def _typed(self, key: str, character: str | None) -> bool:
        is_ours = self._filter.take_key(key, character)
        if is_ours and key == "enter":
            self.open_link(self.place.only_entry())
        return is_ours

    def _did_chord(self, key: str) -> bool:
        """Take g, and the key after it."""
        if not self._has_pressed_g:
            self._has_pressed_g = key == "g"
            return self._has_pressed_g
        self._has_pressed_g = False
        chords: dict[str, Callable[[], object]] = {
            "g": lambda: self.place.scroll_to(0),
            "o": lambda: self._go(1),
            "h": self._show_history,
            "w": lambda: self._want(PageKey(PageKind.HOME)),
            "n": lambda: self._want(PageKey(PageKind.INDEX)),
        }
        if key in chords:
            chords[key]()
        return key in chords or key == "escape"

    def _did(self, key: str) -> bool:
        if len(key) == 1 and key in "123456789":
            self.open_link(self.place.link_numbered(int(key)))
        elif key in ("tab", "shift+tab"):
            return self.place.move_focus(1 if key == "tab" else -1)  # behind the last link it leads out of here
        elif key == "escape":
            return self._filter.clear()
        else:
            return self._did_simple(key)
        return True

    def _did_simple(self, key: str) -> bool:
        place, rows = self.place, max(1, self.size.height)
        acts: dict[str, Callable[[], object]] = {
            **dict.fromkeys(("j", "down"), lambda: place.line(1)),
            **dict.fromkeys(("k", "up"), lambda: place.line(-1)),
            **dict.fromkeys(("space", "pagedown", "ctrl+f"), lambda: place.scroll_by(max(1, rows - 2))),
            **dict.fromkeys(("b", "pageup", "ctrl+b"), lambda: place.scroll_by(-max(1, rows - 2))),
            "ctrl+d": lambda: place.scroll_by(max(1, rows // 2)),
            "ctrl+u": lambda: place.scroll_by(-max(1, rows // 2)),
            "home": lambda: place.scroll_by(-_FAR),
            **dict.fromkeys(("G", "end"), lambda: place.scroll_by(_FAR)),
            "]": lambda: place.section(1),
            "[": lambda: place.section(-1),
            "n": lambda: place.move_focus(1),
            "N": lambda: place.move_focus(-1),
            "enter": lambda: self.open_link(place.focus),
            "x": lambda: self.open_link(place.veil_near()),
            "t": place.fold,
            "e": self._want_correction,
            "o": self._want_order,
            "i": self._inspect,
            "/": self._start_filtering,
            **dict.fromkeys(_BACK_KEYS, lambda: self._go(-1)),
            "ctrl+i": lambda: self._go(1),
        }
        if key not in acts or (key in _BACK_KEYS and not self.has_way_back):
            return False
        acts[key]()
        return True

    def _want_correction(self) -> None:
        if self.page is not None and self.page.key.point is not None and not self.page.is_locked:
            self.wait()  # what is typed now is meant for the dialog
            self.post_message(self.CorrectionWanted(self, self.page))

    def _want_order(self) -> None:
        if self.page is not None and not self.page.is_locked:
            self.app.post_message(OrdersWanted(self.page.key.point, self.page.title))

    def _inspect(self) -> None:
        """Show what is kept of whom the page is about, or of everybody; from there back to the entry."""
        if self.page is None:
            return
        is_inspected = self.page.key.kind is PageKind.INSPECTOR and self.page.key.point is not None
        self._want(PageKey(PageKind.ENTRY if is_inspected else PageKind.INSPECTOR, point=self.page.key.point))

    def _start_filtering(self) -> None:
        self._filter.is_typing = self.place.is_list

    def on_resize(self) -> None:
        """Set the page for the new size."""
        self._fit()
        self.refresh()

    def _fit(self) -> None:
        had_layout = self.place.layout is not None
        self.fit()
        if self._ahead.is_waiting and self.place.layout is not None and not had_layout:
            self.call_later(self.stop_waiting)

    def on_focus(self) -> None:
        """Show that the keys go here."""
        self.refresh()

    def on_blur(self) -> None:
        """Show that they go elsewhere."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Open the link under the pointer."""
        if self.place.layout is not None:
            cell = event.x - self.left_cells
            self.open_link(link_at(self.place.layout, self.place.top + event.y, self.place.side_top() + event.y, cell))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move three rows down."""
        event.stop()
        self.place.scroll_by(3)
        self.refresh()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move three rows up."""
        event.stop()
        self.place.scroll_by(-3)
        self.refresh()

    # drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips of some rows."""
        self._fit()  # a widget mounted and shown in one go gets no Resize
        return super().render_lines(crop)

    def line_over(self, y: int) -> tuple[str, bool] | None:
        """Return what is asked or typed, and whether more may be typed."""
        if y == 0 and (self._filter.is_typing or self._filter.text):
            return _("filter: {text}").format(text=self._filter.text), self._filter.is_typing
        if y == self.size.height - 1 and self._asked is not None:
            return _("Show what lies ahead of you?   y yes   Esc no"), False
        return None
