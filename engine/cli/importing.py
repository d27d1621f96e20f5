"""`understory import`: bring EPUBs into the library, one after the other, and say what became of each."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine.cli.context import Context
from engine.cli.output import Json
from engine.cli.parser import Commands
from engine.domain.book import ImportReport, ImportStatus
from engine.errors import CommandInvalidError, FileMissingError, shown_path
from engine.paths import is_folder
from engine.text.width import padded
from engine.translate import _, grouped, ngettext

_REFUSED = 3
_WORD_CELLS = 8


def add_commands(commands: Commands) -> None:
    """Enter `import`."""
    parser = commands.add("import", _("bring EPUBs into the library"), _import)
    parser.add_argument("paths", metavar="FILE", nargs="*", help=_("an EPUB, or a folder with EPUBs in it"))
    parser.add_argument("--samples", action="store_true", help=_("the series that comes with the program"))
    parser.add_argument("--quiet", action="store_true", help=_("no warnings, only what became of each file"))


def record_of(report: ImportReport) -> dict[str, Json]:
    """Return the record `import --json` prints for one file."""
    return {
        "path": _exact_path(report.path),
        "status": str(report.status),
        "work": report.work,
        "title": report.title,
        "language": report.language,
        "volumes": report.volumes,
        "chapters": report.chapters,
        "characters": report.characters,
        "warnings": [{"kind": str(warning.kind), "message": warning.message} for warning in report.warnings],
        "error": report.error,
    }


def _exact_path(path: str) -> str:
    """Return a path as UTF-8 says it, whatever the locale made of it; bytes that are none stay surrogates."""
    try:
        return os.fsencode(path).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path


def _import(context: Context, arguments: Namespace) -> int:
    named = [Path(word) for word in arguments.paths]
    if arguments.samples:
        from engine.samples import sample_paths  # importlib.resources; only here

        named.extend(sample_paths())
    if not named:
        raise CommandInvalidError(_("no file is named"), command="import")
    code = 0
    imported = []
    for path in _epubs(named):
        imported.append(path)
        report = _import_one(context, path)
        if arguments.json:
            context.out.record(record_of(report))
        else:
            _tell(context, report, is_quiet=arguments.quiet)
        context.out.flush()
        code = _REFUSED if report.status is ImportStatus.REFUSED else code
    context.library().start_packs_of(imported)
    return code


def _import_one(context: Context, path: Path) -> ImportReport:
    name = shown_path(path.name)

    def show_progress(done: int, total: int) -> None:
        context.out.progress(_("{name}: {share} %").format(name=name, share=done * 100 // max(1, total)))

    context.out.progress(name)
    try:
        report = context.library().import_now(path, show_progress)
    except FileMissingError as error:
        report = ImportReport(str(path), ImportStatus.REFUSED, error=error.message)
    context.out.end_progress()
    return replace(report, path=str(path))


def _tell(context: Context, report: ImportReport, *, is_quiet: bool) -> None:
    if report.status is ImportStatus.REFUSED:
        context.out.line(f"{padded(_('refused'), _WORD_CELLS)}  {shown_path(report.path)}")
        context.out.talk(report.error)
        return
    word = padded(_("opened") if report.status is ImportStatus.OPENED else _("repaired"), _WORD_CELLS)
    size = ngettext("{n} chapter", "{n} chapters", report.chapters).format(n=report.chapters)
    length = _("{n} characters").format(n=grouped(report.characters, gap=" "))
    context.out.line(f"{word}  {report.work}  {report.title} · {size} · {length}")
    for warning in () if is_quiet else report.warnings:
        context.out.talk(f"  {warning.message}")


def _epubs(named: Sequence[Path]) -> Iterator[Path]:
    for path in named:
        if is_folder(path):
            found = sorted(_files_under(path), key=_in_reading_order)
            if not found:
                raise CommandInvalidError(
                    _("{path} holds no EPUB").format(path=shown_path(str(path))), command="import"
                )
            yield from found
        else:
            yield path


def _files_under(folder: Path) -> Iterator[Path]:
    for place, __, names in os.walk(folder):
        for name in names:
            if name.casefold().endswith(".epub"):
                yield Path(place, name)


def _in_reading_order(path: Path) -> list[tuple[int, int, str]]:
    # Numbers by value, so that volume 10 follows volume 9.
    parts = re.split(r"(\d+)", str(path).casefold())
    return [(0, int(part), "") if part.isdigit() and part.isascii() else (1, 0, part) for part in parts]
