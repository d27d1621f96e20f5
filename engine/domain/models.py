"""Language models as the rest of the program sees them: roles, what a model can do, what a call cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from engine.translate import N_

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
"""A value of JSON."""


class ModelRole(StrEnum):
    """What a model is asked to do; each role may have a model of its own."""

    READER = "reader"
    """Reads the work and says what is in it."""
    WRITER = "writer"
    """Plans the wiki and writes its entries."""
    JUDGE = "judge"
    """Holds a statement against its evidence."""
    COMPANION = "companion"
    """Answers the reader's questions."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model can do."""

    tools: bool = True
    """It takes tools and calls them."""
    schemas: bool = True
    """It answers in JSON that fits a schema."""
    streaming: bool = True
    """It answers piece by piece."""
    context_tokens: int = 32_768
    """What a call and its answer may take together."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the provider counted them; zeros where it did not say."""

    prompt: int = 0
    """Everything sent, cached or not."""
    cached: int = 0
    """The part of `prompt` the provider had in its cache."""
    completion: int = 0
    """Everything that came, reasoning included."""
    reasoning: int = 0
    """The part of `completion` that was reasoning."""
    is_estimate: bool = False
    """Counted by us from the characters, since the provider said nothing."""

    def __add__(self, other: Usage) -> Usage:
        """Return the tokens of both."""
        return Usage(
            self.prompt + other.prompt,
            self.cached + other.cached,
            self.completion + other.completion,
            self.reasoning + other.reasoning,
            self.is_estimate or other.is_estimate,
        )


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, for a million tokens, in whatever money the reader counts in."""

    sent: float = 0.0
    cached: float | None = None
    """Of what the provider had in its cache; None for the price of what is sent."""
    received: float = 0.0

    def of(self, usage: Usage) -> float:
        """Return what a usage costs."""
        cached = self.sent if self.cached is None else self.cached
        fresh = usage.prompt - usage.cached
        return (fresh * self.sent + usage.cached * cached + usage.completion * self.received) / 1_000_000


@dataclass(frozen=True, slots=True)
class SpendingLimits:
    """How much may be spent at most; 0 stands for no limit. Money counts only for models with a price."""

    job_money: float = 0.0
    day_money: float = 0.0
    month_money: float = 0.0
    job_tokens: int = 0
    day_tokens: int = 0
    month_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelAddress:
    """A model the reader has named: where it is, or what is known of one that `llm` has by itself."""

    name: str
    url: str = ""
    """Of its OpenAI-compatible interface, such as "http://127.0.0.1:11434/v1"; empty for a model of `llm`."""
    model: str = ""
    """Its name there; empty for `name`."""
    key_name: str = ""
    """Under which `llm keys` has its key, or a variable of the environment; never the key."""
    tools: bool = True
    schemas: bool = True
    streaming: bool = True
    context_tokens: int = 0
    """0 where it is not known."""
    without_reasoning: Mapping[str, Json] | None = None
    """What is added to a request with tools, for an address that takes none while its model reasons."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The part of `config.toml` under [models]."""

    roles: Mapping[ModelRole, str] = field(default_factory=dict)
    addresses: tuple[ModelAddress, ...] = ()
    prices: Mapping[str, Price] = field(default_factory=dict)
    limits: SpendingLimits = SpendingLimits()
    parallel: int = 4
    """Calls under way at once."""
    per_minute: int = 0
    """Calls begun in a minute; 0 for no limit."""
    connect_s: float = 10.0
    idle_s: float = 60.0
    """How long nothing may come."""
    total_s: float = 900.0
    """How long one answer may take."""
    chat_calls: int = 12
    """How often the companion may look something up for one question."""
    currency: str = ""
    """A sign or word shown beside money."""

    def address(self, name: str) -> ModelAddress | None:
        """Return what the reader has said of a model, None when nothing."""
        return next((each for each in self.addresses if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent in a time or on a job."""

    money: float = 0.0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class UsageRow:
    """What one stage of one work has used of one model."""

    work: int
    """Id; 0 for calls that were for no work."""
    stage: str
    model: str
    calls: int
    failed: int
    usage: Usage
    money: float


@dataclass(frozen=True, slots=True)
class Trial:
    """What a real round trip showed of a model."""

    model: str
    place: str
    """Host, or name of the plugin, its calls go to."""
    tried_at: str
    """ISO 8601, UTC; empty for a model that was never tried."""
    text: bool
    tools: bool
    schemas: bool
    streaming: bool
    notes: tuple[str, ...] = ()
    """A sentence for each thing it could not do."""


@dataclass(frozen=True, slots=True)
class RoleView:
    """One role as the Models page shows it."""

    role: ModelRole
    model: str
    """Empty while none is chosen."""
    host: str
    """Where it is; empty while that is not known."""
    context_tokens: int
    """0 where it is not known."""
    trial: Trial | None
    has_consent: bool
    """Whether text may be sent there, or need not leave this machine."""


MODEL_NUMBERS: Mapping[str, str] = {
    "parallel": N_("calls under way at once"),
    "per_minute": N_("calls a minute; 0 for no limit"),
    "connect_s": N_("seconds to reach the model"),
    "idle_s": N_("seconds without anything coming"),
    "total_s": N_("seconds for one answer"),
    "chat_calls": N_("look-ups the companion may make for one question"),
    "job_money": N_("money for one job; 0 for no limit"),
    "day_money": N_("money a day; 0 for no limit"),
    "month_money": N_("money a month; 0 for no limit"),
    "job_tokens": N_("tokens for one job; 0 for no limit"),
    "day_tokens": N_("tokens a day; 0 for no limit"),
    "month_tokens": N_("tokens a month; 0 for no limit"),
}
"""The settings that are numbers, in the order they are shown, with what each means."""


def model_number(settings: ModelSettings, name: str) -> float:
    """Return one of `MODEL_NUMBERS` as it is set."""
    found: float = getattr(settings.limits if hasattr(settings.limits, name) else settings, name)
    return found
