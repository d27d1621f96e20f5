"""What is known of a work without a model: points, their names, where they stand in the text.

A roster is what the offline analyst hands over. Inside it points, blocks and aliases are named by
their index, so that it needs no store; positions are pos, offsets are code points of one block.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.domain.book import Ruby
from engine.domain.locator import Pos


class PointKind(StrEnum):
    """What a knowledge point is."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    ITEM = "item"
    EVENT = "event"
    CONCEPT = "concept"
    """An ability, a title, a custom, a term of the work's own."""


class AliasKind(StrEnum):
    """How a form names its point."""

    FULL = "full"
    """The fullest name: given and family name, or the only one there is."""
    TITLED = "titled"
    """A name under a title or an honorific: Mr. Darcy, 沈先生, 綾さん."""
    GIVEN = "given"
    FAMILY = "family"
    """A bare family name; others may bear it too."""
    NICKNAME = "nickname"
    COURTESY = "courtesy"
    """A courtesy or art name the text states: 字, 号."""
    SPELLING = "spelling"
    """The same name written otherwise: another separator, script or hyphen."""
    READING = "reading"
    """A reading the ruby gives."""
    ROLE = "role"
    """A role used as a name: the Hatter, 老太太."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """One block of a work as the analyst reads it.

    A block without letters (empty, or a sign such as "* * *") is a break between scenes.
    """

    pos: Pos
    """Of `text[0]`."""
    text: str
    """Canonical text."""
    chapter: int
    """Ord of its chapter within the volume; -1 before the first."""
    is_heading: bool = False
    readings: tuple[Ruby, ...] = ()
    """Ruby, in offsets of `text`."""
    is_story: bool = True
    """Its chapter is no front matter, afterword or notes."""

    @property
    def pos_end(self) -> Pos:
        """Pos of the end of the block: where evidence standing in it has been read."""
        return self.pos + len(self.text)


@dataclass(frozen=True, slots=True)
class FoundAlias:
    """A name of a point, from the rules."""

    form: str
    """As the text writes it."""
    kind: AliasKind
    first_pos: Pos
    """Of the first character of its first mention in the work, whoever it is given to there."""
    reveal_pos: Pos
    """From here on the text has shown enough to know the form for this point's; at least `first_pos`.

    Never before the other form it is joined to, and whatever joins the two, have occurred.
    """
    count: int
    """Mentions given to this point; 0 for a shared form that always means another bearer."""
    is_shared: bool = False
    """Other points bear it too: a look-up offers all of them."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An occurrence of an alias. Mentions never overlap; each belongs to one point, the likeliest bearer."""

    block: int
    """Index of the block."""
    start: int
    end: int
    """Exclusive."""
    alias: int
    """Index into the point's aliases."""


@dataclass(frozen=True, slots=True)
class FoundPoint:
    """A knowledge point, from the rules."""

    kind: PointKind
    name: str
    """The proper name: the fullest form, not always known from the beginning."""
    aliases: tuple[FoundAlias, ...]
    """In order of `reveal_pos`; the first is the name under which the reader meets it. Holds `name`."""
    mentions: tuple[Mention, ...]
    """In text order."""
    is_listed: bool = False
    """The book's own list of characters or glossary names it."""

    @property
    def count(self) -> int:
        """Number of mentions."""
        return len(self.mentions)

    @property
    def first_pos(self) -> Pos:
        """Where the point is first met."""
        return self.aliases[0].reveal_pos


@dataclass(frozen=True, slots=True)
class Scene:
    """A run of blocks within one chapter, between two breaks."""

    first_block: int
    last_block: int
    """Inclusive."""
    pos: Pos
    pos_end: Pos
    points: tuple[int, ...]
    """Indices of the points mentioned in it, most mentions first."""


@dataclass(frozen=True, slots=True)
class ChapterCast:
    """Who and what a chapter mentions."""

    volume: int
    """Ord of the volume."""
    chapter: int
    """Ord of the chapter in its volume; -1 for text before the first."""
    counts: tuple[tuple[int, int], ...]
    """(point index, mentions), most mentions first."""


@dataclass(frozen=True, slots=True)
class Companionship:
    """Two people who appear in the same scenes."""

    a: int
    """Point index, smaller than `b`."""
    b: int
    scenes: int
    """How many scenes mention both."""


@dataclass(frozen=True, slots=True)
class Roster:
    """What the offline analyst found in a work."""

    points: tuple[FoundPoint, ...] = ()
    """Most mentions first."""
    scenes: tuple[Scene, ...] = ()
    casts: tuple[ChapterCast, ...] = ()
    """In text order."""
    companions: tuple[Companionship, ...] = ()
    """Most scenes first."""
    hints: tuple[str, ...] = ()
    """What was done with less than it could have been, such as a missing extra; codes, not sentences."""
