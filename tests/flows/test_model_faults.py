"""The real `llm` library against the test server: nothing that is not whole looks whole, nothing is sent twice."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors.models import (
    ContextOverflowError,
    KeyMissingError,
    KeyRefusedError,
    ModelBusyError,
    ModelCancelledError,
    ModelCutError,
    ModelError,
    ModelGarbledError,
    ModelSlowError,
    ModelTroubleError,
    ModelUnreachableError,
)
from engine.providers.llm_models import LlmModel, ModelMaker
from engine.providers.protocols import (
    AssistantMessage,
    Cancel,
    Finished,
    FinishReason,
    ModelEvent,
    TextDelta,
    ToolMessage,
    UserMessage,
)
from engine.providers.retry import Retrying
from tests.pace import PATIENCE_S
from tests.serving import QUICK, SEARCH, ServedModels, asked, served_model, start_model_server

_FAULTS = [
    ("429", ModelBusyError),
    ("429ra", ModelBusyError),
    ("500", ModelTroubleError),
    ("401", KeyRefusedError),
    ("context", ContextOverflowError),
    ("html", ModelGarbledError),
    ("cut", ModelCutError),
    ("rst", ModelCutError),
    ("badjson", ModelGarbledError),
    ("errmid", ModelTroubleError),
]
_COMES_HALF = ["cut", "rst", "badjson", "errmid"]


def _events_until_failure(model: LlmModel, text: str = "hello") -> tuple[list[ModelEvent], ModelError]:
    events: list[ModelEvent] = []
    with pytest.raises(ModelError) as raised:
        events.extend(model.stream(asked(text, SEARCH), Cancel()))
    return events, raised.value


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(("kind", "error"), _FAULTS)
def test_a_faulty_answer_is_an_error_that_says_what_to_do_and_is_sent_once(
    model_server: ServedModels, kind: str, error: type[ModelError], streaming: bool
) -> None:
    model = served_model(model_server.url, f"fault-{kind}", streaming=streaming)
    with pytest.raises(error) as raised:
        model.complete(asked("hello"), Cancel())
    assert model_server.count == 1
    assert raised.value.title
    assert "SECRETMARKER" not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize("kind", _COMES_HALF)
def test_what_came_before_an_answer_broke_off_is_kept_and_never_called_finished(
    model_server: ServedModels, kind: str
) -> None:
    model = Retrying(served_model(model_server.url, f"fault-{kind}"))
    events: list[ModelEvent] = []
    with pytest.raises(ModelError) as raised:
        events.extend(model.stream(asked("hello"), Cancel()))
    assert events[0] == TextDelta("Half an ")
    assert [event for event in events if isinstance(event, Finished)] == []
    assert raised.value.partial_text.startswith("Half an ")
    assert model_server.count == 1


@pytest.mark.parametrize("kind", ["cut", "rst", "badjson"])
def test_an_answer_in_one_piece_that_broke_off_is_not_asked_for_again(model_server: ServedModels, kind: str) -> None:
    model = Retrying(served_model(model_server.url, f"fault-{kind}", streaming=False))
    with pytest.raises(ModelError):
        model.complete(asked("hello"), Cancel())
    assert model_server.count == 1


@pytest.mark.parametrize("streaming", [True, False])
def test_an_answer_cut_by_its_length_says_so(model_server: ServedModels, streaming: bool) -> None:
    reply = served_model(model_server.url, "fault-length", streaming=streaming).complete(asked("hello"), Cancel())
    assert reply.finish is FinishReason.LENGTH
    assert not reply.is_whole


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(("kind", "has_fault"), [("badargs", True), ("emptyargs", False)])
def test_arguments_that_cannot_be_read_are_a_fault_of_the_call_not_of_the_answer(
    model_server: ServedModels, kind: str, has_fault: bool, streaming: bool
) -> None:
    model = served_model(model_server.url, f"fault-{kind}", streaming=streaming)
    (call,) = model.complete(asked("hello", SEARCH), Cancel()).tool_calls
    assert (call.name, call.arguments, bool(call.fault)) == ("search", {}, has_fault)


def test_a_stream_with_empty_chunks_is_read_through(model_server: ServedModels) -> None:
    reply = served_model(model_server.url, "fault-nochoices").complete(asked("hello"), Cancel())
    assert reply.text == "Half an answer"


def test_an_answer_without_any_choice_is_none(model_server: ServedModels) -> None:
    with pytest.raises(ModelGarbledError):
        served_model(model_server.url, "fault-nochoices", streaming=False).complete(asked("hello"), Cancel())


@pytest.mark.parametrize(("kind", "streaming"), [("hang", True), ("hang", False), ("slow", True)])
def test_a_model_that_says_nothing_is_given_up_and_what_came_is_kept(
    model_server: ServedModels, kind: str, streaming: bool
) -> None:
    model = served_model(model_server.url, f"fault-{kind}", replace(QUICK, idle_s=0.3), streaming=streaming)
    events, error = _events_until_failure(model)
    assert isinstance(error, ModelSlowError)
    assert error.partial_text == ("Half an " if events else "")


def test_a_model_that_says_nothing_is_not_asked_again_in_secret(model_server: ServedModels) -> None:
    model = Retrying(served_model(model_server.url, "fault-slow", replace(QUICK, idle_s=0.3)))
    with pytest.raises(ModelSlowError):
        model.complete(asked("hello"), Cancel())
    assert model_server.count == 1


def test_a_model_that_is_not_there_is_unreachable() -> None:
    with pytest.raises(ModelUnreachableError):
        served_model("http://127.0.0.1:9/v1", "gone").complete(asked("hello"), Cancel())


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("kind", ["fault-hang", "fault-slow"])
def test_whoever_gives_up_while_nothing_comes_is_free_at_once(
    model_server: ServedModels, kind: str, streaming: bool
) -> None:
    model = served_model(model_server.url, kind, streaming=streaming)
    cancel = Cancel()
    freed: list[float] = []

    def ask() -> None:
        with pytest.raises(ModelCancelledError):
            model.complete(asked("hello"), cancel)
        freed.append(time.monotonic())

    asking = threading.Thread(target=ask)
    asking.start()
    _wait_for_request(model_server)
    cancel.set()
    # The answer would come after 20 and 60 seconds; how fast this is, tests/bench measures.
    asking.join(timeout=PATIENCE_S)
    assert len(freed) == 1


def _wait_for_request(model_server: ServedModels) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while model_server.count == 0:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_call_given_up_before_it_was_made_is_not_sent(model_server: ServedModels) -> None:
    cancel = Cancel()
    cancel.set()
    with pytest.raises(ModelCancelledError):
        served_model(model_server.url, "echo").complete(asked("hello"), cancel)
    assert model_server.count == 0


def test_a_reader_who_closes_a_stream_closes_the_connection(model_server: ServedModels) -> None:
    stream = served_model(model_server.url, "fault-hang").stream(asked("hello"), Cancel())
    assert next(iter(stream)) == TextDelta("Half an ")
    stream.close()  # type: ignore[attr-defined]  # an iterator that is a generator
    assert not [thread for thread in threading.enumerate() if thread.name == "model" and _lives_on(thread)]


def _lives_on(thread: threading.Thread) -> bool:
    thread.join(timeout=PATIENCE_S)
    return thread.is_alive()


def test_a_whole_answer_comes_with_its_text_usage_and_reason(model_server: ServedModels) -> None:
    events = list(served_model(model_server.url, "echo").stream(asked("[say Ilse keeps the lamp.]"), Cancel()))
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Ilse keeps the lamp."
    assert isinstance(events[-1], Finished)
    reply = events[-1].reply
    assert (reply.text, reply.finish) == ("Ilse keeps the lamp.", FinishReason.STOP)
    assert (reply.usage.completion, reply.usage.is_estimate) == (20, False)


@pytest.mark.parametrize("streaming", [True, False])
def test_a_tool_is_called_and_its_result_goes_back(model_server: ServedModels, streaming: bool) -> None:
    model = served_model(model_server.url, "echo", streaming=streaming)
    first = asked('[tool:search {"q": "灯"}]', SEARCH)
    reply = model.complete(first, Cancel())
    (call,) = reply.tool_calls
    assert (call.name, call.arguments, reply.finish) == ("search", {"q": "灯"}, FinishReason.TOOL_CALLS)
    said = (AssistantMessage(reply.text, reply.tool_calls), ToolMessage(call.id, call.name, "six winters"))
    second = model.complete(replace(first, messages=(*first.messages, *said)), Cancel())
    assert second.text == "RESULT: six winters"


def test_a_conversation_is_sent_in_order_with_its_rules_first(tmp_path: Path) -> None:
    server = start_model_server(log=tmp_path / "log")
    call = replace(asked("One?"), messages=(UserMessage("One?"), AssistantMessage("1"), UserMessage("Two?")))
    served_model(server.url, "echo").complete(call, Cancel())
    body = json.loads((tmp_path / "log").read_text("utf-8"))["body"]
    assert [(m["role"], m["content"]) for m in body["messages"]] == [
        ("system", "Be brief."), ("user", "One?"), ("assistant", "1"), ("user", "Two?"),
    ]  # fmt: skip


def test_hostile_bytes_of_a_model_do_not_come_out_again(model_server: ServedModels) -> None:
    reply = served_model(model_server.url, "echo").complete(asked("[say red \x1b[31m and \u202e back]"), Cancel())
    assert reply.text == "red \ufffd[31m and \ufffd back"


def test_an_answer_without_end_is_stopped(model_server: ServedModels, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.providers.answer.MOST_CHARS", 1000)
    with pytest.raises(ModelError) as raised:
        served_model(model_server.url, "echo").complete(asked(f"[say {'on and ' * 400}]"), Cancel())
    assert raised.value.partial_text.startswith("on and on")
    assert not raised.value.is_temporary


def test_a_key_comes_from_the_environment_and_openais_goes_to_nobody_else(
    model_server: ServedModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-account")
    monkeypatch.setenv("LAMP_API_KEY", "sk-lamp")
    assert _keyed(model_server.url, "lamp").complete(asked("[say yes]"), Cancel()).text == "yes"
    with pytest.raises(KeyMissingError) as raised:
        _keyed(model_server.url, "openai").complete(asked("hello"), Cancel())
    assert "llm keys set openai" in raised.value.message
    assert model_server.count == 1


def _keyed(url: str, key_name: str) -> LlmModel:
    def make() -> object:
        from engine.providers.chat import chat_at

        return chat_at("echo", url=url, model="echo", key_name=key_name, tools=True, schemas=True, streaming=True)

    return LlmModel(ModelMaker("echo", make, "here", key_name), served_model(url, "echo").capabilities, QUICK)
