"""JSON out of what a model wrote, checked against a schema, asked for once more with the fault named."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.models import Json, ModelRole, Usage
from engine.errors.models import ReplyInvalidError
from engine.providers.protocols import FinishReason, ModelCall, ModelReply, UserMessage
from engine.providers.schemas import faults_in
from engine.providers.typed import json_in, read_reply, repair_call

_SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "verdict": {"enum": ["support", "conflict"]},
        "names": {"type": "array", "items": {"type": "string", "maxLength": 8}, "maxItems": 2},
    },
    "required": ["id", "verdict"],
    "additionalProperties": False,
}
_CALL = ModelCall(ModelRole.JUDGE, "", (UserMessage("Judge."),), reply_schema=_SCHEMA)
_GOOD = {"id": 3, "verdict": "support"}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2]}',
        '  \n{"a": [1, 2]}\n',
        '```json\n{"a": [1, 2]}\n```',
        'Here it is:\n\n```\n{"a": [1, 2]}\n```\nAnything else?',
        'Sure! {"a": [1, 2]}',
        '{"a": [1, 2]}}',
        '{"a": [1, 2]',
        '{"a": [1, 2,],}',
        '{"a": [1, 2]} I hope this helps.',
        'As {asked}: {"a": [1, 2]}',
        '```json\n{"a": [1, 2]}',
    ],
)
def test_json_is_found_however_it_is_wrapped(text: str) -> None:
    assert json_in(text) == {"a": [1, 2]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am sorry, but I cannot help with that.",
        "<html>sign in</html>",
        '{"a": [{"b": 1}, {"b',
        '{"a": "half a se',
    ],
)
def test_what_is_no_json_or_broke_off_is_not_taken_for_some(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|nested"):
        json_in(text)


def test_a_line_break_inside_a_string_is_let_pass() -> None:
    assert json_in('{"a": "one\ntwo"}') == {"a": "one\ntwo"}


def test_hostile_characters_do_not_come_out_of_json() -> None:
    assert json_in('{"a\\u001b": "\\u202ex"}') == {"a\ufffd": "\ufffdx"}


def test_brackets_without_end_are_no_crash() -> None:
    with pytest.raises(ValueError, match=r"JSON|nested"):
        json_in("[" * 100_000)


@given(st.text(max_size=200))
def test_any_text_gives_json_or_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        json.dumps(json_in(text))


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "must be of type object"),
        ({"verdict": "support"}, "lacks 'id'"),
        ({"id": "3", "verdict": "support"}, "the answer.id must be of type integer"),
        ({"id": True, "verdict": "support"}, "the answer.id must be of type integer"),
        ({"id": 0, "verdict": "support"}, "at least 1"),
        ({"id": 1, "verdict": "maybe"}, "one of support, conflict"),
        ({"id": 1, "verdict": "support", "x": 1}, "'x', which is not asked for"),
        ({"id": 1, "verdict": "support", "names": ["Ilse", 2]}, "names[1] must be of type string"),
        ({"id": 1, "verdict": "support", "names": ["a", "b", "c"]}, "at most 2 items"),
        ({"id": 1, "verdict": "support", "names": ["far too long"]}, "at most 8 characters"),
    ],
)
def test_a_value_that_does_not_fit_is_told_why(value: Any, fault: str) -> None:
    assert fault in "; ".join(faults_in(value, _SCHEMA))


def test_a_value_that_fits_has_no_faults() -> None:
    assert faults_in({"id": 1, "verdict": "support", "names": ["Ilse"]}, _SCHEMA) == ()


def test_one_of_several_forms_is_enough() -> None:
    schema: dict[str, Json] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert (faults_in(None, schema), bool(faults_in(1, schema))) == ((), True)


def _reply(text: str, finish: FinishReason = FinishReason.STOP) -> ModelReply:
    return ModelReply(text, (), finish, Usage(), "m")


def test_an_answer_that_fits_is_read() -> None:
    assert read_reply(_reply(json.dumps(_GOOD)), _SCHEMA) == _GOOD


@pytest.mark.parametrize(("text", "fault"), [('{"id": 3}', "lacks 'verdict'"), ("no", "no JSON")])
def test_an_answer_that_does_not_fit_says_why(text: str, fault: str) -> None:
    with pytest.raises(ReplyInvalidError) as caught:
        read_reply(_reply(text), _SCHEMA)
    assert fault in caught.value.fault


def test_json_of_an_answer_that_broke_off_is_not_used() -> None:
    with pytest.raises(ReplyInvalidError) as caught:
        read_reply(_reply(json.dumps(_GOOD), FinishReason.LENGTH), _SCHEMA)
    assert "broke off" in caught.value.fault


def test_what_is_asked_for_once_more_names_the_fault() -> None:
    again = repair_call(_CALL, _reply('{"id": 3}'), "it lacks 'verdict'")
    assert [message.text for message in again.messages[:2]] == ["Judge.", '{"id": 3}']
    assert "lacks 'verdict'" in again.messages[2].text
