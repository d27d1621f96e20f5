"""Japanese people, places and organisations: which candidates are names, and of what."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.analysis.rules.japanese_runs import KANJI, Candidate
from engine.analysis.rules.japanese_words import (
    ALSO_IN_SURNAMES,
    COMMON,
    EXPECTED_AFTER,
    EXPECTED_BEFORE,
    FOREIGN_PLACE_ENDINGS,
    GIVEN_ENDINGS,
    HONORIFICS,
    KNOWN_CITIES,
    LEADS,
    OFTEN_AFTER_PLACES,
    ORGANISATION_ENDINGS,
    PLACE_ENDINGS,
    POLITE_NOUNS,
    ROLES,
    SPOKEN_HONORIFICS,
    SURNAMES,
)
from engine.analysis.rules.usage import Usage, learn_usage
from engine.domain.knowledge import PointKind

_NUMBER = re.compile(r"[〇一二三四五六七八九十百千万何幾数第両半毎]")
_NO_PERSON = ("時代", "以後", "以前", "以来", "年間", "世紀", "同様", "語", "族", "品", "焼", "弁")
"""What ends a word for a time, a tongue, a people, a land or a ware."""
_YEAR = re.compile(r".{0,2}[〇一二三四五六七八九十元]+年")
_SOUND = re.compile(r"(.{2,4}?)\1+|.*(.)\2{2,}.*|[ァ-ヺ]{1,3}ー|エヘン|ヘエ+")
_GLUED = "とのはがをにもへで"
"""Particles that seem to begin a name in hiragana: のとん子."""
_LAUGHTER = re.compile(r"(.)\1{2,}|[アイウエオハヒフヘホッー]+")
_KATAKANA = re.compile(r"[ァ-ヺー・＝=]+")
_KANJI_ONLY = re.compile(rf"[{KANJI}]+")
_MENS_ENDINGS = tuple(end for end in GIVEN_ENDINGS if len(end) > 1)
_SEVERAL = (
    "兄弟",
    "姉妹",
    "兄妹",
    "夫婦",
    "親子",
    "父子",
    "母子",
    "一家",
    "一行",
    "同士",
    "達",
    "等",
    "者",
    "人",
    "馬",
)
"""What ends a word for several, or for anybody from somewhere."""
_SURELY, _HARDLY = 0.8, 0.05
"""Shares of occurrences that a tagger takes for a place, and that stand under a title."""
_AROUND_PLACES = "中内外在辺前"
"""Behind the name of a place they mean what lies there: 江戸中."""
_NEVER = 99.0
"""No string is used so much like a name."""
_FOREIGN = re.compile(r"[ァ-ヺー]{3,}(?:[・＝=][ァ-ヺー]+)*")
_POLITE = re.compile(rf"[お御](?P<rest>[{KANJI}]+)")


def learn_person_usage(candidates: Mapping[str, Candidate]) -> Usage:
    """Learn how this text uses names from what stands under titles, or what a tagger takes for names."""
    seeds = [c for c in candidates.values() if not _is_no_name(c) and (_spoken(c) >= 2 or c.person > 0.9)]
    return learn_usage(
        (c.gram for c in seeds),
        (c.gram for c in candidates.values()),
        expected_before=EXPECTED_BEFORE,
        expected_after=EXPECTED_AFTER,
    )


def find_names(
    candidates: Mapping[str, Candidate], usage: Usage, *, fewest: int, is_tagged: bool
) -> dict[str, PointKind]:
    """Return the candidates that are names.

    Args:
        candidates: Strings that may be names.
        usage: How the text uses names of persons.
        fewest: How often a name comes to be judged by its use; rarer ones by what the tagger says alone.
        is_tagged: A tagger has seen the text; without it only titles, endings, lists and usage speak.
    """
    found: dict[str, PointKind] = {}
    kind: PointKind | None
    for form, candidate in candidates.items():
        if form in KNOWN_CITIES:
            found[form] = PointKind.PLACE
            continue
        if _is_no_name(candidate):
            continue
        if _is_land(form):
            kind = PointKind.PLACE if candidate.place + candidate.person > 0.5 else None
        elif candidate.gram.count < fewest:
            kind = _kind_of_rare(candidate)
        elif _is_person(candidate, score := usage.score(candidate.gram), is_tagged):
            kind = PointKind.PERSON
        else:
            kind = _kind_of_thing(candidate, score, is_tagged)
        if kind is not None:
            found[form] = kind
    return {form: kind for form, kind in found.items() if not _is_name_with_more(form, found, candidates)}


def _is_name_with_more(form: str, found: Mapping[str, PointKind], candidates: Mapping[str, Candidate]) -> bool:
    """Say whether a string is a known name and a word beside it: 突然鈴木, のとん子, ニーチェ見."""
    count = candidates[form].gram.count
    for cut in range(1, len(form)):
        lead, rest = form[:cut], form[cut:]
        if found.get(rest) is not PointKind.PERSON:
            continue
        is_word = lead in COMMON or lead in LEADS or lead[-1] == "々" or _SOUND.fullmatch(lead) is not None
        if (lead in _GLUED and "ぁ" <= rest[0] <= "ん") or (is_word and candidates[rest].gram.count >= count):
            return True
    if found[form] is PointKind.PLACE and _is_place_with_more(form, found):
        return True
    for cut in range(3, len(form)):
        lead, rest = form[:cut], form[cut:]
        is_foreign = _FOREIGN.fullmatch(lead) is not None and len(rest) == 1 and _KANJI_ONLY.fullmatch(rest) is not None
        if is_foreign and found.get(lead) is PointKind.PERSON:
            return True
    return False


def _is_place_with_more(form: str, found: Mapping[str, PointKind]) -> bool:
    """Say whether a string is a known place and a word beside it: 突然日本橋, 江戸中."""
    if form[-1] in _AROUND_PLACES and found.get(form[:-1]) is PointKind.PLACE:
        return True
    leads = (form[:cut] for cut in range(1, len(form) - 1) if found.get(form[cut:]) is PointKind.PLACE)
    return any(lead in LEADS or (len(lead) > 1 and lead in COMMON) for lead in leads)


def _kind_of_rare(candidate: Candidate) -> PointKind | None:
    """Judge a string of few occurrences: only what the tagger takes for a name, or a foreign word it does not know."""
    form = candidate.gram.form
    if form.endswith("祭") and candidate.unknown + candidate.place > 0.5:
        return PointKind.EVENT
    if (
        candidate.place > 0.5
        or candidate.locating
        or (_ends_like_a_place(form) and candidate.person + candidate.unknown > 0.5)
    ):
        return PointKind.PLACE
    if candidate.person >= 0.5 and (
        candidate.titled or ends_like_a_given_name(form) or not _KANJI_ONLY.fullmatch(form)
    ):
        return PointKind.PERSON
    is_odd = candidate.unknown > 0.5 or candidate.naming or (candidate.gram.count > 1 and candidate.ordinary < 0.5)
    return PointKind.CONCEPT if is_odd and _FOREIGN.fullmatch(form) and not _SOUND.fullmatch(form) else None


def _is_land(form: str) -> bool:
    """Say whether a form is the short name of a province: 房州."""
    return len(form) == len("房州") and form.endswith("州")


def _is_person(candidate: Candidate, score: float, is_tagged: bool) -> bool:
    """Say whether the first sign that speaks at all makes a candidate a person."""
    form = candidate.gram.form
    signs = (
        (
            _ends_like_a_place(form) and candidate.titled < 0.3,
            0.2 if form[-1] in ALSO_IN_SURNAMES and candidate.person + candidate.unknown > 0.5 else _NEVER,
        ),
        (candidate.place >= _SURELY and candidate.titled < _HARDLY, _NEVER),
        (_spoken(candidate) >= 2 and candidate.titled >= (0.3 if candidate.ordinary > 0.5 else 0.1), -0.3),
        (form[0] == "お" and _POLITE.fullmatch(form) is not None, 0.0 if candidate.ordinary < 0.5 else _NEVER),
        (form[0] == "御" and _POLITE.fullmatch(form) is not None, 0.3 if candidate.ordinary < 0.5 else _NEVER),
        (form.endswith(_MENS_ENDINGS) and candidate.person > 0.5, -_NEVER),
        (
            ends_like_a_given_name(form) and (candidate.ordinary < 0.5 or candidate.titled > 0.05),
            0.0 if candidate.person > 0.5 or not is_tagged else 0.2,
        ),
        (candidate.person >= 0.5 or (form in SURNAMES and candidate.place < 0.5), 0.2 - 10 * candidate.titled),
        (_KATAKANA.fullmatch(form) is not None and candidate.ordinary < 0.9, 0.3 if is_tagged else 0.5),
        (candidate.unknown > 0.5 and len(form) > 2, 0.2),
        (candidate.ordinary < 0.1 and candidate.gram.count >= 5, 0.8 if is_tagged else 0.9),
    )
    needed = next((threshold for applies, threshold in signs if applies), _NEVER)
    return score >= needed


def _kind_of_thing(candidate: Candidate, score: float, is_tagged: bool) -> PointKind | None:
    form = candidate.gram.form
    if form.endswith(_MENS_ENDINGS):
        return None
    is_foreign = _FOREIGN.fullmatch(form) is not None
    if candidate.locating and is_foreign and candidate.titled < 0.1:
        return PointKind.PLACE
    if candidate.ordinary > 0.5:  # a people or a kind of being, spoken of like a person
        return PointKind.CONCEPT if is_foreign and candidate.gram.count >= 5 and score >= 0.3 else None
    named = candidate.person + candidate.place + candidate.unknown
    if _ends_like_an_organisation(form, named):
        return PointKind.ORGANISATION
    if _is_place(candidate, named, is_tagged):
        return PointKind.PLACE
    return PointKind.CONCEPT if candidate.unknown > 0.5 and is_foreign and not _SOUND.fullmatch(form) else None


def _ends_like_an_organisation(form: str, named: float) -> bool:
    """Say whether a form ends so; a shop or house needs a name before it (荒物屋 is a trade)."""
    return (
        len(form) > 2
        and form.endswith(ORGANISATION_ENDINGS)
        and (named > 0.3 or (form[-1] not in "屋家" and len(form) > 3))
    )


def _is_place(candidate: Candidate, named: float, is_tagged: bool) -> bool:
    motion = sum(candidate.gram.after.get(char, 0) for char in OFTEN_AFTER_PLACES) / candidate.gram.count
    if candidate.place >= 0.5 or (candidate.person >= 0.5 and motion >= 0.15):
        return True
    if candidate.gram.form.endswith(FOREIGN_PLACE_ENDINGS) and not _FOREIGN.fullmatch(candidate.gram.form):
        return True
    return _ends_like_a_place(candidate.gram.form) and (named > 0.2 or (motion >= 0.2 and not is_tagged))


def _spoken(candidate: Candidate) -> int:
    return sum(n for title, n in candidate.titles.items() if title in SPOKEN_HONORIFICS)


def _ends_like_a_place(form: str) -> bool:
    return (
        len(form) > 2
        and form.endswith((*PLACE_ENDINGS, *ORGANISATION_ENDINGS))
        and not form.endswith(_MENS_ENDINGS)
        and form not in SURNAMES
    )


def ends_like_a_given_name(form: str) -> bool:
    """Say whether a form ends as given names do."""
    return form.endswith(_MENS_ENDINGS) or any(
        form.endswith(end) and len(form) >= (3 if end == "子" else 2) and form != end for end in GIVEN_ENDINGS
    )


def _is_number(candidate: Candidate) -> bool:
    """Say whether a string counts something: 一枚 and 七八, not 三平."""
    form = candidate.gram.form
    if _NUMBER.match(form) is None or max(candidate.person, candidate.place, candidate.titled + 0.2) >= 0.5:
        return False
    return not ends_like_a_given_name(form) or all(_NUMBER.match(char) for char in form)


def _is_no_name(candidate: Candidate) -> bool:
    form = candidate.gram.form
    polite = _POLITE.fullmatch(form)
    return (
        len(form) < 2
        or form in ROLES
        or form in COMMON
        or form in HONORIFICS
        or form.endswith((*_SEVERAL, *_NO_PERSON))
        or _LAUGHTER.fullmatch(form) is not None
        or _YEAR.fullmatch(form) is not None
        or _is_number(candidate)
        or (polite is not None and len(polite["rest"]) > 1 and candidate.person < 0.5)
        or (polite is not None and (polite["rest"] in POLITE_NOUNS or polite["rest"] in (*ROLES, *HONORIFICS)))
        or (form[:2] in ROLES and form[2:] in ROLES)
    )
