"""The settings a companion may speak of."""

from __future__ import annotations

from pathlib import Path

from engine.agent.access import SettingLine
from engine.config import (
    LOOKS,
    Value,
    allowed_values,
    read_settings,
    setting_help,
    setting_names,
    settings_as_mapping,
)

_SPOKEN_OF = LOOKS | {"theme", "panels", "terminal_scroll"}
"""Settings of the page alone: none that says how far anybody sees, or where text goes."""


def spoken_settings(config_file: Path) -> tuple[SettingLine, ...]:
    """Return each with its value and what it may be."""
    values = settings_as_mapping(read_settings(config_file)[0])
    return tuple(
        SettingLine(name, _typed(values[name]), allowed_values(name), setting_help(name))
        for name in setting_names()
        if name in _SPOKEN_OF
    )


def _typed(value: Value) -> str:
    """Return a value as it is typed into the configuration."""
    return str(value).lower() if isinstance(value, bool) else str(value)
