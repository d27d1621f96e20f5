"""Draw the rows of a search: the line of counts, by what and where it is searched, hits with what was found marked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from engine.domain.finds import ChapterFind, EntryFind, SearchReach
from engine.domain.hits import SearchHit, SearchMode
from engine.domain.notes import NoteKind, ShownNote
from engine.text.fold import fold, fold_words
from engine.text.normalize import nfc
from engine.text.sanitize import sanitize_line
from engine.translate import N_, _, grouped
from tui.render.cells import cell_width, fit_cells
from tui.render.lookup_rows import KIND_WORDS
from tui.render.search_list import Group, Listed
from tui.render.snippets import Marks, fit_snippet

MODES: Mapping[SearchMode, str] = {
    SearchMode.LEXICAL: N_("words"),
    SearchMode.SEMANTIC: N_("meaning"),
    SearchMode.HYBRID: N_("both"),
}
"""In the order one key leads through them; marked for translation."""
REACHES: Mapping[SearchReach, str] = {
    SearchReach.VOLUME: N_("this volume"),
    SearchReach.WORK: N_("this work"),
    SearchReach.LIBRARY: N_("all works"),
}
GROUP_WORDS: Mapping[Group, str] = {
    Group.TEXT: N_("Text"),
    Group.WIKI: N_("Wiki"),
    Group.CHAPTERS: N_("Chapters"),
    Group.NOTES: N_("Notes"),
}
_NOTE_WORDS: Mapping[NoteKind, str] = {
    NoteKind.HIGHLIGHT: N_("highlight"),
    NoteKind.ANNOTATION: N_("comment"),
    NoteKind.EXCERPT: N_("excerpt"),
    NoteKind.JOTTING: N_("jotting"),
}
CHAPTER_CELLS = 22
"""Width of the column of chapters where there is room for one."""
_GAP = "  "


@dataclass(frozen=True, slots=True)
class Inks:
    """The styles of one row."""

    ink: Style
    faint: Style
    hit: Style
    """Of what was found."""


def counts_line(listed: Listed) -> str:
    """Return how many there are of each group: "text 14 · wiki 2 · chapters 0 · notes 1"."""
    sign = "" if listed.is_whole else "+"
    parts = (
        (_("text {n}"), grouped(listed.count(Group.TEXT)) + sign),
        (_("wiki {n}"), grouped(listed.count(Group.WIKI))),
        (_("chapters {n}"), grouped(listed.count(Group.CHAPTERS))),
        (_("notes {n}"), grouped(listed.count(Group.NOTES))),
    )
    return " · ".join(words.format(n=count) for words, count in parts)


def group_count(listed: Listed, group: Group) -> str:
    """Return how many there are of a group; of the text, where only the best are listed, how many these are."""
    if group is Group.TEXT and listed.is_nowhere:
        return _("the nearest {n}").format(n=grouped(listed.size(group)))
    if group is Group.TEXT and listed.is_ranked:
        return _("the best {n}").format(n=grouped(listed.size(group)))
    return grouped(listed.count(group))


def choices(mode: SearchMode | None, reach: SearchReach) -> list[tuple[str, bool, SearchMode | SearchReach | None]]:
    """Return by what and where it is searched as (words, whether it is so now, what a click chooses).

    Without a mode the text is looked through as it stands.
    """
    if mode is None:
        return [(_("as it stands"), True, None), (_(REACHES[reach]), False, reach)]
    modes = [(_(words), each is mode, each) for each, words in MODES.items()]
    return [*modes, (_(REACHES[reach]), False, reach)]


def item_segments(
    listed: Listed, group: Group, number: int, cells: int, inks: Inks, chapter: str | None
) -> list[Segment]:
    """Return an item in so many cells; places of a text that was looked through are drawn by who has their words.

    Args:
        listed: What was found.
        group: Of the item.
        number: Which of its group.
        cells: Width of the row.
        inks: Its styles.
        chapter: What to name beside a hit of the text; None where that stands above.
    """
    finds = listed.finds
    if group is Group.TEXT:
        hit = listed.hits[number]
        first = 0 if hit.marks else sentence_like(hit.text, listed.words)[0]
        marks = [(start - first, end - first) for start, end in hit.marks]
        rank_ink = inks.hit if listed.is_ranked and hit.rank <= _MOST_PROMINENT else inks.faint
        return passage_segments(hit.text[first:], marks, cells, inks, chapter, Segment(str(hit.rank), rank_ink))
    if group is Group.WIKI:
        return _entry_segments(finds.entries[number], cells, inks, listed.words)
    if group is Group.CHAPTERS:
        found: ChapterFind = finds.chapters[number]
        return _sided(found.title, found.marks, Segment("", inks.faint), cells, inks)
    return _note_segments(finds.notes[number], cells, inks, listed.words)


def passage_segments(
    text: str, marks: Marks, cells: int, inks: Inks, chapter: str | None, rank: Segment
) -> list[Segment]:
    """Return a hit of the text: its chapter where that is to stand beside it, its words, its rank."""
    column: list[Segment] = []
    if chapter is not None:
        name = fit_cells(sanitize_line(chapter), CHAPTER_CELLS - 2)
        column = [Segment(name + " " * (CHAPTER_CELLS - cell_width(name)), inks.faint)]
        cells -= CHAPTER_CELLS
    return [*column, *_sided(text, marks, rank, cells, inks)]


def _sided(text: str, marks: Marks, right: Segment, cells: int, inks: Inks) -> list[Segment]:
    right_cells = cell_width(right.text)
    room = max(4, cells - (right_cells + len(_GAP) if right_cells else 0))
    parts = fit_snippet(text, marks, room)
    segments = [Segment(words, inks.hit if is_marked else inks.ink) for words, is_marked in parts]
    used = sum(cell_width(segment.text) for segment in segments)
    gap = max(0, cells - used - right_cells)
    return [*segments, Segment(" " * gap, inks.ink), right]


def _entry_segments(entry: EntryFind, cells: int, inks: Inks, words: str) -> list[Segment]:
    name = sanitize_line(entry.name if entry.matched == entry.name else f"{entry.name} · {entry.matched}")
    return _sided(name, marks_of(words, name), Segment(_(KIND_WORDS[entry.kind]), inks.faint), cells, inks)


def _note_segments(shown: ShownNote, cells: int, inks: Inks, words: str) -> list[Segment]:
    note = shown.note
    passage = note.anchor.quote.exact if note.anchor is not None else ""
    text = sanitize_line(" · ".join(part for part in (note.comment, passage) if part))
    return _sided(text, marks_of(words, text), Segment(_(_NOTE_WORDS[note.kind]), inks.faint), cells, inks)


def marks_of(words: str, text: str) -> Sequence[tuple[int, int]]:
    """Return where words stand in a short text, in any spelling, apart and in order."""
    folded = fold(nfc(text))
    if len(nfc(text)) != len(text):
        return ()
    found: list[tuple[int, int]] = []
    for word in fold_words(words).split():
        at = folded.text.find(word)
        while at >= 0:
            found.append((folded.source_start(at), folded.source_end(at + len(word))))
            at = folded.text.find(word, at + len(word))
    apart: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if not apart or start >= apart[-1][1]:
            apart.append((start, end))
    return apart


def hit_marks(hit: SearchHit, words: str) -> tuple[tuple[int, int], ...]:
    """Return where to go in a passage, as document offsets: what it names, else the sentence most like the words."""
    start = hit.locator.start
    marks = hit.marks or (sentence_like(hit.text, words),)
    return tuple((start + a, start + b) for a, b in marks)


def sentence_like(text: str, words: str) -> tuple[int, int]:
    """Return start and end of the sentence of a passage that shares most characters with the words; not empty."""
    wanted = {char for char in fold_words(words) if char.isalnum()}
    sentences = [match.span() for match in _SENTENCE.finditer(text)] or [(0, max(1, len(text)))]
    return max(sentences, key=lambda span: len(wanted & set(fold(nfc(text[span[0] : span[1]])).text)))


_SENTENCE = re.compile(r"[^\s。！？!?.][^。！？!?.\n]{3,}[。！？!?.]*")
_MOST_PROMINENT = 3
"""Ranks that stand out where the best are listed."""
