"""Names and what is known of them: `understory entities`, `resolve`, `track`, `points`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from engine.cli import correcting
from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.output import Json, columns, text_from_argument
from engine.cli.parser import Commands, Parser, add_work
from engine.cli.waiting import wait_while
from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.locator import volume_ord_of
from engine.domain.statements import ShownStatement
from engine.domain.wiki import KnowledgeState, KnownPoint, MatchHow, NameMatch, Plain, PointId, Revealed
from engine.errors import CommandInvalidError, EntryAmbiguousError, EntryUnknownError
from engine.spoilers.policy import END, FRONTIER, Upto, may_tell_of_more, upto_from_text
from engine.translate import _, ngettext

_ID_DIGITS = 19
"""Longer numbers are no ids."""
_SURE = frozenset((MatchHow.EXACT, MatchHow.FOLDED, MatchHow.ALIAS))


def add_commands(commands: Commands) -> None:
    """Enter the four words."""
    add_bound(
        add_work_to(commands.add("entities", _("who and what a work is about, and under which names"), _entities))
    )
    resolve = add_bound(add_work_to(commands.add("resolve", _("whom or what some words may mean"), _resolve)))
    resolve.add_argument("text", metavar="TEXT", help=_("a name, or part of one"))
    track = add_bound(add_work_to(commands.add("track", _("where somebody or something appears"), _track)))
    track.add_argument("point", metavar="POINT", help=_("a name, or an id from `understory points`"))
    points = add_bound(add_work_to(commands.add("points", _("all that is known of points, with evidence"), _points)))
    points.add_argument("point", metavar="POINT", nargs="?", help=_("a name or an id; all of them without it"))
    correcting.add_options(points)


def add_work_to(parser: Parser) -> Parser:
    """Add the argument that names a work, and return the parser."""
    add_work(parser)
    return parser


def add_bound(parser: Parser) -> Parser:
    """Add `--upto` and `--spoilers`, and return the parser."""
    parser.add_argument(
        "--upto", metavar="PLACE", default="frontier", help=_("how far to look: frontier, end, or a locator")
    )
    parser.add_argument("--spoilers", choices=[str(mode) for mode in SpoilerMode], help=_("in place of the setting"))
    return parser


def bound_from(context: Context, arguments: Namespace, work: WorkId) -> tuple[Upto, SpoilerMode]:
    """Return how far a command may see of a work, and in which mode.

    Raises:
        CommandInvalidError: as `upto_from`.
    """
    return upto_from(arguments), mode_from(arguments) or context.library().mode_of(work)


def mode_from(arguments: Namespace) -> SpoilerMode | None:
    """Return the mode a command names; None for that of each work."""
    return SpoilerMode(arguments.spoilers) if arguments.spoilers else None


def upto_from(arguments: Namespace) -> Upto:
    """Return how far a command may see.

    Raises:
        CommandInvalidError: `--upto` is neither a word it knows nor a locator.
    """
    upto = upto_from_text(text_from_argument(arguments.upto))
    if upto is None:
        raise CommandInvalidError(_("--upto takes frontier, end or a locator such as f12-340-402"))
    return upto


def wait_for_names(context: Context, work: WorkId) -> bool:
    """Wait until the names of a work are known; False, and a sentence, when they cannot be found."""
    library = context.library()

    def said() -> str:
        library.jobs()  # a background process that has ended is started again
        return _("looking for names ...") if library.knowledge_state(work) is KnowledgeState.WORKING else ""

    wait_while(context, said)
    if library.knowledge_state(work) is KnowledgeState.NONE:
        context.out.talk(_("The names of this work could not be found. `understory doctor` looks for the cause."))
        return False
    return True


def find_point(context: Context, work: WorkId, words: str, upto: Upto, mode: SpoilerMode) -> PointId:
    """Return the point a reader names, by id or by any name known up to the bound.

    Raises:
        EntryUnknownError: nobody known is called that.
        EntryAmbiguousError: several are.
    """
    library = context.library()
    is_id = words.isascii() and words.isdecimal() and len(words) < _ID_DIGITS
    if is_id and library.point(work, PointId(int(words)), upto, mode) is not None:
        return PointId(int(words))
    matches = [match for match in library.resolve(work, words, None, upto, mode) if match.how in _SURE]
    best = [match for match in matches if match.how is matches[0].how]
    if not best:
        raise EntryUnknownError(words)
    if len(best) > 1:
        raise EntryAmbiguousError(words, [f"{match.name} ({match.point})" for match in best])
    return best[0].point


def tell_of_nothing(context: Context, work: WorkId, upto: Upto, mode: SpoilerMode) -> None:
    """Say why nothing was printed: the boundary; in strict mode without saying whether there is more."""
    library = context.library()
    bound = library.bound(work, upto, mode)
    if bound.boundary >= END:
        return
    if not may_tell_of_more(mode) or library.has_more(work, upto, mode):
        where = _("up to where you have read") if upto == FRONTIER else _("up to that place")
        context.out.talk(_("Nothing {where}. `--upto end` looks at the whole work.").format(where=where))


def _entities(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    upto, mode = bound_from(context, arguments, work)
    if not wait_for_names(context, work):
        return 1
    found = context.library().entities(work, upto, mode)
    if arguments.json:
        context.out.array([_entity_record(point) for point in found])
    elif found:
        rows = [[point.name, _kind(point), str(point.count), _also(point)] for point in found]
        for line in columns(rows, right=frozenset({2})):
            context.out.line(line)
    if not found:
        tell_of_nothing(context, work, upto, mode)
    return 0


def _entity_record(point: KnownPoint) -> dict[str, Json]:
    aliases: list[Json] = [
        {"form": alias.form, "first": alias.first_pos, "reveal": alias.reveal_pos} for alias in point.aliases
    ]
    return {"name": point.name, "kind": str(point.kind), "aliases": aliases, "count": point.count}


def _kind(point: KnownPoint | NameMatch) -> str:
    words = {
        "person": _("person"),
        "place": _("place"),
        "organisation": _("organisation"),
        "item": _("item"),
        "event": _("event"),
        "concept": _("concept"),
    }
    return words[point.kind]


def _also(point: KnownPoint) -> str:
    return " · ".join(alias.form for alias in point.aliases if alias.form != point.name)


def _resolve(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    upto, mode = bound_from(context, arguments, work)
    if not wait_for_names(context, work):
        return 1
    text = text_from_argument(arguments.text)
    found = context.library().resolve(work, text, None, upto, mode)
    if arguments.json:
        context.out.array([_match_record(match) for match in found])
    elif found:
        for line in columns([[match.name, _kind(match), match.matched, _how(match.how)] for match in found]):
            context.out.line(line)
    if not found:
        tell_of_nothing(context, work, upto, mode)
    elif context.library().is_named_beyond(work, text, upto, mode):
        context.out.talk(_("There is more beyond that."))
    return 0


def _how(how: MatchHow) -> str:
    words = {
        MatchHow.EXACT: _("exact"),
        MatchHow.FOLDED: _("written otherwise"),
        MatchHow.ALIAS: _("another name"),
        MatchHow.TITLE: _("another title"),
        MatchHow.CONTAINED: _("part of the name"),
        MatchHow.FUZZY: _("similar"),
    }
    return words[how]


def _match_record(match: NameMatch) -> dict[str, Json]:
    return {
        "name": match.name,
        "kind": str(match.kind),
        "matched": match.matched,
        "how": str(match.how),
        "ratio": round(match.ratio, 1),
    }


def _track(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    upto, mode = bound_from(context, arguments, work)
    if not wait_for_names(context, work):
        return 1
    point = find_point(context, work, text_from_argument(arguments.point), upto, mode)
    track = context.library().track(work, point, upto, mode)
    if arguments.json:
        for node in track.nodes:
            context.out.record(
                {
                    "where": node.where,
                    "volume": volume_ord_of(node.pos) + 1,
                    "count": node.count,
                    "locator": str(node.locator),
                    "pos": node.pos,
                }
            )
    elif track.nodes:
        for line in columns([[node.where, str(node.count), str(node.locator)] for node in track.nodes]):
            context.out.line(line)
    return 0


def _points(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    upto, mode = bound_from(context, arguments, work)
    if not wait_for_names(context, work):
        return 1
    if correcting.is_change(arguments):
        return _change(context, work, arguments, (upto, mode))
    library = context.library()
    if arguments.changes:
        for made in library.corrections(work):
            context.out.line(correcting.words_of(made))
        return 0
    if arguments.point is None:
        found: Sequence[KnownPoint] = library.entities(work, upto, mode)
    else:
        named = find_point(context, work, text_from_argument(arguments.point), upto, mode)
        found = [point for point in [library.point(work, named, upto, mode)] if point is not None]
    for point in found:
        notes = library.statements(work, point.id, frozenset(), upto, mode)
        if arguments.json:
            context.out.record(_point_record(point, notes))
        else:
            _print_point(context, point, notes)
    if not found:
        tell_of_nothing(context, work, upto, mode)
    return 0


def _change(context: Context, work: WorkId, arguments: Namespace, bound: tuple[Upto, SpoilerMode]) -> int:
    named = [name for name in (arguments.point, arguments.merge or arguments.same) if name is not None]
    points = [find_point(context, work, text_from_argument(name), *bound) for name in named]
    made = correcting.change(context, work, arguments, points, bound)
    if made is None:
        context.out.talk(_("There is nothing to take back."))
    elif arguments.undo:
        context.out.talk(_("Taken back: {change}").format(change=correcting.words_of(made)))
    else:
        context.out.talk(correcting.words_of(made))
    return 0


def _point_record(point: KnownPoint, notes: Sequence[ShownStatement]) -> dict[str, Json]:
    aliases: list[Json] = [
        {
            "form": alias.form,
            "kind": str(alias.kind),
            "first": alias.first_pos,
            "reveal": alias.reveal_pos,
            "count": alias.count,
        }
        for alias in point.aliases
    ]
    written: list[Json] = [_note_record(note) for note in notes]
    return {
        "point": point.id,
        "name": point.name,
        "kind": str(point.kind),
        "count": point.count,
        "first": point.first_pos,
        "aliases": aliases,
        "notes": written,
    }


def _note_record(note: ShownStatement) -> dict[str, Json]:
    evidence: list[Json] = [
        {"locator": str(each.locator), "quote": each.quote, "how": str(each.how)} for each in note.evidence
    ]
    return {
        "statement": note.id,
        "role": str(note.role),
        "volume": volume_ord_of(note.evidence[0].pos) + 1 if note.evidence else None,
        "text": note.run.text if isinstance(note.run, Plain | Revealed) else None,
        "unlocks": "" if isinstance(note.run, Plain | Revealed) else note.run.unlocks_chapter,
        "verdict": str(note.verdict),
        "evidence": evidence,
    }


def _print_point(context: Context, point: KnownPoint, notes: Sequence[ShownStatement]) -> None:
    count = ngettext("{n} mention", "{n} mentions", point.count).format(n=point.count)
    context.out.line(f"{point.id}  {point.name} · {_kind(point)} · {count}")
    for alias in point.aliases:
        context.out.line(f"    {alias.form} · {alias.count}")
    for note in notes:
        run = note.run
        if isinstance(run, Plain | Revealed):
            context.out.line(f"  - {run.text}")
            for each in note.evidence:
                context.out.line(f"    {each.locator} “{each.quote}”")
        else:
            context.out.line(f"  - ░░░░░░░░ {run.unlocks_chapter}".rstrip())
