"""A process that reads a work with a scripted model and kills itself in the middle: run by `test_kill9_reading.py`."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from engine.domain.book import WorkId
from engine.library import Library
from engine.providers.protocols import ModelCall
from tests.reading_works import read_work
from tests.scripted_reader import ScriptedReader
from tests.shelving import paths_in


def main(folder: Path, work: int, kill_at: int, kill_after_ms: int) -> None:
    """Read; `kill_at` is the number of the call that is not survived, 0 for none; the same for milliseconds."""
    library = Library(paths_in(folder))
    lock = threading.Lock()
    asked = 0

    def count(_call: ModelCall) -> None:
        nonlocal asked
        with lock:
            asked += 1
            is_last = asked == kill_at
        with (folder / "asked").open("ab") as log:
            log.write(b".")
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)

    def count_down() -> None:
        threading.Event().wait(kill_after_ms / 1000)
        os.kill(os.getpid(), signal.SIGKILL)

    if kill_after_ms:
        threading.Thread(target=count_down, daemon=True).start()
    read_work(library, WorkId(work), ScriptedReader(on_call=count))
    library.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:5]))
