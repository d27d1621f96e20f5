"""A process of the engine's own beside the one that draws: how it is started, and how it is ended."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import HelperUnavailableError
from engine.helper.log import folder_arguments, open_log
from engine.paths import Paths

# subprocess takes 12 ms to import, and most starts need no other process: it is imported where it is used.

if TYPE_CHECKING:
    import subprocess


def start_process(paths: Paths, module: str, *options: str, stdin: int, stdout: int) -> subprocess.Popen[bytes]:
    """Start a module of the engine on a library; what it complains of goes into the log.

    Args:
        paths: Of the library.
        module: Dotted; run with the folders of the library as its arguments.
        options: Further arguments.
        stdin: As `subprocess` takes it.
        stdout: As `subprocess` takes it.

    Raises:
        HelperUnavailableError: it cannot be started.
    """
    import subprocess

    root = str(Path(__file__).resolve().parents[2])
    command = [sys.executable, "-P", "-m", module, *folder_arguments(paths), *options]
    try:
        paths.state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open_log(paths.log_file) as log:
            return subprocess.Popen(
                command,
                bufsize=0,
                stdin=stdin,
                stdout=stdout,
                stderr=log,
                env={**os.environ, "PYTHONPATH": root, "PYTHONUTF8": "1"},
                start_new_session=True,  # Ctrl-C and a hang-up of the terminal are the reader's process's affair
            )
    except OSError as error:
        raise HelperUnavailableError(str(error)) from error


def end_process(process: subprocess.Popen[bytes], timeout_s: float) -> None:
    """Close a process's pipe, wait for it to put its work down, and kill it if it does not."""
    import subprocess

    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
