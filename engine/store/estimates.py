"""What a reading is asked to do and what it will cost, as one process tells another."""

from __future__ import annotations

import json
from dataclasses import asdict

from engine.domain.analysis import AnalysisMode, AnalysisRequest, Estimate, StageEstimate
from engine.domain.book import WorkId


def request_json(work: WorkId, request: AnalysisRequest) -> str:
    """Write what is asked for."""
    return json.dumps([work, request.mode, request.cap_tokens, request.language])


def request_from_json(told: str) -> tuple[WorkId, AnalysisRequest]:
    """Read what `request_json` has written."""
    work, mode, cap_tokens, language = json.loads(told)
    return WorkId(work), AnalysisRequest(AnalysisMode(mode), cap_tokens, language)


def estimate_json(estimate: Estimate) -> str:
    """Write an estimate."""
    return json.dumps(asdict(estimate))


def estimate_from_json(told: str) -> Estimate:
    """Read what `estimate_json` has written."""
    fields = json.loads(told)
    fields["stages"] = {name: StageEstimate(**stage) for name, stage in fields["stages"].items()}
    return Estimate(**fields)
