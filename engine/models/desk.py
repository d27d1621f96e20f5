"""The models of one process, with the library as their ledger. Only in a helper process: `llm` is near."""

from __future__ import annotations

from datetime import datetime

from engine.domain.models import Spent, Usage
from engine.paths import Paths
from engine.providers.model_config import read_model_settings
from engine.providers.protocols import ModelCall
from engine.providers.registry import Registry
from engine.store import model_use
from engine.store.store import Store


def open_registry(paths: Paths, store: Store) -> Registry:
    """Return the models the reader has named, as the settings stand at this moment."""
    settings, _notices = read_model_settings(paths.config_file)
    with store.read() as r:
        trials = model_use.trials(r)
    return Registry(settings, StoreLedger(store), trials)


def today() -> str:
    """Return the reader's own date, by which days and months are counted."""
    return datetime.now().astimezone().date().isoformat()


class StoreLedger:
    """Usage and consent in the library file."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, call: ModelCall, model: str, usage: Usage, money: float, *, has_failed: bool) -> None:
        """Add one call."""
        key = (today(), call.job or 0, call.work or 0, call.stage, model)
        with self._store.write() as w:
            model_use.record_usage(w, key, usage, money, has_failed=has_failed)

    def spent(self, job: int | None) -> tuple[Spent, Spent, Spent]:
        """Return what this job, this day and this month have spent."""
        day = today()
        with self._store.read() as r:
            on_job = model_use.spent_on_job(r, job) if job is not None else Spent()
            return on_job, model_use.spent_on_days(r, day), model_use.spent_on_days(r, day[:8])

    def may_send_to(self, place: str) -> bool:
        """Say whether the reader has agreed that text goes to a host or plugin."""
        with self._store.read() as r:
            return place in model_use.allowed_places(r)
