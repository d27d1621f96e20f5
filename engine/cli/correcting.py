"""What the reader sets right: the options of `understory points` that change something."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from engine.cli.context import Context
from engine.cli.output import text_from_argument
from engine.cli.parser import Parser
from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.corrections import Act, MadeCorrection
from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator, locator_from_text
from engine.domain.wiki import Correction, PointId
from engine.errors import CommandInvalidError
from engine.spoilers.policy import Upto
from engine.translate import N_, _

_OPTIONS = ("merge", "same", "split", "rename", "hide", "add", "undo")
_SAID = {
    Correction.MERGE: N_("{names}: one"),
    Correction.IDENTITY: N_("{names}: one from there on"),
    Correction.SPLIT: N_("{form}: no name of {names}"),
    Correction.RENAME: N_("{names}: called {form}"),
    Correction.HIDE: N_("{names}: hidden"),
    Correction.REKIND: N_("{names}: of another kind"),
    Correction.ADD: N_("{form}: added"),
}
_BETWEEN = " · "


def add_options(parser: Parser) -> None:
    """Add what changes points; at most one at a time."""
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--merge", metavar="OTHER", help=_("POINT and OTHER are one"))
    act.add_argument("--same", metavar="OTHER", help=_("the two turn out to be one, from the place of --at on"))
    act.add_argument("--split", metavar="NAME", help=_("NAME is not a name of POINT but of somebody else"))
    act.add_argument("--rename", metavar="NAME", help=_("call POINT by another name"))
    act.add_argument("--hide", action="store_true", help=_("POINT is nobody and nothing"))
    act.add_argument("--add", metavar="NAME", help=_("a further name of POINT, or somebody new of --kind"))
    act.add_argument("--undo", action="store_true", help=_("take the last change back"))
    act.add_argument("--changes", action="store_true", help=_("the changes that stand, oldest first"))
    parser.add_argument("--at", metavar="LOCATOR", help=_("for --same: such as f12-340-402, its end counts"))
    parser.add_argument(
        "--kind", choices=[str(kind) for kind in PointKind], help=_("what POINT is, or with --add the new one")
    )


def is_change(arguments: Namespace) -> bool:
    """Say whether a command line of `points` changes something."""
    return any(getattr(arguments, name) for name in _OPTIONS) or arguments.kind is not None


def change(
    context: Context,
    work: WorkId,
    arguments: Namespace,
    points: Sequence[PointId],
    bound: tuple[Upto, SpoilerMode],
) -> MadeCorrection | None:
    """Do what the options say, and return what was done; None where there was nothing to take back.

    Args:
        context: Of the command.
        work: Whose points.
        arguments: With one of the options.
        points: The point that was named, and the other one of `--merge` and `--same`.
        bound: How far the command may see.

    Raises:
        CommandInvalidError: an option lacks what it needs.
        CorrectionRefusedError: the change cannot be made.
    """
    library = context.library()
    if arguments.undo:
        return library.undo_correction(work)
    if not points and not arguments.add:
        raise CommandInvalidError(_("name the POINT to change"))
    return library.correct(work, _act(arguments, tuple(points)), *bound)


def _act(arguments: Namespace, points: tuple[PointId, ...]) -> Act:
    kind = None if arguments.kind is None else PointKind(arguments.kind)
    if arguments.merge:
        return Act(Correction.MERGE, points)
    if arguments.same:
        return Act(Correction.IDENTITY, points, at=_place(arguments))
    for correction, form in (
        (Correction.SPLIT, arguments.split),
        (Correction.RENAME, arguments.rename),
        (Correction.ADD, arguments.add),
    ):
        if form:
            return Act(correction, points, text_from_argument(form), kind)
    return Act(Correction.HIDE if arguments.hide else Correction.REKIND, points, kind=kind)


def _place(arguments: Namespace) -> Locator:
    place = None if arguments.at is None else locator_from_text(text_from_argument(arguments.at))
    if place is None:
        raise CommandInvalidError(_("--same takes --at and a locator such as f12-340-402"))
    return place


def words_of(made: MadeCorrection) -> str:
    """Say what a change was: "Moth · Ilse Marrow: one"."""
    return _(_SAID[made.correction]).format(names=_BETWEEN.join(made.names), form=made.form)
