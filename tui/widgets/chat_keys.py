"""What each key does in a conversation that is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from engine.translate import _
from tui.render.chat_bits import ToAct, ToCitation, ToLocator, ToPlace
from tui.widgets.chat_wishes import BeginAnew, Branch, Copy, Drop, Export, GoTo, ListThem, NameModels, ShowContext

if TYPE_CHECKING:
    from tui.render.turn_rows import TurnRows
    from tui.widgets.chat_view import ChatView

_FAR = 1 << 30


def _scroll(rows: int) -> Callable[[ChatView], None]:
    return lambda view: view.transcript.scroll_by(rows)


def _page(step: int) -> Callable[[ChatView], None]:
    return lambda view: view.transcript.scroll_by(step * max(1, view.page_rows - 1))


def _question(step: int) -> Callable[[ChatView], None]:
    return lambda view: view.transcript.step_turn(step)


def _link(step: int) -> Callable[[ChatView], None]:
    def move(view: ChatView) -> None:
        if not view.transcript.move_focus(step):
            view.note = _("No further link.")

    return move


def _first(view: ChatView) -> None:
    view.transcript.show_earlier()
    view.transcript.scroll_by(-_FAR)


def _open(view: ChatView) -> None:
    if view.transcript.focus is not None:
        view.open_link(*view.transcript.focus)
    else:
        view.write()


def _jump(view: ChatView) -> None:
    """Go to the passage in focus, else to the first one that is previewed."""
    focus = view.transcript.focus
    rows = view.transcript.rows_of(focus[0]) if focus is not None else view.transcript.turn_seen()
    if rows is None:
        return
    target = focus[1].target if focus is not None else None
    if isinstance(target, ToLocator):
        view.want(GoTo(target.locator))
    elif isinstance(target, ToCitation | ToPlace):
        view.go_to(rows, target.number)
    elif rows.previews:
        view.go_to(rows, next(iter(rows.previews)))
    elif rows.turn.view.citations:
        view.go_to(rows, min(each.number for each in rows.turn.view.citations))


def _on_turn(act: Callable[[ChatView, TurnRows], None]) -> Callable[[ChatView], None]:
    def run(view: ChatView) -> None:
        rows = view.transcript.turn_seen()
        if rows is not None:
            act(view, rows)

    return run


def _edit(view: ChatView, rows: TurnRows) -> None:
    view.write(rows.turn.view.question, rows.turn.view.turn)


def _offer(is_undo: bool) -> Callable[[ChatView, TurnRows], None]:
    def act(view: ChatView, rows: TurnRows) -> None:
        focus = view.transcript.focus
        offers = view.offers(rows)
        if focus is not None and isinstance(focus[1].target, ToAct):
            offers = [focus[1].target.card]
        wanted = [card for card in offers if (rows.acts.get(card) == "done") == is_undo]
        if wanted:
            view.act(rows, wanted[0], is_undo=is_undo)
        else:
            view.note = _("Nothing to undo here.") if is_undo else _("Nothing is offered here.")

    return act


ACTS: Mapping[str, Callable[[ChatView], None]] = {
    "chat-write": lambda view: view.write(),
    "chat-next-link": _link(1),
    "chat-previous-link": _link(-1),
    "chat-open": _open,
    "chat-jump": _jump,
    "chat-down": _scroll(1),
    "chat-up": _scroll(-1),
    "chat-page-down": _page(1),
    "chat-page-up": _page(-1),
    "chat-first": _first,
    "chat-last": lambda view: view.transcript.to_end(),
    "chat-question-next": _question(1),
    "chat-question-previous": _question(-1),
    "chat-again": _on_turn(lambda view, rows: view.ask_again(rows)),
    "chat-edit": _on_turn(_edit),
    "chat-branch-next": _on_turn(lambda view, rows: view.want(Branch(rows.turn.view.turn, 1))),
    "chat-branch-previous": _on_turn(lambda view, rows: view.want(Branch(rows.turn.view.turn, -1))),
    "chat-agree": _on_turn(_offer(is_undo=False)),
    "chat-undo": _on_turn(_offer(is_undo=True)),
    "chat-context": _on_turn(lambda view, rows: view.want(ShowContext(rows.turn.view.turn))),
    "chat-copy": _on_turn(lambda view, rows: view.want(Copy(rows.turn.view.text))),
    "chat-drop": lambda view: view.want(Drop()),
    "chat-list": lambda view: view.want(ListThem()),
    "chat-new": lambda view: view.want(BeginAnew()),
    "chat-models": lambda view: view.want(NameModels()),
    "chat-export": lambda view: view.want(Export()),
}
"""By the id of the action in `tui.keys`."""
