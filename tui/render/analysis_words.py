"""What a reading by models has used and come to, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.domain.analysis import AnalysisProgress, StageUsage
from engine.domain.models import ModelSettings
from engine.domain.orders import OrderCost
from engine.text.sanitize import sanitize_line
from engine.translate import N_, _, grouped
from tui.render.analysis_rows import AnalysisView, in_range, in_short, money_words

_COUNTERS: Mapping[str, str] = {
    "evidence_found": N_("quotations found"),
    "evidence_missed": N_("quotations not found"),
    "lines": N_("lines answered"),
    "strays": N_("lines that could not be used"),
    "unknown_keys": N_("names the model made up"),
    "rounds": N_("rounds"),
    "faults": N_("faults answered"),
    "entries": N_("entries"),
    "sentences": N_("sentences written"),
    "supported": N_("borne out"),
    "unknown": N_("neither borne out nor refuted"),
    "repaired": N_("mended"),
    "dropped": N_("dropped"),
}


def spent_money(rows: Sequence[StageUsage], settings: ModelSettings) -> float | None:
    """Return what was spent at the reader's prices; None where no model used has one."""
    priced = [(row, price) for row in rows if (price := settings.prices.get(row.model)) is not None]
    return sum(price.of(row.usage) for row, price in priced) if priced else None


def cost_words(view: AnalysisView) -> str:
    """Say what goes to a model and what that costs, in one line."""
    estimate = view.estimate
    if estimate is None:
        return sanitize_line(view.title)
    said = _("{title}, {characters} characters, to {model}; about {tokens} tokens")
    words = said.format(
        title=sanitize_line(view.title),
        characters=grouped(estimate.characters),
        model=sanitize_line(view.model),
        tokens=in_range(estimate.tokens_low, estimate.tokens_high),
    )
    money = money_words(view.currency, estimate.money_low, estimate.money_high)
    return f"{words}, {money}" if money else words


def order_words(cost: OrderCost, currency: str) -> str:
    """Say what something asked for in the wiki costs."""
    words = _("about {range} tokens").format(range=in_range(cost.tokens_low, cost.tokens_high))
    if cost.money_low is None or cost.money_high is None:
        return words
    return f"{words} · {currency}{cost.money_low:.3f}-{cost.money_high:.3f}"


def use_words(
    rows: Sequence[StageUsage], progress: AnalysisProgress | None, score: tuple[int, int], settings: ModelSettings
) -> str:
    """Say what was used, a line for each stage and model, and how well it went.

    Args:
        rows: What the library has counted for a work.
        progress: How its last reading stands.
        score: (borne out, looked at) of the sentences a person held against the text.
        settings: For prices.
    """
    if not rows:
        return _("Nothing was used yet.")
    lines = [_use_line(row) for row in rows]
    tokens = sum(row.usage.prompt + row.usage.completion for row in rows)
    money = spent_money(rows, settings)
    total = _("{n} tokens in all").format(n=in_short(tokens))
    lines += ["", total if money is None else f"{total}   {settings.currency}{money:.2f}"]
    if any(row.usage.is_estimate for row in rows):
        lines.append(_("Some of these were counted from the characters: the provider did not say."))
    lines += ["", *_counter_lines(progress)]
    if score[1]:
        lines.append(_("{n} of {all} sentences looked at by you are borne out").format(n=score[0], all=score[1]))
    return "\n".join(lines)


def _use_line(row: StageUsage) -> str:
    said = _("{stage} · {model}   {calls} calls, sent {sent}, cached {cached}, received {received}")
    line = said.format(
        stage=row.stage,
        model=sanitize_line(row.model),
        calls=grouped(row.calls),
        sent=in_short(row.usage.prompt),
        cached=in_short(row.usage.cached),
        received=in_short(row.usage.completion),
    )
    return line + (", " + _("failed {n}").format(n=grouped(row.failed)) if row.failed else "")


def _counter_lines(progress: AnalysisProgress | None) -> list[str]:
    counts: Counter[str] = Counter()
    for stage in progress.stages if progress is not None else ():
        counts.update(stage.counters)
    style = sum(count for name, count in counts.items() if name.startswith("style_"))
    lines = [f"{_(words)}: {grouped(counts[name])}" for name, words in _COUNTERS.items() if counts[name]]
    return [*lines, f"{_('breaks of style')}: {grouped(style)}"] if style else lines


def dropped_words(rows: Sequence[tuple[str, str]] | None) -> str:
    """Say what was written and did not stand, and why."""
    if rows is None:
        return _("What did not stand may tell what lies ahead. It can be looked at once the work is read to its end.")
    if not rows:
        return _("Nothing was dropped.")
    lines = []
    for text, reason in rows:
        parts = [sanitize_line(part) for part in text.split("\t") if part]
        lines.append(f"{' · '.join(parts)}\n    {sanitize_line(reason)}")
    return "\n".join(lines)
