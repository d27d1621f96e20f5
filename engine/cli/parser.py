"""The command line: which words there are and which function carries each out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import NoReturn

from engine.cli.context import Context
from engine.errors import CommandInvalidError
from engine.translate import _

Handler = Callable[[Context, argparse.Namespace], int]
"""Carries out one command and returns its exit code."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises one sentence instead of printing a page and leaving."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line.

        Raises:
            CommandInvalidError: always.
        """
        raise CommandInvalidError(message, command=self.prog.removeprefix("understory").strip())


class Commands:
    """Where the command modules enter their words."""

    def __init__(self, parser: Parser) -> None:
        """Take the parser the words are added to."""
        self._words = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)

    def add(self, name: str, help_: str, handler: Handler, *, has_json: bool = True) -> Parser:
        """Add a command and return its parser for the arguments.

        Args:
            name: The word typed.
            help_: One sentence, translated.
            handler: Carries the command out.
            has_json: Whether it prints data, and so has `--json`.
        """
        parser: Parser = self._words.add_parser(name, help=help_, description=help_, allow_abbrev=False)
        parser.set_defaults(handler=handler)
        if has_json:
            parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
        return parser


def build_parser(rooms: Iterable[Callable[[Commands], None]]) -> Parser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="understory",
        description=_("A reader for novels in the terminal."),
        epilog=_(
            "To read:\n"
            "  understory               where you stopped\n"
            "  understory BOOK.epub     a file\n"
            "  understory ashfall       a work, by a part of its title\n"
            "  understory demo          the series that comes with the program"
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help=_("print the version"))
    commands = Commands(parser)
    for add_commands in rooms:
        add_commands(commands)
    return parser


def add_word(words: argparse._SubParsersAction[Parser], name: str, help_: str, handler: Handler) -> Parser:
    """Add a second word, such as `export` to `pack`, and return its parser for the arguments."""
    parser = words.add_parser(name, help=help_, description=help_, allow_abbrev=False)
    parser.set_defaults(handler=handler)
    # Suppressed, so that it does not undo a --json before the word.
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=_("one JSON object a line"))
    return parser


def add_work(parser: Parser) -> None:
    """Add the argument that names a work."""
    parser.add_argument("work", metavar="WORK", help=_("id, title or an unambiguous part of the title"))
