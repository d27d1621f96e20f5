"""Japanese names that are one: family and given names, titles, names with a dot, readings."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from engine.analysis.rules.clusters import Verdict
from engine.analysis.rules.groups import NameGroups
from engine.analysis.rules.japanese_pairs import compare_names
from engine.analysis.rules.japanese_people import ends_like_a_given_name
from engine.analysis.rules.japanese_runs import Candidate
from engine.analysis.rules.japanese_words import COMMON, GIVEN_ENDINGS, HONORIFICS, ROLES, SURNAMES
from engine.domain.knowledge import AliasKind, TextBlock
from engine.domain.locator import Pos

_MOST_TITLES = 3
_SAFE_SEGMENT = 3
"""A segment as long as this is a name wherever it stands; a shorter one may be a particle such as デル."""
_LEAST_SHARE = 0.05
"""A bare family name so many times as frequent as a full name may be somebody else's of the house."""
_MOST_BEARERS = 5
_SHORTEST = 2
_NEAR_CHARS = 10_000
_MOSTLY = 0.6
_SELDOM = 0.2
_SEPARATOR = re.compile(r"[・＝=]")


def group_people(people: Mapping[str, int], candidates: Mapping[str, Candidate], text: str) -> NameGroups:
    """Join the names of persons that are one, and share family names that several bear.

    Args:
        people: Names and how often they occur.
        candidates: All strings looked at; full names may be among the rare ones.
        text: The whole text.
    """
    groups = NameGroups()
    for form in people:
        groups.add(form, AliasKind.FULL)
    _join_full_names(groups, people, candidates)
    _join_dotted_names(groups, people, candidates)
    _join_shops(groups, people)
    _join_short_forms(groups, people, text)
    _join_old_titles(groups, people)
    _add_titled_forms(groups, people, candidates)
    return groups


def _join_full_names(groups: NameGroups, people: Mapping[str, int], candidates: Mapping[str, Candidate]) -> None:
    """Join 金田 and 富子 to 金田富子; a family name that several bear is shared."""
    by_family: dict[str, list[str]] = defaultdict(list)
    by_given: dict[str, list[str]] = defaultdict(list)
    for full, candidate in candidates.items():
        parts = _family_and_given(full, people, candidates) or _family_before_ending(full, people, candidates)
        if parts is not None and (candidate.gram.count > 1 or (parts[0] in people and candidate.person > 0.5)):
            by_family[parts[0]].append(full)
            if parts[1] in people:
                by_given[parts[1]].append(full)
            groups.add(full, AliasKind.FULL)
    for given, fulls in by_given.items():
        if len(fulls) == 1:
            groups.set_kind(given, AliasKind.GIVEN)
            groups.join(given, fulls[0])
    for family, all_fulls in by_family.items():
        fulls = [full for full in all_fulls if candidates[full].gram.count >= _LEAST_SHARE * people.get(family, 0)]
        if family not in people or not fulls:
            continue
        if len(fulls) == 1:
            groups.set_kind(family, AliasKind.FAMILY)
            groups.join(family, fulls[0])
        else:
            groups.share(family, AliasKind.FAMILY, sorted(fulls, key=lambda full: -people.get(full, 0))[:_MOST_BEARERS])


def _family_and_given(
    full: str, people: Mapping[str, int], candidates: Mapping[str, Candidate]
) -> tuple[str, str] | None:
    """Take a full name apart: a given name that is known, after a family name that is one or may be one."""
    for cut in range(1, len(full) - 1):
        family, given = full[:cut], full[cut:]
        if given not in people or family in COMMON or family in ROLES or family in HONORIFICS or family[0] in "お御":
            continue
        if (
            family in people
            or family in SURNAMES
            or (cut == 2 and full in people and _may_be_family(family, candidates))
        ):
            return family, given
    return None


def _family_before_ending(
    full: str, people: Mapping[str, int], candidates: Mapping[str, Candidate]
) -> tuple[str, str] | None:
    """Take a name apart whose given name never stands alone: a known family name, and what ends like a given one."""
    if full not in people:
        return None
    cuts = ((full[:cut], full[cut:]) for cut in range(2, len(full) - 1))
    fitting = (
        (family, given)
        for family, given in cuts
        if family in people
        and candidates[family].place < _SELDOM
        and not ends_like_a_given_name(family)
        and ends_like_a_given_name(given)
        and len(given) > 1
    )
    return next(fitting, None)


def _may_be_family(form: str, candidates: Mapping[str, Candidate]) -> bool:
    """Say whether a string is no word of the text by itself, or one that a tagger takes for a name."""
    return form not in candidates or candidates[form].person > 0.5


def _join_dotted_names(groups: NameGroups, people: Mapping[str, int], candidates: Mapping[str, Candidate]) -> None:
    """Join the segments of アンナ・カレーニナ that stand alone as well; shared ones are shared."""
    bearers: dict[str, list[str]] = defaultdict(list)
    for full in people:
        parts = _SEPARATOR.split(full)
        for part in parts if len(parts) > 1 else ():
            if part in people or (len(part) >= _SAFE_SEGMENT and part in candidates):
                groups.add(part, AliasKind.GIVEN)
                bearers[part].append(full)
    for part, fulls in bearers.items():
        kind = AliasKind.GIVEN if fulls[0].startswith(part) else AliasKind.FAMILY
        if len(fulls) == 1:
            groups.set_kind(part, kind)
            groups.join(part, fulls[0])
        else:
            groups.share(part, kind, fulls[:_MOST_BEARERS])


def _join_shops(groups: NameGroups, people: Mapping[str, int]) -> None:
    """Join 遠州屋才兵衛 to 才兵衛: the sign of the house stands before the name."""
    for form in people:
        shop, sign, given = form.partition("屋")
        if sign and len(shop) > 1 and given in people and form in groups and given in groups:
            groups.set_kind(form, AliasKind.TITLED)
            groups.join(form, given)


def _join_short_forms(groups: NameGroups, people: Mapping[str, int], text: str) -> None:
    """Join 伊之 to 伊之助, the only name that begins so, where the two stand near each other."""
    for short in people:
        longer = [form for form in people if form.startswith(short) and form != short and form in groups]
        if short not in groups or short in SURNAMES or len(longer) != 1 or len(short) < _SHORTEST:
            continue
        full = longer[0]
        is_ending = full[len(short) :] in GIVEN_ENDINGS
        if is_ending and not groups.are_one(short, full) and _stand_near(short, full, text):
            groups.set_kind(short, AliasKind.NICKNAME)
            groups.join(short, full)


def _stand_near(short: str, full: str, text: str) -> bool:
    """Say whether a short form mostly stands near the full one, and never beside it as somebody else."""
    if f"{short}と{full}" in text or f"{full}と{short}" in text:
        return False
    fulls = [match.start() for match in re.finditer(re.escape(full), text)]
    alone = [m.start() for m in re.finditer(rf"{re.escape(short)}(?!{re.escape(full[len(short) :])})", text)]
    at = (bisect_left(fulls, place) for place in alone)
    near = sum(
        any(abs(place - other) <= _NEAR_CHARS for other in fulls[max(0, i - 1) : i + 1])
        for i, place in zip(at, alone, strict=True)
    )
    return near >= _MOSTLY * len(alone)


def _join_old_titles(groups: NameGroups, people: Mapping[str, int]) -> None:
    """Join 東風子 to 東風: an old-fashioned title among men of letters."""
    for form in people:
        if form.endswith("子") and len(form) > 2 and form in groups and form[:-1] in groups:
            groups.set_kind(form, AliasKind.TITLED)
            groups.join(form, form[:-1])


def _add_titled_forms(groups: NameGroups, people: Mapping[str, int], candidates: Mapping[str, Candidate]) -> None:
    """Add 迷亭先生 to 迷亭: the titles that follow a name more than once."""
    for form in people:
        if form in groups and form in candidates:
            for title, n in Counter(candidates[form].titles).most_common(_MOST_TITLES):
                titled = form + title
                if n > 1 and titled not in groups and titled not in ROLES:
                    groups.add(titled, AliasKind.TITLED)
                    if compare_names(titled, form) is not Verdict.DIFFERENT or groups.kind_of(form) is AliasKind.GIVEN:
                        groups.join(titled, form)


def find_readings(blocks: Sequence[TextBlock], forms: Sequence[str]) -> dict[str, tuple[str, Pos]]:
    """Return the reading the ruby gives each form most often, and the end of the first block that gives it.

    A name whose parts carry a reading each is read as a whole.
    """
    wanted = set(forms)
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[tuple[str, str], Pos] = {}
    for block in blocks:
        runs = _ruby_runs(block)
        for i, (_start, _end, base, reading) in enumerate(runs):
            whole, said, end = base, reading, runs[i][1]
            for following in [None, *runs[i + 1 : i + 4]]:
                if following is not None:
                    if following[0] != end:
                        break
                    whole, said, end = whole + following[2], said + following[3], following[1]
                if whole in wanted:
                    seen[whole][said] += 1
                    first.setdefault((whole, said), block.pos_end)
    return {form: (said := counts.most_common(1)[0][0], first[form, said]) for form, counts in seen.items()}


def _ruby_runs(block: TextBlock) -> list[tuple[int, int, str, str]]:
    return [(ruby.start, ruby.end, block.text[ruby.start : ruby.end], ruby.reading) for ruby in block.readings]
