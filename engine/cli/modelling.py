"""`understory models`: which model does what, adding, trying, prices and limits, and what was used."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from engine.cli.modelling_records import number_rows, place_words, role_record, role_row, trial_lines, usage_record
from engine.cli.output import columns, text_from_argument
from engine.cli.parser import Commands, Parser, add_word
from engine.domain.models import ModelAddress, ModelRole, ModelSettings, Price, Trial
from engine.errors import CommandInvalidError
from engine.errors.models import ConsentMissingError, ModelMissingError
from engine.translate import _

if TYPE_CHECKING:
    from engine.cli.context import Context

_NONE = "none"


def add_commands(commands: Commands) -> None:
    """Enter `models`."""
    parser = commands.add("models", _("the language models: choose, add, try, limit"), _list)
    words = parser.add_subparsers(metavar="WHAT", parser_class=Parser)
    add_word(words, "list", _("which model has which role"), _list)
    add_word(words, "installed", _("the models that llm knows"), _installed)
    use = add_word(words, "use", _("give a role to a model"), _use)
    use.add_argument(
        "role", metavar="ROLE", choices=[*ModelRole, "all"], help=_("reader, writer, judge, companion, all")
    )
    use.add_argument("model", metavar="MODEL", help=_("a name from `models list` or `models installed`; none for none"))
    _add_address(add_word(words, "add", _("name a model by its address"), _add_model))
    drop = add_word(words, "drop", _("forget an address"), _drop)
    drop.add_argument("name", metavar="NAME")
    test = add_word(words, "test", _("try a model for real and say what it cannot do"), _test)
    test.add_argument("model", metavar="MODEL", nargs="?", help=_("all that have a role, if none is named"))
    test.add_argument("--yes", action="store_true", help=_("agree to its host without being asked"))
    allow = add_word(words, "allow", _("agree that text goes to a host, or take that back"), _allow)
    allow.add_argument("host", metavar="HOST", nargs="?", help=_("without one, those agreed to are listed"))
    allow.add_argument("--not", dest="is_withdrawn", action="store_true", help=_("take it back"))
    price = add_word(words, "price", _("what a model costs for a million tokens"), _price)
    price.add_argument("name", metavar="MODEL")
    price.add_argument("sent", metavar="SENT", type=float)
    price.add_argument("received", metavar="RECEIVED", type=float)
    price.add_argument("--cached", metavar="PRICE", type=float, help=_("of what the provider had in its cache"))
    limit = add_word(words, "limit", _("limits of money, tokens, time and speed"), _limit)
    limit.add_argument("name", metavar="NAME", nargs="?")
    limit.add_argument("value", metavar="VALUE", nargs="?", type=float)
    usage = add_word(words, "usage", _("what was used, by work, stage and model"), _usage)
    usage.add_argument("days", metavar="DAYS", nargs="?", default="", help=_("a day or month such as 2026-11"))


def _add_address(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help=_("what you want to call it"))
    parser.add_argument("--url", default="", help=_("such as http://127.0.0.1:11434/v1; none for a model of llm"))
    parser.add_argument("--model", default="", help=_("its name there, if it is another"))
    parser.add_argument("--key-name", default="", help=_("under which `llm keys set` has stored its key"))
    parser.add_argument("--context", type=int, default=0, metavar="TOKENS", help=_("how much it can take at once"))
    parser.add_argument("--no-tools", action="store_true", help=_("it calls no tools"))
    parser.add_argument("--no-schemas", action="store_true", help=_("it answers by no schema"))
    parser.add_argument("--no-streaming", action="store_true", help=_("it answers in one piece only"))


def _list(context: Context, arguments: Namespace) -> int:
    library = context.library()
    roles, settings = library.model_roles(), library.model_settings()
    for sentence in library.model_notices():
        context.out.talk(sentence)
    if arguments.json:
        for role in roles:
            context.out.record(role_record(role))
        return 0
    for line in columns([role_row(role) for role in roles]):
        context.out.line(line)
    others = [each for each in settings.addresses if each.name not in settings.roles.values()]
    if others:
        context.out.line("")
        for line in columns([[each.name, each.url or "llm"] for each in others]):
            context.out.line(line)
    if not any(role.model for role in roles):
        context.out.talk(
            _("No model yet. `understory models add NAME --url ADDRESS` names one, `models installed` lists llm's.")
        )
    return 0


def _installed(context: Context, arguments: Namespace) -> int:
    found = context.library().installed_models()
    if arguments.json:
        for name, place in found:
            context.out.record({"model": name, "place": place})
        return 0
    for line in columns([[name, place] for name, place in found]) if found else ():
        context.out.line(line)
    return 0


def _use(context: Context, arguments: Namespace) -> int:
    library, name = context.library(), text_from_argument(arguments.model)
    name = "" if name == _NONE else name
    installed = dict(library.installed_models()) if name and library.model_settings().address(name) is None else {}
    if name and library.model_settings().address(name) is None and name not in installed:
        raise CommandInvalidError(
            _("there is no model {name}; `understory models add {name} --url ADDRESS` names one").format(name=name),
            command="models",
        )
    for role in ModelRole if arguments.role == "all" else [ModelRole(arguments.role)]:
        library.use_model(role, name)
    place = library.place_to_agree_to(name, installed) if name else ""
    if place and _agrees(context, place):
        library.allow_place(place)
    elif place:
        context.out.talk(ConsentMissingError(name, place).message)
    return _list(context, arguments)


def _add_model(context: Context, arguments: Namespace) -> int:
    name = text_from_argument(arguments.name)
    if name == _NONE:
        raise CommandInvalidError(_("a model cannot be called none"), command="models")
    context.library().add_model(
        ModelAddress(
            name,
            text_from_argument(arguments.url),
            text_from_argument(arguments.model),
            text_from_argument(arguments.key_name),
            not arguments.no_tools,
            not arguments.no_schemas,
            not arguments.no_streaming,
            max(0, arguments.context),
        )
    )
    context.out.talk(_("`understory models test {name}` tries it.").format(name=name))
    return 0


def _drop(context: Context, arguments: Namespace) -> int:
    context.library().drop_model(text_from_argument(arguments.name))
    return 0


def _test(context: Context, arguments: Namespace) -> int:
    settings = context.library().model_settings()
    names = [text_from_argument(arguments.model)] if arguments.model else _named(settings)
    if not names:
        raise ModelMissingError(str(ModelRole.READER))
    trials = [_try(context, name, is_agreed=arguments.yes) for name in names]
    for trial in trials:
        if arguments.json:
            context.out.record(role_record(trial))
        else:
            for line in trial_lines(trial):
                context.out.line(line)
    return 0 if all(trial.text for trial in trials) else 1


def _named(settings: ModelSettings) -> list[str]:
    return list(dict.fromkeys(settings.roles.values()))


def _try(context: Context, name: str, *, is_agreed: bool) -> Trial:
    library = context.library()

    def tell(step: str) -> None:
        context.out.progress(f"{name}: {step}")

    try:
        return library.try_model(name, tell)
    except ConsentMissingError as error:
        if not is_agreed and not _agrees(context, error.host):
            raise
        library.allow_place(error.host)
        return library.try_model(name, tell)
    finally:
        context.out.end_progress()


def _agrees(context: Context, place: str) -> bool:
    if not (sys.stdin is not None and sys.stdin.isatty()):
        return False
    context.out.ask(_("Text of your books will go to {host}. Agree? [y/n] ").format(host=place_words(place)))
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _allow(context: Context, arguments: Namespace) -> int:
    library = context.library()
    if arguments.host is None:
        for place in sorted(library.allowed_places()):
            if arguments.json:
                context.out.record({"host": place})
            else:
                context.out.line(place)
        return 0
    host = text_from_argument(arguments.host).strip()
    if arguments.is_withdrawn:
        library.withdraw_place(host)
    else:
        library.allow_place(host)
    return 0


def _price(context: Context, arguments: Namespace) -> int:
    price = Price(arguments.sent, arguments.cached, arguments.received)
    context.library().set_price(text_from_argument(arguments.name), price)
    return 0


def _limit(context: Context, arguments: Namespace) -> int:
    if arguments.name is not None and arguments.value is not None:
        context.library().set_model_number(arguments.name, _whole(arguments.value))
        return 0
    rows = number_rows(context.library().model_settings())
    chosen = [row for row in rows if arguments.name in (None, row[0])]
    if not chosen:
        raise CommandInvalidError(_("there is no limit {name}").format(name=arguments.name), command="models")
    if arguments.json:
        context.out.record({name: value for name, value, _words in chosen})
        return 0
    for line in columns([[name, f"{value:g}", words] for name, value, words in chosen]):
        context.out.line(line)
    return 0


def _whole(value: float) -> float:
    return int(value) if value == int(value) else value


def _usage(context: Context, arguments: Namespace) -> int:
    rows = context.library().model_usage(text_from_argument(arguments.days))
    titles = {int(summary.id): summary.title for summary in context.library().works()}
    if arguments.json:
        for row in rows:
            context.out.record(usage_record(row))
        return 0
    table = [
        [
            titles.get(row.work, "") if row.work else "-", row.stage, row.model, str(row.calls), str(row.failed),
            str(row.usage.prompt), str(row.usage.cached), str(row.usage.completion), f"{row.money:.4f}",
        ]
        for row in rows
    ]  # fmt: skip
    head = [
        _("work"),
        _("stage"),
        _("model"),
        _("calls"),
        _("failed"),
        _("sent"),
        _("cached"),
        _("received"),
        _("money"),
    ]
    for line in columns([head, *table], right=frozenset(range(3, 9))) if rows else ():
        context.out.line(line)
    if not rows:
        context.out.talk(_("Nothing was used yet."))
    return 0
