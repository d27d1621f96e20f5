"""Every call to a model for the reading of a work: its raw reply, and what it cost."""

from __future__ import annotations

import json
from dataclasses import dataclass

from engine.domain.analysis import StageUsage
from engine.domain.book import WorkId
from engine.domain.models import Usage
from engine.store.connection import Connection, utc_now


@dataclass(frozen=True, slots=True)
class CallAbout:
    """What a call is for."""

    cache_key: str
    work: WorkId
    analysis: int
    stage: str
    unit: str
    model: str
    prompt_rev: str


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A whole reply, as it came."""

    call: int
    text: str
    tool_calls: tuple[tuple[str, str, str, str], ...]
    """(id, name, arguments as JSON, fault)."""
    finish: str


def kept_reply(r: Connection, cache_key: str) -> KeptReply | None:
    """Return the reply to a call that was made before, None for one that was not."""
    row = r.execute("SELECT id, reply FROM model_call WHERE cache_key = ? AND state = 'done'", (cache_key,)).fetchone()
    if row is None:
        return None
    text, calls, finish = json.loads(row[1])
    return KeptReply(int(row[0]), text, tuple(tuple(call) for call in calls), finish)


def begin_call(w: Connection, about: CallAbout) -> int:
    """Write down that a call is being made and return its id."""
    w.execute(
        "INSERT INTO model_call (cache_key, work_id, analysis_id, stage, unit, model, prompt_rev, state, made_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 'sent', ?)",
        (
            *(about.cache_key, about.work, about.analysis, about.stage, about.unit, about.model, about.prompt_rev),
            utc_now(),
        ),
    )
    return w.last_insert_rowid()


def keep_reply(w: Connection, reply: KeptReply, usage: Usage, ms: int) -> None:
    """Keep a whole reply; the key is answered from now on."""
    told = json.dumps([reply.text, reply.tool_calls, reply.finish], ensure_ascii=False)
    w.execute("UPDATE model_call SET state = 'done', reply = ? WHERE id = ?", (told, reply.call))
    _set_usage(w, reply.call, usage, ms)


def fail_call(w: Connection, call: int, error: str, usage: Usage, ms: int) -> None:
    """Write down that a call brought no whole answer; it is made again when it is needed."""
    w.execute("UPDATE model_call SET state = 'failed', error = ? WHERE id = ?", (error, call))
    _set_usage(w, call, usage, ms)


def _set_usage(w: Connection, call: int, usage: Usage, ms: int) -> None:
    w.execute(
        "UPDATE model_call SET tokens_in = ?, tokens_cached = ?, tokens_out = ?, is_estimate = ?, ms = ? WHERE id = ?",
        (usage.prompt, usage.cached, usage.completion, usage.is_estimate, ms, call),
    )


def lose_calls(w: Connection) -> int:
    """Mark the calls whose process has ended before the answer came, and return how many; for the lease's holder."""
    w.execute("UPDATE model_call SET state = 'lost' WHERE state = 'sent'")
    return w.changes()


def spent_tokens(r: Connection, analysis: int) -> int:
    """Return what a reading has cost so far, sent and received, cached input in full."""
    found = r.execute("SELECT sum(tokens_in + tokens_out) FROM model_call WHERE analysis_id = ?", (analysis,)).get
    return int(found or 0)


def usage_of(r: Connection, work: WorkId | None = None) -> list[StageUsage]:
    """Return what was spent on a work, or on all, by stage and model, in the order the stages first ran."""
    rows = r.execute(
        "SELECT stage, model, count(*), sum(state IN ('failed', 'lost')), sum(tokens_in), sum(tokens_cached),"
        " sum(tokens_out), max(is_estimate), sum(ms) FROM model_call WHERE ?1 IS NULL OR work_id = ?1"
        " GROUP BY stage, model ORDER BY min(id)",
        (work,),
    )
    return [
        StageUsage(stage, model, calls, failed, Usage(sent, cached, received, 0, bool(is_estimate)), ms / 1000)
        for stage, model, calls, failed, sent, cached, received, is_estimate, ms in rows
    ]
