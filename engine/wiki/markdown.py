"""Pages of a wiki as Markdown, and as plain lines for a terminal; both say what the page says, veils included."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.domain.locator import Locator
from engine.domain.wiki import (
    Cite,
    Facts,
    Heading,
    Listing,
    Page,
    PageKey,
    PageLink,
    Paragraph,
    Part,
    Plain,
    Quotation,
    Revealed,
    Run,
    Sources,
    Track,
    Veil,
)
from engine.translate import _, ngettext

Address = Callable[[Locator], str]
"""Returns the address of a passage; empty for none."""
Target = Callable[[PageKey], str]
"""Returns where a page stands in what is written; empty for none."""

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_LIST_START = re.compile(r"^(\s*)([-+=]|\d+[.)])(?=\s|$)")
_VEIL = "░"
_MOST_VEIL = 24


def escaped(text: str) -> str:
    """Return data so that no reader of Markdown takes any of it for markup; on one line."""
    line = _MARKUP.sub(r"\\\1", " ".join(text.split()))
    return _LIST_START.sub(r"\1\\\2", line)


class MarkdownWriter:
    """Writes pages into one Markdown document."""

    def __init__(self, address: Address, target: Target, *, notes_prefix: str = "") -> None:
        """Take the ways from a passage to its address, and from a page to its heading.

        Args:
            address: Of a passage.
            target: Of a page.
            notes_prefix: Before the number of a footnote, where several pages share a document.
        """
        self._address = address
        self._target = target
        self._prefix = notes_prefix

    def page(self, page: Page, level: int = 1) -> Iterator[str]:
        """Yield the lines of a page whose title is a heading of this level."""
        yield f"{'#' * level} {escaped(page.title)}"
        yield ""
        head = " · ".join(part for part in (escaped(page.kind_words), _also(page)) if part)
        if head:
            yield f"*{head}*"
            yield ""
        for part in page.parts:
            lines = list(self._part(part, level))
            yield from lines
            if lines:
                yield ""

    def _part(self, part: Part, level: int) -> Iterator[str]:
        if isinstance(part, Heading):
            yield f"{'#' * (level + part.level)} {self._runs([part.run])}"
        elif isinstance(part, Paragraph):
            yield self._runs(part.runs)
        elif isinstance(part, Quotation):
            yield f"> {escaped(part.text)}"
            yield f"> — {self._place(part.where, part.locator)}"
        elif isinstance(part, Facts):
            yield from self._facts(part)
        elif isinstance(part, Listing):
            yield from self._listing(part)
        elif isinstance(part, Track):
            yield from self._track(part)
        elif isinstance(part, Sources):
            for source in part.rows:
                place = self._place(source.where, source.locator)
                yield f"[^{self._prefix}{source.number}]: {place} {escaped(source.quote)}"

    def _runs(self, runs: Iterable[Run]) -> str:
        return "".join(self._run(run) for run in runs)

    def _run(self, run: Run) -> str:
        if isinstance(run, Cite):
            return f"[^{self._prefix}{run.number}]"
        if isinstance(run, PageLink):
            return _linked(escaped(run.text), self._target(run.target))
        return veil_words(run) if isinstance(run, Veil) else _kept_blanks(run)

    def _place(self, where: str, locator: Locator) -> str:
        return _linked(escaped(where), self._address(locator))

    def _facts(self, part: Facts) -> Iterator[str]:
        yield "| | |"
        yield "|---|---|"
        for label, runs in part.rows:
            yield f"| {escaped(label)} | {self._runs(runs)} |"

    def _listing(self, part: Listing) -> Iterator[str]:
        if part.title:
            yield f"**{escaped(part.title)}**"
            yield ""
        for row in part.rows:
            name = _linked(escaped(row.link.text), self._target(row.link.target))
            beside = [escaped(row.note), "" if row.count is None else str(row.count)]
            yield " · ".join([f"- {name}", *filter(None, beside)])
        if part.has_more_to_come:
            yield f"- *{_('more to come')}*"

    def _track(self, part: Track) -> Iterator[str]:
        if part.nodes:
            places = (f"{self._place(node.where, node.locator)} ({node.count})" for node in part.nodes)
            yield f"**{_('Track')}** {' · '.join(places)}"
        turns = [f"- {self._place(node.where, node.locator)}: {escaped(node.note)}" for node in part.nodes if node.note]
        yield from ["", *turns] if turns else []


def _also(page: Page) -> str:
    return _("also {names}").format(names=" · ".join(map(escaped, page.also))) if page.also else ""


def _linked(words: str, target: str) -> str:
    return f"[{words}]({target})" if target else words


def _kept_blanks(run: Plain | Revealed) -> str:
    """Escape words between others, whose blanks at the ends matter."""
    inner = escaped(run.text)
    before = " " if run.text[:1].isspace() else ""
    behind = " " if run.text[-1:].isspace() and inner else ""
    words = f"{before}{inner}{behind}"
    return words if isinstance(run, Plain) else f"*{words}*"


def veil_words(veil: Veil) -> str:
    """Return what stands for a veiled statement in text."""
    drawn = _VEIL * max(1, min(veil.length_chars, _MOST_VEIL))
    if not veil.unlocks_chapter:
        return drawn
    return f"{drawn} " + _("unlocks in {chapter}").format(chapter=veil.unlocks_chapter)


def plain_lines(page: Page) -> Iterator[str]:
    """Yield the lines of a page as plain text."""
    yield f"{page.title} · {page.kind_words}" if page.kind_words else page.title
    if page.also:
        yield _("also {names}").format(names=" · ".join(page.also))
    for part in page.parts:
        lines = list(_plain_part(part))
        if lines:
            yield ""
        yield from lines


def _plain_part(part: Part) -> Iterator[str]:
    if isinstance(part, Heading):
        yield plain_runs([part.run])
    elif isinstance(part, Paragraph):
        yield plain_runs(part.runs)
    elif isinstance(part, Quotation):
        yield f"  {part.text}  ({part.where})"
    elif isinstance(part, Facts):
        for label, runs in part.rows:
            yield f"{label}: {plain_runs(runs)}" if label else plain_runs(runs)
    elif isinstance(part, Listing):
        yield from _plain_listing(part)
    elif isinstance(part, Track):
        for node in part.nodes:
            times = ngettext("{n} time", "{n} times", node.count).format(n=node.count)
            yield f"  {node.where}  {times}"
    elif isinstance(part, Sources):
        for source in part.rows:
            yield f"[{source.number}] {source.where} {source.quote}"


def _plain_listing(part: Listing) -> Iterator[str]:
    if part.title:
        yield part.title
    for row in part.rows:
        beside = [row.note, "" if row.count is None else str(row.count)]
        yield "  " + "  ".join([row.link.text, *filter(None, beside)])
    if part.has_more_to_come:
        yield f"  {_('more to come')}"


def plain_runs(runs: Sequence[Run]) -> str:
    """Return running text without its links."""
    words = []
    for run in runs:
        if isinstance(run, Cite):
            words.append(f"[{run.number}]")
        else:
            words.append(veil_words(run) if isinstance(run, Veil) else run.text)
    return "".join(words)
