"""What is sent with a question: layers with a budget each, and a record of what went and what was cut.

- must: rules, question, selection, place, mode, contents and settings in brief;
- tools: what may be called;
- important: the entry in view, what she put beside the question, the last turns;
- nice: the text around her place;
- looked up: what tools return, with what the other layers leave.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from engine.domain.conversations import Layer, LayerPart
from engine.providers.answer import estimate_call
from engine.providers.protocols import AssistantMessage, Message, ModelCall, ToolSpec, UserMessage
from engine.text.tokens import estimate_tokens

SMALL_CONTEXT = 12_000
"""Tokens; below it fewer tools are offered, and results are short."""
_LEAST_RESULT_CHARS = 400


class LayerName(StrEnum):
    """The layers, in the order they are filled."""

    MUST = "must"
    TOOLS = "tools"
    IMPORTANT = "important"
    NICE = "nice"
    LOOKED_UP = "looked up"


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens each layer may take."""

    must: int
    important: int
    nice: int
    looked_up: int
    answer: int
    """Left for the answer."""
    is_small: bool
    result_chars: int
    """How long one result may be."""
    chars_per_token: float
    """Of the work's language; rather too few."""

    @classmethod
    def of(cls, context_tokens: int, language: str, most_result_chars: int) -> Budgets:
        """Share out what a model takes.

        Args:
            context_tokens: What a call and its answer may take together.
            language: Of the work.
            most_result_chars: How long a result is at most, however much room there is.
        """
        answer = min(4_000, context_tokens // 4)
        left = context_tokens - answer
        must, important, nice = left * 30 // 100, min(12_000, left * 25 // 100), min(4_000, left * 10 // 100)
        looked_up = left - must - important - nice
        per_token = 1.3 if language[:2] in ("zh", "ja", "ko") else 3.0
        chars = max(_LEAST_RESULT_CHARS, min(most_result_chars, int(looked_up * per_token) // 4))
        return cls(must, important, nice, looked_up, answer, context_tokens < SMALL_CONTEXT, chars, per_token)


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to send."""

    layer: LayerName
    name: str
    """In words, for the record."""
    text: str
    head: str = ""
    """What stands before it, in our words."""
    is_material: bool = False
    """Not ours: of the book, or of the reader's notes; it goes between marks."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of this conversation with what was shown as its answer."""

    question: str
    answer: str


@dataclass(slots=True)
class Record:
    """What went into a call, layer by layer."""

    budgets: Budgets
    parts: dict[LayerName, list[LayerPart]] = field(default_factory=dict)

    def add(self, layer: LayerName, name: str, tokens: int, cut: int = 0) -> None:
        """Enter a part."""
        self.parts.setdefault(layer, []).append(LayerPart(name, tokens, cut))

    def tokens(self, layer: LayerName) -> int:
        """Return what a layer takes so far."""
        return sum(part.tokens for part in self.parts.get(layer, ()))

    def layers(self) -> tuple[Layer, ...]:
        """Return the record."""
        budgets = self.budgets
        by_layer = {
            LayerName.MUST: budgets.must, LayerName.TOOLS: 0, LayerName.IMPORTANT: budgets.important,
            LayerName.NICE: budgets.nice, LayerName.LOOKED_UP: budgets.looked_up,
        }  # fmt: skip
        return tuple(
            Layer(str(layer), budget, self.tokens(layer), tuple(self.parts.get(layer, ())))
            for layer, budget in by_layer.items()
        )

    def result_chars(self) -> int:
        """Return how long the next result may be."""
        # What `must` and the tools took beyond their share is missing here.
        over = max(0, self.tokens(LayerName.MUST) + self.tokens(LayerName.TOOLS) - self.budgets.must)
        left = self.budgets.looked_up - over - self.tokens(LayerName.LOOKED_UP)
        return max(0, min(self.budgets.result_chars, int(left * self.budgets.chars_per_token)))


class Fence:
    """The marks around what is not ours: stable for one book, unknown to it."""

    def __init__(self, secret: bytes, words: str) -> None:
        self.marker = "=====" + hmac.new(secret, words.encode(), hashlib.sha256).hexdigest()[:16]

    def around(self, text: str) -> str:
        """Enclose a text."""
        return f"{self.marker}\n{text.replace(self.marker, '')}\n{self.marker}"


def compose(
    rules: str,
    pieces: Sequence[Piece],
    history: Sequence[Exchange],
    tools: Sequence[ToolSpec],
    budgets: Budgets,
    fence: Fence,
) -> tuple[tuple[Message, ...], Record]:
    """Put together what is sent.

    Args:
        rules: Our own words, sent as the system's.
        pieces: In the order they are sent; of a layer that is full, the later ones are cut first.
        history: Earlier turns, oldest first; the oldest are cut first.
        tools: What may be called.
        budgets: How much each layer may take.
        fence: Goes around what is not ours.
    """
    record = Record(budgets)
    record.add(LayerName.MUST, "rules", estimate_tokens(rules))
    if tools:
        record.add(LayerName.TOOLS, f"{len(tools)} tools", _tool_tokens(tools))
    limits = {
        LayerName.MUST: max(budgets.must, budgets.must + budgets.looked_up // 2),
        LayerName.IMPORTANT: budgets.important,
        LayerName.NICE: budgets.nice,
    }
    sent = [words for piece in pieces if (words := _fitted(piece, limits[piece.layer], record, fence))]
    said = _said_before(history, budgets.important, record)
    return (*said, UserMessage("\n\n".join(sent))), record


def _fitted(piece: Piece, limit: int, record: Record, fence: Fence) -> str:
    """Return a piece as it is sent, cut to what its layer has left; empty when nothing is left of it."""
    whole = estimate_tokens(piece.text)
    left = limit - record.tokens(piece.layer)
    text = piece.text if whole <= left else cut_to(piece.text, left)
    tokens = estimate_tokens(text)
    record.add(piece.layer, piece.name, tokens, whole - tokens)
    if not text:
        return ""
    body = fence.around(text) if piece.is_material else text
    return f"{piece.head}\n{body}" if piece.head else body


def cut_to(text: str, tokens: int) -> str:
    """Return the beginning of a text that takes so many tokens, whole lines where it has several."""
    if tokens <= 0:
        return ""
    length = len(text)
    while length and estimate_tokens(text[:length]) > tokens:
        length = min(length - 1, length * tokens // max(1, estimate_tokens(text[:length])))
    line = text.rfind("\n", 0, length)
    return text[: line if line > length // 2 else length].rstrip()


def _said_before(history: Sequence[Exchange], limit: int, record: Record) -> list[Message]:
    kept: list[Message] = []
    cut = taken = 0
    for exchange in reversed(history):
        tokens = estimate_tokens(exchange.question) + estimate_tokens(exchange.answer)
        if cut or record.tokens(LayerName.IMPORTANT) + taken + tokens > limit:
            cut += tokens
            continue
        taken += tokens
        kept[:0] = [UserMessage(exchange.question), AssistantMessage(exchange.answer or "-")]
    if history:
        record.add(LayerName.IMPORTANT, "earlier turns", taken, cut)
    return kept


def _tool_tokens(tools: Sequence[ToolSpec]) -> int:
    from engine.domain.models import ModelRole

    return estimate_call(ModelCall(ModelRole.COMPANION, "", (), tuple(tools)))
