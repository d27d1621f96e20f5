"""English names of people, taken apart: title, given name, family name, gender."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from engine.analysis.rules.clusters import PersonName
from engine.analysis.rules.english_names import (
    FEMALE_TITLES,
    HONORIFIC_ENDINGS,
    MALE_RANKS,
    MALE_TITLES,
    PARTICLES,
    PATRONYMICS,
    SOFT_TITLES,
    TITLE_SPELLINGS,
    TITLES,
    full_forms,
    given_name_genders,
)

_ARTICLES = frozenset({"le", "la", "l'"})
_SHORTEST_PATRONYMIC = 6


def split_titles(form: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (canonical titles without "old", "dear" and the like, the words of the name as written).

    A name that is nothing but titles keeps its last word: "the Admiral".
    """
    words = form.split()
    titles: list[str] = []
    name, hyphen, ending = words[-1].rpartition("-") if words else ("", "", "")
    if hyphen and name and ending in HONORIFIC_ENDINGS:
        titles.append(ending)
        words[-1] = name
    while len(words) > 1 and _opens_with_title(words, titles):
        titles.append(plain_word(words.pop(0)))
    canonical = tuple(TITLE_SPELLINGS.get(title, title) for title in titles if title not in SOFT_TITLES | _ARTICLES)
    return canonical, tuple(words)


def _opens_with_title(words: Sequence[str], titles: Sequence[str]) -> bool:
    """Say whether a name goes on with a title: M. le Comte de Wardes."""
    first = plain_word(words[0])
    if first in _ARTICLES and titles:
        return len(words) > 2 and plain_word(words[1]) in TITLES
    return first in TITLES | SOFT_TITLES


def plain_word(word: str) -> str:
    """Return a word folded for look-up: lower case, no period."""
    return word.rstrip(".").lower()


def fold_part(part: str) -> str:
    """Return a part of a name folded for comparing: no case, accents, apostrophes, hyphens."""
    folded = part.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFD", folded)
    return "".join(char for char in folded.replace("st. ", "saint ") if char.isalnum() or char == " ")


def person_name(form: str, *, count: int = 0, first: int = 0, leaning: str = "", is_role: bool = False) -> PersonName:
    """Take an English name apart."""
    is_role = is_role or " of " in form
    titles, words = ((), tuple(form.split())) if is_role else split_titles(form)
    core = [word for word in words if word not in PARTICLES] or list(words)
    given, middle, family, single = "", "", "", ""
    if len(core) > 1 and not is_role:
        given, family = fold_part(core[0]), fold_part(core[-1])
        middle = fold_part(core[1]) if len(core) > 2 else ""
    else:
        single = fold_part(" ".join(core))
    gender = gender_of_titles(titles)
    return PersonName(
        form=form, titles=frozenset(titles), given=given, middle=middle, family=family, single=single,
        full_givens=_full_givens(given or single), gender=gender,
        leaning=patronymic_gender(core) or leaning or ("" if gender else gender_of_given(given or single)),
        count=count, first=first,
        is_common=(given or single) in _genders(), is_role=is_role,
    )  # fmt: skip


def patronymic_gender(words: Sequence[str]) -> str:
    """Return "m" or "f" where the second word of a name is a patronymic: Marfa Petrovna; else an empty string."""
    if len(words) < 2 or len(words[1]) < _SHORTEST_PATRONYMIC:
        return ""
    return next((gender for end, gender in PATRONYMICS.items() if words[1].lower().endswith(end)), "")


def gender_of_titles(titles: tuple[str, ...]) -> str:
    """Return "m" or "f" when a title says so."""
    if any(title in MALE_TITLES for title in titles):
        return "m"
    if any(title in FEMALE_TITLES for title in titles):
        return "f"
    return "m" if any(title in MALE_RANKS for title in titles) else ""


def gender_of_given(part: str) -> str:
    """Return the gender of a common given name, empty for others and for names of both."""
    return _genders().get(part, "")


def is_given_name(word: str) -> bool:
    """Say whether a word is a common English given name or a short form of one."""
    return word.lower() in _genders()


def _full_givens(part: str) -> frozenset[str]:
    return _fulls().get(part, frozenset()) | {part} if part else frozenset()


@cache
def _genders() -> Mapping[str, str]:
    return given_name_genders()


@cache
def _fulls() -> Mapping[str, frozenset[str]]:
    return full_forms()
