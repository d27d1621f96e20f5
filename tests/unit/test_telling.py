"""Explaining a selection and telling the story so far: one voice, proven, and the first line stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine.agent.access import ChapterSummary, FoundLine
from engine.agent.citations import Place
from engine.agent.speech import VEIL
from engine.agent.telling import Teller
from engine.agent.told import Explained, Retold
from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.chat import AnswerReady, Card, CardKind, ChatEvent, TextAdded, TurnFailed
from engine.domain.conversations import USUAL_FACETS, Facet
from engine.domain.locator import Locator
from engine.domain.models import Capabilities
from engine.errors.models import ModelBusyError
from engine.library import Library
from engine.library.book_view import BookView
from engine.providers.protocols import Cancel
from engine.spoilers.policy import WHOLE, Upto
from tests.conversing import FIRST, LAST, SECOND, told_library
from tests.fakes import Line, ScriptedModel
from tests.knowledge import place_of, upto_words


@pytest.fixture
def told(tmp_path: Path) -> Iterator[tuple[Library, WorkId]]:
    library, work = told_library(tmp_path / "home")
    yield library, work
    library.close()


def _cite(library: Library, work: WorkId, words: str) -> str:
    document, start = place_of(library, work, words)
    return f"[f{document}-{start}-{start + len(words)}]"


def _explain(
    told: tuple[Library, WorkId],
    script: Sequence[Line],
    words: str = "counted the oil in spoonfuls",
    upto: Upto = WHOLE,
    facets: frozenset[Facet] = USUAL_FACETS,
    **more: str,
) -> tuple[list[ChatEvent], ScriptedModel]:
    library, work = told
    document, start = place_of(library, work, words)
    place = Place(Locator(document, start, start + len(words)), 0, 0, "ch 2", words, is_elsewhere=True)
    model = ScriptedModel(script)
    teller = Teller(model, BookView(library, work, upto, SpoilerMode.AUTO), secret=b"s")
    what = Explained(words, place, None, facets, **more)  # type: ignore[arg-type]  # texts alone
    return list(teller.explain(what, Cancel())), model


def test_the_plain_line_comes_first_and_needs_no_citation(told: tuple[Library, WorkId]) -> None:
    script: list[Line] = ["Tobias Marrow was saving oil.", f"There was little left {_cite(*told, SECOND[-20:])}."]
    script[1] = "It means there was little left."
    events, _model = _explain(told, script)
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert ready.text == "Tobias Marrow was saving oil.\n\nIt means there was little left."
    first = next(event for event in events if isinstance(event, TextAdded))
    assert first.text == "Tobias Marrow was saving oil."


def test_plain_words_get_the_plain_line_alone(told: tuple[Library, WorkId]) -> None:
    events, _model = _explain(told, ["He was saving oil.", "-"])
    assert [event.text for event in events if isinstance(event, AnswerReady)] == ["He was saving oil."]


def test_the_plain_line_stays_when_what_follows_fails(told: tuple[Library, WorkId]) -> None:
    events, _model = _explain(told, ["He was saving oil.", ModelBusyError("m")])
    assert isinstance(events[-1], TurnFailed)
    assert "He was saving oil." in [event.text for event in events if isinstance(event, TextAdded)]


def test_the_plain_line_names_nobody_who_is_hidden(told: tuple[Library, WorkId]) -> None:
    events, _model = _explain(told, ["Anna Vale was saving oil.", "-"], upto=upto_words(*told, SECOND))
    assert "Anna" not in repr(events)


def test_what_follows_must_be_proven(told: tuple[Library, WorkId]) -> None:
    events, _model = _explain(told, ["He was saving oil.", "Tobias Marrow was poor."])
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert VEIL in ready.text


@pytest.mark.parametrize(("facets", "is_told"), [(USUAL_FACETS, False), (USUAL_FACETS | {Facet.BACKGROUND}, True)])
def test_what_stands_outside_the_book_is_asked_for_only_when_she_wants_it(
    told: tuple[Library, WorkId], facets: frozenset[Facet], is_told: bool
) -> None:
    _events, model = _explain(told, ["He was saving oil.", "-"], facets=facets, book="A Lamp, by Nobody")
    assert ("Outside the book:" in model.calls[1].system) is is_told
    assert ("A Lamp, by Nobody" in model.calls[1].messages[0].text) is is_told


def test_facets_that_find_nothing_are_not_mentioned(told: tuple[Library, WorkId]) -> None:
    events, model = _explain(told, ["He was saving oil.", "-"], facets=frozenset({Facet.ELSEWHERE}))
    assert not [event for event in events if isinstance(event, Card)]
    assert "elsewhere" not in model.calls[1].messages[0].text


def test_the_same_words_elsewhere_are_found_up_to_the_boundary(told: tuple[Library, WorkId]) -> None:
    words = "Ilse Marrow"
    everywhere, _model = _explain(told, ["A name.", "-"], words)
    before, _model = _explain(told, ["A name.", "-"], words, upto_words(*told, SECOND))
    assert [event.title for event in everywhere if isinstance(event, Card) and event.kind is CardKind.TABLE]
    assert not [event for event in before if isinstance(event, Card) and event.kind is CardKind.TABLE]


def test_another_angle_is_asked_in_one_call_with_what_was_said(told: tuple[Library, WorkId]) -> None:
    events, model = _explain(told, ["It is only a way to save."], angle="Is he a miser?", said="He was saving oil.")
    assert len(model.calls) == 1
    sent = model.calls[0].messages[0].text
    assert "Is he a miser?" in sent
    assert "He was saving oil." in sent
    assert [event.text for event in events if isinstance(event, AnswerReady)] == ["It is only a way to save."]


def test_the_story_so_far_is_told_from_what_was_read_and_cited(told: tuple[Library, WorkId]) -> None:
    library, work = told
    book = BookView(library, work, upto_words(library, work, SECOND), SpoilerMode.AUTO)
    model = ScriptedModel([f"Ilse Marrow came {_cite(library, work, FIRST)}. Hask told her all."])
    retold = Retold(book.summaries([1, 2, 3]), (), "The story so far")
    events = list(Teller(model, book, secret=b"s").recap(retold, Cancel()))
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert ready.text.startswith("Ilse Marrow came [1].")
    assert "Hask" not in ready.text
    assert LAST not in model.calls[0].messages[0].text


def test_where_not_all_fits_the_story_is_told_to_its_end(told: tuple[Library, WorkId]) -> None:
    library, work = told
    book = BookView(library, work, WHOLE, SpoilerMode.AUTO)
    model = ScriptedModel(["It is told."], capabilities=Capabilities(context_tokens=2_000))
    lines = [(FoundLine("", f"In part {n} it rained. " * 20, ()),) for n in range(40)]
    chapters = [ChapterSummary(n, f"Part {n}", each, True) for n, each in enumerate(lines)]
    list(Teller(model, book, secret=b"s").recap(Retold(tuple(chapters), (), "The story so far"), Cancel()))
    sent = model.calls[0].messages[0].text
    assert "In part 39" in sent
    assert "In part 0 " not in sent


def test_nothing_of_the_story_so_far_is_told_without_its_place(told: tuple[Library, WorkId]) -> None:
    library, work = told
    model = ScriptedModel([f"Ilse Marrow came {_cite(library, work, FIRST)}.\n\nThe lamp went out."])
    book = BookView(library, work, WHOLE, SpoilerMode.AUTO)
    events = list(Teller(model, book, secret=b"s").recap(Retold(book.summaries([1]), (), "So far"), Cancel()))
    [ready] = [event for event in events if isinstance(event, AnswerReady)]
    assert "went out" not in ready.text


def test_the_selected_words_may_be_quoted_to_say_what_they_mean(told: tuple[Library, WorkId]) -> None:
    said = "“To count oil in spoonfuls” is to save it."
    events, _model = _explain(told, ["There was little oil.", said])
    assert said in next(event.text for event in events if isinstance(event, AnswerReady))
