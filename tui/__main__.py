"""The program's first lines: a headless command goes to the engine, everything else opens the reader.

Nothing is imported here that the shorter way does not need; the commands never see Textual.
"""

from __future__ import annotations

import os
import sys

from tui.early import EarlyTerminal

HEADLESS = frozenset(
    {"import", "embed", "list", "info", "toc", "text", "remove", "rename", "reorder", "group", "doctor", "config"}
    | {
        "entities",
        "resolve",
        "search",
        "ask",
        "chat",
        "explain",
        "recap",
        "track",
        "points",
        "wiki",
        "export",
        "notes",
        "models",
        "analyze",
        "audit",
        "usage",
    }
    | {"backup", "restore", "stats", "pack", "regenerate", "request"}
)
"""The first words that are commands; a book of that name is opened by `understory open NAME`."""
_ASKING = frozenset({"-h", "--help", "--version"})
_NO_MOUSE = "--no-mouse"
_UNUSABLE = 2
_INTERRUPTED = 130


def main() -> int:
    """Run UnderStory as the words of the command line say and return the exit code."""
    words = sys.argv[1:]
    try:
        if words and (words[0] in HEADLESS or words[0] in _ASKING):
            from engine.cli import main as run_command

            return run_command(words)
        return _read(words)
    except KeyboardInterrupt:  # Ctrl-C while the modules were still being loaded
        return _INTERRUPTED


def _read(words: list[str]) -> int:
    has_mouse = True
    asked = words
    if words and words[0] == _NO_MOUSE and not _exists(words[0]):
        has_mouse, words = False, words[1:]
    if words == ["demo"]:
        return _open_reader(asked, "", is_demo=True, has_mouse=has_mouse)
    if words and words[0] == "open":
        words = words[1:]
    elif words and words[0].startswith("-") and not _exists(words[0]):
        return _refuse("There is no such option. `understory --help` tells which commands there are.")
    return _open_reader(asked, " ".join(words), is_demo=False, has_mouse=has_mouse)


def _open_reader(asked: list[str], words: str, *, is_demo: bool, has_mouse: bool) -> int:
    if os.environ.get("TERM", "") in ("", "dumb"):
        return _refuse("Reading needs a terminal that can place text; TERM says this is none. Try TERM=xterm-256color.")
    if not (_is_terminal(0) and _is_terminal(1)):
        return _refuse("Reading needs a terminal. `understory text WORK` prints a book, `understory --help` the rest.")
    early = EarlyTerminal()
    early.begin(asked)
    try:
        return _run(early, asked, words, is_demo=is_demo, has_mouse=has_mouse)
    finally:
        early.restore()


def _run(early: EarlyTerminal, asked: list[str], words: str, *, is_demo: bool, has_mouse: bool) -> int:
    import gc

    gc.disable()  # nothing made while starting becomes garbage; looking for it takes 20 ms. `tui.app` turns it on
    try:
        from tui.records import make_dataclasses_quickly

        make_dataclasses_quickly()
        from engine.errors import UnderstoryError
        from tui.start import Target, run

        try:
            return run(Target(_as_text(words), is_demo, has_mouse, tuple(asked)), early)
        except UnderstoryError as error:
            early.restore()
            _say(error.message)
            return error.exit_code
    except Exception as error:  # the outermost line: whatever it is, the reader gets a sentence
        early.restore()
        from engine.cli.crash import crash_sentence

        _say(crash_sentence(error))
        return 1


def _as_text(words: str) -> str:
    """Return a title as it was typed, also where the locale cannot spell it; a file keeps the system's spelling."""
    return words if _exists(words) else os.fsencode(words).decode("utf-8", "replace")


def _exists(path: str) -> bool:
    return os.path.exists(path)  # noqa: PTH110  (pathlib takes 5 ms to import, and this stands before the first page)


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def _refuse(sentence: str) -> int:
    from engine.translate import _

    _say(_(sentence))
    return _UNUSABLE


def _say(sentence: str) -> None:
    from engine.text.sanitize import sanitize

    if sys.stderr is not None:
        sys.stderr.reconfigure(errors="replace")  # type: ignore[union-attr]  # what the process started with is no other
        print(sanitize(sentence), file=sys.stderr)  # noqa: T201  (talk, before any room is open)


if __name__ == "__main__":
    sys.exit(main())
