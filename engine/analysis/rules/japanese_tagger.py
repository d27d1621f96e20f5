"""fugashi with unidic-lite, where they are installed: what kind of word stands at each character."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from engine.analysis.rules.checks import GoOn, carry_on, checked

_KIND_OF_NOUN = {
    "固有名詞,人名": "p",
    "固有名詞,地名": "l",
    "固有名詞,一般": "x",
    "数詞,*": "d",
}
_KIND_OF_OTHER = {"接": "a", "記": "s", "補": "s"}
_FIELDS_OF_UNKNOWN = 6
_LINES_A_CHECK = 100
_one_at_a_time = threading.Lock()


class _Word(Protocol):
    surface: str
    feature_raw: str


@dataclass(frozen=True, slots=True)
class Tags:
    """One letter a character: the kind of the word that begins there, blank inside words.

    p name of a person, l of a place, x other name, n noun, u noun the dictionary does not have, d number, a affix,
    s sign, v anything else.
    """

    letters: str

    def kinds(self, start: int, end: int) -> str:
        """Return the kinds of the words that make up [start, end), a letter each; "?" when words cross its ends."""
        if self.letters[start : start + 1] == " " or self.letters[end : end + 1] == " ":
            return "?"
        return self.letters[start:end].replace(" ", "")


def hiragana_names(text: str, tags: Tags) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of words in hiragana that are tagged as names of persons."""
    for match in re.finditer(r"p[ ]+", tags.letters):
        start, end = match.span()
        if all("ぁ" <= char <= "ん" for char in text[start:end]):
            yield start, end


def tag(text: str, go_on: GoOn = carry_on) -> Tags | None:
    """Tag a text line by line; None when the tagger is not installed."""
    with _one_at_a_time:
        tagger = _tagger()
        if tagger is None:
            return None
        lines = checked(text.split("\n"), go_on, _LINES_A_CHECK)
        return Tags("\n".join("".join(_letters(line, tagger(line))) for line in lines))


@functools.cache
def _tagger() -> Callable[[str], list[_Word]] | None:
    """Open the tagger and its dictionary, once: MeCab gives none back (15 MB each), nor is it for two threads."""
    try:
        import fugashi  # an extra; a native library the reading process never needs
    except ImportError:
        return None
    try:
        tagger: Callable[[str], list[_Word]] = fugashi.Tagger()
    except RuntimeError:  # no dictionary beside it
        return None
    return tagger


def _letters(line: str, words: list[_Word]) -> Iterator[str]:
    done = 0
    for word in words:
        surface = word.surface
        if not line.startswith(surface, done):  # the tagger leaves out blanks
            start = line.find(surface, done)
            if start < 0:
                break
            yield " " * (start - done)
            done = start
        yield _kind(word.feature_raw).ljust(len(surface))
        done += len(surface)
    yield " " * (len(line) - done)


def _kind(feature: str) -> str:
    if feature[:2] != "名詞":
        # 接頭辞 and 接尾辞, but not 接続詞
        return _KIND_OF_OTHER.get(feature[0], "v") if feature[:2] != "接続" else "v"
    kind, sort = [*feature.split(",", 3)[1:3], "", ""][:2]
    if kind == "普通名詞":
        return "n" if feature.count(",") > _FIELDS_OF_UNKNOWN else "u"
    return _KIND_OF_NOUN.get(f"{kind},{sort}", "n")
