"""Knowledge packs: `understory pack export`, `pack import`, `pack info`."""

from __future__ import annotations

from argparse import Namespace

from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.knowing import wait_for_names
from engine.cli.parser import Commands, Parser, add_word, add_work
from engine.cli.waiting import wait_for_jobs, wait_while
from engine.domain.packs import PackInfo, PackReport
from engine.errors import CommandInvalidError, shown_path
from engine.paths import typed_path
from engine.translate import _, grouped

_PACK = "pack"


def add_commands(commands: Commands) -> None:
    """Enter `pack`."""
    parser = commands.add("pack", _("hand on what was learned about a work, or take it in"), _ask_what)
    words = parser.add_subparsers(metavar="WHAT", parser_class=Parser)
    export = add_word(words, "export", _("write what was learned about a work into a file, without its text"), _export)
    add_work(export)
    export.add_argument("file", metavar="FILE")
    take = add_word(words, "import", _("take in what somebody else's model has learned"), _import)
    take.add_argument("file", metavar="FILE")
    take.add_argument("--trust", action="store_true", help=_("believe what it says was checked against the text"))
    take.add_argument("--replace", action="store_true", help=_("put it in the place of what was learned here"))
    info = add_word(words, "info", _("say what a pack is about, and nothing of what it tells"), _info)
    info.add_argument("file", metavar="FILE")


def _ask_what(_context: Context, _arguments: Namespace) -> int:
    raise CommandInvalidError(_("export, import or info?"), command="pack")


def _export(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    path = typed_path(arguments.file)
    if not wait_for_names(context, work):
        return 1
    words = _("a pack is being taken in ...")  # perhaps this work's
    wait_while(context, lambda: words if any(job.kind == _PACK for job in context.library().jobs()) else "")
    info = context.library().export_pack(work, path)
    if arguments.json:
        _tell(context, info, is_json=True)
        return 0
    said = _("{points} points and {statements} statements are in {file}, which tells the whole story.")
    context.out.talk(
        said.format(points=grouped(info.points), statements=grouped(info.statements), file=shown_path(path))
    )
    return 0


def _info(context: Context, arguments: Namespace) -> int:
    _tell(context, context.library().pack_info(typed_path(arguments.file)), is_json=arguments.json)
    return 0


def _tell(context: Context, info: PackInfo, *, is_json: bool) -> None:
    if is_json:
        context.out.record(
            {
                "title": info.title,
                "language": info.language,
                "made": info.made_at,
                "models": list(info.models),
                "books": list(info.books),
                "points": info.points,
                "statements": info.statements,
            }
        )
        return
    context.out.line(f"{info.title} · {info.language} · {info.made_at}")
    context.out.line(_("written by {models}").format(models=_(", ").join(info.models) or "-"))
    context.out.line(
        _("{points} points, {statements} statements about:").format(
            points=grouped(info.points), statements=grouped(info.statements)
        )
    )
    for title in info.books:
        context.out.line(f"  {title}")


def _import(context: Context, arguments: Namespace) -> int:
    library = context.library()
    path = typed_path(arguments.file)
    job = library.start_pack(path, is_trusted=arguments.trust, replaces=arguments.replace)
    said = _("{done} of {total} statements")
    (state,) = wait_for_jobs(
        context, [job], lambda states: said.format(done=states[0].done, total=states[0].total or "?")
    )
    report = library.pack_report(state)
    if report is None:
        context.out.talk(state.error or state.state.value)
        return 1
    _tell_report(context, report, arguments)
    return 0


def _tell_report(context: Context, report: PackReport, arguments: Namespace) -> None:
    if arguments.json:
        context.out.record(
            {
                "work": report.work,
                "points": report.points,
                "statements": report.statements,
                "left_out": report.left_out,
                "waiting": report.waiting,
            }
        )
        return
    said = _("{statements} statements about {points} points were taken in.")
    context.out.line(said.format(statements=grouped(report.statements), points=grouped(report.points)))
    if report.left_out:
        said = _("{n} were left out: their passages do not stand in your books.")
        context.out.line(said.format(n=grouped(report.left_out)))
    if report.waiting and not arguments.trust:
        said = _("{n} wait for the end of the work, for nobody here has checked them; --trust believes the pack.")
        context.out.line(said.format(n=grouped(report.waiting)))
