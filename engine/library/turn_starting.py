"""What is asked of the companion, checked and put on disk before anybody is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from engine.domain.chat import Lead, TurnId, TurnStarted
from engine.domain.conversation_records import locators_in, record_of_scene, scene_from
from engine.domain.conversations import (
    MOST_QUESTION_CHARS,
    MOST_SELECTION_CHARS,
    USUAL_FACETS,
    ConversationId,
    ConversationKind,
    Facet,
    RecapKind,
    RecapSpan,
    Scene,
    new_turn_id,
)
from engine.domain.locator import Locator, locator_from_text
from engine.errors.chat import ConversationGoneError, QuestionRefusedError, TurnBusyError
from engine.helper import this_process
from engine.spoilers.policy import FRONTIER, Reach, Upto, upto_from_text
from engine.store import conversations, turns, works
from engine.text.sanitize import sanitize, sanitize_line
from engine.translate import _

if TYPE_CHECKING:
    from engine.library.conversing import Conversing
    from engine.store.connection import Connection

_REPLAY_S = 60.0


class _Asked(TypedDict):
    kind: ConversationKind
    question: str


@dataclass(frozen=True, slots=True)
class Start:
    """A question that is to be kept."""

    conversation: ConversationId | None
    scene: Scene
    turn: TurnId | None
    parent: TurnId | None
    upto: Upto
    kind: ConversationKind
    question: str
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else the kind of answer needs, as JSON."""
    is_beside: bool = False
    """`parent` is meant, also when it is None: a branch."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a kept turn asks for."""

    scene: Scene
    kind: ConversationKind
    upto: Upto
    more: Mapping[str, Any]

    @property
    def facets(self) -> frozenset[Facet]:
        """Of an explanation."""
        return frozenset(Facet(each) for each in self.more.get("facets", USUAL_FACETS) if each in set(Facet))

    @property
    def span(self) -> RecapSpan:
        """Of a recap."""
        kind = self.more.get("span", RecapKind.VOLUME)
        return RecapSpan(RecapKind(kind), locator_from_text(str(self.more.get("since", ""))))


def request_from(record: Mapping[str, Any]) -> Request:
    """Read what a kept turn asks for."""
    return Request(
        scene_from(record["scene"]),
        ConversationKind(record["kind"]),
        upto_from_text(str(record.get("upto", ""))) or FRONTIER,
        record.get("more", {}),
    )


def chat_start(question: str) -> _Asked:
    """Return what of a start a typed question gives.

    Raises:
        QuestionRefusedError: there are no words, or too many.
    """
    words = sanitize(question).strip()
    if not words:
        raise QuestionRefusedError.of_no_words()
    if len(words) > MOST_QUESTION_CHARS:
        raise QuestionRefusedError.of_long(MOST_QUESTION_CHARS)
    return {"kind": ConversationKind.CHAT, "question": words}


def again(library: Conversing, turn: TurnId, question: str) -> Start:
    """Return the start of a turn beside another.

    Raises:
        ConversationGoneError: there is none of that id.
        QuestionRefusedError: the new words are too many.
    """
    with library._store.read() as r:
        row = turns.row_of(r, turn)
    if row is None:
        raise ConversationGoneError
    asked = request_from(row.request)
    words = chat_start(question)["question"] if question.strip() else row.question
    return Start(
        row.conversation, asked.scene, None, row.parent, asked.upto, asked.kind, words, asked.more, is_beside=True
    )


def explain_start(
    library: Conversing,
    conversation: ConversationId | None,
    selection: Locator,
    scene: Scene,
    angle: str,
    facets: frozenset[Facet] | None,
) -> Start:
    """Return the start of an explanation.

    Raises:
        QuestionRefusedError: the selection is empty or too long, or what is asked of it is.
        PlaceUnknownError: there is no such passage.
    """
    words = library.text_of(selection.document, selection.start, selection.end).strip()
    if not words:
        raise QuestionRefusedError.of_no_words()
    if selection.end - selection.start > MOST_SELECTION_CHARS:
        raise QuestionRefusedError.of_long(MOST_SELECTION_CHARS)
    asked = chat_start(angle)["question"] if angle.strip() else sanitize_line(words)
    from engine.agent.told import prompt_named

    more = {
        "facets": sorted(facets if facets is not None else USUAL_FACETS),
        "angle": angle.strip(),
        # Other rules explain otherwise: what was said under the old ones is not said again.
        "prompts": [prompt_named(name)[0] for name in ("explain_line", "explain")],
    }
    scene = Scene(scene.work, scene.place, selection, scene.point, scene.attachments, scene.mode)
    return Start(conversation, scene, None, None, FRONTIER, ConversationKind.EXPLAIN, asked, more)


def replayed(library: Conversing, start: Start) -> TurnId | None:
    """Return the turn that has answered the same within the last minute, or is answering it."""
    with library._store.read() as r:
        for turn in turns.recent(r, ConversationKind.EXPLAIN, _REPLAY_S):
            row = turns.row_of(r, turn)
            if row is None or row.model != library.companion_name() or row.state in ("failed", "stopped"):
                continue
            asked = request_from(row.request)
            if (asked.scene.selection, asked.more) == (start.scene.selection, start.more):
                return turn
    return None


def recap_start(library: Conversing, scene: Scene, span: RecapSpan | None) -> Start:
    """Return the start of a recap.

    Raises:
        QuestionRefusedError: nothing of it was read yet.
        WorkNotFoundError: there is no such work.
    """
    from engine.library.recapping import stretch_of, words_of

    span = span or RecapSpan()
    if stretch_of(library, scene, span) is None:
        raise QuestionRefusedError(_("nothing of it was read yet"))
    more = {"span": str(span.kind), "since": str(span.since) if span.since is not None else ""}
    return Start(None, scene, None, None, FRONTIER, ConversationKind.RECAP, words_of(span), more)


def keep_start(library: Conversing, start: Start) -> tuple[TurnId, bool]:
    """Put a question on disk with its first line; return its turn, and whether it is new.

    Raises:
        TurnBusyError: another question of this conversation is being answered.
        ConversationGoneError: the conversation was deleted.
        WorkNotFoundError: there is no such work.
    """
    turn = start.turn or new_turn_id()
    model = library.companion_name()
    with library._store.write() as w:
        if turns.row_of(w, turn) is not None:
            return turn, False
        title = works.outline(w, start.scene.work).title
        conversation = start.conversation
        if conversation is None:
            conversation = conversations.begin(w, start.kind, start.scene.work, _book_of(w, start.scene))
        elif conversations.by_id(w, conversation) is None:
            raise ConversationGoneError
        busy = turns.under_way(w, conversation)
        if busy is not None:
            row = turns.row_of(w, busy)
            if start.turn is None and row is not None and row.question == start.question:
                return busy, False
            raise TurnBusyError
        parent = start.parent if start.is_beside or start.parent is not None else turns.last_of(w, conversation)
        turns.put(w, turn, conversation, parent, start.question, request_record(start), model, this_process())
        conversations.add_anchors(w, turn, conversations.anchors_of(w, locators_in(start.scene)))
        conversations.touch(w, conversation)
        for event in (TurnStarted(start.question, model), Lead(_lead(start.kind, title, model))):
            turns.add_event(w, turn, event, None)
    return turn, True


def request_record(start: Start) -> dict[str, Any]:
    """Write what a start asks for, as it is kept."""
    upto = str(start.upto.place) if start.upto.reach is Reach.PLACE else str(start.upto.reach)
    return {"scene": record_of_scene(start.scene), "kind": str(start.kind), "upto": upto, "more": dict(start.more)}


def _book_of(r: Connection, scene: Scene) -> str:
    outline = works.outline(r, scene.work)
    at = scene.place or scene.selection
    for volume in outline.volumes:
        if at is not None and any(document.id == at.document for document in volume.documents):
            return volume.book_sha256
    return next((volume.book_sha256 for volume in outline.volumes), "")


def _lead(kind: ConversationKind, title: str, model: str) -> str:
    if not model:
        return _("No model is set, so this is quoted from the book.")
    if kind is ConversationKind.RECAP:
        return _("Looking through what you have read of {title}.").format(title=title)
    return _("Looking in {title}.").format(title=title)
