"""The commands that show what is known, run over works with planted facts."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout

from engine.cli import main
from engine.domain.knowledge import PointKind
from engine.domain.locator import Pos, locator_from_text
from engine.spoilers.policy import Mode, Upto
from tests.planted import leaks_in
from tests.planted_seen import Seen, put_frontier
from tests.planting import Planted

_LOCATOR = re.compile(r"\bf\d+-\d+-\d+\b")
_POSITIONS = ("pos", "first", "reveal")
_IN_CONTENTS = "toc"
_BY_FRONTIER = (_IN_CONTENTS, "recap")
"""Have no bound of their own: they go by the reader's place and setting."""


def run_here(*words: str) -> tuple[int, str, str]:
    """Run a command inside this process; return its exit code, what it printed, and what it said beside."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _stream in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
    return code, out.read(), err.read()


def some_command(planted: Planted, rng: random.Random) -> list[str]:
    """Return a random command without its work, its bound and its mode."""
    name = rng.choice([*planted.points, *(fact.marker for fact in planted.facts if not fact.marker.startswith("FACT"))])
    volume = str(rng.randrange(len(planted.index.outline.volumes)) + 1)
    form = rng.choice([[], ["--json"]])
    return rng.choice(
        [
            ["entities", *form],
            ["resolve", rng.choice([name, f"{name}x", name[:3]]), *form],
            ["track", name, *form],
            ["search", rng.choice([name, "The ink said later"]), *form],
            ["search", rng.choice([name, "The ink said later"]), "--limit", "500", "--by-rank", *form],
            ["ask", rng.choice([name, "What did the ink say later?"]), "--on-spoiler", "read", *form],
            ["points", *form],
            ["points", rng.choice([name, str(planted.hero)]), *form],
            ["wiki", *rng.choice([form, ["--markdown"]])],
            ["wiki", rng.choice([name, str(planted.hero)]), *rng.choice([form, ["--markdown"]])],
            ["wiki", "--category", rng.choice([str(kind) for kind in PointKind]), *form],
            ["wiki", "--volume", volume, *form],
            ["wiki", "--index", *form],
            ["export", "wiki"],
            [_IN_CONTENTS, *form],
            ["recap", *form],
        ]
    )


def words_of(planted: Planted, command: list[str], upto: Upto, mode: Mode) -> list[str]:
    """Return the whole command line."""
    at = 2 if command[0] == "export" else 1
    words = [*command[:at], str(planted.work), *command[at:]]
    return words if command[0] in _BY_FRONTIER else [*words, "--upto", str(upto.place), "--spoilers", str(mode)]


def leaks_of(planted: Planted, pos: Pos, mode: Mode, command: list[str]) -> Iterator[str]:
    """Yield what a command tells a reader at a pos that she may not know.

    The words of the command itself stand in its answer where they mean nobody.
    """
    upto = planted.upto(pos)
    if command[0] in _BY_FRONTIER:
        put_frontier(planted, upto)
    code, out, err = run_here(*words_of(planted, command, upto, mode))
    if code not in range(6):
        yield f"{command} ended with {code}: {err}"
    # The first event of an answer says the question again.
    out = "\n".join(line for line in out.splitlines() if '"turn_started"' not in line)
    said = err
    for word in command[1:]:
        said = said.replace(word, "")
    is_answer = command[0] != _IN_CONTENTS
    places = [*_positions(out), *(_places(planted, out) if is_answer else ())]
    yield from leaks_in(planted, pos, mode, " ".join(command), Seen(out + said, places, _joined(out)))


def _places(planted: Planted, out: str) -> Iterator[Pos]:
    for text in _LOCATOR.findall(out):
        locator = locator_from_text(text)
        assert locator is not None
        yield planted.pos(locator)


def _records(out: str) -> Iterator[dict[str, object]]:
    if out.startswith("["):
        yield from json.loads(out)
    elif out.startswith("{"):
        yield from (json.loads(line) for line in out.splitlines())


def _positions(out: str) -> Iterator[Pos]:
    for record in _records(out):
        aliases = record.get("aliases")
        for each in (record, *(aliases if isinstance(aliases, list) else ())):
            yield from (value for key in _POSITIONS if isinstance(value := each.get(key), int))


def _joined(out: str) -> list[frozenset[str]]:
    found = []
    for record in _records(out):
        aliases = record.get("aliases")
        if isinstance(aliases, list):
            found.append(frozenset(str(alias["form"]) for alias in aliases))
    return found
