"""A process that asks the companion and kills itself, or its models, in the middle: run by `test_kill9_chat.py`."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from pathlib import Path

from engine.domain.book import WorkId
from engine.domain.chat import AnswerReady, Numbered, SpoilerAsked, SpoilerChoice, TurnFailed, TurnStopped
from engine.domain.conversations import Scene, new_turn_id
from engine.library import Library
from tests.shelving import paths_in

_QUESTIONS = ('[tool:search_original_text {"query": "lamp oil"}] Who kept the lamp?', "cinder yard [say In the yard.]")


def main(folder: Path, work: WorkId, kill_after_ms: int, who: str) -> None:
    """Ask question after question.

    Args:
        folder: Of the library; the name of each turn goes to its file "asked" as soon as the library has taken it.
        work: About which.
        kill_after_ms: Milliseconds that are not survived; 0 to answer what waits, ask once and leave.
        who: "self", or "models": their process is killed in place of this one.
    """
    library = Library(paths_in(folder))
    if kill_after_ms:
        threading.Thread(target=_kill, args=(library, kill_after_ms, who), daemon=True).start()
    told: queue.SimpleQueue[Numbered] = queue.SimpleQueue()
    for conversation in library.conversations(work):
        for turn in library.conversation_turns(conversation.id):
            if turn.view.is_waiting:
                library.follow_turn(turn.id, told.put, turn.view.number)
                if library.answer_spoiler(turn.id, SpoilerChoice.READ):
                    _wait(library, told)
    for number in range(1_000 if kill_after_ms else 1):
        name = new_turn_id()
        library.start_turn(None, _QUESTIONS[number % 2], Scene(work), turn=name, listener=told.put)
        with (folder / "asked").open("a") as log:
            log.write(f"{name}\n")
        _wait(library, told)
        if kill_after_ms and who == "models" and (folder / "models killed").exists():
            break
    library.close()


def _wait(library: Library, told: queue.SimpleQueue[Numbered]) -> None:
    while True:
        numbered = told.get(timeout=60)
        if isinstance(numbered.event, SpoilerAsked):
            library.answer_spoiler(numbered.turn, SpoilerChoice.READ)
        elif isinstance(numbered.event, AnswerReady | TurnFailed | TurnStopped):
            return


def _kill(library: Library, kill_after_ms: int, who: str) -> None:
    threading.Event().wait(kill_after_ms / 1_000)
    if who == "self":
        os.kill(os.getpid(), signal.SIGKILL)
    process = library._models._process if library._models is not None else None
    if process is not None:
        process.kill()
    (library.paths.library_db.parent.parent / "models killed").touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]), WorkId(int(sys.argv[2])), int(sys.argv[3]), sys.argv[4])
