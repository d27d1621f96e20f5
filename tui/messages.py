"""What worker threads bring back: past events, each with the request it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from engine.domain.book import DocumentId, Footnote, ImportReport, WorkId
from engine.domain.reading import JobProgress, LinkTarget, Slice, SliceKey, VolumeOutline, WorkSummary
from engine.domain.wiki import PointId
from engine.errors import UnderstoryError

if TYPE_CHECKING:
    from engine.domain.notes import ShownNote


@dataclass
class SlicesArrived(Message):
    """Slices asked for in passing were loaded."""

    request: int
    keys: tuple[SliceKey, ...]
    """As asked for; a last slice (ord -1) arrives under its real number."""
    slices: tuple[Slice, ...]


@dataclass
class PlaceReached(Message):
    """The slices around a place jumped to were loaded."""

    request: int
    document: DocumentId
    offset: int
    slices: tuple[Slice, ...]


@dataclass
class NoteArrived(Message):
    """A note of the book was looked up; None when the book does not have it."""

    note: Footnote | None


@dataclass
class LinkResolved(Message):
    """An internal link was looked up; None when it leads nowhere."""

    target: LinkTarget | None


@dataclass
class WorkFailed(Message):
    """A call to the engine failed in a way that can be told."""

    error: UnderstoryError


@dataclass
class ModelsWanted(Message):
    """What waits for a model was asked to lead to where one is named."""


@dataclass
class AnalysisWanted(Message):
    """A work is to be read by a model."""

    work: WorkId
    title: str


@dataclass
class NoteAttached(Message):
    """A note is to stand beside the next question."""

    shown: ShownNote


@dataclass
class OrdersWanted(Message):
    """An entry is to be written anew, or something is asked for that the wiki does not have."""

    point: PointId | None
    """Whom the page that shows is about; None for another page."""
    title: str


@dataclass
class ShelfRead(Message):
    """The list of works was read."""

    works: tuple[WorkSummary, ...]


@dataclass
class VolumesRead(Message):
    """A work on the shelf was unfolded, or its volumes were changed."""

    work: WorkId
    volumes: tuple[VolumeOutline, ...]


@dataclass
class ImportsSeen(Message):
    """The state of imports was read."""

    jobs: tuple[JobProgress, ...]
    reports: tuple[ImportReport | None, ...]
    """One for each job; None while it has not ended."""
