"""Dataclasses made the quicker way are the same as those of the standard library."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any

import pytest

from tests.commands import CHECKOUT
from tui.records import make_dataclasses_quickly

_Maker = Callable[[type], type]


@pytest.fixture
def quick() -> Iterator[None]:
    """Make them the quicker way during one test."""
    names = vars(dataclasses)
    before = names.get("_create_fn")
    if not make_dataclasses_quickly():
        pytest.skip("this Python compiles all methods of a dataclass at once")
    yield
    names["_create_fn"] = before


def _makers() -> dict[str, _Maker]:
    return {
        "frozen, slots": dataclass(frozen=True, slots=True),
        "frozen": dataclass(frozen=True),
        "slots": dataclass(slots=True),
        "plain": dataclass,
        "no eq": dataclass(eq=False),
        "ordered": dataclass(order=True, frozen=True),
        "hashed": dataclass(unsafe_hash=True),
        "keywords": dataclass(frozen=True, kw_only=True),
    }


def _two(maker: _Maker) -> tuple[Any, Any]:
    class One:
        """A record."""

        a: int
        b: str = "b"
        c: tuple[int, ...] = ()
        d: object = field(default=None, compare=False, repr=False)

    class Single:
        """A record of one field."""

        a: int

    return maker(One), maker(Single)


def _described(make: Callable[[], Any]) -> str:
    try:
        return repr(make())
    except (TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"


def _behaviour(maker: _Maker) -> list[str]:
    """Return what records do, in words."""
    one, single = _two(maker)
    x, same, other = one(a=1, b="x"), one(a=1, b="x", d=9), one(a=2)
    lone, lonely = single(a=5), single(a=5)
    recursive = one(a=1)
    object.__setattr__(recursive, "c", recursive)
    acts: list[Callable[[], Any]] = [
        lambda: x, lambda: lone, lambda: recursive, lambda: x == same, lambda: x == other, lambda: x != same,
        lambda: x == lone, lambda: lone == lonely, lambda: x.__eq__(3), lambda: hash(x) == hash(same),
        lambda: hash(lone) == hash((5,)), lambda: hash(x) == hash((1, "x", ())), lambda: x < other,
        lambda: setattr(x, "a", 3), lambda: setattr(x, "z", 3), lambda: delattr(x, "a"), lambda: delattr(x, "z"),
        lambda: dataclasses.replace(same, a=7), lambda: dataclasses.asdict(same), lambda: one.__match_args__,
    ]  # fmt: skip
    return [_described(act).replace("_two.<locals>.", "") for act in acts]


@pytest.mark.parametrize("kind", _makers())
@pytest.mark.usefixtures("quick")
def test_they_behave_alike(kind: str) -> None:
    quickly = _behaviour(_makers()[kind])
    vars(dataclasses)["_create_fn"], now = _stock(), vars(dataclasses)["_create_fn"]
    slowly = _behaviour(_makers()[kind])
    vars(dataclasses)["_create_fn"] = now
    assert quickly == slowly


def _stock() -> Any:
    cells = [cell.cell_contents for cell in vars(dataclasses)["_create_fn"].__closure__]
    return next(found for found in cells if getattr(found, "__name__", "") == "_create_fn")


@pytest.mark.usefixtures("quick")
def test_a_record_without_fields_is_possible() -> None:
    @dataclass(frozen=True, slots=True)
    class Nothing:
        """A record of nothing."""

    assert (Nothing() == Nothing(), hash(Nothing()) == hash(()), repr(Nothing()).endswith("Nothing()")) == (True,) * 3


@pytest.mark.usefixtures("quick")
def test_a_record_that_says_more_keeps_its_own_words() -> None:
    @dataclass(frozen=True)
    class Own:
        """A record with methods of its own."""

        a: int

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 1

    @dataclass(frozen=True)
    class Child(Own):
        """One more field."""

        b: int = 2

    assert (repr(Own(1)), hash(Own(1)), Child(1) == Child(1, 2), Child(1) == Own(1)) == ("own", 1, True, False)
    with pytest.raises(FrozenInstanceError):
        Child(1).b = 3  # type: ignore[misc]  # that is the point


@pytest.mark.usefixtures("quick")
def test_asking_twice_is_the_same_as_once() -> None:
    before = vars(dataclasses)["_create_fn"]
    make_dataclasses_quickly()
    assert vars(dataclasses)["_create_fn"] is before


def test_all_that_the_reader_loads_is_made_so() -> None:
    """On the way to the first page the slower way is left to what has to be quick afterwards."""
    code = (
        "import dataclasses; from tui.records import make_dataclasses_quickly\n"
        "left = []; stock = dataclasses._create_fn\n"
        "def _create_fn(name, *rest, **more):\n"
        "    left.append(name); return stock(name, *rest, **more)\n"
        "dataclasses._create_fn = _create_fn\n"
        "print(make_dataclasses_quickly()); import tui.start; print(sorted(set(left)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=CHECKOUT)
    needed, left = done.stdout.splitlines()
    assert needed == "False" or not {"__repr__", "__setattr__", "__delattr__"} & set(eval(left))
