"""Print what laying out a slice costs: ms of CPU a slice, and Mchar/s beside a fixed loop.

The loop counts to a million in steps; its time says how fast this machine is just now, so the
ratio to it holds on a slow or busy machine as well. `measure` is also what the gate in
`test_typeset.py` asks. Run it alone: `python tests/bench/bench_typeset.py`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.style import Style

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.book import BlockKind, SpanKind
from engine.domain.reading import Slice
from tests.pace import allowance
from tests.pages import B, make_slice
from tui.render.prose import PageStyle, row_strip
from tui.render.rows import TypeOptions
from tui.render.typeset import typeset

SLICE_CHARS = 12_500
BUDGET_MS = 0.6
_OPTIONS = TypeOptions(76)
_CHINESE = "他说“你好，世界”。于是我们一起去了很远很远的地方，看见了许多从来没有见过的东西……谁也没有说话，雨还在下。"
_JAPANESE = (
    "彼女は黒髪をかき上げ、魔導書を静かに閉じた。「行こう」と、騎士団長が言った。夜の銀河鉄道は——まだ動いていた。"
)
_ENGLISH = (
    "“You kept the lamp burning,” said the stationmaster. Ilse did not look up. The Lamplighter had been dead for "
    "six winters, and still people said ‘you’ as if he might answer through her. Nobody ever boarded the 6.40. "
)
_INK = Style(color="#222222", bgcolor="#fafafa")
_STYLE = PageStyle(_INK, _INK, _INK, _INK, _INK, _INK, _INK, _INK, _INK, _INK)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one operation takes."""

    name: str
    ms: float
    characters: int
    loop_ms: float
    """The fixed loop, timed between the same repetitions."""

    @property
    def ratio(self) -> float:
        """Return how many fixed loops it takes."""
        return self.ms / self.loop_ms


def paragraphs(sample: str, mean_chars: int) -> list[str]:
    """Return paragraphs of mixed length, about `SLICE_CHARS` characters together."""
    made: list[str] = []
    left = SLICE_CHARS
    text = sample * 20
    while left > 0:
        size = mean_chars // 2 + len(made) * 37 % mean_chars
        made.append(text[len(made) % 11 :][:size])
        left -= size + 1
    return made


def samples() -> dict[str, Slice]:
    """Return slices to lay out by name."""
    return {
        "Chinese": make_slice(*paragraphs(_CHINESE, 80)),
        "Japanese": make_slice(*paragraphs(_JAPANESE, 80)),
        "Japanese with readings": make_slice(
            *paragraphs(_JAPANESE, 80),
            rubies={"黒髪": "くろかみ", "魔導書": "グリモワール", "騎士団長": "きしだんちょう"},
        ),
        "English": make_slice(*paragraphs(_ENGLISH, 350)),
        "English, formatted": make_slice(
            *paragraphs(_ENGLISH, 350), spans=[("Lamplighter", SpanKind.ITALIC, ""), ("Ilse", SpanKind.BOLD, "")] * 40
        ),
        "Chinese with emoji": make_slice(*paragraphs(_CHINESE.replace("雨", "🌧️"), 80)),
        "Thai": make_slice(*paragraphs("ที่โรงเรียนมีนักเรียนจำนวนมาก แต่ไม่มีใครพูดอะไร ", 350)),
        "Verse": make_slice(*[B(BlockKind.VERSE, "\n".join([_ENGLISH[:60]] * 4)) for _each in range(50)]),
    }


def fixed_loop() -> int:
    """Do the same work each time."""
    total = 0
    for number in range(20_000):
        total += number % 7
    return total


def measure(name: str, work: Callable[[], object], characters: int, repeat: int = 40) -> Cost:
    """Time an operation against the fixed loop; the best of the repetitions counts for both."""
    best = loop = float("inf")
    for _each in range(repeat):
        best = min(best, _timed(work))
        loop = min(loop, _timed(fixed_loop))
    return Cost(name, best * 1000, characters, loop * 1000)


def _timed(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def all_costs() -> list[Cost]:
    """Measure laying out each sample, and drawing a page of one."""
    costs = [measure(name, partial(typeset, piece, _OPTIONS), len(piece.text)) for name, piece in samples().items()]
    chinese = samples()["Chinese"]
    layout = typeset(chinese, _OPTIONS)
    page = layout[:50]
    costs.append(measure("make 50 rows", lambda: typeset(chinese, _OPTIONS)[:50], 50 * 38))
    costs.append(measure("draw 50 rows", lambda: [row_strip(row, 80, 2, _STYLE) for row in page], 50 * 38))
    return costs


def main() -> int:
    """Print the table; return 1 when Chinese or English is over its budget."""
    costs = all_costs()
    for cost in costs:
        speed = cost.characters / cost.ms / 1000
        sys.stdout.write(f"{cost.name:26} {cost.ms:7.3f} ms  {speed:6.1f} Mchar/s  {cost.ratio:5.2f} fixed loops\n")
    sys.stdout.write(f"fixed loop {costs[0].loop_ms:.3f} ms; budget {BUDGET_MS} ms a slice, Chinese and English\n")
    most = BUDGET_MS * allowance()
    return int(any(cost.ms > most for cost in costs if cost.name in ("Chinese", "English")))


if __name__ == "__main__":
    sys.exit(main())
