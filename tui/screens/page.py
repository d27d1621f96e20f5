"""What the parts of the reading screen stand on: the page, its session, and jumps with a way back."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

from engine.config import Settings
from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from engine.domain.marks import MarkKind, ShownMark
from engine.domain.search import PosRange
from tui.render.layers import Layer
from tui.session import ReadingSession
from tui.widgets.compositor import WholeCharacterCompositor
from tui.widgets.notice_line import NoticeLine
from tui.widgets.text_view import TextView

_LEAD_SHARE = 3
"""A match is shown a third of the page down, with what leads to it above."""


class PageScreen(Screen[None]):
    """A screen with a page of one work on it."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)  # else the whole screen with each change of focus

    def __init__(self, session: ReadingSession, settings: Settings) -> None:
        super().__init__()
        self._compositor = WholeCharacterCompositor()  # panels lie over the text
        self.session = session
        self.settings = settings
        self.has_landed = False
        """A jump is about to show its page."""
        self.has_stepped = False
        """The last jump led to the next chapter only: whether the one passed over was read is asked on reading on."""

    @property
    def text(self) -> TextView:
        """The page."""
        return self.query_one("#text", TextView)

    # These ask the page itself: what it tells by message comes after keys that were typed ahead.

    @property
    def pos(self) -> Pos:
        """Pos of the first character shown; 0 before anything is."""
        span = self.text.span
        return 0 if span is None else span.first_pos

    @property
    def shown(self) -> PosRange:
        """What stands on the page."""
        span = self.text.span
        return PosRange(0, 0) if span is None else PosRange(span.first_pos, span.last_pos)

    @property
    def here(self) -> tuple[DocumentId, int] | None:
        """Document and offset of the first character shown."""
        anchor = self.text.top_anchor
        return None if anchor is None else (anchor.document, anchor.offset)

    def notice(self, words: str, *, is_faint: bool = False) -> None:
        """Say something in one line above the progress bar, until the next key; faint for what cannot be done."""
        self.query_one(NoticeLine).say(words, is_faint=is_faint)

    def give_keys(self, widget: Widget) -> None:
        """Let the next key go to a widget, even one that was typed already; `Widget.focus` waits a moment."""
        self.set_focus(widget, scroll_visible=False)

    def mark_here(self, kind: MarkKind, name: str = "") -> ShownMark | None:
        """Return a mark of the page, not kept yet; None when nothing is shown.

        What the reader marks is the first row, so that its words say which; a jump begins at the very
        character.
        """
        here = self.here
        piece = self.text.piece_at(*here) if here is not None else None
        if here is None or piece is None:
            return None
        start, end = self.text.top_row if kind in (MarkKind.LETTER, MarkKind.BOOKMARK) else (0, 0)
        offset = max(start, piece.start) if start < end else here[1]
        return self.session.mark_at(piece, offset, kind, name)

    # jumps

    def remember_here(self) -> None:
        """Let the way back lead here."""
        origin = self.mark_here(MarkKind.BACK)
        if origin is not None:
            self.session.jumped(origin)

    def jump(self, document: DocumentId, offset: int, *, is_step: bool = False, lead_rows: int = 0) -> None:
        """Go to a place; the way back leads here.

        Args:
            document: Where to.
            offset: Where to.
            is_step: It is the next chapter, which many only look at.
            lead_rows: Rows of the text before it to show above.
        """
        self.remember_here()
        self.has_landed, self.has_stepped = True, is_step
        self.text.go_to(document, offset, lead_rows=lead_rows)

    def jump_to_pos(self, pos: Pos) -> None:
        """Go to a pos, the end of the text standing at the end of a page; the way back leads here."""
        index = self.session.index
        place = index.place_of(pos)
        if place is not None:
            is_end = index.place_of(index.pos_at_work_share(1)) == place
            self.jump(*place, lead_rows=max(0, self.text.page_rows - 1) if is_end else 0)

    def land(self, document: DocumentId, offset: int) -> None:
        """Go to a place and mark its first row until the next key; the way back leads here."""
        self.jump(document, offset)
        self.text.land(document, offset)

    def show_words(self, document: DocumentId, start: int, end: int) -> None:
        """Show some words and mark them; the page moves only when they do not stand on it."""
        if not self.text.shows(document, start):
            self.text.go_to(document, start, lead_rows=self.text.page_rows // _LEAD_SHARE)
        self.text.land(document, start, end)

    def walk_trail(self, direction: int) -> bool:
        """Go back (-1) to where a jump began, or forward (+1) again; False when there is nothing that way."""
        here = self.mark_here(MarkKind.AHEAD if direction < 0 else MarkKind.BACK)
        if here is None:
            return False
        stop = self.session.back(here) if direction < 0 else self.session.forward(here)
        if stop is not None:
            self.text.go_to(stop.document, stop.offset)
        return stop is not None

    # what the parts tell each other

    @property
    def has_hits(self) -> bool:
        """Whether places found are marked on the page."""
        return self.text.has_layer(Layer.FOUND)

    def match_in_focus(self) -> tuple[DocumentId, int, int] | None:
        """Return where the match of the search stands that the reader is at; None when none is on the page."""
        return None

    def open_highlight(self) -> bool:
        """Show what the reader keeps of a passage on the page; False when no link is to wait for that."""
        return False

    def arrived(self) -> None:
        """Be told that a place that was to be loaded is shown, or cannot be."""

    def forget_search(self) -> None:
        """Forget what was searched for, as for another work."""

    def panel_done(self) -> None:
        """Give the keys back to the page; a panel that lies over it is closed."""

    def frontier_moved(self) -> None:
        """Be told that the frontier was set by hand."""

    def read_marks(self) -> None:
        """Bring the marks for their list."""

    def show_marks(self, marks: Sequence[ShownMark]) -> None:
        """Show the marks where they are listed."""
