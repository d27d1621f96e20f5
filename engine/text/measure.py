"""How long a text takes to read."""

from __future__ import annotations

_PER_MINUTE = {"zh": 390.0, "ja": 480.0, "ko": 470.0, "th": 900.0}
"""Characters of fiction read silently in a minute, punctuation included."""
_ELSEWHERE_PER_MINUTE = 1400.0
"""Of alphabets: 250 words of 5.6 characters, space and punctuation included."""


def reading_seconds(characters: int, language: str, *, pace: float = 1.0) -> float:
    """Return the seconds an average reader takes for a number of characters.

    Args:
        characters: Code points; less than 0 counts as 0.
        language: BCP 47, such as "zh-Hans"; only the first part is looked at.
        pace: How many times faster than the average this reader is; 0 or less counts as 1.
    """
    primary = language.replace("_", "-").partition("-")[0].lower()
    per_minute = _PER_MINUTE.get(primary, _ELSEWHERE_PER_MINUTE)
    return max(0, characters) * 60 / (per_minute * (pace if pace > 0 else 1.0))
