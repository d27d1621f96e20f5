"""What a trial of a model showed, as a JSON object: how it goes over a pipe, and how `models` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.domain.models import Json, Trial


def record_of_trial(trial: Trial) -> dict[str, Json]:
    """Write a trial as JSON."""
    return {
        "model": trial.model, "place": trial.place, "tried_at": trial.tried_at, "text": trial.text,
        "tools": trial.tools, "schema": trial.schemas, "streaming": trial.streaming, "notes": list(trial.notes),
    }  # fmt: skip


def trial_from_record(record: Mapping[str, Any]) -> Trial:  # Any: outside data, taken apart here
    """Read what `record_of_trial` wrote.

    Raises:
        KeyError: something is missing.
    """
    return Trial(
        str(record["model"]), str(record["place"]), str(record["tried_at"]), bool(record["text"]),
        bool(record["tools"]), bool(record["schema"]), bool(record["streaming"]), tuple(map(str, record["notes"])),
    )  # fmt: skip
