"""What a conversation needs of the library before it is shown. For worker threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from engine.domain.book import WorkId
from engine.domain.chat import CardKind, TurnId
from engine.domain.conversations import Conversation, ConversationId, Turn
from engine.domain.locator import Locator, Pos
from engine.domain.outline import OutlineIndex
from engine.domain.source import ReadingSource
from engine.errors import UnderstoryError
from engine.library import Library
from engine.text.sanitize import sanitize_line
from engine.translate import _
from tui.render.place_words import where_words
from tui.session import ReadingSession

_STILL = timedelta(hours=12)
"""A conversation is gone on with that long."""
_MOST_PREVIEW_CHARS = 700
_MOST_LABEL_CHARS = 60


@dataclass(frozen=True, slots=True)
class Reopened:
    """A conversation as it was kept."""

    conversation: Conversation
    turns: tuple[Turn, ...]
    abouts: Mapping[TurnId, tuple[str, ...]] = field(default_factory=dict)
    acts: Mapping[TurnId, Mapping[int, str]] = field(default_factory=dict)


def read_last(library: Library, source: ReadingSource, work: WorkId) -> Reopened | None:
    """Return the last conversation about a work if it is still gone on with; None when a new one is begun."""
    found = next(iter(library.conversations(work)), None)
    if found is None:
        return None
    turns = library.conversation_turns(found.id)
    is_open = bool(turns) and not turns[-1].view.has_ended
    if not is_open and datetime.now(UTC) - _when(found.changed) > _STILL:
        return None
    return _reopened(library, source, found, turns)


def read_conversation(library: Library, session: ReadingSession, conversation: ConversationId) -> Reopened:
    """Return a conversation with all it shows, once it is on disk how far was read.

    Raises:
        ConversationGoneError: it was deleted.
    """
    session.settle()
    found = library.conversation(conversation)
    return _reopened(library, session.source, found, library.conversation_turns(conversation))


def _reopened(library: Library, source: ReadingSource, conversation: Conversation, turns: tuple[Turn, ...]) -> Reopened:
    abouts = {turn.id: _about(source, turn) for turn in turns}
    acts = {
        turn.id: {
            number: library.act_state(turn.id, card.target)
            for number, card in enumerate(turn.view.cards)
            if card.kind in (CardKind.SETTING, CardKind.OFFER)
        }
        for turn in turns
    }
    return Reopened(conversation, turns, abouts, acts)


def _about(source: ReadingSource, turn: Turn) -> tuple[str, ...]:
    labels = tuple(each.label for each in turn.scene.attachments)
    selection = turn.scene.selection
    if selection is None:
        return labels
    try:
        words = source.text_of(selection.document, selection.start, min(selection.end, selection.start + 200))
    except UnderstoryError:  # of another edition, or gone
        return labels
    return (quoted_words(words), *labels)


def _when(written: str) -> datetime:
    try:
        when = datetime.fromisoformat(written)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def passage_text(source: ReadingSource, locator: Locator) -> str:
    """Return the words of a passage, not more than are previewed."""
    end = min(locator.end, locator.start + _MOST_PREVIEW_CHARS)
    text = source.text_of(locator.document, locator.start, end)
    return text if end == locator.end else f"{text.rstrip()}…"


def selection_label(source: ReadingSource, index: OutlineIndex, locator: Locator, titles_upto: Pos) -> str:
    """Return what the chip of a selection says: its words, and the chapter."""
    words = source.text_of(locator.document, locator.start, min(locator.end, locator.start + 200))
    pos = index.pos_of(locator.document, locator.start)
    where = where_words(index, pos, titles_upto)[-1] if pos is not None else ""
    quoted = quoted_words(words)
    return f"{quoted}, {where}" if where else quoted


def quoted_words(words: str) -> str:
    """Return the beginning of some words, quoted."""
    line = sanitize_line(words)
    shown = line if len(line) <= _MOST_LABEL_CHARS else f"{line[:_MOST_LABEL_CHARS]}…"
    return _("on “{words}”").format(words=shown)
