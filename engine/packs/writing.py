"""From a pack to its lines."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engine.domain.models import Json
from engine.domain.statements import QuoteHow
from engine.packs.records import FORMAT, VERSION, Pack, PackEvidence, PackPoint, PackStatement


def lines_of(pack: Pack) -> Iterator[str]:
    """Yield a pack's lines; the same pack gives the same lines."""
    count = 0
    for record in _records(pack):
        count += 1
        yield _line(record)
    yield _line({"is": "end", "lines": count})


def _line(record: dict[str, Json]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _records(pack: Pack) -> Iterator[dict[str, Json]]:
    yield {
        "is": "pack", "format": FORMAT, "version": VERSION, "title": pack.title, "language": pack.language,
        "made": pack.made_at, "program": pack.program,
    }  # fmt: skip
    for book in pack.books:
        yield {"is": "book", "sha256": book.sha256, "text": book.text_hash, "title": book.title}
    for writer in pack.writers:
        yield {"is": "writer", "model": writer.model, "prompt": writer.prompt_rev, "made": writer.made_at}
    for point in pack.points:
        yield _point(point)
    for identity in pack.identities:
        yield {
            "is": "identity", "a": identity.a, "b": identity.b, "basis": identity.basis,
            "evidence": str(identity.evidence), "known": str(identity.known_at),
        }  # fmt: skip
    for statement in pack.statements:
        yield _statement(statement)
    for entry in pack.entries:
        yield {"is": "entry", "point": entry.point, "tier": entry.tier}


def _point(point: PackPoint) -> dict[str, Json]:
    forms: list[Json] = [
        [each.form] if each.learned_at is None else [each.form, str(each.learned_at)] for each in point.forms
    ]
    record: dict[str, Json] = {"is": "point", "kind": str(point.kind), "name": point.name, "forms": forms}
    return record | ({"set": point.set_right} if point.set_right else {})


def _statement(each: PackStatement) -> dict[str, Json]:
    record: dict[str, Json] = {"is": "statement", "unit": each.unit, "role": str(each.role), "text": each.text}
    record |= {"section": each.section, "ord": each.ord, "verdict": str(each.verdict)}
    # What is nothing is left out: most statements have no mark, and many are about nobody.
    more: dict[str, Json] = {
        "point": each.point,
        "links": list(each.links),
        "marked": each.is_marked,
        "not_before": "" if each.not_before is None else str(each.not_before),
        "writer": each.writer,
        "evidence": [_evidence(found) for found in each.evidence],
    }
    return record | {name: value for name, value in more.items() if value}


def _evidence(found: PackEvidence) -> Json:
    return str(found.link) if found.how is QuoteHow.EXACT else [str(found.link), str(found.how)]
