"""Works with facts planted in them, each under a marker of its own: the sample series, and a tale of 20 chapters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from engine.domain.book import DocumentId, WorkId
from engine.domain.corrections import Act
from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator, Pos, pos_of
from engine.domain.outline import OutlineIndex
from engine.domain.statements import NewStatement, Quote, Role, Verdict
from engine.domain.wiki import Correction, PointId
from engine.epub.reader import open_epub
from engine.library import Library
from engine.samples import sample_paths
from engine.spoilers.policy import WHOLE, Reach, Upto
from tests.builders import make_epub, make_story
from tests.knowledge import point_called, write_statement
from tests.shelving import wait_for_names

_LETTERS = "bdfgklmnprstvwz"
_FRAMES = (
    "{} came down to the quay before it was light and asked {other} about the tide.",
    "Nobody had seen {} since the bell, said {other}, and the rain went on.",
    "{} counted the ropes twice, and then {other} counted them again.",
    "At noon {} shared the bread with {other} under the long roof of the market.",
)
_CREW = ("Orla Vane", "Tobin Hask", "Mirel Dunn", "Captain Roake")

Chapters = list[tuple[str, list[str]]]
"""Titles with paragraphs."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What facts are planted in."""

    title: str
    hero: str
    """Met on the first page; whom most facts are about."""
    prefix: str
    """Every planted name begins with it."""
    volumes: tuple[Chapters, ...]


def sample_ground() -> Ground:
    """Return a copy of the sample series."""
    return Ground("The Copy", "Ilse Marrow", "Zq", tuple(_chapters_of(path) for path in sample_paths()))


def tale_ground() -> Ground:
    """Return a generated work of 20 chapters in one volume."""
    story = [
        [paragraph for n in range(4) for paragraph in make_story(_CREW[n:] + _CREW[:n], _FRAMES[n:] + _FRAMES[:n])]
        for _chapter in range(20)
    ]
    chapters = [(f"Watch {n}", [f"{_CREW[0]} stood watch {n}.", *each]) for n, each in enumerate(story, 1)]
    return Ground("The Tale of the Quay", _CREW[0], "Xk", (chapters,))


def _chapters_of(path: Path) -> Chapters:
    with open_epub(path) as epub:
        texts = [epub.document(n).text for n in range(len(epub.spine))]
    return [(f"Part {n}", [line for line in text.split("\n") if line.strip()]) for n, text in enumerate(texts, 1)]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something the work tells at one place."""

    marker: str
    """Stands in what tells the fact, and nowhere else."""
    told: Pos
    """Where the paragraph that tells it ends: nobody may see the marker before."""
    kind: str
    """"name", "alias", "statement", "hostile", "recap", "entry" (its title), or "title" (of a chapter)."""
    is_marked: bool = False
    """Its writer holds it for a spoiler, so strict never shows it."""


@dataclass(slots=True)
class Planted:
    """The work with its facts."""

    library: Library
    work: WorkId
    index: OutlineIndex
    hero: PointId
    facts: list[Fact]
    titles: list[Fact]
    """Chapters; only strict veils those ahead."""
    pair: tuple[str, str]
    """Two names that turn out to be of one, here:"""
    revealed: Pos
    points: dict[str, PointId]
    locked: dict[str, Pos] = field(default_factory=dict)
    """Names of those whose entry is not to be listed before a pos."""
    told_in: dict[str, tuple[DocumentId, int]] = field(default_factory=dict)
    """Where the paragraph begins that tells of a planted name."""

    def upto(self, pos: Pos) -> Upto:
        """Return the bound of a reader who has read up to a pos."""
        place = self.index.place_of(pos)
        assert place is not None
        return Upto(Reach.PLACE, Locator(place[0], place[1], place[1]))

    def pos(self, locator: Locator) -> Pos:
        """Return where a locator begins."""
        found = self.index.pos_of(locator.document, locator.start)
        assert found is not None
        return found

    @property
    def end(self) -> Pos:
        """Where the work ends."""
        last = self.index.outline.volumes[-1]
        return pos_of(last.ord, last.length)


def plant(library: Library, folder: Path, ground: Ground, *, seed: int = 7) -> Planted:
    """Import a work with 50 facts in it and write them down as a writer would."""
    rng = random.Random(seed)
    names = [f"{ground.prefix}{a}{b}" for a in _LETTERS for b in "aeiou"][:52]
    rng.shuffle(names)
    work = _import(library, folder, ground, names, rng)
    index = OutlineIndex(library.outline(work))
    planted = Planted(library, work, index, PointId(0), [], [], ("", ""), 0, {})
    planted.titles = [Fact(each.title.split()[-1], each.pos, "title") for each in index.chapters]
    places = {name: _place(planted, name) for name in names}
    planted.told_in = {name: place[:2] for name, place in places.items()}
    for name in names[:10]:
        _add(planted, name, places[name], ())
    planted.hero = planted.points[ground.hero] = _person(planted, ground.hero)
    for name in names[10:25]:
        _add(planted, name, places[name], (planted.hero,))
    for number, name in enumerate(names[25:48]):
        _write(planted, name, places[name], is_hostile=number % 5 == 0, is_marked=number % 5 == 1, rng=rng)
    met_first = sorted(names[:10], key=lambda name: places[name][2])
    for person, name in zip(met_first, names[48:50], strict=False):
        _entitle(planted, person, name, places[name])
    _join(planted, names[50], names[51], places)
    return planted


def _import(library: Library, folder: Path, ground: Ground, names: Sequence[str], rng: random.Random) -> WorkId:
    volumes = ground.volumes
    for number, name in enumerate(names):
        paragraphs = rng.choice(rng.choice(volumes)[1:] if number < 50 else volumes[0][1:3])[1]
        said = f"The ink said {name} by dusk. Later{name.lower()} was a word for it, and {name} stood there still."
        paragraphs.insert(rng.randrange(len(paragraphs) // 2 or 1, len(paragraphs) + 1), said)
    work: WorkId | None = None
    for number, chapters in enumerate(volumes, 1):
        bodies = [
            (f"{title} Hd{number}x{n:02}z", "".join(f"<p>{escape(p)}</p>" for p in paragraphs))
            for n, (title, paragraphs) in enumerate(chapters, 1)
        ]
        title = f"{ground.title}, Vol. {number}" if len(volumes) > 1 else ground.title
        work = library.import_now(make_epub(folder / f"{number}.epub", title=title, chapters=bodies)).work
    assert work is not None
    wait_for_names(library)
    return work


def _place(planted: Planted, name: str) -> tuple[DocumentId, int, Pos]:
    """Return (document, offset of the paragraph that tells of it, pos of its end)."""
    for volume in planted.index.outline.volumes:
        for document in volume.documents:
            text = planted.library.document_text(document.id).text
            at = text.find(f"The ink said {name} ")
            if at >= 0:
                end = text.find("\n", at)
                end = len(text) if end < 0 else end
                return document.id, at, pos_of(volume.ord, document.base + end)
    raise AssertionError(name)


def _add(planted: Planted, name: str, place: tuple[DocumentId, int, Pos], points: tuple[PointId, ...]) -> None:
    """Let a name be known: of a new person, or of somebody met long before."""
    document, at, _end = place
    if points:
        planted.library.correct(planted.work, Act(Correction.ADD, points, name), WHOLE)
    else:
        planted.points[name] = _person(planted, name)
    known = planted.index.pos_of(document, at + len(f"The ink said {name}"))
    assert known is not None
    planted.facts.append(Fact(name, known, "alias" if points else "name"))


def _person(planted: Planted, name: str) -> PointId:
    """Return the person of that name, added unless the rules have found her."""
    library, work = planted.library, planted.work
    found = [point.id for point in library.entities(work, WHOLE) if point.name == name]
    if not found:
        library.correct(work, Act(Correction.ADD, (), name, PointKind.PERSON), WHOLE)
    return found[0] if found else point_called(library, work, name).id


def _write(
    planted: Planted,
    name: str,
    place: tuple[DocumentId, int, Pos],
    *,
    is_hostile: bool,
    is_marked: bool,
    rng: random.Random,
) -> None:
    """Write a statement; a hostile writer puts an early quotation under it, and only its words give it away."""
    document, at, end = place
    marker = f"FACT{name.upper()}"
    quote = Quote(document, at, f"The ink said {name} by dusk")
    text = f"{marker}: she saw it standing."
    if is_hostile:
        first = planted.index.outline.volumes[0].documents[1].id
        quote = Quote(first, 0, planted.library.text_of(first, 0, 40))
        text = f"{marker}: she saw later{name.lower()} standing."
    about = planted.hero if rng.random() < 0.8 else None
    verdict = rng.choice([Verdict.SUPPORT, Verdict.SUPPORT, Verdict.UNCHECKED])
    is_recap = len(planted.facts) in (28, 33)
    role, about = (Role.RECAP, None) if is_recap else (Role.SENTENCE, about)
    write_statement(
        planted.library,
        planted.work,
        NewStatement(text, role, about, quotes=(quote,), verdict=verdict, is_marked=is_marked),
    )
    kind = "hostile" if is_hostile else "recap" if is_recap else "statement"
    planted.facts.append(Fact(marker, end if not is_hostile else end - 60, kind, is_marked))


def _entitle(planted: Planted, person: str, name: str, place: tuple[DocumentId, int, Pos]) -> None:
    """Give somebody's entry a title that is a spoiler."""
    document, at, end = place
    marker = f"FACT{name.upper()}"
    quotes = (Quote(document, at, f"The ink said {name} by dusk"),)
    title = NewStatement(
        f"{marker}, standing", Role.TITLE, planted.points[person], quotes=quotes, verdict=Verdict.SUPPORT
    )
    write_statement(planted.library, planted.work, title)
    planted.locked[person] = end
    planted.facts.append(Fact(marker, end, "entry"))


def _join(planted: Planted, a: str, b: str, places: dict[str, tuple[DocumentId, int, Pos]]) -> None:
    """Let two people of the first chapters turn out to be one in the last volume."""
    library, work = planted.library, planted.work
    for name in (a, b):
        planted.points[name] = _person(planted, name)
    documents = planted.index.outline.volumes[-1].documents
    last = documents[len(documents) * 3 // 4]
    place = Locator(last.id, last.length // 2, last.length // 2)
    library.correct(work, Act(Correction.IDENTITY, (planted.points[a], planted.points[b]), at=place), WHOLE)
    planted.pair, planted.revealed = (a, b), planted.pos(place)
