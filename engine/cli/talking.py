"""Conversations and what is told without a question: `understory chat`, `explain`, `recap`."""

from __future__ import annotations

import queue
from argparse import Namespace

from engine.cli.asking import follow
from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.knowing import wait_for_names
from engine.cli.noting import passage_from
from engine.cli.output import columns, text_from_argument
from engine.cli.parser import Commands, Parser, add_work
from engine.domain.chat import Numbered, SpoilerAsked, SpoilerChoice
from engine.domain.conversations import (
    USUAL_FACETS,
    Conversation,
    ConversationId,
    ConversationKind,
    Facet,
    RecapKind,
    RecapSpan,
    Scene,
)
from engine.domain.locator import Locator, locator_from_text
from engine.domain.models import Json
from engine.errors import CommandInvalidError, PlaceUnknownError
from engine.translate import _


def add_commands(commands: Commands) -> None:
    """Enter the words."""
    _add_chat(commands)
    explain = commands.add("explain", _("a passage explained, as far as you have read"), _explain)
    explain.add_argument("work", metavar="WORK", nargs="?", help=_("id, title or an unambiguous part of the title"))
    place = explain.add_mutually_exclusive_group(required=True)
    place.add_argument("--locator", metavar="PLACE", help=_("a passage: f12-340-402 or an understory:// address"))
    place.add_argument("--quote", metavar="WORDS", help=_("a passage by its words, the first place they stand at"))
    explain.add_argument("--angle", metavar="TEXT", default="", help=_("what you want to know of it"))
    explain.add_argument("--background", action="store_true", help=_("also what stands outside the book, labelled"))
    recap = commands.add("recap", _("the story so far, with the places"), _recap)
    add_work(recap)
    recap.add_argument(
        "--span", choices=[str(RecapKind.VOLUME), "last-time"], help=_("this volume, or what you read last time")
    )
    recap.add_argument("--since", metavar="PLACE", help=_("from a place on, such as f12-0-0"))


def _add_chat(commands: Commands) -> None:
    chat = commands.add("chat", _("your conversations with the companion"), _list)
    words = chat.add_subparsers(metavar="WHAT", parser_class=Parser)
    chat.set_defaults(work=None, words="")
    listed = words.add_parser("list", help=_("all of them, or those of a work"))
    listed.add_argument("work", metavar="WORK", nargs="?")
    listed.add_argument("--words", metavar="WORDS", default="", help=_("those in which some words were said"))
    listed.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    listed.set_defaults(handler=_list)
    export = words.add_parser("export", help=_("a conversation as Markdown"))
    export.add_argument("conversation", metavar="ID", type=int)
    export.set_defaults(handler=_export)
    remove = words.add_parser("remove", help=_("take a conversation away"))
    remove.add_argument("conversation", metavar="ID", type=int)
    remove.set_defaults(handler=_remove)


def _list(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments) if arguments.work is not None else None
    kinds = (ConversationKind.CHAT, ConversationKind.RECAP)
    found = context.library().conversations(work, text_from_argument(arguments.words), kinds)
    if arguments.json:
        for each in found:
            context.out.record(_record(each))
        return 0
    if not found:
        context.out.talk(_("No conversation yet. `understory ask WORK QUESTION` begins one."))
    for line in columns([[str(each.id), each.changed[:10], each.title] for each in found], right=frozenset({0})):
        context.out.line(line)
    return 0


def _record(conversation: Conversation) -> dict[str, Json]:
    return {
        "id": conversation.id,
        "kind": str(conversation.kind),
        "work": conversation.work,
        "title": conversation.title,
        "model": conversation.model,
        "created": conversation.created,
        "changed": conversation.changed,
        "turns": conversation.turns,
        "is_waiting": conversation.is_waiting,
    }


def _export(context: Context, arguments: Namespace) -> int:
    context.out.line(context.library().export_conversation(ConversationId(arguments.conversation)).rstrip())
    return 0


def _remove(context: Context, arguments: Namespace) -> int:
    library = context.library()
    conversation = library.conversation(ConversationId(arguments.conversation))
    library.delete_conversation(conversation.id)
    return 0


def _explain(context: Context, arguments: Namespace) -> int:
    work, selection = passage_from(context, arguments)
    if not wait_for_names(context, work):
        return 1
    facets = USUAL_FACETS | ({Facet.BACKGROUND} if arguments.background else frozenset())
    told: queue.SimpleQueue[Numbered] = queue.SimpleQueue()
    scene = Scene(work, Locator(selection.document, selection.start, selection.start))
    angle = text_from_argument(arguments.angle)
    turn = context.library().explain(selection, scene, angle=angle, facets=facets, listener=told.put)
    return follow(context, turn, told, _never, is_json=arguments.json)


def _recap(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    span = RecapSpan(RecapKind.LAST_TIME if arguments.span == "last-time" else RecapKind.VOLUME)
    if arguments.since is not None:
        if arguments.span is not None:
            raise CommandInvalidError(_("--span and --since cannot both be given"), command="recap")
        since = locator_from_text(text_from_argument(arguments.since))
        if since is None:
            raise PlaceUnknownError(text_from_argument(arguments.since))
        span = RecapSpan(RecapKind.SINCE, since)
    told: queue.SimpleQueue[Numbered] = queue.SimpleQueue()
    turn = context.library().recap(Scene(work), span, listener=told.put)
    return follow(context, turn, told, _never, is_json=arguments.json)


def _never(_asked: SpoilerAsked) -> SpoilerChoice:
    """Answer a question that neither of these asks."""
    return SpoilerChoice.READ
