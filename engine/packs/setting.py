"""Where the places of a pack are in the reader's own books; everything is looked for in her text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.analysis.adding import occurrences
from engine.analysis.content import content_words
from engine.analysis.evidence import Desk
from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import DeepLink, Pos
from engine.domain.statements import Quote, QuoteHow
from engine.errors.packs import PackMismatchError
from engine.packs.records import Pack, PackEvidence
from engine.store import packs, points
from engine.store.connection import Connection
from engine.store.wiki import FoundEvidence
from engine.translate import _


def work_of_pack(r: Connection, pack: Pack) -> WorkId:
    """Return the work whose first books are the pack's first ones, the most of them.

    Raises:
        PackMismatchError: there is none.
    """
    best: tuple[int, WorkId] | None = None
    for work in packs.works_with_books(r):
        shared = sum(1 for _pair in _shared(r, work, pack))
        if shared and (best is None or shared > best[0]):
            best = (shared, work)
    if best is None:
        raise PackMismatchError(_(", ").join(book.title for book in pack.books[:5]))
    return best[1]


def _shared(r: Connection, work: WorkId, pack: Pack) -> Iterator[tuple[str, int]]:
    """Yield (first half of the pack's hash, book here) of the books both begin with."""
    for theirs, ours in zip(pack.books, packs.book_texts(r, work), strict=False):
        if theirs.sha256 != ours.sha256 and theirs.text_hash != ours.text_hash:
            return
        yield theirs.sha256[:16], ours.id


class Setting:
    """A work's text, in which the places of a pack are looked for."""

    def __init__(self, r: Connection, work: WorkId, pack: Pack, desk: Desk) -> None:
        self._work = work
        self.desk = desk
        self._documents: dict[tuple[str, int], DocumentId] = {}
        for sha16, book in _shared(r, work, pack):
            for document, spine in packs.documents_of(r, book).items():
                if desk.has(document):
                    self._documents[sha16, spine] = document

    def document(self, link: DeepLink) -> DocumentId | None:
        """Return the document of a place, None when she does not have it."""
        return self._documents.get((link.book_sha16, link.spine_index))

    def find(self, evidence: PackEvidence) -> FoundEvidence | None:
        """Return where a passage stands here: its words as her text has them; None when it does not stand there."""
        link = evidence.link
        document = self.document(link)
        found = None if document is None else self.desk.find(Quote(document, link.start, link.exact))
        if found is None:
            return None
        text = self.desk.block_text(found)
        block_start = found.start - (found.pos - (found.pos_end - len(text)))
        at = link.start - block_start
        if not 0 <= at < len(text) or not text.startswith(link.exact, at):
            at = found.start - block_start  # another edition, or the same words twice in a paragraph
        end = min(len(text), max(at + len(link.exact), at + link.end - link.start))
        pos = found.pos_end - len(text) + at
        start = block_start + at
        return FoundEvidence(
            found.document, start, block_start + end, pos, found.pos_end, text[at:end],
            evidence.how if found.how is QuoteHow.EXACT else found.how,
        )  # fmt: skip

    def pos(self, r: Connection, link: DeepLink) -> Pos | None:
        """Return the pos of a place, None when she does not have its document."""
        document = self.document(link)
        return None if document is None else points.pos_if_in_work(r, self._work, document, link.start)

    def block_at(self, link: DeepLink) -> FoundEvidence | None:
        """Return the paragraph at a place as evidence without words, None when there is none."""
        document = self.document(link)
        if document is None:
            return None
        return self.desk.at(FoundEvidence(document, link.start, link.start, 0, 0, "", QuoteHow.EXACT))

    def name_known_from(self, r: Connection, form: str, link: DeepLink | None) -> Pos | None:
        """Return from where on a name may be known, whatever its writer says: not before the text gives it.

        One that does not stand in the text waits for its end, unless the paragraph named has its words.

        Args:
            r: Any connection.
            form: The name.
            link: Where the pack says it is learned; None for one the text alone gives.

        Returns:
            None for a name that the text does not give, or of a place she does not have.
        """
        said = 0 if link is None else self.pos(r, link)
        if said is None:
            return None
        here = None if link is None else self.block_at(link)
        if here is not None and self._gives(here, form):
            return max(said, self.desk.known_from(form, (here,)))
        for _pos, document, start, end in islice(occurrences(r, self._work, form), 1):
            first = self.desk.at(FoundEvidence(document, start, end, 0, 0, form, QuoteHow.EXACT))
            if first is not None:
                return max(said, self.desk.known_from(form, (first,)))
        return None if here is None else max(said, here.pos_end, self.desk.analysed_end)

    def _gives(self, here: FoundEvidence, form: str) -> bool:
        """Say whether a paragraph has a name, or all the words of it."""
        text = self.desk.block_text(here)
        words = content_words(form)
        return form in text or (bool(words) and words <= content_words(text))
