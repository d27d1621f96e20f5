"""The catalogues hold every message of the sources, translated whole, and nothing that could break a sentence."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from engine.locale import strings
from engine.locale.compile import mo_from_po
from engine.text.width import width_cells
from engine.translate import CATALOGUES
from tests.commands import CHECKOUT

_FOLDER = CHECKOUT / "engine" / "locale"
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
# What is typed, or named as it stands in a file, is the same in every language.
_VERBATIM = re.compile(r"`[^`]+`|--\w+|\b(?!FAILED\b)[A-Z]{3,}(?:=[\w-]+)?|\b\w+\.toml\b|understory://|\[y/N\]")
_ROW_CELLS = 76
_HAN_OR_KANA = "[\u3040-\u30ff\u4e00-\u9fff]"
_HALF_STOP = re.compile(f"{_HAN_OR_KANA}[,.;:!?()]|[,;:!?()]{_HAN_OR_KANA}")


def _po(language: str) -> Path:
    return _FOLDER / language / "LC_MESSAGES" / "understory.po"


@cache
def _catalogue(language: str) -> Catalog:
    with _po(language).open("rb") as file:
        return read_po(file, locale=language)


def _entries(language: str) -> list[Message]:
    return [message for message in _catalogue(language) if message.id]


def _ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


@cache
def _template() -> Catalog:
    return strings.template()


def _keys(catalogue: Catalog) -> set[tuple[str, ...]]:
    return {_ids(message) for message in catalogue if message.id}


def test_the_template_is_that_of_the_sources() -> None:
    """`make strings` brings it in step."""
    with (_FOLDER / "understory.pot").open("rb") as file:
        written = _keys(read_po(file))
    found = _keys(_template())
    assert (sorted(found - written), sorted(written - found)) == ([], [])


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_message_is_translated(language: str) -> None:
    entries = {_ids(message): message for message in _entries(language)}
    missing = [ids for ids in sorted(_keys(_template())) if ids not in entries or not all(_forms(entries[ids]))]
    fuzzy = [ids for ids, message in entries.items() if message.fuzzy]
    assert (missing, fuzzy) == ([], [])


@pytest.mark.parametrize("language", CATALOGUES)
def test_nothing_is_translated_that_nobody_says(language: str) -> None:
    assert sorted(_keys(_catalogue(language)) - _keys(_template())) == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_placeholder_stands_in_the_translation(language: str) -> None:
    wrong = [
        (ids[-1], form)
        for message in _entries(language)
        for ids in [_ids(message)]
        for form in _forms(message)
        if sorted(_PLACEHOLDER.findall(ids[-1])) != sorted(_PLACEHOLDER.findall(form))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_what_is_typed_stays_as_it_is(language: str) -> None:
    wrong = [
        (message.id, form)
        for message in _entries(language)
        for form in _forms(message)
        if set(_VERBATIM.findall(_ids(message)[-1])) - set(_VERBATIM.findall(form))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_blanks_and_lines_are_those_of_the_message(language: str) -> None:
    def shape(text: str) -> tuple[bool, int]:
        return text != text.lstrip(), text.count("\n")

    wrong = [
        (message.id, form)
        for message in _entries(language)
        for form in _forms(message)
        if shape(_ids(message)[-1]) != shape(form)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_no_western_stop_stands_beside_a_character(language: str) -> None:
    found = [form for message in _entries(language) for form in _forms(message) if _HALF_STOP.search(form)]
    assert found == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_what_is_said_in_one_row_fits_80_columns(language: str) -> None:
    """Or is at least no longer than in English."""
    wrong = [
        (ids[-1], form)
        for message in _entries(language)
        if any(file.startswith(("tui/screens/", "tui/widgets/", "tui/commands")) for file, _line in message.locations)
        for ids in [_ids(message)]
        for form in _forms(message)
        if width_cells(_PLACEHOLDER.sub("", form)) > max(_ROW_CELLS, width_cells(_PLACEHOLDER.sub("", ids[-1])))
    ]
    assert wrong == []


def test_numbers_are_shown_as_the_language_has_them() -> None:
    """By `grouped` and `_("{share} %")`: 41 % and 412 000 in English are 41% and 412,000 elsewhere."""
    sources = [path for room in ("engine", "tui") for path in (CHECKOUT / room).rglob("*.py")]
    found = [
        f"{path.name}: {line.strip()}"
        for path in sources
        if path != CHECKOUT / "engine" / "translate.py"
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"""f["'][^"']*\} %|:,\}""", line)
    ]
    assert found == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_each_language_has_its_one_plural_form(language: str) -> None:
    catalogue = _catalogue(language)
    assert (catalogue.num_plurals, catalogue.plural_expr) == (1, "0")
    counted = [message for message in _entries(language) if not isinstance(message.id, str)]
    assert counted
    assert [message.id for message in counted if len(_forms(message)) != 1] == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_the_compiled_catalogue_says_what_the_written_one_does(language: str) -> None:
    compiled = read_mo(io.BytesIO(mo_from_po(_po(language).read_text("utf-8"))))
    assert {(_ids(each), _forms(each)) for each in compiled if each.id} == {
        (_ids(each), _forms(each)) for each in _entries(language) if all(_forms(each))
    }


@pytest.mark.parametrize("language", CATALOGUES)
def test_what_is_built_is_what_is_written(language: str) -> None:
    """`make samples` builds it."""
    assert _po(language).with_suffix(".mo").read_bytes() == mo_from_po(_po(language).read_text("utf-8"))
