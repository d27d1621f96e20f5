"""What can be opened in a conversation, and what a turn is shown with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.chat import SpoilerChoice, TurnView
from engine.domain.locator import Locator
from engine.translate import N_


@dataclass(frozen=True, slots=True)
class ToCitation:
    """The number of a citation in an answer: its passage is previewed in place."""

    number: int


@dataclass(frozen=True, slots=True)
class ToPlace:
    """Where a cited passage stands: the page goes there."""

    number: int


@dataclass(frozen=True, slots=True)
class ToLocator:
    """A passage that a card names."""

    locator: Locator


@dataclass(frozen=True, slots=True)
class ToCard:
    """A card that leads somewhere."""

    card: int


@dataclass(frozen=True, slots=True)
class ToAct:
    """Something the companion offers to do, or has done and can undo."""

    card: int


@dataclass(frozen=True, slots=True)
class ToChoice:
    """An answer to what is asked before anything is spoiled."""

    choice: SpoilerChoice


@dataclass(frozen=True, slots=True)
class ToAgain:
    """The question of a turn that has no whole answer."""


@dataclass(frozen=True, slots=True)
class ToModels:
    """Where a model is named."""


ChatTarget = ToCitation | ToPlace | ToLocator | ToCard | ToAct | ToChoice | ToAgain | ToModels


class Part(StrEnum):
    """The parts of a turn from top to bottom."""

    HEAD = "head"
    ANSWER = "answer"
    PREVIEW = "preview"
    FOOT = "foot"


@dataclass(frozen=True, slots=True)
class ChatLink:
    """What can be opened in a turn."""

    part: Part
    index: int
    """Of its bits, within the part."""
    target: ChatTarget
    row: int
    """Within the turn."""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn and what was put beside its question."""

    view: TurnView
    about: tuple[str, ...] = ()
    """Each in a line: what was selected, where she was, what was attached."""
    acts: tuple[tuple[int, str], ...] = ()
    """What has become of the offers of cards: the number of the card and "offered", "done" or "undone"."""


TOOL_WORDS: Mapping[str, str] = {
    "search_wiki": N_("wiki"),
    "get_wiki_entry": N_("entry"),
    "search_knowledge_points": N_("points"),
    "get_content_summaries": N_("summaries"),
    "get_chapter_lists": N_("chapters"),
    "search_chapter_titles": N_("chapter titles"),
    "search_original_text": N_("original text"),
    "choose_segments": N_("passages"),
    "get_full_chapter": N_("chapter"),
    "get_relations": N_("relations"),
    "get_reading_settings": N_("settings"),
    "update_reading_settings": N_("settings"),
    "request_page": N_("page"),
}
"""What each tool looks into, in a word; another is called by its name."""
