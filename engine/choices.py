"""What settings with a closed set of values may hold."""

from __future__ import annotations

from enum import StrEnum


class RubyStyle(StrEnum):
    """Where the readings of characters are shown."""

    INLINE = "inline"
    ABOVE = "above"
    OFF = "off"


class BookStyle(StrEnum):
    """How much of the book's own style is followed."""

    OFF = "off"
    """Paragraphs and line breaks."""
    BASIC = "basic"
    """And headings, quotes, verse, lists, bold and italic."""
    ADVANCED = "advanced"
    """And what its style sheets say of alignment, indents, colours and small text."""


class RightToLeft(StrEnum):
    """Who puts right-to-left text into the order it is seen in."""

    AUTO = "auto"
    """The program, unless the terminal is known to do it."""
    TERMINAL = "terminal"
    PROGRAM = "program"


class PictureStyle(StrEnum):
    """How a picture appears in the text."""

    BLOCKS = "blocks"
    """In half blocks, two colours a cell."""
    LINE = "line"
    """As a line with its description."""
    OFF = "off"


class SpoilerMode(StrEnum):
    """How much of what lies ahead may be shown."""

    AUTO = "auto"
    OFF = "off"
    STRICT = "strict"

    @property
    def asks_before_a_reveal(self) -> bool:
        """Whether a veiled run takes a yes beside the key before it is shown."""
        return self is SpoilerMode.STRICT

    def veils_titles(self, *, is_wished: bool) -> bool:
        """Say whether titles of chapters ahead are veiled; in auto only as the reader wishes."""
        return self is SpoilerMode.STRICT or (self is SpoilerMode.AUTO and is_wished)


class KeyPreset(StrEnum):
    """The set of keys to start from; `keys.toml` changes single ones."""

    DEFAULT = "default"
    VIM = "vim"


class AmbiguousWidth(StrEnum):
    """How wide the terminal draws characters that are wide in East Asian fonts only, such as “ and —."""

    AUTO = "auto"
    """As it answers when asked."""
    NARROW = "narrow"
    WIDE = "wide"


class PanelMemory(StrEnum):
    """Which panels stand open when a book is opened."""

    REMEMBERED = "remembered"
    CLOSED = "closed"
