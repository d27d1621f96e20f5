"""`understory config`: where the settings are, what they are, and changing one."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from engine.cli.output import columns, text_from_argument
from engine.cli.parser import Commands
from engine.config import (
    allowed_values,
    default_config_text,
    setting_help,
    setting_names,
    settings_as_mapping,
    write_setting,
)
from engine.errors import CommandInvalidError, SettingRefusedError, shown_path
from engine.translate import _

if TYPE_CHECKING:
    from engine.cli.context import Context


def add_commands(commands: Commands) -> None:
    """Enter `config`."""
    parser = commands.add("config", _("show the settings, or change one"), _config)
    parser.add_argument("--init", action="store_true", help=_("write a file with every setting explained"))
    parser.add_argument("name", metavar="NAME", nargs="?", help=_("of one setting"))
    parser.add_argument("value", metavar="VALUE", nargs="?", help=_("what to set it to"))


def _config(context: Context, arguments: Namespace) -> int:
    if arguments.init:
        return _init(context)
    values = settings_as_mapping(context.settings)
    if arguments.value is not None:
        write_setting(context.paths.config_file, arguments.name, text_from_argument(arguments.value))
        return 0
    if arguments.name is not None:
        setting_help(arguments.name)  # refuses a name that is none
        values = {arguments.name: values[arguments.name]}
    path = shown_path(str(context.paths.config_file))
    if arguments.json:
        context.out.record({"path": path, "settings": values})
    elif arguments.name is not None:
        context.out.line(_word(values[arguments.name]))
    else:
        context.out.talk(path if context.paths.config_file.exists() else _("{path} (not there yet)").format(path=path))
        rows = [[name, _word(values[name]), allowed_values(name), setting_help(name)] for name in setting_names()]
        for line in columns(rows):
            context.out.line(line)
    return 0


def _init(context: Context) -> int:
    path = context.paths.config_file
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(default_config_text())
    except FileExistsError as error:
        raise CommandInvalidError(
            _("{path} is there already").format(path=shown_path(str(path))), command="config"
        ) from error
    except OSError as error:
        raise SettingRefusedError(shown_path(str(path)), str(error.strerror or error)) from error
    context.out.line(shown_path(str(path)))
    return 0


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
