"""The replies of a series as a model gives them that is asked to be brief: the same lines, as many as it may write."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

_NOTES = {5: 4, 4: 2, 3: 1, 2: 0, 1: 0, 0: 1}
"""Notes on a point by its importance; one of the roster whose importance is not said has one."""
_EVENTS, _RECAPS = 8, 3
_POINT = re.compile(r"#\w+(?: \w+)?(?: ([1-5]))?")
_IN_ONE = {
    "append_knowledge_points": ("points", "append"), "create_knowledge_points": ("points", "create"),
    "add_point_aliases": ("aliases", "aliases"),
}  # fmt: skip
"""What a tool takes in quality, and how it is called in the one answer there is in fast."""
_CITED = re.compile(r"\s*\[(n\d+(?:,n\d+)*)\]$")


def in_brief(replies: Iterable[Any]) -> list[Any]:
    """Return replies with less in them; notes that stay are cited by the numbers they have then."""
    brief = deepcopy(list(replies))
    numbers = _shorten(brief)
    by_unit = {each["unit"]: each for each in brief if each["stage"] == "write"}
    for each in brief:
        if each["stage"] == "volume":
            each["calls"] = [
                [id_, name, _renumbered_call(told, numbers), fault] for id_, name, told, fault in each["calls"]
            ]
        elif each["stage"] == "write" and each["unit"] != "home":
            last = by_unit.get(f"{each['unit']} round 2", each)  # nobody searches who has to be cheap
            each["calls"], each["text"] = [], _renumbered_entry(last["text"], numbers)
    for volume in {each["unit"].split()[0] for each in brief if each["stage"] == "volume"}:
        _settle_in_one([each for each in brief if each["stage"] == "volume" and each["unit"].split()[0] == volume])
    return brief


def _settle_in_one(rounds: list[Any]) -> None:
    """Put all that the rounds of a volume came to into the first; what was looked up is left out."""
    told: dict[str, Any] = {}
    for _id, name, arguments, _fault in [call for each in rounds for call in each["calls"]]:
        given = json.loads(arguments)
        if name == "submit_volume_summary":
            told |= given
        elif name in _IN_ONE:
            key, as_ = _IN_ONE[name]
            told.setdefault(as_, []).extend(given.get(key, []))
    rounds[0]["calls"] = [["c1", "submit_volume_summary", json.dumps(told, ensure_ascii=False), ""]]


def _shorten(replies: list[Any]) -> dict[int, int]:
    """Shorten what was read, and return the number of each note that stays by the one it had."""
    numbers: dict[int, int] = {}
    before = 0
    for each in (reply for reply in replies if reply["stage"] == "read"):
        kept: list[str] = []
        counts: Counter[str] = Counter()
        most = 0
        for line in each["text"].split("\n"):
            kind = line[:1]
            point = _POINT.match(line)
            if point is not None:
                most, counts["-"] = _NOTES[int(point[1] or 0)], 0
            key = line.partition(" ")[0] if kind == "@" else kind
            counts[key] += 1
            before += kind == "-"
            limit = {"-": most, "*": _EVENTS, "@": _RECAPS, "$": 0, "%": 0}.get(kind)
            if limit is not None and counts[key] > limit:
                continue
            if kind == "-":
                numbers[before] = len(numbers) + 1
            kept.append(line)
        each["text"] = "\n".join(kept)
    return numbers


def _renumbered_call(told: str, numbers: Mapping[int, int]) -> str:
    return json.dumps(_renumbered(json.loads(told), numbers), ensure_ascii=False)


def _renumbered(value: Any, numbers: Mapping[int, int]) -> Any:
    """Return the arguments of a tool with the notes there are; a sentence that rests on none is left out."""
    if isinstance(value, list):
        parts = [_renumbered(each, numbers) for each in value]
        return [each for each in parts if not (isinstance(each, dict) and each.get("notes") == [])]
    if not isinstance(value, dict):
        return value
    return {
        key: [numbers[n] for n in each if n in numbers] if key in ("notes", "discard") else _renumbered(each, numbers)
        for key, each in value.items()
    }


def _renumbered_entry(text: str, numbers: Mapping[int, int]) -> str:
    lines = (_renumbered_line(line, numbers) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _renumbered_line(line: str, numbers: Mapping[int, int]) -> str:
    """Return a line of an entry with the numbers its notes have now, empty when it rests on none of them."""
    cited = _CITED.search(line)
    if cited is None and not line.startswith("* "):
        return line
    told = line if cited is None else cited[1]
    stay = [f"n{numbers[n]}" for n in map(int, re.findall(r"\d+", told)) if n in numbers]
    if cited is None:
        return " ".join(["*", *stay])
    return f"{line[: cited.start()]} [{','.join(stay)}]" if stay else ""
