"""The reading screen: text, contents, top line and progress, wired to one session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message

from engine.config import Settings
from engine.domain.book import DocumentId
from engine.domain.locator import Pos, volume_ord_of
from engine.domain.reading import Slice, VolumeOutline
from engine.translate import _
from tui.keys import KeyMachine, key_name
from tui.render.layers import Layer
from tui.render.panel_plan import GUTTER_CELLS
from tui.render.place_words import how_far_words, volume_words, where_words
from tui.render.prose import PageStyle
from tui.screens.page_chat import PageChat
from tui.screens.page_frontier import PageFrontier
from tui.screens.page_links import PageLinks
from tui.screens.page_loading import PageLoading
from tui.screens.page_marks import PageMarks
from tui.screens.page_pictures import PagePictures
from tui.screens.page_search import PageSearch
from tui.session import ReadingSession
from tui.widgets.answering import hand_on
from tui.widgets.key_taker import KeyTaker
from tui.widgets.keys_in_turn import type_again
from tui.widgets.notice_line import NoticeLine
from tui.widgets.progress_bar import Progress, ProgressBar
from tui.widgets.selectable_text import SelectableText
from tui.widgets.text_view import TextView
from tui.widgets.toc import Toc
from tui.widgets.top_line import TopLine


class _Bare(Container):
    """A container of plain paper: one blank strip serves all its rows."""

    BLANK = True


class ReadingScreen(PagePictures, PageChat, PageSearch, PageMarks, PageFrontier, PageLinks, PageLoading):
    """One work, being read. Keys become actions; `tui.commands` knows what they do here."""

    CSS_PATH = "reading.tcss"
    BLANK = True

    @dataclass
    class ActionPressed(Message):
        """A key, or several, asked for an action."""

        action: str
        count: int | None

    def __init__(
        self,
        session: ReadingSession,
        settings: Settings,
        keys: KeyMachine,
        *,
        page_style: PageStyle | None = None,
        act: Callable[[str, int | None], None] | None = None,
        panels: str = "",
        is_ascii: bool = False,
        can_draw: bool = True,
    ) -> None:
        """Take what the page stands on.

        Args:
            session: The work.
            settings: Of the reader.
            keys: Makes actions of keys.
            page_style: Colours of the page.
            act: Does an action at once; without it `ActionPressed` is posted.
            panels: Which panels stood open, as `PanelsChanged` told.
            is_ascii: Draw with ASCII signs.
            can_draw: The terminal has colours enough for pictures.
        """
        super().__init__(session, settings, panels)
        self.can_draw = can_draw
        self._act = act
        self.page_keys = keys
        self._page_style = page_style
        self.is_ascii = is_ascii
        self._ticks: tuple[VolumeOutline, tuple[float, ...]] | None = None
        """Of the volume shown last."""
        self._waiting_keys: list[tuple[str, str | None]] = []
        """Typed before the first page stood, while a jump is loading, or something is awaited."""
        self._is_shown = False

    def compose(self) -> ComposeResult:
        """Lay the panels around the text."""
        # First, for whatever follows a widget that comes and goes is drawn again with it.
        yield NoticeLine(id="notice")
        yield TopLine(id="top")
        with _Bare(id="body"):
            yield Toc(id="contents")
            with _Bare(id="page"):
                can_scroll = self.settings.terminal_scroll
                options = self.type_options()
                yield SelectableText(options, gutter_cells=GUTTER_CELLS, can_scroll=can_scroll, id="text")
        yield ProgressBar(is_ascii=self.is_ascii, id="progress")

    def on_mount(self) -> None:
        """Show the place where the reader was."""
        if self._page_style is not None:
            self.use_page_style(self._page_style)
        self.set_column(self.column_cells)
        self.show_outline()
        first = self.session.first_place
        if first is None:
            self._is_shown = True
            self.notice(_("This work has no text to show."))
        else:
            self.text.replace(self.session.first_slices, *first)
        self.give_keys(self.text)

    def use_session(
        self, session: ReadingSession, place: tuple[DocumentId, int] | None, pieces: tuple[Slice, ...]
    ) -> None:
        """Show another work, or the same one from another source."""
        self.forget_search()
        self.forget_selection()
        self.session = session
        self.forget_requests()
        self.show_outline()
        if place is not None:
            self.text.replace(pieces, *place)

    # look

    def toggle_zen(self) -> None:
        """Show the text alone, or everything again."""
        self.set_class(self.switch_zen(), "-zen")
        self.arrange_panels()
        self.make_room()
        self.give_keys(self.text)

    def on_resize(self, event: events.Resize) -> None:
        """Choose the layout for the width and height."""
        self.arrange_panels()
        self.make_room()

    # keys

    def on_key(self, event: events.Key) -> None:
        """Feed the key machine, and do at once what it completes: the next key may be meant for what that opens."""
        if self.app.screen is not self:
            hand_on(self, event)  # typed before a dialog was there
            return
        focused = self.focused
        is_missed = isinstance(focused, KeyTaker) and focused.has_missed(event)
        if self._take_key(event.key, event.character, is_missed=is_missed):
            event.stop()

    def _take_key(self, textual_key: str, character: str | None, *, is_missed: bool) -> bool:
        """Take a key; say whether it meant something.

        Args:
            textual_key: The key as Textual names it.
            character: What it types.
            is_missed: It was typed before the widget in focus had it, and is meant for that.
        """
        focused = self.focused
        if not self._is_shown or self.text.is_travelling or self.is_awaiting:
            self._waiting_keys.append((textual_key, character))
            return True
        if is_missed and isinstance(focused, KeyTaker) and focused.take_key(textual_key, character):
            return True
        return self._act_on(textual_key, character)

    def _act_on(self, textual_key: str, character: str | None) -> bool:
        """Do what a key of the page asks for; say whether it asked for something."""
        key = key_name(textual_key, character)
        if not self.page_keys.pending and self.takes_selection_key(key):
            return True
        self.text.lay_over(Layer.LANDING, None)
        is_new = not self.page_keys.pending
        if is_new and (self.takes_letter(key) or self.answers(key) or (key == "escape" and self.clear_hits())):
            return True
        stroke = self.page_keys.feed(key)
        self.notice(self.page_keys.pending)
        if stroke.action and self._act is not None:
            self._act(stroke.action, stroke.count)
        elif stroke.action:
            self.post_message(self.ActionPressed(stroke.action, stroke.count))
        return bool(stroke.action)

    def arrived(self) -> None:
        """Do what was typed while what it acts on was not there."""
        typed, self._waiting_keys = self._waiting_keys, []
        for number, (key, character) in enumerate(typed):
            if self.app.screen is not self:  # one of them has opened a dialog, for which the rest is meant
                type_again(self.app, [events.Key(*each) for each in typed[number:]])
                break
            self._take_key(key, character, is_missed=True)

    # the place

    @on(TextView.PageMoved)
    def _show_place(self, event: TextView.PageMoved) -> None:
        span = event.span
        end = (span.last_document, span.last_offset)
        self.session.moved(event.piece, span.anchor.offset, span.first_pos, span.last_pos, end)
        self.show_panels()
        self._show_progress(span.last_pos if span.is_at_end else span.first_pos)
        self.look_at_frontier()
        if self.session.trouble is not None:
            self.notice(self.session.trouble.message)
        if not self._is_shown:
            self._is_shown = True
            self.arrived()

    def frontier_moved(self) -> None:
        """Show how far was read."""
        self.hide_found_ahead()
        self.hide_told_ahead()
        self.show_panels()
        self.appearances_changed()
        self.look_for_names()

    def _show_progress(self, pos: Pos) -> None:
        index = self.session.index
        top = self.query_one(TopLine)
        titles_upto = self.session.titles_upto(self.settings)
        top.left = where_words(index, pos, titles_upto)
        top.right = how_far_words(index, self.pos, pos)
        volume = index.volume_at(pos)
        if volume is not None:
            ticks = self._ticks_of(volume)
            shares = index.work_share(pos), index.volume_share(pos)
            names = (_("work"), _("volume"))
            marks = tuple(index.volume_share(at) for at in self.appearances if volume_ord_of(at) == volume.ord)
            label = volume_words(index, pos, titles_upto)
            self.query_one(ProgressBar).show_progress(Progress(*shares, ticks, label, names, marks))

    def appearances_changed(self) -> None:
        """Mark others on the bar."""
        span = self.text.span
        if span is not None:
            self._show_progress(span.last_pos if span.is_at_end else span.first_pos)

    def _ticks_of(self, volume: VolumeOutline) -> tuple[float, ...]:
        """Return the starts of a volume's chapters as shares, as close as a bar can show them."""
        if self._ticks is None or self._ticks[0] is not volume:
            share_of = self.session.index.volume_share
            self._ticks = volume, tuple(sorted({round(share_of(chapter.pos), 3) for chapter in volume.chapters}))
        return self._ticks[1]

    @on(ProgressBar.Pressed)
    def _go_to_share(self, event: ProgressBar.Pressed) -> None:
        index = self.session.index
        volume = index.volume_at(self.pos)
        if event.is_work or volume is None:
            self.jump_to_pos(index.pos_at_work_share(event.share))
        else:
            self.jump_to_pos(index.pos_at_volume_share(volume, event.share))
