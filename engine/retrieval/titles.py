"""Titles before and behind a name, as far as they say whether two forms can name one person."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.text.fold import fold_words

_MALE_WORDS = "mr mister sir lord master monsieur m herr signor don king prince duke count baron uncle father brother"
_FEMALE_WORDS = (
    "mrs miss ms lady madam madame mme mlle mademoiselle frau fraulein signora dame queen princess duchess countess"
    " baroness aunt mother sister"
)
_NEUTRAL_WORDS = (
    "dr doctor prof professor captain capt colonel col major general gen lieutenant lieut lt sergeant sgt corporal"
    " admiral commander inspector superintendent detective constable reverend rev saint st judge president chief"
    " governor old young little poor dear cousin"
)
_MALE, _FEMALE, _NEUTRAL = (frozenset(words.split()) for words in (_MALE_WORDS, _FEMALE_WORDS, _NEUTRAL_WORDS))
_ENGLISH = _MALE | _FEMALE | _NEUTRAL
_ARTICLES = frozenset({"the", "a", "an"})
_PARTICLES = frozenset(("of", "and", "de", "la", "le", "du", "des", "van", "von", "der", "di", "da", "del", "y"))
_SUFFIXES = (
    *("さん", "さま", "様", "ちゃん", "くん", "君", "殿", "どの", "氏", "先生", "先輩", "師匠"),
    *("大人", "夫人", "小姐", "公子", "姑娘", "老爷", "将军", "丞相", "师兄", "师姐", "师父", "太太", "女士", "先生"),
)
"""A longer one stands before one it ends with."""
_FOLDED_SUFFIXES = tuple(dict.fromkeys(fold_words(suffix) for suffix in _SUFFIXES))
_TOKEN = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A folded form taken apart."""

    core: str
    """Without titles and articles; empty when there is nothing else."""
    tokens: tuple[str, ...]
    """Of the core."""
    gender: str = ""
    """"m" or "f" where a title tells."""
    has_title: bool = False

    def agrees_with(self, other: Parsed) -> bool:
        """Say whether no title of one excludes the other."""
        return not (self.gender and other.gender) or self.gender == other.gender


def parse_name(norm: str) -> Parsed:
    """Take a folded form apart: "mr. darcy" into darcy and a man's title, "綾さん" into 綾 and a title."""
    tokens = [token.removesuffix("'s").strip(".") for token in _TOKEN.findall(norm)]
    gender, has_title = "", False
    while tokens and (tokens[0] in _ARTICLES or (tokens[0] in _ENGLISH and len(tokens) > 1)):
        first = tokens.pop(0)
        has_title = has_title or first in _ENGLISH
        gender = gender or ("m" if first in _MALE else "f" if first in _FEMALE else "")
    if len(tokens) == 1:
        bare = _without_suffix(tokens[0])
        has_title = has_title or bare != tokens[0]
        tokens = [bare]
    return Parsed(" ".join(tokens), tuple(tokens), gender, has_title)


def is_no_name(token: str) -> bool:
    """Say whether a folded word is nothing but a title, an article or a particle, which many names hold."""
    return token in _ENGLISH or token in _ARTICLES or token in _PARTICLES


def _without_suffix(token: str) -> str:
    for suffix in _FOLDED_SUFFIXES:
        bare = token.removesuffix(suffix)
        if bare != token and len(bare) > 1:
            return bare
    return token
