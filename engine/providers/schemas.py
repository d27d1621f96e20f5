"""Checking JSON against a schema, and saying what is wrong in words a model can act on.

The words of JSON Schema that are checked: type, enum, const, properties, required,
additionalProperties (false), items, minItems, maxItems, minLength, maxLength, minimum, maximum, anyOf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.domain.models import Json

_MOST_FAULTS = 5
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (Mapping,), "array": (list, tuple), "string": (str,), "boolean": (bool,), "null": (type(None),),
    "integer": (int,), "number": (int, float),
}  # fmt: skip


def faults_in(value: Json, schema: Mapping[str, Json]) -> tuple[str, ...]:
    """Return what is wrong with a value, the first five faults at most; nothing when it fits."""
    found: list[str] = []
    for fault in _faults(value, schema, "the answer"):
        found.append(fault)
        if len(found) == _MOST_FAULTS:
            break
    return tuple(found)


def _faults(value: Json, schema: Mapping[str, Json], where: str) -> Iterator[str]:
    if isinstance(options := schema.get("anyOf"), Sequence):
        if all(any(_faults(value, option, where)) for option in options if isinstance(option, Mapping)):
            yield f"{where} fits none of the forms allowed"
        return
    wanted = schema.get("type")
    types = [wanted] if isinstance(wanted, str) else [str(each) for each in wanted or ()]  # type: ignore[union-attr]  # a list
    if types and not any(_is_a(value, each) for each in types):
        yield f"{where} must be of type {' or '.join(types)}"
        return
    if "enum" in schema and value not in _list(schema["enum"]):
        yield f"{where} must be one of {', '.join(map(str, _list(schema['enum'])))}"
    if "const" in schema and value != schema["const"]:
        yield f"{where} must be {schema['const']}"
    yield from _size_faults(value, schema, where)
    if isinstance(value, Mapping):
        yield from _object_faults(value, schema, where)
    elif isinstance(value, list | tuple) and isinstance(items := schema.get("items"), Mapping):
        for number, each in enumerate(value):
            yield from _faults(each, items, f"{where}[{number}]")


def _object_faults(value: Mapping[str, Json], schema: Mapping[str, Json], where: str) -> Iterator[str]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, Mapping) else {}
    for name in _list(schema.get("required", ())):
        if name not in value:
            yield f"{where} lacks {name!r}"
    for name, each in value.items():
        if isinstance(inner := known.get(name), Mapping):
            yield from _faults(each, inner, f"{where}.{name}")
        elif schema.get("additionalProperties") is False and name not in known:
            yield f"{where} has {name!r}, which is not asked for"


def _size_faults(value: Json, schema: Mapping[str, Json], where: str) -> Iterator[str]:
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        size, words = value, ("minimum", "maximum", "")
    elif isinstance(value, str):
        size, words = len(value), ("minLength", "maxLength", " characters")
    elif isinstance(value, list | tuple):
        size, words = len(value), ("minItems", "maxItems", " items")
    else:
        return
    least, most = schema.get(words[0]), schema.get(words[1])
    if isinstance(least, int | float) and size < least:
        yield f"{where} must be at least {least}{words[2]}"
    if isinstance(most, int | float) and size > most:
        yield f"{where} must be at most {most}{words[2]}"


def _is_a(value: Json, type_: str) -> bool:
    if isinstance(value, bool):  # which Python counts among the integers
        return type_ == "boolean"
    if type_ == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(type_, (object,)))


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list | tuple) else ()
