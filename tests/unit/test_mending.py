"""A statement that says more than its passages is narrowed, or given the passage that says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from engine.analysis.asking import Caller, Limits
from engine.analysis.evidence import Desk, KnownName
from engine.analysis.judge import CAREFUL_BATCH, LARGE_BATCH, BatchSize, judge_units
from engine.analysis.publishing import Draft, Unit
from engine.domain.book import DocumentId, WorkId
from engine.domain.statements import NewStatement, Quote, Role, Verdict
from engine.domain.wiki import PointId
from engine.library import Library
from engine.paths import paths_under
from engine.providers.protocols import ModelCall
from engine.store.blocks import PlacedBlock
from tests.builders import make_text_blocks
from tests.scripted_reader import Reply, ScriptedReader, shown

_DOCUMENT = DocumentId(5)
_PARAGRAPHS = ("It rained all night on the quay.", "Mirel counted the ropes.", "She was afraid of the tide.", "Dawn.")


def _desk() -> Desk:
    blocks = make_text_blocks(*_PARAGRAPHS)
    placed = [PlacedBlock(block, _DOCUMENT, block.pos) for block in blocks]
    return Desk(placed, [KnownName("Mirel", PointId(1), 0)], {}, blocks[-1].pos_end)


def _unit(text: str) -> Unit:
    quote = Quote(_DOCUMENT, len(_PARAGRAPHS[0]) + 1, "counted the ropes")
    return Unit("notes 0", [Draft(NewStatement(text, quotes=(quote,)), "scripted", "read 1")])


def _judged(tmp_path: Path, unit: Unit, replies: Mapping[str, Sequence[str]]) -> tuple[dict[str, int], list[ModelCall]]:
    """Judge a unit by a model that gives, by stage, one reply after the other."""
    waiting = {stage: list(some) for stage, some in replies.items()}

    def answer(call: ModelCall) -> Reply:
        return waiting[call.stage].pop(0), ()

    library = Library(paths_under(tmp_path))
    model = ScriptedReader(answer=answer)
    caller = Caller(library._store, WorkId(1), 1, lambda _role: model, limits=Limits(patience_s=()))
    counts = judge_units(caller, _desk(), [unit], unit.key)
    library.close()
    return counts, model.calls


def _passages(unit: Unit) -> list[str]:
    desk = _desk()
    found = [desk.find(quote) for quote in unit.drafts[0].statement.quotes]
    return [desk.block_text(each) for each in found if each is not None]


def test_what_says_more_is_narrowed(tmp_path: Path) -> None:
    unit = _unit("Mirel always counted the ropes before dinner.")
    replies = {"judge": ["s1 conflict: always", "s1 support"], "repair": ["s1 Mirel counted the ropes."]}
    counts, _calls = _judged(tmp_path, unit, replies)
    assert counts["repaired"] == 1
    assert unit.drafts[0].statement.text == "Mirel counted the ropes."
    assert _passages(unit) == [_PARAGRAPHS[1]]


def test_what_stands_in_the_next_paragraph_is_cited_and_judged_again(tmp_path: Path) -> None:
    text = "Mirel counted the ropes, for she was afraid of the tide."
    unit = _unit(text)
    replies = {"judge": ["s1 conflict: the tide", "s1 support"], "repair": [f"s1 [1,3] {text}"]}
    counts, calls = _judged(tmp_path, unit, replies)
    assert counts["repaired"] == 1
    assert unit.drafts[0].statement.text == text
    assert unit.drafts[0].statement.verdict is Verdict.SUPPORT
    assert _passages(unit) == [_PARAGRAPHS[1], _PARAGRAPHS[2]]
    assert "s1 [1; near: 2,3]" in shown(calls[1])
    assert _PARAGRAPHS[2] in shown(calls[2])


def test_a_citation_the_judge_does_not_bear_out_saves_nothing(tmp_path: Path) -> None:
    text = "Mirel counted the ropes, for she was afraid of the tide."
    unit = _unit(text)
    replies = {"judge": ["s1 conflict: the tide", "s1 unknown"], "repair": [f"s1 [1,2] {text}"]}
    counts, _calls = _judged(tmp_path, unit, replies)
    assert counts["dropped"] == 1
    assert unit.drafts == []


def test_the_same_sentence_with_the_same_passages_is_no_answer(tmp_path: Path) -> None:
    text = "Mirel counted the ropes, for she was afraid of the tide."
    unit = _unit(text)
    counts, calls = _judged(tmp_path, unit, {"judge": ["s1 conflict: the tide"], "repair": [f"s1 [1] {text}"]})
    assert counts["dropped"] == 1
    assert [call.stage for call in calls] == ["judge", "repair"]


def test_the_judge_is_told_which_name_stands_nowhere(tmp_path: Path) -> None:
    blocks = make_text_blocks(*_PARAGRAPHS)
    desk = Desk(
        [PlacedBlock(block, _DOCUMENT, block.pos) for block in blocks],
        [KnownName("Orla", PointId(1), 0)],
        {},
        blocks[-1].pos_end,
    )
    library = Library(paths_under(tmp_path))
    model = ScriptedReader()
    caller = Caller(library._store, WorkId(1), 1, lambda _role: model, limits=Limits(patience_s=()))
    judge_units(caller, desk, [_unit("Orla counted the ropes on the quay.")], "notes 0")
    library.close()
    assert "Orla counted the ropes on the quay. (not named there: Orla)" in shown(model.calls[0])


@pytest.mark.parametrize(("size", "calls"), [(CAREFUL_BATCH, 2), (LARGE_BATCH, 1)])
def test_a_cheap_reading_asks_more_at_once(tmp_path: Path, size: BatchSize, calls: int) -> None:
    quote = Quote(_DOCUMENT, len(_PARAGRAPHS[0]) + 1, "counted the ropes")
    texts = [f"Mirel counted the ropes of boat {'again ' * n}on the quay." for n in range(40)]
    unit = Unit("notes 0", [Draft(NewStatement(text, quotes=(quote,)), "scripted", "read 1") for text in texts])
    library = Library(paths_under(tmp_path))
    model = ScriptedReader()
    caller = Caller(library._store, WorkId(1), 1, lambda _role: model, limits=Limits(patience_s=()))
    judge_units(caller, _desk(), [unit], unit.key, size=size)
    library.close()
    assert len(model.calls) == calls


def _known(label: str) -> Unit:
    quote = Quote(_DOCUMENT, len(_PARAGRAPHS[0]) + 1, "counted the ropes")
    statement = NewStatement(f"{label}\tThe ropes · counted.", Role.KNOWLEDGE, quotes=(quote,))
    return Unit("notes 0", [Draft(statement, "scripted", "read 1", "Orla")])


def test_how_somebody_knows_a_fact_becomes_what_the_passages_bear(tmp_path: Path) -> None:
    unit = _known("witnessed\tcertain")
    replies = {
        "judge": ["s1 conflict: Orla is not there", "s1 support"],
        "repair": ["s1 Orla: told · suspect · Other ropes."],
    }
    counts, calls = _judged(tmp_path, unit, replies)
    assert counts["repaired"] == 1
    assert unit.drafts[0].statement.text == "told\tsuspect\tThe ropes · counted."
    assert "s1 [1] Orla: told · suspect · The ropes · counted." in shown(calls[2])


@pytest.mark.parametrize("written", ["drop", "Orla: seen · certain · The ropes.", "Orla heard of the ropes."])
def test_a_label_that_nobody_knows_drops_it(tmp_path: Path, written: str) -> None:
    unit = _known("witnessed\tcertain")
    replies = {"judge": ["s1 conflict: Orla is not there"], "repair": [f"s1 {written}"]}
    counts, _calls = _judged(tmp_path, unit, replies)
    assert counts["dropped"] == 1
    assert unit.drafts == []
