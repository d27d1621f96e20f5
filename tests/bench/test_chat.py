"""A piece of an answer costs no more than its budget, however long the answer is by then."""

from __future__ import annotations

from tests.bench.chat import measure


def test_a_token_of_an_answer_stays_within_its_budget() -> None:
    assert [str(line) for line in measure() if not line.is_kept] == []
