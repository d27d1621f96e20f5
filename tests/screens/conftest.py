"""Libraries with a work to get about in, and with one whose names are known."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.library import Library
from engine.paths import paths_under
from tests.builders import make_epub
from tests.hidden_words import PLANTED, Planted, planted_chapters
from tests.piloted import library_with
from tests.shelving import wait_until_indexed
from tests.told import TOLD, Told, told_library


@pytest.fixture(scope="session")
def planted_home(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a maker of homes whose library holds the planted work of a language, imported once."""
    folder = tmp_path_factory.mktemp("planted")

    def made(language: str) -> Path:
        planted = PLANTED[language]
        book = folder / f"{language}.epub"
        make_epub(book, title=f"book {language}", chapters=planted_chapters(planted), language=language)
        paths = paths_under(folder / language)
        paths.data_dir.mkdir(parents=True)
        library = Library(paths)
        report = library.import_now(book)
        wait_until_indexed(library)
        library.close()
        assert not report.error, report.error
        return folder / language

    return cache(made)


@pytest.fixture(params=sorted(PLANTED))
def planted(request: pytest.FixtureRequest) -> Planted:
    """Each of the three languages."""
    return PLANTED[str(request.param)]


@pytest.fixture
def planted_library(planted_home: Callable[[str], Path], planted: Planted, home: Path) -> Iterator[Library]:
    """A library of the test's own that holds the planted work."""
    shutil.copytree(planted_home(planted.language), home)
    library = library_with()
    yield library
    library.close()


@pytest.fixture
def english(planted_home: Callable[[str], Path], home: Path) -> Iterator[Library]:
    """The same in English, where the language does not matter."""
    shutil.copytree(planted_home("en"), home)
    library = library_with()
    yield library
    library.close()


@pytest.fixture(params=sorted(TOLD))
def told(request: pytest.FixtureRequest) -> Told:
    """A work of six chapters in each of the three languages."""
    return TOLD[str(request.param)]


@pytest.fixture
def library(told: Told, home: Path) -> Iterator[Library]:
    """A library that holds that work, its names known and half of it read."""
    library, _work = told_library(told)
    yield library
    library.close()


@pytest.fixture
def told_english(home: Path) -> Iterator[tuple[Library, WorkId]]:
    """The same in English, where the language does not matter, and the work's id."""
    library, work = told_library(TOLD["en"])
    yield library, work
    library.close()
