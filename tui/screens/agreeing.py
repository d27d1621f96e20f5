"""Ask once whether text may go to another machine."""

from __future__ import annotations

from collections.abc import Callable

from engine.text.sanitize import sanitize_line
from engine.translate import _
from tui.screens.noticing import Noticing


def ask_to_send(screen: Noticing[None], host: str, words: str, agree: Callable[[], object]) -> None:
    """Ask whether text may go to a host; say so when it may not.

    Args:
        screen: What the question is laid over.
        host: As it is told, not clean yet.
        words: What goes there.
        agree: Called when it may.
    """
    from tui.modals.pick_one import PickOne  # Textual's Input takes 40 ms to import

    yes = _("agree")

    def take(answer: str | None) -> None:
        if answer == yes:
            agree()
        else:
            screen.say(_("Nothing was sent."))

    screen.app.push_screen(PickOne(f"{sanitize_line(host)}: ", [(yes, words), (_("no"), _("nothing is sent"))]), take)
