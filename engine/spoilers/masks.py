"""What becomes of each kind of thing at a bound: the table of docs/spoilers.md, one function a cell or row.

The functions that return a pos are handed to the queries, so that what lies beyond it is never
read; the others decide what a thing beyond it turns into.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from engine.domain.locator import Pos
from engine.domain.outline import shown_title
from engine.domain.statements import Role
from engine.domain.wiki import Plain, Revealed, StatementId, Veil
from engine.spoilers.policy import Bound, Mode

STRICT_VEIL_CHARS = 24
"""Every veil of strict mode, so that its length tells nothing."""


class Showing(StrEnum):
    """What a list does with an entry."""

    SHOWN = "shown"
    LOCKED = "locked"
    """A row without its title: "locked until chapter N"."""
    ABSENT = "absent"


def entry_upto(bound: Bound) -> Pos:
    """Return up to where somebody must have been met to be listed or opened."""
    return bound.boundary


def title_upto(bound: Bound) -> Pos:
    """Return up to where a name or an identity must have been revealed to be used."""
    return bound.boundary


def hit_upto(bound: Bound) -> Pos:
    """Return up to where searching, resolving, completing and counting look."""
    return bound.boundary


def track_upto(bound: Bound) -> Pos:
    """Return up to where appearances are shown, as nodes of a track or marks on the progress bar."""
    return bound.boundary


def statement_upto(bound: Bound) -> Pos:
    """Return up to where a statement must have unlocked for its words to be read."""
    return bound.boundary


def veils_marked(bound: Bound) -> bool:
    """Say whether runs their writer marked as spoilers stay veiled where they have been read."""
    return bound.mode is Mode.STRICT


def mask_entry(met_pos: Pos, title_pos: Pos, bound: Bound) -> Showing:
    """Return what a list does with an entry.

    Args:
        met_pos: Where its subject is met.
        title_pos: Where its title unlocks; later than `met_pos` for a title that is a spoiler.
        bound: Of the request.
    """
    upto = entry_upto(bound)
    if max(met_pos, title_pos) <= upto:
        return Showing.SHOWN
    return Showing.LOCKED if met_pos <= upto and bound.mode is Mode.AUTO else Showing.ABSENT


def tells_of_more(bound: Bound, *, has_more: bool) -> bool:
    """Say whether a list, a search or a page says that something lies beyond the boundary; never how much."""
    return has_more and bound.mode is Mode.AUTO


def mask_statement(
    statement: StatementId, words: str | None, length_chars: int, unlocks_chapter: str, bound: Bound, *, is_asked: bool
) -> Plain | Veil | Revealed:
    """Return what stands for a statement.

    Args:
        statement: Its id.
        words: None where the query has left them out.
        length_chars: How long they are.
        unlocks_chapter: "chapter 11"; empty where that would itself tell.
        bound: Of the request.
        is_asked: The reader has asked for this very statement, which lies beyond her.
    """
    if words is not None:
        return Revealed(statement, words) if is_asked else Plain(words)
    if bound.mode is Mode.STRICT:
        return Veil(statement, STRICT_VEIL_CHARS)
    return Veil(statement, length_chars, unlocks_chapter)


def mask_marks(marks: Iterable[Pos], bound: Bound) -> Iterator[Pos]:
    """Yield the appearances that may be marked on a progress bar: bare marks ahead where the reader wishes them.

    Args:
        marks: In any order.
        bound: Of the request.
    """
    upto = track_upto(bound)
    is_bare = bound.wishes.marks_ahead and bound.mode is Mode.AUTO
    yield from (mark for mark in marks if mark < upto or is_bare)


def mask_chapter_title(title: str, pos: Pos, bound: Bound) -> str:
    """Return a chapter's title, or a veil of fixed length for one ahead.

    Args:
        title: Of the chapter.
        pos: Where it begins.
        bound: Of the request.
    """
    is_veiled = bound.mode.veils_titles(is_wished=bound.wishes.veils_titles)
    return shown_title(title, pos, bound.boundary) if is_veiled else title


def is_in_glance(role: Role, unlock_pos: Pos, chapter_pos: Pos, bound: Bound) -> bool:
    """Say whether the glance of a chapter not read yet may hold a statement.

    The recap: what had unlocked when the chapter began. The teaser alone may speak of the chapter itself.
    """
    if role is Role.TEASER:
        return chapter_pos <= bound.boundary
    return role is Role.RECAP and unlock_pos <= min(chapter_pos, statement_upto(bound))
