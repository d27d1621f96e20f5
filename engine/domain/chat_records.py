"""Events of a turn as JSON objects: what `understory ask --json` prints, what the pipe carries, what is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from enum import StrEnum

from engine.domain.chat import (
    EVENTS_VERSION,
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
    TurnUsage,
)
from engine.domain.locator import Locator, locator_from_text
from engine.domain.models import Json, Usage

_NAMES: Mapping[type[ChatEvent], str] = {
    TurnStarted: "turn_started",
    Lead: "lead",
    ToolBegun: "tool_called",
    ToolEnded: "tool_returned",
    SpoilerAsked: "spoiler_asked",
    SpoilerAnswered: "spoiler_answered",
    TextAdded: "text_delta",
    Cited: "citations",
    Card: "card",
    AnswerReady: "answer_ready",
    TurnFailed: "turn_failed",
    TurnStopped: "turn_stopped",
    TurnUsage: "usage",
}
_KINDS = {name: kind for kind, name in _NAMES.items()}


def record_of(numbered: Numbered) -> dict[str, Json]:
    """Write an event as JSON."""
    event = numbered.event
    record: dict[str, Json] = {"event": _NAMES[type(event)], "turn": numbered.turn, "n": numbered.number}
    if isinstance(event, TurnStarted):
        record["v"] = EVENTS_VERSION
    for each in fields(event):
        record[each.name] = _json(getattr(event, each.name))
    return record


def _json(value: object) -> Json:
    """Write a field of an event."""
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Citation):
        return {**asdict(value), "locator": str(value.locator)}
    if isinstance(value, Usage):
        return asdict(value)
    if isinstance(value, Locator):
        return str(value)
    if isinstance(value, tuple):
        return [_json(each) for each in value]
    return value if isinstance(value, str | int | float | bool) else None


def event_from(record: Mapping[str, Json], moved: Mapping[Locator, Locator] | None = None) -> Numbered | None:
    """Read an event, None for one this release does not know or cannot read.

    Args:
        record: As `record_of` wrote it.
        moved: Where places stand now, if they have moved since.
    """
    kind = _KINDS.get(str(record.get("event")))
    if kind is None:
        return None
    try:
        given = {
            each.name: _READERS.get((kind, each.name), _same)(record[each.name])
            for each in fields(kind)
            if each.name in record
        }
        event = kind(**given)  # type: ignore[arg-type]  # each value was read for its field
        return Numbered(TurnId(str(record["turn"])), _number(record["n"]), _moved(event, moved) if moved else event)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _moved(event: ChatEvent, moved: Mapping[Locator, Locator]) -> ChatEvent:
    if isinstance(event, Cited | AnswerReady):
        citations = tuple(replace(each, locator=moved.get(each.locator, each.locator)) for each in event.citations)
        return replace(event, citations=citations)
    if isinstance(event, Card) and (at := locator_from_text(event.target)) is not None:
        return replace(event, target=str(moved.get(at, at)))
    return event


def _same(value: Json) -> Json:
    if not isinstance(value, str | int | float | bool):
        raise TypeError("a field of an event is text, a number or a truth value")
    return value


def _number(value: Json) -> int:
    if not isinstance(value, int | str):
        raise TypeError("no number")
    return int(value)


def _items(value: Json) -> Sequence[Json]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError("no list")
    return value


def _citations(value: Json) -> tuple[Citation, ...]:
    return tuple(map(_citation, _items(value)))


def _citation(value: Json) -> Citation:
    if not isinstance(value, Mapping):
        raise TypeError("no citation")
    return Citation(
        _number(value["number"]),
        _locator(value["locator"]),
        str(value["where"]),
        str(value["quote"]),
        str(value.get("text", "")),
    )


def _locators(value: Json) -> tuple[Locator, ...]:
    return tuple(map(_locator, _items(value)))


def _locator(value: Json) -> Locator:
    found = locator_from_text(str(value))
    if found is None:
        raise ValueError("no locator")
    return found


def _rows(value: Json) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(str, _items(row))) for row in _items(value))


def _usage(value: Json) -> Usage:
    if not isinstance(value, Mapping):
        raise TypeError("no usage")
    known = {each.name for each in fields(Usage)}
    counts = {name: count for name, count in value.items() if name in known}
    return Usage(**counts)  # type: ignore[arg-type]  # counts, and one truth value, as `record_of` wrote them


_READERS: Mapping[tuple[type[ChatEvent], str], Callable[[Json], object]] = {
    (SpoilerAnswered, "choice"): lambda value: SpoilerChoice(str(value)),
    (ToolEnded, "locators"): _locators,
    (Cited, "citations"): _citations,
    (AnswerReady, "citations"): _citations,
    (Card, "kind"): lambda value: CardKind(str(value)),
    (Card, "rows"): _rows,
    (TurnUsage, "usage"): _usage,
}
