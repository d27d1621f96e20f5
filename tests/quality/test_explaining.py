"""The fixed passages are explained as well as they were, from the replies a capable model gave once."""

from __future__ import annotations

from tests.explaining import cases
from tests.quality.explaining import is_good, replayed, summary


def test_the_passages_are_explained_as_well_as_they_were() -> None:
    found = replayed(cases())
    assert len(found) == 24
    assert is_good(found), "\n".join(summary(found))
    assert sum(each.is_veiled for each in found) <= 1, "\n".join(summary(found))
