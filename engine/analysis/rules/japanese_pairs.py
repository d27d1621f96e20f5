"""What two Japanese names tell by themselves: one person, two, or a question."""

from __future__ import annotations

import unicodedata

from engine.analysis.rules.clusters import Verdict
from engine.analysis.rules.japanese_words import (
    FEMALE_ENDINGS,
    FEMALE_TITLES,
    GIVEN_ENDINGS,
    HONORIFICS,
    MALE_TITLES,
    ORGANISATION_ENDINGS,
    OWN_TITLES,
    PLACE_ENDINGS,
    SURNAMES,
)
from engine.analysis.rules.segments import compare_segments

_TITLES = tuple(sorted(HONORIFICS, key=len, reverse=True))
_MALE_ENDINGS = tuple(end for end in GIVEN_ENDINGS if end not in FEMALE_ENDINGS)
_TO_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}


def compare_names(a: str, b: str) -> Verdict:
    """Say what two forms alone tell; width and separators do not count.

    The same only where nobody else could be meant: a name with and without an honorific, as long as
    it is no common family name. A question where one form fits the other, but others may bear it;
    different where nothing in the forms joins them.
    """
    one, other = (unicodedata.normalize("NFKC", form) for form in (a, b))
    if one == other:
        return Verdict.SAME
    (stem, title), (stem_b, title_b) = split_title(one), split_title(other)
    if {title, title_b} & OWN_TITLES and title != title_b:
        return Verdict.DIFFERENT
    if _are_opposed(gender_of(stem, title), gender_of(stem_b, title_b)):
        return Verdict.DIFFERENT
    if stem == stem_b:
        return Verdict.ASK if stem in SURNAMES else Verdict.SAME
    by_segments = compare_segments(stem, stem_b)
    if by_segments is not None:
        return by_segments
    return _compare_stems(*sorted((stem, stem_b), key=len))


def split_title(form: str) -> tuple[str, str]:
    """Return (name, honorific); the honorific is empty when there is none."""
    title = next((title for title in _TITLES if form.endswith(title) and len(form) > len(title)), "")
    return form[: len(form) - len(title)], title


def gender_of(stem: str, title: str) -> str:
    """Return "f" or "m" where the honorific, or else the end of the given name, says so; else an empty string."""
    if title in FEMALE_TITLES or title in MALE_TITLES:
        return "f" if title in FEMALE_TITLES else "m"
    if len(stem) > 2 and stem not in SURNAMES:
        return "f" if stem.endswith(FEMALE_ENDINGS) else "m" if stem.endswith(_MALE_ENDINGS) else ""
    return ""


def _are_opposed(a: str, b: str) -> bool:
    return {a, b} == {"f", "m"}


def _compare_stems(shorter: str, longer: str) -> Verdict:
    if shorter.translate(_TO_HIRAGANA) == longer.translate(_TO_HIRAGANA):
        return Verdict.ASK  # カオル and かおる
    if longer in ("お" + shorter, "御" + shorter):
        return Verdict.ASK
    is_kanji = "\u3400" <= longer[0] <= "\u9fff" and "\u3400" <= shorter[0] <= "\u9fff"
    family = longer[: -len(shorter)] if longer.endswith(shorter) else ""
    given = longer[len(shorter) :] if longer.startswith(shorter) else ""
    if given in PLACE_ENDINGS or given in ORGANISATION_ENDINGS:
        return Verdict.DIFFERENT
    if is_kanji and len(shorter) > 1 and (len(family) > 1 or (given and shorter in SURNAMES)):
        return Verdict.ASK
    return Verdict.DIFFERENT
