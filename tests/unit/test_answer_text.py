"""An answer in Markdown as rows: blocks, marks within lines, and the same rows however it comes in."""

from __future__ import annotations

import random
import time

import pytest

from tests.pace import allowance
from tui.render.answer_text import AnswerText
from tui.render.cells import cell_width
from tui.render.wiki_bits import Ink

_SENTENCES = {
    "en": "Nobody ever *boarded* the 6.40, and still it stood there with its **doors** open [2]. ",
    "zh": "灯塔里的火从来没有熄过，可是**谁**也说不清[1]，第三次添油的人究竟是谁。",
    "ja": "誰も乗らない**六時四十分**の列車は、今夜も扉を開けたまま[1]、雪の中に立っていた。",
}
_MIXED = """# Who lit the lamp

Her uncle, **Tobias Marrow** [1] [2]. The book has *not* said
how he died.

- one
- two, which is long enough to be wrapped over two rows [1]
  - below it
1. first

> a passage
> goes on

| Name | Who |
|---|---|
| 沈砚 | **keeper** [1] |

```
code   here
```
▒▒▒▒▒▒▒ and 2 * 3 * 4 in snake_case_name.
"""


def _rows(text: str, width: int = 40, pieces: int = 10_000) -> list[str]:
    answer = AnswerText(width, {1, 2})
    for start in range(0, len(text), pieces):
        answer.feed(text[start : start + pieces])
    answer.finish()
    return [answer.row(number).text for number in range(len(answer))]


def _inks(text: str, width: int = 40) -> set[tuple[str, Ink]]:
    answer = AnswerText(width, {1, 2})
    answer.feed(text)
    answer.finish()
    return {(bit.text, bit.ink) for number in range(len(answer)) for bit in answer.row(number).bits}


def test_blocks_become_rows() -> None:
    assert _rows(_MIXED) == [
        "Who lit the lamp",
        "",
        "Her uncle, Tobias Marrow¹\u00a0². The book",
        "has not said how he died.",
        "",
        "• one",
        "• two, which is long enough to be",
        "  wrapped over two rows¹",
        "  • below it",
        "1. first",
        "",
        "  a passage goes on",
        "",
        "Name  Who",
        "沈砚  keeper¹",
        "",
        "  code   here",
        "",
        "▒▒▒▒▒▒▒ and 2 * 3 * 4 in",
        "snake_case_name.",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_however_it_comes_in_the_rows_are_the_same(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(rng.choice([_MIXED, *_SENTENCES.values()]) for _each in range(6))
    assert _rows(text, 30, rng.randint(1, 9)) == _rows(text, 30)


@pytest.mark.parametrize("language", sorted(_SENTENCES))
@pytest.mark.parametrize("width", [8, 13, 40, 76])
def test_no_row_is_wider_than_the_window(language: str, width: int) -> None:
    assert max(map(cell_width, _rows(_SENTENCES[language] * 20 + _MIXED, width))) <= max(width, 12)


def test_marks_are_drawn_and_not_shown() -> None:
    inks = _inks("**谁**点的灯？ It is *not* `said` [1]. ▒▒▒")
    assert {("谁", Ink.STRONG), ("not", Ink.EMPHASIS), ("said", Ink.CODE), ("¹", Ink.CITE), ("▒▒▒", Ink.VEIL)} <= inks


def test_the_last_row_of_a_table_needs_no_line_behind_it() -> None:
    assert _rows("| Keeper | Since |\n|---|---|\n| Tobias | the thaw |") == ["Keeper  Since", "Tobias  the thaw"]


def test_a_number_that_is_no_citation_stays_as_it_is() -> None:
    assert _rows("In [7] of the list and [1].") == ["In [7] of the list and¹."]


def test_a_link_leads_nowhere_and_shows_its_words() -> None:
    assert _rows("See [the page](http://127.0.0.1/beacon) there.") == ["See the page there."]


@pytest.mark.parametrize("text", ["**never closed", "a * b", "_x", "`half", "[", "1", "#", "1. one", "\\*plain\\*"])
def test_a_mark_without_its_fellow_is_text(text: str) -> None:
    assert _rows(text)[0].strip() == text.replace("\\", "")


@pytest.mark.parametrize("language", sorted(_SENTENCES))
def test_a_token_costs_the_same_at_the_end_of_a_long_answer(language: str) -> None:
    sentence = _SENTENCES[language]
    text = sentence * (30_000 // len(sentence))
    answer = AnswerText(60, {1, 2})
    answer.feed(text[:-600])
    begun = time.thread_time()
    for start in range(len(text) - 600, len(text), 3):
        answer.feed(text[start : start + 3])
    assert (time.thread_time() - begun) / 200 <= 0.0005 * allowance()
