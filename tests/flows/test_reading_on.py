"""What a window is told of those before it, and what it may add to what they found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.statements import Role
from engine.library import Library
from engine.providers.protocols import ModelCall, ToolMessage
from tests.reading_works import read_work, shelve_two_volumes, written
from tests.scripted_reader import Reply, ScriptedReader, first_words, shown, tool
from tests.shelving import paths_in


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Open an empty library."""
    library = Library(paths_in(tmp_path))
    yield library
    library.close()


def _secret_first_told_later(call: ModelCall) -> Reply | None:
    if call.stage != "read":
        return None
    text = shown(call)
    orla = re.findall(r"^(k\d+) person .*Orla Vane", text, re.MULTILINE)
    if "Volume 1," in text:
        return "$f7 shown - | Tobin Hask counted the ropes twice. [2|came down to the quay]", ()
    [number] = re.findall(r"^(f\d+) Tobin Hask counted the ropes twice\.$", text, re.MULTILINE)
    return f"%{number} {orla[0]} told certain [2|came down to the quay]", ()


def test_somebody_learns_later_what_an_earlier_window_told(library: Library) -> None:
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader(answer=_secret_first_told_later))
    known = [row for row in written(library, work) if row[1] == Role.KNOWLEDGE]
    assert [(row[4], row[7]) for row in known] == [("told\tcertain\tTobin Hask counted the ropes twice.", "Orla Vane")]


def _notes_of_two_chapters(call: ModelCall) -> Reply | None:
    if call.stage != "read":
        return None
    paragraphs = re.findall(r"^\[(\d+)\] (.+)$", shown(call), re.MULTILINE)
    lines = [f"-Orla Vane was there. [{n}|{first_words(words)}]" for n, words in (paragraphs[0], paragraphs[-1])]
    [orla] = re.findall(r"^(k\d+) person .*Orla Vane", shown(call), re.MULTILINE)
    return "\n".join([f"#{orla} 3", *lines]), ()


def test_the_volume_agent_sees_which_chapter_a_note_is_of(library: Library) -> None:
    model = ScriptedReader(answer=_notes_of_two_chapters)
    read_work(library, shelve_two_volumes(library), model)
    told = next(shown(call) for call in model.calls if call.stage == "volume")
    assert re.findall(r"^-n\d+ \((c\d+)\) ", told, re.MULTILINE) == ["c1", "c2"]


def test_what_a_tool_finds_in_the_book_stands_between_markers(library: Library) -> None:
    model = ScriptedReader()
    read_work(library, shelve_two_volumes(library), model)
    rounds = [call for call in model.calls if call.stage == "volume"]
    results = [m.text for call in rounds for m in call.messages if isinstance(m, ToolMessage)]
    assert results
    assert all(re.fullmatch(r"([0-9a-f]{16})\n.*\n\1", text, re.DOTALL) for text in results)


def test_a_later_round_repeats_the_words_of_the_first(library: Library) -> None:
    model = ScriptedReader()
    read_work(library, shelve_two_volumes(library), model)
    first, second = [call for call in model.calls if call.stage == "volume"][:2]
    assert second.messages[: len(first.messages)] == first.messages


def _event_with_a_wrong_number(call: ModelCall) -> Reply | None:
    if call.stage == "read":
        return "*- | in the year 99 | the quay | Ropes are counted. [8|counted the ropes twice by the lamp]", ()
    numbers = re.findall(r"^s(\d+) \[.*the year 99", shown(call), re.MULTILINE)
    return (
        ("\n".join(f"s{n} - · the quay · Ropes are counted." for n in numbers), ()) if call.stage == "repair" else None
    )


def test_an_event_can_be_mended(library: Library) -> None:
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader(answer=_event_with_a_wrong_number))
    events = {row[4] for row in written(library, work) if row[1] == Role.EVENT}
    assert events == {"\tthe quay\tRopes are counted."}


def _name_given_to_another(call: ModelCall) -> Reply | None:
    if call.stage != "read" or "Volume 1," not in shown(call):
        return None
    [mirel] = re.findall(r"^(k\d+) person .*Mirel Dunn", shown(call), re.MULTILINE)
    return f"#{mirel} 3\n=Orla Vane [2|came down to the quay]", ()


def test_whom_the_rules_found_stays_one_when_another_bears_a_name_of_hers(library: Library) -> None:
    model = ScriptedReader(answer=_name_given_to_another)
    read_work(library, shelve_two_volumes(library), model)
    second = next(shown(call) for call in model.calls if call.stage == "read" and "Volume 2," in shown(call))
    assert len(re.findall(r"^k\d+ person Orla Vane$", second, re.MULTILINE)) == 1


def _merging(call: ModelCall) -> Reply | None:
    if call.stage == "read" and "Volume 1," in shown(call):
        return "#p1 person 3 Orla [2|came down to the quay]\n-Orla came. [2|came down to the quay]", ()
    if call.stage == "volume" and "Volume 1." in shown(call) and len(call.messages) == 1:
        return "", (tool("append_knowledge_points", points=[{"key": "k4", "merge": ["k1"]}]),)
    return None


def test_what_was_merged_stays_merged_in_later_volumes(library: Library) -> None:
    model = ScriptedReader(answer=_merging)
    read_work(library, shelve_two_volumes(library), model)
    second = next(shown(call) for call in model.calls if call.stage == "read" and "Volume 2," in shown(call))
    assert re.findall(r"^k\d+ person Orla.*$", second, re.MULTILINE) == ["k4 person Orla / Orla Vane"]


def _answering_later(call: ModelCall) -> Reply | None:
    if call.stage != "read":
        return None
    if "Volume 1," in shown(call):
        return "?q1 Who counted the ropes? [2|came down to the quay]", ()
    [number] = re.findall(r"^(q\d+) Who counted the ropes\?$", shown(call), re.MULTILINE)
    return f"!{number} Tobin Hask counted the ropes. [8|counted the ropes twice by the lamp]", ()


def test_a_later_volume_answers_a_question_of_an_earlier_one(library: Library) -> None:
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader(answer=_answering_later))
    told = {row[1]: (row[2], row[4]) for row in written(library, work) if row[1] in (Role.QUESTION, Role.ANSWER)}
    assert told[Role.ANSWER] == ("question 1", "Tobin Hask counted the ropes.")
    assert told[Role.QUESTION][0] == "question 1"
