"""The reading of a work by models, as the reader sees it: what it will cost, how far it is, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.domain.book import WorkId
from engine.domain.models import Usage
from engine.domain.wiki import StatementId


class AnalysisMode(StrEnum):
    """How much care is taken."""

    FAST = "fast"
    QUALITY = "quality"


class AnalysisState(StrEnum):
    """How a reading stands."""

    RUNNING = "running"
    PAUSED = "paused"
    """By the reader, or at a limit; it goes on where it stopped."""
    DONE = "done"
    FAILED = "failed"


class Stage(StrEnum):
    """The stages, in order."""

    READ = "read"
    VOLUME = "volume"
    PLAN = "plan"
    WRITE = "write"
    JUDGE = "judge"
    REPAIR = "repair"


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """What the reader asks for."""

    mode: AnalysisMode = AnalysisMode.QUALITY
    cap_tokens: int = 0
    """The reading pauses before it would cost more; 0 for no cap."""
    language: str = ""
    """BCP 47, in which is written; empty for the work's own."""


@dataclass(frozen=True, slots=True)
class StageEstimate:
    """What one stage will cost."""

    calls: int
    tokens: int
    """The middle of low and high."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a reading will cost, before the first call; what is read already is not counted."""

    tokens_low: int
    tokens_high: int
    money_low: float | None
    """In the reader's currency; None while no price is set."""
    money_high: float | None
    minutes_low: int
    minutes_high: int
    stages: Mapping[str, StageEstimate]
    characters: int
    volumes: int


@dataclass(frozen=True, slots=True)
class StageProgress:
    """How far a stage is."""

    stage: Stage
    volume: int
    """Ord of the volume; -1 for the work as a whole."""
    done: int
    total: int
    counters: Mapping[str, int] = field(default_factory=dict)
    """Such as "evidence_found" and "evidence_missed"."""


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    """How a reading stands."""

    id: int
    work: WorkId
    mode: AnalysisMode
    state: AnalysisState
    cap_tokens: int
    usage: Usage
    calls: int
    failed: int
    stages: tuple[StageProgress, ...]
    error: str = ""


@dataclass(frozen=True, slots=True)
class StageUsage:
    """What the calls of one stage with one model cost."""

    stage: str
    model: str
    calls: int
    failed: int
    """Calls that brought no whole answer; those the end of a process took with it are among them."""
    usage: Usage
    seconds: float


@dataclass(frozen=True, slots=True)
class AuditSample:
    """A sentence to be held against its evidence by a person."""

    id: StatementId
    about: str
    """Name of whom it is about; empty for the work as a whole."""
    text: str
    verdict: str
    evidence: tuple[tuple[str, str], ...]
    """(quotation, the paragraph it stands in)."""
