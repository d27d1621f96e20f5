"""Which of the passages that hold all pairs of a short run hold the run itself.

A name is typed key by key, and one of three characters may stand in ten thousand passages: whole slices are read, and
the text is folded only where the run does not stand as it was typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.retrieval.query import Query
from engine.store import slice_texts
from engine.store.connection import Connection
from engine.store.passage_search import FoundText
from engine.store.slice_texts import Place, SliceText
from engine.text.fold import fold
from engine.text.unfold import respell


def standing(r: Connection, query: Query, ids: Sequence[int], cut: Mapping[int, FoundText]) -> Sequence[int]:
    """Leave out passages that hold all pairs of a short run but not the run itself, unless none does.

    A pair that does not stand in the text stands in its readings, or was named otherwise, and is taken at its word.

    Args:
        r: The library, inside one snapshot.
        query: What was typed.
        ids: Passages that hold its pairs.
        cut: Those of which only a part may be read: that part.

    Returns:
        The passages in the order of their ids.
    """
    if not query.run:
        return ids
    # A rare old form is folded to one that would be folded itself: it stands nowhere as it is typed.
    is_itself = fold(query.run).text == query.run
    kept = [id_ for id_ in ids if id_ in cut and _holds(query, cut[id_].text)]
    for piece in slice_texts.of_passages(r, [id_ for id_ in ids if id_ not in cut] if cut else ids):
        kept += _standing_in(query, piece, is_itself=is_itself)
    return sorted(kept) or ids


def _holds(query: Query, text: str) -> bool:
    folded = fold(text).text
    return query.run in folded or any(term.gram not in folded for term in query.terms)


def _standing_in(query: Query, piece: SliceText, *, is_itself: bool) -> list[int]:
    """Return the passages of a slice in which the run stands, and those whose text lacks one of its pairs."""
    if not is_itself:
        return [place[1] for place in piece.places if _holds(query, piece.text_at(place))]
    found = _holding(piece.text, query.typed_run, piece.places, piece.start)
    if len(found) == len(piece.places):
        return found
    known = set(found)
    left = [place for place in piece.places if place[1] not in known]
    if not piece.is_folded_by_character:
        return found + [place[1] for place in left if _holds(query, piece.text_at(place))]
    text = respell(piece.text, query.run)
    if text != piece.text or query.typed_run != query.run:
        found += _holding(text, query.run, left, piece.start)
    for pair in [term.gram for term in query.terms]:
        there = set(_holding(text, pair, left, piece.start))
        found += [place[1] for place in left if place[1] not in there]
        left = [place for place in left if place[1] in there]
    return found


def _holding(text: str, run: str, places: Sequence[Place], base: int) -> list[int]:
    """Return the passages in which a run stands; the text begins at the document offset `base`."""
    find = text.find
    return [id_ for _slice, id_, start, end in places if find(run, start - base, end - base) >= 0]
