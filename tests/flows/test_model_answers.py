"""What imitations of the API really send, through the real `llm` library."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.domain.models import Usage
from engine.errors.models import (
    AccountEmptyError,
    CallRefusedError,
    ContextOverflowError,
    ModelBusyError,
    ModelCutError,
    ModelError,
    ModelGarbledError,
    ModelTroubleError,
    ReplyEndlessError,
)
from engine.providers.llm_models import LlmModel, ModelMaker
from engine.providers.protocols import Cancel, FinishReason, ModelReply, ReasoningDelta, TextDelta
from tests.answering_server import Reply, answering, chunk, stream_of, tool_part, usage_chunk
from tests.serving import QUICK, SEARCH, asked, served_model


def _reply(*replies: Reply, streaming: bool = True, **more: Any) -> ModelReply:
    with answering(replies) as server:
        return served_model(server.url, "m", streaming=streaming).complete(asked("hello", **more), Cancel())


def _failure(*replies: Reply, streaming: bool = True) -> ModelError:
    with pytest.raises(ModelError) as raised:
        _reply(*replies, streaming=streaming)
    return raised.value


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_is_told_apart_and_is_in_no_answer(key: str) -> None:
    said = stream_of(chunk(**{key: "Hm, the lamp."}), chunk(content="Ilse."), chunk("stop"))
    with answering([said]) as server:
        events = list(served_model(server.url, "m").stream(asked("hello"), Cancel()))
    assert events[:2] == [ReasoningDelta("Hm, the lamp."), TextDelta("Ilse.")]
    assert "Hm" not in str(events[2:])


@pytest.mark.parametrize(
    ("said", "usage"),
    [
        (
            {"prompt_tokens": 100, "completion_tokens": 30, "total_tokens": 130,
             "prompt_tokens_details": {"cached_tokens": 64}, "completion_tokens_details": {"reasoning_tokens": 10}},
            Usage(100, 64, 30, 10),
        ),
        (
            {"prompt_tokens": 100, "completion_tokens": 30, "total_tokens": 130, "prompt_cache_hit_tokens": 80},
            Usage(100, 80, 30, 0),
        ),
        (
            {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13,
             "prompt_tokens_details": {"cached_tokens": 99}},
            Usage(10, 10, 3, 0),
        ),
    ],
)  # fmt: skip
def test_usage_is_counted_with_what_was_cached_and_what_was_reasoning(said: dict[str, Any], usage: Usage) -> None:
    assert _reply(stream_of(chunk("stop", content="Ilse."), usage_chunk(said))).usage == usage


def test_signs_of_life_between_the_pieces_are_let_pass() -> None:
    assert (
        _reply(stream_of(": keep-alive", chunk(content="Il"), ": ping", chunk("stop", content="se."))).text == "Ilse."
    )


def test_two_tool_calls_whose_pieces_come_mixed_are_put_together() -> None:
    said = stream_of(
        chunk(tool_calls=[tool_part(0, "", "a", "search"), tool_part(1, "", "b", "search")]),
        chunk(tool_calls=[tool_part(1, '{"q": ')]),
        chunk(tool_calls=[tool_part(0, '{"q": "lamp"}')]),
        chunk(tool_calls=[tool_part(1, '"oil"}')]),
        chunk("tool_calls"),
    )
    calls = _reply(said, streaming=True).tool_calls
    assert [(call.id, call.arguments) for call in calls] == [("a", {"q": "lamp"}), ("b", {"q": "oil"})]


@pytest.mark.parametrize("ids", [("a", "a"), (None, None), ("", "")])
def test_calls_with_the_same_id_or_none_get_ids_of_their_own(ids: tuple[str | None, str | None]) -> None:
    parts = [tool_part(n, "{}", id_, "search") for n, id_ in enumerate(ids)]
    calls = _reply(stream_of(chunk(tool_calls=parts), chunk("tool_calls"))).tool_calls
    assert len({call.id for call in calls}) == 2
    assert all(call.id for call in calls)


def test_a_model_that_says_stop_and_calls_a_tool_waits_for_it() -> None:
    said = stream_of(chunk(tool_calls=[tool_part(0, "{}", "a", "search")]), chunk("stop"))
    assert _reply(said).finish is FinishReason.TOOL_CALLS


@pytest.mark.parametrize("word", ["insufficient_system_resource", "error", "abort"])
def test_an_end_that_is_no_end_is_a_cut(word: str) -> None:
    assert isinstance(_failure(stream_of(chunk(word, content="Half"))), ModelCutError)


def test_an_answer_held_back_is_not_whole() -> None:
    assert _reply(stream_of(chunk("content_filter", content="Half"))).finish is FinishReason.FILTERED


@pytest.mark.parametrize("said", [stream_of(chunk("stop")), stream_of(chunk("stop", content="  \n")), stream_of()])
def test_an_empty_answer_is_none(said: Reply) -> None:
    assert isinstance(_failure(said), ModelGarbledError)


def test_reasoning_without_an_answer_is_none() -> None:
    error = _failure(stream_of(chunk(reasoning_content="Hm."), chunk("stop")))
    assert isinstance(error, ModelGarbledError)
    assert error.has_begun


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_followed_nowhere(status: int) -> None:
    with answering([stream_of(chunk("stop", content="elsewhere"))]) as elsewhere:
        there = Reply(b"", status, headers={"location": f"{elsewhere.url}/chat/completions"})
        error = _failure(there)
    assert isinstance(error, ModelGarbledError)
    assert "redirect" in error.message
    assert elsewhere.requests == []


def _error_body(message: str, code: str = "", status: int = 400, **headers: str) -> Reply:
    return Reply(json.dumps({"error": {"message": message, "code": code}}).encode(), status, headers=headers)


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (_error_body("This model's maximum context length is 8192 tokens"), ContextOverflowError),
        (_error_body("prompt is too long: 210000 tokens > 200000 maximum"), ContextOverflowError),
        (_error_body("too large", status=413), ContextOverflowError),
        (_error_body("bad value for temperature"), CallRefusedError),
        (_error_body("no such model", status=404), CallRefusedError),
        (_error_body("Insufficient Balance", status=402), AccountEmptyError),
        (_error_body("You exceeded your current quota", "insufficient_quota", 429), AccountEmptyError),
        (_error_body("slow down", status=429), ModelBusyError),
        (_error_body("overloaded", status=529), ModelTroubleError),
        (Reply(b"<html>bad gateway</html>", 502, "text/html"), ModelTroubleError),
    ],
)
def test_each_refusal_says_what_it_is(said: Reply, error: type[ModelError]) -> None:
    assert type(_failure(said)) is error


@pytest.mark.parametrize(
    ("header", "value", "seconds"),
    [("retry-after", "7", 7.0), ("retry-after-ms", "500", 0.5), ("retry-after", "x", None)],
)
def test_how_long_to_wait_is_read(header: str, value: str, seconds: float | None) -> None:
    reply = Reply(b'{"error": {"message": "slow down"}}', 429, headers={header: value})
    assert _failure(reply).retry_after_s == seconds


@pytest.mark.parametrize("streaming", [True, False])
def test_an_answer_of_ten_million_characters_is_stopped(streaming: bool) -> None:
    huge = "lamp " * 2_000_000
    message = {"role": "assistant", "content": huge}
    whole = {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [
        {"index": 0, "message": message, "finish_reason": "stop"}]}  # fmt: skip
    said = stream_of(chunk("stop", content=huge)) if streaming else Reply(json.dumps(whole).encode())
    assert isinstance(_failure(said, streaming=streaming), ReplyEndlessError)


def test_what_asks_for_no_reasoning_goes_only_with_tools() -> None:
    def make() -> object:
        from engine.providers.chat import chat_at

        return chat_at("m", url=server.url, model="m", key_name="", tools=True, schemas=True, streaming=True)

    with answering([stream_of(chunk("stop", content="yes"))]) as server:
        maker = ModelMaker("m", make, "here", without_reasoning={"thinking": {"type": "disabled"}})
        model = LlmModel(maker, served_model(server.url, "m").capabilities, QUICK)
        model.complete(asked("hello"), Cancel())
        model.complete(asked("hello", SEARCH), Cancel())
    bodies = [body for _path, _headers, body in server.requests]
    assert ["thinking" in body for body in bodies] == [False, True]


def test_no_header_of_another_account_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
    with answering([stream_of(chunk("stop", content="yes"))]) as server:
        served_model(server.url, "m").complete(asked("hello"), Cancel())
    headers = " ".join(f"{name}: {value}" for name, value in server.requests[0][1].items())
    assert "mine" not in headers


_USED = {
    "input_tokens": 9, "output_tokens": 3, "total_tokens": 12,
    "input_tokens_details": {"cached_tokens": 4}, "output_tokens_details": {"reasoning_tokens": 1},
}  # fmt: skip
_DONE = {
    "id": "r", "object": "response", "created_at": 1, "model": "m-0", "output": [], "parallel_tool_calls": True,
    "tool_choice": "auto", "tools": [], "status": "completed", "usage": _USED,
}  # fmt: skip
_DELTA = {
    "type": "response.output_text.delta", "delta": "Ilse.", "item_id": "i", "output_index": 0,
    "content_index": 0, "sequence_number": 1, "logprobs": [],
}  # fmt: skip


def _by_responses(*events: dict[str, Any]) -> ModelReply:
    def make() -> object:
        from llm.default_plugins.openai_models import Responses

        kind: Any = Responses
        made = kind("m", model_name="m", api_base=server.url)
        made.needs_key = None
        return made

    said = Reply(
        "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode(), kind="text/event-stream"
    )
    with answering([said]) as server:
        model = LlmModel(ModelMaker("m", make, "here"), served_model(server.url, "m").capabilities, QUICK)
        return model.complete(asked("hello"), Cancel())


def test_openais_newer_interface_is_read_the_same_way() -> None:
    reply = _by_responses(_DELTA, {"type": "response.completed", "sequence_number": 2, "response": _DONE})
    assert (reply.text, reply.finish, reply.usage) == ("Ilse.", FinishReason.STOP, Usage(9, 4, 3, 1))


def test_openais_newer_interface_cut_short_is_a_cut() -> None:
    with pytest.raises(ModelCutError) as raised:
        _by_responses(_DELTA)
    assert raised.value.partial_text == "Ilse."
