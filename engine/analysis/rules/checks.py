"""Long work that can be stopped: somebody is asked again and again whether to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

GoOn = Callable[[], None]
"""Asked at least every 200 ms of work; raises to stop it."""

_Item = TypeVar("_Item")


def carry_on() -> None:
    """Go on whatever happens: nobody asks to stop."""


def checked(items: Iterable[_Item], go_on: GoOn, every: int) -> Iterator[_Item]:
    """Yield `items`, asking before each `every` of them.

    Raises:
        Exception: Whatever `go_on` raises.
    """
    rest = iter(items)
    while some := list(islice(rest, every)):
        go_on()
        yield from some
