"""Strings that are a Chinese name and a word of the sentence beside it, or a piece of a longer name."""

from __future__ import annotations

from collections.abc import Mapping

from engine.analysis.rules.chinese_common import COMMON
from engine.analysis.rules.chinese_names import TITLES, family_name, given_name, is_surname_doubtful, split_title
from engine.analysis.rules.chinese_words import (
    COMPOUND_SURNAMES,
    DEEDS,
    DOUBTFUL_SURNAMES,
    LEADS,
    ROLES,
    SURNAMES,
    TAILS,
)
from engine.analysis.rules.grams import Gram
from engine.analysis.rules.usage import Usage

_FAR_MORE = 10
"""So many times rarer than the name it begins with, a string is no name of its own."""


def without_additions(
    names: set[str], grams: Mapping[str, Gram], usage: Usage, ordinary: Mapping[str, float]
) -> set[str]:
    """Drop names with a word of the sentence at their end or beginning: 贾母忙, 向贾母."""

    def is_more_common(part: str, name: str) -> bool:
        return part in names and grams[part].count > 0.6 * grams[name].count

    def is_added_to(name: str) -> bool:
        return any(
            (is_more_common(name[:k], name) and _is_followed(name[k:], usage, ordinary))
            or (name[:k] in names and name[k:] in names)
            or (is_more_common(name[-k:], name) and split_title(name) is None and _is_led(name[:-k], usage))
            for k in range(2, len(name))
        )

    return {name for name in names if not is_added_to(name)}


def without_verbs(names: set[str], grams: Mapping[str, Gram]) -> set[str]:
    """Drop a given name of one character with a verb (操怒), and a far more frequent name with a word (玄德谢)."""
    givens: dict[str, int] = {}
    for name in names:
        if family_name(name) and not is_surname_doubtful(name):
            givens[given_name(name)] = max(grams[name].count, givens.get(given_name(name), 0))

    def is_deed(name: str) -> bool:
        if len(name) != 2 or name[1] not in DEEDS:
            return False
        is_named = bool(family_name(name)) and not is_surname_doubtful(name)
        return givens.get(name[0], 0) > (_FAR_MORE * grams[name].count if is_named else 0)

    def is_longer(name: str) -> bool:
        return any(
            name[:k] in names
            and grams[name[:k]].count > _FAR_MORE * grams[name].count
            and not (name[k:] == "儿" or name[k:] in TITLES)
            for k in range(2, len(name))
        )

    return {name for name in names if not is_deed(name) and not is_longer(name)}


def _is_followed(rest: str, usage: Usage, ordinary: Mapping[str, float]) -> bool:
    """Say whether what stands after a name in a longer string is a word of the sentence."""
    if rest == "儿" or rest in TITLES:
        return False
    if len(rest) == 1:
        return rest in TAILS or rest in usage.followers
    return rest in ordinary or rest in ROLES or rest in COMMON or rest[0] in TAILS


def _is_led(lead: str, usage: Usage) -> bool:
    """Say whether what stands before a name in a longer string is a word of the sentence, no family name."""
    if (lead in SURNAMES and lead not in DOUBTFUL_SURNAMES) or lead in COMPOUND_SURNAMES:
        return False
    return len(lead) > 1 or lead in LEADS or lead in usage.leaders


def without_pieces(names: set[str], grams: Mapping[str, Gram]) -> set[str]:
    """Drop names that nearly always stand inside a longer one."""
    pieces: set[str] = set()
    for name in names:
        for size in range(2, len(name)):
            for i in range(len(name) - size + 1):
                piece = name[i : i + size]
                if piece in names and grams[piece].count < 1.3 * grams[name].count:
                    pieces.add(piece)
    return names - pieces
