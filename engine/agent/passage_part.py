"""The sentences of a passage that hold what was looked for, whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from engine.agent.sentences import cut_sentences
from engine.text.fold import fold_words
from engine.text.width import width_cells


def telling_part(text: str, marks: Sequence[tuple[int, int]], most_cells: int) -> tuple[int, int]:
    """Return (start, end) of the whole sentences that hold most of the different words marked in a text.

    Of two runs of sentences that hold as many the shorter one is taken, then the first. A single
    sentence that is longer than there is room for is taken whole.

    Args:
        text: A passage.
        marks: (start, end) of what was found in it; without any, its first sentences are taken.
        most_cells: How much room there is.
    """
    ends = list(accumulate(len(sentence) for sentence in cut_sentences(text)))
    spans = [(a, b) for a, b in zip([0, *ends], ends, strict=False) if not text[a:b].isspace()]
    words = [(start, end, fold_words(text[start:end])) for start, end in marks]
    best, most = (0, len(text)), (-1, 0)
    for first, (start, _end) in enumerate(spans[: None if words else 1]):
        for last_start, end in spans[first:]:
            width = width_cells(text[start:end].strip())
            if width > most_cells and last_start > start:
                break
            held = len({word for a, b, word in words if start <= a and b <= end})
            rank = (held, -width if words else width)
            if rank > most:
                best, most = (start, end), rank
    start, end = best
    part = text[start:end].rstrip()
    return start + len(part) - len(part.lstrip()), start + len(part)
