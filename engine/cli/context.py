"""What every command is handed: where things are, the settings, the streams, the library when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cli.output import Output
from engine.config import Settings
from engine.paths import Paths

if TYPE_CHECKING:
    from engine.library import Library


class Context:
    """One run of one command."""

    def __init__(self, paths: Paths, settings: Settings, out: Output) -> None:
        self.paths = paths
        self.settings = settings
        self.out = out
        self._library: Library | None = None

    def library(self) -> Library:
        """Return the library, opened at the first call; what it has to say of the opening goes to stderr.

        Raises:
            LibraryUnavailableError: it cannot be opened.
            LibraryNewerError: a later release wrote it.
        """
        if self._library is None:
            from engine.library import Library  # brings SQLite; `--help` and `config` do without

            self._library = Library(self.paths, self.settings.spoilers)
            self._library.use_settings(self.settings)
            for notice in self._library.notices:
                if notice not in self.paths.notices:  # those were told before the command began
                    self.out.talk(notice)
        return self._library

    def close(self) -> None:
        """Close the library if it was opened."""
        if self._library is not None:
            self._library.close()
            self._library = None
