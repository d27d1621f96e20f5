"""Tell whether two books belong to one series: folded series names, comparable authors and languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_NO_LETTERS = re.compile(r"[\W_]+")
_ROLE = re.compile(r"[(（\[【][^)）\]】]*[)）\]】]|\b(?:by|author|illustrator|translator)\b[:：]?", re.IGNORECASE)


def series_key(name: str) -> str:
    """Return a series name reduced to what two books of it agree on: letters and digits, folded.

    A name without any letter or digit, such as "……", keeps its signs.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return _NO_LETTERS.sub("", folded) or folded.strip()


def are_compatible(authors: Iterable[str], language: str, other_authors: Iterable[str], other_language: str) -> bool:
    """Say whether books of one series name can be of the same series.

    They can when no language contradicts and an author is shared; what is not given contradicts nothing.
    """
    if language and other_language and _primary(language) != _primary(other_language):
        return False
    ours, theirs = ({_author_key(a) for a in names} - {""} for names in (authors, other_authors))
    return not ours or not theirs or bool(ours & theirs)


def _primary(language: str) -> str:
    return re.split(r"[-_]", language.casefold(), maxsplit=1)[0]


def _author_key(author: str) -> str:
    """Return a name's words in alphabetical order, so that "Tolkien, J. R. R." is "J.R.R. Tolkien"."""
    folded = unicodedata.normalize("NFKC", _ROLE.sub(" ", author)).casefold()
    return "".join(sorted(word for word in _NO_LETTERS.split(folded) if word))
