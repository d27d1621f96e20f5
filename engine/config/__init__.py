"""The reader's settings: what they are, what they may be, and the file that holds them."""

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
from engine.config.file import (
    Table,
    change_file,
    default_config_text,
    read_settings,
    table_from_file,
    write_setting,
    write_settings,
)
from engine.config.settings import (
    DEFAULTS,
    LOOKS,
    PER_WORK,
    Settings,
    Value,
    allowed_values,
    choices_of,
    setting_help,
    setting_names,
)
from engine.config.values import plain_value, settings_as_mapping, typed_value, with_values

__all__ = [
    "DEFAULTS",
    "LOOKS",
    "PER_WORK",
    "AmbiguousWidth",
    "BookStyle",
    "KeyPreset",
    "PanelMemory",
    "PictureStyle",
    "RightToLeft",
    "RubyStyle",
    "Settings",
    "SpoilerMode",
    "Table",
    "Value",
    "allowed_values",
    "change_file",
    "choices_of",
    "default_config_text",
    "plain_value",
    "read_settings",
    "setting_help",
    "setting_names",
    "settings_as_mapping",
    "table_from_file",
    "typed_value",
    "with_values",
    "write_setting",
    "write_settings",
]
