"""The names of a whole work, to tell whether a sentence speaks of it, and whether it says too much.

This holds what the reader may not know yet: it answers yes or no and is never shown.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.domain.locator import Pos
from engine.text.script import Script, script_of

_LEAST_LATIN = 3


class NamesOfWork:
    """Every form of every point, with the pos from which on it may be known."""

    def __init__(self, forms: Iterable[tuple[str, Pos]]) -> None:
        """Take the forms.

        Args:
            forms: (form, known from that pos on); the same form may stand for several points.
        """
        import ahocorasick_rs  # a native library the reading process never needs

        self._known_from: dict[str, Pos] = {}
        for form, pos in forms:
            if len(form) >= (2 if _is_dense(form[0]) else _LEAST_LATIN):
                self._known_from[form] = min(pos, self._known_from.get(form, pos))
        self._forms = list(self._known_from)
        leftmost = ahocorasick_rs.MatchKind.LeftmostLongest
        self._finder = ahocorasick_rs.AhoCorasick(self._forms, matchkind=leftmost)

    def is_about(self, words: str) -> bool:
        """Say whether words hold any name of the work."""
        return any(True for _form in self._in(words))

    def is_hidden(self, words: str, boundary: Pos) -> bool:
        """Say whether words hold a name that cannot be known at a boundary."""
        return any(self._known_from[form] > boundary for form in self._in(words))

    def forms_in(self, words: str) -> tuple[str, ...]:
        """Return the names in words, each once, the longest of those that overlap."""
        return tuple(dict.fromkeys(self._in(words)))

    def _in(self, words: str) -> Iterable[str]:
        for which, start, end in self._finder.find_matches_as_indexes(words):
            form = self._forms[which]
            if _is_dense(form[0]) or _stands_alone(words, start, end):
                yield form


def _stands_alone(words: str, start: int, end: int) -> bool:
    """Say whether a Latin word is not the middle of a longer one."""
    before, after = words[start - 1 : start], words[end : end + 1]
    return not (before.isalnum() and not _is_dense(before)) and not (after.isalnum() and not _is_dense(after))


def _is_dense(char: str) -> bool:
    """Say whether words of this script stand without spaces between them."""
    return bool(char) and script_of(char) in (Script.HAN, Script.KANA, Script.HANGUL)
