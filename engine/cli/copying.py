"""The whole library in one file, and back: `understory backup`, `restore`."""

from __future__ import annotations

from argparse import Namespace

from engine.cli.context import Context
from engine.cli.parser import Commands
from engine.errors import shown_path
from engine.paths import typed_path
from engine.translate import _, ngettext


def add_commands(commands: Commands) -> None:
    """Enter `backup` and `restore`."""
    backup = commands.add(
        "backup", _("copy the library, with places and notes, into one file"), _backup, has_json=False
    )
    backup.add_argument("file", metavar="FILE")
    backup.add_argument("--books", action="store_true", help=_("copy the EPUBs too, into FILE.books"))
    restore = commands.add("restore", _("bring such a copy back; what is here now is kept"), _restore, has_json=False)
    restore.add_argument("file", metavar="FILE")


def _backup(context: Context, arguments: Namespace) -> int:
    from engine.library.copying import back_up, books_beside

    done = back_up(context.paths, typed_path(arguments.file), with_books=arguments.books)
    said = ngettext("{n} work is in {file}", "{n} works are in {file}", done.works)
    context.out.talk(said.format(n=done.works, file=shown_path(done.file)) + ".")
    if arguments.books:
        context.out.talk(_("The EPUBs are in {folder}.").format(folder=shown_path(books_beside(done.file))))
    else:
        folder = shown_path(context.paths.books_dir)
        context.out.talk(_("The EPUBs stay in {folder}; --books copies them too.").format(folder=folder))
    return 0


def _restore(context: Context, arguments: Namespace) -> int:
    from engine.library.copying import restore

    done = restore(context.paths, typed_path(arguments.file))
    context.out.talk(ngettext("{n} work is back.", "{n} works are back.", done.works).format(n=done.works))
    if done.aside is not None:
        context.out.talk(_("What was here before is kept in {file}.").format(file=shown_path(done.aside)))
    if done.missing:
        said = ngettext(
            "The EPUB of {n} book is not here, so its pictures are missing: {names}",
            "The EPUBs of {n} books are not here, so their pictures are missing: {names}",
            len(done.missing),
        )
        context.out.talk(said.format(n=len(done.missing), names=_(", ").join(done.missing[:5])))
    return 0
