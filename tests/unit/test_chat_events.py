"""Events of a turn: written as JSON and read again, and what the reader sees of them."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.book import DocumentId
from engine.domain.chat import (
    AnswerReady,
    Card,
    CardKind,
    ChatEvent,
    Citation,
    Cited,
    Lead,
    Numbered,
    SpoilerAnswered,
    SpoilerAsked,
    SpoilerChoice,
    TextAdded,
    ToolBegun,
    ToolEnded,
    TurnFailed,
    TurnId,
    TurnStarted,
    TurnState,
    TurnStopped,
    TurnUsage,
    TurnView,
    after,
    view_of,
)
from engine.domain.chat_records import event_from, record_of
from engine.domain.locator import Locator
from engine.domain.models import Json, Usage

_TURN = TurnId("t1")
_CITATION = Citation(1, Locator(DocumentId(12), 340, 402), "ch 2", "Tobias kept it", "Tobias kept it for forty years.")
_EVENTS: list[ChatEvent] = [
    TurnStarted("Who lit the lamp before her?", "local"),
    Lead("Looking for the keeper before Ilse."),
    ToolBegun("c1", "search_wiki", "keeper"),
    ToolEnded("c1", "search_wiki", 0.1, "1 entry"),
    SpoilerAsked("The full answer lies beyond chapter 7."),
    SpoilerAnswered(SpoilerChoice.READ),
    TextAdded("Her uncle, "),
    TextAdded("Tobias Marrow.¹"),
    Cited((_CITATION,)),
    Card(CardKind.SETTING, "Column width", "", (("column_width", "68", "72"),)),
    TurnUsage(Usage(100, 20, 30, 5), "local", 0.01),
    AnswerReady("Her uncle, Tobias Marrow.¹", (_CITATION,)),
]


def _numbered(*events: ChatEvent) -> list[Numbered]:
    return [Numbered(_TURN, number, event) for number, event in enumerate(events, 1)]


@pytest.mark.parametrize("event", [*_EVENTS, TurnFailed("Cut", "It broke off."), TurnStopped("Esc")])
def test_each_event_comes_back_from_its_line_of_json(event: ChatEvent) -> None:
    numbered = Numbered(_TURN, 3, event)
    assert event_from(json.loads(json.dumps(record_of(numbered)))) == numbered


def test_the_first_event_tells_the_version_and_each_its_turn_and_number() -> None:
    assert record_of(_numbered(*_EVENTS)[0]) == {
        "event": "turn_started", "turn": "t1", "n": 1, "v": 1, "question": "Who lit the lamp before her?",
        "model": "local",
    }  # fmt: skip


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"event": "of another release", "turn": "t1", "n": 1},
        {"event": "lead", "turn": "t1", "n": 1},
        {"event": "lead", "turn": "t1", "n": 1, "text": ["a"]},
        {"event": "lead", "n": 1, "text": "a"},
        {"event": "citations", "turn": "t1", "n": 1, "citations": [{"number": 1}]},
        {"event": "citations", "turn": "t1", "n": 1, "citations": 7},
        {"event": "card", "turn": "t1", "n": 1, "kind": "door", "title": ""},
        {"event": "spoiler_answered", "turn": "t1", "n": 1, "choice": "perhaps"},
    ],
)
def test_what_cannot_be_read_is_no_event(record: dict[str, Json]) -> None:
    assert event_from(record) is None


def test_a_citation_kept_by_an_earlier_release_has_no_text() -> None:
    citation: dict[str, Json] = {"number": 1, "locator": "[f1-2-3]", "where": "ch 1", "quote": "She came"}
    kept = event_from({"event": "citations", "turn": "t1", "n": 1, "citations": [citation]})
    assert kept is not None
    assert kept.event == Cited((Citation(1, Locator(DocumentId(1), 2, 3), "ch 1", "She came"),))


def test_fields_of_a_later_release_are_let_pass() -> None:
    assert event_from({"event": "lead", "turn": "t1", "n": 2, "text": "a", "colour": "red"}) == Numbered(
        _TURN, 2, Lead("a")
    )


def test_the_view_is_what_the_events_made() -> None:
    view = view_of(_TURN, _numbered(*_EVENTS))
    assert (view.state, view.text, view.citations) == (TurnState.COMPLETED, "Her uncle, Tobias Marrow.¹", (_CITATION,))
    assert (view.lead, view.choice, view.spoiler) == (
        "Looking for the keeper before Ilse.", SpoilerChoice.READ, "",
    )  # fmt: skip
    assert view.tools == (ToolEnded("c1", "search_wiki", 0.1, "1 entry"),)
    assert len(view.cards) == 1
    assert view.usage.completion == 30


def test_a_turn_waits_while_the_reader_is_asked() -> None:
    view = view_of(_TURN, _numbered(TurnStarted("?", ""), SpoilerAsked("It lies beyond.")))
    assert (view.spoiler, view.has_ended) == ("It lies beyond.", False)


@dataclass(frozen=True)
class _End:
    event: ChatEvent
    state: TurnState


@pytest.mark.parametrize(
    "end", [_End(TurnFailed("Cut", "It broke off."), TurnState.FAILED), _End(TurnStopped(), TurnState.STOPPED)]
)
def test_what_came_before_a_turn_ended_early_is_kept(end: _End) -> None:
    view = view_of(_TURN, _numbered(TurnStarted("?", "m"), TextAdded("Half."), end.event, TextAdded("Late.")))
    assert (view.state, view.text) == (end.state, "Half.")


def test_an_event_seen_before_or_of_another_turn_changes_nothing() -> None:
    view = view_of(_TURN, _numbered(TurnStarted("?", "m"), TextAdded("Once.")))
    assert after(view, Numbered(_TURN, 2, TextAdded("Once."))) == view
    assert after(view, Numbered(TurnId("t2"), 3, TextAdded("Elsewhere."))) == view


@given(st.lists(st.sampled_from(_EVENTS), max_size=30), st.data())
def test_events_repeated_in_any_way_make_the_same_view(events: list[ChatEvent], data: st.DataObject) -> None:
    numbered = _numbered(*events)
    again = data.draw(st.lists(st.sampled_from(numbered), max_size=5)) if numbered else []
    once = view_of(_TURN, numbered)
    assert view_of(_TURN, [*numbered, *again]) == once
    assert isinstance(once, TurnView)
