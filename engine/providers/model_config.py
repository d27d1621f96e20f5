"""[models] of `config.toml`: read without ever failing, changed line by line. Holds no keys, only their names."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import fields
from pathlib import Path

from engine.config import Table, change_file, table_from_file
from engine.domain.models import Json, ModelAddress, ModelRole, ModelSettings, Price, SpendingLimits
from engine.errors import SettingInvalidError, SettingRefusedError
from engine.text.sanitize import is_clean
from engine.translate import _

_TABLE = "models"
_ADDRESS, _PRICE = "address", "price"
_RANGES: Mapping[str, tuple[float, float]] = {
    "parallel": (1, 64),
    "per_minute": (0, 100_000),
    "connect_s": (0.1, 600),
    "idle_s": (0.1, 3600),
    "total_s": (1, 86_400),
    "chat_calls": (1, 100),
}
_LIMITS = tuple(each.name for each in fields(SpendingLimits))
_ROLES = tuple(str(role) for role in ModelRole)
_ADDRESS_FIELDS: Mapping[str, tuple[str, type]] = {
    "url": ("url", str), "model": ("model", str), "key_name": ("key_name", str), "tools": ("tools", bool),
    "schemas": ("schemas", bool), "streaming": ("streaming", bool), "context": ("context_tokens", int),
    "without_reasoning": ("without_reasoning", dict),
}  # fmt: skip
NUMBERS = (*_RANGES, *_LIMITS)
"""The settings that are numbers, in the order they are shown."""


def read_model_settings(path: Path) -> tuple[ModelSettings, tuple[SettingInvalidError, ...]]:
    """Read [models]; what cannot be used keeps its default and is reported."""
    try:
        table = table_from_file(path).get(_TABLE, {})
    except SettingInvalidError as error:
        return ModelSettings(), (error,)
    if not isinstance(table, Mapping):
        return ModelSettings(), (SettingInvalidError(path, f"{_TABLE}: " + _("it must be a table")),)
    reading = _Reading(table)
    settings = reading.settings()
    return settings, tuple(SettingInvalidError(path, f"{_TABLE}.{fault}") for fault in reading.faults)


class _Reading:
    """One table being read; faults are collected."""

    def __init__(self, table: Mapping[str, object]) -> None:
        self._table = table
        self.faults: list[str] = []

    def settings(self) -> ModelSettings:
        known = {*_ROLES, *NUMBERS, "currency", _ADDRESS, _PRICE}
        self.faults += [f"{name}: " + _("there is no such setting") for name in self._table if name not in known]
        roles = {role: name for role in ModelRole if (name := self._text(str(role)))}
        limits = {name: value for name in _LIMITS if (value := self._number(name)) is not None}
        numbers = {name: value for name in _RANGES if (value := self._number(name)) is not None}
        # Each value was brought to the type of its field by _number.
        return ModelSettings(
            roles,
            tuple(filter(None, (self._address(*each) for each in self._tables(_ADDRESS)))),
            dict(filter(None, (self._price(*each) for each in self._tables(_PRICE)))),
            SpendingLimits(**limits),  # type: ignore[arg-type]
            currency=self._text("currency"),
            **numbers,  # type: ignore[arg-type]
        )

    def _text(self, name: str) -> str:
        value = self._table.get(name, "")
        if isinstance(value, str) and is_clean(value):
            return value
        self.faults.append(f"{name}: " + _("it must be a name"))
        return ""

    def _number(self, name: str) -> float | int | None:
        value = self._table.get(name)
        try:
            return None if value is None else checked_number(name, value)
        except ValueError as error:
            self.faults.append(f"{name}: {error}")
            return None

    def _tables(self, name: str) -> list[tuple[str, Mapping[str, object]]]:
        tables = self._table.get(name, {})
        if not isinstance(tables, Mapping):
            self.faults.append(f"{name}: " + _("it must be a table"))
            return []
        return [(key, each) for key, each in tables.items() if isinstance(each, Mapping) and is_clean(key)]

    def _address(self, name: str, table: Mapping[str, object]) -> ModelAddress | None:
        try:
            return address_from(name, table)
        except ValueError as error:
            self.faults.append(f"{_ADDRESS}.{name}: {error}")
            return None

    def _price(self, name: str, table: Mapping[str, object]) -> tuple[str, Price] | None:
        try:
            return name, price_from(table)
        except ValueError as error:
            self.faults.append(f"{_PRICE}.{name}: {error}")
            return None


def checked_number(name: str, value: object) -> float | int:
    """Return a number of [models] as its field holds it.

    Raises:
        ValueError: it is none, or outside of what it may be.
    """
    is_whole = name.endswith("_tokens") or name in ("parallel", "per_minute", "chat_calls")
    if isinstance(value, bool) or not isinstance(value, int if is_whole else int | float):
        raise ValueError(_("it must be a whole number") if is_whole else _("it must be a number"))
    low, high = _RANGES.get(name, (0, 1e12))
    if not math.isfinite(value) or not low <= value <= high:
        raise ValueError(_("it may be {low} to {high}").format(low=f"{low:g}", high=f"{high:g}"))
    return value if is_whole else float(value)


def address_from(name: str, table: Mapping[str, object]) -> ModelAddress:
    """Return what a table says of a model.

    Raises:
        ValueError: it holds what it may not.
    """
    given: dict[str, object] = {}
    for key, value in table.items():
        if key not in _ADDRESS_FIELDS:
            raise ValueError(_("there is no such setting as {name}").format(name=key))
        field, type_ = _ADDRESS_FIELDS[key]
        is_bad_number = type_ is int and (isinstance(value, bool) or not isinstance(value, int) or value < 0)
        if is_bad_number or not isinstance(value, type_):
            raise ValueError(_("{name} has the wrong form").format(name=key))
        if isinstance(value, str) and not is_clean(value):
            raise ValueError(_("{name} holds a control character").format(name=key))
        given[field] = value
    _check_url(str(given.get("url", "")))
    return ModelAddress(name, **given)  # type: ignore[arg-type]  # each value was checked against its field


def _check_url(url: str) -> None:
    from urllib.parse import urlsplit

    if not url:
        return
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(_("the address must begin with http:// or https://"))
    if parts.username or parts.password or parts.query:
        # Such an address would hold the key, in a file and in every error message.
        raise ValueError(_("the address must hold no key; `llm keys set NAME` stores it, key_name names it"))


def price_from(table: Mapping[str, object]) -> Price:
    """Return the price a table says.

    Raises:
        ValueError: it holds what it may not.
    """
    said: dict[str, float] = {}
    for key, value in table.items():
        if key not in ("sent", "cached", "received"):
            raise ValueError(_("there is no such setting as {name}").format(name=key))
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
            raise ValueError(_("{name} has the wrong form").format(name=key))
        said[key] = float(value)
    return Price(said.get("sent", 0.0), said.get("cached"), said.get("received", 0.0))


# Changing it


def write_role(path: Path, role: ModelRole, name: str) -> None:
    """Let a model have a role; an empty name leaves the role without one.

    Raises:
        SettingRefusedError: the file cannot be changed.
    """
    _change(path, str(role), lambda table: _put(table, str(role), name))


def write_address(path: Path, address: ModelAddress) -> None:
    """Keep what the reader says of a model.

    Raises:
        SettingRefusedError: it is no address, or the file cannot be changed.
    """
    defaults = ModelAddress(address.name)
    said = {
        key: getattr(address, field)
        for key, (field, _type) in _ADDRESS_FIELDS.items()
        if getattr(address, field) != getattr(defaults, field)
    }
    try:
        address_from(address.name, said)
    except ValueError as error:
        raise SettingRefusedError(address.name, str(error)) from error
    if not address.name or not is_clean(address.name):
        raise SettingRefusedError(repr(address.name), _("it is no name"))
    _change(path, address.name, lambda table: _put(_inner(table, _ADDRESS), address.name, said))


def drop_address(path: Path, name: str) -> None:
    """Forget what the reader has said of a model, its price, and the roles it has.

    Raises:
        SettingRefusedError: the file cannot be changed.
    """

    def change(table: Table) -> None:
        for part in (_ADDRESS, _PRICE):
            if isinstance(inner := table.get(part), MutableMapping):
                inner.pop(name, None)
        for role in _ROLES:
            if table.get(role) == name:
                del table[role]

    _change(path, name, change)


def write_price(path: Path, name: str, price: Price) -> None:
    """Keep what a model costs.

    Raises:
        SettingRefusedError: it is no price, or the file cannot be changed.
    """
    said: dict[str, Json] = {"sent": price.sent, "received": price.received}
    if price.cached is not None:
        said["cached"] = price.cached
    try:
        price_from(said)
    except ValueError as error:
        raise SettingRefusedError(name, str(error)) from error
    _change(path, name, lambda table: _put(_inner(table, _PRICE), name, said))


def write_number(path: Path, name: str, value: float) -> None:
    """Set one of `NUMBERS`.

    Raises:
        SettingRefusedError: there is no such setting, it may not be that, or the file cannot be changed.
    """
    if name not in NUMBERS:
        raise SettingRefusedError(name, _("there is no such setting; `understory models limits` lists them"))
    try:
        checked = checked_number(name, value)
    except ValueError as error:
        raise SettingRefusedError(name, str(error)) from error
    _change(path, name, lambda table: _put(table, name, checked))


def _change(path: Path, name: str, change: Callable[[Table], None]) -> None:
    """Change [models], leaving comments and all other lines as they are."""
    change_file(path, name, lambda document: change(_inner(document, _TABLE)))


def _inner(table: Table, name: str) -> Table:
    """Return the table of a name within another, made if there is none."""
    import tomlkit

    if not isinstance(table.get(name), MutableMapping):
        table[name] = tomlkit.table()
    inner = table[name]
    assert isinstance(inner, MutableMapping)
    return inner


def _put(table: Table, name: str, value: Json) -> None:
    if value == "":
        table.pop(name, None)
    else:
        table[name] = value
