"""What the companion offers and the reader agrees to: each offer is done once, and only because she pressed a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.agent.tools_acting import SETTING
from engine.config import read_settings, settings_as_mapping, write_settings
from engine.domain.analysis import AnalysisRequest
from engine.domain.book import WorkId
from engine.domain.chat import TurnId
from engine.domain.orders import Order, OrderCost, OrderKind
from engine.domain.wiki import PointId
from engine.store import turns
from engine.store.connection import Connection

if TYPE_CHECKING:
    from engine.library.conversing import Conversing

DONE = "done"


def agree(library: Conversing, turn: TurnId, call: str) -> bool:
    """Do what a call offers; False when it was done before, or nothing is offered.

    Whether it was done is looked up, it is done and that is kept in one transaction: of two windows that agree at
    once, the other waits, and finds it done.

    Raises:
        SettingRefusedError: the setting cannot be changed.
        ModelMissingError, HelperUnavailableError: the job cannot be started.
        OrderRefusedError: the entry that is offered has been written meanwhile.
    """
    _keep_old_value(library, turn, call)
    cost = _cost_of_entry(library, turn, call)
    with library._store.write() as w:
        found = turns.act_of(w, turn, call)
        if found is None or found[2] == DONE:
            return False
        kind, payload, _state = found
        if kind == SETTING:
            write_settings(library.paths.config_file, {payload["name"]: payload["value"]})
        elif cost is not None:
            library.queue_order(w, _work_of(w, turn), _entry(payload), cost)
        else:
            library.queue_analysis(w, _work_of(w, turn), AnalysisRequest())
        turns.set_act(w, turn, call, DONE, payload)
    if kind != SETTING:
        library.go_on_with_jobs()
    return True


def undo(library: Conversing, turn: TurnId, call: str) -> bool:
    """Set a setting back; False when it was not set, or is another by now."""
    with library._store.write() as w:
        found = turns.act_of(w, turn, call)
        if found is None or found[0] != SETTING or found[2] != DONE:
            return False
        name, value, before = found[1]["name"], found[1]["value"], found[1]["before"]
        if _now(library, name) != value:
            return False
        write_settings(library.paths.config_file, {name: before})
        turns.set_act(w, turn, call, "undone", {"name": name, "value": value})
    return True


def _now(library: Conversing, name: str) -> Any:  # Any: text, number or truth value, as the setting holds
    return settings_as_mapping(read_settings(library.paths.config_file)[0])[name]


def _keep_old_value(library: Conversing, turn: TurnId, call: str) -> None:
    """Put on disk what a setting is before it changes: killed in between, what it was is still known."""
    with library._store.write() as w:
        found = turns.act_of(w, turn, call)
        if found is None or found[0] != SETTING or found[2] == DONE or "before" in found[1]:
            return
        payload: Mapping[str, Any] = {**found[1], "before": _now(library, found[1]["name"])}
        turns.set_act(w, turn, call, "offered", payload)


def _cost_of_entry(library: Conversing, turn: TurnId, call: str) -> OrderCost | None:
    """Return what the one entry that is offered will cost, None where something else is offered."""
    with library._store.read() as r:
        found = turns.act_of(r, turn, call)
        if found is None or found[2] == DONE or "point" not in found[1]:
            return None
        work = _work_of(r, turn)
    return library.order_cost(work, _entry(found[1]))


def _entry(payload: Mapping[str, Any]) -> Order:
    return Order(OrderKind.ENTRY, PointId(payload["point"]))


def _work_of(w: Connection, turn: TurnId) -> WorkId:
    row = turns.row_of(w, turn)
    assert row is not None, "an offer is deleted with its turn"
    return row.work
