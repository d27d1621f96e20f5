"""Reduce English words to a stem, so that a word is known again in another form."""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lsz")


def stem(word: str) -> str:
    """Return the stem of a folded word: "lamps" and "lamp's" as "lamp", "carried" and "carry" as "carri".

    Light on purpose: plural, possessive, -ed, -ing, -ly; two words of one stem are one word to a
    reader, which a stronger stemmer does not keep to. Words of other languages lose at most these endings.
    """
    word = word.removesuffix("'s").replace("'", "")
    if len(word) > 3:
        word = _singular(word)
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and not _VOWELS.isdisjoint(root):
            word = root[:-1] if root[-1] == root[-2] and root[-1] not in _KEPT_DOUBLE else root
            break
    if len(word) > 5:
        word = word.removesuffix("ly")
    if len(word) > 3:
        word = word.removesuffix("e")
    return f"{word[:-1]}i" if len(word) > 2 and word[-1] == "y" and word[-2] not in _VOWELS else word


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
