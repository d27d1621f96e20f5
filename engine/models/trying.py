"""Trying a model and keeping what was seen."""

from __future__ import annotations

from collections.abc import Callable

from engine.domain.models import Trial
from engine.providers.meter import Meter, Metered
from engine.providers.protocols import Cancel
from engine.providers.registry import Registry
from engine.providers.trial import try_model
from engine.store import model_use
from engine.store.store import Store


def try_and_keep(registry: Registry, store: Store, name: str, cancel: Cancel, tell: Callable[[str], None]) -> Trial:
    """Make the round trips with a model, nothing around it but the meter, and keep the result.

    Raises:
        ModelUnknownError: there is no such model.
        ConsentMissingError: the reader has not agreed to its host.
        ModelCancelledError: it was given up.
    """
    bare, place = registry.bare(name, believe_trials=False)
    model = Metered(bare, Meter(registry.settings, registry.ledger), place)
    model.check_consent()
    trial = try_model(model, place, cancel, tell)
    with store.write() as w:
        model_use.put_trial(w, trial)
    with store.read() as r:
        return model_use.trials(r)[name]
