"""Where UnderStory keeps its things: configuration, the library, and state that may be lost."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from engine.translate import _

if TYPE_CHECKING:
    from typing import BinaryIO

_NAME = "understory"


@dataclass(frozen=True, slots=True)
class Paths:
    """The three folders and what lies in them. Nothing is created by making one."""

    config_dir: Path
    """What the reader writes: config.toml, keys.toml, themes."""
    data_dir: Path
    """The library and the imported EPUBs; this is what a backup must hold."""
    state_dir: Path
    """Logs and the saved screen; losing it loses no reading."""
    notices: tuple[str, ...] = ()
    """Sentences for the reader when a folder other than the usual one had to be taken."""

    @property
    def library_db(self) -> Path:
        """The library file."""
        return self.data_dir / "library.db"

    @property
    def books_dir(self) -> Path:
        """Imported EPUBs, each named by its SHA-256."""
        return self.data_dir / "books"

    @property
    def backups_dir(self) -> Path:
        """Copies of the library made before it changed its format."""
        return self.data_dir / "backups"

    @property
    def user_copy(self) -> Path:
        """The reader's own rows (places, grouping, titles), copied at each clean end; read only after damage."""
        return self.backups_dir / "reader.json"

    @property
    def config_file(self) -> Path:
        """The reader's settings."""
        return self.config_dir / "config.toml"

    @property
    def keys_file(self) -> Path:
        """The reader's own key bindings."""
        return self.config_dir / "keys.toml"

    @property
    def themes_dir(self) -> Path:
        """The reader's own themes."""
        return self.config_dir / "themes"

    @property
    def log_file(self) -> Path:
        """What went wrong in the background; never holds text of a book or a key."""
        return self.state_dir / "understory.log"

    @property
    def clipboard_file(self) -> Path:
        """What was copied last, for terminals that do not hand it on; the reader's alone."""
        return self.state_dir / "clipboard.txt"


def paths_under(home: Path) -> Paths:
    """Return the three folders as `config`, `data` and `state` under one."""
    return Paths(home / "config", home / "data", home / "state")


def text_from_path(path: Path) -> str:
    """Return an absolute path as text that any file or database can hold; `path_from_text` turns it back.

    A name that is no text, or is none in this locale, becomes a file: address.
    """
    whole = path.absolute()
    try:
        str(whole).encode("utf-8")
    except UnicodeEncodeError:
        return whole.as_uri()
    return str(whole)


def path_from_text(text: str) -> Path:
    """Return the path that `text_from_path` wrote."""
    if not text.startswith("file:"):
        return Path(text)
    return Path(os.fsdecode(unquote_to_bytes(text.removeprefix("file://"))))


def typed_path(words: str) -> Path:
    """Return the path that was typed, "~" being a home where there is such a home."""
    return Path(os.path.expanduser(words))  # noqa: PTH111  (that of Path raises for a home nobody has)


def is_file(path: Path) -> bool:
    """Say whether there is such a file; no name is too long or too odd to ask."""
    return os.path.isfile(path)  # noqa: PTH113  (that of Path raises for a name too long)


def is_folder(path: Path) -> bool:
    """Say whether there is such a folder; no name is too long or too odd to ask."""
    return os.path.isdir(path)  # noqa: PTH112  (that of Path raises for a name too long)


def open_file(path: Path) -> BinaryIO:
    """Open a file for reading, if it is one: to open a pipe would be to wait for whoever writes to it.

    Raises:
        OSError: it cannot be read, or is no file.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, _("it is a folder") if stat.S_ISDIR(mode) else _("it is no file that can be read"))
    return os.fdopen(descriptor, "rb")


def default_paths(environ: Mapping[str, str] | None = None) -> Paths:
    """Return the folders of this reader.

    `UNDERSTORY_HOME` puts all three under one folder; otherwise the XDG variables and their
    defaults hold. A data or state folder that cannot be written gives way to the next best
    one, with a notice; a data folder that already holds a library is kept even when it is
    read-only, since reading from it works. The data and state folders exist afterwards.

    Args:
        environ: Environment to look at; the process's own by default.
    """
    env = os.environ if environ is None else environ
    home = env.get("UNDERSTORY_HOME")
    wanted = paths_under(typed_path(home).absolute()) if home else _xdg_paths(env)
    return _writable_paths(wanted, env)


def _xdg_paths(env: Mapping[str, str]) -> Paths:
    home = env.get("HOME", "")
    if not home and sys.platform == "win32":
        home = env.get("USERPROFILE", "")
    base = Path(home) if home else _temporary_dir()

    def folder(variable: str, fallback: str) -> Path:
        value = env.get(variable, "")
        # The XDG specification asks to ignore relative values.
        return (Path(value) if Path(value).is_absolute() else base / fallback) / _NAME

    return Paths(
        folder("XDG_CONFIG_HOME", ".config"),
        folder("XDG_DATA_HOME", ".local/share"),
        folder("XDG_STATE_HOME", ".local/state"),
    )


def _writable_paths(wanted: Paths, env: Mapping[str, str]) -> Paths:
    notices: list[str] = []
    state = wanted.state_dir
    if not _is_usable(state):
        state = _temporary_dir() / "state"
        _is_usable(state)
        notices.append(
            _("{wanted} cannot be written; logs go to {taken} this time.").format(wanted=wanted.state_dir, taken=state)
        )
    data = wanted.data_dir
    if not (data / "library.db").exists() and not _is_usable(data):
        data = state / "data"
        if not _is_usable(data):
            data = _temporary_dir() / "data"
            _is_usable(data)
        notices.append(
            _("{wanted} cannot be written; the library is kept in {taken} until it can.").format(
                wanted=wanted.data_dir, taken=data
            )
        )
    elif not env.get("HOME") and not env.get("UNDERSTORY_HOME") and _is_temporary(data):
        notices.append(_("No home folder is set; the library is kept in {taken}.").format(taken=data))
    return Paths(wanted.config_dir, data, state, tuple(notices))


def _is_usable(folder: Path) -> bool:
    """Make the folder if it is missing and say whether it is ours and files can be made in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Anybody may have made a folder of that name in the temporary directory first.
        is_ours = not _is_temporary(folder) or not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
    except OSError:
        return False
    return is_ours and os.access(folder, os.W_OK | os.X_OK)


def _temporary_root() -> Path:
    # Not the tempfile module: it takes 8 ms to import, and every start goes through here.
    return Path(os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp")  # noqa: S108  (owner checked)


def _temporary_dir() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return _temporary_root() / f"{_NAME}-{user}"


def _is_temporary(folder: Path) -> bool:
    return folder.is_relative_to(_temporary_dir())
