"""The program and the reader's settings: shown, changed, kept, undone, and picked up from her files."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from textual import on, work
from textual.message import Message

from engine.config import Settings, Value, read_settings, settings_as_mapping, with_values, write_settings
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import _
from tui.app.file_watch import FileWatch
from tui.app.on_graphics import GraphicsApp
from tui.messages import WorkFailed
from tui.render.setting_rows import Chosen
from tui.session import ReadingSession
from tui.terminal.ability import TerminalKind

_FILE = "config.toml"
_MOST_EARLIER = 50


class SettingsApp(GraphicsApp):
    """Holds what the reader chose for all works and for the one she reads."""

    @dataclass
    class SettingsRead(Message):
        """The file of the settings has changed."""

        found: Settings
        complaint: str

    def __init__(
        self,
        library: Library,
        settings: Settings,
        *,
        session: ReadingSession | None,
        jobs: tuple[int, ...],
        terminal: TerminalKind,
    ) -> None:
        self.chosen = Chosen(settings, own_settings(library, session))
        self._in_file = settings
        """What the file says, as far as it was read or written."""
        self._file_lock = threading.Lock()
        self._earlier: list[Chosen] = []
        """What held before, for undo."""
        self._owns: dict[str, tuple[tuple[str, Value], ...]] = {}
        """By the first book of works that were opened since."""
        self._file_watch: FileWatch | None = None
        effective = with_values(settings, dict(self.chosen.own))
        super().__init__(library, effective, session=session, jobs=jobs, terminal=terminal)

    def watch_files(self) -> None:
        """Look after the files of the reader."""
        folder = self.library.paths.config_dir
        self._file_watch = FileWatch(folder, (_FILE, "themes/*.toml"), self.reload)

    def on_unmount(self) -> None:
        """Look after the files no more."""
        if self._file_watch is not None:
            self._file_watch.stop()

    # what is chosen

    def use_chosen(self, chosen: Chosen) -> None:
        """Show the page by what was chosen."""
        before = self.settings
        self.chosen = chosen
        self.settings = with_values(chosen.all, dict(chosen.own))
        self.library.spoilers = chosen.all.spoilers
        if self.session is not None:
            self.library.hold_mode(self.session.index.outline.id, self.settings.spoilers)
        if self.settings != before:
            if self.settings.theme != before.theme:
                self.use_theme(self.settings.theme)
            screen = self.reading_screen()
            if screen is not None:
                screen.use_settings(self.settings)

    def use_theme(self, name: str) -> None:
        """Draw in the colours of a theme."""
        raise NotImplementedError

    def theme_names(self) -> list[str]:
        """Return the themes this terminal can show."""
        raise NotImplementedError

    def work_found(self, session: ReadingSession) -> None:
        """Read the settings of another work."""
        self._owns[session.book_sha256] = own_settings(self.library, session)

    def work_opened(self, session: ReadingSession) -> None:
        """Take the settings of another work."""
        self.use_chosen(Chosen(self.chosen.all, self._owns.get(session.book_sha256, ())))

    def show_settings(self) -> None:
        """Open the settings over the page."""
        from tui.modals.settings import SettingsDialog  # not before it is asked for

        first = self.chosen
        dialog = SettingsDialog(
            first,
            self.use_chosen,
            themes=self.theme_names(),
            earlier=self._earlier,
            has_work=self.session is not None,
        )

        def keep(is_kept: bool | None) -> None:
            if is_kept and self.chosen != first:
                self._earlier = [*self._earlier, first][-_MOST_EARLIER:]
                self._keep(first, self.chosen, self.session)

        self.push_screen(dialog, keep)

    @work(thread=True, group="settings", exit_on_error=False)
    def _keep(self, before: Chosen, after: Chosen, session: ReadingSession | None) -> None:
        """Put what changed on disk."""
        old, new = settings_as_mapping(before.all), settings_as_mapping(after.all)
        changed: Mapping[str, Value] = {name: value for name, value in new.items() if value != old[name]}
        try:
            if changed:
                with self._file_lock:
                    write_settings(self.library.paths.config_file, changed)
                    self._in_file = with_values(self._in_file, changed)
            if session is not None and before.own != after.own:
                self.library.keep_own_settings(session.books, dict(after.own))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    # files that change

    def reload(self, names: frozenset[str]) -> None:
        """Read files of the reader anew. Runs in the thread that saw a change."""
        if _FILE not in names:
            return
        with self._file_lock:
            found, complaints = read_settings(self.library.paths.config_file)
            if found == self._in_file and not complaints:
                return  # it was the program itself
            self._in_file = found
        self.post_message(self.SettingsRead(found, "".join(each.message for each in complaints[:1])))

    @on(SettingsRead)
    def _use_file(self, event: SettingsRead) -> None:
        from tui.modals.settings import SettingsDialog  # not before a file has changed

        if event.found != self.chosen.all:
            self._earlier = [*self._earlier, self.chosen][-_MOST_EARLIER:]
            self.use_chosen(Chosen(event.found, self.chosen.own))
            if isinstance(self.screen, SettingsDialog):
                self.screen.take(self.chosen)
            self.say(_("The settings were read anew."))
        if event.complaint:
            self.say(event.complaint)


def own_settings(library: Library, session: ReadingSession | None) -> tuple[tuple[str, Value], ...]:
    """Return the settings a work has for itself; none where they cannot be read."""
    with contextlib.suppress(UnderstoryError):
        return tuple(sorted(library.own_settings(session.books).items())) if session is not None else ()
    return ()
