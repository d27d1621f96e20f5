"""A value for a setting: what was typed, or what stands in a file, brought to the setting's own type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum

from engine.config.settings import DEFAULTS, FORMS, RANGES, Settings, Value, allowed_values, check_known, setting_names
from engine.errors import SettingRefusedError
from engine.translate import _


def settings_as_mapping(settings: Settings) -> dict[str, Value]:
    """Return every setting by name, choices as plain strings."""
    return {name: plain_value(getattr(settings, name)) for name in setting_names()}


def with_values(settings: Settings, values: Mapping[str, object]) -> Settings:
    """Return settings with some values changed; what a setting cannot hold is left out."""
    taken: dict[str, Value] = {}
    for name, value in values.items():
        with suppress(SettingRefusedError):
            taken[name] = checked_value(name, value)
    return replace(settings, **taken)  # type: ignore[arg-type]  # each value was checked against its field


def typed_value(name: str, text: str) -> Value:
    """Return the value a typed text gives a setting; nothing is changed.

    Raises:
        SettingRefusedError: no such setting, or a value it cannot hold.
    """
    return plain_value(checked_value(name, _value_from_text(name, text)))


def checked_value(name: str, value: object) -> Value:
    """Return a value as the type of its setting.

    Raises:
        SettingRefusedError: no such setting, or a value it cannot hold.
    """
    check_known(name)
    default = getattr(DEFAULTS, name)
    if isinstance(default, StrEnum):
        if isinstance(value, str) and value in set(type(default)):
            return type(default)(value)
    elif isinstance(default, bool) or isinstance(value, bool):
        if isinstance(default, bool) and isinstance(value, bool):
            return value
    elif isinstance(default, int):
        if isinstance(value, int) and value in RANGES[name]:
            return value
    elif isinstance(value, str) and (name not in FORMS or re.fullmatch(FORMS[name][0], value)):
        return value
    shown = repr(value) if len(repr(value)) <= 40 else repr(value)[:40] + "…"
    raise SettingRefusedError(
        name, _("it may be {allowed}, not {value}").format(allowed=allowed_values(name), value=shown)
    )


def _value_from_text(name: str, text: str) -> Value:
    check_known(name)
    default = getattr(DEFAULTS, name)
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text.casefold(), text)
    if isinstance(default, int) and text.lstrip("-").isascii() and text.lstrip("-").isdigit() and len(text) < 10:
        return int(text)
    return text


def plain_value(value: Value) -> Value:
    """Return a value as a file has it: a choice as a plain string."""
    return str(value) if isinstance(value, StrEnum) else value
