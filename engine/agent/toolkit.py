"""What a tool of the companion is, and where all of them are entered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.agent.access import BookAccess
from engine.agent.citations import Place
from engine.domain.chat import Card
from engine.domain.models import Json
from engine.providers.protocols import JsonSchema, ToolCall, ToolSpec
from engine.translate import _

_HOW = frozenset({"limit", "way", "scope", "kind", "order", "from_character"})
"""Arguments that say how something is looked for, and not what."""
MOST_RESULT_CHARS = 18_000
"""Of one result where the model has room; what is over is cut from its end, and the model is told."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something a tool would do and does not: the reader has to agree."""

    kind: str
    payload: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returns to the model, and what of it the reader sees."""

    text: str
    words: str
    """For the reader: "3 passages"."""
    places: tuple[Place, ...] = ()
    is_more_beyond: bool = False
    has_failed: bool = False
    """The call made no sense."""
    cards: tuple[Card, ...] = ()
    """That the answer may show."""
    offer: Offer | None = None
    """Behind the one card that offers it."""


class ToolRun(Protocol):
    """What a tool works with, and the limits it keeps to."""

    @property
    def book(self) -> BookAccess:
        """The work, up to the boundary."""
        ...

    @property
    def result_chars(self) -> int:
        """How long a result may be."""
        ...

    @property
    def batch_tokens(self) -> int:
        """How long a text to choose from may be."""
        ...

    def choose(self, text: str) -> str:
        """Ask the model to choose among things; returns its words."""
        ...


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    description: str
    parameters: JsonSchema
    run: Callable[[ToolRun, Mapping[str, Json]], ToolResult]
    is_useful: Callable[[BookAccess], bool] = field(default=lambda _book: True)
    """Whether it can find anything in this work; one that cannot is not offered."""
    is_small: bool = True
    """Whether it is offered to models with a small context too."""

    @property
    def spec(self) -> ToolSpec:
        """Return what the model is told of it."""
        return ToolSpec(self.name, self.description, self.parameters)


class Registry:
    """All tools, by name; others, such as those of a server of tools, can be entered beside ours."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def specs(self, book: BookAccess, *, is_small: bool = False) -> tuple[ToolSpec, ...]:
        """Return the tools that are of use for a work."""
        return tuple(
            tool.spec for tool in self._tools.values() if tool.is_useful(book) and (tool.is_small or not is_small)
        )

    def run(self, call: ToolCall, run: ToolRun) -> ToolResult:
        """Run a call that fits its tool's schema; one without a tool gets an answer that says so."""
        tool = self._tools.get(call.name)
        if tool is None:
            return refused(f"there is no tool {call.name!r}; there are {', '.join(self._tools)}.")
        return tool.run(run, call.arguments)


def schema(required: str, **properties: str | Mapping[str, Json]) -> JsonSchema:
    """Return the schema of an object.

    Args:
        required: Names, apart by blanks.
        properties: What each is for; a text unless its own schema is given.
    """
    fields = {
        name: {"type": "string", "description": said} if isinstance(said, str) else said
        for name, said in properties.items()
    }
    return {"type": "object", "properties": fields, "required": required.split()}


def integer(description: str) -> Mapping[str, Json]:
    """Return the schema of a whole number."""
    return {"type": "integer", "description": description}


def one_of(description: str, *allowed: str) -> Mapping[str, Json]:
    """Return the schema of a word among some."""
    return {"type": "string", "enum": list(allowed), "description": description}


def integers(description: str, most: int) -> Mapping[str, Json]:
    """Return the schema of a list of whole numbers."""
    return {"type": "array", "items": {"type": "integer"}, "maxItems": most, "description": description}


def text_of(arguments: Mapping[str, Json], name: str) -> str:
    """Return an argument that is a text; empty when it is missing."""
    value = arguments.get(name)
    return value.strip() if isinstance(value, str) else ""


def number_of(arguments: Mapping[str, Json], name: str, default: int, most: int) -> int:
    """Return an argument that is a number from 1 to `most`."""
    value = arguments.get(name)
    return max(1, min(value, most)) if isinstance(value, int) and not isinstance(value, bool) else default


def result(
    run: ToolRun,
    body: str,
    words: str,
    places: Sequence[Place] = (),
    *,
    is_more_beyond: bool = False,
    cards: tuple[Card, ...] = (),
) -> ToolResult:
    """Return a result no longer than there is room; a place whose text was cut away is not returned."""
    cut = body[: run.result_chars]
    kept = tuple(places)
    if len(body) > len(cut):
        kept = tuple(place for place in places if str(place.locator) in cut)
        cut = f"{cut}\n... cut here."
    text = f"{cut}\nbeyond: {'true' if is_more_beyond else 'false'}"
    return ToolResult(text, words, kept, is_more_beyond, cards=cards)


def refused(why: str) -> ToolResult:
    """Return the result of a call that makes no sense."""
    return ToolResult(f"error: {why}", _("nothing"), has_failed=True)


def words_of_call(call: ToolCall) -> str:
    """Return what a call looks for, for the reader's eyes."""
    values = [
        str(value)
        for name, value in call.arguments.items()
        if isinstance(value, str | int) and value and name not in _HOW
    ]
    return " ".join(" ".join(values).split())[:120]
