"""The shelf: import, grouping, removal with undo, and the way to a work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.timer import Timer

from engine.domain.book import VolumeId, WorkId
from engine.domain.reading import JobState
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import N_, _
from tui.messages import AnalysisWanted, ImportsSeen, ShelfRead, VolumesRead, WorkFailed
from tui.render.shelf_rows import ShelfRow, moved
from tui.screens.shelf_cover import ShelfCover
from tui.screens.shelf_imports import import_words, report_lines
from tui.widgets.cover_pane import CoverPane
from tui.widgets.notice_line import NoticeLine
from tui.widgets.shelf_list import ShelfList

_POLL_S = 0.3
_REMOVAL_S = 1.0
"""Most that leaving waits for removals, each a short transaction; they go on behind it."""
SHELF_KEYS: tuple[tuple[str, str], ...] = (
    ("j k", N_("up and down")),
    ("enter", N_("read it")),
    ("i", N_("import files or folders")),
    ("/", N_("filter by title or author")),
    ("o", N_("another order")),
    ("right left", N_("show or fold the volumes")),
    ("m", N_("mark a work")),
    ("s", N_("make the marked works one; on a volume: a work of its own")),
    ("J K", N_("move a volume down or up")),
    ("d", N_("remove; u brings it back")),
    ("a", N_("have a model read it")),
    ("r", N_("what the last import met")),
    ("escape", N_("to the text")),
    ("q", N_("quit")),
)
"""Keys of the shelf with what they do, for the help."""


class ShelfScreen(ShelfCover):
    """Answers with the work to open; None when the reader goes back."""

    DEFAULT_CSS = """
    ShelfScreen { background: $background; color: $foreground; layers: base notice; }
    ShelfScreen NoticeLine { margin-bottom: 0; }
    """
    BLANK = True

    def __init__(self, library: Library, *, paper: str = "", has_text: bool = True) -> None:
        """Take the library.

        Args:
            library: What stands on the shelf.
            paper: The colour covers are drawn on; without one none is.
            has_text: Whether there is a text to go back to.
        """
        super().__init__(library, paper=paper)
        self._library = library
        self._has_text = has_text
        self._jobs: tuple[int, ...] = ()
        self._seen = ImportsSeen((), ())
        self._poll: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay the line for notices over the last row."""
        yield CoverPane()
        yield ShelfList()
        yield NoticeLine()

    def on_mount(self) -> None:
        """Read the list."""
        self._list.focus()
        self._read()

    @property
    def _list(self) -> ShelfList:
        return self.query_one(ShelfList)

    @work(thread=True, exclusive=True, group="shelf", exit_on_error=False)
    def _read(self) -> None:
        self._try(lambda: self.post_message(ShelfRead(self._library.works())))

    def _try(self, call: Callable[[], object]) -> bool:
        """Call the engine in a worker thread; tell the reader when it fails."""
        try:
            call()
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))
            return False
        return True

    @on(ShelfRead)
    def _show_works(self, event: ShelfRead) -> None:
        self._list.works = event.works
        self._list.list_anew()

    @on(VolumesRead)
    def _show_volumes(self, event: VolumesRead) -> None:
        self._list.unfolded[event.work] = event.volumes
        self._list.list_anew()

    @on(ShelfList.Pressed)
    def _act(self, event: ShelfList.Pressed) -> None:
        self.say("")
        acts: dict[str, Callable[[], object]] = {
            "enter": self._open,
            "escape": self._go_back,
            "q": self._quit,
            "ctrl+q": self._quit,
            "i": self._ask_for_books,
            "right": self._unfold,
            "l": self._unfold,
            "s": self._group,
            "J": lambda: self._move_volume(1),
            "K": lambda: self._move_volume(-1),
            "d": self._remove if self._list.works else self._open_demo,
            "u": self._bring_back,
            "r": self._show_reports,
            "a": self._analyse,
            "?": self._show_keys,
        }
        act = acts.get(event.key)
        if act is not None:
            act()

    # opening and leaving

    def _open(self) -> None:
        here = self._list.here
        if here is not None:
            self._make_removals_real()
            self.dismiss(here.work)

    def _analyse(self) -> None:
        here = self._list.here
        if here is not None:
            self.app.post_message(AnalysisWanted(here.work, self._list.work(here.work).title))

    def _go_back(self) -> None:
        if not self._has_text:
            self.say(_("Nothing is open yet: Enter reads a work, i brings in books, q quits."))
            return
        self._make_removals_real()
        self.dismiss(None)

    def _quit(self) -> None:
        self._make_removals_real()
        self.app.exit()

    def _make_removals_real(self) -> None:
        removed, self._list.removed = self._list.removed, ()
        if removed:  # a thread that is waited for: the program may be left the next moment, and its workers with it
            leaving = threading.Thread(target=_remove_all, args=(self._library, removed), name="removal")
            leaving.start()
            leaving.join(_REMOVAL_S)

    # changing the shelf; each act is one short transaction in a worker

    def _unfold(self) -> None:
        here = self._list.here
        if here is not None and here.work not in self._list.unfolded:
            self._change(here.work, lambda: None, unfold=True)

    def _group(self) -> None:
        here, marked = self._list.here, self._list.marked
        if here is None:
            return
        if here.volume is not None and not marked:
            volume = here.volume
            self._change(here.work, lambda: self._library.regroup([volume], None))
        elif marked - {here.work}:
            self._change(here.work, lambda: self._join(here.work, marked - {here.work}))
            self._list.marked = frozenset()
        else:
            self.say(_("Mark other works with m first; s then makes them one with the work under the cursor."))

    def _join(self, into: WorkId, others: frozenset[WorkId]) -> None:
        volumes: list[VolumeId] = [v.id for other in others for v in self._library.outline(other).volumes]
        self._library.regroup(volumes, into)

    def _move_volume(self, step: int) -> None:
        here = self._list.here
        order = None
        if here is not None and here.volume is not None:
            order = moved(self._list.unfolded[here.work], here.volume, step)
        if here is not None and order is not None:
            self._change(here.work, lambda: self._library.reorder(here.work, order))

    @work(thread=True, exclusive=True, group="change", exit_on_error=False)
    def _change(self, work_id: WorkId, change: Callable[[], object], *, unfold: bool = False) -> None:
        """Make a change, then read the list and the volumes of an unfolded work again."""

        def read_again() -> None:
            works = self._library.works()
            self.post_message(ShelfRead(works))
            if any(each.id == work_id for each in works) and (unfold or work_id in self._list.unfolded):
                self.post_message(VolumesRead(work_id, self._library.outline(work_id).volumes))

        if self._try(change):
            self._try(read_again)

    def _remove(self) -> None:
        here = self._list.here
        if here is not None:
            title = self._list.work(here.work).title
            self._list.removed += (here.work,)
            self._list.list_anew()
            self.say(_("{title} is off the shelf. u brings it back.").format(title=title))

    def _bring_back(self) -> None:
        if self._list.removed:
            *rest, last = self._list.removed
            self._list.removed = tuple(rest)
            self._list.list_anew(ShelfRow(last))

    # imports

    def _ask_for_books(self) -> None:
        from tui.modals.path_prompt import PathPrompt  # Textual's Input takes 40 ms to import

        self.app.push_screen(PathPrompt(), self._take_books)

    def _take_books(self, books: tuple[Path, ...] | None) -> None:
        self._import(books or ())

    def _open_demo(self) -> None:
        try:
            self._import(self._library.samples())
        except UnderstoryError as error:
            self.say(error.message)

    @work(thread=True, group="import", exit_on_error=False)
    def _import(self, books: tuple[Path, ...]) -> None:
        if not books:
            return

        def begin() -> None:
            self._jobs = self._library.start_import(books)
            self._library.start_packs_of(books)
            self.app.call_from_thread(self._follow)

        self._try(begin)

    def _follow(self) -> None:
        if self._poll is None:
            self._poll = self.set_interval(_POLL_S, self._look)

    @work(thread=True, exclusive=True, group="look", exit_on_error=False)
    def _look(self) -> None:
        def look() -> None:
            jobs = self._library.jobs(self._jobs)
            self.post_message(ImportsSeen(jobs, tuple(self._library.import_report(job) for job in jobs)))

        self._try(look)

    @on(ImportsSeen)
    def _tell_progress(self, event: ImportsSeen) -> None:
        done_before = sum(job.state is JobState.DONE for job in self._seen.jobs)
        self._seen = event
        self.say(import_words(event.jobs, event.reports))
        if sum(job.state is JobState.DONE for job in event.jobs) != done_before:
            self._read()
        if all(job.state not in (JobState.TODO, JobState.LEASED) for job in event.jobs) and self._poll is not None:
            self._poll.stop()
            self._poll = None

    def _show_reports(self) -> None:
        lines = report_lines(self._seen.jobs, self._seen.reports)
        self.show_card("\n".join(lines) or _("Nothing was repaired or refused since the shelf was opened."))

    def _show_keys(self) -> None:
        self.show_card("\n".join(f"{keys:12}{_(words)}" for keys, words in SHELF_KEYS))


def _remove_all(library: Library, works: tuple[WorkId, ...]) -> None:
    for removed in works:
        try:
            library.remove(removed)
        except UnderstoryError:
            continue  # it stands on the shelf again next time; nothing is lost
