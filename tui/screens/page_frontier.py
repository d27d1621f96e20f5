"""Ask whether what a far jump passed over was read, and set the frontier by hand."""

from __future__ import annotations

from textual.geometry import Spacing

from engine.config import Settings
from engine.domain.locator import Pos
from engine.translate import _
from tui.render.far_jump import question_words
from tui.screens.page import PageScreen
from tui.session import ReadingSession
from tui.widgets.notice_line import NoticeLine


class PageFrontier(PageScreen):
    """The part that knows how far was read."""

    def __init__(self, session: ReadingSession, settings: Settings) -> None:
        super().__init__(session, settings)
        self._declined: Pos | None = None
        """Frontier at which the reader said no."""
        self._stepped_to: Pos = 0
        """Where the step to another chapter led."""

    @property
    def _notice_line(self) -> NoticeLine:
        return self.query_one(NoticeLine)

    def look_at_frontier(self) -> None:
        """Ask after a far jump; take the question away where it does not fit the page any more."""
        has_landed, self.has_landed = self.has_landed, False
        if has_landed and self.has_stepped:
            has_landed, self._stepped_to = False, self.pos
        elif self.has_stepped and self.pos != self._stepped_to:
            has_landed, self.has_stepped = True, False
        if not self._is_far():
            self.has_stepped = False
            self._put_question("")
        elif self._notice_line.question or (has_landed and self._declined != self.session.frontier):
            long, short = question_words(self.session.index, self.session.frontier, self.pos)
            answers = _("y yes  Esc later") if self.has_hits else _("y yes  n no  Esc later")
            self._put_question(long, short, answers)

    def _put_question(self, question: str, short: str = "", answers: str = "") -> None:
        self._notice_line.ask(question, short, answers)
        self.make_room()

    def make_room(self) -> None:
        """End the text above the question; while that stands, it must hide none of the text."""
        is_zen, body, rows = self.has_class("-zen"), self.query_one("#body"), self._notice_line.question_rows
        free = 0 if self.has_class("-short") and not is_zen else 1  # the blank row below the text
        margin = Spacing(0, 0, rows if rows > free else int(is_zen), 0)  # it merges with that of the bar
        if body.styles.margin != margin:
            body.styles.margin = margin

    def _is_far(self) -> bool:
        """Say whether more than a page lies between what was read and the page."""
        session, shown = self.session, self.shown
        here = self.here
        return (
            here is not None
            and session.index.is_linear(here[0])
            and shown.start - session.frontier > shown.end - shown.start
            and not session.reaches(shown.start)
        )

    def answers(self, key: str) -> bool:
        """Take a key that answers the question; say whether it was one.

        While places found are marked, n leads to the next one and is no answer.
        """
        if not self._notice_line.question or key not in ("y", "n", "escape") or (key == "n" and self.has_hits):
            return False
        self._put_question("")
        if key == "y":
            self.count_as_read()
        elif key == "n":
            self._declined = self.session.frontier
        return True

    def count_as_read(self) -> None:
        """Count everything up to the end of the page as read, and nothing behind it."""
        span = self.text.span
        if span is None or not self.session.index.is_linear(span.anchor.document):
            self.notice(_("This page lies outside the story."))
            return
        self.session.set_frontier(span.last_pos, (span.last_document, span.last_offset))
        self._put_question("")
        self.notice(_("Read up to here."))
        self.frontier_moved()
