"""What a conversation holds while it is shown: its turns, what stands beside the next question, who is heard.

Knows neither widgets nor the library; only the event loop's thread touches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.domain.chat import Numbered, TurnId, TurnView, after
from engine.domain.conversations import (
    Attachment,
    Conversation,
    ConversationId,
    Scene,
    Turn,
    last_below,
    path_to,
    siblings_of,
)
from engine.domain.locator import Locator
from engine.translate import _
from tui.render.chat_bits import ShownTurn

_MOST_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True)
class Selected:
    """What was selected when the reader turned to the chat."""

    locator: Locator
    label: str


@dataclass(slots=True)
class ChatState:
    """One conversation.

    Attributes:
        conversation: As it was when it was read; None for one that has no question yet.
        turns: All of them, every branch.
        leaf: The last one of the branch that is shown.
        abouts: What was put beside each question, in lines.
        acts: What has become of the offers of each turn's cards.
        attached: What stands beside the next question.
        selected: Likewise.
    """

    conversation: ConversationId | None = None
    title: str = ""
    version: int = 0
    turns: list[Turn] = field(default_factory=list)
    leaf: TurnId | None = None
    abouts: dict[TurnId, tuple[str, ...]] = field(default_factory=dict)
    acts: dict[TurnId, dict[int, str]] = field(default_factory=dict)
    attached: list[Attachment] = field(default_factory=list)
    selected: Selected | None = None

    # what is shown

    @property
    def name(self) -> str:
        """What she has called it; empty while it is called by its first question, which stands there anyway."""
        first = " ".join(self.turns[0].view.question.split()) if self.turns else self.title
        return "" if first.startswith(self.title.rstrip("… ")) else self.title

    def shown(self) -> list[ShownTurn]:
        """Return the branch that is shown."""
        return [self.shown_turn(turn) for turn in path_to(self.turns, self.leaf)]

    def shown_turn(self, turn: Turn) -> ShownTurn:
        """Return a turn with what was put beside it."""
        about = self.abouts.get(turn.id, ())
        beside = siblings_of(self.turns, turn.id)
        if len(beside) > 1:
            at = next(number for number, each in enumerate(beside, 1) if each.id == turn.id)
            about += (_("answer {n} of {all}   ( and ) show the others").format(n=at, all=len(beside)),)
        return ShownTurn(turn.view, about, tuple(self.acts.get(turn.id, {}).items()))

    def chips(self) -> tuple[str, ...]:
        """Return what stands beside the next question, in words."""
        selected = (self.selected.label,) if self.selected is not None else ()
        return (*selected, *(each.label for each in self.attached))

    def drop_last(self) -> None:
        """Take the last thing beside the next question away."""
        if self.attached:
            self.attached.pop()
        else:
            self.selected = None

    def attach(self, attachment: Attachment) -> None:
        """Put something beside the next question, once."""
        if attachment not in self.attached:
            self.attached.append(attachment)

    # what comes

    def read(self, conversation: Conversation, turns: Sequence[Turn], leaf: TurnId | None = None) -> None:
        """Hold another conversation; what stands beside the next question stays."""
        self.conversation, self.title, self.version = conversation.id, conversation.title, conversation.version
        self.turns = list(turns)
        self.leaf = leaf if leaf is not None else (turns[-1].id if turns else None)

    def forget(self) -> None:
        """Begin a conversation; what stands beside the next question stays."""
        self.conversation, self.title, self.version = None, "", 0
        self.turns, self.leaf, self.abouts, self.acts = [], None, {}, {}

    def begin(self, turn: TurnId, question: str, scene: Scene, parent: TurnId | None, lead: str) -> ShownTurn:
        """Hold a question that is on its way, and what was put beside it."""
        view = TurnView(turn, question=question, lead=lead)
        new = Turn(view, self.conversation or ConversationId(0), parent, scene, "")
        self.abouts[turn] = self.chips()
        self.turns.append(new)
        self.leaf = turn
        self.attached, self.selected = [], None
        if not self.title:
            self.title = " ".join(question.split())[:_MOST_TITLE_CHARS]
        return self.shown_turn(new)

    def put(self, turn: Turn) -> None:
        """Hold a turn that was kept, and show the branch it is on."""
        self.turns = [each for each in self.turns if each.id != turn.id] + [turn]
        self.conversation, self.leaf = turn.conversation, turn.id

    def drop(self, turn: TurnId) -> None:
        """Forget a question that was not taken."""
        gone = self.turn(turn)
        self.turns = [each for each in self.turns if each.id != turn]
        if gone is not None:
            self.leaf = gone.parent

    def take(self, events: Sequence[Numbered]) -> list[TurnView]:
        """Take events in; return the turns they have changed."""
        changed: dict[TurnId, TurnView] = {}
        for number, turn in enumerate(self.turns):
            view = turn.view
            for event in events:
                if event.turn == turn.id:
                    view = after(view, event)
            if view is not turn.view:
                self.turns[number] = replace(turn, view=view)
                changed[turn.id] = view
        return list(changed.values())

    def turn(self, turn: TurnId) -> Turn | None:
        """Return a turn, None when it is not there."""
        return next((each for each in self.turns if each.id == turn), None)

    def step_branch(self, turn: TurnId, step: int) -> bool:
        """Show another answer to the same question; False where there is none that way."""
        beside = siblings_of(self.turns, turn)
        at = next((number for number, each in enumerate(beside) if each.id == turn), 0) + step
        if not 0 <= at < len(beside):
            return False
        self.leaf = last_below(self.turns, beside[at].id)
        return True
