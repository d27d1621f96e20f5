"""A conversation as a Markdown file: what was asked and answered, each citation a link that outlives the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.domain.chat import Citation, TurnId, TurnState
from engine.domain.conversations import Conversation, Turn, path_to
from engine.domain.locator import DeepLink, Locator
from engine.errors import PlaceUnknownError, WorkNotFoundError
from engine.store import reading
from engine.text.sanitize import sanitize_line
from engine.translate import _

if TYPE_CHECKING:
    from engine.library.conversing import Conversing

_SHA_CHARS, _EXACT_CHARS = 16, 32
_MARKED = re.compile(r"([\\`*_\[\]<>#])")


def markdown_of(
    library: Conversing, conversation: Conversation, turns: Sequence[Turn], leaf: TurnId | None = None
) -> str:
    """Write one branch of a conversation.

    Args:
        library: Where its citations stand.
        conversation: Whose title it bears.
        turns: All of its turns.
        leaf: The last of the branch; None for the one asked last.
    """
    try:
        book = library.outline(conversation.work).title
    except WorkNotFoundError:
        book = ""
    head = [f"# {_plain(conversation.title)}", ""]
    if book:
        head += [_("A conversation about {title}.").format(title=_plain(book)), ""]
    return "\n".join([*head, *(line for turn in path_to(turns, leaf) for line in _turn(library, turn))])


def link_to(library: Conversing, locator: Locator) -> DeepLink | None:
    """Return the address of a passage; None when its book is not here."""
    try:
        with library._store.read() as r:
            row = reading.document_row(r, locator.document)
            exact = reading.text_of(r, row.id, locator.start, min(locator.end, locator.start + _EXACT_CHARS))
    except PlaceUnknownError:
        return None
    return DeepLink(row.sha256[:_SHA_CHARS], row.spine_index, locator.start, locator.end, exact)


def _turn(library: Conversing, turn: Turn) -> Iterator[str]:
    view = turn.view
    yield f"## {_plain(view.question)}"
    yield ""
    if turn.scene.selection is not None and (link := link_to(library, turn.scene.selection)) is not None:
        yield _("On {link}").format(link=f"<{link}>")
        yield ""
    if view.text:
        yield _without_fetches(view.text.strip())
        yield ""
    if view.state is not TurnState.COMPLETED:
        yield f"*{_ended(view.state)}*"
        yield ""
    for citation in view.citations:
        yield _citation(library, citation)
    if view.citations:
        yield ""


def _without_fetches(text: str) -> str:
    """Return Markdown in which nothing makes whoever shows it fetch something: no picture, no HTML."""
    return text.replace("![", "!\\[").replace("<", "&lt;")


def _ended(state: TurnState) -> str:
    return {
        TurnState.FAILED: _("This answer failed before its end."),
        TurnState.STOPPED: _("This answer was stopped before its end."),
    }.get(state, _("This question is not answered yet."))


def _citation(library: Conversing, citation: Citation) -> str:
    link = link_to(library, citation.locator)
    words = _plain(f"{citation.where}: “{citation.quote}…”" if citation.where else f"“{citation.quote}…”")
    return f"{citation.number}. [{words}]({link})" if link is not None else f"{citation.number}. {words}"


def _plain(text: str) -> str:
    """Return text on one line with nothing in it that Markdown takes for a sign."""
    return _MARKED.sub(r"\\\1", sanitize_line(text))
