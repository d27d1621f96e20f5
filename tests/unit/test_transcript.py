"""A conversation in a window: what stands where, what follows an answer that comes, what can be opened."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

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
    TurnStopped,
    TurnView,
    after,
)
from engine.domain.locator import Locator
from tests.pace import allowance
from tui.render.cells import cell_width
from tui.render.chat_bits import ShownTurn, ToAct, ToAgain, ToCard, ToChoice, ToCitation, ToLocator, ToPlace
from tui.render.transcript import Transcript

_TURN = TurnId("t1")
_CITATION = Citation(1, Locator(DocumentId(12), 340, 402), "ch 2", "Tobias kept it before the girl")


class _Told:
    """One turn in a window, brought up to each event."""

    def __init__(self, width: int = 80, height: int = 30) -> None:
        self.transcript = Transcript()
        self.transcript.resize(width, height)
        self.height = height
        self.view = TurnView(_TURN, question="Who lit the lamp before her?")
        self.transcript.add(ShownTurn(self.view, ("on “six winters”, ch 7",)))

    def tell(self, *events: ChatEvent) -> _Told:
        for event in events:
            self.view = after(self.view, Numbered(_TURN, self.view.number + 1, event))
            self.transcript.take(self.view)
        return self

    def rows(self) -> list[str]:
        rows = self.transcript.seen(self.height)
        return [" " * indent + row.text.replace("\u00a0", " ") for row, indent, _focus in rows]

    def text(self) -> str:
        return "\n".join(self.rows())


_LOOKED = (
    TurnStarted("Who lit the lamp before her?", "local"),
    Lead("Looking for the keeper before Ilse."),
    ToolBegun("a", "search_wiki", "keeper"),
    ToolEnded("a", "search_wiki", 0.1, ""),
    ToolBegun("b", "search_original_text", "lamp"),
    ToolEnded("b", "search_original_text", 0.3, "6 passages"),
)
_SAID = (Cited((_CITATION,)), TextAdded("Her uncle, Tobias Marrow [1]. "), TextAdded("He is dead."))


def test_the_question_stands_there_before_anything_has_come() -> None:
    assert _Told().rows()[:3] == [
        "You        Who lit the lamp before her?",
        "           on “six winters”, ch 7",
        "Companion  Looking.",
    ]


def test_a_long_question_leaves_room_for_its_answer() -> None:
    told = _Told()
    view = TurnView(TurnId("t2"), question="A line that was pasted.\n" * 40)
    told.transcript.add(ShownTurn(view))
    rows = told.transcript.rows_of(TurnId("t2"))
    assert rows is not None
    assert len(rows) < 12


def test_each_tool_is_told_with_its_time() -> None:
    told = _Told().tell(*_LOOKED[:-1])
    assert "wiki 0.1 s · original text …" in told.text()
    assert "wiki 0.1 s · original text, 6 passages 0.3 s" in told.tell(_LOOKED[-1]).text()


def test_a_narrow_window_has_no_column_for_who_speaks() -> None:
    told = _Told(width=40).tell(*_LOOKED, *_SAID)
    assert told.rows()[0] == "Who lit the lamp before her?"
    assert "Her uncle, Tobias Marrow¹. He is dead." in told.text()


def test_what_is_asked_before_a_spoiler_has_three_answers_and_goes_away() -> None:
    told = _Told().tell(*_LOOKED, SpoilerAsked("The full answer lies beyond chapter 7."))
    assert "1  answer in full  (this answer only)" in told.text()
    choices = [link.target for _turn, link, _row in told.transcript.links()]
    assert choices == [ToChoice(SpoilerChoice.FULL), ToChoice(SpoilerChoice.READ), ToChoice(SpoilerChoice.STOP)]
    assert "answer in full" not in told.tell(SpoilerAnswered(SpoilerChoice.READ)).text()


def test_a_passage_is_previewed_below_the_row_that_cites_it_and_closed_again() -> None:
    told = _Told().tell(*_LOOKED, *_SAID, TextAdded("\n\nMore."))
    rows = told.transcript.rows_of(_TURN)
    assert rows is not None
    before = told.rows()
    rows.toggle_preview(1)
    at = next(number for number, row in enumerate(told.rows()) if "¹" in row)
    assert "Tobias kept it before the girl" in told.rows()[at + 1]
    rows.fill_preview(1, "For forty years Tobias kept it, before the girl.")
    assert "For forty years" in told.rows()[at + 1]
    rows.toggle_preview(1)
    assert told.rows() == before


def test_what_was_checked_is_what_a_preview_shows() -> None:
    """A note of the book that bears a sentence stands nowhere in the passage that the locator leads to."""
    shown = replace(_CITATION, text="For forty years Tobias kept it.\nSix winters, by the reckoning of the line.")
    told = _Told().tell(*_LOOKED, Cited((shown,)), TextAdded("Tobias kept it for six winters [1]."))
    rows = told.transcript.rows_of(_TURN)
    assert rows is not None
    rows.toggle_preview(1)
    assert "by the reckoning of the line" in " ".join(" ".join(told.rows()).split())


def test_what_an_answer_rests_on_is_listed_when_it_is_whole() -> None:
    told = _Told().tell(*_LOOKED, *_SAID)
    assert "¹ ch 2" not in told.text()
    told.tell(AnswerReady("Her uncle, Tobias Marrow [1].", (_CITATION,)))
    assert "¹ ch 2 “Tobias kept it before the girl”" in told.text()
    assert "He is dead" not in told.text()


@pytest.mark.parametrize(
    ("event", "words"),
    [(TurnFailed("Cut", "The line broke."), "The line broke."), (TurnStopped("Esc"), "Stopped; what came is kept.")],
)
def test_an_answer_that_is_not_whole_says_so_and_keeps_what_came(event: ChatEvent, words: str) -> None:
    told = _Told().tell(*_LOOKED, *_SAID, event)
    assert words in told.text()
    assert "Tobias Marrow" in told.text()
    assert ToAgain() in [link.target for _turn, link, _row in told.transcript.links()]


def test_links_are_stepped_through_in_the_order_they_are_read() -> None:
    cards = (
        Card(CardKind.ENTRY, "Ilse Marrow", "3"),
        Card(CardKind.SETTING, "Column width", "call", (("column_width", "68", "72"),)),
    )
    told = _Told().tell(*_LOOKED, *_SAID, *cards, AnswerReady("Tobias [1].", (_CITATION,)))
    targets = []
    while told.transcript.move_focus(1):
        assert told.transcript.focus is not None
        targets.append(told.transcript.focus[1].target)
    assert targets == [ToCitation(1), ToCard(0), ToAct(1), ToPlace(1)]
    assert "Column width  68 → 72" in told.text()


def test_places_a_card_names_stand_side_by_side_and_can_be_gone_to() -> None:
    card = Card(
        CardKind.TABLE, "elsewhere", "", (("ch 1", "f12-340-402"), ("ch 4", "f13-1-20"), ("Night Mail", "late"))
    )
    told = _Told().tell(*_LOOKED, card)
    assert "ch 1 · ch 4" in told.text()
    assert "Mail  late" in told.text()
    assert ToLocator(Locator(DocumentId(13), 1, 20)) in [link.target for _turn, link, _row in told.transcript.links()]


def test_an_answer_that_comes_never_scrolls_its_question_away() -> None:
    told = _Told(height=10).tell(*_LOOKED, Cited((_CITATION,)))
    for number in range(60):
        told.tell(TextAdded(f"Sentence {number} of many that follow each other here. "))
    assert "Who lit the lamp" in told.rows()[0]
    assert told.transcript.rows_below > 10


def test_a_reader_who_has_scrolled_stays_where_she_is() -> None:
    told = _Told(height=10).tell(*_LOOKED)
    told.tell(TextAdded("One more sentence for this answer here. " * 60))
    told.transcript.scroll_by(7)
    before = told.rows()
    told.tell(TextAdded("And another sentence. " * 20))
    assert told.rows()[:9] == before[:9]


def test_only_the_rows_that_changed_are_drawn() -> None:
    told = _Told(height=60).tell(*_LOOKED)
    told.tell(TextAdded("A sentence that stands in the answer. " * 40))
    view = after(told.view, Numbered(_TURN, told.view.number + 1, TextAdded("The end.")))
    assert told.transcript.take(view) > 10


@pytest.mark.parametrize("width", [8, 20, 48, 84])
def test_no_row_is_wider_than_the_window(width: int) -> None:
    card = Card(CardKind.TABLE, "Lamps", "", (("one", "two", "three"), ("a long cell that goes on and on", "b", "c")))
    told = _Told(width=width).tell(*_LOOKED, *_SAID, card, TurnFailed("Cut", "The line broke in the middle."))
    rows = told.transcript.rows_of(_TURN)
    assert rows is not None
    rows.toggle_preview(1)
    assert max(map(cell_width, told.rows())) <= width


def test_a_turn_of_thirty_thousand_characters_costs_a_token_no_more() -> None:
    told = _Told(width=60).tell(*_LOOKED, Cited((_CITATION,)))
    told.tell(TextAdded("Nobody ever boarded the 6.40 [1]. " * 900))
    begun = time.thread_time()
    for number in range(100):
        told.tell(TextAdded(f"word {number} "))
    assert (time.thread_time() - begun) / 100 <= 0.0005 * allowance()


@pytest.mark.parametrize("width", [12, 20, 29, 32])
def test_what_can_be_chosen_is_read_whole_in_a_narrow_window(width: int) -> None:
    told = _Told(width=width).tell(*_LOOKED, SpoilerAsked("It lies beyond."))
    assert "answer as far as I have read" in " ".join(row.strip(" ▎") for row in told.rows())
    assert all(cell_width(row) <= width for row in told.rows())
