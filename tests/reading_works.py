"""Small works for a scripted model to read, and what came of it in a form two libraries have in common."""

from __future__ import annotations

from collections.abc import Callable

from engine.analysis.asking import Caller, Limits
from engine.domain.analysis import AnalysisMode, AnalysisRequest
from engine.domain.book import WorkId
from engine.domain.models import ModelRole
from engine.library import Library
from engine.providers.protocols import Model
from engine.store import analyses, works
from engine.wiki.whole_work import WholeWork
from tests.builders import make_story
from tests.knowledge import know, named
from tests.shelving import document_of, shelve

CREW = ("Orla Vane", "Tobin Hask", "Mirel Dunn")
_FRAMES = (
    "{} came down to the quay before it was light and asked {other} about the tide.",
    "Nobody had seen {} since the bell, said {other}, and the rain went on all night.",
    "{} counted the ropes twice by the lamp, and then {other} counted them again.",
    "At noon {} shared the bread with {other} under the long roof of the market.",
)


def shelve_two_volumes(library: Library) -> WorkId:
    """Shelve a work in two volumes of two chapters each, whose people the rules know."""
    shelve_volume(library, 1)
    return shelve_volume(library, 2)


def shelve_volume(library: Library, number: int) -> WorkId:
    """Shelve one more volume of it."""
    chapters = [[f"Volume {number}, watch {n}, began in rain.", *make_story(CREW, _FRAMES)] for n in (1, 2)]
    chapters[1].append(f"In year {number} the harbour bell of Corrow{number} cracked, and Tobin Hask wept for it.")
    documents = [document_of(paragraphs, spine_index=n) for n, paragraphs in enumerate(chapters)]
    work = shelve(
        library._store, documents, sha256=f"{number}" * 64, title=f"The Quay {number}", series="The Quay",
        series_index=float(number),
    )  # fmt: skip
    know(library, work, *(named(name, name.split()[0]) for name in CREW))
    return work


def read_work(
    library: Library,
    work: WorkId,
    model: Model,
    request: AnalysisRequest | None = None,
    *,
    must_stop: Callable[[], bool] = lambda: False,
    context_tokens: int = 32_768,
) -> int:
    """Read a work as the background process does, in this thread; returns the reading's id."""
    asked = request or AnalysisRequest(AnalysisMode.QUALITY)
    store = library._store
    with store.write() as w:
        analysis = analyses.begin_analysis(w, work, asked, len(works.outline(w, work).volumes))

    def model_of(_role: ModelRole) -> Model:
        return model

    limits = Limits(asked.cap_tokens, patience_s=())
    caller = Caller(store, work, analysis, model_of, must_stop=must_stop, limits=limits)
    WholeWork(store, work, analysis, asked, caller, context_tokens=context_tokens).run()
    return analysis


def written(library: Library, work: WorkId) -> list[tuple[object, ...]]:
    """Return everything that stands in the library about a work, without the ids that differ between libraries."""
    with library._store.read() as r:
        rows = r.execute(
            "SELECT s.unit, s.role, s.section, s.ord, s.text, s.unlock_pos, s.verdict, coalesce(p.name, ''),"
            " (SELECT group_concat(e.quote || e.pos, '|') FROM evidence e WHERE e.statement_id = s.id)"
            " FROM statement s LEFT JOIN roster_point p ON p.point_id = s.point_id AND p.roster_id ="
            " (SELECT max(id) FROM roster WHERE work_id = s.work_id AND state = 'ready')"
            " WHERE s.work_id = ? ORDER BY s.unit, s.ord, s.section, s.text",
            (work,),
        ).fetchall()
        names = r.execute(
            "SELECT p.name, a.form, a.known_pos, a.origin FROM alias a JOIN roster_point p"
            " ON p.roster_id = a.roster_id AND p.point_id = a.point_id WHERE a.roster_id ="
            " (SELECT max(id) FROM roster WHERE work_id = ? AND state = 'ready') ORDER BY 1, 2",
            (work,),
        ).fetchall()
    return [tuple(row) for row in (*rows, *names)]
