"""What has been gathered about a work so far: points with their names and notes, each with evidence that was found.

It is made anew from the replies each time the reading runs; numbers given out in it depend on nothing else, so that
the same replies make the same ledger in every library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.analysis.proposals import Basis, FactStatus, LearnedHow, Sureness
from engine.domain.knowledge import PointKind
from engine.domain.locator import Pos
from engine.domain.wiki import PointId
from engine.store.wiki import FoundEvidence

Found = tuple[FoundEvidence, ...]
"""Never empty where something is claimed."""


def end_of(found: Found) -> Pos:
    """Return where the last of the passages ends; `found` is not empty."""
    return max(each.pos_end for each in found)


@dataclass(slots=True)
class Form:
    """A name of a point."""

    form: str
    known_pos: Pos
    """Where the reader knows it for this point's."""
    found: Found = ()
    """Empty for one the rules found."""


@dataclass(slots=True)
class Note:
    """A sentence about a point."""

    number: int
    """In the ledger, from 1 in the order of reading."""
    point: int
    text: str
    found: Found
    volume: int
    others: tuple[int, ...] = ()
    """Further points it names."""
    chapter: int = 0
    """Ord of the chapter its evidence ends in."""
    is_discarded: bool = False
    """The volume agent found it said already, or it did not stand before the judge."""

    @property
    def pos_end(self) -> Pos:
        """Where the last of its evidence ends."""
        return max(each.pos_end for each in self.found)


@dataclass(slots=True)
class Point:
    """Somebody or something."""

    number: int
    """In the ledger, from 1; "k<number>" is its key."""
    kind: PointKind
    name: str
    forms: list[Form]
    point: PointId | None = None
    """Its id in the library; None until it is written, for one the rules did not find."""
    importance: int = 0
    ruled_kind: PointKind | None = None
    """What the rules took it for; None for one they did not find."""
    is_nothing: bool = False
    """The rules found it, and a reader says that it is no point at all."""
    merged_into: int = 0
    """Number of the point this one is only another name of; 0 for none."""

    @property
    def key(self) -> str:
        """How a model names it."""
        return f"k{self.number}"

    @property
    def first_pos(self) -> Pos:
        """Where it is first known."""
        return min((form.known_pos for form in self.forms), default=0)


@dataclass(frozen=True, slots=True)
class Relation:
    """What one point is to another."""

    a: int
    b: int
    label: str
    found: Found
    volume: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""

    who: tuple[int, ...]
    when: str
    where: str
    text: str
    found: Found
    volume: int


@dataclass(slots=True)
class Identity:
    """Two points that are one from a place on."""

    a: int
    b: int
    basis: Basis
    found: Found
    volume: int
    stands: bool = False
    """A judge has held it against its evidence."""


@dataclass(slots=True)
class Question:
    """Something the story leaves open."""

    number: int
    text: str
    found: Found
    volume: int
    answer: str = ""
    answered: Found = ()


@dataclass(slots=True)
class Fact:
    """Something not everybody knows."""

    number: int
    text: str
    status: FactStatus
    hidden_from: tuple[int, ...]
    found: Found
    volume: int


@dataclass(frozen=True, slots=True)
class Learning:
    """Who came to know a fact."""

    fact: int
    who: tuple[int, ...]
    how: LearnedHow
    sure: Sureness
    found: Found
    volume: int


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a recap or a summary."""

    text: str
    found: Found


@dataclass(slots=True)
class ChapterNotes:
    """What is told of a chapter."""

    recap: list[Line] = field(default_factory=list)
    summary: list[Line] = field(default_factory=list)
    """By the volume agent; stands in the place of the recap where there is one."""
    teaser: str = ""
    is_story: bool = True


@dataclass(slots=True)
class Ledger:
    """Everything gathered, in the order of the story."""

    points: dict[int, Point] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    identities: list[Identity] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    learnings: list[Learning] = field(default_factory=list)
    chapters: dict[tuple[int, int], ChapterNotes] = field(default_factory=dict)
    """By (volume, chapter)."""
    summaries: dict[int, list[Line]] = field(default_factory=dict)
    """Of volumes."""
    gist: str = ""
    """What somebody must know to read on."""

    def add_point(self, kind: PointKind, name: str, forms: list[Form], point: PointId | None = None) -> Point:
        """Give out the next number."""
        made = Point(len(self.points) + 1, kind, name, forms, point)
        self.points[made.number] = made
        return made

    def resolve(self, number: int) -> Point | None:
        """Return a point by its number, the one it was merged into if it was; None when there is none."""
        point = self.points.get(number)
        seen = set()
        while point is not None and point.merged_into and point.number not in seen:
            seen.add(point.number)
            point = self.points.get(point.merged_into)
        return point

    def by_key(self, key: str) -> Point | None:
        """Return a point by a key such as "k12"."""
        digits = key[1:]
        return self.resolve(int(digits)) if key[:1] == "k" and digits.isdigit() else None

    def standing(self) -> Iterator[Point]:
        """Yield the points that are some, and not merged into another, by number."""
        return (point for point in self.points.values() if not point.merged_into and not point.is_nothing)

    def ruled(self) -> Iterator[Point]:
        """Yield the points that may be one of the rules', by number, those that turned out to be nothing included."""
        return (point for point in self.points.values() if not point.merged_into)

    def is_shared(self, form: str) -> bool:
        """Say whether several points bear a name."""
        return sum(any(each.form == form for each in point.forms) for point in self.standing()) > 1

    def called(self, kind: PointKind | None, forms: Iterable[str]) -> Point | None:
        """Return the one point of a kind that bears one of some names; None when there is none, or several."""
        wanted = set(forms)
        found = [
            point
            for point in self.standing()
            if (kind is None or point.kind is kind) and any(form.form in wanted for form in point.forms)
        ]
        return found[0] if len(found) == 1 else None

    def merge(self, one: Point, into: Point) -> None:
        """Let one point be only another name of a second; what is said of it is said of that one."""
        if one.number == into.number:
            return
        one.merged_into = into.number
        known = {form.form for form in into.forms}
        into.forms += [form for form in one.forms if form.form not in known]
        into.importance = max(into.importance, one.importance)

    def add_note(
        self, point: Point, text: str, found: Found, where: tuple[int, int], others: Sequence[int] = ()
    ) -> Note:
        """Write a sentence about a point down.

        Args:
            point: Whom it is about.
            text: The sentence.
            found: What it rests on.
            where: (volume, chapter) its evidence ends in.
            others: Further points it names.
        """
        volume, chapter = where
        note = Note(len(self.notes) + 1, point.number, text, found, volume, tuple(others), chapter)
        self.notes.append(note)
        return note

    def keep_judged(self, volume: int, texts: Mapping[int, str]) -> None:
        """Let the notes of a volume say what stood before the judge; one that did not stand is told nobody any more."""
        for note in self.notes:
            if note.volume == volume and not note.is_discarded:
                note.is_discarded = note.number not in texts
                note.text = texts.get(note.number, note.text)

    def notes_of(self, number: int) -> list[Note]:
        """Return the notes about a point, in the order of reading."""
        return self.notes_by_point().get(number, [])

    def notes_by_point(self, *, with_mentions: bool = False) -> dict[int, list[Note]]:
        """Return the notes about each point that has any, in the order of reading.

        Args:
            with_mentions: Also those about others that name it.
        """
        found: dict[int, list[Note]] = {}
        for note in self.notes:
            numbers = (note.point, *note.others) if with_mentions else (note.point,)
            points = (self.resolve(n) for n in numbers)
            for point in dict.fromkeys(point.number for point in points if point is not None):
                if not note.is_discarded:
                    found.setdefault(point, []).append(note)
        return found

    def chapter(self, volume: int, chapter: int) -> ChapterNotes:
        """Return what is told of a chapter, to be added to."""
        return self.chapters.setdefault((volume, chapter), ChapterNotes())
