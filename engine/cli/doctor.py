"""`understory doctor`: try what reading needs on this machine, for real, and say what does not work."""

from __future__ import annotations

import locale
import os
import platform
import select
import shutil
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from engine.cli.context import Context
from engine.cli.output import columns
from engine.cli.parser import Commands
from engine.domain.reading import Check
from engine.errors import CommandInvalidError, UnderstoryError, shown_path
from engine.translate import N_, _

_SPLIT_WAIT_S = 1.0
"""How long the rest of a split key sequence is waited for."""
_IDLE_S = 30.0
"""The key test ends by itself, so that a script cannot hang in it."""


def add_commands(commands: Commands) -> None:
    """Enter `doctor`."""
    parser = commands.add("doctor", _("try what reading needs on this machine"), _doctor)
    parser.add_argument("--keys", action="store_true", help=_("show what the keys you press send"))


def _doctor(context: Context, arguments: Namespace) -> int:
    if arguments.keys:
        return _show_keys(context)
    checks = [*_system_checks(context), *_library_checks(context)]
    if arguments.json:
        for check in checks:
            context.out.record({"check": check.name, "ok": check.is_ok, "detail": check.detail})
    else:
        for line in columns(
            [[_("ok") if check.is_ok else _("FAILED"), _(check.name), check.detail] for check in checks]
        ):
            context.out.line(line)
    return 0 if all(check.is_ok for check in checks) else 1


def _system_checks(context: Context) -> Iterator[Check]:
    yield Check(N_("python"), sys.version_info >= (3, 11), f"{platform.python_version()} · {sys.platform}")
    encoding = locale.getpreferredencoding(do_setlocale=False)
    is_utf8 = encoding.casefold().replace("-", "") == "utf8"
    advice = "" if is_utf8 else " · " + _("set LANG to a UTF-8 locale, such as C.UTF-8")
    yield Check(N_("locale"), is_utf8, encoding + advice)
    yield _terminal_check()
    folders = (context.paths.config_dir, context.paths.data_dir, context.paths.state_dir)
    yield Check(N_("folders"), not context.paths.notices, " · ".join(shown_path(str(folder)) for folder in folders))


def _terminal_check() -> Check:
    term = os.environ.get("TERM", "")
    if not sys.stdout.isatty():
        return Check(N_("terminal"), True, _("not looked at: the output goes elsewhere"))
    if term in ("", "dumb"):
        return Check(
            N_("terminal"), False, _("TERM={term} cannot show a page; try TERM=xterm-256color").format(term=term)
        )
    size = shutil.get_terminal_size()
    colours = (
        "truecolor" if os.environ.get("COLORTERM", "") in ("truecolor", "24bit") else "256" if "256" in term else "16"
    )
    parts = [term, f"{size.columns}x{size.lines}", _("{n} colours").format(n=colours)]
    if os.environ.get("SSH_CONNECTION"):
        parts.append("ssh")
    if os.environ.get("TMUX"):
        parts.append("tmux")
    parts.append(_("`understory doctor --keys` tests the keys"))
    return Check(N_("terminal"), True, " · ".join(parts))


def _library_checks(context: Context) -> Iterator[Check]:
    try:
        yield from context.library().doctor()
    except UnderstoryError as error:
        yield Check(N_("library"), False, error.message)


def _show_keys(context: Context) -> int:
    try:
        descriptor = sys.stdin.fileno()
        is_terminal = os.isatty(descriptor)
    except (AttributeError, OSError, ValueError):
        is_terminal = False
    if not is_terminal:
        raise CommandInvalidError(_("the key test needs a terminal"), command="doctor")
    is_split = False
    with _raw_keys(descriptor):
        context.out.talk(_("Press keys; q ends. Arrows and function keys should come in one piece."))
        context.out.flush()
        while True:
            key, gap_ms = _read_key(descriptor)
            if key in (b"", b"q", b"\x03", b"\x04"):
                break
            is_split = is_split or gap_ms > 0
            note = _("  in two pieces, {gap} ms apart").format(gap=gap_ms) if gap_ms else ""
            context.out.line(ascii(key)[1:] + note)
            context.out.flush()
    if is_split:
        context.out.talk(_("Keys come in pieces over this line: set ESCDELAY=300 in your environment."))
    return 1 if is_split else 0


def _read_key(descriptor: int) -> tuple[bytes, int]:
    """Return what one key press sent, and the gap in ms if it came in two pieces; b"" after 30 s of silence."""
    if not select.select([descriptor], [], [], _IDLE_S)[0]:
        return b"", 0
    key = os.read(descriptor, 64)
    if key != b"\x1b":
        return key, 0
    started = time.monotonic()
    if not select.select([descriptor], [], [], _SPLIT_WAIT_S)[0]:
        return key, 0
    gap_ms = max(1, round((time.monotonic() - started) * 1000))
    return key + os.read(descriptor, 64), gap_ms


@contextmanager
def _raw_keys(descriptor: int) -> Iterator[None]:
    import termios  # not on Windows, where this test is not offered
    import tty

    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
