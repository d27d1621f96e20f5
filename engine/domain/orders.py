"""What a reader asks for in the wiki that nobody planned: an entry written anew, an entry, a topic."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.domain.wiki import PointId


class OrderKind(StrEnum):
    """What is asked for."""

    AGAIN = "again"
    """The entry of a point, written anew."""
    ENTRY = "entry"
    """An entry about a point that has none."""
    TOPIC = "topic"
    """A page on a matter that several points share."""


@dataclass(frozen=True, slots=True)
class Order:
    """Something asked for."""

    kind: OrderKind
    point: PointId | None = None
    """Of an entry; None for a topic."""
    title: str = ""
    """Of a topic."""


@dataclass(frozen=True, slots=True)
class OrderCost:
    """What it will cost."""

    tokens_low: int
    tokens_high: int
    money_low: float | None
    """None while no price is set."""
    money_high: float | None
