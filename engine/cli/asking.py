"""A question to a work: `understory ask`."""

from __future__ import annotations

import queue
import sys
from argparse import Namespace
from collections.abc import Callable

from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.knowing import add_bound, add_work_to, bound_from, wait_for_names
from engine.cli.output import text_from_argument
from engine.cli.parser import Commands
from engine.domain.chat import (
    AnswerReady,
    Card,
    ChatEvent,
    Lead,
    Numbered,
    SpoilerAsked,
    SpoilerChoice,
    ToolEnded,
    TurnFailed,
    TurnId,
    TurnStopped,
)
from engine.domain.chat_records import record_of
from engine.domain.conversations import ConversationId, Scene
from engine.translate import _

_ASK = "ask"
_STOPPED, _FAILED = 4, 6
_KEYS = {"1": SpoilerChoice.FULL, "2": SpoilerChoice.READ, "3": SpoilerChoice.STOP}


def add_commands(commands: Commands) -> None:
    """Enter the word."""
    ask = add_bound(add_work_to(commands.add("ask", _("answer a question from the book, with the places"), _run)))
    ask.add_argument("question", metavar="QUESTION", help=_("as you would ask somebody who has read it"))
    ask.add_argument(
        "--on-spoiler",
        choices=[*SpoilerChoice, _ASK],
        help=_("when the answer lies beyond what you have read: ask on a terminal, else read"),
    )
    ask.add_argument(
        "--conversation", metavar="ID", type=int, help=_("go on with a conversation, by its id in `chat list`")
    )


def _run(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    upto, mode = bound_from(context, arguments, work)
    if not wait_for_names(context, work):
        return 1
    library = context.library()
    asker = _Asker(context, arguments.on_spoiler)
    told: queue.SimpleQueue[Numbered] = queue.SimpleQueue()
    turn = library.start_turn(
        ConversationId(arguments.conversation) if arguments.conversation is not None else None,
        text_from_argument(arguments.question),
        Scene(work, mode=mode),
        upto=upto,
        listener=told.put,
    )
    return follow(context, turn, told, asker.choose, is_json=arguments.json)


def follow(
    context: Context,
    turn: TurnId,
    told: queue.SimpleQueue[Numbered],
    choose: Callable[[SpoilerAsked], SpoilerChoice],
    *,
    is_json: bool,
) -> int:
    """Print what happens to a turn until it ends; return the exit code. Interrupted, it stops the turn.

    Args:
        context: Of the command.
        turn: Which.
        told: Where its events come.
        choose: What to do when the answer lies beyond what was read.
        is_json: One event a line.
    """
    try:
        return _printed(context, turn, told, choose, is_json=is_json)
    except KeyboardInterrupt:
        context.library().cancel_turn(turn)
        return _STOPPED


def _printed(
    context: Context,
    turn: TurnId,
    told: queue.SimpleQueue[Numbered],
    choose: Callable[[SpoilerAsked], SpoilerChoice],
    *,
    is_json: bool,
) -> int:
    while True:
        numbered = told.get()
        event = numbered.event
        if is_json:
            context.out.record(record_of(numbered))
        else:
            _print(context, event)
        if isinstance(event, SpoilerAsked):
            context.library().answer_spoiler(turn, choose(event))
        elif isinstance(event, AnswerReady | TurnFailed | TurnStopped):
            return {TurnFailed: _FAILED, TurnStopped: _STOPPED}.get(type(event), 0)


class _Asker:
    """Says what to do when the answer lies beyond what was read."""

    def __init__(self, context: Context, wanted: str | None) -> None:
        self._context = context
        self._wanted = wanted or (_ASK if sys.stdin.isatty() else SpoilerChoice.READ)

    def choose(self, _asked: SpoilerAsked) -> SpoilerChoice:
        if self._wanted != _ASK:
            return SpoilerChoice(self._wanted)
        self._context.out.talk(_("1 answer in full   2 as far as I have read   3 stop"))
        try:
            return _KEYS.get(input().strip(), SpoilerChoice.STOP)
        except EOFError:
            return SpoilerChoice.STOP


def _print(context: Context, event: ChatEvent) -> None:
    out = context.out
    if isinstance(event, Lead):
        out.talk(event.text)
    elif isinstance(event, ToolEnded):
        out.talk(f"{event.tool}: {event.text} {event.seconds:.1f} s")
    elif isinstance(event, SpoilerAsked):
        out.talk(event.text)
    elif isinstance(event, TurnFailed):
        out.talk(f"{event.title}: {event.message}")
    elif isinstance(event, TurnStopped):
        out.talk(event.reason)
    elif isinstance(event, Card):
        out.line(event.title + "".join(f"  {cell}" for row in event.rows for cell in row))
    elif isinstance(event, AnswerReady):
        out.line(event.text)
        for citation in event.citations:
            words = citation.text or f"{citation.quote}…"
            out.line(f"[{citation.number}] {citation.where}  {words}  {citation.locator}")
