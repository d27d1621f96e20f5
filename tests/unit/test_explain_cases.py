"""Each of the fixed passages is sent whole, with what explains it and without what was not read; the grading works."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.agent.telling import Teller
from engine.config import SpoilerMode
from engine.domain.chat import AnswerReady, TurnId
from engine.domain.conversations import USUAL_FACETS, ConversationId, Facet, Scene
from engine.domain.locator import Locator
from engine.library import Library
from engine.library.book_view import BookView
from engine.library.telling import told_events
from engine.library.turn_starting import explain_start, request_from, request_record
from engine.paths import paths_under
from engine.providers.protocols import Cancel
from engine.spoilers.policy import FRONTIER
from engine.store.turns import NOBODY, TurnRow
from tests.explaining import AHEAD, Case, cases, faults, shelve_case
from tests.fakes import ScriptedModel

_CASES = cases()


def test_there_are_eight_in_each_language() -> None:
    assert [len([case for case in _CASES if case.language == language]) for language in ("en", "zh", "ja")] == [8] * 3


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_a_passage_is_sent_with_its_scene_and_nothing_ahead(case: Case, tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path / "home"))
    work, selection = shelve_case(library, case)
    good = " ".join(group[0] for group in case.must)
    model = ScriptedModel(["It says so.", good or "-"])
    start = explain_start(library, None, selection, Scene(work, Locator(selection.document, 0, 0)), "", None)
    asked = request_from(request_record(start))
    book = BookView(library, work, FRONTIER, SpoilerMode.AUTO)
    row = TurnRow(TurnId("t"), ConversationId(1), work, None, start.question, {}, "m", "pending", "", NOBODY)
    events = list(told_events(library, row, asked, book, Teller(model, book, secret=b"s"), Cancel()))
    assert isinstance(events[-1], AnswerReady)
    sent = "\n".join(message.text for call in model.calls for message in call.messages)
    assert case.selection in sent
    assert case.before in sent
    assert AHEAD[case.language] not in sent
    assert (case.earlier in sent) or not case.cites_earlier
    library.close()


def test_what_is_asked_from_outside_the_book_is_asked_of_which_book(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path / "home"))
    work, selection = shelve_case(library, _CASES[0])
    facets = USUAL_FACETS | {Facet.BACKGROUND}
    start = explain_start(library, None, selection, Scene(work, Locator(selection.document, 0, 0)), "", facets)
    book = BookView(library, work, FRONTIER, SpoilerMode.AUTO)
    model = ScriptedModel(["It says so.", "-"])
    row = TurnRow(TurnId("t"), ConversationId(1), work, None, start.question, {}, "m", "pending", "", NOBODY)
    teller = Teller(model, book, secret=b"s")
    list(told_events(library, row, request_from(request_record(start)), book, teller, Cancel()))
    assert library.outline(work).title in model.calls[1].messages[0].text
    library.close()


@pytest.mark.parametrize("case", [case for case in _CASES if case.must], ids=lambda case: case.name)
def test_what_must_be_said_is_missed_and_what_must_not_is_found(case: Case) -> None:
    good = " ".join(group[0] for group in case.must)
    assert faults(case, good, ["ch 1"]) == []
    assert faults(case, "", ["ch 1"])
    assert all(faults(case, f"{good}. {wrong}", ["ch 1"]) for wrong in case.must_not)
