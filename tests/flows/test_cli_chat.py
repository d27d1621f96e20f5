"""Conversations from the command line: kept, listed, gone on with, written out; a passage explained, a story told."""

from __future__ import annotations

from tests.commands import records
from tests.planted_commands import run_here


def _asked(shelf: str, *more: str) -> str:
    code, out, err = run_here("ask", shelf, "Who rang the bell?", "--upto", "end", "--json", *more)
    assert code == 0, err
    events = records(out)
    assert [event["event"] for event in events[:2]] == ["turn_started", "lead"]
    assert events[-1]["event"] == "answer_ready"
    assert {event["turn"] for event in events} == {events[0]["turn"]}
    return str(events[0]["turn"])


def test_a_question_is_kept_and_gone_on_with(shelf: str) -> None:
    first = _asked(shelf)
    [kept] = records(run_here("chat", "list", "--json")[1])
    assert (kept["title"], kept["turns"]) == ("Who rang the bell?", 1)
    assert _asked(shelf, "--conversation", str(kept["id"])) != first
    [kept] = records(run_here("chat", "list", shelf, "--words", "RANG", "--json")[1])
    assert kept["turns"] == 2


def test_a_conversation_is_written_out_and_taken_away(shelf: str) -> None:
    _asked(shelf)
    [kept] = records(run_here("chat", "list", "--json")[1])
    code, out, _err = run_here("chat", "export", str(kept["id"]))
    assert code == 0
    assert out.startswith("# Who rang the bell?")
    assert run_here("chat", "remove", str(kept["id"]))[0] == 0
    assert run_here("chat", "list", "--json")[1] == ""
    assert run_here("chat", "export", str(kept["id"]))[0] == 2


def test_a_passage_is_explained_without_a_model(shelf: str) -> None:
    code, out, err = run_here("explain", shelf, "--quote", "The rope was wet.", "--json")
    assert code == 0, err
    assert records(out)[-1]["event"] == "answer_ready"


def test_nothing_is_told_of_what_was_not_read(shelf: str) -> None:
    code, _out, err = run_here("recap", shelf)
    assert code == 2
    assert "nothing of it was read yet" in err
