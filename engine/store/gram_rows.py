"""Which passages the rows of the full-text index are.

An index writes down how far it is from one row to the next, so rows are numbered one after the other as
passages come. Numbered like passages, whose ids jump at each document, they took a Chinese novel 1.0 of
its text in place of 0.6. Passages and rows that follow each other are a run.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.domain.search import PASSAGE_SHIFT
from engine.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Range:
    """Passages that follow each other; both ends belong to it."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Run:
    """Passages whose rows follow each other as they do."""

    passage: int
    """The first."""
    row: int
    """Its row."""
    count: int


class GramRows:
    """The rows of some passages, and the way back."""

    def __init__(self, runs: Iterable[Run]) -> None:
        """Take runs in any order, none of them empty."""
        self._runs = sorted(runs, key=lambda run: run.row)
        self._firsts = [run.row for run in self._runs]

    @property
    def count(self) -> int:
        """How many passages there are."""
        return sum(run.count for run in self._runs)

    def stretches(self) -> Iterator[tuple[int, int]]:
        """Yield (first, last) of rows that follow each other, as few as can be."""
        if not self._runs:
            return
        first = self._runs[0].row
        for run, following in pairwise(self._runs):
            if run.row + run.count < following.row:
                yield first, run.row + run.count - 1
                first = following.row
        yield first, self._runs[-1].row + self._runs[-1].count - 1

    def passages(self, rows: Sequence[int]) -> list[int]:
        """Return the passages of growing rows, each in one of the stretches."""
        found: list[int] = []
        at = 0
        while at < len(rows):
            run = self._runs[bisect_right(self._firsts, rows[at]) - 1]
            end, away = bisect_left(rows, run.row + run.count, at), run.passage - run.row
            found += [row + away for row in rows[at:end]]
            at = end
        return found


def rows_of(r: Connection, ranges: Sequence[Range]) -> GramRows:
    """Return the rows of the passages in ranges, which are apart."""
    return GramRows(run for each in ranges for run in _runs_in(r, each))


def _runs_in(r: Connection, within: Range) -> Iterator[Run]:
    """Yield the runs of a range, cut to it. Served by the primary key: a run lies in one document."""
    sql = "SELECT passage_id, first_row, count FROM gram_run WHERE passage_id BETWEEN ? AND ? ORDER BY passage_id"
    for passage, row, count in r.execute(sql, (within.first >> PASSAGE_SHIFT << PASSAGE_SHIFT, within.last)):
        first, last = max(passage, within.first), min(passage + count - 1, within.last)
        if first <= last:
            yield Run(first, row + first - passage, last - first + 1)


def give_rows(w: Connection, ids: Sequence[int]) -> list[int]:
    """Give new passages their rows, one after the other.

    Args:
        w: The writer.
        ids: Growing.

    Returns:
        The rows, in the order of `ids`.
    """
    last = w.execute("SELECT first_row + count FROM gram_run ORDER BY first_row DESC LIMIT 1").get
    first = int(last or 1)
    for run in _runs_of(ids, first):
        held = w.execute(
            "UPDATE gram_run SET count = count + ?1 WHERE passage_id + count = ?2 AND first_row + count = ?3"
            " AND passage_id BETWEEN (?2 >> 20) << 20 AND ?2 RETURNING 1",
            (run.count, run.passage, run.row),
        ).get
        if held is None:
            _add(w, run)
    return list(range(first, first + len(ids)))


def _runs_of(ids: Sequence[int], first_row: int) -> Iterator[Run]:
    """Yield runs of growing ids; one never reaches from one document into the next."""
    start = 0
    for at in range(1, len(ids) + 1):
        if at == len(ids) or ids[at] != ids[at - 1] + 1 or ids[at] >> PASSAGE_SHIFT != ids[start] >> PASSAGE_SHIFT:
            yield Run(ids[start], first_row + start, at - start)
            start = at


def take_rows(w: Connection, ids: Sequence[int]) -> list[int]:
    """Take the rows of passages away from them.

    Args:
        w: The writer.
        ids: Growing.

    Returns:
        The rows, which are free from now on.
    """
    freed: list[int] = []
    for gone in _runs_of(ids, 0):
        last = gone.passage + gone.count - 1
        document = gone.passage >> PASSAGE_SHIFT << PASSAGE_SHIFT
        found = [
            Run(*row)
            for row in w.execute(
                "SELECT passage_id, first_row, count FROM gram_run WHERE passage_id BETWEEN ? AND ?"
                " AND passage_id + count > ? ORDER BY passage_id",
                (document, last, gone.passage),
            )
        ]
        for run in found:
            w.execute("DELETE FROM gram_run WHERE passage_id = ?", (run.passage,))
            before, behind = gone.passage - run.passage, run.passage + run.count - 1 - last
            if before > 0:
                _add(w, Run(run.passage, run.row, before))
            if behind > 0:
                _add(w, Run(last + 1, run.row + run.count - behind, behind))
            freed += range(run.row + max(0, before), run.row + run.count - max(0, behind))
    return freed


def _add(w: Connection, run: Run) -> None:
    w.execute("INSERT INTO gram_run (passage_id, first_row, count) VALUES (?, ?, ?)", (run.passage, run.row, run.count))
