"""A conversation with the companion: a question is written, its answer read, and what it rests on looked at.

It knows neither library nor page: what it cannot do by itself it wants, by `Wanted`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message

from engine.domain.chat import Card, CardKind, SpoilerChoice, TurnId, TurnView
from engine.domain.conversations import new_turn_id
from engine.translate import _
from tui.keys import CHATTING, KeyMachine, key_name
from tui.render.chat_bits import (
    ChatLink,
    ChatTarget,
    ShownTurn,
    ToAct,
    ToAgain,
    ToCard,
    ToChoice,
    ToCitation,
    ToLocator,
    ToModels,
    ToPlace,
)
from tui.render.turn_rows import CHOICES, TurnRows
from tui.widgets.chat_keys import ACTS
from tui.widgets.chat_sheet import ChatSheet
from tui.widgets.chat_wishes import (
    Act,
    Ask,
    Choose,
    Drop,
    GoTo,
    NameModels,
    OpenCard,
    Preview,
    Stop,
    Wish,
)

_STOPPING = ("escape", "ctrl+c")


class ChatView(ChatSheet):
    """One conversation at a time."""

    @dataclass
    class Wanted(Message):
        """The reader wants something that is not this widget's to do."""

        view: ChatView
        wish: Wish

    def __init__(self, *, is_ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.is_ascii = is_ascii
        self._keys = KeyMachine({})
        self._history: list[str] = []
        self._at = 0
        """Which question of the history stands in the line; as many as there are for none of them."""
        self._draft = ""
        self._instead_of: TurnId | None = None
        self._next_turn = new_turn_id()
        """What stands in the line will be this turn."""

    def use_keys(self, keys: KeyMachine) -> None:
        """Take the keys as the reader has them: those of a conversation, and the one of the Models page."""
        self._keys = keys.within(CHATTING)
        self.models_key = keys.key_of("models").replace(" ", "")
        self.hint_keys = {action: _shown(self._keys.key_of(action)) for action in ACTS}

    def want(self, wish: Wish) -> None:
        """Tell what is wanted."""
        self.post_message(self.Wanted(self, wish))

    # what is shown

    def show(self, turns: Sequence[ShownTurn], *, title: str, model: str) -> None:
        """Show a conversation from its end."""
        self.title, self.model = title, model
        self._history = list(dict.fromkeys(turn.view.question for turn in turns))
        self._at = len(self._history)
        self._instead_of = None
        self.fit()
        self.transcript.show(turns)
        self.is_writing = self.is_writing and not (self.waiting is not None and not self.line.text)
        self.draw()

    def show_chips(self, labels: Sequence[str]) -> None:
        """Show what stands beside the question."""
        self.chips = tuple(labels)
        self.draw()

    def add(self, turn: ShownTurn) -> None:
        """Show a new turn."""
        self.fit()
        self.transcript.add(turn)
        self.draw()

    def take(self, view: TurnView) -> None:
        """Show a turn as it is now."""
        was_waiting = self.waiting is not None
        first = self.transcript.take(view)
        if self.waiting is not None and not was_waiting and not self.line.text:
            self.read()
        self.draw(min(first, self.page_rows))

    def give_back(self, turn: TurnId, question: str) -> None:
        """Put a question that was not taken back into the line."""
        self.transcript.drop(turn)
        if not self.line.text:
            self.line.set(question)
        self.write()

    def fill_preview(self, turn: TurnId, number: int, text: str) -> None:
        """Show the words of a passage that is previewed."""
        rows = self.transcript.rows_of(turn)
        if rows is not None:
            rows.fill_preview(number, text)
            self.draw()

    def show_act(self, turn: TurnId, card: int, state: str) -> None:
        """Show what has become of an offer."""
        rows = self.transcript.rows_of(turn)
        if rows is not None:
            rows.set_act(card, state)
            self.draw()

    def say(self, words: str) -> None:
        """Say something in the foot until the next key."""
        self.note = words
        self.draw()

    @property
    def running(self) -> TurnId | None:
        """The turn that is being answered."""
        last = self.transcript.turns[-1].view if self.transcript.turns else None
        return last.turn if last is not None and not last.has_ended else None

    @property
    def waiting(self) -> TurnId | None:
        """The turn that waits for the reader to say whether she wants to be told."""
        last = self.transcript.turns[-1].view if self.transcript.turns else None
        return last.turn if last is not None and last.is_waiting else None

    def write(self, words: str | None = None, instead_of: TurnId | None = None) -> None:
        """Let the keys write the question.

        Args:
            words: What is to stand in the line; None for what stands there.
            instead_of: The turn it will be asked beside.
        """
        if words is not None:
            self.line.set(words)
        self._instead_of = instead_of
        self.is_writing = True
        self.draw()

    def read(self) -> None:
        """Let the keys read the conversation."""
        self.is_writing = False
        self.draw()

    # keys

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Take a key; say whether it meant something here."""
        key = key_name(textual_key, character)
        self.note = ""
        running = self.running
        if key in _STOPPING and running is not None:
            self.want(Stop(running))
            return True
        waiting = self.waiting
        if waiting is not None and key in ("1", "2", "3") and not (self.is_writing and self.line.text):
            self.choose(waiting, CHOICES[int(key) - 1])
            return True
        return self._written(key, character) if self.is_writing else self._did(key)

    def _written(self, key: str, character: str | None) -> bool:
        if key in ("escape", "tab", "shift+tab"):
            return False
        if key == "enter":
            self._send()
        elif key == "backspace" and not self.line.text and self.chips:
            self.want(Drop())
        elif key in ("pageup", "pagedown"):
            self.transcript.scroll_by((self.page_rows - 1) * (1 if key == "pagedown" else -1))
        elif key in ("up", "down") and (not self.line.text or not self.line.feed(key, None)):
            self._remember(1 if key == "down" else -1)
        elif key not in ("up", "down") and not self.line.feed(key, character):
            return self._did_while_writing(key)
        self.draw()
        return True

    def _did_while_writing(self, key: str) -> bool:
        """Do what a key means that types nothing, such as ctrl+n."""
        is_chord = key.startswith("ctrl+") and self._keys.key_of("chat-new") == key
        return is_chord and self._did(key)

    def _send(self) -> None:
        question = self.line.text.strip()
        if not question:
            if self.transcript.turns:
                self.read()
            return
        if self.running is not None:
            self.note = _("The last question is still being answered. Esc stops it.")
            self.is_writing = False
            return
        turn, self._next_turn = self._next_turn, new_turn_id()
        self.want(Ask(turn, question, self._instead_of))
        if question not in self._history:
            self._history.append(question)
        self._at = len(self._history)
        self._instead_of = None
        self.line.set("")
        self.is_writing = False

    def _remember(self, step: int) -> None:
        """Put an earlier (-1) or a later (+1) question into the line."""
        at = self._at + step
        if not 0 <= at <= len(self._history):
            return
        if self._at == len(self._history):
            self._draft = self.line.text
        self._at = at
        self.line.set(self._history[at] if at < len(self._history) else self._draft)

    def _did(self, key: str) -> bool:
        if key.isdecimal() and key != "0":
            return self._numbered(int(key))
        stroke = self._keys.feed(key)
        act = ACTS.get(stroke.action)
        if act is None:
            return stroke.is_pending
        act(self)
        self.draw()
        return True

    def _numbered(self, number: int) -> bool:
        rows = self.transcript.turn_seen()
        if rows is None or rows.citation(number) is None:
            self.note = _("No passage has that number here.")
        else:
            self.preview(rows, number)
        self.draw()
        return True

    # what is opened

    def choose(self, turn: TurnId, choice: SpoilerChoice) -> None:
        """Answer what is asked; the question goes away at once."""
        self.want(Choose(turn, choice))

    def preview(self, rows: TurnRows, number: int) -> None:
        """Show a cited passage in place, or hide it."""
        citation = rows.citation(number)
        if rows.toggle_preview(number) and citation is not None and not citation.text:
            self.want(Preview(rows.turn.view.turn, citation))

    def open_link(self, turn: TurnId, link: ChatLink) -> None:
        """Do what a link is for."""
        rows = self.transcript.rows_of(turn)
        if rows is not None:
            self._follow(rows, link.target)
            self.draw()

    def _follow(self, rows: TurnRows, target: ChatTarget) -> None:
        turn = rows.turn.view.turn
        if isinstance(target, ToCitation):
            self.preview(rows, target.number)
        elif isinstance(target, ToPlace):
            self.go_to(rows, target.number)
        elif isinstance(target, ToLocator):
            self.want(GoTo(target.locator))
        elif isinstance(target, ToChoice):
            self.choose(turn, target.choice)
        elif isinstance(target, ToCard):
            self.want(OpenCard(rows.turn.view.cards[target.card]))
        elif isinstance(target, ToAct):
            self.act(rows, target.card, is_undo=rows.acts.get(target.card) == "done")
        elif isinstance(target, ToAgain):
            self.ask_again(rows)
        elif isinstance(target, ToModels):
            self.want(NameModels())

    def go_to(self, rows: TurnRows, number: int) -> None:
        """Let the page show a cited passage."""
        citation = rows.citation(number)
        if citation is not None:
            self.want(GoTo(citation.locator))

    def ask_again(self, rows: TurnRows) -> None:
        """Ask the question of a turn once more, beside the first."""
        view = rows.turn.view
        if self.running is not None:
            self.note = _("The last question is still being answered. Esc stops it.")
            return
        turn, self._next_turn = self._next_turn, new_turn_id()
        self.want(Ask(turn, view.question, view.turn))

    def act(self, rows: TurnRows, card: int, *, is_undo: bool) -> None:
        """Agree to what a card offers, or undo it."""
        self.want(Act(rows.turn.view.turn, rows.turn.view.cards[card], card, is_undo))

    def offers(self, rows: TurnRows) -> list[int]:
        """Return the cards of a turn that offer something."""
        return [n for n, card in enumerate(rows.turn.view.cards) if _is_offer(card)]

    # mouse, focus, size

    def on_paste(self, event: events.Paste) -> None:
        """Put in what was pasted."""
        event.stop()
        self.is_writing = True
        self.line.insert(event.text)
        self.draw()

    def on_click(self, event: events.Click) -> None:
        """Open the link under the pointer, or write."""
        y = event.y - self.head_rows
        if y >= self.page_rows:
            self.write()
            return
        found = self.transcript.link_at(y, event.x - self.left_cells)
        if found is not None:
            self.transcript.focus_on(*found)
            self.open_link(*found)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move three rows down."""
        event.stop()
        self.transcript.scroll_by(3)
        self.draw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move three rows up."""
        event.stop()
        self.transcript.scroll_by(-3)
        self.draw()

    def on_resize(self) -> None:
        """Set the conversation for the new size."""
        self.draw()

    def on_focus(self) -> None:
        """Show that the keys go here."""
        self.draw()

    def on_blur(self) -> None:
        """Show that they go elsewhere."""
        self.draw()


def _is_offer(card: Card) -> bool:
    return card.kind in (CardKind.SETTING, CardKind.OFFER)


def _shown(key: str) -> str:
    return {"enter": "Enter", "escape": "Esc", "tab": "Tab"}.get(key, key.replace(" ", ""))
