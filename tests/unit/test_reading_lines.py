"""A model's lines taken apart: what is right is kept, what is broken costs nothing but itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.lines import parse_reading, split_cited
from engine.analysis.proposals import Basis, Cited, FactStatus, LearnedHow, Sureness
from engine.domain.knowledge import PointKind

_REPLY = """Here are the lines:
```
#p1 person 5 Ilse Marrow [2|Her name was Ilse]
=Miss Marrow [9|arrived, Miss Marrow]
-Ilse is fifteen. [2|She was fifteen]
-Ilse is to walk towards the lamp. [4|walk towards][8|Walk towards the lamp]
>k1 niece of [6|My dear niece]
#k1 4
-Tobias cannot meet her. [8|I cannot meet you]
*p1,k1 | that evening | Ashfall | Ilse comes by the last train. [1|last train of the thaw]
&p1 k3 narrator [12|the Lamplighter’s girl]
?q1 Why is there no engine? [20|no engine]
!q1 It is the thaw. [22|It’s the thaw]
$f1 shown k2,p1 | The train never leaves. [20|no engine]
%f1 p1 witnessed certain [20|no engine]
@1 Ilse comes to Ashfall. [1|one passenger]
~1 A girl comes by the last train.
^ Ilse has come to her uncle.
```
"""


def test_every_kind_of_line_is_understood() -> None:
    found = parse_reading(_REPLY)
    assert (found.lines, found.strays) == (16, 1)
    ilse, tobias = found.points
    assert (ilse.key, ilse.kind, ilse.importance, ilse.name) == ("p1", PointKind.PERSON, 5, "Ilse Marrow")
    assert ilse.cited == (Cited(2, "Her name was Ilse"),)
    assert [form.text for form in ilse.forms] == ["Miss Marrow"]
    assert ilse.notes[1].cited == (Cited(4, "walk towards"), Cited(8, "Walk towards the lamp"))
    assert (ilse.relations[0].other, ilse.relations[0].said.text) == ("k1", "niece of")
    assert (tobias.key, tobias.kind, tobias.importance) == ("k1", None, 4)
    assert (found.events[0].who, found.events[0].where) == (("p1", "k1"), "Ashfall")
    assert found.identities[0].basis is Basis.NARRATOR
    assert [question.is_answer for question in found.questions] == [False, True]
    assert (found.facts[0].status, found.facts[0].hidden_from) == (FactStatus.SHOWN, ("k2", "p1"))
    assert (found.learnings[0].how, found.learnings[0].sure) == (LearnedHow.WITNESSED, Sureness.CERTAIN)
    assert [each.is_teaser for each in found.chapters] == [False, True]
    assert found.gist == "Ilse has come to her uncle."


@pytest.mark.parametrize(
    ("line", "text", "cited"),
    [
        ("Ilse came. [3|the last train]", "Ilse came.", (Cited(3, "the last train"),)),
        ("沈砚抄书。［12｜替人抄书］", "沈砚抄书。", (Cited(12, "替人抄书"),)),
        ("綾は傘を持つ。【4|「傘を持って」】", "綾は傘を持つ。", (Cited(4, "傘を持って"),)),
        ("Two. [1|one] [2|two]", "Two.", (Cited(1, "one"), Cited(2, "two"))),
        ("He wrote [sic] here. [5|wrote [sic] here]", "He wrote [sic] here.", (Cited(5, "wrote [sic] here"),)),
        ("Nothing cited.", "Nothing cited.", ()),
        ("A number [12] alone.", "A number [12] alone.", ()),
    ],
)
def test_evidence_stands_at_the_end_of_a_line(line: str, text: str, cited: tuple[Cited, ...]) -> None:
    assert split_cited(line) == (text, cited)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I'm sorry, I can't help with that.",
        '{"points": []}',
        "<html><body>Sign in</body></html>",
        "-a note of nobody [1|x]",
    ],
)
def test_a_reply_without_a_line_is_empty(reply: str) -> None:
    found = parse_reading(reply)
    assert found.lines == 0
    assert not found.points


def test_a_reply_cut_off_loses_its_last_line_only() -> None:
    found = parse_reading("#p1 person 5 Ilse [1|Ilse]\n-She is fifteen. [2|She was fifteen]\n-She is to walk tow")
    assert [note.cited for note in found.points[0].notes] == [(Cited(2, "She was fifteen"),), ()]


def test_what_could_drive_a_terminal_is_gone() -> None:
    found = parse_reading("#p1 person 5 Il\x1b]52;c;x\x07se\u202e [1|Ilse]")
    assert "\x1b" not in found.points[0].name
    assert "\u202e" not in found.points[0].name


@given(st.text(alphabet="#=->&*?!$%@~^kpfq123 |[]x\n\x1b［］", max_size=300))
def test_no_reply_breaks_the_parser(reply: str) -> None:
    parse_reading(reply)
