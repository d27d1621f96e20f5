"""The numbered passages of a page: one place, one number."""

from __future__ import annotations

from engine.domain.locator import Locator, Pos
from engine.domain.wiki import Cite, Source, Sources
from engine.retrieval.where import Whereabouts
from engine.wiki.passages import Passage, balanced, in_quotation_marks, is_wide_script, shown_words

_LATIN_CHARS, _WIDE_CHARS = 70, 30


class Numbering:
    """Gives out numbers while a page is made."""

    def __init__(self, where: Whereabouts) -> None:
        self._where = where
        self._by_place: dict[Locator, Source] = {}

    def cite(self, locator: Locator, pos: Pos, quote: str) -> Cite:
        """Return the reference to a passage, a new number for a new place.

        Args:
            locator: Of the passage.
            pos: Where it begins.
            quote: Its words; the list of sources shows the beginning.
        """
        source = self._by_place.get(locator)
        if source is None:
            source = Source(len(self._by_place) + 1, locator, pos, self._where.short(pos), _in_brief(quote))
            self._by_place[locator] = source
        return Cite(source.number, locator, pos)

    def cite_passage(self, passage: Passage) -> Cite:
        """Return the reference to a passage of the text."""
        return self.cite(passage.locator, passage.pos, passage.words)

    @property
    def positions(self) -> tuple[Pos, ...]:
        """Where the passages stand."""
        return tuple(source.pos for source in self._by_place.values())

    def sources(self) -> Sources:
        """Return what stands under the page."""
        return Sources(tuple(self._by_place.values()))


def _in_brief(quote: str) -> str:
    words = shown_words(quote).replace("\n", " ")
    longest = _WIDE_CHARS if is_wide_script(words) else _LATIN_CHARS
    if len(words) > longest:
        blank = words.rfind(" ", longest // 2, longest)
        words = words[: blank if blank > 0 else longest].rstrip(" ,;:，；：、") + "…"
    return in_quotation_marks(balanced(words))
