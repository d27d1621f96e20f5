"""The Analysis screen as rows: what a reading will cost, how far it is, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.domain.analysis import (
    AnalysisMode,
    AnalysisProgress,
    AnalysisState,
    Estimate,
    Stage,
    StageProgress,
)
from engine.text.sanitize import sanitize_line
from engine.translate import N_, _, grouped
from tui.render.cells import cell_width, fit_cells
from tui.render.lines import wrapped_lines
from tui.render.meter import work_row

_BAR_CELLS = 10
_MODES: Mapping[AnalysisMode, str] = {AnalysisMode.QUALITY: N_("quality"), AnalysisMode.FAST: N_("fast")}
_STAGES: Mapping[Stage, str] = {
    Stage.READ: N_("read"),
    Stage.VOLUME: N_("set in order"),
    Stage.PLAN: N_("planned"),
    Stage.WRITE: N_("written"),
    Stage.JUDGE: N_("checked"),
    Stage.REPAIR: N_("mended"),
}
_GAP = " · "
StageKey = tuple[Stage, int]
"""A stage, and the ord of its volume; -1 for the work."""


@dataclass(frozen=True, slots=True)
class AnalysisRow:
    """A row of the page."""

    left: str = ""
    right: str = ""
    is_faint: bool = False
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """What the page shows."""

    title: str
    mode: AnalysisMode = AnalysisMode.QUALITY
    cap_tokens: int = 0
    currency: str = ""
    model: str = ""
    """Of the reader's role; empty for none."""
    host: str = ""
    """Where text goes; empty while that is not known."""
    estimate: Estimate | None = None
    """None while it is reckoned."""
    progress: AnalysisProgress | None = None
    """None while the work was never read."""
    spent_money: float | None = None
    """On this work so far; None where no price is set."""
    seconds_left: Mapping[StageKey, float] = field(default_factory=dict)
    is_alone: bool = False
    """It goes on when the program is left."""
    is_ascii: bool = False

    @property
    def is_running(self) -> bool:
        """Whether a reading is under way."""
        return self.progress is not None and self.progress.state is AnalysisState.RUNNING


def analysis_rows(view: AnalysisView, cells: int) -> tuple[AnalysisRow, ...]:
    """Return the page's rows.

    Args:
        view: What is known.
        cells: How wide a row may be; sentences are wrapped to it.
    """
    if not view.model and not view.is_running:
        return (*_paragraph(_about(), cells), AnalysisRow(), *_no_model_rows(cells), *_meter_rows(view, cells))
    if view.is_running:
        return (*_paragraph(_settled(view), cells, is_faint=True), AnalysisRow(), *_meter_rows(view, cells))
    return (*_choice_rows(view, cells), *_meter_rows(view, cells))


def _about() -> list[str]:
    return [
        _(
            "A model of your choice reads the work from the first volume to the last. It writes entries, relations, a"
            " timeline, recaps and lead-ins; each sentence keeps the passage it rests on, and none is shown before you"
            " have read that far. Nothing is sent before you start it."
        )
    ]


def _no_model_rows(cells: int) -> tuple[AnalysisRow, ...]:
    words = _("No model is named as reader yet. Enter leads to the Models page, where you name one.")
    return tuple(AnalysisRow(line, is_strong=True) for line in wrapped_lines(words, cells))


# before a reading, or between two


def _choice_rows(view: AnalysisView, cells: int) -> Iterable[AnalysisRow]:
    yield AnalysisRow(mode_words(view.mode), "m")
    yield from _flowed(_cost_parts(view), cells)
    cap = _("stop at {n}").format(n=in_short(view.cap_tokens)) if view.cap_tokens else _("no cap")
    yield AnalysisRow(cap, "c")
    yield from _flowed([sanitize_line(view.model), _where(view)], cells)
    leaving = _("goes on when you quit") if view.is_alone else _("pauses when you quit")
    yield AnalysisRow(leaving, "b")
    yield AnalysisRow()
    for line in wrapped_lines(_next_step(view), cells):
        yield AnalysisRow(line, is_strong=True)
    yield AnalysisRow()


def mode_words(mode: AnalysisMode) -> str:
    """Say which mode is chosen, and which there are."""
    return "   ".join(f"▸ {_(name)}" if each is mode else f"  {_(name)}" for each, name in _MODES.items())


def _cost_parts(view: AnalysisView) -> list[str]:
    estimate = view.estimate
    if estimate is None:
        return [_("reckoning what it will cost ...")]
    if not estimate.characters:
        return [_("everything has been read in this mode")]
    parts = [
        _("1 volume") if estimate.volumes == 1 else _("{n} volumes").format(n=estimate.volumes),
        _("{n} characters").format(n=grouped(estimate.characters)),
    ]
    low, high = _still(view, estimate.tokens_low), _still(view, estimate.tokens_high)
    if not high:  # it has used what it was to use, and is not done yet
        return parts
    said = _("about {range} tokens to go") if low < estimate.tokens_low else _("about {range} tokens")
    parts.append(said.format(range=in_range(low, high)))
    least, most = low / max(1, estimate.tokens_low), high / max(1, estimate.tokens_high)
    money = money_words(view.currency, estimate.money_low, estimate.money_high, least, most)
    parts.append(_("{money} at your prices").format(money=money) if money else _("no price is set"))
    minutes = round(estimate.minutes_low * least), max(1, round(estimate.minutes_high * most))
    parts.append(_("{low}-{high} min").format(low=grouped(minutes[0]), high=grouped(minutes[1])))
    return parts


def _still(view: AnalysisView, tokens: int) -> int:
    """Return what is left of an estimate when a reading of the same kind was interrupted."""
    progress = view.progress
    if progress is None or progress.state is AnalysisState.DONE or progress.mode is not view.mode:
        return tokens
    return max(0, tokens - progress.usage.prompt - progress.usage.completion)


def _where(view: AnalysisView) -> str:
    if not view.host:
        return _("the text goes where the model's plugin sends it")
    return _("the text goes to {host}").format(host=sanitize_line(view.host))


def _next_step(view: AnalysisView) -> str:
    progress = view.progress
    if view.estimate is None:
        return _("It can be started once its cost is known.")
    if progress is None:
        return _("Enter starts it.")
    kept = _("Answers kept and not paid for again: {calls}, of {tokens} tokens.").format(
        calls=grouped(progress.calls - progress.failed),
        tokens=in_short(progress.usage.prompt + progress.usage.completion),
    )
    reason = f"{sanitize_line(progress.error)} " if progress.error else ""
    if progress.state is AnalysisState.FAILED:
        return _("It could not go on. {reason}{kept} Enter tries again.").format(reason=reason, kept=kept)
    if progress.state is AnalysisState.PAUSED:
        return _("Paused. {reason}{kept} Enter goes on.").format(reason=reason, kept=kept)
    if not view.estimate.characters:
        return _("Read to its end. The wiki shows what came of it.")
    return _("Read in this mode or another before; what still holds is used again. Enter starts it.")


# while it is read, and after


def _settled(view: AnalysisView) -> list[str]:
    progress = view.progress
    mode = view.mode if progress is None else progress.mode
    cap = 0 if progress is None else progress.cap_tokens
    parts = [_(_MODES[mode]), sanitize_line(view.model)]
    if view.estimate is not None and view.estimate.characters:
        about = in_range(view.estimate.tokens_low, view.estimate.tokens_high)
        parts.append(_("about {range} tokens").format(range=about))
    parts.append(_("stop at {n}").format(n=in_short(cap)) if cap else _("no cap"))
    parts.append(_("goes on when you quit") if view.is_alone else _("pauses when you quit"))
    return [_GAP.join(part for part in parts if part)]


def _meter_rows(view: AnalysisView, cells: int) -> Iterable[AnalysisRow]:
    progress = view.progress
    if progress is None:
        return
    if not progress.stages:
        if view.is_running:
            yield AnalysisRow(_("It begins when the names of the work are known."), is_faint=True)
    else:
        yield from _stage_rows(view, progress.stages, cells)
    yield AnalysisRow()
    usage = progress.usage
    parts = [
        _("sent {n}").format(n=in_short(usage.prompt)),
        _("received {n}").format(n=in_short(usage.completion)),
        _("cached {n}").format(n=in_short(usage.cached)),
        _failed_words(progress),
    ]
    if view.spent_money:
        parts.append(_("{money} for this work so far").format(money=f"{view.currency}{view.spent_money:.2f}"))
    for line in _joined(parts, "   ", cells):
        yield AnalysisRow(line, is_faint=not view.is_running)
    if view.is_running:
        for line in _joined([_("p pause"), _("x cancel"), _("Esc leave it running")], "   ", cells):
            yield AnalysisRow(line, is_faint=True)


def _failed_words(progress: AnalysisProgress) -> str:
    is_retried = progress.failed and progress.state in (AnalysisState.RUNNING, AnalysisState.DONE)
    return (_("failed {n} (retried)") if is_retried else _("failed {n}")).format(n=grouped(progress.failed))


def _stage_rows(view: AnalysisView, stages: Sequence[StageProgress], cells: int) -> Iterable[AnalysisRow]:
    """Yield a row a volume, at the stage it is in, and a row for each stage of the whole work."""
    volumes = sorted({each.volume for each in stages if each.volume >= 0})
    shown: list[tuple[str, StageProgress, str]] = []
    for volume in volumes:
        mine = [each for each in stages if each.volume == volume]
        now = next((each for each in mine if each.done < each.total), mine[0])
        shown.append((_("Volume {n}").format(n=volume + 1), now, _evidence_words(mine)))
    shown += [(_("Wiki"), each, _counter_words(each)) for each in stages if each.volume < 0]
    names = max(cell_width(name) for name, _now, _said in shown)
    works = max(cell_width(_(_STAGES[now.stage])) for _name, now, _said in shown)
    counts = max(len(f"{now.done}/{now.total}") for _name, now, _said in shown)
    for name, now, said in shown:
        share = now.done / now.total if now.total else 0.0
        bar = work_row(share, _BAR_CELLS, is_ascii=view.is_ascii)
        left = view.seconds_left.get((now.stage, now.volume))
        words = [f"{now.done}/{now.total}".ljust(counts), said, "" if left is None or share >= 1 else left_words(left)]
        head = f"{_padded(name, names)}  {_padded(_(_STAGES[now.stage]), works)}  {bar} "
        yield AnalysisRow(fit_cells(head + "   ".join(word for word in words if word), cells))


def _evidence_words(stages: Sequence[StageProgress]) -> str:
    found = sum(each.counters.get("evidence_found", 0) for each in stages)
    missed = sum(each.counters.get("evidence_missed", 0) for each in stages)
    return _("evidence found {n} %").format(n=round(100 * found / (found + missed))) if found + missed else ""


def _counter_words(stage: StageProgress) -> str:
    said = {"entries": _("{n} entries"), "sentences": _("{n} sentences"), "dropped": _("{n} dropped")}
    return "  ".join(said[name].format(n=grouped(n)) for name, n in stage.counters.items() if n and name in said)


def left_words(seconds: float) -> str:
    """Say how long something will still take: "41 s left", "12 min left"."""
    if seconds < 90:
        return _("{n} s left").format(n=max(1, round(seconds)))
    return _("{n} min left").format(n=grouped(round(seconds / 60)))


# numbers


def in_short(number: int) -> str:
    """Return a number of tokens as it is read at a glance: 412, 9.8 k, 214 k, 3.5 M."""
    for least, size, unit in ((1_000_000, 1_000_000, "M"), (1_000, 1_000, "k")):
        if number >= least:
            return f"{_digits(number / size)} {unit}"
    return str(number)


def in_range(low: int, high: int) -> str:
    """Return two numbers, the unit once where it is the same: 2.4-3.1 M, 0.9 k-1.2 M."""
    one, other = in_short(low), in_short(high)
    digits, _blank, unit = one.partition(" ")
    return f"{digits}-{other}" if unit and other.endswith(f" {unit}") else f"{one}-{other}"


def money_words(currency: str, low: float | None, high: float | None, least: float = 1, most: float = 1) -> str:
    """Return what an estimate comes to at the reader's prices; empty where there are none.

    Args:
        currency: Its sign.
        low: The least, None without a price.
        high: The most.
        least: The share of `low` that is still to be paid.
        most: The share of `high`.
    """
    return "" if low is None or high is None else f"{currency}{low * least:.2f}-{high * most:.2f}"


def _digits(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0") if value < 99.95 else f"{value:.0f}"


# laying out


def _paragraph(lines: Sequence[str], cells: int, *, is_faint: bool = False) -> Iterable[AnalysisRow]:
    return (AnalysisRow(row, is_faint=is_faint) for line in lines for row in wrapped_lines(line, cells))


def _flowed(parts: Sequence[str], cells: int) -> Iterable[AnalysisRow]:
    return (AnalysisRow(line) for line in _joined(parts, _GAP, cells))


def _joined(parts: Sequence[str], gap: str, cells: int) -> list[str]:
    """Return parts set side by side, on as many rows as they need; none is cut in two but one wider than a row."""
    rows: list[str] = []
    for part in parts:
        if rows and cell_width(rows[-1] + gap + part) <= cells:
            rows[-1] += gap + part
        else:
            rows += wrapped_lines(part, cells)
    return rows


def _padded(text: str, cells: int) -> str:
    return text + " " * max(0, cells - cell_width(text))
