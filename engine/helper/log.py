"""What background processes say on their standard error, and the folders they are given."""

from __future__ import annotations

import contextlib
import os
import sys
import time
import traceback
from pathlib import Path
from typing import IO

from engine.paths import Paths

_LOG_BYTES = 1_000_000


def folder_arguments(paths: Paths) -> list[str]:
    """Write the folders as the helper's command line."""
    return [str(paths.config_dir), str(paths.data_dir), str(paths.state_dir)]


def open_log(path: Path) -> IO[bytes]:
    """Open the log for what the helper says on its standard error; begin anew above 1 MB."""
    is_full = path.exists() and path.stat().st_size > _LOG_BYTES
    return path.open("wb" if is_full else "ab")


def log_failure(error: BaseException) -> None:
    """Write where a failure happened to standard error: frames and class, never the message, which may quote a book."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    with contextlib.suppress(OSError):  # a full disk is one of the failures
        sys.stderr.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {type(error).__name__}\n{frames}")
        sys.stderr.flush()


def keep_output() -> IO[str]:
    """Return this process's standard output for our own words, and send what a plugin prints to the log."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own
