"""The analyst can be stopped on its way."""

from __future__ import annotations

import pytest

from engine.analysis.rules.analyst import analyse
from engine.analysis.rules.checks import checked
from tests.builders import make_story, make_text_blocks

STORIES = {
    "en": make_story(
        ["Mr. Vane", "Lucy Archer", "Sir Miles"], ["“Come,” said {}.", "{} went to the door with {other}."]
    ),
    "zh": make_story(["贾云舟", "林碧螺", "沈怀南"], ["{}笑道：“今日天气甚好。”", "那日{}和{other}在河边说了许多话。"]),
    "ja": make_story(["お鈴さん", "源三郎", "久蔵"], ["{}は黙って戸口に立っていた。", "{}と{other}は橋の上で別れた。"]),
}


class StoppedError(Exception):
    """Somebody has asked to stop."""


class Patience:
    """Lets the work be asked about so many times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise StoppedError


@pytest.mark.parametrize("language", STORIES)
@pytest.mark.parametrize("times", [0, 1, 3, 6])
def test_the_analyst_stops_wherever_it_is_told_to(language: str, times: int) -> None:
    with pytest.raises(StoppedError):
        analyse(make_text_blocks(*STORIES[language] * 40), language, Patience(times))


@pytest.mark.parametrize("language", STORIES)
def test_being_asked_changes_nothing_in_what_is_found(language: str) -> None:
    blocks = make_text_blocks(*STORIES[language] * 4)

    assert analyse(blocks, language, Patience(100_000)) == analyse(blocks, language)


def test_a_long_row_is_asked_about_before_each_part_of_it() -> None:
    asked: list[None] = []

    assert list(checked(range(7), lambda: asked.append(None), 3)) == list(range(7))
    assert len(asked) == 3
