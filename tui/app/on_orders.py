"""What the reader has written in the wiki beyond what was planned: offered with its cost, begun when she chooses it."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on, work
from textual.message import Message

from engine.domain.book import WorkId
from engine.domain.orders import Order, OrderCost, OrderKind
from engine.errors import UnderstoryError
from engine.translate import _
from tui.app.on_settings import SettingsApp
from tui.messages import OrdersWanted
from tui.render.analysis_words import order_words


class OrdersApp(SettingsApp):
    """Takes orders for the wiki of the work being read."""

    @dataclass
    class OrdersReckoned(Message):
        """What can be asked for, and what it costs, was found out."""

        work: WorkId
        title: str
        """Of the entry; empty for none."""
        offers: tuple[tuple[Order, OrderCost], ...]
        currency: str

    @on(OrdersWanted)
    def _take_order(self, event: OrdersWanted) -> None:
        screen = self.reading_screen()
        if screen is not None:
            self._reckon_orders(screen.here_in_words()[0], event)

    @work(thread=True, exclusive=True, group="orders", exit_on_error=False)
    def _reckon_orders(self, work_id: WorkId, event: OrdersWanted) -> None:
        topic = Order(OrderKind.TOPIC, title=_("a topic"))
        wanted = [Order(kind, event.point) for kind in (OrderKind.AGAIN, OrderKind.ENTRY) if event.point is not None]
        offers: list[tuple[Order, OrderCost]] = []
        try:
            offers.append((topic, self.library.order_cost(work_id, topic)))
        except UnderstoryError as error:
            self.call_from_thread(self.tell, error.message)
            return
        for order in wanted:
            try:
                offers.insert(len(offers) - 1, (order, self.library.order_cost(work_id, order)))
            except UnderstoryError:  # written already, or not yet: the other one of the two is offered
                continue
        currency = self.library.model_settings().currency
        self.post_message(self.OrdersReckoned(work_id, event.title, tuple(offers), currency))

    @on(OrdersReckoned)
    def _offer(self, event: OrdersReckoned) -> None:
        from tui.modals.pick_one import PickOne  # Textual's Input takes 40 ms to import

        names = {
            OrderKind.AGAIN: _("written anew"),
            OrderKind.ENTRY: _("an entry"),
            OrderKind.TOPIC: _("a topic"),
        }
        by_name = {names[order.kind]: order for order, _cost in event.offers}
        choices = [(names[order.kind], order_words(cost, event.currency)) for order, cost in event.offers]
        choices.append((_("nothing"), ""))

        def take(name: str | None) -> None:
            order = by_name.get(name or "")
            if order is not None and order.kind is OrderKind.TOPIC:
                self._ask_title(event.work)
            elif order is not None:
                self._place(event.work, order)

        self.push_screen(PickOne(f"{event.title or _('Wiki')}: ", choices), take)

    def _ask_title(self, work_id: WorkId) -> None:
        from tui.modals.line_prompt import LinePrompt  # as above

        hint = _("What the page is to be about, in a few words of the book's own, such as: the lamp and the line")

        def take(title: str | None) -> None:
            if title:
                self._place(work_id, Order(OrderKind.TOPIC, title=title))

        self.push_screen(LinePrompt(_("topic: "), hint), take)

    @work(thread=True, exclusive=True, group="orders", exit_on_error=False)
    def _place(self, work_id: WorkId, order: Order) -> None:
        try:
            self.library.place_order(work_id, order)
            self.call_from_thread(self.tell, _("It is being written; the Analysis page shows how far it is."))
        except UnderstoryError as error:
            self.call_from_thread(self.tell, error.message)
