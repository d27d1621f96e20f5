"""Imports in words: how far they are, and what they met."""

from __future__ import annotations

from collections.abc import Sequence

from engine.domain.book import ImportReport, ImportStatus
from engine.domain.reading import JobProgress, JobState
from engine.translate import _, ngettext

_OPEN = (JobState.TODO, JobState.LEASED)


def import_words(jobs: Sequence[JobProgress], reports: Sequence[ImportReport | None]) -> str:
    """Return one line on imports: the file at work, or how they ended."""
    going = [job for job in jobs if job.state in _OPEN]
    if going:
        now = next((job for job in going if job.state is JobState.LEASED), going[0])
        share = "  " + _("{share} %").format(share=now.done * 100 // now.total) if now.total else ""
        words = _("importing {n} of {all}: {name}")
        return words.format(n=len(jobs) - len(going) + 1, all=len(jobs), name=now.subject) + share
    opened = sum(report is not None and report.status is not ImportStatus.REFUSED for report in reports)
    repairs = sum(len(report.warnings) for report in reports if report is not None)
    refused = len(jobs) - opened
    parts = [ngettext("{n} book opened", "{n} books opened", opened).format(n=opened)] if opened else []
    if repairs:
        parts.append(ngettext("{n} repair", "{n} repairs", repairs).format(n=repairs))
    if refused:
        parts.append(ngettext("{n} refused", "{n} refused", refused).format(n=refused))
    return _(", ").join(parts) + (_(" · r report") if repairs or refused else "")


def report_lines(jobs: Sequence[JobProgress], reports: Sequence[ImportReport | None]) -> list[str]:
    """Return what each import met: the file, then its warnings or why it was refused, a line each."""
    lines: list[str] = []
    for job, report in zip(jobs, reports, strict=True):
        warnings = [warning.message for warning in report.warnings] if report is not None else []
        errors = [words for words in (job.error, report.error if report is not None else "") if words]
        if warnings or errors:
            lines += [job.subject, *(f"  {words}" for words in dict.fromkeys([*warnings, *errors]))]
    return lines
