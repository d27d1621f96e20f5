"""The sample series come with what a capable model has learned of them, in every installation."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.domain.reading import JobState
from engine.domain.wiki import PageKey, PageKind, Paragraph
from engine.library import Library
from engine.paths import paths_under
from engine.samples import sample_pack, sample_paths
from engine.spoilers.policy import WHOLE
from tests.replaying import REPLAYS, shelve_series

_SERIES = [path.stem for path in sorted(REPLAYS.glob("*.jsonl")) if sample_pack(path.stem) is not None]


@pytest.mark.parametrize("series", _SERIES)
def test_the_pack_of_a_series_fits_its_books(tmp_path: Path, series: str) -> None:
    library, work = shelve_series(tmp_path, series)
    job = library.start_sample_pack(series)
    assert job is not None
    while (state := library.jobs([job])[0]).state in (JobState.TODO, JobState.LEASED):
        time.sleep(0.05)
    report = library.pack_report(state)
    assert report is not None, state.error
    assert (report.work, report.left_out) == (work, 0)
    assert report.statements > 200
    assert report.waiting <= report.statements * 0.15
    home = library.page(work, PageKey(PageKind.HOME), upto=WHOLE)
    assert any(isinstance(part, Paragraph) for part in home.parts)
    library.close()


@pytest.mark.parametrize("series", _SERIES)
def test_whoever_imports_volumes_of_a_series_gets_its_pack_once(tmp_path: Path, series: str) -> None:
    library = Library(paths_under(tmp_path))
    [job] = library.start_packs_of(sample_paths(series))
    assert library.jobs([job])[0].subject == series
    library.close()


def test_other_books_bring_no_pack(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path))
    elsewhere = tmp_path / "tingmolu-1.epub"
    elsewhere.write_bytes(sample_paths("tingmolu")[0].read_bytes())
    assert library.start_packs_of([elsewhere, *sample_paths("azukariame")]) == ()
    library.close()


def test_a_series_without_a_pack_is_left_as_it_is(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path))
    assert library.start_sample_pack("nothing") is None
    assert library.start_sample_pack("../etc/passwd") is None
    library.close()
