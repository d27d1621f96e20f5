"""What somebody with several names is called."""

from __future__ import annotations

import pytest

from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.wiki import PointId
from engine.retrieval.called import best_name
from engine.store.points import AliasRow, PointRow


def _named(*names: str, forms: tuple[str, ...]) -> str:
    """Return what an identity is called whose members bear some names, the one that is named most first."""
    rows = [PointRow(PointId(n), PointKind.PERSON, name, name, "", 0, 100 - n) for n, name in enumerate(names, 1)]
    aliases = [
        AliasRow(n, PointId(1), form, form.casefold(), AliasKind.FULL, 0, 0, 0, is_shared=False)
        for n, form in enumerate(forms, 1)
    ]
    return best_name(rows, aliases, {})


@pytest.mark.parametrize(
    ("names", "forms", "expected"),
    [
        (("Captain", "Judith Vale"), ("Captain", "Judith Vale", "Captain Vale"), "Judith Vale"),
        (("Captain", "Jude", "Judith Vale"), ("Captain", "Jude", "Judith Vale", "Captain Vale"), "Jude"),
        (("Captain", "Judith Vale"), ("Captain", "Judith Vale"), "Captain"),
        (("Captain", "Judith Vale"), ("Captain", "Captain Vale"), "Captain"),
        (("Ilse", "Ilse Marrow"), ("Ilse", "Ilse Marrow"), "Ilse"),
        (("曹操", "曹孟德"), ("曹操", "曹孟德", "曹操 曹孟德"), "曹操"),
        (("千景", "千景さん"), ("千景", "千景さん"), "千景"),
    ],
)
def test_a_title_gives_way_to_the_name_it_stands_before(
    names: tuple[str, ...], forms: tuple[str, ...], expected: str
) -> None:
    assert _named(*names, forms=forms) == expected
