"""Where a question was asked from, and what was sent with it, as JSON objects: how they are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.conversations import Attachment, AttachmentKind, Layer, LayerPart, Scene
from engine.domain.locator import Locator, locator_from_text
from engine.domain.models import Json
from engine.domain.wiki import PointId


def record_of_scene(scene: Scene) -> dict[str, Json]:
    """Write a scene as JSON."""
    return {
        "work": scene.work,
        "place": _text(scene.place),
        "selection": _text(scene.selection),
        "point": scene.point,
        "mode": str(scene.mode) if scene.mode is not None else None,
        "attachments": [
            {
                "kind": str(each.kind),
                "work": each.work,
                "label": each.label,
                "locator": _text(each.locator),
                "point": each.point,
                "note": each.note_uid,
            }
            for each in scene.attachments
        ],
    }


def scene_from(record: Mapping[str, Any], moved: Mapping[Locator, Locator] | None = None) -> Scene:
    """Read a scene; what this release cannot read of it is left out.

    Args:
        record: As it was kept.
        moved: Where places stand now, if they have moved.
    """
    attachments = [
        Attachment(
            AttachmentKind(each["kind"]), WorkId(int(each["work"])), str(each["label"]),
            _locator(each.get("locator"), moved), _point(each.get("point")), str(each.get("note", "")),
        )
        for each in record.get("attachments", ())
        if each.get("kind") in set(AttachmentKind)
    ]  # fmt: skip
    mode = record.get("mode")
    return Scene(
        WorkId(int(record["work"])),
        _locator(record.get("place"), moved),
        _locator(record.get("selection"), moved),
        _point(record.get("point")),
        tuple(attachments),
        SpoilerMode(mode) if mode in set(SpoilerMode) else None,
    )


def locators_in(scene: Scene) -> Iterator[Locator]:
    """Yield every place a scene names."""
    named = (scene.place, scene.selection, *(each.locator for each in scene.attachments))
    return (locator for locator in named if locator is not None)


def record_of_layers(layers: tuple[Layer, ...]) -> list[Json]:
    """Write what was sent as JSON."""
    return [
        [each.name, each.budget_tokens, each.tokens, [[part.name, part.tokens, part.cut_tokens] for part in each.parts]]
        for each in layers
    ]


def layers_from(record: list[Any]) -> tuple[Layer, ...]:  # Any: parsed JSON
    """Read what was sent."""
    return tuple(
        Layer(str(name), int(budget), int(tokens), tuple(LayerPart(str(n), int(t), int(c)) for n, t, c in parts))
        for name, budget, tokens, parts in record
    )


def _text(locator: Locator | None) -> str | None:
    return None if locator is None else str(locator)


def _locator(value: object, moved: Mapping[Locator, Locator] | None) -> Locator | None:
    found = locator_from_text(value) if isinstance(value, str) else None
    return moved.get(found, found) if moved and found is not None else found


def _point(value: object) -> PointId | None:
    return PointId(value) if isinstance(value, int) else None
