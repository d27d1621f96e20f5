"""Passages by relevance: `understory search`."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.context import Context
from engine.cli.knowing import add_bound, find_point, mode_from, upto_from, wait_for_names
from engine.cli.output import Json, text_from_argument
from engine.cli.parser import Commands
from engine.cli.waiting import wait_while
from engine.config import SpoilerMode
from engine.domain.book import ChapterKind, WorkId
from engine.domain.reading import JobState
from engine.errors import CommandInvalidError, FileMissingError
from engine.spoilers.policy import END, FRONTIER, Reach, Upto
from engine.translate import _, ngettext

if TYPE_CHECKING:
    from engine.domain.hits import Findings, SearchFilter, SearchHit, SearchMode

_MODES = ("lexical", "semantic", "hybrid")
_SNIPPET_CHARS = 120
_DEFAULT_LIMIT = 20


def add_commands(commands: Commands) -> None:
    """Enter the word."""
    search = add_bound(commands.add("search", _("the passages that fit words, a name or a question best"), _search))
    search.add_argument(
        "words", metavar="WORK QUERY", nargs="*", help=_("a work and what is looked for; with --all only that")
    )
    search.add_argument("--all", action="store_true", help=_("in the whole library, each work as far as you have read"))
    search.add_argument("--mode", choices=_MODES, help=_("by words, by meaning or by both; the best there is without"))
    search.add_argument("--limit", type=int, default=_DEFAULT_LIMIT, metavar="N", help=_("how many at most"))
    search.add_argument("--by-rank", action="store_true", help=_("best first, in place of the order of the story"))
    search.add_argument("--volume", type=int, action="append", metavar="N", help=_("only in this volume of the work"))
    search.add_argument(
        "--kind", choices=[str(kind) for kind in ChapterKind], action="append", help=_("only in chapters of this kind")
    )
    search.add_argument("--point", metavar="POINT", help=_("only where this one is named, by whatever name"))
    search.add_argument(
        "--queries", metavar="FILE", help=_("a file with a query a line; prints a JSON array a line, in one process")
    )


def _search(context: Context, arguments: Namespace) -> int:
    words = [text_from_argument(word) for word in arguments.words]
    wanted = (0 if arguments.all else 1) + (0 if arguments.queries else 1)
    if len(words) != wanted or arguments.limit < 1:
        raise CommandInvalidError(_("search takes a work and a query, or --all and a query"), command="search")
    library = context.library()
    works = [] if arguments.all else [library.find_work(words[0])]
    upto, mode = upto_from(arguments), mode_from(arguments)
    _wait_for_passages(context, works)
    asked = _Asked(context, works, upto, mode, arguments)
    if arguments.queries:
        for query in _lines(Path(arguments.queries)):
            context.out.line(json.dumps([_record(hit) for hit in asked.find(query).hits], ensure_ascii=True))
        return 0
    found = asked.find(words[-1])
    if arguments.json:
        context.out.array([_record(hit) for hit in found.hits])
    else:
        _print(context, found, is_one_work=not arguments.all)
    _tell(context, asked, found)
    return 0


class _Asked:
    """What one command asks of the library, again for each of its queries."""

    def __init__(
        self, context: Context, works: Sequence[WorkId], upto: Upto, spoilers: SpoilerMode | None, arguments: Namespace
    ) -> None:
        from engine.domain.hits import SearchMode

        self._library = context.library()
        self.works = works
        self.upto = upto
        self.spoilers = spoilers
        self._mode: SearchMode | None = SearchMode(arguments.mode) if arguments.mode else None
        self._limit: int = arguments.limit
        self._by_rank: bool = arguments.by_rank
        self._only = self._filter(context, arguments)

    def _filter(self, context: Context, arguments: Namespace) -> SearchFilter:
        from engine.domain.hits import SearchFilter

        if (arguments.volume or arguments.point) and not self.works:
            raise CommandInvalidError(_("--volume and --point need a work"), command="search")
        volumes = set()
        for number in arguments.volume or ():
            parts = self._library.outline(self.works[0]).volumes
            if not 1 <= number <= len(parts):
                raise CommandInvalidError(_("there is no volume {n}").format(n=number), command="search")
            volumes.add(parts[number - 1].id)
        point = None
        if arguments.point:
            wait_for_names(context, self.works[0])
            name = text_from_argument(arguments.point)
            mode = self.spoilers or self._library.mode_of(self.works[0])
            point = find_point(context, self.works[0], name, self.upto, mode)
        return SearchFilter(frozenset(volumes), frozenset(map(ChapterKind, arguments.kind or ())), point)

    def is_whole(self, context: Context) -> bool:
        """Say whether no boundary cut anything."""
        library = context.library()
        if self.works:
            return library.bound(self.works[0], self.upto, self.spoilers).boundary >= END
        return self.upto.reach is Reach.END or (self.spoilers or library.spoilers) is SpoilerMode.OFF

    def find(self, query: str) -> Findings:
        """Ask for one query."""
        return self._library.search(
            query,
            self.works,
            mode=self._mode,
            limit=self._limit,
            by_rank=self._by_rank,
            only=self._only,
            upto=self.upto,
            spoilers=self.spoilers,
        )


def _wait_for_passages(context: Context, works: Sequence[WorkId]) -> None:
    """Wait until the text is indexed, as long as somebody is at it."""
    library = context.library()

    def said() -> str:
        if library.is_indexed(works):
            return ""
        at_work = [
            job for job in library.jobs() if job.kind == "index" and job.state in (JobState.TODO, JobState.LEASED)
        ]
        done, total = sum(job.done for job in at_work), sum(job.total for job in at_work)
        return _("indexing the text ...") + (f" {done}/{total}" if total else "") if at_work else ""

    wait_while(context, said)


def _lines(path: Path) -> list[str]:
    """Return the queries of a file, a line each; an empty line is a query that finds nothing.

    Raises:
        FileMissingError: it cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise FileMissingError(path, error.strerror or str(error)) from error
    return text.removesuffix("\n").split("\n") if text else []


def _record(hit: SearchHit) -> dict[str, Json]:
    return {
        "rank": hit.rank,
        "locator": str(hit.locator),
        "work": hit.work,
        "chapter": hit.chapter or hit.where,
        "score": round(hit.score, 4),
        "text": hit.text,
        "where": hit.where,
        "pos": hit.pos,
    }


def _print(context: Context, found: Findings, *, is_one_work: bool) -> None:
    from engine.text.snippet import cut_snippet

    work = None
    for hit in found.hits:
        if not is_one_work and hit.work != work:
            work = hit.work
            context.out.line(hit.work_title)
        words, _marks = cut_snippet(hit.text, hit.marks, _SNIPPET_CHARS)
        context.out.line(f"{hit.rank:>4}  {hit.where}  “{words}”  {hit.locator}")


def _tell(context: Context, asked: _Asked, found: Findings) -> None:
    """Say what the list itself does not."""
    if found.notice:
        context.out.talk(found.notice)
    if found.count > len(found.hits):
        context.out.talk(ngettext("{n} passage in all.", "{n} passages in all.", found.count).format(n=found.count))
    if found.has_more:
        where = _("where you have read to") if asked.upto == FRONTIER else _("that place")
        context.out.talk(_("There is more beyond {where}; `--upto end` looks at all of it.").format(where=where))
    elif not found.hits:
        nothing = _("Nothing found.") if asked.is_whole(context) else _("Nothing found up to there.")
        context.out.talk(nothing)
