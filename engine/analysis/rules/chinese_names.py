"""How Chinese names are built: family name, given name, title."""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.rules.chinese_words import (
    COMPOUND_SURNAMES,
    DOUBTFUL_SURNAMES,
    KINSHIP_TITLES,
    OFFICE_TITLES,
    ORDERS,
    OWN_TITLES,
    SURNAMES,
)

TITLES = frozenset((*KINSHIP_TITLES, *OFFICE_TITLES, *OWN_TITLES))
MASTERS = frozenset("公")
"""A title of one character after a family name alone: Master Guan."""
_LONGEST_TITLE = max(map(len, TITLES))
_OWN_TITLES = frozenset(OWN_TITLES)
_KINSHIP_TITLES = frozenset(KINSHIP_TITLES)


@dataclass(frozen=True, slots=True)
class TitledName:
    """A family name or a part of a name, a numeral of the family's order if there is one, and a title."""

    stem: str
    title: str
    is_own: bool
    """The title makes a person of its own of it: a wife bears her husband's family name."""
    is_kinship: bool
    """The title may follow a part of a given name as well."""
    order: str
    """The place among brothers and sisters before the title: 二 in 琏二爷; empty without one."""


def family_name(form: str) -> str:
    """Return the family name a Chinese name of two or more characters begins with, or an empty string."""
    if len(form) > 2 and form[:2] in COMPOUND_SURNAMES:
        return form[:2]
    return form[0] if len(form) > 1 and form[0] in SURNAMES else ""


def split_title(form: str) -> TitledName | None:
    """Take 林姑娘, 琏二爷 or 王夫人 apart at the longest title; None when no title follows anything."""
    for size in range(min(_LONGEST_TITLE, len(form) - 1), 0, -1):
        title = form[-size:]
        if title in TITLES:
            stem = form[:-size]
            bare = stem.rstrip(ORDERS) if size < 3 else stem
            if not bare:
                return None
            return TitledName(bare, title, title in _OWN_TITLES, title in _KINSHIP_TITLES, stem[len(bare) :])
    return None


def is_surname_doubtful(form: str) -> bool:
    """Say whether the family name a form begins with is as often an ordinary word."""
    return len(family_name(form)) == 1 and form[0] in DOUBTFUL_SURNAMES


def given_name(form: str) -> str:
    """Return what follows the family name."""
    return form[len(family_name(form)) :]
