"""The sample series read from the replies a capable model gave by hand: every stage, offline, always the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.domain.statements import Role
from tests.reading_works import written
from tests.replaying import REPLAYS, replay, shelve_series


@pytest.mark.parametrize("series", sorted(path.stem for path in REPLAYS.glob("*.jsonl")))
def test_two_libraries_come_to_the_same_wiki(tmp_path: Path, series: str) -> None:
    told = []
    for name in ("one", "two"):
        library, work = shelve_series(tmp_path / name, series)
        replay(library, work, series)
        told.append(written(library, work))
        library.close()
    first, second = told
    assert first == second
    assert {Role.NOTE, Role.SUMMARY, Role.SENTENCE, Role.CELL, Role.GROUP, Role.NODE} <= {row[1] for row in first}
