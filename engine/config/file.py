"""`config.toml`: read without ever failing, changed line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from engine.config.settings import DEFAULTS, Settings, Value, allowed_values, setting_help, setting_names
from engine.config.values import checked_value, plain_value, typed_value
from engine.errors import SettingInvalidError, SettingRefusedError
from engine.translate import _

_OTHER_TABLES = frozenset({"models"})
"""Tables of the file that other rooms read."""


Table: TypeAlias = MutableMapping[str, object]
"""A table of the file while it is changed; what is put into it is written."""


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
        if name in _OTHER_TABLES:
            continue
        try:
            taken[name] = checked_value(name, value)
        except SettingRefusedError as error:
            notices.append(SettingInvalidError(path, f"{name}: {error.reason}"))
    return Settings(**taken), tuple(notices)  # type: ignore[arg-type]  # each value was checked against its field


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


def write_settings(path: Path, values: Mapping[str, Value]) -> None:
    """Change settings in `config.toml`; see `change_file`.

    Raises:
        SettingRefusedError: no such setting, a value it cannot hold, or a file that cannot be changed.
    """
    checked = {name: plain_value(checked_value(name, plain_value(value))) for name, value in values.items()}
    for name, value in checked.items():
        change_file(path, name, partial(_put, name, value), partial(_uncommented, name))


def _put(name: str, value: Value, document: Table) -> None:
    document[name] = value


def _uncommented(name: str, text: str) -> str:
    """Return a text in which a setting that stands commented out has its own line back."""
    return re.sub(rf"^# ?{name} = .*$", f"{name} = 0", text, count=1, flags=re.MULTILINE)


def change_file(
    path: Path,
    name: str,
    change: Callable[[Table], None],
    prepare: Callable[[str], str] = lambda text: text,
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
        raise SettingRefusedError(name, f"{path.name}: {getattr(error, 'strerror', None) or error}") from error


def default_config_text() -> str:
    """Return a `config.toml` that changes nothing: every setting with its sentence, commented out."""
    return "\n".join(_default_lines()) + "\n"


def _default_lines() -> Iterator[str]:
    yield "# " + _("Settings of UnderStory. Take the # from the front of a line to change it.")
    for name in setting_names():
        yield ""
        yield f"# {setting_help(name)} ({allowed_values(name)})"
        yield f"# {name} = {_toml_literal(plain_value(getattr(DEFAULTS, name)))}"


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


def _replace_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_text(text, "utf-8")
    unfinished.replace(path)
