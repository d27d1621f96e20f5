"""Set right what an entry says, from whatever screen shows it: ask, do, show the entry anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.message import Message
from textual.screen import Screen

from engine.domain.corrections import Act, MadeCorrection
from engine.domain.locator import Locator
from engine.domain.wiki import Correction, Listing, Page, PageKey, PageKind, PointId
from engine.errors import UnderstoryError
from engine.translate import N_, _
from tui.modals.correction import Correctable, CorrectionDialog, CorrectionWish
from tui.session import ReadingSession
from tui.widgets.wiki_view import WikiView

_DONE = {
    Correction.MERGE: N_("{names} are one now."),
    Correction.IDENTITY: N_("{names} are one from this page on."),
    Correction.SPLIT: N_("{form} is not a name of {names} any more."),
    Correction.RENAME: N_("{names} is called {form} now."),
    Correction.HIDE: N_("{names} is hidden."),
    Correction.REKIND: N_("{names} is of another kind now."),
    Correction.ADD: N_("{form} was added."),
}


@dataclass
class CorrectionReady(Message):
    """What may be chosen from was read."""

    correcting: Correcting
    page: Page
    others: tuple[tuple[str, PointId], ...]


@dataclass
class Corrected(Message):
    """Something was set right, or could not be."""

    correcting: Correcting
    key: PageKey
    """Of the page it was asked for on."""
    words: str
    is_done: bool


class Correcting:
    """The corrections of one view of the wiki."""

    def __init__(
        self,
        screen: Screen[Any],  # Any: what it answers is of no account here
        view: WikiView,
        session: Callable[[], ReadingSession],
        here: Callable[[], Locator | None],
        done: Callable[[PageKey, str, bool], None],
    ) -> None:
        """Take what there is.

        Args:
            screen: Gets `CorrectionReady` and `Corrected`, which it hands back.
            view: Shows the entry; its keys wait until the dialog is there.
            session: Returns the work as it is when it is asked.
            here: Returns where the page of the text ends, from which on two may be one.
            done: Shows the entry anew: its page, what is to be said, and whether something has changed.
        """
        self._screen = screen
        self._view = view
        self._session = session
        self._here = here
        self._done = done

    def ask(self, page: Page) -> None:
        """Ask what is to be set right about the entry of a page."""
        self._run(partial(self._read, self._session(), page))

    def _run(self, work: Callable[[], None]) -> None:
        self._screen.run_worker(work, thread=True, group="correcting", exit_on_error=False)

    def _read(self, session: ReadingSession, page: Page) -> None:
        others: list[tuple[str, PointId]] = []
        try:
            session.settle()
            index = session.source.page(PageKey(PageKind.INDEX))
            rows = [row for part in index.parts if isinstance(part, Listing) for row in part.rows]
            others = [
                (row.link.text, row.link.target.point)
                for row in rows
                if row.link.target.point not in (None, page.key.point)
            ]
        except UnderstoryError:
            pass  # there is nobody to choose from then
        finally:
            self._screen.post_message(CorrectionReady(self, page, tuple(others)))

    def open(self, event: CorrectionReady) -> None:
        """Lay the dialog over the screen."""
        page = event.page
        about = Correctable(page.title, (page.title, *page.also), event.others)
        self._screen.app.push_screen(CorrectionDialog(about), partial(self._take, page.key))
        self._view.stop_waiting()

    def _take(self, key: PageKey, wish: CorrectionWish | None) -> None:
        if wish is not None:
            self._run(partial(self._do, self._session(), key, wish, self._here()))

    def _do(self, session: ReadingSession, key: PageKey, wish: CorrectionWish, here: Locator | None) -> None:
        words, is_done = "", False
        try:
            if wish.correction is None:
                made = session.source.undo_correction()
                words = _("There is nothing to take back.") if made is None else _undone_words(made)
                is_done = made is not None
            else:
                points = tuple(point for point in (key.point, wish.other) if point is not None)
                act = Act(wish.correction, points, wish.form, wish.kind, here)
                words, is_done = done_words(session.source.correct(act, session.read_to)), True
        except UnderstoryError as error:
            words = error.message
        finally:
            self._screen.post_message(Corrected(self, key, words, is_done))

    def finish(self, event: Corrected) -> None:
        """Show what came of it."""
        self._done(event.key, event.words, event.is_done)


def done_words(made: MadeCorrection) -> str:
    """Say what was done."""
    return _(_DONE[made.correction]).format(names=_(", ").join(made.names), form=made.form)


def _undone_words(made: MadeCorrection) -> str:
    return _("Taken back: {change}").format(change=done_words(made))
