"""Notes from the command line: kept, listed, taken away, written to files and brought back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.cli.parser import build_parser
from engine.cli.run import ROOMS
from tests.commands import FERRY, records, run_command
from tests.planted_commands import run_here


def _noted(shelf: str) -> list[str]:
    """Keep one note of each kind and return their ids."""
    kept = [
        run_here("notes", "add", shelf, "--quote", "The rope was wet."),
        run_here("notes", "add", shelf, "--quote", "Nobody rang", "--text", "*Who* should?", "--tone", "warn"),
        run_here("notes", "add", shelf, "--quote", "It rose.", "--kind", "excerpt"),
        run_here("notes", "add", shelf, "--text", "Read the end again."),
        run_here("notes", "add", "--text", "Buy rope."),
    ]
    assert [code for code, _out, _err in kept] == [0] * 5, kept
    return [out.strip() for _code, out, _err in kept]


def test_notes_are_listed_in_the_order_of_the_story(shelf: str) -> None:
    ids = _noted(shelf)
    listed = records(run_here("notes", "list", "--json")[1])
    assert [record["uid"] for record in listed] == ids
    assert [record["kind"] for record in listed] == ["highlight", "annotation", "excerpt", "jotting", "jotting"]
    assert [record["work"] for record in listed] == [int(shelf)] * 4 + [None]
    assert [record["chapter"] for record in listed] == ["Low Water", "Low Water", "High Water", "", ""]


def test_json_has_exactly_these_fields(shelf: str) -> None:
    _noted(shelf)
    fields = list(records(run_here("notes", "list", "--json")[1])[0])
    assert fields == [
        *("v", "uid", "kind", "tone", "comment", "title", "chapter", "book", "link", "spine", "start", "end"),
        *("exact", "prefix", "suffix", "lost", "made", "changed", "work", "locator", "ahead"),
    ]


def test_a_list_for_people_names_work_chapter_and_comment(shelf: str) -> None:
    ids = _noted(shelf)
    out = run_here("notes")[1]
    assert f"{FERRY}\n  {ids[0]}  The rope was wet.  · Low Water\n" in out
    assert "— *Who* should?" in out


def test_a_note_taken_away_is_gone_and_an_unknown_id_changes_nothing(shelf: str) -> None:
    ids = _noted(shelf)
    assert run_here("notes", "remove", ids[0], "f" * 16)[0] == 2
    assert run_here("notes", "remove", ids[0], ids[1])[0] == 0
    assert [record["uid"] for record in records(run_here("notes", "list", "--json")[1])] == ids[2:]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--quote", "the dragon"], 4),
        (["--locator", "f1-0-999"], 4),
        (["--locator", "nowhere"], 4),
        (["--quote", "rope", "--kind", "annotation"], 2),
        (["--kind", "highlight"], 2),
        (["--quote", "rope", "--kind", "jotting", "--text", "x"], 2),
        ([], 2),
    ],
)
def test_what_cannot_be_kept_is_refused_in_a_sentence(shelf: str, words: list[str], code: int) -> None:
    done, out, err = run_here("notes", "add", shelf, *words)
    assert (done, out, err.count("\n")) == (code, "", 1)


def test_markdown_has_passage_comment_and_an_address(shelf: str) -> None:
    _noted(shelf)
    out = run_here("notes", "export", shelf)[1]
    assert out.startswith(f"# {FERRY}\n\n## Low Water\n\n> The rope was wet.\n\n[Low Water](understory://")
    assert "> Nobody rang\n\n*Who* should?\n\n[Low Water](understory://" in out
    assert "Buy rope" not in out


def test_one_file_a_work_is_written_into_a_folder(shelf: str, tmp_path: Path) -> None:
    _noted(shelf)
    assert run_here("notes", "export", "--into", str(tmp_path / "out"))[0] == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["Jottings.md", f"{FERRY}.md"]


def test_a_template_says_how_a_note_looks(shelf: str, tmp_path: Path) -> None:
    _noted(shelf)
    (tmp_path / "mine.txt").write_text("* $passage ($kind, $$1)", encoding="utf-8")
    (tmp_path / "bad.txt").write_text("$weather", encoding="utf-8")
    assert "* > It rose. (excerpt, $1)\n" in run_here("notes", "export", "--template", str(tmp_path / "mine.txt"))[1]
    code, out, err = run_here("notes", "export", "--template", str(tmp_path / "bad.txt"))
    assert (code, out, "$passage" in err) == (2, "", True)


def test_exported_notes_come_back_the_same_and_once(shelf: str, tmp_path: Path) -> None:
    _noted(shelf)
    file = tmp_path / "notes.jsonl"
    file.write_text(run_here("notes", "export", "--json")[1], encoding="utf-8")
    before = run_here("notes", "export", "--json")[1]
    run_here("notes", "remove", *[record["uid"] for record in records(before)])
    assert run_here("notes", "import", str(file))[2] == "5 notes were brought.\n"
    assert run_here("notes", "export", "--json")[1] == before
    assert run_here("notes", "import", str(file))[2] == "0 notes were brought; 5 were here already.\n"


def test_notes_come_through_a_pipe_into_a_library_without_their_book(shelf: str, home: Path) -> None:
    _noted(shelf)
    exported = run_here("notes", "export", "--json")[1]
    other = {"UNDERSTORY_HOME": str(home.parent / "other")}
    assert run_command("notes", "import", "-", env=other, stdin=exported).returncode == 0
    listed = records(run_command("notes", "list", "--json", env=other).stdout)
    assert [record["locator"] for record in listed] == [None] * 5
    assert run_command("notes", "export", "--json", env=other).stdout.count(FERRY) == 4


@pytest.mark.parametrize(
    "line",
    ["[", "[]", '{"kind": "hum"}', '{"kind": "excerpt"}', '{"kind": "jotting", "uid": "../x"}', '{"kind": 3}'],
)
def test_a_file_that_is_none_of_ours_changes_nothing(shelf: str, tmp_path: Path, line: str) -> None:
    (tmp_path / "x").write_text(json.dumps({"kind": "jotting", "comment": "fine"}) + "\n" + line, encoding="utf-8")
    code, out, err = run_here("notes", "import", str(tmp_path / "x"))
    assert (code, out, "line 2" in err) == (2, "", True)
    assert run_here("notes", "list", "--json")[1] == ""


@pytest.mark.parametrize("word", ["list", "add", "remove", "export", "import"])
def test_every_word_of_notes_has_a_help(word: str) -> None:
    with pytest.raises(SystemExit):
        build_parser(ROOMS).parse_args(["notes", word, "--help"])
