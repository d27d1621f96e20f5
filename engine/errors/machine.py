"""What the machine beneath does to us: no room, no memory, no right, a file that is gone, a process that was ended."""

from __future__ import annotations

import errno
import signal
from pathlib import Path

from engine.errors import HelperUnavailableError, LibraryUnavailableError, UnderstoryError, shown_path
from engine.translate import _

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says where nothing more can be written, or nothing more by this reader."""
_NO_RIGHT = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ESTALE})
_NO_HANDLES = frozenset({errno.EMFILE, errno.ENFILE})


class DiskFullError(LibraryUnavailableError):
    """Nothing more can be written where the library lies."""

    def __init__(self, path: Path) -> None:
        UnderstoryError.__init__(
            self,
            title=_("The disk is full"),
            message=_("{path}: the disk is full. Make room there and try again; what was kept is safe.").format(
                path=shown_path(path)
            ),
        )


class LibraryDamagedError(LibraryUnavailableError):
    """What was read of the library is not what was written."""

    def __init__(self, path: Path) -> None:
        UnderstoryError.__init__(
            self,
            title=_("The library is damaged"),
            message=_("{path}: it is damaged. Quit and start again: the next start sets it aside and mends it.").format(
                path=shown_path(path)
            ),
        )


class LibraryLockedError(LibraryUnavailableError):
    """Another program does not let go of the library."""

    def __init__(self, path: Path) -> None:
        UnderstoryError.__init__(
            self,
            title=_("The library is in use"),
            message=_("{path}: another program has kept it locked for 5 seconds. Close that, then try again.").format(
                path=shown_path(path)
            ),
        )


class HelperFailedError(HelperUnavailableError):
    """The background process said why it could not go on, or its end shows it."""

    def __init__(self, words: str) -> None:
        UnderstoryError.__init__(
            self,
            title=_("Work in the background has stopped"),
            message=_("Work in the background has stopped. {words}").format(words=words),
        )


def unwritable(path: Path, error: OSError) -> LibraryUnavailableError:
    """Return what to raise where a file of the library's could not be written."""
    if error.errno in NO_ROOM:
        return DiskFullError(path)
    return LibraryUnavailableError(path, error.strerror or str(error))


def told_failure(error: BaseException, name: str, log: Path) -> str:
    """Say what went wrong with a job: what, with which file, what to do.

    Args:
        error: What ended it, of any class; its own words are used only where they are ours.
        name: What was worked on, as the reader calls it.
        log: Where the frames of an unexpected failure are written.
    """
    if isinstance(error, UnderstoryError):
        return error.message
    if isinstance(error, MemoryError):
        return _("{name}: there was not enough memory. Close other programs, then try again.").format(name=name)
    if isinstance(error, OSError) and error.errno is not None:
        return _told_os_error(error, shown_path(str(error.filename)) if error.filename else name)
    return _(
        "{name}: a fault of this program ended the work on it ({error}). {log} tells where; report it, or "
        "try `understory doctor`."
    ).format(name=name, error=type(error).__name__, log=shown_path(log))


def _told_os_error(error: OSError, path: str) -> str:
    if error.errno in NO_ROOM:
        return DiskFullError(Path(path)).message
    if error.errno in _GONE:
        return _("{path}: this file is gone. Bring it back, or import the book again.").format(path=path)
    if error.errno in _NO_RIGHT:
        return _("{path}: it may not be read or written. Check the rights of the file and its folder.").format(
            path=path
        )
    if error.errno in _NO_HANDLES:
        return _("{path}: too many files are open. Close other programs, then try again.").format(path=path)
    if error.errno == errno.ENOMEM:
        return _("{name}: there was not enough memory. Close other programs, then try again.").format(name=path)
    return _("{path}: {reason}. Check the disk it lies on, then try again.").format(
        path=path, reason=error.strerror or type(error).__name__
    )


def told_end(status: int, log: Path) -> str:
    """Say how a background process ended that had no time for words of its own.

    Args:
        status: As `subprocess` has it: below 0 the number of a signal.
        log: Where it wrote what it could.
    """
    name = _signal_name(status)
    if name == "SIGKILL":
        return _("The system ended it, most likely because memory ran short. Close other programs, then try again.")
    if name:
        return _("It was ended by {signal}. Start the program anew; {log} may tell more.").format(
            signal=name, log=shown_path(log)
        )
    return _("It ended with status {status}. {log} tells where; `understory doctor` looks for the cause.").format(
        status=status, log=shown_path(log)
    )


def _signal_name(status: int) -> str:
    try:
        return signal.Signals(-status).name if status < 0 else ""
    except ValueError:
        return str(-status)
