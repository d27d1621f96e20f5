"""What two Chinese names tell by themselves: one person, two, or a question."""

from __future__ import annotations

from engine.analysis.rules.chinese_names import TitledName, family_name, given_name, split_title
from engine.analysis.rules.chinese_words import FEMALE_TITLES, MALE_TITLES, ORDERS
from engine.analysis.rules.clusters import Verdict
from engine.analysis.rules.segments import compare_segments
from engine.text.hanzi import simplify

_CALLING = "阿小老"
_LONGEST_GIVEN = 2
_ORDERED = frozenset("哥姐爷娘嫂妈叔伯姑")
"""What follows a number in titles of brothers and sisters: 二爷, 大嫂."""


def compare_names(a: str, b: str) -> Verdict:
    """Say what two forms alone tell; script and separators do not count.

    The same only where nobody else could be meant; a question where one form fits the other, but
    others may bear it; different where nothing in the forms joins them. What the text states (a
    courtesy name) is not asked here.
    """
    one, other = simplify(a), simplify(b)
    if one == other or _is_endearment(*sorted((one, other), key=len)):
        return Verdict.SAME
    by_segments = compare_segments(one, other)
    return by_segments if by_segments is not None else _compare_undotted(*sorted((one, other), key=len))


def _is_endearment(shorter: str, longer: str) -> bool:
    """Say whether the longer form is the other with 儿: 凤姐 and 凤姐儿."""
    return len(shorter) > 1 and longer == shorter + "儿"


def _compare_undotted(shorter: str, longer: str) -> Verdict:
    if shorter[:1] in _CALLING or longer[:1] in _CALLING:
        return _compare_called(shorter, longer)
    titles = split_title(shorter), split_title(longer)
    match titles:
        case (None, None):
            return _compare_plain(shorter, longer)
        case (None, TitledName() as titled):
            return _compare_title_with(shorter, titled)
        case (TitledName() as titled, None):
            return _compare_title_with(longer, titled)
        case (TitledName() as one, TitledName() as other):
            return _compare_titled(one, other)
    return Verdict.DIFFERENT


def title_gender(title: str) -> str:
    """Return "f" or "m" where a title says so, else an empty string."""
    return "f" if title in FEMALE_TITLES else "m" if title in MALE_TITLES else ""


def _compare_titled(a: TitledName, b: TitledName) -> Verdict:
    genders = {title_gender(a.title), title_gender(b.title)} - {""}
    if a.stem != b.stem or a.is_own != b.is_own or len(genders) > 1 or _order(a) != _order(b):
        return Verdict.DIFFERENT
    return Verdict.ASK


def _order(titled: TitledName) -> str:
    """Return the place among brothers and sisters a title speaks of: 二 in 二爷."""
    is_ordered = titled.title[0] in ORDERS and titled.title[1:] in _ORDERED
    return titled.order or (titled.title[0] if is_ordered else "")


def _compare_title_with(name: str, titled: TitledName) -> Verdict:
    """Compare a titled form with a name that has no title."""
    if titled.stem == name:
        return Verdict.DIFFERENT if titled.is_own else Verdict.SAME
    if titled.is_own:
        return Verdict.DIFFERENT
    given = given_name(name)
    if titled.stem in (family_name(name), given):
        return Verdict.ASK
    fits = titled.is_kinship and len(titled.stem) == 1 and len(given) <= _LONGEST_GIVEN and titled.stem in given
    return Verdict.ASK if fits else Verdict.DIFFERENT


def _compare_called(a: str, b: str) -> Verdict:
    """Compare 阿Q, 小王, 老李 with another form: the rest may be a family name or a part of a given one."""
    if a[0] in _CALLING and b[0] in _CALLING:
        return Verdict.DIFFERENT
    called, name = (a, b) if a[0] in _CALLING else (b, a)
    rest = called[1:]
    fits = rest in (family_name(name), given_name(name), name) or (len(rest) == 1 and rest in given_name(name))
    return Verdict.ASK if fits and split_title(name) is None else Verdict.DIFFERENT


def _compare_plain(shorter: str, longer: str) -> Verdict:
    family, given = family_name(longer), given_name(longer)
    if family and given == shorter and len(shorter) > 1:
        return Verdict.ASK
    # A given name of one character beside one of two: the second may be the courtesy name.
    may_be_courtesy = (
        len(family) > 0
        and family == family_name(shorter)
        and {len(given), len(given_name(shorter))} == {1, 2}
        and given[0] != given_name(shorter)[0]
    )
    return Verdict.ASK if may_be_courtesy else Verdict.DIFFERENT
