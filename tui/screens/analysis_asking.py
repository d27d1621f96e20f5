"""What the Analysis screen asks for: how much it may cost; and where text would go."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.domain.models import ModelRole
from engine.library import Library
from engine.text.sanitize import sanitize_line
from engine.translate import _

if TYPE_CHECKING:
    from tui.screens.analysis import AnalysisScreen

_ROLES = (ModelRole.READER, ModelRole.WRITER, ModelRole.JUDGE)
_UNITS = {"k": 1_000, "m": 1_000_000}
_MOST_TOKENS = 10_000_000_000


def hosts_to_agree_to(library: Library) -> list[str]:
    """Return the hosts and plugins text would go to that the reader has not agreed to; may take seconds.

    Raises:
        HelperUnavailableError, ToldModelError: where a model's plugin sends text cannot be found out.
    """
    settings = library.model_settings()
    names = dict.fromkeys(name for role in _ROLES if (name := settings.roles.get(role)))
    is_told = all((said := settings.address(name)) is not None and said.url for name in names)
    installed = {} if is_told else dict(library.installed_models())
    return [place for name in names if (place := library.place_to_agree_to(name, installed))]


def ask_cap(screen: AnalysisScreen, now: int, set_: Callable[[int], object]) -> None:
    """Ask for the number of tokens at which a reading pauses."""
    from tui.modals.line_prompt import LinePrompt  # Textual's Input takes 40 ms to import

    hint = _("It pauses before it has used so many tokens: 3500000, 3.5 M or 800 k. 0 for no cap.")

    def take(typed: str | None) -> None:
        if typed is None:
            return
        tokens = tokens_typed(typed)
        if tokens is None:
            screen.say(_("{typed} is no number of tokens.").format(typed=sanitize_line(typed)))
        else:
            set_(tokens)

    screen.app.push_screen(LinePrompt(_("stop at: "), hint, str(now or "")), take)


def tokens_typed(typed: str) -> int | None:
    """Return a number of tokens as it was typed, such as "3.5 M"; 0 for nothing, None for what is none."""
    words = typed.strip().casefold().replace("_", "").replace(",", ".")
    unit = _UNITS.get(words[-1:], 1)
    digits = (words[:-1] if words[-1:] in _UNITS else words).strip()
    try:
        number = float(digits or "0") * unit
    except ValueError:
        return None
    return round(number) if 0 <= number < _MOST_TOKENS else None
