"""Two rankings as one: by words and by meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.domain.search import PassageId

Scores: TypeAlias = Sequence[tuple[PassageId, float]]
"""(passage, score), higher is better, each passage once."""


def blend_scores(lexical: Scores, semantic: Scores, *, weight: float) -> list[tuple[PassageId, float]]:
    """Merge two rankings into one by a weighted sum of their normalised scores.

    Scores of words are divided by the best of them: 0 stands for no word in common. Scores of
    meaning are scaled to [0, 1] over what came back, since a cosine alone says little: e5 gives
    0.7 to what has nothing in common. A passage missing on one side counts 0 there. Ties keep
    the order of ids, so results are reproducible.

    Args:
        lexical: At least 0; ids unique.
        semantic: Cosines in [-1, 1]; ids unique.
        weight: Share of the lexical side, in [0, 1].

    Returns:
        (id, blend) best first, blend in [0, 1].

    Raises:
        ValueError: `weight` is outside [0, 1].

    Source: measured against rank fusion in docs/decisions/0022-blend.md.
    """
    if not 0 <= weight <= 1:
        raise ValueError(weight)
    words, meaning = _shares(lexical), _scaled(semantic)
    blended = {id_: weight * words.get(id_, 0.0) + (1 - weight) * meaning.get(id_, 0.0) for id_ in {**words, **meaning}}
    return sorted(blended.items(), key=lambda each: (-each[1], each[0]))


def _shares(scores: Scores) -> Mapping[PassageId, float]:
    best = max((score for _id, score in scores), default=0.0)
    return {id_: score / best if best > 0 else 0.0 for id_, score in scores}


def _scaled(scores: Scores) -> Mapping[PassageId, float]:
    values = [score for _id, score in scores]
    if not values:
        return {}
    least, most = min(values), max(values)
    return {id_: (score - least) / (most - least) if most > least else 1.0 for id_, score in scores}
