"""Readings beside the text: which reading belongs to which characters."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.domain.book import SpanKind
from engine.epub.flow import Flow

_ONLY_DOTS = re.compile(r"[・･﹅﹆•●○◎▲△丶、﹑]+")


@dataclass(slots=True)
class RubyGroup:
    """One ruby element while it is read.

    Base characters go to the flow as they come; readings wait until the run they stand beside is
    whole: at the next base text, at another row of readings, or at the end.
    """

    flow: Flow
    start: int
    """Where base text not yet counted as a base begins."""
    bases: list[tuple[int, int]] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)

    def end_base(self) -> None:
        """Base text may end here: at the border of a base element or of a reading."""
        if self.flow.length <= self.start:
            return
        if self.readings:
            self._pair()
        self.bases.append((self.start, self.flow.length))
        self.start = self.flow.length

    def add_reading(self, reading: str) -> None:
        """A reading was met."""
        self.end_base()
        self.readings.append(reading.strip())

    def begin_row(self) -> None:
        """A further row of readings for the same bases begins."""
        self.end_base()
        bases = list(self.bases)
        if self.readings:
            self._pair()
            self.bases = bases

    def end(self) -> None:
        """The ruby element ends."""
        self.end_base()
        self._pair()

    def _pair(self) -> None:
        bases, readings = self.bases, self.readings
        self.bases, self.readings = [], []
        if not bases or not readings:
            return
        # Of unequal numbers the last pair takes the rest; two bases under one reading are one.
        count = min(len(bases), len(readings)) - 1
        for (start, end), reading in zip(bases[:count], readings[:count], strict=True):
            self._mark(start, end, reading)
        self._mark(bases[count][0], bases[-1][1], "".join(readings[count:]))

    def _mark(self, start: int, end: int, reading: str) -> None:
        if _ONLY_DOTS.fullmatch(reading):
            self.flow.mark(start, end, SpanKind.EMPHASIS_DOTS)
        else:
            self.flow.add_ruby(start, end, reading)
