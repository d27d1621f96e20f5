"""`python -m engine.model_process CONFIG DATA STATE`."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.config import read_settings
from engine.errors import UnderstoryError
from engine.errors.machine import LibraryDamagedError, told_failure
from engine.helper import log_failure
from engine.model_process.lines import line_of
from engine.model_process.server import HANDLERS, Handler, Server
from engine.paths import Paths
from engine.store.connection import DAMAGE_ERRORS
from engine.store.store import Store
from engine.translate import use_language

_NICENESS = 5


def main(arguments: Sequence[str], handlers: Mapping[str, Handler] = HANDLERS) -> int:
    """Answer requests until standard input closes.

    Args:
        arguments: The three folders.
        handlers: What may be asked.
    """
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    config_dir, data_dir, state_dir = map(Path, arguments)
    paths = Paths(config_dir, data_dir, state_dir)
    # A plugin that prints must not be taken for us.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        use_language(read_settings(paths.config_file)[0].language)
        server = Server(paths, Store(paths.library_db, paths.backups_dir), out, handlers)
    except Exception as error:  # the outermost line of the process: whoever asked is told why it ended
        told = LibraryDamagedError(paths.library_db) if isinstance(error, DAMAGE_ERRORS) else error
        log_failure(error)
        with contextlib.suppress(OSError):
            out.write(line_of({"ended": told_failure(told, paths.library_db.name, paths.log_file)}))
            out.flush()
        return told.exit_code if isinstance(told, UnderstoryError) else 1
    threading.Thread(target=server.sleep_when_idle, daemon=True).start()
    for line in iter(sys.stdin.buffer.readline, b""):
        server.take(line)
    # Calls under way are given up by ending: their connections close with the process.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
