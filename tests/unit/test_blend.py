"""Two rankings as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.search import PassageId
from engine.retrieval.blend import Scores, blend_scores

_LEXICAL = [(PassageId(1), 4.0), (PassageId(2), 2.0), (PassageId(3), 1.0)]
_SEMANTIC = [(PassageId(2), 0.9), (PassageId(4), 0.88), (PassageId(1), 0.8)]

_SCORES = st.dictionaries(
    st.integers(1, 40).map(PassageId), st.floats(0, 1e6, allow_nan=False, allow_infinity=False), max_size=20
).map(lambda scores: list(scores.items()))


def _ids(scores: Scores) -> list[int]:
    return [id_ for id_, _score in scores]


def test_what_both_rank_high_comes_first() -> None:
    assert _ids(blend_scores(_LEXICAL, _SEMANTIC, weight=0.5))[0] == 2


@pytest.mark.parametrize(("weight", "first"), [(1.0, 1), (0.0, 2)])
def test_the_weight_decides(weight: float, first: int) -> None:
    assert _ids(blend_scores(_LEXICAL, _SEMANTIC, weight=weight))[0] == first


def test_what_one_side_alone_has_found_is_there() -> None:
    assert set(_ids(blend_scores(_LEXICAL, _SEMANTIC, weight=0.6))) == {1, 2, 3, 4}


def test_a_side_that_found_nothing_leaves_the_other_as_it_is() -> None:
    assert _ids(blend_scores(_LEXICAL, [], weight=0.6)) == [1, 2, 3]
    assert _ids(blend_scores([], _SEMANTIC, weight=0.6)) == [2, 4, 1]
    assert blend_scores([], [], weight=0.6) == []


@pytest.mark.parametrize("weight", [-0.1, 1.1])
def test_a_weight_that_is_no_share_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match=str(weight)):
        blend_scores(_LEXICAL, _SEMANTIC, weight=weight)


@given(_SCORES, _SCORES, st.floats(0, 1))
def test_blends_are_shares_each_passage_once_best_first(lexical: Scores, semantic: Scores, weight: float) -> None:
    blended = blend_scores(lexical, semantic, weight=weight)
    assert sorted(_ids(blended)) == sorted({*_ids(lexical), *_ids(semantic)})
    assert all(-1e-9 <= score <= 1 + 1e-9 for _id, score in blended)
    assert blended == sorted(blended, key=lambda each: (-each[1], each[0]))
