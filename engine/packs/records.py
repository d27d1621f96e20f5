"""What a pack holds, as records; see docs/pack-format.md."""

from __future__ import annotations

from dataclasses import dataclass

from engine.domain.knowledge import PointKind
from engine.domain.locator import DeepLink
from engine.domain.statements import QuoteHow, Role, Verdict

FORMAT, VERSION = "understory-pack", 1
NOTHING = "nothing"
"""What a point is set right to that is no point at all."""
QUOTE_CHARS = 32
"""Of a passage's words that a pack holds: enough to find it by, too little to read."""


@dataclass(frozen=True, slots=True)
class PackBook:
    """A book the pack is about."""

    sha256: str
    """Of the EPUB."""
    text_hash: str
    """Of its canonical text, by which another EPUB of the same text is known."""
    title: str


@dataclass(frozen=True, slots=True)
class PackWriter:
    """Who wrote statements."""

    model: str
    prompt_rev: str
    made_at: str


@dataclass(frozen=True, slots=True)
class PackForm:
    """A name of a point."""

    form: str
    learned_at: DeepLink | None = None
    """Where a model's reading says the reader learns it; None for one the rules find by themselves."""


@dataclass(frozen=True, slots=True)
class PackPoint:
    """Somebody or something; known by its number, from 1 in the order of the file."""

    kind: PointKind
    name: str
    forms: tuple[PackForm, ...]
    set_right: str = ""
    """What a model found it to be though the rules took it for `kind`: another kind, or "nothing"."""


@dataclass(frozen=True, slots=True)
class PackIdentity:
    """Two points that turn out to be one."""

    a: int
    b: int
    basis: str
    evidence: DeepLink
    known_at: DeepLink


@dataclass(frozen=True, slots=True)
class PackEvidence:
    """A passage a statement rests on."""

    link: DeepLink
    how: QuoteHow = QuoteHow.EXACT
    """How its writer's quotation was found; tells nothing about what may be shown."""


@dataclass(frozen=True, slots=True)
class PackStatement:
    """Something that was written."""

    unit: str
    """What it was written with, and is replaced with."""
    point: int
    """0 for the work as a whole."""
    role: Role
    section: str
    ord: int
    text: str
    links: tuple[int, ...]
    verdict: Verdict
    is_marked: bool
    not_before: DeepLink | None
    writer: int
    """0 for nobody."""
    evidence: tuple[PackEvidence, ...]


@dataclass(frozen=True, slots=True)
class PackEntry:
    """An entry there shall be."""

    point: int
    tier: str


@dataclass(frozen=True, slots=True)
class Pack:
    """All of it."""

    title: str
    language: str
    made_at: str
    program: str
    books: tuple[PackBook, ...]
    writers: tuple[PackWriter, ...]
    points: tuple[PackPoint, ...]
    identities: tuple[PackIdentity, ...]
    statements: tuple[PackStatement, ...]
    entries: tuple[PackEntry, ...]
