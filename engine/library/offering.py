"""What it costs to have something written, in words, for whoever is offered it in a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.domain.analysis import AnalysisRequest
from engine.domain.book import WorkId
from engine.domain.orders import Order, OrderKind
from engine.domain.wiki import PointId
from engine.errors.orders import OrderRefusedError
from engine.translate import _, grouped

if TYPE_CHECKING:
    from engine.library.ordering import Ordering


def cost_of_reading(library: Ordering, work: WorkId) -> str:
    """Say what having a work read by a model would cost."""
    cost = library.estimate(work, AnalysisRequest())
    return _("{low} to {high} tokens, {minutes} minutes or more").format(
        low=grouped(cost.tokens_low), high=grouped(cost.tokens_high), minutes=cost.minutes_low
    )


def cost_of_entry(library: Ordering, work: WorkId, point: PointId) -> str:
    """Say what an entry about a point would cost; empty where none can be asked for."""
    try:
        cost = library.order_cost(work, Order(OrderKind.ENTRY, point))
    except OrderRefusedError:
        return ""
    return _("{low} to {high} tokens").format(low=grouped(cost.tokens_low), high=grouped(cost.tokens_high))
