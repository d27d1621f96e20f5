"""Print how soon whoever gives a call up is free, and what a call costs us, against the test server.

`UNDERSTORY_CORPORA=... python tests/bench/models.py`. Giving up is wall time, the median and the
longest of 20; the cost of a call is CPU time of this process with the server in another. The exit
status tells whether the budgets held.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.models import ModelAddress
from engine.errors.models import ModelCancelledError
from engine.library import Library
from engine.paths import paths_under
from engine.providers.protocols import Cancel, Model
from engine.providers.retry import Retrying, RetryPolicy
from tests.bench.library import Line
from tests.pace import allowance
from tests.serving import asked, model_server_script, served_model

_TRIES = 20
_CALLS = 20
_GIVEN_UP_MS = 200.0
_WORDS = 1000
_WAITS: dict[str, Callable[[str], Model]] = {
    "before the first byte": lambda url: served_model(url, "fault-slow"),
    "in the middle of a stream": lambda url: served_model(url, "fault-hang"),
    "of an answer in one piece": lambda url: served_model(url, "fault-hang", streaming=False),
    "in the pause before a second try": lambda url: Retrying(served_model(url, "fault-429"), RetryPolicy(first_s=60.0)),
}


@contextmanager
def served(niceness: int = 0) -> Iterator[str]:
    """Run the test server in a process of its own; yield its address.

    Args:
        niceness: 19 where it stands for a machine elsewhere that takes none of this one's time.
    """
    script = str(model_server_script())
    with subprocess.Popen(
        ["nice", "-n", str(niceness), sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


def measure(folder: Path) -> list[Line]:
    """Measure everything once."""
    room = allowance()
    with served() as url:
        served_model(url, "echo").complete(asked("[say warm]"), Cancel())  # imports llm
        lines = [
            line
            for name, make in _WAITS.items()
            for line in _lines(f"given up {name}", [_given_up_ms(make(url)) for _ in range(_TRIES)], room)
        ]
        lines += _lines("given up through the models' process", _through_process(folder, url), room)
        lines.append(Line(f"a call with an answer of {_WORDS} words, CPU", _call_ms(url), 250.0, "ms", room))
    return lines


def _lines(name: str, found: list[float], room: float) -> list[Line]:
    # The longest is told, the median judged: what else runs on the machine is no fault of ours.
    return [
        Line(f"{name}, median", median(found), _GIVEN_UP_MS, "ms", room),
        Line(f"{name}, longest", max(found), _GIVEN_UP_MS * 10, "ms", room),
    ]


def _given_up_ms(model: Model) -> float:
    cancel, freed = Cancel(), []

    def ask() -> None:
        try:
            model.complete(asked("hello"), cancel)
        except ModelCancelledError:
            freed.append(time.monotonic())

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.15)
    began = time.monotonic()
    cancel.set()
    asking.join()
    return (freed[0] - began) * 1000


def _through_process(folder: Path, url: str) -> list[float]:
    library = Library(paths_under(folder))
    library.add_model(ModelAddress("slow", url, "fault-hang"))
    found = []
    for _each in range(_TRIES):
        talk = library.talk_to_models("test", model="slow")
        events = talk.events()
        next(events)
        time.sleep(0.1)
        began = time.monotonic()
        talk.cancel()
        with contextlib.suppress(ModelCancelledError):
            next(events)
        found.append((time.monotonic() - began) * 1000)
    library.close()
    return found


def _call_ms(url: str) -> float:
    model, call = served_model(url, "echo"), asked(f"[say {'lamp ' * _WORDS}]")
    best = float("inf")
    for _each in range(_CALLS):
        began = time.process_time()
        model.complete(call, Cancel())
        best = min(best, time.process_time() - began)
    return best * 1000


def main() -> int:
    """Run from the command line."""
    if not os.environ.get("UNDERSTORY_CORPORA"):
        sys.stdout.write("UNDERSTORY_CORPORA is not set: nothing measured\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        lines = measure(Path(folder))
    for line in lines:
        mark = "" if line.is_kept else "  TOO MUCH"
        sys.stdout.write(f"{line.name:56} {line.value:8.2f} {line.unit:3} of {line.budget:6.1f}{mark}\n")
    return 0 if all(line.is_kept for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
