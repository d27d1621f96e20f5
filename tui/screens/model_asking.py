"""What the Models page asks for: a model, an address, a number, a price."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.domain.models import Price
from engine.text.sanitize import sanitize_line
from engine.translate import _
from tui.modals.line_prompt import LinePrompt
from tui.modals.pick_one import PickOne
from tui.render.model_rows import ModelRow

if TYPE_CHECKING:
    from tui.screens.model_trial import TryingModels
    from tui.screens.models import ModelsScreen


def ask_model(screen: ModelsScreen, installed: tuple[tuple[str, str], ...], use: Callable[[str], object]) -> None:
    """Ask which model is to have a role; "none" takes it away."""
    none = _("none")
    own = [(each.name, sanitize_line(each.url) or "llm") for each in screen.settings.addresses]
    known = {name for name, _place in own}
    choices = [*own, *(each for each in installed if each[0] not in known), (none, _("no model"))]

    def take(name: str | None) -> None:
        if name is not None:
            use("" if name == none else name)

    screen.app.push_screen(PickOne(_("model: "), choices), take)


def ask_address(screen: TryingModels, example: str, take: Callable[[str, str, str], object]) -> None:
    """Ask for an address, the model's name there, and the name of its key, one after the other.

    Args:
        screen: What the questions are laid over.
        example: What a model may be called there, with its words.
        take: Called with the address, the name and the name of the key, once all three were answered.
    """

    def take_url(url: str | None) -> None:
        if url:
            screen.app.push_screen(LinePrompt(_("name: "), example), lambda name: take_name(url, name))

    def take_name(url: str, name: str | None) -> None:
        if name:
            hint = _(
                "The name under which `llm keys set` keeps its key; nothing if it needs none. Never the key itself."
            )
            screen.app.push_screen(LinePrompt(_("key name: "), hint), lambda key: take_key(url, name, key))

    def take_key(url: str, name: str, key_name: str | None) -> None:
        if key_name is not None:
            take(url, name, key_name)

    hint = _("Where its OpenAI-compatible interface is, such as http://127.0.0.1:11434/v1")
    screen.app.push_screen(LinePrompt(_("address: "), hint), take_url)


def ask_number(screen: ModelsScreen, row: ModelRow, set_: Callable[[float], object]) -> None:
    """Ask for the value of a limit."""

    def take(typed: str | None) -> None:
        if not typed:
            return
        try:
            value = float(typed.replace(",", ".").replace("_", ""))
        except ValueError:
            screen.say(_("{typed} is no number.").format(typed=sanitize_line(typed)))
            return
        set_(int(value) if value.is_integer() else value)

    screen.app.push_screen(LinePrompt(f"{row.left}: ", text=row.right), take)


def ask_price(screen: ModelsScreen, name: str, set_: Callable[[Price], object]) -> None:
    """Ask what a model costs: sent, received and, if it differs, cached."""
    known = screen.settings.prices.get(name)
    text = (
        ""
        if known is None
        else " ".join(f"{each:g}" for each in (known.sent, known.received, known.cached) if each is not None)
    )
    hint = _("For a million tokens: sent, received and, where it differs, cached. Such as: 0.28 0.42 0.028")

    def take(typed: str | None) -> None:
        if not typed:
            return
        try:
            sent, received, *cached = map(float, typed.split())
        except ValueError:
            screen.say(_("{typed} is no price.").format(typed=sanitize_line(typed)))
            return
        set_(Price(sent, cached[0] if cached else None, received))

    screen.app.push_screen(LinePrompt(_("price: "), hint, text), take)
