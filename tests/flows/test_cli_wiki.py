"""The wiki from the command line: pages as text, Markdown and JSON, and the whole of it in one document."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

from engine.cli.context import Context
from engine.cli.output import Output
from engine.cli.wiki import _settled
from engine.config import Settings, SpoilerMode
from engine.domain.book import WorkId
from engine.domain.wiki import Page, PageKey, PageKind
from engine.errors import EntryUnknownError
from engine.library import Library
from engine.spoilers.policy import WHOLE
from tests.builders import make_epub
from tests.commands import records, run_command
from tests.reading_works import shelve_two_volumes
from tests.shelving import paths_in

_CHAPTERS = [
    ("One", "<p>Mr. Tobias Marrow kept the lamp at Corrow Station. Mr. Marrow slept in the rain.</p>" * 3),
    ("Two", "<p>Tobias Marrow met Captain Oren Vale at Corrow Station. Captain Vale was a tall man of fifty.</p>" * 3),
]


@pytest.fixture
def work(tmp_path: Path, home: Path) -> str:
    book = make_epub(tmp_path / "lamp.epub", title="The Lamp", chapters=_CHAPTERS)
    run_command("import", str(book))
    return "lamp"


def test_the_first_page_lists_what_is_known(work: str) -> None:
    done = run_command("wiki", work, "--upto", "end")
    assert done.returncode == 0
    assert done.stdout.startswith("The Lamp · wiki\n")
    assert "Tobias Marrow" in done.stdout


def test_nothing_is_known_of_what_was_not_read(work: str) -> None:
    done = run_command("wiki", work)
    assert "Nobody has been met yet" in done.stdout
    assert "Marrow" not in done.stdout
    assert "--upto end" in done.stderr


def test_an_entry_is_found_by_any_of_its_names(work: str) -> None:
    for name in ("Tobias Marrow", "mr. marrow"):
        done = run_command("wiki", work, name, "--upto", "end")
        assert (done.returncode, "Marrow · person" in done.stdout.splitlines()[0]) == (0, True)


def test_nobody_of_that_name_is_exit_4(work: str) -> None:
    done = run_command("wiki", work, "Zebedee", "--upto", "end")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)


def test_json_has_exactly_these_fields(work: str) -> None:
    [page] = records(run_command("wiki", work, "Tobias Marrow", "--upto", "end", "--json").stdout)
    assert list(page) == ["page", "point", "title", "kind", "also", "parts"]
    assert (page["page"], page["kind"]) == ("entry", "person")
    assert {part["part"] for part in page["parts"]} >= {"paragraph", "facts", "track", "sources"}


@pytest.mark.parametrize("option", ["--index", "--category=person", "--volume=1"])
def test_lists_are_printed(work: str, option: str) -> None:
    assert "Tobias Marrow" in run_command("wiki", work, option, "--upto", "end").stdout


def test_a_volume_that_is_not_there_is_exit_4(work: str) -> None:
    assert run_command("wiki", work, "--volume", "7", "--upto", "end").returncode == 4


def test_in_the_exported_document_every_link_and_footnote_leads_somewhere(work: str) -> None:
    done = run_command("export", "wiki", work, "--upto", "end")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    headings = [re.sub(r"^#+ ", "", line) for line in lines if line.startswith("#")]
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    targets = re.findall(r"\]\(#([^)]+)\)", done.stdout)
    assert targets
    assert set(targets) <= slugs
    cited = set(re.findall(r"\[\^([\w-]+)\](?!:)", done.stdout))
    noted = re.findall(r"^\[\^([\w-]+)\]:", done.stdout, re.MULTILINE)
    assert cited == set(noted)
    assert len(noted) == len(set(noted))


def test_an_exported_passage_is_found_again_by_its_address(work: str) -> None:
    done = run_command("export", "wiki", work, "--upto", "end")
    address = re.findall(r"\((understory://[^)]+)\)", done.stdout)[0]
    shown = run_command("text", work, "--locator", address)
    assert (shown.returncode, bool(shown.stdout.strip())) == (0, True)


def test_an_export_holds_nothing_beyond_what_was_read(work: str) -> None:
    [first] = [c for c in records(run_command("toc", work, "--json").stdout) if c["title"] == "Two"]
    done = run_command("export", "wiki", work, "--upto", first["locator"].strip("[]"))
    assert "Marrow" in done.stdout
    assert "Vale" not in done.stdout


def test_an_export_is_made_anew_where_entries_change_under_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they do while the pack of a sample series is taken in."""
    paths = paths_in(tmp_path)
    library = Library(paths)
    work = shelve_two_volumes(library)
    page, met = library.page, set[PageKind]()

    def changing(work: WorkId, key: PageKey, *more: Any) -> Page:  # Any: handed on as they come
        if key.kind is PageKind.ENTRY and key.kind not in met:
            met.add(key.kind)
            raise EntryUnknownError(str(key.point))
        return page(work, key, *more)

    monkeypatch.setattr(library, "page", changing)
    context = Context(paths, Settings(), Output(io.StringIO(), io.StringIO()))
    monkeypatch.setattr(context, "library", lambda: library)
    lines = _settled(context, work, WHOLE, SpoilerMode.OFF)
    assert [line for line in lines if "Orla Vane" in line and line.startswith("#")] == ["### Orla Vane"]
    assert met == {PageKind.ENTRY}
    library.close()
