"""What a reading by models will cost, stage by stage, before the first call.

The shares were taken from two series read by hand to the end, one English and one Chinese: `docs/by-hand.md` tells what
each stage of them took.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.analysis.asking import load_prompt
from engine.analysis.windows import Window, paragraph_tokens
from engine.domain.analysis import AnalysisMode, Estimate, Stage, StageEstimate
from engine.domain.models import Price, Usage
from engine.text.script import Script, dominant_script
from engine.text.tokens import estimate_tokens

_FAST, _CAREFUL = AnalysisMode.FAST, AnalysisMode.QUALITY
_REPLY_SHARE = {_FAST: {False: 0.42, True: 0.63}, _CAREFUL: {False: 0.6, True: 1.2}}
"""Tokens of a reply for one of its window, in Latin script and in Han or kana."""
_NOTES_PER_TOKEN = {_FAST: {False: 0.0041, True: 0.0059}, _CAREFUL: {False: 0.0083, True: 0.0135}}
_NOTE_TOKENS = 22
"""Its words."""
_HEAD_TOKENS = 700
"""Roster, gist, facts and open questions of a window."""
_TOOL_TOKENS = {_FAST: 550, _CAREFUL: 700}
_ROUNDS = {_FAST: 1.0, _CAREFUL: 2.0}
_SHOWN_NOTE = {_FAST: {False: 31, True: 50}, _CAREFUL: {False: _NOTE_TOKENS, True: _NOTE_TOKENS}}
"""One of the notes before the volume agent; in fast, where a point has few, its share of the point's line tells."""
_SUMMARY_TOKENS = 1_300
_RESULTS_TOKENS = 1_500
_NOTES_PER_ENTRY = {_FAST: 5, _CAREFUL: 8}
_MOST_ENTRIES = 160
_CORE, _SUPPORTING = 20, 50
_TOPICS = 5
_ENTRY_IN = {"core": 5_000, "supporting": 2_500, "local": 500}
_DOSSIER_SHARE = {_FAST: 0.6, _CAREFUL: 1.0}
_ENTRY_OUT = {"core": 1_300, "supporting": 450, "local": 100}
_MENTIONS = 3.3
"""Dossiers a note stands in."""
_WRITTEN_SHARE = {_FAST: 2.2, _CAREFUL: 1.9}
"""Tokens of what is written for one of the notes."""
_SENTENCE_TOKENS = 30
_COURSE_SHARE = {_FAST: 0.9, _CAREFUL: 0.7}
"""What is told of the course of the work, judged too, for one of its notes."""
_JUDGED_TOKENS = {_FAST: {False: 150, True: 105}, _CAREFUL: {False: 105, True: 90}}
"""A statement before the judge: its words and its share of the passages; the fewer there are, the less they share."""
_AT_A_TIME = {_FAST: 55, _CAREFUL: 27}
_SAMPLED = 20
"""Paragraphs looked at for the script."""
_LOW, _HIGH = 0.8, 1.25
_TOKENS_A_MINUTE = 3_000
"""Of an answer, from one model."""
_CALL_MINUTES = 0.05
_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class _Cost:
    calls: float
    sent: float
    received: float


def estimate_reading(
    windows: Sequence[Window], volumes: int, characters: int, mode: AnalysisMode, price: Price | None
) -> Estimate:
    """Return what reading some windows, and writing what follows from them, will cost.

    Args:
        windows: Those still to be read.
        volumes: How many volumes they are of.
        characters: Of their text.
        mode: How much care is taken.
        price: Of a million tokens; None where the reader has set none.
    """
    text = sum(paragraph_tokens(each) for window in windows for each in window.paragraphs)
    costs = _costs(len(windows), volumes, text, mode, is_wide=_is_wide(windows))
    sent, received = sum(cost.sent for cost in costs.values()), sum(cost.received for cost in costs.values())
    tokens = sent + received
    money = None if price is None else price.of(Usage(round(sent), 0, round(received)))
    calls_in_a_row = costs[Stage.READ].calls + costs[Stage.VOLUME].calls
    others = sum(cost.calls for cost in costs.values()) - calls_in_a_row
    slow = costs[Stage.READ].received + costs[Stage.VOLUME].received
    minutes = slow / _TOKENS_A_MINUTE + (received - slow) / _TOKENS_A_MINUTE / _AT_ONCE
    minutes += (calls_in_a_row + others / _AT_ONCE) * _CALL_MINUTES
    return Estimate(
        round(tokens * _LOW),
        round(tokens * _HIGH),
        None if money is None else round(money * _LOW, 4),
        None if money is None else round(money * _HIGH, 4),
        round(minutes * _LOW),
        round(minutes * 2 + 1) if windows else 0,
        {
            stage: StageEstimate(round(cost.calls), round(cost.sent + cost.received))
            for stage, cost in costs.items()
            if cost.calls
        },
        characters,
        volumes,
    )


def _is_wide(windows: Sequence[Window]) -> bool:
    """Say whether a work is written in Han characters or kana, by its first paragraphs."""
    text = "".join(each.block.text for window in windows[:1] for each in window.paragraphs[:_SAMPLED])
    return dominant_script(text) in (Script.HAN, Script.KANA, Script.HANGUL)


def _costs(windows: int, volumes: int, text: float, mode: AnalysisMode, *, is_wide: bool) -> dict[Stage, _Cost]:
    if not windows:
        return {stage: _Cost(0, 0, 0) for stage in Stage}
    is_careful = mode is AnalysisMode.QUALITY
    names = ("read", "volume", "volume_fast", "plan", "write", "judge")
    prompt = {name: estimate_tokens(load_prompt(name).text) for name in names}
    volume_prompt = prompt["volume" if is_careful else "volume_fast"]
    notes = text * _NOTES_PER_TOKEN[mode][is_wide]
    note_tokens = notes * _NOTE_TOKENS
    rounds = _ROUNDS[mode]
    entries = max(3.0, min(_MOST_ENTRIES, notes / _NOTES_PER_ENTRY[mode]))
    core, supporting = min(_CORE, entries / 3), min(_SUPPORTING, entries / 3)
    locals_ = entries - core - supporting if is_careful else 0.0
    entry_in = {tier: tokens * _DOSSIER_SHARE[mode] for tier, tokens in _ENTRY_IN.items()}
    written_in = _written(core, supporting, locals_, entry_in, note_tokens * _MENTIONS)
    written_out = _written(core, supporting, locals_, _ENTRY_OUT, note_tokens * _WRITTEN_SHARE[mode])
    calls = core + supporting + locals_ / 5 + _TOPICS
    judged = notes * (_COURSE_SHARE[mode] + is_careful) + written_out / _SENTENCE_TOKENS
    batches = max(1.0, judged / _AT_A_TIME[mode])
    return {
        Stage.READ: _Cost(
            windows, text + windows * (prompt["read"] + _HEAD_TOKENS), text * _REPLY_SHARE[mode][is_wide]
        ),
        Stage.VOLUME: _Cost(
            volumes * rounds,
            rounds * (volumes * (volume_prompt + _TOOL_TOKENS[mode]) + notes * _SHOWN_NOTE[mode][is_wide])
            + volumes * _RESULTS_TOKENS * rounds * (rounds - 1) / 2,
            volumes * _SUMMARY_TOKENS,
        ),
        Stage.PLAN: _Cost(1, prompt["plan"] + entries * 1.5 * 15 + volumes * 400, entries * 12),
        Stage.WRITE: _Cost(calls, written_in + calls * prompt["write"], written_out),
        Stage.JUDGE: _Cost(batches, judged * _JUDGED_TOKENS[mode][is_wide] + batches * prompt["judge"], judged * 5),
        Stage.REPAIR: _Cost(max(1.0, judged * 0.03 / 10), judged * 0.03 * 150, judged * 0.03 * 25),
    }


def _written(core: float, supporting: float, locals_: float, each: Mapping[str, float], most: float) -> float:
    """Return what entries cost; short works have shorter entries."""
    return min(most, core * each["core"] + supporting * each["supporting"] + locals_ * each["local"])
