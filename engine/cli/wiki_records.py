"""A page of the wiki as JSON."""

from __future__ import annotations

from engine.cli.output import Json
from engine.domain.wiki import (
    Cite,
    Facts,
    Heading,
    Listing,
    Page,
    PageLink,
    Paragraph,
    Part,
    Plain,
    Quotation,
    Run,
    Sources,
    Track,
    Veil,
)


def record_of(page: Page) -> dict[str, Json]:
    """Return a page as `wiki --json` prints it."""
    parts: list[Json] = [_part_record(part) for part in page.parts]
    return {
        "page": str(page.key.kind),
        "point": page.key.point,
        "title": page.title,
        "kind": page.kind_words,
        "also": list(page.also),
        "parts": parts,
    }


def _part_record(part: Part) -> dict[str, Json]:
    if isinstance(part, Heading):
        return {"part": "heading", "level": part.level, "runs": _run_records((part.run,))}
    if isinstance(part, Paragraph):
        return {"part": "paragraph", "runs": _run_records(part.runs)}
    return _table_record(part) if isinstance(part, Facts | Listing | Track) else _passage_record(part)


def _passage_record(part: Quotation | Sources) -> dict[str, Json]:
    if isinstance(part, Quotation):
        return {"part": "quotation", "text": part.text, "where": part.where, "locator": str(part.locator)}
    sources: list[Json] = [
        {"number": s.number, "where": s.where, "quote": s.quote, "locator": str(s.locator)} for s in part.rows
    ]
    return {"part": "sources", "sources": sources}


def _table_record(part: Facts | Listing | Track) -> dict[str, Json]:
    if isinstance(part, Facts):
        rows: list[Json] = [{"label": label, "runs": _run_records(runs)} for label, runs in part.rows]
        return {"part": "facts", "rows": rows}
    if isinstance(part, Listing):
        return _listing_record(part)
    nodes: list[Json] = [
        {"where": n.where, "count": n.count, "kind": str(n.kind), "locator": str(n.locator)} for n in part.nodes
    ]
    return {"part": "track", "nodes": nodes, "goes_on": part.is_open_ended}


def _listing_record(part: Listing) -> dict[str, Json]:
    rows: list[Json] = [{**_link_record(row.link), "note": row.note, "count": row.count} for row in part.rows]
    return {"part": "list", "title": part.title, "rows": rows, "more_to_come": part.has_more_to_come}


def _link_record(link: PageLink) -> dict[str, Json]:
    return {
        "text": link.text,
        "page": str(link.target.kind),
        "point": link.target.point,
        "category": None if link.target.category is None else str(link.target.category),
        "volume": None if link.target.volume_ord is None else link.target.volume_ord + 1,
    }


def _run_records(runs: tuple[Run, ...]) -> list[Json]:
    return [_run_record(run) for run in runs]


def _run_record(run: Run) -> dict[str, Json]:
    if isinstance(run, Plain):
        return {"text": run.text}
    if isinstance(run, PageLink):
        return _link_record(run)
    if isinstance(run, Cite):
        return {"cite": run.number, "locator": str(run.locator)}
    if isinstance(run, Veil):
        return {"veil": run.statement, "length": run.length_chars, "unlocks": run.unlocks_chapter}
    return {"revealed": run.statement, "text": run.text}
