"""The half of the library by which a reader has an entry written anew, or asks for one, or for a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.domain.analysis import AnalysisState
from engine.domain.book import WorkId
from engine.domain.models import ModelRole, Usage
from engine.domain.orders import Order, OrderCost, OrderKind
from engine.library.packing import Packing
from engine.text.sanitize import sanitize_line

# Imported where they are used: most sessions ask for nothing.

if TYPE_CHECKING:
    from engine.domain.analysis import AnalysisRequest
    from engine.domain.models import ModelSettings
    from engine.store.connection import Connection

_MOST_TITLE, _MOST_ORDERS = 60, 40
_USUAL_ENTRY = Usage(4_500, 0, 700)
"""Of an entry where none was written yet."""
_LOW, _HIGH = 0.6, 2.5
_JUDGED_AGAIN = 3
"""Calls of a judge that an entry written anew sets off, at most."""


class Ordering(Packing):
    """What is asked for in the wiki of a work."""

    def order_cost(self, work: WorkId, order: Order) -> OrderCost:
        """Return what an order will cost, by what entries of this work have cost.

        Raises:
            OrderRefusedError: the work has not been read by a model, or there is nothing to be written.
        """
        from engine.store import orders

        self._check(work, order)
        with self._store.read() as r:
            point = order.point if order.kind is OrderKind.AGAIN else None
            keys = [] if point is None else orders.entry_keys(r, work, point)
            own = orders.spent_on(r, work, keys)
            calls, all_ = orders.spent_by_stage(r, work, "write")
            judged, judging = orders.spent_by_stage(r, work, "judge")
        usual = Usage(all_.prompt // calls, 0, all_.completion // calls) if calls else _USUAL_ENTRY
        writing = own if own.prompt else usual
        a_call = Usage(judging.prompt // judged, 0, judging.completion // judged) if judged else Usage()
        low = Usage(round(writing.prompt * _LOW), 0, round(writing.completion * _LOW))
        high = Usage(
            round(writing.prompt * _HIGH) + a_call.prompt * _JUDGED_AGAIN,
            0,
            round(writing.completion * _HIGH) + a_call.completion * _JUDGED_AGAIN,
        )
        settings = self.model_settings()
        return OrderCost(_tokens(low), _tokens(high), _money(settings, low), _money(settings, high))

    def place_order(self, work: WorkId, order: Order) -> int:
        """Have something written in the background and return the job; at most twice what was reckoned is spent.

        An entry keeps its words until the new ones are there.

        Raises:
            OrderRefusedError: the work has not been read by a model, or there is nothing to be written.
            ModelMissingError: no model is named as reader.
            HelperUnavailableError: the job is queued, but nobody can be started to do it.
        """
        from engine.domain.analysis import AnalysisRequest
        from engine.store import orders

        cost = self.order_cost(work, order)
        asked = self._check(work, order)
        if not self.has_model(ModelRole.READER):
            return self.start_analysis(work, asked)  # says what is missing
        if order.kind is OrderKind.AGAIN and order.point is not None:
            with self._store.write() as w:
                orders.forget_answers(w, work, orders.entry_keys(w, work, order.point))
            return self.start_analysis(work, AnalysisRequest(asked.mode, cost.tokens_high * 2, asked.language))
        with self._store.write() as w:
            job = self.queue_order(w, work, order, cost)
        self.go_on_with_jobs()
        return job

    def queue_order(self, w: Connection, work: WorkId, order: Order, cost: OrderCost) -> int:
        """Keep that an entry or a topic is to be written, inside a transaction; `go_on_with_jobs` behind it begins.

        Args:
            w: The writer.
            work: Whose.
            order: No entry that is there already.
            cost: What it was reckoned at; at most twice of it is spent.

        Raises:
            OrderRefusedError: as `place_order`.
            ModelMissingError: no model is named as reader.
        """
        from engine.domain.analysis import AnalysisRequest
        from engine.store import orders

        asked = self._check(work, order)
        kept = orders.orders_of(w, work)
        wanted = Order(order.kind, order.point, sanitize_line(order.title)[:_MOST_TITLE])
        if wanted not in kept:
            orders.put_orders(w, work, [*kept, wanted][-_MOST_ORDERS:])
        return self.queue_analysis(w, work, AnalysisRequest(asked.mode, cost.tokens_high * 2, asked.language))

    def orders(self, work: WorkId) -> tuple[Order, ...]:
        """Return the entries and topics asked for."""
        from engine.store import orders

        with self._store.read() as r:
            return tuple(orders.orders_of(r, work))

    def _check(self, work: WorkId, order: Order) -> AnalysisRequest:
        """Return how the work was read last; what is asked for is written in the same way."""
        from engine.errors.orders import OrderRefusedError
        from engine.store import analyses, orders

        with self._store.read() as r:
            last = analyses.latest(r, work)
            asked = None if last is None else analyses.request_of(r, last.id)
            has_entry = bool(orders.entry_keys(r, work, order.point)) if order.point else False
        if last is None or asked is None:
            raise OrderRefusedError.of_unread()
        if last.state is not AnalysisState.DONE:
            raise OrderRefusedError.of_unfinished()
        if order.kind is OrderKind.AGAIN and not has_entry:
            raise OrderRefusedError.of_no_entry()
        if order.kind is OrderKind.ENTRY and has_entry:
            raise OrderRefusedError.of_an_entry()
        if order.kind is OrderKind.TOPIC and not sanitize_line(order.title).strip():
            raise OrderRefusedError.of_no_title()
        return asked[1]


def _tokens(usage: Usage) -> int:
    return usage.prompt + usage.completion


def _money(settings: ModelSettings, usage: Usage) -> float | None:
    name = settings.roles.get(ModelRole.WRITER) or settings.roles.get(ModelRole.READER, "")
    price = settings.prices.get(name)
    return None if price is None else price.of(usage)
