"""Models, trials and usage as lines and as JSON."""

from __future__ import annotations

from engine.cli.output import Json
from engine.domain.models import MODEL_NUMBERS, ModelSettings, RoleView, Trial, UsageRow, model_number
from engine.domain.trial_records import record_of_trial
from engine.translate import _

_YES, _NO = "✓", "–"


def role_record(shown: RoleView | Trial) -> dict[str, Json]:
    """Write a role, or what a trial showed, as JSON."""
    if isinstance(shown, Trial):
        return record_of_trial(shown)
    return {
        "role": str(shown.role),
        "model": shown.model,
        "host": shown.host,
        "context_tokens": shown.context_tokens,
        "consent": shown.has_consent,
        "trial": record_of_trial(shown.trial) if shown.trial is not None else None,
    }


def role_row(role: RoleView) -> list[str]:
    """Write a role as cells: role, model, what it can do, context, when it was tried, host."""
    if not role.model:
        return [str(role.role), _("(none)"), "", "", "", ""]
    context = f"{role.context_tokens // 1000} k" if role.context_tokens else ""
    trial = role.trial
    tried = _("tested {day}").format(day=trial.tried_at[:10]) if trial is not None else _("not tested")
    return [str(role.role), role.model, "" if trial is None else abilities(trial), context, tried, role.host]


def abilities(trial: Trial) -> str:
    """Say what a model can do: "text ✓ tools – schema ✓ streaming ✓"."""
    shown = [
        (_("text"), trial.text), (_("tools"), trial.tools), (_("schema"), trial.schemas),
        (_("streaming"), trial.streaming),
    ]  # fmt: skip
    return " ".join(f"{name} {_YES if can else _NO}" for name, can in shown)


def trial_lines(trial: Trial) -> list[str]:
    """Write what a trial showed."""
    return [f"{trial.model}  {abilities(trial)}  {place_words(trial.place)}", *(f"  {note}" for note in trial.notes)]


def place_words(place: str) -> str:
    """Say where calls go: a host as it is, a plugin by name."""
    return place if "." in place or ":" in place or place == "localhost" else _("the plugin {name}").format(name=place)


def usage_record(row: UsageRow) -> dict[str, Json]:
    """Write a row of usage as JSON."""
    used = row.usage
    return {
        "work": row.work or None, "stage": row.stage, "model": row.model, "calls": row.calls, "failed": row.failed,
        "sent": used.prompt, "cached": used.cached, "received": used.completion, "reasoning": used.reasoning,
        "is_estimate": used.is_estimate, "money": row.money,
    }  # fmt: skip


def number_rows(settings: ModelSettings) -> list[tuple[str, float, str]]:
    """Return (name, value, what it means) of every number of [models]."""
    return [(name, model_number(settings, name), _(words)) for name, words in MODEL_NUMBERS.items()]
