"""The wiki on paper: `understory wiki`, `export wiki`."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress

from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.knowing import add_bound, add_work_to, bound_from, find_point, tell_of_nothing, wait_for_names
from engine.cli.output import text_from_argument
from engine.cli.parser import Commands, add_work
from engine.cli.wiki_records import record_of
from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.knowledge import PointKind
from engine.domain.locator import DeepLink, Locator
from engine.domain.wiki import KnownPoint, Page, PageKey, PageKind
from engine.errors import EntryUnknownError
from engine.spoilers.policy import Upto
from engine.translate import _, ngettext
from engine.wiki.markdown import Address, MarkdownWriter, plain_lines

_SHA_CHARS, _QUOTE_CHARS = 16, 32
_MOST_TRIES = 3
_NOT_IN_SLUGS = re.compile(r"[^\w\- ]")


def add_commands(commands: Commands) -> None:
    """Enter `wiki` and `export`."""
    wiki = add_bound(add_work_to(commands.add("wiki", _("a page of a work's wiki"), _wiki)))
    page = wiki.add_mutually_exclusive_group()
    page.add_argument("entry", metavar="ENTRY", nargs="?", help=_("a name, or an id from `understory points`"))
    page.add_argument("--category", choices=[str(kind) for kind in PointKind], help=_("all entries of a kind"))
    page.add_argument("--volume", metavar="N", type=int, help=_("who is in a volume"))
    page.add_argument("--index", action="store_true", help=_("all names"))
    wiki.add_argument("--markdown", action="store_true", help=_("as Markdown, sources as footnotes"))
    export = commands.add("export", _("write what is known of a work into one file"), _export, has_json=False)
    export.add_argument("what", choices=["wiki"], help=_("wiki: all its pages as Markdown"))
    add_work(export)
    add_bound(export)


def _wiki(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    upto, mode = bound_from(context, arguments, work)
    if not wait_for_names(context, work):
        return 1
    key = _key(context, work, arguments, upto, mode)
    page = context.library().page(work, key, frozenset(), upto, mode)
    if arguments.json:
        context.out.record(record_of(page))
    elif arguments.markdown:
        for line in MarkdownWriter(_addresses(context), lambda _key: "").page(page):
            context.out.line(line)
    else:
        for line in plain_lines(page):
            context.out.line(line)
    if not context.library().entities(work, upto, mode):
        tell_of_nothing(context, work, upto, mode)
    return 0


def _key(context: Context, work: WorkId, arguments: Namespace, upto: Upto, mode: SpoilerMode) -> PageKey:
    if arguments.entry is not None:
        point = find_point(context, work, text_from_argument(arguments.entry), upto, mode)
        return PageKey(PageKind.ENTRY, point=point)
    if arguments.category is not None:
        return PageKey(PageKind.CATEGORY, category=PointKind(arguments.category))
    if arguments.volume is not None:
        volumes = context.library().outline(work).volumes
        if not 1 <= arguments.volume <= len(volumes):
            raise EntryUnknownError(_("volume {n}").format(n=arguments.volume))
        return PageKey(PageKind.VOLUME, volume_ord=volumes[arguments.volume - 1].ord)
    return PageKey(PageKind.INDEX if arguments.index else PageKind.HOME)


def _addresses(context: Context) -> Address:
    """Return what makes an address that outlives this library."""
    library = context.library()

    def address(locator: Locator) -> str:
        sha256, spine_index = library.book_of(locator.document)
        exact = library.text_of(locator.document, locator.start, min(locator.end, locator.start + _QUOTE_CHARS))
        return str(DeepLink(sha256[:_SHA_CHARS], spine_index, locator.start, locator.end, exact))

    return address


# export


def _export(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    upto, mode = bound_from(context, arguments, work)
    if not wait_for_names(context, work):
        return 1
    is_first = True
    for line in _settled(context, work, upto, mode):
        if line or not is_first:
            context.out.line(line)
        is_first = False
    context.out.end_progress()
    if not context.library().entities(work, upto, mode):
        tell_of_nothing(context, work, upto, mode)
    return 0


def _settled(context: Context, work: WorkId, upto: Upto, mode: SpoilerMode) -> list[str]:
    """Return the lines of the whole wiki; made anew where its entries changed meanwhile, as a pack or a reading does.

    Raises:
        EntryUnknownError: they change faster than they can be written down.
    """
    for _each in range(_MOST_TRIES):
        with suppress(EntryUnknownError):
            return list(_document(context, work, upto, mode))
    return list(_document(context, work, upto, mode))


def _document(context: Context, work: WorkId, upto: Upto, mode: SpoilerMode) -> Iterator[str]:
    """Yield the lines of the whole wiki: its first page, then every entry under its kind."""
    library = context.library()
    points = library.entities(work, upto, mode)
    home = library.page(work, PageKey(PageKind.HOME), frozenset(), upto, mode)
    kinds = [kind for kind in PointKind if any(point.kind is kind for point in points)]
    lists = {k: library.page(work, PageKey(PageKind.CATEGORY, category=k), frozenset(), upto, mode) for k in kinds}
    slugs = _slugs(home, [(lists[kind], [p for p in points if p.kind is kind]) for kind in kinds])
    address = _addresses(context)

    def target(key: PageKey) -> str:
        return slugs.get(key, "")

    yield from MarkdownWriter(address, target, notes_prefix="home-").page(home)
    done = 0
    for kind in kinds:
        yield from MarkdownWriter(address, target).page(lists[kind], 2)
        for point in (each for each in points if each.kind is kind):
            done += 1
            said = ngettext("{done} of {n} entry", "{done} of {n} entries", len(points))
            context.out.progress(said.format(done=done, n=len(points)))
            page = library.page(work, PageKey(PageKind.ENTRY, point=point.id), frozenset(), upto, mode)
            yield from MarkdownWriter(address, target, notes_prefix=f"{point.id}-").page(page, 3)


def _slugs(home: Page, categories: list[tuple[Page, list[KnownPoint]]]) -> dict[PageKey, str]:
    """Return the anchor of each page's heading, as readers of Markdown make them: a repeated one gets a number."""
    titled = [(home.key, home.title)]
    for page, points in categories:
        titled.append((page.key, page.title))
        titled += [(PageKey(PageKind.ENTRY, point=point.id), point.name) for point in points]
    seen: dict[str, int] = {}
    slugs = {}
    for key, title in titled:
        slug = _NOT_IN_SLUGS.sub("", " ".join(title.split()).lower()).replace(" ", "-")
        count = seen[slug] = seen.get(slug, -1) + 1
        slugs[key] = f"#{slug}-{count}" if count else f"#{slug}"
    return slugs
