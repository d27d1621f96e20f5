"""A work read by a model from its first volume to its last: every stage, offline, always with the same result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.analysis.asking import AnalysisStopped
from engine.domain.analysis import AnalysisMode, AnalysisRequest
from engine.domain.knowledge import PointKind
from engine.domain.statements import Role
from engine.domain.wiki import Cite, PageKey, PageKind, Paragraph, Plain
from engine.errors.models import ContextOverflowError, ModelError, SpendingStoppedError
from engine.library import Library
from engine.providers.protocols import ModelCall, ToolCall
from engine.spoilers.policy import WHOLE
from engine.store import model_calls
from tests.knowledge import point_called
from tests.reading_works import read_work, shelve_two_volumes, shelve_volume, written
from tests.scripted_reader import ScriptedReader, scripted_reply, shown
from tests.shelving import paths_in


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Open an empty library."""
    library = Library(paths_in(tmp_path / "one"))
    yield library
    library.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Library]:
    """Open another one."""
    library = Library(paths_in(tmp_path / "two"))
    yield library
    library.close()


def test_every_stage_runs(library: Library) -> None:
    work = shelve_two_volumes(library)
    model = ScriptedReader()
    read_work(library, work, model)
    assert {"read", "volume", "plan", "write", "judge"} <= set(model.stages())
    roles = {row[1] for row in written(library, work)}
    assert {Role.NOTE, Role.SUMMARY, Role.SENTENCE, Role.CELL, Role.HEADING, Role.RECAP, Role.EVENT, Role.FACT,
            Role.KNOWLEDGE, Role.QUESTION, Role.VOLUME, Role.TEASER} <= roles  # fmt: skip


def test_two_libraries_come_to_the_same(library: Library, other: Library) -> None:
    first, second = shelve_two_volumes(library), shelve_two_volumes(other)
    read_work(library, first, ScriptedReader())
    read_work(other, second, ScriptedReader())
    assert written(library, first) == written(other, second)


def test_what_was_read_is_not_paid_for_again(library: Library) -> None:
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader())
    before = written(library, work)
    again = ScriptedReader()
    read_work(library, work, again)
    assert not again.calls
    assert written(library, work) == before


def test_what_the_model_found_is_on_its_entry_with_numbers(library: Library) -> None:
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader())
    lamp = point_called(library, work, "the lamp")
    page = library.page(work, PageKey(PageKind.ENTRY, point=lamp.id), upto=WHOLE)
    summary = next(part for part in page.parts if isinstance(part, Paragraph))
    assert isinstance(summary.runs[0], Plain)
    assert isinstance(summary.runs[1], Cite)


def test_a_point_the_model_found_is_not_known_before_it_is_read(library: Library) -> None:
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader())
    assert "the lamp" not in {point.name for point in library.entities(work)}


@pytest.mark.parametrize("stop_at", [1, 6, 14])
def test_a_reading_that_was_stopped_goes_on_where_it_was(library: Library, other: Library, stop_at: int) -> None:
    whole = shelve_two_volumes(other)
    uninterrupted = ScriptedReader()
    read_work(other, whole, uninterrupted)
    work = shelve_two_volumes(library)
    first = ScriptedReader()
    with pytest.raises(AnalysisStopped):
        read_work(library, work, first, must_stop=lambda: len(first.calls) >= stop_at)
    second = ScriptedReader()
    read_work(library, work, second)
    assert len(first.calls) + len(second.calls) == len(uninterrupted.calls)
    assert written(library, work) == written(other, whole)


def test_a_cap_pauses_before_it_is_passed(library: Library) -> None:
    work = shelve_two_volumes(library)
    with pytest.raises(SpendingStoppedError):
        read_work(library, work, ScriptedReader(), AnalysisRequest(cap_tokens=6_000))
    with library._store.read() as r:
        assert model_calls.spent_tokens(r, 1) <= 6_000
    model = ScriptedReader()
    read_work(library, work, model)
    assert model.calls


def test_a_new_volume_is_read_alone(library: Library) -> None:
    read_work(library, shelve_two_volumes(library), ScriptedReader())
    work = shelve_volume(library, 3)
    model = ScriptedReader()
    read_work(library, work, model)
    reads = [shown(call) for call in model.calls if call.stage == "read"]
    assert [text.partition("Volume ")[2][:1] for text in reads] == ["3"]
    assert all("Volume 3" in shown(call) for call in model.calls if call.stage == "volume")


def test_only_a_fast_reading_asks_for_a_brief_answer(library: Library, other: Library) -> None:
    careful, fast = ScriptedReader(), ScriptedReader()
    read_work(library, shelve_two_volumes(library), careful)
    read_work(other, shelve_two_volumes(other), fast, AnalysisRequest(AnalysisMode.FAST))
    assert all("Be brief" in shown(call) for call in fast.calls if call.stage == "read")
    assert not any("Be brief" in shown(call) for call in careful.calls)


def test_fast_takes_fewer_calls(library: Library, other: Library) -> None:
    quality, fast = ScriptedReader(), ScriptedReader()
    read_work(library, shelve_two_volumes(library), quality)
    read_work(other, shelve_two_volumes(other), fast, AnalysisRequest(AnalysisMode.FAST))
    assert len(fast.calls) < len(quality.calls)


def test_a_window_too_long_for_the_model_is_read_in_halves(library: Library) -> None:
    work = shelve_two_volumes(library)

    def too_long(_number: int, call: ModelCall) -> ModelError | None:
        is_long = call.stage == "read" and len(shown(call)) > 2_000
        return ContextOverflowError("scripted") if is_long else None

    model = ScriptedReader(errors=too_long)
    read_work(library, work, model)
    paragraphs = {row[8] for row in written(library, work) if row[0] == "notes 0"}
    assert len(paragraphs) > 4
    assert sum(call.stage == "read" for call in model.calls) > 4


def test_a_model_sets_right_what_the_rules_took_somebody_for(library: Library) -> None:
    work = shelve_two_volumes(library)

    def answer(call: ModelCall) -> tuple[str, tuple[ToolCall, ...]] | None:
        if call.stage != "read":
            return None
        text, tools = scripted_reply(call)
        keys = {names.split(" / ")[0]: key for key, names in re.findall(r"^(k\d+) \w+ (.+)$", shown(call), re.M)}
        tobin, mirel = keys["Tobin Hask"], keys.get("Mirel Dunn", "k99")
        others = [part for part in re.split(r"(?m)^(?=#)", text) if not part.startswith(f"#{mirel} ")]
        told = "".join(others).replace(f"#{tobin} ", f"#{tobin} organisation ")
        return f"#{mirel} none\n{told}", tools

    read_work(library, work, ScriptedReader(answer=answer))
    found = {each.name: each.kind for each in library.entities(work, upto=WHOLE)}
    assert found["Tobin Hask"] is PointKind.ORGANISATION
    assert found["Orla Vane"] is PointKind.PERSON
    assert "Mirel Dunn" not in found
    assert [each.name for each in library.entities(work, upto=WHOLE)].count("Tobin Hask") == 1
