"""How the two halves write: one JSON object a line, ASCII only."""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.domain.models import Json


def line_of(record: Mapping[str, Json]) -> bytes:
    """Write a record as a line."""
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
