"""Stage 2: a model brings what the windows of a volume have left into order: with seven tools, in fast in one answer.

The notes of a volume are what costs most here, and each round sends them again: so in fast there is one call, in which
nothing can be looked up.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.analysis.asking import Caller, ReplyTooLongError, Request, fenced, load_prompt, said, tool_result, user
from engine.analysis.ledger import Ledger
from engine.analysis.reading import Titles
from engine.analysis.volume_tools import ALL_IN_ONE, TOOLS, VolumeTools, note_line, point_line
from engine.domain.analysis import AnalysisMode
from engine.domain.models import ModelRole
from engine.errors.models import ContextOverflowError, ModelUnfitError
from engine.providers.protocols import Message, ToolSpec
from engine.text.tokens import estimate_tokens

_ROUNDS = 6
_MOST_ROUNDS = 9
_VOLUME_TOKENS = 150_000
"""What the rounds of one volume may cost before the last three are given up."""
_NOTES_TOKENS = 30_000
_OUTPUT_TOKENS = 3_000
_MOST_CALLS = 12
"""Tool calls of one reply that are carried out."""
_FINISH = "Now end with submit_volume_summary."


def settle_volume(caller: Caller, tools: VolumeTools, titles: Titles, language: str, mode: AnalysisMode) -> int:
    """Let a model bring a volume's notes into order; returns the rounds it took.

    What it does not do is left as the program has it: a volume without a summary gets none.

    Raises:
        AnalysisStopped: the reading is to be given up.
        SpendingStoppedError: it would cost more than the cap.
    """
    shown = user(volume_text(tools.ledger, tools.volume, tools.first_new, titles, language))
    return _at_once(caller, tools, shown) if mode is AnalysisMode.FAST else _in_rounds(caller, tools, shown)


def _at_once(caller: Caller, tools: VolumeTools, shown: Message) -> int:
    """Take all there is to say from one answer."""
    tools.count_shown_as_read()
    request = _request("volume_fast", tools.volume, 1, [shown], (ALL_IN_ONE,))
    try:
        answer = caller.ask(request)
    except (ContextOverflowError, ReplyTooLongError, ModelUnfitError):
        return 0
    for call in answer.tool_calls[:_MOST_CALLS]:
        tools.run(call)
    return 1


def _in_rounds(caller: Caller, tools: VolumeTools, shown: Message) -> int:
    """Carry out what is called and tell what came of it, until the summary is there."""
    messages = [shown]
    spent = 0
    for round_ in range(1, _MOST_ROUNDS + 1):
        if tools.is_submitted or (round_ > _ROUNDS and spent > _VOLUME_TOKENS):
            return round_ - 1
        request = _request("volume", tools.volume, round_, messages, TOOLS)
        try:
            answer = caller.ask(request)
        except (ContextOverflowError, ReplyTooLongError, ModelUnfitError):
            return round_ - 1
        spent += request.input_tokens + estimate_tokens(answer.text)
        calls = answer.tool_calls[:_MOST_CALLS]
        messages.append(said(answer))
        messages += [tool_result(call, fenced(tools.run(call))) for call in calls]
        messages += [tool_result(call, "too many calls at once") for call in answer.tool_calls[_MOST_CALLS:]]
        if not calls:
            messages.append(user(_FINISH))
    return _MOST_ROUNDS


def _request(
    prompt: str, volume: int, round_: int, messages: Sequence[Message], tools: tuple[ToolSpec, ...]
) -> Request:
    return Request(
        "volume",
        f"{volume + 1} round {round_}",
        ModelRole.READER,
        load_prompt(prompt),
        tuple(messages),
        tools,
        output_tokens=_OUTPUT_TOKENS,
    )


def volume_text(ledger: Ledger, volume: int, first_new: int, titles: Titles, language: str) -> str:
    """Return what the agent is shown: chapters with their recaps, then each point with its new notes."""
    head = [f"Write in: {language}. Volume {volume + 1}.", "Chapters:"]
    chapters = sorted(chapter for v, chapter in ledger.chapters if v == volume)
    rows = [f"chapter {c + 1}: {titles.of(volume, c)}".rstrip(": ") for c in chapters]
    body: list[str] = []
    spent = 0
    for number, all_notes in sorted(ledger.notes_by_point().items()):
        notes = [note for note in all_notes if note.number >= first_new]
        if not notes:
            continue
        lines = [point_line(ledger.points[number]) + (" (known before)" if len(notes) < len(all_notes) else "")]
        lines += [note_line(note) for note in notes]
        spent += sum(map(estimate_tokens, lines))
        if spent > _NOTES_TOKENS:
            body.append("(more points were left out)")
            break
        body += lines
    return "\n".join([*head, fenced("\n".join(rows) or "none"), "Points and notes:", fenced("\n".join(body) or "none")])
