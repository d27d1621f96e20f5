"""Names written in segments: アンナ・カレーニナ, 修雷·诺赞, 路易=菲利普."""

from __future__ import annotations

import re

from engine.analysis.rules.clusters import Verdict

_SEPARATOR = re.compile(r"[·•・‧⋅･＝=゠﹒]")


def segments_of(form: str) -> tuple[str, ...]:
    """Return the segments of a name; one for a name without separators."""
    return tuple(part for part in _SEPARATOR.split(form) if part)


def compare_segments(a: str, b: str) -> Verdict | None:
    """Say whether two forms, of which one at least has segments, name one person; None when neither has.

    A form is another's only as a whole segment: 蕾娜 is no part of 蕾娜斯·诺赞.
    """
    of_a, of_b = segments_of(a), segments_of(b)
    if len(of_a) < 2 and len(of_b) < 2:
        return None
    if of_a == of_b:
        return Verdict.SAME
    shorter, longer = sorted((of_a, of_b), key=len)
    if len(shorter) == 1:
        return Verdict.ASK if shorter[0] in longer else Verdict.DIFFERENT
    is_abridged = shorter[0] == longer[0] and set(shorter) <= set(longer) and len(shorter) < len(longer)
    return Verdict.ASK if is_abridged else Verdict.DIFFERENT
