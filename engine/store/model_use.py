"""What the models have used, which hosts the reader has agreed to, and what trials have shown."""

from __future__ import annotations

import json

from engine.domain.models import Spent, Trial, Usage, UsageRow
from engine.store.connection import Connection, utc_now


def record_usage(
    w: Connection, key: tuple[str, int, int, str, str], usage: Usage, money: float, *, has_failed: bool
) -> None:
    """Add one call to the sums of a day.

    Args:
        w: The writing connection.
        key: Day (ISO, the reader's own), job, work (0 for none), stage, model.
        usage: What it used.
        money: What that cost at the prices of this moment.
        has_failed: Whether it brought no whole answer.
    """
    w.execute(
        "INSERT INTO model_usage (day, job, work_id, stage, model, calls, failed, prompt, cached, completion,"
        " reasoning, is_estimate, money) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET calls = calls + 1, failed = failed + excluded.failed,"
        " prompt = prompt + excluded.prompt, cached = cached + excluded.cached,"
        " completion = completion + excluded.completion, reasoning = reasoning + excluded.reasoning,"
        " is_estimate = max(is_estimate, excluded.is_estimate), money = money + excluded.money",
        (*key, has_failed, usage.prompt, usage.cached, usage.completion, usage.reasoning, usage.is_estimate, money),
    )


def spent_on_job(r: Connection, job: int) -> Spent:
    """Return what a job has spent so far."""
    return _spent(r, "job = ?", job)


def spent_on_days(r: Connection, prefix: str) -> Spent:
    """Return what was spent on a day ("2026-11-30") or in a month ("2026-11-")."""
    return _spent(r, "day GLOB ? || '*'", prefix)


def _spent(r: Connection, where: str, value: str | int) -> Spent:
    sql = f"SELECT coalesce(sum(money), 0), coalesce(sum(prompt + completion), 0) FROM model_usage WHERE {where}"  # noqa: S608  (our words)
    money, tokens = r.execute(sql, (value,)).get
    return Spent(float(money), int(tokens))


def usage_rows(r: Connection, prefix: str = "") -> tuple[UsageRow, ...]:
    """Return what each stage of each work has used of each model, on the days that begin with `prefix`."""
    rows = r.execute(
        "SELECT work_id, stage, model, sum(calls), sum(failed), sum(prompt), sum(cached), sum(completion),"
        " sum(reasoning), max(is_estimate), sum(money) FROM model_usage WHERE day GLOB ? || '*'"
        " GROUP BY work_id, stage, model ORDER BY work_id, stage, model",
        (prefix,),
    )
    return tuple(
        UsageRow(work, stage, model, calls, failed, Usage(sent, cached, came, reasoning, bool(guess)), money)
        for work, stage, model, calls, failed, sent, cached, came, reasoning, guess, money in rows
    )


def allow(w: Connection, place: str) -> None:
    """Keep that the reader has agreed to a host or plugin."""
    w.execute("INSERT OR IGNORE INTO consent (place, agreed_at) VALUES (?, ?)", (place, utc_now()))


def withdraw(w: Connection, place: str) -> None:
    """Forget that the reader had agreed."""
    w.execute("DELETE FROM consent WHERE place = ?", (place,))


def allowed_places(r: Connection) -> frozenset[str]:
    """Return the hosts and plugins the reader has agreed to."""
    return frozenset(str(place) for (place,) in r.execute("SELECT place FROM consent"))


def put_trial(w: Connection, trial: Trial) -> None:
    """Keep what a trial showed, in place of an earlier one."""
    w.execute(
        "INSERT OR REPLACE INTO trial (model, place, tried_at, text, tools, schemas, streaming, notes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            trial.model, trial.place, utc_now(), trial.text, trial.tools, trial.schemas, trial.streaming,
            json.dumps(trial.notes, ensure_ascii=False),
        ),
    )  # fmt: skip


def drop_trial(w: Connection, model: str) -> None:
    """Forget what a trial showed: the model is another one now."""
    w.execute("DELETE FROM trial WHERE model = ?", (model,))


def trials(r: Connection) -> dict[str, Trial]:
    """Return the last trial of each model that was tried."""
    rows = r.execute("SELECT model, place, tried_at, text, tools, schemas, streaming, notes FROM trial")
    return {
        model: Trial(
            model, place, at, bool(text), bool(tools), bool(schemas), bool(streaming), tuple(json.loads(notes))
        )
        for model, place, at, text, tools, schemas, streaming, notes in rows
    }
