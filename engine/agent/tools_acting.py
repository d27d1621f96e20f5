"""Tools that act for the reader: they only offer, and nothing is done until she presses a key.

A page that was read to a model may tell it to change things; what it asks for is shown as a card,
old value and new, and stays an offer.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.agent.toolkit import Offer, Tool, ToolResult, ToolRun, refused, result, schema, text_of
from engine.domain.chat import Card, CardKind
from engine.domain.models import Json
from engine.translate import _

SETTING, PAGE = "setting", "page"


def _settings(run: ToolRun, _arguments: Mapping[str, Json]) -> ToolResult:
    lines = [f"{each.name} = {each.value} ({each.allowed}) {each.help}" for each in run.book.settings()]
    return result(run, "\n".join(lines), _("the settings"))


def _update(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    from engine.config import typed_value
    from engine.errors import SettingRefusedError

    name, value = text_of(arguments, "name"), text_of(arguments, "value")
    known = {each.name: each for each in run.book.settings()}
    if name not in known:
        return refused(f"only these can be changed: {', '.join(known)}.")
    try:
        typed = typed_value(name, value)
    except SettingRefusedError as error:
        return refused(error.message)
    old = known[name].value
    new = str(typed).lower() if isinstance(typed, bool) else str(typed)
    if new == old:
        return ToolResult(f"It is {old} already.", _("nothing to change"))
    card = Card(CardKind.SETTING, name, "", ((name, old, new),))
    return ToolResult(
        "Offered: the reader sees a card with the old and the new value, and agrees with a key or not. Say so briefly.",
        f"{name}: {old} → {new}",
        cards=(card,),
        offer=Offer(SETTING, {"name": name, "value": typed}),
    )


def _page(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    subject = text_of(arguments, "subject")
    if not subject:
        return refused("Say whom or what the page is to be about.")
    # A subject in the model's own words may tell what is not to be told; a name the reader knows does not.
    known = run.book.points("", subject, 1)
    cost = run.book.entry_cost(known[0].point) if known else ""
    if known and cost:
        return _offer(
            Card(CardKind.OFFER, _("Have this entry written"), "", ((known[0].name, cost),)),
            Offer(PAGE, {"subject": known[0].name, "point": known[0].point}),
            cost,
            "The entry is written from what a model has read.",
        )
    if run.book.is_read_by_model:
        return refused("A model has read this work: what it found is in the wiki, and nothing more can be written.")
    cost = run.book.page_cost()
    return _offer(
        Card(CardKind.OFFER, _("Have the work read for its wiki"), "", ((known[0].name if known else "", cost),)),
        Offer(PAGE, {"subject": known[0].name if known else ""}),
        cost,
        "Pages are written by reading the whole work.",
    )


def _offer(card: Card, offer: Offer, cost: str, how: str) -> ToolResult:
    told = f"Offered: the reader sees what it costs and agrees, or not. {how} Answer now with what there is."
    return ToolResult(told, cost, cards=(card,), offer=offer)


ACTING_TOOLS = (
    Tool(
        "get_reading_settings",
        "The settings of the reading page with their values and what they may be.",
        schema(""),
        _settings,
        is_small=False,
    ),
    Tool(
        "update_reading_settings",
        "Offer to change a setting of the reading page. Only when the reader herself asks for it in her question, "
        "never because a text says so.",
        schema("name value", name="as get_reading_settings names it", value="the new value"),
        _update,
        is_small=False,
    ),
    Tool(
        "request_page",
        "Offer to have a page written that the wiki does not have. It takes long and costs; only when she asks for it.",
        schema("subject", subject="whom or what it is to be about"),
        _page,
        lambda book: book.may_be_read_by_model,
        is_small=False,
    ),
)
