"""What each element with a meaning of its own does to the text.

A handler is called when its element begins and says whether the children are to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from engine.domain.book import BlockKind, SpanKind
from engine.epub.elements import HEADINGS, LEFT_OUT
from engine.epub.gaps import is_gap
from engine.epub.lists import list_state, number_from
from engine.epub.markup import local_name
from engine.epub.mathml import text_of_formula
from engine.epub.names import is_web
from engine.epub.pictures import Found, find_pictures
from engine.epub.ruby import RubyGroup
from engine.epub.styles import Look
from engine.epub.tables import is_data_table, is_header_row
from engine.epub.words import raw_text, visible_count
from engine.text.sanitize import sanitize_line

if TYPE_CHECKING:
    from engine.epub.walk import Met, Walk

_MAX_ADDRESS = 2_000
_MAX_COLUMNS = 40
_MAX_CASES = 32
_OPENING_QUOTES = tuple("“”\"‘'「『«„‹")
_PLAIN_BULLET = "•"

# Blocks.


def _line_break(walk: Walk, _met: Met) -> bool:
    walk.flow.line_break()
    return False


def _rule(walk: Walk, _met: Met) -> bool:
    walk.flow.end_block()
    if not walk.flow.setting.is_merged:
        walk.flow.rule()
    return False


def _paragraph(walk: Walk, met: Met) -> bool:
    if walk.flow.marks_gaps and is_gap(met.element):
        walk.flow.end_block()
        walk.flow.gap()
        return False
    return walk.enter_block(met.element, walk.setting_of(met), met.look)


def _heading(walk: Walk, met: Met) -> bool:
    setting = replace(walk.flow.setting, kind=BlockKind.HEADING, level=HEADINGS.get(met.name, 3))
    # Headings are bold by themselves.
    return walk.enter_block(met.element, setting, met.look & ~Look.BOLD)


def _quote(walk: Walk, met: Met) -> bool:
    setting = walk.setting_of(met)
    depth = setting.quotes + 1
    kind = setting.kind if setting.is_verse else BlockKind.QUOTE
    return walk.enter_block(met.element, replace(setting, kind=kind, level=depth, quotes=depth), met.look)


def _preformatted(walk: Walk, met: Met) -> bool:
    setting = replace(walk.flow.setting, kind=BlockKind.PREFORMATTED, level=0, is_pre=True)
    return walk.enter_block(met.element, setting, met.look)


# Lists.


def _list(walk: Walk, met: Met) -> bool:
    depth = walk.flow.setting.lists + 1
    items = sum(1 for child in met.element if local_name(child) == "li") if "reversed" in met.attributes else 1
    is_unmarked = bool(met.look & Look.NO_MARKER) or walk.navs > 0
    walk.lists.append(list_state(met.name, met.attributes, depth, items, is_unmarked=is_unmarked))

    def end() -> None:
        walk.lists.pop()

    return walk.enter_block(met.element, replace(walk.flow.setting, lists=depth), met.look, end)


def _item(walk: Walk, met: Met) -> bool:
    flow = walk.flow
    setting = flow.setting
    flow.end_block()
    flow.marker = walk.lists[-1].next_marker(met.attributes.get("value", "")) if walk.lists else _PLAIN_BULLET
    if met.look & Look.NO_MARKER:
        flow.marker = ""

    def end() -> None:
        flow.end_block()
        flow.marker = ""

    inside = replace(setting, kind=BlockKind.ITEM, level=max(1, setting.lists))
    return walk.enter_block(met.element, inside, met.look, end)


def _definitions(walk: Walk, met: Met) -> bool:
    return walk.enter_block(met.element, replace(walk.flow.setting, lists=walk.flow.setting.lists + 1), met.look)


def _definition(walk: Walk, met: Met) -> bool:
    depth = max(1, walk.flow.setting.lists) + (met.name == "dd")
    return walk.enter_block(met.element, replace(walk.flow.setting, kind=BlockKind.ITEM, level=depth), met.look)


def _nav(walk: Walk, met: Met) -> bool:
    walk.navs += 1

    def end() -> None:
        walk.navs -= 1

    return walk.enter_block(met.element, walk.flow.setting, met.look, end)


# Tables.


def _table(walk: Walk, met: Met) -> bool:
    setting = walk.flow.setting
    if not setting.is_merged and is_data_table(met.element):
        walk.tables += 1
        setting = replace(setting, table=walk.tables)
    return walk.enter_block(met.element, setting, met.look)


def _table_head(walk: Walk, met: Met) -> bool:
    return walk.enter_block(met.element, replace(walk.flow.setting, is_header=True), met.look)


def _row(walk: Walk, met: Met) -> bool:
    setting = walk.flow.setting
    if not setting.table:
        return walk.enter_block(met.element, setting, met.look)
    is_header = setting.is_header or is_header_row(met.element)
    return walk.enter_row(
        met.element, replace(setting, kind=BlockKind.ROW, level=0, is_merged=True, is_header=is_header)
    )


def _cell(walk: Walk, met: Met) -> bool:
    if walk.flow.setting.kind is not BlockKind.ROW:
        return walk.enter_block(met.element, walk.flow.setting, met.look)
    for _column in range(walk.columns):
        walk.flow.next_cell()
    walk.columns = max(1, min(_MAX_COLUMNS, number_from(met.attributes.get("colspan", ""), 1)))
    return walk.enter_inline(met.element, walk.kinds_of(met))


# Running text.


def _link(walk: Walk, met: Met) -> bool:
    reference = met.attributes.get("href", "")
    target = walk.links.link_target(walk.document, reference) if reference else ""
    if not target and is_web(reference):
        target = sanitize_line(reference)[:_MAX_ADDRESS]
    # Links are underlined by themselves.
    kinds = tuple(kind for kind in walk.kinds_of(met) if kind is not SpanKind.UNDERLINE)
    if met.look & Look.BLOCK:
        walk.flow.end_block()
    return walk.enter_inline(met.element, (*kinds, SpanKind.LINK) if target else kinds, target)


def _quotation(walk: Walk, met: Met) -> bool:
    if (met.element.text or "").lstrip().startswith(_OPENING_QUOTES):
        return walk.enter_inline(met.element)
    opening, closing = "“”" if walk.quotations % 2 == 0 else "‘’"

    def end() -> None:
        walk.quotations -= 1
        walk.flow.text(closing)

    walk.quotations += 1
    walk.text(opening)
    return walk.enter_inline(met.element, at_end=end)


def _ruby(walk: Walk, met: Met) -> bool:
    outer = walk.ruby
    group = RubyGroup(walk.flow, walk.flow.length)

    def end() -> None:
        group.end()
        walk.ruby = outer

    walk.ruby = group
    return walk.enter_inline(met.element, walk.kinds_of(met), at_end=end)


def _ruby_base(walk: Walk, met: Met) -> bool:
    group = walk.ruby
    if group is not None:
        group.end_base()
    return walk.enter_inline(met.element, walk.kinds_of(met), at_end=group.end_base if group else None)


def _ruby_reading(walk: Walk, met: Met) -> bool:
    if walk.ruby is not None:
        walk.ruby.add_reading(" ".join(raw_text(met.element).split()))
    return walk.skip(met.element)


def _ruby_row(walk: Walk, met: Met) -> bool:
    if walk.ruby is not None:
        walk.ruby.begin_row()
        readings = [child for child in met.element if local_name(child) == "rt"]
        for reading in readings or [met.element]:
            walk.ruby.add_reading(" ".join(raw_text(reading).split()))
    return walk.skip(met.element)


# Pictures, formulas, and what stands in for something else.


def _picture(walk: Walk, met: Met) -> bool:
    # A document that is nothing but a drawing is the resource that shows it.
    own = walk.document if met.name == "svg" and met.element.getparent() is None else ""
    for found in find_pictures(met.element):
        _show(walk, found, own)
    if met.name == "svg":
        return walk.skip(met.element)
    # An img element has nothing inside, unless it was never closed.
    return walk.enter_inline(met.element) if met.element.text or len(met.element) else False


def _show(walk: Walk, found: Found, own: str = "") -> None:
    alt = sanitize_line(found.alt)
    if found.is_character and len(alt) == 1:
        walk.flow.text(alt)
    elif found.text:
        walk.flow.end_block()
        walk.flow.text(found.text)
        walk.skipped -= visible_count(found.text)
        walk.flow.end_block()
    else:
        href = walk.links.picture(walk.document, found.reference) if found.reference else own
        width, height = walk.links.picture_size(href) if href else (0, 0)
        walk.flow.picture(href, alt, width or found.width, height or found.height)


def _object(walk: Walk, met: Met) -> bool:
    if met.attributes.get("type", "").startswith("image/"):
        for found in find_pictures(met.element):
            _show(walk, found)
        return walk.skip(met.element)
    return walk.enter_inline(met.element)


def _formula(walk: Walk, met: Met) -> bool:
    text = text_of_formula(met.element)
    walk.flow.text(text)
    walk.skipped -= visible_count(text)
    return walk.skip(met.element)


def _case(walk: Walk, met: Met) -> bool:
    """Leave out a variant for readers with some extension; the default beside it is for us."""
    siblings = islice(met.element.itersiblings(), _MAX_CASES)
    if any(local_name(sibling) == "default" for sibling in siblings):
        return walk.skip(met.element)
    return walk.enter_inline(met.element)


def _left_out(walk: Walk, met: Met) -> bool:
    return walk.skip(met.element)


_Handler = Callable[["Walk", "Met"], bool]
HANDLERS: Mapping[str, _Handler] = {
    **dict.fromkeys(HEADINGS, _heading),
    **dict.fromkeys(LEFT_OUT, _left_out),
    **dict.fromkeys(("ol", "ul", "menu", "dir"), _list),
    **dict.fromkeys(("dt", "dd"), _definition),
    **dict.fromkeys(("td", "th"), _cell),
    **dict.fromkeys(("img", "image", "svg"), _picture),
    **dict.fromkeys(("pre", "listing"), _preformatted),
    "p": _paragraph,
    "br": _line_break,
    "hr": _rule,
    "hgroup": _heading,
    "blockquote": _quote,
    "li": _item,
    "dl": _definitions,
    "nav": _nav,
    "table": _table,
    "thead": _table_head,
    "tr": _row,
    "a": _link,
    "q": _quotation,
    "ruby": _ruby,
    "rb": _ruby_base,
    "rt": _ruby_reading,
    "rtc": _ruby_row,
    "object": _object,
    "math": _formula,
    "case": _case,
}
"""Local name to handler; all other elements are plain blocks or running text."""
