"""Chinese places, organisations and terms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from engine.analysis.rules.checks import GoOn, carry_on, checked
from engine.analysis.rules.chinese_common import COMMON
from engine.analysis.rules.chinese_place_words import (
    CAMPS,
    ENDS_GIVEN_NAMES,
    EXPECTED_AFTER_PLACE,
    EXPECTED_BEFORE_PLACE,
    LONG_PLACE_ENDINGS,
    MOTION,
    ORGANISATION_ENDINGS,
    PLACE_COMMON,
    PLACE_ENDINGS,
    SETTLEMENTS,
    WITHIN_NO_PLACE,
)
from engine.analysis.rules.chinese_words import (
    COLLECTIVE,
    COMPOUND_SURNAMES,
    DOUBTFUL_SURNAMES,
    RANKS_OF_A_REALM,
    REALMS,
    ROLES,
    SURNAMES,
    TAILS,
)
from engine.analysis.rules.clusters import NameCluster
from engine.analysis.rules.grams import Gram
from engine.analysis.rules.usage import Usage, learn_usage
from engine.domain.knowledge import AliasKind, PointKind

_THRESHOLD = 0.6
"""Usage score a string without the ending of a place needs."""
_THRESHOLD_WITH_ENDING = 0.1
_PERSON_MALUS = 0.5
"""What three characters that begin like a person need more."""
_GRAMS_A_CHECK = 5000
_FOUND_A_CHECK = 50
_LEAST_ENTROPY = 1.2
_LONGEST = 6
_QUOTED = re.compile(r"《([^《》\n]{2,20})》|【([^【】\n]{2,14})】|[“「『‘]([\u3400-\u9fff·]{2,8})[”」』’]")
_GLYPH = re.compile(r"左.{1,2}右|上.{1,2}下|外.{1,2}内|左右结构|上下结构")
"""How an edition describes a character its font did not have."""
_MANY = 3
_INTERJECTION = frozenset("嗳哟哎呀啊呸嘻哈咕咚噗哧唉喂嗯哼呵请罢")


def learn_place_usage(grams: Mapping[str, Gram], ordinary: Mapping[str, float]) -> Usage:
    """Learn how this text uses names of places from strings with the ending of one."""
    words = [gram for gram in grams.values() if _is_bounded(gram)]
    seeds = [g for g in words if g.form not in ordinary and len(g.form) < 4 and _has_place_ending(g.form)]
    return learn_usage(
        seeds, words, expected_before=EXPECTED_BEFORE_PLACE, expected_after=EXPECTED_AFTER_PLACE
    )  # fmt: skip


def find_places(
    grams: Mapping[str, Gram],
    places: Usage,
    people: Usage,
    names: Mapping[str, int],
    ordinary: Mapping[str, float],
    go_on: GoOn = carry_on,
) -> dict[str, PointKind]:
    """Return the strings that name places and organisations.

    Args:
        grams: Recurring strings, simplified.
        places: How this text uses names of places.
        people: How it uses names of persons; what is used more like those is none of ours.
        names: Names of persons.
        ordinary: Ordinary words.
        go_on: Asked on the way.
    """
    found: dict[str, PointKind] = {}
    for gram in checked(grams.values(), go_on, _GRAMS_A_CHECK):
        form = gram.form
        if not _is_bounded(gram):
            continue
        if _is_family(gram):
            found[form] = PointKind.ORGANISATION
        if form in ordinary or _is_ordinary(form) or _is_of_a_person(form, names):
            continue
        score = places.score(gram)
        if _has_organisation_ending(form) and score > -_THRESHOLD:
            found[form] = PointKind.ORGANISATION
        elif score > people.score(gram) + _likeness_to_person(form) and score >= (
            _THRESHOLD_WITH_ENDING if _has_place_ending(form) else _THRESHOLD
        ):
            found[form] = PointKind.PLACE
    kinds = checked(found.items(), go_on, _FOUND_A_CHECK)
    return {form: kind for form, kind in kinds if not _is_part(form, found, grams)}


def _is_bounded(gram: Gram) -> bool:
    """Say whether a string is no piece of a longer one: no neighbour can be foreseen."""
    most = max((n for char, n in gram.after.items() if char), default=0)
    return min(gram.entropy_after, gram.entropy_before) > _LEAST_ENTROPY and most <= 0.5 * gram.count


def _is_of_a_person(form: str, names: Mapping[str, int]) -> bool:
    """Say whether a form is somebody's: a name with a word after it (曹操寨), or with the family name before it."""
    return form[:-1] in names or form[:-2] in names or (form[1:] in names and form[0] in SURNAMES)


def _likeness_to_person(form: str) -> float:
    """Return how much more a form needs that is built like a person's name, in nats."""
    if len(form) != 3 or form[0] not in SURNAMES or form[0] in DOUBTFUL_SURNAMES:
        return 0.0
    return _PERSON_MALUS * (3 if form[-1] in ENDS_GIVEN_NAMES else 1)


def _is_ordinary(form: str) -> bool:
    return (
        len(form) > _LONGEST
        or form in PLACE_COMMON
        or form in ROLES
        or form in COMMON
        or form[0] in MOTION
        or form[0] in COLLECTIVE
        or any(char in WITHIN_NO_PLACE for char in form[1:-1])
        or form[-1] in TAILS
        or (form[0] in TAILS and (form[0] not in SURNAMES or form[0] in DOUBTFUL_SURNAMES))
        or (len(form) == 2 and form[1] in CAMPS)
    )


def _has_place_ending(form: str) -> bool:
    return (len(form) > 1 and form[-1] in PLACE_ENDINGS and (form[-1] != "原" or len(form) > 2)) or (
        len(form) > 3 and form.endswith(LONG_PLACE_ENDINGS)
    )


def _has_organisation_ending(form: str) -> bool:
    return any(form.endswith(end) and len(form) > max(2, len(end)) for end in ORGANISATION_ENDINGS)


def _is_family(gram: Gram) -> bool:
    return (
        len(gram.form) == 2
        and gram.form[1] == "家"
        and gram.form[0] in SURNAMES - DOUBTFUL_SURNAMES
        and gram.free_before > 0.1
    )


def _is_part(form: str, found: Mapping[str, PointKind], grams: Mapping[str, Gram]) -> bool:
    """Say whether a form nearly always stands inside a longer one, or is one with a word added."""
    count = grams[form].count
    for other in found:
        if other != form and form in other and count < 1.3 * grams[other].count:
            return True
        if other != form and other in form and grams[other].count > 3 * count and not _has_place_ending(form):
            return True
    return False


def join_places(things: Mapping[str, PointKind]) -> list[NameCluster]:
    """Return a cluster for each thing; 荆州城 is 荆州 where both are places."""
    longer: dict[str, list[str]] = defaultdict(list)
    for form, kind in things.items():
        base = form[:-1]
        if kind is PointKind.PLACE and form[-1] in SETTLEMENTS and things.get(base) is PointKind.PLACE:
            longer[base].append(form)
    joined = {form for forms in longer.values() for form in forms}
    return [
        NameCluster(kind, form, dict.fromkeys([form, *longer.get(form, ())], AliasKind.FULL))
        for form, kind in things.items()
        if form not in joined
    ]


def find_realm_titles(grams: Mapping[str, Gram], places: Mapping[str, PointKind]) -> list[str]:
    """Return titles of rulers (魏主, 汉中王), which may pass from bearer to bearer."""
    return [
        form
        for form, gram in grams.items()
        if form[-1] in RANKS_OF_A_REALM
        and form[-1] not in "军兵将公后"
        and form not in ROLES
        and form not in COMPOUND_SURNAMES
        and (form[:-1] in REALMS or places.get(form[:-1]) is PointKind.PLACE)
        and gram.entropy_before > _LEAST_ENTROPY
        and (gram.entropy_after > _LEAST_ENTROPY or gram.free_after > 0.5)
    ]


def find_terms(text: str, ordinary: Mapping[str, float]) -> dict[str, int]:
    """Return works named in 《》 and terms the text keeps putting into quotes or brackets, with their counts.

    What stands in quotes after a colon or a verb of speech is somebody's words, no term.
    """
    titles, terms = Counter[str](), Counter[str]()
    for match in _QUOTED.finditer(text):
        if match[1]:
            titles[match[1]] += 1
        elif _INTERJECTION.isdisjoint(term := match[2] or match[3]) and not _GLYPH.match(term):
            terms[term] += 1
    kept = {form: n for form, n in titles.items() if n > 1}
    usual = (ordinary, ROLES, COMMON)
    kept.update({form: n for form, n in terms.items() if n >= _MANY and not any(form in words for words in usual)})
    return kept
