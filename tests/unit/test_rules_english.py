"""Who and what an English text is about, found by rules."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.rules.analyst import analyse, choose_rules
from engine.analysis.rules.occurrences import find_occurrences, fold_for_matching
from engine.domain.knowledge import AliasKind, FoundPoint, PointKind, Roster, TextBlock
from tests.builders import make_text_blocks

_SCENE = (
    "“Good morning,” said Adrian Vane. Mr. Vane was in no hurry.",
    "Adrian looked up. “Miss Hale is in Thornbury,” he said, and Vane’s face fell.",
    "Lucy Hale laughed. Miss Hale had come from Thornbury by the early coach. “Lucy!” cried Mr. Vane.",
    "Lucy shook her head. The Harbour Company had lost a ship, and the Harbour Company never forgave.",
)


def _roster(*texts: str, language: str = "en") -> Roster:
    return analyse(make_text_blocks(*texts), language)


def _point(roster: Roster, name: str) -> FoundPoint:
    (found,) = [p for p in roster.points if any(alias.form == name for alias in p.aliases)]
    return found


def _kinds(roster: Roster) -> dict[str, PointKind]:
    return {point.name: point.kind for point in roster.points}


def test_people_places_and_organisations_are_told_apart() -> None:
    assert _kinds(_roster(*_SCENE)) == {
        "Adrian Vane": PointKind.PERSON,
        "Lucy Hale": PointKind.PERSON,
        "Thornbury": PointKind.PLACE,
        "Harbour Company": PointKind.ORGANISATION,
    }


def test_the_names_of_one_person_come_in_the_order_they_are_revealed() -> None:
    aliases = _point(_roster(*_SCENE), "Vane").aliases
    assert [(alias.form, alias.kind) for alias in aliases] == [
        ("Adrian Vane", AliasKind.FULL),
        ("Mr. Vane", AliasKind.TITLED),
        ("Adrian", AliasKind.GIVEN),
        ("Vane", AliasKind.FAMILY),
    ]


def test_each_mention_is_where_the_text_says_so() -> None:
    blocks = make_text_blocks(*_SCENE)
    point = _point(analyse(blocks, "en"), "Vane")
    assert [blocks[m.block].text[m.start : m.end] for m in point.mentions] == [
        "Adrian Vane", "Mr. Vane", "Adrian", "Vane", "Mr. Vane",
    ]  # fmt: skip


def test_a_name_is_known_from_its_first_letter_on() -> None:
    blocks = make_text_blocks(*_SCENE)
    alias = _point(analyse(blocks, "en"), "Vane").aliases[0]
    assert (alias.first_pos, alias.reveal_pos) == (blocks[0].text.index("Adrian"),) * 2


def test_surname_and_given_name_stay_apart_until_the_full_name_stands() -> None:
    blocks = make_text_blocks(
        "“Come here,” said Vane. Vane was tired. “No,” replied Vane.",
        "Adrian laughed. “Never,” said Adrian. Adrian shook his head.",
        "“Adrian Vane,” he said, “that is my name.” Adrian Vane bowed.",
    )
    reveal = {a.form: a.reveal_pos for a in _point(analyse(blocks, "en"), "Vane").aliases}
    whole = blocks[2].pos + 1
    assert reveal == {"Vane": blocks[0].text.index("Vane"), "Adrian": whole, "Adrian Vane": whole}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Annihilation came. Ann slept.", [("Ann", 19)]),
        ("Mr.\u00a0Vane and Ann’s cat", [("Mr. Vane", 0), ("Ann", 13)]),
        ("Ann Vane was not Ann.", [("Ann Vane", 0), ("Ann", 17)]),
        ("Joann, Ann-Marie, Anne", [("Ann", 7)]),
        ("剣が光る。Annは笑った。", [("Ann", 5)]),
        ("", []),
    ],
)
def test_forms_are_found_longest_first_and_never_inside_a_word(text: str, expected: list[tuple[str, int]]) -> None:
    found = find_occurrences(make_text_blocks(text), ["Ann", "Ann Vane", "Mr. Vane", "A", "？", "", " "])
    assert [(o.form, o.start) for o in found] == expected


def test_a_shared_surname_goes_to_whoever_is_called_by_it() -> None:
    roster = _roster(
        "“Well,” said Mr. Sand. Mr. John Sand was old. “Yes,” said Mr. Sand. Mr. Sand slept.",
        "“Father!” cried Peter. Peter Sand was young. “Peter,” said Mr. Sand. Peter laughed. Peter Sand ran.",
        "“Sand is a fool,” replied the clerk. “Sand will pay,” said Peter.",
    )
    john, peter = _point(roster, "Mr. Sand"), _point(roster, "Peter")
    counts = [{a.form: (a.count, a.is_shared) for a in p.aliases}["Sand"] for p in (john, peter)]
    assert counts == [(2, True), (0, True)]


def test_a_role_that_speaks_is_a_name() -> None:
    roster = _roster(
        "“Tea,” said the Hatter. The Hatter poured. “More,” the Hatter said. “Never,” cried the Hatter.",
        "The Hatter looked at the March Hare. “Cake,” said the Hare. “Cake,” said the March Hare.",
        "The March Hare sighed. “No,” said the Hare. The Hare went to sleep.",
    )
    assert {p.name for p in roster.points if p.kind is PointKind.PERSON} == {"Hatter", "March Hare"}


def test_a_family_in_the_plural_is_nobody() -> None:
    roster = _roster(
        "“Come,” said Mr. Hale. Mr. Hale rose. “Go,” said Mr. Hale.",
        "The Hales were proud. “Ask the Hales,” said Mr. Hale. The Hales left.",
    )
    assert {p.name for p in roster.points} == {"Mr. Hale"}


def test_a_term_of_the_book_is_a_concept() -> None:
    roster = _roster("She drew on the Undertow.", "No one holds the Undertow for long; he knew the Undertow well.")
    assert _kinds(roster) == {"Undertow": PointKind.CONCEPT}


def test_headings_teach_nothing_but_are_read() -> None:
    roster = _roster("# A Visit From Mr. Vane", "“Yes,” said Mr. Vane.", "Mr. Vane slept.")
    assert [(p.name, p.count, p.first_pos) for p in roster.points] == [("Mr. Vane", 3, 13)]


def test_the_books_own_list_names_who_the_text_alone_does_not_show() -> None:
    roster = analyse(
        make_text_blocks(
            "# Dramatis Personae", "ADRIAN VANE, a miller", "Rook — his cat", "Mrs. Pell: the neighbour",
            "# Chapter One", "Vane came home.", "Rook was asleep.",
        ), "en",
    )  # fmt: skip
    assert {(p.name, p.count, p.is_listed) for p in roster.points} == {
        ("Vane", 2, True), ("Rook", 2, True), ("Mrs. Pell", 1, True),
    }  # fmt: skip


def test_a_glossary_names_terms() -> None:
    roster = _roster(
        "# Glossary", "Undertow: the pull", "Warden — who holds it", "Slack, a calm", "# I", "Nothing more."
    )
    assert _kinds(roster) == dict.fromkeys(("Undertow", "Warden", "Slack"), PointKind.CONCEPT)


def test_honorifics_of_translated_novels_are_titles() -> None:
    roster = _roster(
        "“Lena-chan!” cried Tanaka. Lena laughed. “Yes, Tanaka-san,” said Lena.",
        "Tanaka nodded. “Good,” said Tanaka. Lena sighed. “Lena-chan,” said Tanaka.",
    )
    assert {p.name: {a.form for a in p.aliases} for p in roster.points} == {
        "Lena": {"Lena", "Lena-chan"},
        "Tanaka": {"Tanaka", "Tanaka-san"},
    }


def test_a_break_ends_a_scene_and_only_company_counts() -> None:
    roster = _roster(
        "“Yes,” said Mr. Vane to Miss Hale.",
        "“No,” said Miss Hale.",
        "* * *",
        "“Never,” said Mr. Vane.",
        "Mr. Vane slept.",
    )
    vane, hale = [p.name for p in roster.points].index("Mr. Vane"), [p.name for p in roster.points].index("Miss Hale")
    assert [(s.first_block, s.last_block, set(s.points)) for s in roster.scenes] == [
        (0, 1, {vane, hale}),
        (3, 4, {vane}),
    ]
    assert [(c.a, c.b, c.scenes) for c in roster.companions] == [(min(vane, hale), max(vane, hale), 1)]


def test_the_cast_of_each_chapter_is_counted() -> None:
    first = make_text_blocks("“Yes,” said Mr. Vane.", "Mr. Vane slept.", chapter=0)
    second = make_text_blocks("“No,” said Mr. Vane.", chapter=1, pos=1000)
    roster = analyse([*first, *second], "en")
    assert [(cast.chapter, cast.counts) for cast in roster.casts] == [(0, ((0, 2),)), (1, ((0, 1),))]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("“Yes,” said Mr. Vane.", "en-GB", "en"),
        ("« Oui », dit M. Vane.", "fr", "en"),
        ("“Yes,” said Mr. Vane.", "", "en"),
        ("蕾娜走进了房间。", "zh-Hant", "zh"),
        ("蕾娜走进了房间。", "", "zh"),
        ("彼女は本を読んだ。", "ja", "ja"),
        ("彼女は本を読んだ。", "und", "ja"),
        ("彼女は本を読んだ。", "en", "ja"),
        ("Привет, мир", "ru", "en"),
        ("", "", "en"),
    ],
)
def test_the_script_decides_where_the_language_does_not(text: str, language: str, expected: str) -> None:
    assert choose_rules(make_text_blocks(text), language) == expected


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("",),
        ("？", "…", "* * *"),
        ("HP: 100/100 [SKILL ACQUIRED: FLAME BOLT LV. 3]", "LENA!!! NOOOO", "Lv.99 Lena used Fire Ball."),
        ("蕾娜 said to Lena: 你好, Mr. 王. アリス nodded to Dr. ファウスト.",),
        ("Mr. Mr. Mr. Mrs. Dr. Sir Lady of of the The",),
        ("A" * 50_000, "Aa " * 20_000, "Mr. " * 5_000, "’" * 9_999, "Ab-" * 9_999, "Of Of Of of the " * 2_000),
        ("\u202eMr. Vane\u202c 🏴‍☠️ \x00 \ud7ff \uffff",),
        ("Dramatis Personae",),
        ("_Mr._ _Vane_ said “_I_”",),
    ],
)
def test_odd_input_is_read_without_a_fall(texts: tuple[str, ...]) -> None:
    assert isinstance(_roster(*texts), Roster)


_WORDS = st.sampled_from(
    ["Mr.", "Vane", "Adrian", "said", "“Yes,”", "“", "”", ".", "and", "the", "Hale", "Lizzy", "Elizabeth", "Miss", "in",
     "of", "Thornbury", "Street", "King", "Hearts", "’s", "\n", "Sand", "\u00a0", "Mrs.", "de", "Old", "Vane-san", "王"]
)  # fmt: skip


def _check_alias_order(point: FoundPoint, blocks: list[TextBlock]) -> None:
    first: dict[str, int] = {}
    for mention in point.mentions:
        form = point.aliases[mention.alias].form
        text = blocks[mention.block].text[mention.start : mention.end]
        assert fold_for_matching(text) == fold_for_matching(form)
        first.setdefault(form, blocks[mention.block].pos + mention.start)
    for alias in point.aliases:
        assert alias.reveal_pos >= alias.first_pos
        assert first.get(alias.form, alias.first_pos) >= alias.first_pos
    assert point.name in {alias.form for alias in point.aliases}
    assert [a.reveal_pos for a in point.aliases] == sorted(a.reveal_pos for a in point.aliases)
    assert point.count == sum(alias.count for alias in point.aliases)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(_WORDS, max_size=30).map(" ".join), max_size=8))
def test_whatever_the_text_mentions_never_overlap_and_nothing_is_known_too_early(texts: list[str]) -> None:
    blocks = make_text_blocks(*texts)
    roster = analyse(blocks, "en")
    for point in roster.points:
        _check_alias_order(point, blocks)
    spans = sorted((m.block, m.start, m.end) for p in roster.points for m in p.mentions)
    assert all(a[0] < b[0] or a[2] <= b[1] for a, b in pairwise(spans))
    assert roster == analyse(blocks, "en")


def test_nobody_is_known_by_a_shared_name_before_she_is_met() -> None:
    early = "Mr. Darcy bowed. Mr. Darcy was tall, and Darcy was silent. Fitzwilliam Darcy looked at Mr. Darcy's horse."
    late = "Georgiana Darcy came in. Miss Darcy smiled; Georgiana Darcy played, and Miss Darcy sang for Elizabeth."
    blocks = make_text_blocks(*[early] * 4, *[late] * 4)
    georgiana = [p for p in analyse(blocks, "en").points if any("Georgiana" in a.form for a in p.aliases)]
    assert georgiana
    assert min(alias.reveal_pos for alias in georgiana[0].aliases) >= blocks[4].pos


def test_two_spellings_of_a_street_are_one_place() -> None:
    roster = _roster(
        "They lived in Marsh-street, near the river.",
        "We came to Marsh Street and stopped in Marsh Street again.",
    )

    assert [{a.form for a in p.aliases} for p in roster.points if p.kind is PointKind.PLACE] == [
        {"Marsh-street", "Marsh Street"}
    ]


def test_a_queen_named_by_her_land_is_not_everybody_of_that_name() -> None:
    roster = _roster(
        *["“No,” said Anne of Lorne.", "He saw Anne of Lorne at the window.", "Anne Vere smiled at him."] * 4
    )

    assert {"Anne of Lorne"} in [{a.form for a in p.aliases} for p in roster.points]


def test_a_name_with_a_patronymic_is_a_persons() -> None:
    roster = _roster("He lodged with Pavel Ilyitch in those days.", "The room of Pavel Ilyitch was cold.")

    assert _point(roster, "Pavel Ilyitch").kind is PointKind.PERSON


def test_what_a_speaker_feels_is_no_part_of_a_name() -> None:
    roster = _roster(*_SCENE, "“Poor Lucy!” said Mr. Vane. “Dearest Lucy Hale!”")

    assert not [a.form for p in roster.points for a in p.aliases if a.form.startswith(("Poor", "Dearest"))]


def test_a_street_called_after_a_king_is_a_place() -> None:
    roster = _roster("We drove down King Edgar Street.", "A house in King Edgar Street was let.")

    assert _point(roster, "King Edgar Street").kind is PointKind.PLACE
