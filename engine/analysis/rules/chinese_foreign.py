"""Names in Chinese text that are no plain run of Han characters: households, dots, Latin letters."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.analysis.rules.chinese_names import family_name
from engine.analysis.rules.chinese_people import THRESHOLD, is_word
from engine.analysis.rules.grams import Gram, grams_of, without_followers
from engine.analysis.rules.groups import NameGroups
from engine.analysis.rules.usage import Usage
from engine.domain.knowledge import AliasKind

_HOUSEHOLD = "家的"
_DOT = r"[·•・‧⋅･＝=﹒]"
_HAN = r"[\u3400-\u9fff]"
_DOTTED = re.compile(rf"({_HAN}{{1,6}})((?:{_DOT}{_HAN}{{1,7}})+)")
_ANY_DOT = re.compile(_DOT)
_LETTER = "A-Za-zＡ-Ｚａ-ｚ"
_LATIN = re.compile(
    rf"(?<![{_LETTER}])(?:[阿小老大][A-ZＡ-Ｚ]|[A-Z][a-z]+(?:[ ·・][A-Z][a-z]+){{0,2}}|[Ａ-Ｚ][ａ-ｚ]+)(?![{_LETTER}])"
)
_MOST_BEARERS = 5


def find_households(text: str, grams: Mapping[str, Gram], usage: Usage, min_count: int) -> tuple[list[str], list[str]]:
    """Find 周瑞家的: the wife of a servant, named by his household.

    Returns:
        The households, and the names in them that are used like names apart from them.
    """
    stems = [
        form[:-1]
        for form, gram in grams.items()
        if form.endswith("家") and gram.after.get("的", 0) >= max(min_count, 0.7 * gram.count)
    ]
    named = [stem for stem in stems if family_name(stem + "家")]
    longest = [stem for stem in named if not any(other != stem and other.endswith(stem) for other in named)]
    places = (
        (m.start(), m.start() + len(stem) + 2)
        for stem in longest
        for m in re.finditer(re.escape(stem) + _HOUSEHOLD, text)
    )
    houses = [
        form
        for form, gram in grams_of(text, places, min_count).items()
        if is_word(gram) and usage.score(gram) >= THRESHOLD
    ]
    heads = [form[:-2] for form in houses if len(form) > 3 and form[:-2] in grams]
    return houses, [head for head in heads if _is_named_alone(without_followers(grams[head], "家"), usage, min_count)]


def _is_named_alone(gram: Gram, usage: Usage, min_count: int) -> bool:
    return gram.count >= min_count and is_word(gram) and usage.score(gram) >= 0


def find_latin_names(text: str, usage: Usage, min_count: int) -> dict[str, int]:
    """Find names in Latin letters, with a Han prefix (阿Q) or without."""
    grams = grams_of(text, (m.span() for m in _LATIN.finditer(text)), min_count)
    return {form: gram.count for form, gram in grams.items() if is_word(gram) and usage.score(gram) >= THRESHOLD / 2}


@dataclass(frozen=True, slots=True)
class DottedName:
    """A foreign name as the text writes it, and its segments."""

    form: str
    parts: tuple[str, ...]
    count: int


def find_dotted_names(text: str, known: Mapping[str, int]) -> list[DottedName]:
    """Find names written with a dot between their parts, cut off from the words around them."""
    lines = (line for line in text.split("\n") if _ANY_DOT.search(line))
    found = [_segments(m) for line in lines for m in _DOTTED.finditer(line)]
    first, last = Counter[str](), Counter[str]()
    for parts, _dots in found:
        first.update(parts[0][-k:] for k in range(1, len(parts[0]) + 1))
        last.update(parts[-1][:k] for k in range(1, len(parts[-1]) + 1))
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for parts, dots in found:
        trimmed = (_grow(parts[0][::-1], first, known, -1)[::-1], *parts[1:-1], _grow(parts[-1], last, known, 1))
        counts["".join(a + b for a, b in zip(trimmed, (*dots, ""), strict=True)), trimmed] += 1
    return [
        DottedName(form, parts, n) for (form, parts), n in counts.most_common() if n > 1 and sum(map(len, parts)) > 2
    ]


def _segments(match: re.Match[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    whole = match[0]
    return tuple(re.split(_DOT, whole)), tuple(re.findall(_DOT, whole))


def _grow(part: str, counts: Mapping[str, int], known: Mapping[str, int], step: int) -> str:
    """Take characters away from the dot as long as they belong: they come again, or make a known name."""
    best = 1
    for size in range(2, len(part) + 1):
        piece = part[:size][::step]
        if counts[piece] >= max(2, 0.6 * counts[part[:best][::step]]) or (piece in known and counts[piece] > 1):
            best = size
        else:
            break
    return part[:best]


def join_dotted_names(groups: NameGroups, dotted: list[DottedName], counts: Counter[str], text: str) -> None:
    """Add the names with a dot and give each part to the one it is a part of, or to all of them."""
    bearers: dict[str, list[str]] = defaultdict(list)
    for name in dotted:
        groups.add(name.form, AliasKind.FULL)
        counts[name.form] = name.count
        for part in name.parts:
            if len(part) > 1:
                bearers[part].append(name.form)
    for part, fulls in bearers.items():
        alone = counts[part] or sum(1 for _ in _alone(part, text))
        if alone < 2:
            continue
        counts[part] = alone
        kind = AliasKind.GIVEN if any(full.startswith(part) for full in fulls) else AliasKind.FAMILY
        if len({groups.group_of(full)[0] for full in fulls}) == 1:
            groups.add(part, kind)
            groups.set_kind(part, kind)
            groups.join(part, fulls[0])
        else:
            groups.share(part, kind, fulls[:_MOST_BEARERS])


def _alone(part: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<!{_DOT}){re.escape(part)}(?!{_DOT})", text)
