"""Background work: what is to be done, how far it is, and which process may do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.reading import JobProgress, JobState
from engine.store.connection import Connection

NAMES = "rules"
"""Kind of the job that looks for the names of a work; its unit is the work's id."""
INDEX = "index"
"""Kind of the job that makes the passages of a book, by which its text is searched; its unit is the book's id."""

ANALYSIS = "analysis"
"""Kind of the job that has a work read by models; its unit is the work's id."""
PACK = "pack"
"""Kind of the job that takes a knowledge pack in; its unit is a `PackRequest`."""
EMBED = "embed"
"""Kind of the job that gives the passages of a book their vectors; its unit is the book's id."""

_RANK = (
    f"CASE kind WHEN '{INDEX}' THEN 1 WHEN '{NAMES}' THEN 2 WHEN '{PACK}' THEN 3 WHEN '{ANALYSIS}' THEN 4"
    f" WHEN '{EMBED}' THEN 5 ELSE 0 END"
)
"""What is done first: a book that can be read is worth more than one that can be searched, that more than
names, and these more than what may take hours."""

LEASE_SECONDS = 30.0
"""A lease without a heartbeat for so long is anybody's."""


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work as its worker sees it."""

    id: int
    kind: str
    unit: str
    subject: str
    tries: int
    """How often it was begun, this time included."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that holds a lease, told apart from a later one with the same pid."""

    pid: int
    process_start: str
    boot: str


def add_job(w: Connection, kind: str, unit: str, subject: str) -> int:
    """Queue a piece of work and return its id; the one already waiting or under way if there is one."""
    open_job = w.execute(
        "SELECT id FROM job WHERE kind = ? AND unit = ? AND state IN ('todo', 'leased')", (kind, unit)
    ).get
    if open_job is not None:
        return int(open_job)
    w.execute("INSERT INTO job (kind, unit, subject, state) VALUES (?, ?, ?, 'todo')", (kind, unit, subject))
    return w.last_insert_rowid()


def take_job(w: Connection) -> Job | None:
    """Take the oldest job that waits, or that a dead owner left behind; None when there is none.

    Imports come first, then passages, then names: a further volume may bring further names.
    Only for the holder of the lease.
    """
    row = w.execute(
        "UPDATE job SET state = 'leased', tries = tries + 1, done = 0, total = 0 WHERE id ="  # noqa: S608  (our own words)
        f" (SELECT id FROM job WHERE state IN ('todo', 'leased') ORDER BY {_RANK}, id LIMIT 1)"
        " RETURNING id, kind, unit, subject, tries"
    ).fetchone()
    return None if row is None else Job(*row)


def has_open_jobs(r: Connection) -> bool:
    """Say whether anything waits or is under way."""
    return bool(r.execute("SELECT EXISTS (SELECT 1 FROM job WHERE state IN ('todo', 'leased'))").get)


def is_open_unit(r: Connection, unit: str) -> bool:
    """Say whether work on this very thing waits or is under way."""
    found = r.execute("SELECT EXISTS (SELECT 1 FROM job WHERE unit = ? AND state IN ('todo', 'leased'))", (unit,)).get
    return bool(found)


def is_under_way(r: Connection, job: int) -> bool:
    """Say whether a job is still this helper's to do."""
    return bool(r.execute("SELECT state FROM job WHERE id = ?", (job,)).get == JobState.LEASED)


def is_other_waiting(r: Connection, job: int) -> bool:
    """Say whether something waits that comes before a job, such as a book to import before its names."""
    sql = f"SELECT {_RANK} FROM job WHERE id = ?"  # noqa: S608  (our own words)
    return bool(r.execute(f"SELECT EXISTS (SELECT 1 FROM job WHERE state = 'todo' AND {_RANK} < ({sql}))", (job,)).get)  # noqa: S608  (our own words)


def open_jobs(r: Connection, kind: str) -> list[tuple[int, str]]:
    """Return (id, unit) of the jobs of a kind that wait or are under way."""
    rows = r.execute("SELECT id, unit FROM job WHERE kind = ? AND state IN ('todo', 'leased')", (kind,))
    return [(int(id_), str(unit)) for id_, unit in rows]


def names_job(r: Connection, work: int) -> int | None:
    """Return the job that looks, or will look, for the names of a work; None when there is none."""
    found = r.execute(
        "SELECT id FROM job WHERE kind = ? AND unit = ? AND state IN ('todo', 'leased')", (NAMES, str(work))
    ).get
    return None if found is None else int(found)


def analysis_job(r: Connection, work: int) -> int | None:
    """Return the job that reads, or will read, a work by models; None when there is none."""
    found = r.execute(
        "SELECT id FROM job WHERE kind = ? AND unit = ? AND state IN ('todo', 'leased')", (ANALYSIS, str(work))
    ).get
    return None if found is None else int(found)


def set_progress(w: Connection, job: int, done: int, total: int) -> bool:
    """Write how far a job is; False when the reader has cancelled it."""
    w.execute("UPDATE job SET done = ?, total = ? WHERE id = ? AND state = 'leased'", (done, total, job))
    return w.changes() > 0


def count_step(w: Connection, job: int) -> None:
    """Write that a job has got on, so that its next start does not count as one that failed before."""
    w.execute("UPDATE job SET tries = 0 WHERE id = ? AND state = 'leased'", (job,))


def is_cancelled(r: Connection, job: int) -> bool:
    """Say whether the reader has cancelled a job."""
    return bool(r.execute("SELECT state FROM job WHERE id = ?", (job,)).get == JobState.CANCELLED)


def finish_job(w: Connection, job: int, *, result: str = "", error: str = "") -> None:
    """Close a job: failed when there is an error, done otherwise. A cancelled one stays cancelled."""
    state = JobState.FAILED if error else JobState.DONE
    w.execute(
        "UPDATE job SET state = ?1, result = ?2, error = ?3, done = CASE WHEN ?3 = '' THEN total ELSE done END"
        " WHERE id = ?4 AND state = 'leased'",
        (state, result, error, job),
    )


def give_back(w: Connection, job: int) -> None:
    """Put a job back as if it had not been begun: its process was asked to end."""
    w.execute("UPDATE job SET state = 'todo', tries = tries - 1 WHERE id = ? AND state = 'leased'", (job,))


def cancel_job(w: Connection, job: int) -> None:
    """Cancel a job that is not finished; its worker stops at the next document."""
    w.execute("UPDATE job SET state = 'cancelled' WHERE id = ? AND state IN ('todo', 'leased')", (job,))


def progress(r: Connection, ids: Sequence[int] = ()) -> tuple[JobProgress, ...]:
    """Return jobs by id, or without ids all that are not finished, oldest first."""
    columns = "SELECT id, kind, state, subject, done, total, error, result FROM job"
    if ids:
        rows = r.execute(f"{columns} WHERE id IN ({', '.join('?' * len(ids))}) ORDER BY id", tuple(ids))
    else:
        rows = r.execute(f"{columns} WHERE state IN ('todo', 'leased') ORDER BY id")
    return tuple(JobProgress(i, kind, JobState(state), *rest) for i, kind, state, *rest in rows)


def take_lease(w: Connection, name: str, owner: Owner, now: float, *, is_alive: bool) -> bool:
    """Take a lease, or renew one's own.

    Args:
        w: The writer.
        name: What it is for.
        owner: Who asks.
        now: Monotonic seconds of this boot.
        is_alive: Whether the process that holds it (see `lease_owner`) still runs.
    """
    row = w.execute("SELECT pid, process_start, boot, heartbeat FROM lease WHERE name = ?", (name,)).fetchone()
    if row is not None and Owner(*row[:3]) != owner:
        is_fresh = row[2] == owner.boot and 0 <= now - row[3] < LEASE_SECONDS
        if is_alive and is_fresh:
            return False
    w.execute(
        "INSERT OR REPLACE INTO lease (name, pid, process_start, boot, heartbeat) VALUES (?, ?, ?, ?, ?)",
        (name, owner.pid, owner.process_start, owner.boot, now),
    )
    return True


def lease_owner(r: Connection, name: str) -> Owner | None:
    """Return who holds a lease, alive or not."""
    row = r.execute("SELECT pid, process_start, boot FROM lease WHERE name = ?", (name,)).fetchone()
    return None if row is None else Owner(*row)


def drop_lease(w: Connection, name: str, owner: Owner) -> None:
    """Give a lease back; nothing happens when somebody else holds it by now."""
    w.execute(
        "DELETE FROM lease WHERE name = ? AND pid = ? AND process_start = ? AND boot = ?",
        (name, owner.pid, owner.process_start, owner.boot),
    )
