"""Readings of works by models: how they stand, and from what input each unit of their writing was made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from engine.domain.analysis import AnalysisMode, AnalysisProgress, AnalysisRequest, AnalysisState, Stage, StageProgress
from engine.domain.book import WorkId
from engine.domain.models import Usage
from engine.domain.wiki import PointId
from engine.store.connection import Connection, utc_now

_UNFINISHED = "('running', 'paused', 'failed')"


def begin_analysis(w: Connection, work: WorkId, request: AnalysisRequest, volumes: int) -> int:
    """Make the row of a reading and return its id; one of the same kind that was not finished is taken up again."""
    found = w.execute(
        f"SELECT id FROM analysis WHERE work_id = ? AND mode = ? AND language = ? AND state IN {_UNFINISHED}"  # noqa: S608
        " ORDER BY id DESC LIMIT 1",
        (work, request.mode, request.language),
    ).get
    if found is not None:
        w.execute(
            "UPDATE analysis SET cap_tokens = ?, volumes = ?, state = 'running', error = '' WHERE id = ?",
            (request.cap_tokens, volumes, found),
        )
        return int(found)
    w.execute(
        "INSERT INTO analysis (work_id, mode, language, volumes, cap_tokens, state, started_at)"
        " VALUES (?, ?, ?, ?, ?, 'running', ?)",
        (work, request.mode, request.language, volumes, request.cap_tokens, utc_now()),
    )
    return w.last_insert_rowid()


def set_state(w: Connection, analysis: int, state: AnalysisState, error: str = "") -> None:
    """Write down how a reading stands."""
    w.execute(
        "UPDATE analysis SET state = ?, error = ?, ended_at = ? WHERE id = ?", (state, error, utc_now(), analysis)
    )


def request_of(r: Connection, analysis: int) -> tuple[WorkId, AnalysisRequest] | None:
    """Return what a reading was asked to do, None when there is no such one."""
    row = r.execute("SELECT work_id, mode, cap_tokens, language FROM analysis WHERE id = ?", (analysis,)).fetchone()
    return None if row is None else (WorkId(row[0]), AnalysisRequest(AnalysisMode(row[1]), row[2], row[3]))


def set_stage(
    w: Connection, analysis: int, stage: Stage, volume: int, done: int, total: int, counters: Mapping[str, int]
) -> None:
    """Write how far a stage is."""
    w.execute(
        "INSERT OR REPLACE INTO analysis_stage (analysis_id, stage, volume, done, total, counters)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (analysis, stage, volume, done, total, json.dumps(dict(counters), sort_keys=True)),
    )


def latest(r: Connection, work: WorkId) -> AnalysisProgress | None:
    """Return how the last reading of a work stands, None when there was none."""
    row = r.execute(
        "SELECT id, mode, state, cap_tokens, error FROM analysis WHERE work_id = ? ORDER BY id DESC LIMIT 1", (work,)
    ).fetchone()
    if row is None:
        return None
    id_, mode, state, cap, error = row
    order = list(Stage)
    stages = [
        StageProgress(Stage(stage), volume, done, total, json.loads(counters))
        for stage, volume, done, total, counters in r.execute(
            "SELECT stage, volume, done, total, counters FROM analysis_stage WHERE analysis_id = ?", (id_,)
        )
    ]
    [(sent, cached, received, is_estimate, calls, failed)] = r.execute(
        "SELECT coalesce(sum(tokens_in), 0), coalesce(sum(tokens_cached), 0), coalesce(sum(tokens_out), 0),"
        " coalesce(max(is_estimate), 0), count(*), coalesce(sum(state IN ('failed', 'lost')), 0)"
        " FROM model_call WHERE analysis_id = ?",
        (id_,),
    )
    return AnalysisProgress(
        id_,
        work,
        AnalysisMode(mode),
        AnalysisState(state),
        cap,
        Usage(sent, cached, received, 0, bool(is_estimate)),
        calls,
        failed,
        tuple(sorted(stages, key=lambda each: (each.volume < 0, each.volume, order.index(each.stage)))),
        error,
    )


def batches(r: Connection, work: WorkId, request: AnalysisRequest, volumes: int) -> list[int]:
    """Return after how many volumes each finished reading ended, and this one: what was written is added to."""
    rows = r.execute(
        "SELECT DISTINCT volumes FROM analysis WHERE work_id = ? AND mode = ? AND language = ? AND state = 'done'"
        " AND volumes < ? ORDER BY volumes",
        (work, request.mode, request.language, volumes),
    )
    return [*(count for (count,) in rows), volumes]


def finished_volumes(r: Connection, work: WorkId, request: AnalysisRequest) -> int:
    """Return how many volumes the longest finished reading of a kind had; 0 for none."""
    found = r.execute(
        "SELECT max(volumes) FROM analysis WHERE work_id = ? AND mode = ? AND language = ? AND state = 'done'",
        (work, request.mode, request.language),
    ).get
    return int(found or 0)


def seed_of(r: Connection, work: WorkId, volume: int, volumes_key: str) -> str | None:
    """Return the names a volume was first read with, None when it was not, or its text was another."""
    found = r.execute(
        "SELECT points FROM seed WHERE work_id = ? AND volume = ? AND volumes_key = ?", (work, volume, volumes_key)
    ).get
    return None if found is None else str(found)


def set_seed(w: Connection, work: WorkId, volume: int, volumes_key: str, points: str) -> None:
    """Keep the names a volume is read with."""
    w.execute(
        "INSERT OR REPLACE INTO seed (work_id, volume, volumes_key, points) VALUES (?, ?, ?, ?)",
        (work, volume, volumes_key, points),
    )


def input_hash_of(r: Connection, work: WorkId, unit: str) -> str:
    """Return from what a unit in the library was made; empty for one that is not there."""
    found = r.execute("SELECT input_hash FROM written_unit WHERE work_id = ? AND unit = ?", (work, unit)).get
    return str(found or "")


def set_input_hash(w: Connection, work: WorkId, unit: str, input_hash: str) -> None:
    """Write down from what a unit was made."""
    w.execute(
        "INSERT OR REPLACE INTO written_unit (work_id, unit, input_hash) VALUES (?, ?, ?)", (work, unit, input_hash)
    )


def units_of(r: Connection, work: WorkId) -> list[str]:
    """Return the units a work has."""
    return [unit for (unit,) in r.execute("SELECT unit FROM written_unit WHERE work_id = ? ORDER BY unit", (work,))]


def forget_unit(w: Connection, work: WorkId, unit: str) -> None:
    """Take a unit's row away, with what of it did not stand."""
    w.execute("DELETE FROM written_unit WHERE work_id = ? AND unit = ?", (work, unit))
    w.execute("DELETE FROM dropped WHERE work_id = ? AND unit = ?", (work, unit))


def add_writer(w: Connection, model: str, prompt_rev: str) -> int:
    """Return the row of a model with a prompt on this day."""
    today = utc_now()[:10]
    found = w.execute(
        "SELECT id FROM writer WHERE model = ? AND prompt_rev = ? AND made_at = ?", (model, prompt_rev, today)
    ).get
    if found is None:
        w.execute("INSERT INTO writer (model, prompt_rev, made_at) VALUES (?, ?, ?)", (model, prompt_rev, today))
        found = w.last_insert_rowid()
    return int(found)


def set_plan(w: Connection, work: WorkId, entries: Sequence[tuple[PointId, str]]) -> None:
    """Write down which entries there shall be, and of which tier, in their order."""
    w.execute("DELETE FROM planned_entry WHERE work_id = ?", (work,))
    w.executemany(
        "INSERT INTO planned_entry (work_id, point_id, ord, tier) VALUES (?, ?, ?, ?)",
        [(work, point, ord_, tier) for ord_, (point, tier) in enumerate(entries)],
    )


def plan_of(r: Connection, work: WorkId) -> list[tuple[PointId, str]]:
    """Return (point, tier) of the planned entries, in their order."""
    rows = r.execute("SELECT point_id, tier FROM planned_entry WHERE work_id = ? ORDER BY ord", (work,))
    return [(PointId(point), tier) for point, tier in rows]


def forget_work(w: Connection, work: WorkId) -> None:
    """Take away what hangs on a work's readings; the paid replies stay, for the day it comes back."""
    w.execute("UPDATE analysis SET state = 'paused' WHERE work_id = ? AND state = 'running'", (work,))
    for table in ("written_unit", "learned_alias", "learned_point", "planned_entry", "dropped", "seed"):
        w.execute(f"DELETE FROM {table} WHERE work_id = ?", (work,))  # noqa: S608  (our own names)


def move_work(w: Connection, work: WorkId, into: WorkId) -> None:
    """Give what hangs on a work's readings to the one it went into."""
    for table in ("analysis", "model_call", "learned_alias", "learned_point", "dropped"):
        w.execute(f"UPDATE {table} SET work_id = ? WHERE work_id = ?", (into, work))  # noqa: S608  (our own names)
    for table in ("written_unit", "planned_entry", "seed"):
        w.execute(f"UPDATE OR REPLACE {table} SET work_id = ? WHERE work_id = ?", (into, work))  # noqa: S608
