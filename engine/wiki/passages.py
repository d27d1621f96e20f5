"""Passages of the text around the places where somebody is named."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.domain.book import PICTURE_CHAR, Block, BlockKind, DocumentId
from engine.domain.locator import Locator, Pos
from engine.domain.reading import Slice
from engine.store import reading
from engine.store.connection import Connection
from engine.store.points import MentionRow
from engine.text.segment import ends_abbreviated, next_grapheme, sentence_spans

_BLANKS = re.compile(rf"[{PICTURE_CHAR}\t ]+")
_OPENING, _CLOSING, _TYPED = "“「『", "”」』", '"'
_INNER = str.maketrans({"“": "‘", "”": "’", "「": "『", "」": "』", _TYPED: "'"})
_BRACKETS_OPEN, _BRACKETS_CLOSE = "（([［【〔《〈", "）)]］】〕》〉"
_ENDS = ".!?。！？…"
_LONGEST_BRACKET = 300
"""A bracket longer than this is one that is never closed."""
_DASHES = re.compile(r"(?<=[.!?])(?:--+|—)(?=[“‘\"']?[A-Z])")
_GOES_ON = re.compile(r"\s*[a-zß-öø-ÿ]")
_GOES_ON_BEHIND_SPEECH = re.compile(r"(?:と|っ[てた]|など|なぞ|なん|の|を|は|が|に|も)")
"""「…。」と言った: the sentence is not over with the speech in it."""
_KANA = re.compile("[\u3041-\u30ff]")
_TYPED_ITALICS = re.compile(r"(?<![\w_])_([^\W_](?:[^_\n]{0,120}[^\s_])?)_(?![\w_])")
_LINES = re.compile(r" ?\n ?")
LONGEST_LATIN, LONGEST_WIDE = 300, 130
"""Characters of the longest quotation; in a script without spaces a character says more."""
_LATIN_SHORT, _WIDE_SHORT = 60, 24
"""A sentence below that is quoted with its neighbour."""


@dataclass(frozen=True, slots=True)
class BlockText:
    """A paragraph of the work, read up to its end."""

    document: DocumentId
    start: int
    """Document offset of `text[0]`."""
    pos: Pos
    """Of `text[0]`."""
    text: str
    is_heading: bool

    @property
    def pos_end(self) -> Pos:
        """Where it has been read."""
        return self.pos + len(self.text)


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a paragraph that hold a name."""

    block: BlockText
    start: int
    """Index in the block's text."""
    end: int
    name_start: int
    """Index in the block's text."""
    name_end: int
    is_cut_before: bool = False
    """Its sentence begins before it."""
    is_cut_behind: bool = False

    @property
    def words(self) -> str:
        """The words as the text has them."""
        return self.block.text[self.start : self.end]

    @property
    def pos(self) -> Pos:
        """Where the words begin."""
        return self.block.pos + self.start

    @property
    def locator(self) -> Locator:
        """The words in their document."""
        return Locator(self.block.document, self.block.start + self.start, self.block.start + self.end)


class Passages:
    """Paragraphs of a work that end at or before a boundary, inside one snapshot of the library."""

    def __init__(self, r: Connection, upto: Pos) -> None:
        self._r = r
        self._upto = upto
        self._slices: dict[DocumentId, list[Slice]] = {}
        self._blocks: dict[tuple[DocumentId, int], tuple[BlockText, Sequence[tuple[int, int]]]] = {}
        """Paragraphs with their sentences."""

    def around(self, mention: MentionRow) -> Passage | None:
        """Return the words around a mention; None where its paragraph has not been read to the end."""
        block = self.block_at(mention.document, mention.start)
        if block is None:
            return None
        key = (block.document, block.start)
        if key not in self._blocks:
            self._blocks[key] = block, sentences_of(block.text)
        block, sentences = self._blocks[key]
        return passage_around(block, mention.start - block.start, mention.end - block.start, sentences)

    def block_at(self, document: DocumentId, offset: int) -> BlockText | None:
        """Return the paragraph that holds an offset; None where its end has not been read."""
        piece = self._slice(document, offset)
        at = bisect_right(piece.blocks, offset, key=_start_of) - 1
        if at < 0:
            return None
        block = piece.blocks[at]
        text = piece.text[block.start - piece.start : block.end - piece.start]
        found = BlockText(
            document, block.start, piece.pos + block.start - piece.start, text, block.kind is BlockKind.HEADING
        )
        return found if found.pos_end <= self._upto else None

    def first_paragraph(self, document: DocumentId, offset: int) -> BlockText | None:
        """Return the first paragraph with letters at or behind an offset, titles passed over.

        None where it is not in the same stretch of the document, or its end has not been read.
        """
        piece = self._slice(document, offset)
        for block in piece.blocks:
            words = piece.text[block.start - piece.start : block.end - piece.start]
            if block.start >= offset and block.kind is not BlockKind.HEADING and any(map(str.isalpha, words)):
                return self.block_at(document, block.start)
        return None

    def _slice(self, document: DocumentId, offset: int) -> Slice:
        known = self._slices.setdefault(document, [])
        for piece in known:
            if piece.start <= offset < piece.end:
                return piece
        piece = reading.slice_at(self._r, document, offset, is_alone=True)
        known.append(piece)
        return piece


def _start_of(block: Block) -> int:
    return block.start


def sentences_of(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of a paragraph's sentences without the blanks around them."""
    spans: list[tuple[int, int]] = []
    begun = -1
    for start, end in sentence_spans(text):
        begun = start if begun < 0 else begun
        if end < len(text) and _is_not_over(text, begun, end):
            continue
        over = _before_next_speech(text, begun, end)
        spans.append(_without_blanks(text, begun, over))
        begun = over if over < end else -1
    if begun >= 0:
        spans.append(_without_blanks(text, begun, len(text)))
    return [part for start, end in spans for part in _at_dashes(text, start, end)]


def _at_dashes(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of what older printing runs together: "She rose.--Nobody spoke."."""
    for dashes in _DASHES.finditer(text, start, end):
        if not ends_abbreviated(text[start : dashes.start()]):
            yield start, dashes.start()
            start = dashes.end()
    if start < end:
        yield start, end


def _is_not_over(text: str, start: int, end: int) -> bool:
    """Say whether what looks like a sentence goes on behind its end."""
    if _GOES_ON.match(text, end):
        return True
    if text[end - 1] in _CLOSING and _GOES_ON_BEHIND_SPEECH.match(text, end):
        return True
    words = text[start:end]
    if words[-1] in _BRACKETS_CLOSE and words.lstrip()[:1] not in _BRACKETS_OPEN and words[-2:-1] in _ENDS:
        return True  # the bracket stands within a sentence
    opened = sum(map(words.count, _BRACKETS_OPEN)) - sum(map(words.count, _BRACKETS_CLOSE))
    return opened > 0 and end - start < _LONGEST_BRACKET


def _before_next_speech(text: str, start: int, end: int) -> int:
    """Return where a sentence ends that is followed by a speech: UAX #29 lets it end behind the mark that opens it."""
    while end > start + 1 and text[end - 1] in _OPENING:
        end -= 1
    return end


def _without_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    words = text[start:end]
    return start + len(words) - len(words.lstrip()), end - (len(words) - len(words.rstrip()))


def passage_around(block: BlockText, name_start: int, name_end: int, sentences: Sequence[tuple[int, int]]) -> Passage:
    """Return the sentence that holds a name, with the next one where it is short, cut where it is long.

    Args:
        block: The paragraph.
        name_start: Index in the block's text.
        name_end: Exclusive.
        sentences: Of the block's text, as `sentences_of` finds them.
    """
    text = block.text
    spans = sentences or [(0, len(text))]
    first = max(0, bisect_right(spans, (name_start, len(text))) - 1)
    start, end = spans[first]
    end = max(end, name_end)
    is_wide = is_wide_script(text)
    short, longest = (_WIDE_SHORT, LONGEST_WIDE) if is_wide else (_LATIN_SHORT, LONGEST_LATIN)
    if end - start < short and first + 1 < len(spans) and spans[first + 1][1] - start <= longest:
        end = spans[first + 1][1]
    whole = (start, end)
    if end - start > longest:
        start, end = _cut(text, start, end, name_start, name_end, longest)
    return Passage(block, start, end, name_start, name_end, start > whole[0], end < whole[1])


def _cut(text: str, start: int, end: int, name_start: int, name_end: int, longest: int) -> tuple[int, int]:
    """Return a part of a long sentence that holds the name, from where a clause begins to where a word ends."""
    if name_end - start > longest * 2 // 3:
        clause = max(text.rfind(sign, start, name_start) for sign in ",;:，；：、。—")
        start = clause + 1 if clause >= max(start, name_start - longest // 2) else max(start, name_start - longest // 4)
        while start < name_start and text[start].isspace():
            start += 1
    if end - start > longest:
        end = start
        limit = max(start + longest, name_end)
        while end < limit:
            end = next_grapheme(text, end)
        blank = text.rfind(" ", name_end, end)
        end = blank if blank > start + longest // 2 else end
    return start, end


def is_wide_script(text: str) -> bool:
    """Say whether a text is written without spaces between words: Han, kana, Thai and the like."""
    return text.count(" ") * 20 < len(text)


def shown_words(words: str) -> str:
    """Return words of the text as they are shown: without pictures and with single blanks; line ends stay.

    Underscores that stand for italics in a text typed by hand, as in "do _not_ marry", are left out.
    """
    return _TYPED_ITALICS.sub(r"\1", _LINES.sub("\n", _BLANKS.sub(" ", words))).strip()


def quoted(passage: Passage) -> str:
    """Return a passage as it is quoted: an ellipsis where its sentence goes on, quotation marks closed and opened."""
    before = "…" if passage.is_cut_before else ""
    behind = "…" if passage.is_cut_behind else ""
    return balanced(f"{before}{shown_words(passage.words)}{behind}")


def in_quotation_marks(words: str) -> str:
    """Return quoted words in the quotation marks of their script; marks within them become the inner ones.

    Words that are one speech from the first character to the last bring their own.
    """
    if _is_one_speech(words):
        return words
    opening, closing = "「」" if _KANA.search(words) else "“”"
    return f"{opening}{words.translate(_INNER)}{closing}"


def _is_one_speech(words: str) -> bool:
    """Say whether a quotation mark at the start is closed by the last character, not before."""
    if words[:1] == _TYPED:
        return words.find(_TYPED, 1) == len(words) - 1
    at = _OPENING.find(words[:1]) if words else -1
    if at < 0:
        return False
    depth = 0
    for number, char in enumerate(words):
        depth += (char == _OPENING[at]) - (char == _CLOSING[at])
        if depth == 0:
            return number == len(words) - 1
    return False


def balanced(words: str) -> str:
    """Add the quotation mark that opened before a passage, or closes behind it."""
    for opening, closing in zip(_OPENING, _CLOSING, strict=True):
        depth = 0
        for char in words:
            depth += (char == opening) - (char == closing)
            if depth < 0:
                words, depth = opening + words, 0
        words += closing * depth
    if words.count(_TYPED) % 2:
        words = f"{words}{_TYPED}" if words.startswith(_TYPED) else f"{_TYPED}{words}"
    return words
