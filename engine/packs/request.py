"""Which pack a job is to take in; light, for the process that draws."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from engine.paths import Paths


@dataclass(frozen=True, slots=True)
class PackRequest:
    """Which pack is to be taken in, and how."""

    sha256: str
    """Of the file kept in the library's folder; empty for a sample's."""
    series: str = ""
    """Of the sample series whose pack comes with the program."""
    is_trusted: bool = False
    replaces: bool = False

    def told(self) -> str:
        """Return it as the unit of a job."""
        return json.dumps([self.sha256, self.series, self.is_trusted, self.replaces])

    def file(self, paths: Paths) -> Path:
        """Return where the pack is."""
        return paths.data_dir / "packs" / f"{self.sha256}.pack"


def request_from(told: str) -> PackRequest:
    """Read what `PackRequest.told` wrote."""
    sha256, series, is_trusted, replaces = json.loads(told)
    return PackRequest(sha256, series, is_trusted=is_trusted, replaces=replaces)
