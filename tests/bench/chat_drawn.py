"""Print what a token of an answer costs the process that draws it beside the text at 120x36.

`python tests/bench/chat_drawn.py`. CPU time of the thread that draws, the best of some rounds, for an answer
that has just begun and one of 30 000 characters; the exit status tells whether the budget held.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.library import Line
from tests.bench.reading import room_for_time
from tests.piloted import page_of, reading, settle, type_ahead
from tests.streaming import SENTENCES, TOKENS, Telling
from tests.told import TOLD, told_library

_TOKEN_MS = 0.5
_ROUNDS = 6


async def measure() -> list[Line]:
    """Return each figure with its budget."""
    room = await asyncio.to_thread(room_for_time)
    library, work = told_library(TOLD["en"])
    lines = []
    for language in sorted(SENTENCES):
        for before in (0, 30_000):
            async with reading(library, size=(120, 36)) as (app, pilot):
                await type_ahead(app, pilot, "a")
                control = page_of(app)._chat
                assert control is not None
                telling = Telling(control, work, language, before)
                await settle(app, pilot)
                await asyncio.sleep(0.3)
                rounds = [await _token_ms(telling) for _round in range(_ROUNDS)]
                name = f"drawn {language} after {before}, a token"
                lines.append(Line(name, min(rounds), _TOKEN_MS, "ms", room))
    library.close()
    return lines


async def _token_ms(telling: Telling) -> float:
    begun = time.thread_time()
    await asyncio.to_thread(telling.tell_tokens)
    await asyncio.sleep(0.15)
    return (time.thread_time() - begun) / TOKENS * 1_000


def main() -> int:
    """Print each figure with its budget; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(UNDERSTORY_HOME=folder, HOME=folder, LANG="C.UTF-8")
        lines = asyncio.run(measure())
    for line in lines:
        mark = "" if line.is_kept else "  TOO MUCH"
        sys.stdout.write(f"{line.name:40} {line.value:8.3f} {line.unit:3} of {line.budget:4.1f}{mark}\n")
    sys.stdout.write(f"{lines[0].allowed:.2f} times the budget is allowed on this machine, now\n")
    return 0 if all(line.is_kept for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
