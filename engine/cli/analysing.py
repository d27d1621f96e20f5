"""Reading a work by models without a screen: `understory analyze`, `audit`, `usage`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.knowing import add_bound, bound_from, wait_for_names
from engine.cli.output import Json, columns
from engine.cli.parser import Commands, Parser, add_work
from engine.cli.waiting import wait_for_jobs
from engine.domain.analysis import (
    AnalysisMode,
    AnalysisProgress,
    AnalysisRequest,
    AnalysisState,
    Estimate,
    StageProgress,
)
from engine.domain.book import WorkId
from engine.domain.reading import JobProgress
from engine.domain.wiki import StatementId
from engine.errors import CommandInvalidError
from engine.translate import _, grouped

_MODEL_FAILED = 6
_PAUSED = 7


def add_commands(commands: Commands) -> None:
    """Enter `analyze`, `audit` and `usage`."""
    analyze = commands.add("analyze", _("have a model read a whole work"), _analyze)
    add_work(analyze)
    analyze.add_argument(
        "--mode", choices=[str(mode) for mode in AnalysisMode], default="quality", help=_("how much care is taken")
    )
    analyze.add_argument("--cap", metavar="N", type=int, default=0, help=_("pause before it costs more tokens"))
    analyze.add_argument("--language", metavar="TAG", default="", help=_("to write in, such as en; else the work's"))
    analyze.add_argument("--estimate", action="store_true", help=_("only say what it would cost"))
    analyze.add_argument("--pause", action="store_true", help=_("stop a reading that is under way"))
    analyze.add_argument("--progress", action="store_true", help=_("only say how it stands"))
    analyze.add_argument("--background", action="store_true", help=_("do not wait; it goes on when this command ends"))
    _add_audit(commands)
    usage = commands.add("usage", _("what reading by models has cost, and how well it went"), _usage)
    usage.add_argument("work", metavar="WORK", nargs="?", help=_("id, title or an unambiguous part of the title"))


def _add_audit(commands: Commands) -> Parser:
    audit = commands.add("audit", _("twenty sentences of a model by chance, with their evidence"), _audit)
    add_work(audit)
    add_bound(audit)
    audit.add_argument("--seed", metavar="N", type=int, default=0, help=_("another number, other sentences"))
    audit.add_argument("--yes", metavar="ID", type=int, nargs="+", default=[], help=_("these are borne out"))
    audit.add_argument("--no", metavar="ID", type=int, nargs="+", default=[], help=_("these are not"))
    audit.add_argument("--dropped", action="store_true", help=_("what was written and did not stand"))
    return audit


# analyze


def _analyze(context: Context, arguments: Namespace) -> int:
    if arguments.cap < 0:
        raise CommandInvalidError(_("--cap takes a number of tokens"), command="analyze")
    work = find_work(context, arguments)
    library = context.library()
    if arguments.pause:
        if not library.pause_analysis(work):
            context.out.talk(_("This work is not being read."))
        return 0
    if arguments.progress:
        return tell_progress(context, library.analysis(work), is_json=arguments.json)
    request = AnalysisRequest(AnalysisMode(arguments.mode), arguments.cap, arguments.language)
    if arguments.estimate:
        _tell_estimate(context, library.estimate(work, request), is_json=arguments.json)
        return 0
    if not wait_for_names(context, work):
        return 1
    job = library.start_analysis(work, request, is_alone=arguments.background)
    if arguments.background:
        context.out.talk(
            _("It goes on by itself. `understory analyze --progress` says how far it is, --pause stops it.")
        )
        return 0
    watch(context, work, job)
    return tell_progress(context, library.analysis(work), is_json=arguments.json)


def watch(context: Context, work: WorkId, job: int) -> None:
    """Say how far a reading is until it has ended."""

    def said(states: Sequence[JobProgress]) -> str:
        progress = context.library().analysis(work)
        if progress is None:
            return ""  # it has only just begun
        spent = progress.usage.prompt + progress.usage.completion
        return _("{done} of {total} steps, {calls} calls, {n} tokens").format(
            done=states[0].done, total=states[0].total or "?", calls=progress.calls, n=grouped(spent)
        )

    wait_for_jobs(context, [job], said)


def _tell_estimate(context: Context, found: Estimate, *, is_json: bool) -> None:
    if is_json:
        stages: dict[str, Json] = {
            str(name): {"calls": stage.calls, "tokens": stage.tokens} for name, stage in found.stages.items()
        }
        context.out.record(
            {
                "tokens_low": found.tokens_low,
                "tokens_high": found.tokens_high,
                "money_low": found.money_low,
                "money_high": found.money_high,
                "minutes_low": found.minutes_low,
                "minutes_high": found.minutes_high,
                "stages": stages,
                "volumes": found.volumes,
                "characters": found.characters,
            }
        )
        return
    said = _("{volumes} volumes · {characters} characters · about {low}-{high} tokens · {least}-{most} min")
    context.out.line(
        said.format(
            volumes=found.volumes,
            characters=grouped(found.characters),
            low=grouped(found.tokens_low),
            high=grouped(found.tokens_high),
            least=found.minutes_low,
            most=found.minutes_high,
        )
    )
    if found.money_low is None or found.money_high is None:
        context.out.line(_("No price is set: `understory models price` sets one."))
    else:
        context.out.line(_("{low:.2f}-{high:.2f} at your prices").format(low=found.money_low, high=found.money_high))
    rows = [[str(name), grouped(each.calls), grouped(each.tokens)] for name, each in found.stages.items()]
    for line in columns([[_("stage"), _("calls"), _("tokens")], *rows], right=frozenset({1, 2})) if rows else ():
        context.out.line(line)


def tell_progress(context: Context, progress: AnalysisProgress | None, *, is_json: bool) -> int:
    """Say how a reading stands; returns the exit code."""
    if progress is None:
        context.out.talk(_("No model has read this work yet."))
        return 0
    if is_json:
        context.out.record(_progress_record(progress))
    else:
        for stage in progress.stages:
            context.out.line(_stage_line(stage))
        usage = progress.usage
        said = _("sent {sent}   received {received}   cached {cached}   calls {calls}   failed {failed}")
        context.out.line(
            said.format(
                sent=grouped(usage.prompt),
                received=grouped(usage.completion),
                cached=grouped(usage.cached),
                calls=progress.calls,
                failed=progress.failed,
            )
        )
    if progress.error:
        context.out.talk(progress.error)
    codes = {AnalysisState.FAILED: _MODEL_FAILED, AnalysisState.PAUSED: _PAUSED}
    return codes.get(progress.state, 0)


def _progress_record(progress: AnalysisProgress) -> dict[str, Json]:
    stages: Sequence[Json] = [
        {
            "stage": str(each.stage),
            "volume": each.volume + 1 if each.volume >= 0 else None,
            "done": each.done,
            "total": each.total,
            "counters": dict(each.counters),
        }
        for each in progress.stages
    ]
    return {
        "work": progress.work,
        "mode": str(progress.mode),
        "state": str(progress.state),
        "cap": progress.cap_tokens,
        "sent": progress.usage.prompt,
        "received": progress.usage.completion,
        "cached": progress.usage.cached,
        "is_estimate": progress.usage.is_estimate,
        "calls": progress.calls,
        "failed": progress.failed,
        "stages": stages,
        "error": progress.error,
    }


def _stage_line(stage: StageProgress) -> str:
    head = _("volume {n}").format(n=stage.volume + 1) if stage.volume >= 0 else _("work")
    counters = dict(stage.counters)
    found, missed = counters.pop("evidence_found", 0), counters.pop("evidence_missed", 0)
    words = [f"{head}  {stage.stage} {stage.done}/{stage.total}"]
    if found + missed:
        words.append(_("evidence found {n} %").format(n=round(100 * found / (found + missed))))
    words += [f"{name.replace('_', ' ')} {count}" for name, count in sorted(counters.items()) if count]
    return "   ".join(words)


# audit


def _audit(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    library = context.library()
    upto, mode = bound_from(context, arguments, work)
    if arguments.dropped:
        return _tell_dropped(context, library.dropped(work, upto, mode), is_json=arguments.json)
    for id_, is_supported in [*((i, True) for i in arguments.yes), *((i, False) for i in arguments.no)]:
        if not library.audit(StatementId(id_), is_supported=is_supported):
            raise CommandInvalidError(_("there is no sentence {n}").format(n=id_), command="audit")
    supported, looked = library.audit_score(work)
    samples = () if arguments.yes or arguments.no else library.audit_samples(work, arguments.seed, upto, mode)
    if arguments.json:
        for each in samples:
            evidence: Sequence[Json] = [{"quote": quote, "paragraph": whole} for quote, whole in each.evidence]
            context.out.record(
                {"id": each.id, "about": each.about, "text": each.text, "verdict": each.verdict, "evidence": evidence}
            )
        context.out.record({"supported": supported, "looked_at": looked})
        return 0
    for each in samples:
        words = " · ".join(part for part in each.text.split("\t") if part)
        context.out.line(f"{each.id}  {each.about + ': ' if each.about else ''}{words}  ({each.verdict})")
        for _quote, whole in each.evidence:
            context.out.line(f"      | {whole}")
    if looked:
        context.out.line(_("{n} of {all} sentences looked at are borne out.").format(n=supported, all=looked))
    elif not samples:
        context.out.talk(_("There is nothing to look at yet: nothing a model wrote has been read up to here."))
    return 0


def _tell_dropped(context: Context, rows: tuple[tuple[str, str], ...] | None, *, is_json: bool) -> int:
    if rows is None:
        context.out.talk(_("What did not stand may tell what lies ahead; it is shown at the end, or with --upto end."))
        return 0
    for text, reason in rows:
        if is_json:
            context.out.record({"text": text, "reason": reason})
        else:
            context.out.line(f"{' · '.join(part for part in text.split(chr(9)) if part)}  ({reason})")
    return 0


# usage


def _usage(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments) if arguments.work is not None else None
    library = context.library()
    rows = library.usage(work)
    progress = library.analysis(work) if work is not None else None
    counters: dict[str, int] = {}
    for stage in progress.stages if progress is not None else ():
        for name, count in stage.counters.items():
            counters[name] = counters.get(name, 0) + count
    if arguments.json:
        for row in rows:
            context.out.record(
                {
                    "stage": row.stage,
                    "model": row.model,
                    "calls": row.calls,
                    "failed": row.failed,
                    "sent": row.usage.prompt,
                    "cached": row.usage.cached,
                    "received": row.usage.completion,
                    "is_estimate": row.usage.is_estimate,
                    "seconds": round(row.seconds, 1),
                }
            )
        if progress is not None:
            context.out.record({"counters": dict(counters)})
        return 0
    head = [_("stage"), _("model"), _("calls"), _("failed"), _("sent"), _("cached"), _("received")]
    table = [
        [r.stage, r.model, *map(grouped, (r.calls, r.failed, r.usage.prompt, r.usage.cached, r.usage.completion))]
        for r in rows
    ]
    for line in columns([head, *table], right=frozenset(range(2, 7))) if rows else ():
        context.out.line(line)
    for name, count in sorted(counters.items()):
        context.out.line(f"{name.replace('_', ' ')}: {grouped(count)}")
    if not rows:
        context.out.talk(_("Nothing was used yet."))
    return 0
