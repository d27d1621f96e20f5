"""A failure nobody foresaw: one sentence for the reader, and where it happened for whoever mends it."""

from __future__ import annotations

import os
from pathlib import Path

from engine.paths import default_paths
from engine.translate import _


def crash_sentence(error: Exception) -> str:
    """Write to the log where a failure happened and return the sentence that says so.

    Only the places are kept: the message of an exception may quote a book or a key.
    """
    import time  # all three only once something has gone wrong
    import traceback

    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    kind = type(error).__name__
    try:
        log = default_paths().log_file
        _append(log, "\n  ".join([f"{stamp} {kind}", *frames]) + "\n")
    except OSError:
        where = _("It happened at {place}.").format(place=frames[-1] if frames else "?")
    else:
        where = _("Where it happened is in {path}.").format(path=os.fsencode(log).decode("utf-8", "backslashreplace"))
    return _("Something went wrong that should not ({kind}). {where}").format(kind=kind, where=where)


def _append(log: Path, text: str) -> None:
    with log.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
