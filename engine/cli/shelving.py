"""Changing the shelf: `understory rename`, `reorder`, `group`, `remove`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.output import text_from_argument
from engine.cli.parser import Commands, add_work
from engine.domain.book import VolumeId
from engine.domain.reading import VolumeOutline
from engine.errors import CommandInvalidError
from engine.translate import _


def add_commands(commands: Commands) -> None:
    """Enter the four words."""
    rename = commands.add("rename", _("give a work another title"), _rename, has_json=False)
    add_work(rename)
    rename.add_argument("title", metavar="TITLE")
    reorder = commands.add("reorder", _("put the volumes of a work in another order"), _reorder, has_json=False)
    add_work(reorder)
    reorder.add_argument("order", metavar="N", type=int, nargs="+", help=_("every volume by its present number"))
    group = commands.add("group", _("make several works one, or take volumes out of one"), _group, has_json=False)
    add_work(group)
    group.add_argument("others", metavar="OTHER", nargs="*", help=_("works whose volumes follow those of WORK"))
    group.add_argument("--split", metavar="N", type=int, nargs="+", help=_("volumes of WORK to stand on their own"))
    remove = commands.add("remove", _("take a work out of the library"), _remove, has_json=False)
    add_work(remove)
    remove.add_argument("--yes", action="store_true", help=_("do not ask"))


def _rename(context: Context, arguments: Namespace) -> int:
    context.library().rename_work(find_work(context, arguments), text_from_argument(arguments.title))
    return 0


def _reorder(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    volumes = context.library().outline(work).volumes
    if sorted(arguments.order) != list(range(1, len(volumes) + 1)):
        raise CommandInvalidError(
            _("name each volume once, by the numbers 1 to {n}").format(n=len(volumes)), command="reorder"
        )
    context.library().reorder(work, [volumes[number - 1].id for number in arguments.order])
    return 0


def _group(context: Context, arguments: Namespace) -> int:
    if bool(arguments.others) == bool(arguments.split):
        raise CommandInvalidError(_("name other works to take in, or volumes with --split"), command="group")
    library = context.library()
    work = find_work(context, arguments)
    if arguments.split:
        made = library.regroup(_split_volumes(library.outline(work).volumes, arguments.split), None)
    else:
        others = dict.fromkeys(library.find_work(text_from_argument(other)) for other in arguments.others)
        taken = [volume.id for other in others if other != work for volume in library.outline(other).volumes]
        made = library.regroup(taken, work)
    context.out.line(str(made))
    return 0


def _split_volumes(volumes: Sequence[VolumeOutline], numbers: Sequence[int]) -> list[VolumeId]:
    wanted = sorted(set(numbers))
    if wanted[0] < 1 or wanted[-1] > len(volumes) or len(wanted) == len(volumes):
        raise CommandInvalidError(
            _("the volumes are numbered 1 to {n}, and one must stay").format(n=len(volumes)), command="group"
        )
    return [volumes[number - 1].id for number in wanted]


def _remove(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    title = context.library().outline(work).title
    if not arguments.yes and not _is_agreed(context, _("Remove {title}? Your place in it is kept. [y/N] "), title):
        context.out.talk(_("Nothing was changed."))
        return 0
    context.library().remove(work)
    context.out.talk(_("{title} was removed.").format(title=title))
    return 0


def _is_agreed(context: Context, question: str, title: str) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise CommandInvalidError(_("nobody is there to be asked; add --yes"), command="remove")
    context.out.ask(question.format(title=title))
    return sys.stdin.readline().strip().casefold() in {"y", "yes", _("yes"), _("y")}
