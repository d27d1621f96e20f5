"""The outermost line of every command: run it, turn each failure into a sentence and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from engine.cli import (
    analysing,
    asking,
    books,
    copying,
    doctor,
    embedding,
    importing,
    knowing,
    modelling,
    noting,
    ordering,
    packing,
    printing,
    searching,
    settings,
    shelving,
    stats,
    talking,
    wiki,
)
from engine.cli.context import Context
from engine.cli.crash import crash_sentence
from engine.cli.output import Output
from engine.cli.parser import Handler, build_parser
from engine.config import read_settings
from engine.errors import CommandInvalidError, UnderstoryError
from engine.paths import default_paths
from engine.translate import _, use_language

ROOMS = (
    importing.add_commands,
    embedding.add_commands,
    books.add_commands,
    printing.add_commands,
    knowing.add_commands,
    searching.add_commands,
    asking.add_commands,
    talking.add_commands,
    wiki.add_commands,
    noting.add_commands,
    shelving.add_commands,
    copying.add_commands,
    packing.add_commands,
    stats.add_commands,
    modelling.add_commands,
    analysing.add_commands,
    ordering.add_commands,
    settings.add_commands,
    doctor.add_commands,
)
"""What enters the words, in the order `--help` shows them."""
_READER_WORDS = frozenset({"open", "demo"})
_INTERRUPTED = 130
_PIPE_CLOSED = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: see docs/cli.md for what each means.

    Args:
        arguments: The words after the program's name; those of the process by default.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    out = Output(_open_stream(sys.stdout), _open_stream(sys.stderr))
    try:
        code = _run(words, out)
        out.flush()
    except UnderstoryError as error:
        out.talk(error.message)
        code = error.exit_code
    except KeyboardInterrupt:
        out.talk(_("Stopped."))
        code = _INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        code = _PIPE_CLOSED
    except SystemExit as end:  # argparse after --help
        code = end.code if isinstance(end.code, int) else 1
    except Exception as error:  # the outermost line: whatever it is, the reader gets a sentence
        out.talk(crash_sentence(error))
        code = 1
    return _flushed(code, out)


def _run(words: list[str], out: Output) -> int:
    paths = default_paths()
    settings_, notices = read_settings(paths.config_file)
    use_language(settings_.language)
    if words[:1] == ["--version"]:
        out.line(f"understory {_version()}")
        return 0
    if not words or words[0] in _READER_WORDS:
        raise CommandInvalidError(_("reading needs the screen: start it as `understory`, not as `python -m engine`"))
    namespace = build_parser(ROOMS).parse_args(words)
    for sentence in (*paths.notices, *(notice.message for notice in notices)):
        out.talk(sentence)
    context = Context(paths, settings_, out)
    handler: Handler = namespace.handler
    try:
        return handler(context, namespace)
    finally:
        context.close()


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # 40 ms; only for --version

    try:
        return version("understory")
    except PackageNotFoundError:
        return _("(not installed)")


def _flushed(code: int, out: Output) -> int:
    try:
        out.flush()
    except BrokenPipeError:
        _drop_stdout()
        return code or _PIPE_CLOSED
    except OSError as error:  # a full disk behind `>`
        out.talk(_("The output could not be written: {error}.").format(error=error.strerror or error))
        _drop_stdout()
        return 1
    return code


def _drop_stdout() -> None:
    # The interpreter flushes stdout once more when it ends, and would complain.
    devnull = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            os.dup2(devnull, stream.fileno())
    os.close(devnull)


def _open_stream(stream: TextIO | None) -> TextIO:
    # None when the process was started with the stream closed.
    return stream if stream is not None else open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123  (lives as long as the process)
