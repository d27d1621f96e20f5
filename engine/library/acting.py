"""What the companion offers and the reader agrees to: each offer is done once, and only because she pressed a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.agent.tools_acting import SETTING
from engine.config import read_settings, settings_as_mapping, write_settings
from engine.domain.analysis import AnalysisRequest
from engine.domain.chat import TurnId
from engine.store import turns

if TYPE_CHECKING:
    from engine.library.conversing import Conversing


def agree(library: Conversing, turn: TurnId, call: str) -> bool:
    """Do what a call offers; False when it was done before, or nothing is offered.

    Raises:
        SettingRefusedError: the setting cannot be changed.
        ModelMissingError, HelperUnavailableError: the job cannot be started.
    """
    with library._store.read() as r:
        found = turns.act_of(r, turn, call)
    if found is None or found[2] == "done":
        return False
    kind, payload, _state = found
    if kind == SETTING:
        payload = _set(library, turn, call, payload)
    else:
        library.start_analysis(library.turn(turn).scene.work, AnalysisRequest())
    with library._store.write() as w:
        turns.set_act(w, turn, call, "done", payload)
    return True


def undo(library: Conversing, turn: TurnId, call: str) -> bool:
    """Set a setting back; False when it was not set, or is another by now."""
    with library._store.read() as r:
        found = turns.act_of(r, turn, call)
    if found is None or found[0] != SETTING or found[2] != "done":
        return False
    name, value, before = found[1]["name"], found[1]["value"], found[1]["before"]
    if _now(library, name) != value:
        return False
    write_settings(library.paths.config_file, {name: before})
    with library._store.write() as w:
        turns.set_act(w, turn, call, "undone", {"name": name, "value": value})
    return True


def _now(library: Conversing, name: str) -> Any:  # Any: text, number or truth value, as the setting holds
    return settings_as_mapping(read_settings(library.paths.config_file)[0])[name]


def _set(library: Conversing, turn: TurnId, call: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    if "before" not in payload:
        # On disk before the setting changes: killed in between, what it was is still known.
        payload = {**payload, "before": _now(library, payload["name"])}
        with library._store.write() as w:
            turns.set_act(w, turn, call, "offered", payload)
    write_settings(library.paths.config_file, {payload["name"]: payload["value"]})
    return payload
