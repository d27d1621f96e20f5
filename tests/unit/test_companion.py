"""The companion: it looks, asks before it tells what lies ahead, and says only what it can show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from engine.agent.companion import Companion, Question
from engine.agent.context import LayerName, Piece
from engine.agent.speech import VEIL
from engine.config import SpoilerMode
from engine.domain.chat import (
    AnswerReady,
    Card,
    CardKind,
    ChatEvent,
    Numbered,
    SpoilerAsked,
    SpoilerChoice,
    ToolBegun,
    ToolEnded,
    TurnFailed,
    TurnId,
    TurnStopped,
    TurnUsage,
)
from engine.domain.chat_records import record_of
from engine.domain.models import Capabilities, Json, Usage
from engine.errors.models import ModelBusyError
from engine.library import Library
from engine.library.book_view import BookView
from engine.paths import paths_under
from engine.providers.protocols import Cancel, FinishReason, ModelReply, ToolCall, ToolMessage, UserMessage
from engine.retrieval.indexing import index_book
from engine.spoilers.policy import WHOLE, Upto
from engine.store import vectors
from tests.fakes import Line, ScriptedModel
from tests.knowledge import know, named, place_of, shelve_story, upto_words

_FIRST = "Ilse Marrow came to Ashfall with the last train of the thaw."
_SECOND = "Tobias Marrow kept the lamp and counted the oil in spoonfuls."
_LAST = "In the cinder yard Hask told Ilse Marrow that Anna Vale was her mother."


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """A story of three chapters, its names known and its passages cut."""
    library = Library(paths_under(tmp_path / "home"))
    work = shelve_story(library, [_FIRST], [_SECOND], [_LAST])
    know(library, work, named("Ilse Marrow", "Ilse"), named("Tobias Marrow"), named("Hask"), named("Anna Vale"))
    store = library._store
    with store.read() as r:
        books = [book for book, _name in vectors.books_of(r, work)]
    for book in books:
        index_book(store, book, lambda _done, _all: None)
    yield library
    library.close()


def _book(library: Library, upto: Upto = WHOLE, mode: SpoilerMode = SpoilerMode.AUTO) -> BookView:
    return BookView(library, library.works()[0].id, upto, mode)


def _read(library: Library, words: str) -> Upto:
    return upto_words(library, library.works()[0].id, words)


def _cite(library: Library, words: str) -> str:
    document, start = place_of(library, library.works()[0].id, words)
    return f"[f{document}-{start}-{start + len(words)}]"


def _ask(
    book: BookView, script: Sequence[Line], choice: SpoilerChoice = SpoilerChoice.READ, *, has_tools: bool = True
) -> tuple[list[ChatEvent], ScriptedModel]:
    model = ScriptedModel(script, capabilities=Capabilities(tools=has_tools))
    companion = Companion(model, book, secret=b"secret")
    question = Question("Who kept the lamp?")
    events = list(companion.ask(question, Cancel()))
    if isinstance(events[-1], SpoilerAsked):
        # By another companion, as after the program was closed.
        later = Companion(model, book, secret=b"secret")
        events += later.resume(question, companion.held, choice, Cancel())
    return events, model


_LOOK = ToolCall("1", "search_original_text", {"query": "lamp oil"})


def test_what_a_tool_found_may_be_cited(library: Library) -> None:
    answer = f"Tobias Marrow kept it {_cite(library, _SECOND)}."
    events, _model = _ask(_book(library), [_LOOK, answer])
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert ready.text == "Tobias Marrow kept it [1]."
    assert [str(citation.locator) for citation in ready.citations] == [_cite(library, _SECOND)]


def test_a_citation_is_shown_with_its_whole_paragraph_and_its_words_are_told(library: Library) -> None:
    document, start = place_of(library, library.works()[0].id, "counted the oil")
    answer = f"Tobias Marrow counted the oil [f{document}-{start}-{start + 15}]."
    events, _model = _ask(_book(library, _read(library, _SECOND)), [_LOOK, answer])
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    [citation] = ready.citations
    assert citation.text == _SECOND
    record = record_of(Numbered(TurnId("t"), 1, ready))
    assert [each["text"] for each in cast("list[dict[str, str]]", record["citations"])] == [_SECOND]


def test_of_many_passages_the_latest_can_be_asked_for(library: Library) -> None:
    look = ToolCall("1", "search_original_text", {"query": "Ilse Marrow", "limit": 1, "order": "latest"})
    _events, model = _ask(_book(library), [look, "I did not find it."])
    [told] = [message for message in model.calls[-1].messages if isinstance(message, ToolMessage)]
    assert _LAST in told.text
    assert _FIRST not in told.text


def test_a_search_that_finds_nothing_says_to_look_again(library: Library) -> None:
    look = ToolCall("1", "search_original_text", {"query": "zeppelin"})
    _events, model = _ask(_book(library), [look, "I did not find it."])
    [told] = [message for message in model.calls[-1].messages if isinstance(message, ToolMessage)]
    assert "look in other words" in told.text


def test_the_text_around_a_place_ends_with_its_chapter_and_at_the_boundary(library: Library) -> None:
    book = _book(library, _read(library, "Tobias Marrow kept the lamp"))
    [found] = [each for each in book.search("lamp oil", 3).passages if "lamp" in each.text]
    around = book.text_around(found.place, 1_000)
    assert around.text.strip() == "Tobias Marrow kept the lamp"
    assert around.start <= found.place.locator.start
    elsewhere = book.text_around(replace(found.place, is_elsewhere=True), 1_000)
    assert elsewhere.text == found.text


def test_what_no_tool_found_may_not(library: Library) -> None:
    look = ToolCall("1", "search_original_text", {"query": "thaw", "limit": 1})
    events, _model = _ask(_book(library), [look, "Tobias Marrow kept it [f999-0-5]."])
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert set(ready.text.strip()) == {VEIL}


def test_an_answer_from_memory_is_veiled(library: Library) -> None:
    events, _model = _ask(_book(library), ["Anna Vale is the mother of Ilse Marrow. "])
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert "Anna" not in repr(events)
    assert set(ready.text.strip()) == {VEIL}


def test_nothing_from_beyond_the_boundary_is_sent(library: Library) -> None:
    looks = [
        ToolCall("1", "search_original_text", {"query": "Anna Vale mother cinder yard"}),
        ToolCall("2", "get_wiki_entry", {"name": "Anna Vale"}),
        ToolCall("3", "get_full_chapter", {"chapter": 3}),
        ToolCall("4", "no_such_tool", {}),
    ]
    _events, model = _ask(_book(library, _read(library, _SECOND)), [looks, "I did not find it."])
    sent = [message.text for message in model.calls[-1].messages if isinstance(message, ToolMessage)]
    assert "Anna" not in repr(sent)
    assert "beyond: true" in sent[0]
    assert "There is no tool" in sent[3]


_GATE = ToolCall("2", "confirm_serious_spoiler", {"reason": "It comes later."})
_AHEAD = ToolCall("1", "search_original_text", {"query": "cinder yard"})


def test_the_model_may_ask_and_the_boundary_is_lifted_for_this_answer(library: Library) -> None:
    script: list[Line] = [[_AHEAD], [_GATE], [_AHEAD], f"Hask told her {_cite(library, _LAST)}."]
    events, _model = _ask(_book(library, _read(library, _SECOND)), script, SpoilerChoice.FULL)
    assert len([event for event in events if isinstance(event, SpoilerAsked)]) == 1
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert ready.text == "Hask told her [1]."


def test_a_no_leaves_the_boundary_where_it_is(library: Library) -> None:
    script: list[Line] = [[_AHEAD], [_GATE], [_AHEAD], f"Hask told her {_cite(library, _LAST)}."]
    events, model = _ask(_book(library, _read(library, _SECOND)), script, SpoilerChoice.READ)
    assert "Hask" not in repr([event for event in events if isinstance(event, AnswerReady)])
    assert "cinder yard Hask" not in repr(model.calls)


def test_stop_ends_the_turn(library: Library) -> None:
    events, model = _ask(_book(library, _read(library, _SECOND)), [[_AHEAD], [_GATE]], SpoilerChoice.STOP)
    assert isinstance(events[-1], TurnStopped)
    assert len(model.calls) == 2


def test_strict_never_asks(library: Library) -> None:
    book = _book(library, _read(library, _SECOND), SpoilerMode.STRICT)
    events, model = _ask(book, [[_AHEAD], [_GATE], "I did not find it."], SpoilerChoice.FULL)
    assert not [event for event in events if isinstance(event, SpoilerAsked)]
    assert "confirm_serious_spoiler" not in repr([call.tools for call in model.calls])


@pytest.mark.parametrize("reason", ["Anna Vale is her mother.", "She is her own mother."])
def test_a_reason_is_never_told_in_the_words_of_the_model(library: Library, reason: str) -> None:
    gate = ToolCall("2", "confirm_serious_spoiler", {"reason": reason})
    events, _model = _ask(_book(library, _read(library, _SECOND)), [[_AHEAD], [gate], "I did not find it."])
    assert "mother" not in repr(events)


def test_a_model_that_only_calls_tools_is_made_to_answer(library: Library) -> None:
    events, model = _ask(_book(library), [*[[_LOOK]] * 12, "I did not find it."])
    assert isinstance(next(e for e in events if isinstance(e, AnswerReady)), AnswerReady)
    assert "Answer now" in model.calls[-1].messages[-1].text
    assert len([event for event in events if isinstance(event, ToolEnded)]) == 12


def test_a_model_without_tools_gets_the_passages_with_the_question(library: Library) -> None:
    events, model = _ask(_book(library), [f"Tobias {_cite(library, _SECOND)}."], has_tools=False)
    asked = [message.text for message in model.calls[0].messages if isinstance(message, UserMessage)]
    assert _SECOND in asked[-1]
    assert [event.text for event in events if isinstance(event, AnswerReady)] == ["Tobias [1]."]


@pytest.mark.parametrize(
    "last",
    [ModelBusyError("m"), ModelReply("It was", (), FinishReason.LENGTH, Usage(), "m"), ""],
    ids=["no answer", "cut", "empty"],
)
def test_what_is_not_whole_is_never_an_answer(library: Library, last: Line) -> None:
    events, _model = _ask(_book(library), [last])
    assert [event for event in events if isinstance(event, TurnFailed)]
    assert not [event for event in events if isinstance(event, AnswerReady)]


def test_the_usage_of_all_calls_is_told(library: Library) -> None:
    events, model = _ask(_book(library), [_LOOK, "I did not find it."])
    [usage] = [event for event in events if isinstance(event, TurnUsage)]
    assert usage.usage.completion == 10 + len("I did not find it.")
    assert len(model.calls) == 2


def test_book_text_is_fenced_by_a_mark_it_cannot_know(library: Library) -> None:
    _events, model = _ask(_book(library), [_LOOK, "I did not find it."])
    result = next(message for message in model.calls[-1].messages if isinstance(message, ToolMessage)).text
    marker = result.splitlines()[0]
    assert result.splitlines()[-1] == marker
    assert marker.startswith("=====")
    assert marker in model.calls[0].system


@pytest.mark.parametrize(
    ("words", "is_told"),
    [("Anna Vale", False), ("Tobias Marrow drowned", False), ("Tobias Marrow", True), ("Tobias kept the lamp", True)],
)
def test_what_a_model_looks_for_is_told_in_her_words_and_names_alone(
    library: Library, words: str, is_told: bool
) -> None:
    look = ToolCall("1", "search_wiki", {"query": words, "limit": 5})
    events, _model = _ask(_book(library, _read(library, _SECOND)), [look, "I did not find it."])
    [begun] = [event for event in events if isinstance(event, ToolBegun)]
    assert begun.text == (words if is_told else "")


@pytest.mark.parametrize("call", [_LOOK, _GATE], ids=lambda call: call.name)
def test_a_model_that_calls_tools_for_ever_is_stopped(library: Library, call: ToolCall) -> None:
    model = ScriptedModel(lambda _call: [call])
    companion = Companion(model, _book(library), secret=b"secret")
    events = list(companion.ask(Question("Who?"), Cancel()))
    assert [event for event in events if isinstance(event, TurnFailed)]
    assert len(model.calls) == 13


def test_what_was_looked_up_before_the_gate_is_not_looked_up_again(library: Library) -> None:
    script: list[Line] = [[_AHEAD, _GATE], f"Hask told her {_cite(library, _LAST)}."]
    events, model = _ask(_book(library, _read(library, _SECOND)), script, SpoilerChoice.READ)
    assert len([event for event in events if isinstance(event, ToolEnded)]) == 1
    told = [message for message in model.calls[-1].messages if isinstance(message, ToolMessage)]
    assert [message.call_id for message in told] == ["1", "2"]
    assert model.calls[0].system == model.calls[1].system


def test_a_sentence_before_a_tool_is_no_part_of_the_answer_and_leaves_no_number(library: Library) -> None:
    look = ModelReply("Let me look at the lamp.", (_LOOK,), FinishReason.TOOL_CALLS, Usage(), "m")
    events, _model = _ask(_book(library), [look, f"Tobias Marrow kept it {_cite(library, _SECOND)}."])
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert ready.text == "Tobias Marrow kept it [1]."


def test_an_answer_may_be_handed_in_with_cards(library: Library) -> None:
    look = ToolCall("1", "get_wiki_entry", {"name": "Tobias Marrow"})
    lamp = ToolCall("2", "search_original_text", {"query": "lamp oil"})
    answer = f"He kept the lamp {_cite(library, _SECOND)}."
    wanted: dict[str, Json] = {"entries": ["Tobias Marrow", "Anna Vale"], "chapters": [2, 99], "track": "Tobias Marrow"}
    events, _model = _ask(_book(library), [[look, lamp], ToolCall("3", "submit_answer", {"answer": answer, **wanted})])
    cards = [event for event in events if isinstance(event, Card)]
    assert [card.kind for card in cards] == [CardKind.ENTRY, CardKind.CHAPTER, CardKind.TRACK]
    assert [card.title for card in cards][::2] == ["Tobias Marrow"] * 2
    assert [event.text for event in events if isinstance(event, AnswerReady)] == ["He kept the lamp [1]."]


@pytest.mark.parametrize(
    ("name", "value", "is_offered"),
    [("column_width", "60", True), ("column_width", "6000", False), ("spoilers", "off", False), ("keys", "vim", False)],
)
def test_a_setting_is_only_offered_and_only_one_of_the_page(
    library: Library, name: str, value: str, is_offered: bool
) -> None:
    change = ToolCall("1", "update_reading_settings", {"name": name, "value": value})
    model = ScriptedModel([change, "I have offered it."])
    companion = Companion(model, _book(library), secret=b"secret")
    events = list(companion.ask(Question("Make the lines shorter."), Cancel()))
    cards = [event for event in events if isinstance(event, Card)]
    assert [card.rows for card in cards] == ([((name, "68", value),)] if is_offered else [])
    assert list(companion.offers) == [card.target for card in cards]
    assert not library.paths.config_file.exists()


def test_a_small_context_gets_fewer_tools_and_shorter_results(library: Library) -> None:
    small = ScriptedModel([_LOOK, "I did not find it."], capabilities=Capabilities(context_tokens=4_000))
    large = ScriptedModel([_LOOK, "I did not find it."], capabilities=Capabilities(context_tokens=128_000))
    for model in (small, large):
        list(Companion(model, _book(library), secret=b"s").ask(Question("Who kept the lamp?"), Cancel()))
    assert len(small.calls[0].tools) < len(large.calls[0].tools)
    assert "get_full_chapter" not in {tool.name for tool in small.calls[0].tools}


def test_what_was_sent_can_be_looked_at_layer_by_layer(library: Library) -> None:
    model = ScriptedModel([_LOOK, "I did not find it."], capabilities=Capabilities(context_tokens=4_000))
    companion = Companion(model, _book(library), secret=b"s")
    page = Piece(LayerName.NICE, "text around", "The lamp stood there. " * 500, is_material=True)
    list(companion.ask(Question("Who kept the lamp?", (page,)), Cancel()))
    layers = {layer.name: layer for layer in companion.layers}
    assert [part.name for part in layers["looked up"].parts] == ["search_original_text"]
    [around] = layers["nice"].parts
    assert 0 < around.tokens <= layers["nice"].budget_tokens
    assert around.cut_tokens > 1_000


def test_who_shares_a_part_of_a_name_is_not_who_was_asked_for(library: Library) -> None:
    work = library.works()[0].id
    know(library, work, named("Ilse Marrow", "Ilse", "Marrow"), named("Tobias Marrow", "Tobias"), named("Hask"))
    book = _book(library)
    assert [entry.name for entry in book.entries("Tobias Marrow", 3)] == ["Tobias Marrow"]
    assert [entry.name for entry in book.entries("What is Hask to Tobias Marrow?", 3)] == ["Tobias Marrow", "Hask"]


def test_a_relation_is_told_where_the_entry_of_one_names_the_other(library: Library) -> None:
    book = _book(library)
    assert any("Hask" in line.text for line in book.relations("Ilse Marrow", "Hask", 5))
    assert not book.relations("Ilse Marrow", "Tobias Marrow", 5)
