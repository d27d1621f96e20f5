"""Print how long a page takes while eight calls to a model are under way, beside how long it takes without.

`UNDERSTORY_CORPORA=... python tests/quality/beside_calls.py`. Wall time from the key to the first
byte of the frame, on a real terminal of 120x36. The calls run in a niced process, as the helper's
do. The exit status tells whether the page kept its 50 ms, or on a busy machine three times what it
takes there without calls.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.models import served
from tests.commands import CHECKOUT, run_command
from tests.terminal import Terminal

_PAGES = 60
_CALLS = 8
_BUDGET_MS, _MOST_TIMES = 50.0, 3.0
_BUSY = """
import sys, threading
from engine.helper.manners import be_nice, step_back
be_nice()
step_back()
from engine.providers.protocols import Cancel
from tests.serving import asked, served_model
model = served_model(sys.argv[1], "echo")
call = asked("[say " + "lamp " * 1500 + "]")
model.complete(call, Cancel())
def work():
    while True:
        model.complete(call, Cancel())
for _ in range(int(sys.argv[2])):
    threading.Thread(target=work, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
"""


def page_times_ms(terminal: Terminal) -> list[float]:
    """Turn pages to and fro; return how long each took, the shortest first."""
    found = []
    for number in range(_PAGES):
        began = time.perf_counter()
        terminal.send(" " if number // 10 % 2 == 0 else "b")
        while not terminal.read(0.005):
            assert time.perf_counter() - began < 10
        found.append((time.perf_counter() - began) * 1000)
        terminal.settle(0.05)
    return sorted(found)


def main() -> int:
    """Run from the command line."""
    if not os.environ.get("UNDERSTORY_CORPORA"):
        sys.stdout.write("UNDERSTORY_CORPORA is not set: nothing measured\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UNDERSTORY_HOME"] = folder
        run_command("import", "--samples")
        with Terminal([sys.executable, "-m", "tui", "Ashfall"], env={"PYTHONPATH": str(CHECKOUT)}) as terminal:
            terminal.wait_for(r"\d+ %")
            terminal.settle()
            alone = page_times_ms(terminal)
            with served(19) as url, _busy(url) as calls:
                assert calls.stdout is not None
                calls.stdout.readline()
                beside = page_times_ms(terminal)
                calls.kill()
            terminal.send("q")
    for name, times in (("without calls", alone), (f"beside {_CALLS} calls", beside)):
        sys.stdout.write(f"{name:20} median {_share(times, 0.5):6.1f} ms   p95 {_share(times, 0.95):6.1f} ms\n")
    return 0 if _share(beside, 0.95) <= max(_BUDGET_MS, _MOST_TIMES * _share(alone, 0.95)) else 1


def _busy(url: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    words = [sys.executable, "-c", _BUSY, url, str(_CALLS)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)


def _share(times: list[float], share: float) -> float:
    return times[min(len(times) - 1, int(len(times) * share))]


if __name__ == "__main__":
    sys.exit(main())
