"""What is asked for in the wiki: `understory regenerate`, `understory request`."""

from __future__ import annotations

import sys
from argparse import Namespace

from engine.cli.analysing import tell_progress, watch
from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.knowing import add_bound, bound_from, find_point, wait_for_names
from engine.cli.parser import Commands, Parser, add_work
from engine.domain.book import WorkId
from engine.domain.orders import Order, OrderCost, OrderKind
from engine.domain.wiki import PointId
from engine.errors import CommandInvalidError
from engine.translate import _, grouped

_NOT_AGREED = 1


def add_commands(commands: Commands) -> None:
    """Enter `regenerate` and `request`."""
    again = commands.add("regenerate", _("have an entry of the wiki written anew"), _regenerate)
    add_work(again)
    again.add_argument("name", metavar="NAME", help=_("of whom or what the entry is about"))
    _add_agreeing(again)
    request = commands.add("request", _("ask for an entry or a topic the wiki does not have"), _request)
    add_work(request)
    request.add_argument("name", metavar="NAME", nargs="?", help=_("of whom or what there shall be an entry"))
    request.add_argument("--topic", metavar="TITLE", default="", help=_("a page on what several share"))
    request.add_argument("--list", action="store_true", help=_("what was asked for so far"))
    _add_agreeing(request)


def _add_agreeing(parser: Parser) -> None:
    add_bound(parser)
    parser.add_argument("--estimate", action="store_true", help=_("only say what it would cost"))
    parser.add_argument("--yes", action="store_true", help=_("do not ask, begin"))


def _regenerate(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    if not wait_for_names(context, work):
        return 1
    return _order(
        context,
        work,
        Order(OrderKind.AGAIN, find_point(context, work, arguments.name, *bound_from(context, arguments, work))),
        arguments,
    )


def _request(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    if not wait_for_names(context, work):
        return 1
    if arguments.list:
        return _list(context, work, is_json=arguments.json)
    if bool(arguments.name) == bool(arguments.topic):
        raise CommandInvalidError(_("a name, or --topic with a title"), command="request")
    if arguments.topic:
        return _order(context, work, Order(OrderKind.TOPIC, title=arguments.topic), arguments)
    return _order(
        context,
        work,
        Order(OrderKind.ENTRY, find_point(context, work, arguments.name, *bound_from(context, arguments, work))),
        arguments,
    )


def _list(context: Context, work: WorkId, *, is_json: bool) -> int:
    library = context.library()
    names = {point.id: point.name for point in library.entities(work)}
    for order in library.orders(work):
        name = order.title or names.get(order.point or PointId(0), "-")
        if is_json:
            context.out.record({"kind": str(order.kind), "name": name})
        else:
            context.out.line(f"{order.kind}  {name}")
    return 0


def _order(context: Context, work: WorkId, order: Order, arguments: Namespace) -> int:
    library = context.library()
    cost = library.order_cost(work, order)
    _tell_cost(context, cost, is_json=arguments.json and arguments.estimate)
    if arguments.estimate:
        return 0
    if not arguments.yes and not _agrees():
        context.out.talk(_("Nothing was sent; --yes begins without asking."))
        return _NOT_AGREED
    job = library.place_order(work, order)
    watch(context, work, job)
    return tell_progress(context, library.analysis(work), is_json=arguments.json)


def _tell_cost(context: Context, cost: OrderCost, *, is_json: bool) -> None:
    if is_json:
        context.out.record(
            {
                "tokens_low": cost.tokens_low,
                "tokens_high": cost.tokens_high,
                "money_low": cost.money_low,
                "money_high": cost.money_high,
            }
        )
        return
    words = _("about {low}-{high} tokens").format(low=grouped(cost.tokens_low), high=grouped(cost.tokens_high))
    if cost.money_low is not None and cost.money_high is not None:
        words += f" · {cost.money_low:.3f}-{cost.money_high:.3f}"
    context.out.talk(words)


def _agrees() -> bool:
    if not sys.stdin.isatty():
        return False
    sys.stderr.write(_("Begin? [y/N] "))
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
