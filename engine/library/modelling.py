"""The half of the library that knows which models do what, what they cost and where text may be sent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from engine.domain.models import ModelAddress, ModelRole, ModelSettings, Price, RoleView, Trial, UsageRow
from engine.library.texts import Texts
from engine.paths import Paths
from engine.store import model_use
from engine.store.store import Store

# Imported where they are used: most sessions talk to no model.
#   engine.providers.model_config    [models] of the configuration
#   engine.model_process             the process that imports llm; this one never does

if TYPE_CHECKING:
    from engine.model_process.client import ModelProcess, Talk


class Modelling(Texts):
    """The models of a library."""

    def __init__(self, paths: Paths, store: Store) -> None:
        super().__init__(paths, store)
        self._models: ModelProcess | None = None
        self._models_lock = threading.Lock()

    def _model_process(self) -> ModelProcess:
        from engine.model_process.client import ModelProcess

        with self._models_lock:
            if self._models is None:
                self._models = ModelProcess(self.paths, "engine.library.serving")
            return self._models

    def _stop_models(self) -> None:
        with self._models_lock:
            if self._models is not None:
                self._models.stop()

    # What is set

    def model_settings(self) -> ModelSettings:
        """Return [models] of the configuration as it stands; lines that cannot be used keep their default."""
        from engine.providers.model_config import read_model_settings

        return read_model_settings(self.paths.config_file)[0]

    def model_notices(self) -> tuple[str, ...]:
        """Return a sentence for each line of [models] that cannot be used."""
        from engine.providers.model_config import read_model_settings

        return tuple(error.message for error in read_model_settings(self.paths.config_file)[1])

    def has_model(self, role: ModelRole) -> bool:
        """Say whether the reader has named a model for a role."""
        return bool(self.model_settings().roles.get(role))

    def model_roles(self) -> tuple[RoleView, ...]:
        """Return each role with its model and what is known of it."""
        settings = self.model_settings()
        with self._store.read() as r:
            trials, allowed = model_use.trials(r), model_use.allowed_places(r)
        return tuple(_role_view(role, settings, trials, allowed) for role in ModelRole)

    def use_model(self, role: ModelRole, name: str) -> None:
        """Let a model have a role; an empty name leaves the role without one.

        Raises:
            SettingRefusedError: the configuration cannot be changed.
        """
        from engine.providers.model_config import write_role

        write_role(self.paths.config_file, role, name)

    def add_model(self, address: ModelAddress) -> None:
        """Keep where a model is, or what is known of one that `llm` has; an earlier trial of it counts no more.

        Raises:
            SettingRefusedError: it is no address, or the configuration cannot be changed.
        """
        from engine.providers.model_config import write_address

        write_address(self.paths.config_file, address)
        self._drop_trial(address.name)

    def drop_model(self, name: str) -> None:
        """Forget where a model is, its price and its roles.

        Raises:
            SettingRefusedError: the configuration cannot be changed.
        """
        from engine.providers.model_config import drop_address

        drop_address(self.paths.config_file, name)
        self._drop_trial(name)

    def _drop_trial(self, name: str) -> None:
        with self._store.write() as w:
            model_use.drop_trial(w, name)

    def set_price(self, name: str, price: Price) -> None:
        """Keep what a model costs for a million tokens.

        Raises:
            SettingRefusedError: it is no price, or the configuration cannot be changed.
        """
        from engine.providers.model_config import write_price

        write_price(self.paths.config_file, name, price)

    def set_model_number(self, name: str, value: float) -> None:
        """Set one of the numbers of [models]: a limit of money, tokens, time or speed.

        Raises:
            SettingRefusedError: there is no such number, it may not be that, or the configuration cannot be changed.
        """
        from engine.providers.model_config import write_number

        write_number(self.paths.config_file, name, value)

    # Where text may go

    def allowed_places(self) -> frozenset[str]:
        """Return the hosts and plugins the reader has agreed to."""
        with self._store.read() as r:
            return model_use.allowed_places(r)

    def allow_place(self, place: str) -> None:
        """Keep that the reader agrees that text of her books goes to a host or plugin."""
        with self._store.write() as w:
            model_use.allow(w, place)

    def place_to_agree_to(self, name: str, installed: Mapping[str, str] | None = None) -> str:
        """Return the host or plugin to which text would go with a model, if the reader must still agree; else nothing.

        Args:
            name: The model.
            installed: Places of the models `llm` knows by name, where they were asked for.
        """
        from engine.providers.line import host_of, is_this_machine

        said = self.model_settings().address(name)
        place = host_of(said.url) if said is not None and said.url else (installed or {}).get(name, "")
        is_settled = not place or is_this_machine(place) or place in self.allowed_places()
        return "" if is_settled else place

    def is_here(self, place: str) -> bool:
        """Say whether a host is this machine, so that text sent to it does not leave it."""
        from engine.providers.line import is_this_machine

        return is_this_machine(place)

    def withdraw_place(self, place: str) -> None:
        """Forget that the reader had agreed."""
        with self._store.write() as w:
            model_use.withdraw(w, place)

    # What was used

    def model_usage(self, days: str = "") -> tuple[UsageRow, ...]:
        """Return what each stage of each work has used of each model.

        Args:
            days: A day or month to look at, such as "2026-11"; empty for all.
        """
        with self._store.read() as r:
            return model_use.usage_rows(r, days)

    # What only the models' own process can say

    def installed_models(self) -> tuple[tuple[str, str], ...]:
        """Return (name, host or plugin) of every model `llm` knows; takes seconds the first time.

        Raises:
            HelperUnavailableError: the models' process cannot be started.
            ToldModelError: it failed.
        """
        found = self._model_process().ask("installed").wait()
        return tuple((str(name), str(place)) for name, place in found)  # type: ignore[union-attr, misc]  # our own pairs

    def installed_embedders(self) -> tuple[tuple[str, str], ...]:
        """Return (name in the settings, host or plugin) of each embedding model `llm` knows; see `installed_models`."""
        found = self._model_process().ask("embedders").wait()
        return tuple((str(name), str(place)) for name, place in found)  # type: ignore[union-attr, misc]  # our own pairs

    def try_model(
        self,
        name: str,
        tell: Callable[[str], None] = lambda _step: None,
        stops: threading.Event | None = None,
    ) -> Trial:
        """Make real round trips with a model and keep what they showed; takes as long as the model does.

        Args:
            name: Of the settings, or of `llm`.
            tell: Told of each step before it is made: "text", "tools", "schema", "streaming".
            stops: Set from another thread to give it up, also while nothing comes.

        Raises:
            ConsentMissingError: it is on another machine, and the reader has not agreed to that.
            ModelCancelledError: it was given up.
            HelperUnavailableError, ToldModelError: it could not be tried.
        """
        from engine.domain.trial_records import trial_from_record

        talk = self.talk_to_models("test", model=name)
        for event in talk.events(stops):
            tell(str(event.get("step", "")))
        return trial_from_record(talk.result)  # type: ignore[arg-type]  # what record_of_trial wrote

    def talk_to_models(self, do: str, **given: str) -> Talk:
        """Ask the models' process for something; see `engine.model_process`.

        Raises:
            HelperUnavailableError: it cannot be started.
        """
        return self._model_process().ask(do, **given)


def _role_view(role: ModelRole, settings: ModelSettings, trials: dict[str, Trial], allowed: frozenset[str]) -> RoleView:
    from engine.providers.line import host_of, is_this_machine

    name = settings.roles.get(role, "")
    said = settings.address(name)
    trial = trials.get(name)
    host = host_of(said.url) if said is not None and said.url else (trial.place if trial is not None else "")
    may_send = bool(host) and (is_this_machine(host) or host in allowed)
    return RoleView(role, name, host, said.context_tokens if said is not None else 0, trial, may_send)
