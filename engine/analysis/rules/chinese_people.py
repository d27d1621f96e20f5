"""Chinese people: which recurring strings are used as the names of persons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from engine.analysis.rules.checks import GoOn, carry_on, checked
from engine.analysis.rules.chinese_common import COMMON
from engine.analysis.rules.chinese_cuts import without_additions, without_pieces, without_verbs
from engine.analysis.rules.chinese_names import MASTERS, family_name, given_name, is_surname_doubtful, split_title
from engine.analysis.rules.chinese_words import (
    ACTS,
    COLLECTIVE,
    COMPOUND_SURNAMES,
    DEEDS,
    EXPECTED_AFTER,
    EXPECTED_BEFORE,
    GROUP_ENDINGS,
    LEADS,
    NEVER_LAST,
    OF_A_REALM,
    ORDERS,
    OUTBURSTS,
    RANKS_OF_A_REALM,
    REALMS,
    ROLES,
    SPEECH,
    SURNAMES,
    TAILS,
    TITLE_ENDS,
    TRANSLITERATION,
)
from engine.analysis.rules.grams import Gram, is_han
from engine.analysis.rules.usage import Usage, learn_usage

THRESHOLD = 0.4
"""Usage score a string without a family name needs."""
_FEWEST_IN_ROWS = 0.1
"""Share of a name's occurrences that stand in rows of names."""
_ROW = re.compile(r"[\u3400-\u9fff]{2,4}(?:、[\u3400-\u9fff]{2,4})+")
_FAMILY_BONUS = 0.5
_DOUBTFUL_BONUS = 0.2
_COMPOUND_BONUS = 0.65
_LONG_MALUS = 0.2
_GRAMS_A_CHECK = 5000
_SPEAKER_BONUS = 0.15
_EMPEROR_BONUS = 0.8
_FEWEST_SPEECHES = 5
_FEWEST_ACTS = 0.06
"""Share of occurrences in which a string that is built like no name at all does what a person does."""
_TWO_LADIES = re.compile(".{0,2}[二两三](?:夫人|太太|位.*)")


def speech_share(gram: Gram) -> float:
    """Return how often somebody speaks, hears or feels right after a string, in [0, 1]."""
    return sum(n for pair, n in gram.after_pairs.items() if pair in SPEECH) / gram.count


def is_word(gram: Gram) -> bool:
    """Say whether a string is bounded on both sides like a word, not like a piece of one."""
    return (
        gram.entropy_after > 1.3
        and gram.free_before > 0.08
        and (gram.entropy_before > 1.0 or gram.free_before > 0.5)
    )  # fmt: skip


def _is_called(gram: Gram) -> bool:
    """Say whether a string is bounded as a form of address is: often by nothing but punctuation."""
    return (gram.entropy_after > 1.2 or gram.free_after > 0.4) and (gram.entropy_before > 1.0 or gram.free_before > 0.4)


def learn_person_usage(grams: Mapping[str, Gram], ordinary: Mapping[str, float], min_count: int) -> Usage:
    """Learn how this text uses names of persons from the strings that surely are some."""
    words = [gram for gram in grams.values() if is_word(gram)]
    seeds = {g.form: g for g in words if g.count >= 2 * min_count and _is_seed(g, ordinary)}
    whole = [g for g in seeds.values() if not any(g.form[:k] in seeds for k in range(2, len(g.form)))]
    return learn_usage(
        whole,
        (g for g in words if g.entropy_before > 1.2 and g.entropy_after > 1.5),
        expected_before=EXPECTED_BEFORE,
        expected_after=EXPECTED_AFTER,
    )


def _is_seed(gram: Gram, ordinary: Mapping[str, float]) -> bool:
    form = gram.form
    if _is_no_name(form) or form in ordinary or form[-1] in TAILS or len(form) > 4 or gram.entropy_after < 1.8:
        return False
    if family_name(form) and not is_surname_doubtful(form):
        return speech_share(gram) >= 0.04 and len(form) <= len(family_name(form)) + 2
    return speech_share(gram) >= 0.12 and gram.free_before > 0.4


def find_people(
    grams: Mapping[str, Gram],
    usage: Usage,
    ordinary: Mapping[str, float],
    go_on: GoOn = carry_on,
    *,
    introduced: Collection[str] = (),
    beside: Sequence[Sequence[str]] = (),
) -> dict[str, int]:
    """Return the strings that are names of persons, with how often they occur.

    Args:
        grams: Recurring strings, simplified.
        usage: How this text uses names.
        ordinary: Ordinary words and how much more evidence they need to be taken for a name.
        go_on: Asked on the way.
        introduced: Names that the text introduces as such.
        beside: Rows of strings that the text names one after the other.
    """
    looked_at = checked(grams.values(), go_on, _GRAMS_A_CHECK)
    words = {gram.form: gram for gram in looked_at if is_word(gram) or _is_named_after_title(gram)}
    kept = {form for form, gram in checked(words.items(), go_on, _GRAMS_A_CHECK) if _is_person(gram, usage, ordinary)}
    kept |= _in_rows(beside, kept, grams, ordinary)
    kept |= {form for form in introduced if form in grams}
    others = checked((gram for gram in grams.values() if gram.form not in kept), go_on, _GRAMS_A_CHECK)
    titled = {gram.form for gram in others if _is_titled(gram, kept, usage)}
    go_on()
    kept |= {
        form
        for form, gram in words.items()
        if len(given_name(form)) == 2
        and given_name(form) in kept
        and family_name(form)
        and not is_surname_doubtful(form)
    }
    names = without_verbs(kept | titled, grams)
    names = without_additions(names, grams, usage, ordinary)
    names = without_pieces(names, grams)
    return {form: grams[form].count for form in sorted(names, key=lambda form: (-grams[form].count, form))}


def names_in_rows(text: str, grams: Mapping[str, Gram]) -> list[list[str]]:
    """Return rows of recurring strings of two to four characters that stand between ideographic commas."""
    rows = []
    for match in _ROW.finditer(text):
        items = match[0].split("、")
        if is_han(text[match.start() - 1 : match.start()]):
            items = items[1:]
        if is_han(text[match.end() : match.end() + 1]):
            items.pop()
        row = [item for item in items if item in grams]
        if len(row) > 1:
            rows.append(row)
    return rows


def _in_rows(
    rows: Iterable[Sequence[str]], names: Collection[str], grams: Mapping[str, Gram], ordinary: Mapping[str, float]
) -> set[str]:
    """Return what has a family name and stands in rows of names again and again."""
    beside: Counter[str] = Counter()
    for row in rows:
        known = sum(item in names for item in row)
        beside.update(item for item in row if 2 * known >= len(row) and item not in names)
    return {
        form
        for form, n in beside.items()
        if n > 1
        and n >= _FEWEST_IN_ROWS * grams[form].count
        and form not in ordinary
        and family_name(form)
        and not is_surname_doubtful(form)
        and len(form) <= len(family_name(form)) + 2
        and not _is_no_name(form)
    }


def _is_named_after_title(gram: Gram) -> bool:
    """Say whether a name stands bounded behind titles and kinship (后主刘禅, 次子孙权) more than anywhere else."""
    free = gram.free_before + sum(gram.before.get(char, 0) for char in TITLE_ENDS) / gram.count
    return (
        free > 0.5
        and (gram.entropy_after > 1.3 or gram.free_after > 0.4)
        and len(gram.form) <= len(family_name(gram.form)) + 2
        and bool(family_name(gram.form))
        and not is_surname_doubtful(gram.form)
    )


def _is_no_name(form: str) -> bool:
    return (
        form in ROLES
        or form in COMMON
        or form.endswith(GROUP_ENDINGS)
        or (form[0] in REALMS and form[1] in RANKS_OF_A_REALM and _is_of_a_realm(form))
        or (len(form) > 3 and not _is_long_name(form))
        or (form[0] in COLLECTIVE and form[0] not in SURNAMES and (form[0] not in ORDERS or form[1] in "人位个名将"))
        or ((form[:-1] in COMMON or form[1:] in COMMON) and (not family_name(form) or is_surname_doubtful(form)))
        or (form[:-1] in ROLES and form[-1] in TAILS | DEEDS)
        or (form[-2:] in OUTBURSTS and len(form) > 2)
        or (len(form) > 2 and form[-1] == "人" and not family_name(form))
        or form[0] == "帝"
        or (len(form) == 2 and form[1] in "家人" and bool(family_name(form)))
        or (form[:-1] in COMMON and form[-1] in "人事家")
        or (form[0] in REALMS and form[1] in (OF_A_REALM if len(form) == 2 else "主帝兵军"))
        or (form[0] in "诸众" and not form.startswith("诸葛"))
        or (form[-1] in NEVER_LAST and not _is_foreign(form))
        or _TWO_LADIES.fullmatch(form) is not None
    )  # fmt: skip


def _is_of_a_realm(form: str) -> bool:
    """Tell 魏主 and 魏王曹 from a master of that family name (曹公)."""
    return (form[1] not in MASTERS or form[0] not in SURNAMES) if len(form) == 2 else form[2] in SURNAMES


def _is_long_name(form: str) -> bool:
    """Say whether four characters and more can be a name: of foreign sounds, or under a double family name or title."""
    return (
        form[:2] in COMPOUND_SURNAMES
        or split_title(form) is not None
        or sum(char in TRANSLITERATION for char in form) >= 0.75 * len(form)
    )


def _is_person(gram: Gram, usage: Usage, ordinary: Mapping[str, float]) -> bool:
    form = gram.form
    if _is_no_name(form):
        return False
    malus = ordinary.get(form, 0.0)
    if family_name(form) and malus < 0.5:
        malus = 0.0
    if form in ordinary and family_name(form) and not speech_share(gram) and _act_share(gram) < _FEWEST_ACTS:
        return False
    if malus and (speech_share(gram) < 0.05 or gram.free_before < 0.2):
        return False
    if not family_name(form) and ((len(form) == 2 and form[-1] in TAILS) or form[0] in COLLECTIVE):
        malus += 0.4
    if not _is_built_like_a_name(form) and (speech_share(gram) == 0 or _act_share(gram) < _FEWEST_ACTS):
        return False
    eased = (_SPEAKER_BONUS if _speaks_up(gram) else 0.0) + (_EMPEROR_BONUS if _is_emperor(form) else 0.0)
    return usage.score(gram) >= _threshold(form) + malus - eased


def _speaks_up(gram: Gram) -> bool:
    """Say whether somebody often speaks or acts right after a string that often begins a clause."""
    share = speech_share(gram)
    return (
        share >= 0.1 and share * gram.count >= _FEWEST_SPEECHES and _act_share(gram) >= 0.2 and gram.free_before >= 0.4
    )


def _is_emperor(form: str) -> bool:
    """Say whether a form is built like the name an emperor is remembered by: 献帝."""
    return len(form) == 2 and form[1] == "帝" and form[0] not in (TAILS | LEADS | REALMS)


def _is_built_like_a_name(form: str) -> bool:
    return bool(family_name(form)) or _is_foreign(form) or form[0] in "阿小老" or form[-1] == "儿"


def _act_share(gram: Gram) -> float:
    return sum(gram.after.get(char, 0) for char in ACTS) / gram.count


def _threshold(form: str) -> float:
    family = family_name(form)
    if len(family) == 2:
        return THRESHOLD - _COMPOUND_BONUS
    if _is_foreign(form):
        return THRESHOLD - (_FAMILY_BONUS if len(form) > 2 else _DOUBTFUL_BONUS)
    needed = THRESHOLD + (_LONG_MALUS if len(form) > 3 else 0)
    if not family:
        return needed
    return needed - (_DOUBTFUL_BONUS if is_surname_doubtful(form) else _FAMILY_BONUS)


def _is_foreign(form: str) -> bool:
    """Say whether all characters are of those that foreign names are written with."""
    return all(char in TRANSLITERATION for char in form)


def _is_titled(gram: Gram, names: Iterable[str], usage: Usage) -> bool:
    """Say whether a string is a title after a family name or a part of a known name."""
    parts = split_title(gram.form)
    if parts is None or _is_no_name(gram.form) or gram.form[0] in COLLECTIVE or not _is_called(gram):
        return False
    if family_name(parts.stem + "某") == parts.stem and not is_surname_doubtful(gram.form):
        return usage.score(gram) > THRESHOLD - (1.0 if len(parts.title) > 1 else 0.5)
    if len(parts.title) == 1 and not parts.order:
        return False
    return any(parts.stem == name or (parts.is_kinship and parts.stem in given_name(name)) for name in names)
