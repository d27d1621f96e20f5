"""Which model does what: from the reader's settings to a `Model` that is allowed, counted, retried and repaired."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.domain.models import Capabilities, Json, ModelAddress, ModelRole, ModelSettings, Trial
from engine.errors.models import ModelMissingError, ModelUnknownError
from engine.providers.fenced import Fenced
from engine.providers.line import TimeLimits, host_of, keep_silent
from engine.providers.llm_models import LlmModel, ModelMaker
from engine.providers.meter import Ledger, Meter, Metered
from engine.providers.protocols import Model
from engine.providers.retry import Retrying, RetryPolicy

_WITHOUT_REASONING: Mapping[str, Mapping[str, Json]] = {
    # These want back what they reasoned when tools are called, which we never keep.
    "api.deepseek.com": {"thinking": {"type": "disabled"}},
    "dashscope.aliyuncs.com": {"enable_thinking": False},
    "dashscope-intl.aliyuncs.com": {"enable_thinking": False},
}


class Registry:
    """The models of one process. Thread-safe; `llm` is imported when the first model of its own is asked for."""

    def __init__(
        self,
        settings: ModelSettings,
        ledger: Ledger,
        trials: Mapping[str, Trial] | None = None,
        retry: RetryPolicy | None = None,
    ) -> None:
        """Take the reader's settings.

        Args:
            settings: [models] of the configuration.
            ledger: Where usage is kept and consent is looked up.
            trials: What was found out about models; one that failed at tools or schemas gets them in words.
            retry: How often a call is made again.
        """
        self.settings = settings
        self.ledger = ledger
        self._trials = trials or {}
        self._meter = Meter(settings, ledger)
        self._retry = retry or RetryPolicy()
        self._lock = threading.Lock()
        self._models: dict[str, Model] = {}

    def for_role(self, role: ModelRole) -> Model:
        """Return the model of a role.

        Raises:
            ModelMissingError: the reader has named none.
            ModelUnknownError: there is none of that name.
        """
        name = self.settings.roles.get(role)
        if not name:
            raise ModelMissingError(str(role))
        return self.named(name)

    def named(self, name: str) -> Model:
        """Return a model by its name: of the settings, or of `llm`.

        Raises:
            ModelUnknownError: there is none.
        """
        with self._lock:
            if name not in self._models:
                self._models[name] = self._dressed(name)
            return self._models[name]

    def _dressed(self, name: str) -> Model:
        bare, place = self.bare(name)
        model: Model = Retrying(Metered(bare, self._meter, place), self._retry)
        can = bare.capabilities
        return model if can.tools and can.schemas else Fenced(model)

    def bare(self, name: str, *, believe_trials: bool = True) -> tuple[LlmModel, str]:
        """Return a model without anything around it, and the host or plugin its calls go to.

        Args:
            name: Of the settings, or of `llm`.
            believe_trials: Whether what a trial did not show counts as what the model cannot do.

        Raises:
            ModelUnknownError: there is none.
        """
        said = self.settings.address(name) or ModelAddress(name)
        maker, can = _at_address(said) if said.url else _of_llm(said)
        trial = self._trials.get(name)
        if believe_trials and trial is not None and trial.text:
            can = replace(can, tools=can.tools and trial.tools, schemas=can.schemas and trial.schemas)
        settings = self.settings
        limits = TimeLimits(settings.connect_s, settings.idle_s, settings.total_s)
        return LlmModel(maker, can, limits), maker.place


def _at_address(said: ModelAddress) -> tuple[ModelMaker, Capabilities]:
    def make() -> Any:
        from engine.providers.chat import chat_at

        return chat_at(
            said.name, url=said.url, model=said.model or said.name, key_name=said.key_name,
            tools=said.tools, schemas=said.schemas, streaming=said.streaming,
        )  # fmt: skip

    host = host_of(said.url)
    extra = said.without_reasoning if said.without_reasoning is not None else _WITHOUT_REASONING.get(host)
    maker = ModelMaker(said.name, make, host, said.key_name, dict(extra) if extra else None)
    return maker, _known(Capabilities(said.tools, said.schemas, said.streaming), said)


def _of_llm(said: ModelAddress) -> tuple[ModelMaker, Capabilities]:
    keep_silent()
    from engine.providers.chat import model_named, place_of

    found = model_named(said.model or said.name)
    if found is None:
        raise ModelUnknownError(said.name)
    place = place_of(found)
    maker = ModelMaker(
        said.name, lambda: found, place, said.key_name or str(found.needs_key or ""), _WITHOUT_REASONING.get(place)
    )
    can = Capabilities(
        bool(found.supports_tools) and said.tools,
        bool(found.supports_schema) and said.schemas,
        bool(found.can_stream) and said.streaming,
    )
    return maker, _known(can, said)


def _known(can: Capabilities, said: ModelAddress) -> Capabilities:
    return replace(can, context_tokens=said.context_tokens) if said.context_tokens else can
