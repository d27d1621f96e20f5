"""Hand words on to the clipboard, by whichever ways there are."""

from __future__ import annotations

import os
from typing import Any

from textual.app import App

from engine.errors import shown_path
from engine.paths import default_paths
from engine.text.sanitize import sanitize
from engine.translate import _, ngettext
from tui.terminal.clipboard import clipboard_sequence, give_to_tmux, write_clipboard_file


def copy_words(app: App[Any], words: str) -> str:  # Any: what the program returns is of no account here
    """Copy some words and return what became of them. For worker threads."""
    text = sanitize(words)
    file = default_paths().clipboard_file
    ways = [_("given to tmux")] if give_to_tmux(text, os.environ) else []
    sequence = clipboard_sequence(text, os.environ)
    driver = app._driver
    if sequence and driver is not None:
        app.call_from_thread(getattr(driver, "tell", driver.write), sequence)
        ways.append(_("sent to the terminal"))
    try:
        write_clipboard_file(text, file)
        ways.append(_("kept in {file}").format(file=shown_path(file)))
    except OSError:
        pass
    copied = ngettext("Copied 1 character", "Copied {n} characters", len(text)).format(n=len(text))
    return " · ".join([copied if ways else _("Nothing was copied"), *ways])
