"""What somebody with several names is called."""

from __future__ import annotations

import pytest

from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.wiki import PointId
from engine.retrieval.called import best_name
from engine.store.points import AliasRow, PointRow


def _named(*names: str, roles: tuple[str, ...] = ()) -> str:
    """Return what an identity is called whose members bear some names, the one that is named most first."""
    rows = [PointRow(PointId(n), PointKind.PERSON, name, name, "", 0, 100 - n) for n, name in enumerate(names, 1)]
    kinds = [AliasKind.ROLE if name in roles else AliasKind.FULL for name in names]
    aliases = [
        AliasRow(n, PointId(n), name, name.casefold(), kind, 0, 0, 0, is_shared=False)
        for n, (name, kind) in enumerate(zip(names, kinds, strict=True), 1)
    ]
    return best_name(rows, aliases, {})


@pytest.mark.parametrize(
    ("names", "roles", "expected"),
    [
        (("Captain", "Jude", "Judith Vale"), ("Captain",), "Judith Vale"),
        (("Captain", "Jude"), ("Captain",), "Jude"),
        (("Captain", "Admiral"), ("Captain", "Admiral"), "Captain"),
        (("Jude", "Captain", "Judith Vale"), ("Captain",), "Jude"),
        (("Ilse", "Ilse Marrow"), (), "Ilse"),
        (("司正", "陆衡"), ("司正",), "陆衡"),
        (("先生", "千景"), ("先生",), "千景"),
    ],
)
def test_an_office_gives_way_to_a_name(names: tuple[str, ...], roles: tuple[str, ...], expected: str) -> None:
    assert _named(*names, roles=roles) == expected
