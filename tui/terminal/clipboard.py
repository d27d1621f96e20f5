"""Copying: through the terminal by OSC 52, through tmux, and always into a file as well.

No terminal says whether it took what was sent, and many take nothing. So what is copied can
also be found in a file.
"""

from __future__ import annotations

import base64
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

MOST_SENT_BYTES = 74_994
"""In UTF-8. Encoded this makes 99 992 characters; xterm, iTerm2 and others throw away more than 100 000."""
_TMUX_WAIT_S = 2.0


def clipboard_sequence(text: str, environ: Mapping[str, str]) -> str:
    """Return what makes a terminal take a text into its clipboard; the empty string when it is too long.

    Inside tmux it is sent twice: to tmux itself, and wrapped so that it is passed on to the
    terminal around it. Which of them works depends on tmux's settings.

    Args:
        text: Already sanitised; nothing of it is sent but as base64.
        environ: Tells whether this is tmux.
    """
    data = text.encode("utf-8", "replace")
    if not data or len(data) > MOST_SENT_BYTES:
        return ""
    sequence = f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x07"
    return sequence + _for_outer_terminal(sequence) if environ.get("TMUX") else sequence


def _for_outer_terminal(sequence: str) -> str:
    doubled = sequence.replace("\x1b", "\x1b\x1b")
    return f"\x1bPtmux;{doubled}\x1b\\"


def give_to_tmux(text: str, environ: Mapping[str, str]) -> bool:
    """Make a text tmux's newest paste buffer; as it comes, tmux takes no sequence from a program. Say whether it did.

    Takes tmux's time, so it belongs in a worker thread.
    """
    if not environ.get("TMUX"):
        return False
    try:
        done = subprocess.run(
            ["tmux", "load-buffer", "-w", "-"],
            input=text.encode("utf-8", "replace"),
            env=dict(environ),
            capture_output=True,
            timeout=_TMUX_WAIT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def write_clipboard_file(text: str, file: Path) -> None:
    """Write what was copied, for the reader's eyes alone, in place of what was copied before.

    Raises:
        OSError: it cannot be written.
    """
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    # Exclusive: nobody may have put a link in its place.
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as out:
        out.write(text)
    unfinished.replace(file)
