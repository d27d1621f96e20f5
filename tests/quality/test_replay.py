"""What reading the sample series by hand came to stays as good as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.analysis import AnalysisMode, AnalysisRequest
from engine.domain.book import WorkId
from engine.library import Library
from engine.text.tokens import estimate_tokens
from tests.commands import CHECKOUT
from tests.quality.replay import evidence_found, spent, spoilers, waiting
from tests.replaying import REPLAYS, Asked, replay, shelve_series
from tests.retelling import replay_in_brief

_SERIES = [path.stem for path in sorted(REPLAYS.glob("*.jsonl"))]
_SPOTS = 12
"""Places looked at here; `tests/quality/replay.py` looks at fifty."""

Read = tuple[str, Library, WorkId, int, list[Asked]]
"""A series read again: its name, library, work, the tokens expected before, and its calls."""


@pytest.fixture(scope="module", params=_SERIES)
def read(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    """Yield each series, read again."""
    library, work = shelve_series(tmp_path_factory.mktemp(request.param), request.param)
    estimate = library.estimate(work, AnalysisRequest(AnalysisMode.QUALITY))
    calls = replay(library, work, request.param)
    yield request.param, library, work, (estimate.tokens_low + estimate.tokens_high) // 2, calls
    library.close()


def test_evidence_is_found(read: Read) -> None:
    _series, library, work, _expected, _calls = read
    found, proposed = evidence_found(library, work)
    assert found >= 0.95 * proposed


def test_statements_unlock_soon_after_their_evidence(read: Read) -> None:
    _series, library, work, _expected, _calls = read
    wait = waiting(library, work)
    assert wait.median_chapters <= 1
    assert wait.at_the_end <= 0.10


def test_the_estimate_is_near_what_was_spent(read: Read) -> None:
    _series, _library, _work, expected, calls = read
    total = sum(each.sent + each.received for each in spent(calls, estimate_tokens).values())
    assert 0.75 * total <= expected <= 1.25 * total


@pytest.mark.parametrize("series", _SERIES)
def test_the_estimate_of_a_brief_reading_is_near_what_it_spends(tmp_path: Path, series: str) -> None:
    library, work = shelve_series(tmp_path, series)
    estimate = library.estimate(work, AnalysisRequest(AnalysisMode.FAST))
    calls = replay_in_brief(library, work, series)
    total = sum(each.sent + each.received for each in spent(calls, estimate_tokens).values())
    library.close()
    assert 0.75 * total <= (estimate.tokens_low + estimate.tokens_high) / 2 <= 1.25 * total


def test_nothing_is_told_too_early(read: Read) -> None:
    series, library, work, _expected, _calls = read
    if not (CHECKOUT / "tests" / "cases" / f"secrets_{series}.json").exists():
        pytest.skip("no secrets are listed for this series")
    assert spoilers(library, work, series, _SPOTS) == []
