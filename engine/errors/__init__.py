"""Every failure a reader can meet, each as one class that builds its own sentence."""

from __future__ import annotations

import os
from pathlib import Path

from engine.translate import _


def shown_path(path: Path | str) -> str:
    """Return a path as text for people, with escapes for bytes that are no UTF-8.

    What the system hands us for such a name holds lone surrogates, which no stream and no
    database takes. In an ASCII locale every other name is like that too.
    """
    try:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return str(path).encode("utf-8", "backslashreplace").decode()


class UnderstoryError(Exception):
    """Something went wrong that can be told in a sentence.

    Attributes:
        title: A few words, for a heading.
        message: One sentence: what happened, to which thing, what to do next.
    """

    exit_code = 1

    def __init__(self, *, title: str, message: str) -> None:
        super().__init__(message)
        self.title = title
        self.message = message


class VolumeUnreadableError(UnderstoryError):
    """The file is no EPUB, or an EPUB without anything to read."""

    exit_code = 3

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            title=_("This book cannot be opened"),
            message=_("{name}: {reason}. Try `understory doctor`.").format(name=shown_path(path.name), reason=reason),
        )
        self.reason = reason


class VolumeProtectedError(UnderstoryError):
    """The book is encrypted by a DRM scheme."""

    exit_code = 3

    def __init__(self, path: Path, scheme: str, book_title: str = "") -> None:
        super().__init__(
            title=_("This book is locked by its seller"),
            message=_(
                "{name}: {book}is protected by DRM ({scheme}), so only the seller's own program can open it. "
                "Look for an edition without DRM."
            ).format(name=shown_path(path.name), book=f"{book_title} " if book_title else "", scheme=scheme),
        )
        self.scheme = scheme


class FileMissingError(UnderstoryError):
    """A path the reader named does not exist or cannot be read."""

    exit_code = 3

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            title=_("No such file"),
            message=_("{path}: {reason}. Check the name.").format(path=shown_path(path), reason=reason),
        )


class WorkNotFoundError(UnderstoryError):
    """No work in the library answers to what the reader typed."""

    exit_code = 4

    def __init__(self, query: str) -> None:
        super().__init__(
            title=_("No such work"),
            message=_("Nothing in the library is called {query!r}. `understory list` shows what is there.").format(
                query=query
            ),
        )


class WorkAmbiguousError(UnderstoryError):
    """Several works answer to what the reader typed."""

    exit_code = 4

    def __init__(self, query: str, titles: list[str]) -> None:
        super().__init__(
            title=_("More than one work fits"),
            message=_("{query!r} fits {titles}. Type more of the title, or its id from `understory list`.").format(
                query=query, titles="; ".join(titles)
            ),
        )


class PlaceUnknownError(UnderstoryError):
    """A locator, chapter or page that this work does not have."""

    exit_code = 4

    def __init__(self, what: str) -> None:
        super().__init__(
            title=_("No such place"),
            message=_("{what} is not in this work. `understory toc` shows its chapters.").format(what=what),
        )


class NotTakenInError(WorkNotFoundError, PlaceUnknownError):
    """A work or a document that is read from its file, and not in the library yet."""

    def __init__(self) -> None:
        UnderstoryError.__init__(
            self,
            title=_("Not in the library yet"),
            message=_("This book is still being taken in. Try once more in a moment."),
        )


class EntryUnknownError(UnderstoryError):
    """The wiki has no such entry as far as the reader may see."""

    exit_code = 4

    def __init__(self, name: str) -> None:
        super().__init__(
            title=_("No such entry"),
            message=_("There is no entry {name} up to where you have read.").format(name=name),
        )
        self.name = name


class EntryAmbiguousError(UnderstoryError):
    """Several entries answer to a name."""

    exit_code = 4

    def __init__(self, name: str, names: list[str]) -> None:
        super().__init__(
            title=_("More than one entry fits"),
            message=_("{name!r} fits {names}. Type more of the name, or the number in brackets.").format(
                name=name, names="; ".join(names)
            ),
        )


class PatternInvalidError(UnderstoryError):
    """What was typed between slashes is no regular expression."""

    exit_code = 2

    def __init__(self, pattern: str, reason: str) -> None:
        super().__init__(
            title=_("This pattern cannot be used"),
            message=_("/{pattern}/ is no pattern: {reason}. Without slashes it is searched for as words.").format(
                pattern=pattern, reason=reason
            ),
        )


class PatternSlowError(UnderstoryError):
    """A regular expression took longer than a search may."""

    def __init__(self, pattern: str) -> None:
        super().__init__(
            title=_("This pattern takes too long"),
            message=_("/{pattern}/ takes too long; what was found so far is shown.").format(pattern=pattern),
        )


class SettingInvalidError(UnderstoryError):
    """A line of the reader's configuration cannot be used."""

    exit_code = 2

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            title=_("A setting cannot be used"),
            message=_("{name}: {reason}. The default is used until it is mended.").format(
                name=shown_path(path.name), reason=reason
            ),
        )


class SettingRefusedError(UnderstoryError):
    """A setting that does not exist was asked for, or one was to get a value it cannot hold."""

    exit_code = 2

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(
            title=_("This setting cannot be set"),
            message=_("{name}: {reason}. Nothing was changed.").format(name=name, reason=reason),
        )
        self.reason = reason


class CommandInvalidError(UnderstoryError):
    """A command line that cannot be understood, or asks for what cannot be done here."""

    exit_code = 2

    def __init__(self, reason: str, *, command: str = "") -> None:
        super().__init__(
            title=_("This command cannot be run"),
            message=_("{reason}. `{help}` tells more.").format(
                reason=reason, help=f"understory {command} --help" if command else "understory --help"
            ),
        )


class LibraryNewerError(UnderstoryError):
    """The library was written by a later release."""

    exit_code = 5

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            title=_("This library is newer than the program"),
            message=_(
                "{name} has format {found}, this release knows {known}. Update UnderStory; nothing was changed."
            ).format(name=shown_path(path.name), found=found, known=known),
        )


class LibraryUnavailableError(UnderstoryError):
    """The library file cannot be opened or written."""

    exit_code = 5

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            title=_("The library cannot be used"),
            message=_("{path}: {reason}. Check the folder's rights and free space.").format(
                path=shown_path(path), reason=reason
            ),
        )


class NamesUnknownError(UnderstoryError):
    """The names of a work have not been found yet, so nothing can be written about it or set right in it."""

    exit_code = 4

    def __init__(self, work: int) -> None:
        super().__init__(
            title=_("The names are not known yet"),
            message=_("The names of work {work} are still being looked for. Try again in a moment.").format(work=work),
        )


class CorrectionRefusedError(UnderstoryError):
    """What the reader wants to set right does not fit what is known."""

    exit_code = 2

    def __init__(self, reason: str) -> None:
        super().__init__(
            title=_("This cannot be set right"),
            message=_("Nothing was changed: {reason}.").format(reason=reason),
        )


class HelperUnavailableError(UnderstoryError):
    """The background process could not be started or has stopped."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            title=_("The background process is not running"),
            message=_("It stopped: {reason}. Reading goes on; `understory doctor` looks for the cause.").format(
                reason=reason
            ),
        )


class SamplesMissingError(UnderstoryError):
    """The sample series was not built into this installation."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            title=_("The sample series is missing"),
            message=_("No sample books in {folder}. Reinstall with `make read`, which builds them.").format(
                folder=shown_path(folder)
            ),
        )
