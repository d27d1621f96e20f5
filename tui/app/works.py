"""The works of the program: which one is open, and the imports that go on behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.message import Message
from textual.timer import Timer

from engine.config import Settings
from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Locator
from engine.domain.reading import JobProgress, JobState, Slice
from engine.domain.source import ReadingSource
from engine.errors import UnderstoryError
from engine.library import Library
from tui.messages import NoteAttached, WorkFailed
from tui.screens.reading import ReadingScreen
from tui.session import ReadingSession
from tui.widgets.keys_in_turn import KeysInTurn
from tui.widgets.notice_line import NoticeLine
from tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from engine.domain.notes import ShownNote

_JOB_POLL_S = 0.4


class WorksApp(KeysInTurn):
    """Holds the library and the work being read; opens another without making the page wait."""

    @dataclass
    class SessionReady(Message):
        """A work was opened in the background."""

        session: ReadingSession
        place: tuple[DocumentId, int] | None
        slices: tuple[Slice, ...]
        is_same_book: bool
        """The page stays at the character it shows."""
        at: Locator | None = None
        """A passage to go to."""

    @dataclass
    class JobsSeen(Message):
        """The state of the imports was read."""

        jobs: tuple[JobProgress, ...]

    def __init__(
        self,
        library: Library,
        settings: Settings,
        *,
        session: ReadingSession | None,
        jobs: tuple[int, ...],
        driver: type[Driver] | None,
        has_no_colours: bool,
    ) -> None:
        # Textual removes colours only from a page that has none but the terminal's own.
        super().__init__(driver_class=driver, ansi_color=True if has_no_colours else None)
        self.library = library
        self.settings = settings
        self.session = session
        """The work being read; None on an empty shelf."""
        self._jobs = jobs
        self._seen_done: set[int] = set()
        self._poll: Timer | None = None
        self.start_at: Locator | None = None
        """A passage to go to when the first page stands."""

    def make_page(self, session: ReadingSession) -> ReadingScreen:
        """Return a reading screen for a session."""
        raise NotImplementedError

    def work_found(self, session: ReadingSession) -> None:
        """Be told which work will be shown; in a worker thread."""

    def work_opened(self, session: ReadingSession) -> None:
        """Be told which work is shown from now on."""

    def say(self, words: str) -> None:
        """Say something on the reading screen, if it shows."""
        if isinstance(self.screen, ReadingScreen):
            self.screen.notice(words)

    def tell(self, words: str) -> None:
        """Say something on whichever screen shows."""
        try:
            self.screen.query_one(NoticeLine).say(words)
        except NoMatches:
            self.say(words)

    def show_shelf(self) -> None:
        """Open the shelf."""
        raise NotImplementedError

    def reading_screen(self) -> ReadingScreen | None:
        """Return the reading screen, though another may lie over it."""
        return next((screen for screen in self.screen_stack if isinstance(screen, ReadingScreen)), None)

    def follow_imports(self) -> None:
        """Look at the imports behind the page until they have ended."""
        if self._jobs:
            self._poll = self.set_interval(_JOB_POLL_S, self._look_at_jobs)

    # opening

    def open_chosen(self, chosen: WorkId | None) -> None:
        """Open the work chosen on the shelf; None goes on with the one below it."""
        if chosen is not None:
            self._open_work(chosen)

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def _open_work(self, chosen: WorkId, at: Locator | None = None) -> None:
        self._open_source(lambda: self.library.reading(chosen), is_same_book=False, at=at)

    def _open_source(
        self, source: Callable[[], ReadingSource], *, is_same_book: bool, at: Locator | None = None
    ) -> None:
        """Open a work in this worker thread and tell; `is_same_book` goes on at the same character."""
        old = self.session
        screen = self.reading_screen()
        try:
            session = ReadingSession(source())
            self.work_found(session)
            here = screen.here if screen is not None and is_same_book else None
            place = (session.place_from(old, here) if old is not None else None) or session.first_place
            slices = session.window(*place) if place is not None else ()
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))
            return
        self.post_message(self.SessionReady(session, place, slices, is_same_book, at))

    @on(ReadingScreen.OtherWorkWanted)
    def _go_to_other_work(self, event: ReadingScreen.OtherWorkWanted) -> None:
        self._open_work(event.work, event.at)

    @on(SessionReady)
    async def _use_session(self, event: SessionReady) -> None:
        old, self.session = self.session, event.session
        if not event.is_same_book:
            self.work_opened(event.session)
        screen = self.reading_screen()
        if screen is None:
            await self._show_session(event.session)
        else:
            place = event.session.go_on_from(old, screen.here) if event.is_same_book and old is not None else None
            screen.use_session(event.session, place or event.place, event.slices)
        shown = self.reading_screen()
        if event.at is not None and shown is not None:
            shown.go_to_passage(event.at)
        if old is not None:
            self._close_session(old)

    @work(thread=True, group="close", exit_on_error=False)
    def _close_session(self, session: ReadingSession) -> None:
        session.close()

    async def _show_session(self, session: ReadingSession) -> None:
        await self.push_screen(self.make_page(session))

    @on(WorkFailed)
    def _tell_failure(self, event: WorkFailed) -> None:
        if self.session is None and len(self.screen_stack) == 1:  # the work chosen on the shelf cannot be opened
            self.show_shelf()
        self.call_after_refresh(self.tell, event.error.message)

    # what she keeps

    @on(TextView.PageMoved)
    def _go_to_start(self) -> None:
        at, self.start_at = self.start_at, None
        screen = self.reading_screen()
        if at is not None and screen is not None:
            screen.go_to_passage(at)

    @on(ReadingScreen.NotesWanted)
    def _show_notes(self) -> None:
        from tui.screens.notes import NotesScreen  # not before it is asked for

        screen = self.reading_screen()
        if screen is not None:
            work, title = screen.here_in_words()
            notes = NotesScreen(self.library, work, title, screen.dropped_notes, is_ascii=screen.is_ascii)
            self.push_screen(notes, self._go_to_note)

    @on(NoteAttached)
    def _attach_note(self, event: NoteAttached) -> None:
        screen = self.reading_screen()
        if screen is not None:
            screen.attach_note(event.shown)

    def _go_to_note(self, shown: ShownNote | None) -> None:
        """Go to the passage that was chosen; what was changed in the list is drawn anew."""
        screen = self.reading_screen()
        if screen is not None:
            screen.read_notes()
        if screen is None or shown is None or shown.work is None or shown.locator is None:
            return
        if shown.work == screen.here_in_words()[0]:
            screen.go_to_passage(shown.locator)
        else:
            self._open_work(shown.work, shown.locator)

    # imports behind the page

    @work(thread=True, exclusive=True, group="jobs", exit_on_error=False)
    def _look_at_jobs(self) -> None:
        try:
            self.post_message(self.JobsSeen(self.library.jobs(self._jobs)))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(JobsSeen)
    def _follow_jobs(self, event: JobsSeen) -> None:
        ended = {job.id for job in event.jobs if job.state not in (JobState.TODO, JobState.LEASED)}
        for job in event.jobs:
            if job.id in ended - self._seen_done and job.error:
                self.say(job.error)
        if any(job.id in ended - self._seen_done and job.state is JobState.DONE for job in event.jobs):
            self._reopen()
        self._seen_done |= ended
        if len(ended) == len(event.jobs) and self._poll is not None:
            self._poll.stop()

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def _reopen(self) -> None:
        """Go on in the library's own copy, which may have gained volumes."""
        if self.session is None:
            return
        sha256 = self.session.book_sha256
        found = self.library.work_of_book(sha256)
        if found is not None:
            self._open_source(lambda: self.library.reading(found), is_same_book=True)
