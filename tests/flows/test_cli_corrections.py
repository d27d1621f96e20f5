"""Points set right from the command line: each change, what stands, and taking back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.library import Library
from engine.paths import paths_under
from tests.builders import make_epub
from tests.commands import records
from tests.planted_commands import run_here
from tests.shelving import wait_for_names

_SAID = "<p>“It is late,” said {0}. {0} looked at the clock, and {0} smiled at the lamp.</p>"
_CHAPTERS = [("One", _SAID.format("Mary Wendell") * 8), ("Two", _SAID.format("Thomas Ardley") * 8)]


@pytest.fixture(scope="module")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home whose library holds the work; every test takes back what it changes."""
    folder = tmp_path_factory.mktemp("corrections")
    book = make_epub(folder / "lamp.epub", title="The Lamp", chapters=_CHAPTERS)
    library = Library(paths_under(folder / "home"))
    library.import_now(book)
    wait_for_names(library)
    library.close()
    return folder / "home"


@pytest.fixture
def work(shelved: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("UNDERSTORY_HOME", str(shelved))
    return "lamp"


def _names(work: str) -> dict[str, str]:
    found = json.loads(run_here("entities", work, "--json", "--upto", "end")[1])
    return {record["name"]: record["kind"] for record in found}


_BOTH = {"Mary Wendell": "person", "Thomas Ardley": "person"}


@pytest.mark.parametrize(
    ("change", "known"),
    [
        (["Mary Wendell", "--merge", "Thomas Ardley"], {"Mary Wendell": "person"}),
        (["Mary Wendell", "--rename", "Polly"], {"Polly": "person", "Thomas Ardley": "person"}),
        (["Mary Wendell", "--hide"], {"Thomas Ardley": "person"}),
        (["Mary Wendell", "--kind", "place"], {"Mary Wendell": "place", "Thomas Ardley": "person"}),
        (["--add", "clock", "--kind", "item"], {**_BOTH, "clock": "item"}),
    ],
)
def test_a_change_holds_until_it_is_taken_back(work: str, change: list[str], known: dict[str, str]) -> None:
    assert _names(work) == _BOTH
    code, _out, said = run_here("points", work, *change, "--upto", "end")
    assert (code, bool(said)) == (0, True)
    assert _names(work) == known
    assert run_here("points", work, "--changes")[1].strip() == said.strip()
    assert run_here("points", work, "--undo")[2].startswith("Taken back: ")
    assert _names(work) == _BOTH


def test_two_are_one_from_a_place_on(work: str) -> None:
    toc = records(run_here("toc", work, "--json")[1])
    place = str(toc[-1]["locator"])
    code, _out, _said = run_here(
        "points", work, "Mary Wendell", "--same", "Thomas Ardley", "--at", place, "--upto", "end"
    )
    assert code == 0
    assert _names(work) == {"Mary Wendell": "person"}
    run_here("points", work, "--undo")


@pytest.mark.parametrize(
    "words",
    [
        ["--hide"],
        ["Mary Wendell", "--same", "Thomas Ardley"],
        ["Mary Wendell", "--same", "Thomas Ardley", "--at", "somewhere"],
    ],
)
def test_a_change_that_lacks_something_is_refused(work: str, words: list[str]) -> None:
    assert run_here("points", work, *words, "--upto", "end")[0] == 2


def test_nothing_to_take_back_is_said(work: str) -> None:
    assert run_here("points", work, "--undo")[2].strip() == "There is nothing to take back."
