"""Japanese: short and long forms of one name, and what only looks like a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.analysis.rules import japanese
from engine.analysis.rules.grams import make_gram
from engine.analysis.rules.japanese_aliases import group_people
from engine.analysis.rules.japanese_people import find_names, learn_person_usage
from engine.analysis.rules.japanese_runs import Candidate, find_candidates
from engine.analysis.rules.roster import build_roster
from engine.domain.book import Ruby
from engine.domain.knowledge import AliasKind
from tests.builders import make_story, make_text_blocks
from tests.unit.test_rules_japanese import FRAMES, NAMES, PLAIN_FRAMES, forms_of, point_of, roster_of


def candidates_of(people: Mapping[str, int], *, places: tuple[str, ...] = ()) -> dict[str, Candidate]:
    return {
        form: Candidate(
            gram=make_gram(form, {"": n}, {"": n}, {"、": n}),
            titles={},
            person=0.0 if form in places else 1.0,
            place=1.0 if form in places else 0.0,
            ordinary=0.0,
            unknown=0.0,
            naming=0,
            locating=0,
        )
        for form, n in people.items()
    }


def are_one(a: str, b: str, people: Mapping[str, int], text: str, *, places: tuple[str, ...] = ()) -> bool:
    return group_people(people, candidates_of(people, places=places), text).are_one(a, b)


def test_a_short_form_is_the_only_name_near_it_that_begins_so() -> None:
    assert are_one("清之", "清之助", {"清之": 4, "清之助": 20}, "清之助は来た。清之は笑った。清之助が頷く。")


def test_a_short_form_far_from_the_long_one_is_somebody_else() -> None:
    text = "清之助は来た。" + "雨が降る。" * 5000 + "清之は笑った。"

    assert not are_one("清之", "清之助", {"清之": 4, "清之助": 20}, text)


def test_two_who_are_named_together_are_two() -> None:
    assert not are_one("清之", "清之助", {"清之": 4, "清之助": 20}, "清之と清之助は来た。清之は笑った。")


def test_a_short_form_two_names_begin_with_is_nobodys() -> None:
    people = {"清之": 4, "清之助": 20, "清之進": 20}

    assert not are_one("清之", "清之助", people, "清之助と清之進が来た。清之は笑った。")


def test_the_sign_of_a_house_before_a_name_makes_no_other_person() -> None:
    groups = group_people({"丸子屋清吉": 3, "清吉": 9}, candidates_of({"丸子屋清吉": 3, "清吉": 9}), "丸子屋清吉と清吉")

    assert groups.are_one("丸子屋清吉", "清吉")
    assert groups.kind_of("丸子屋清吉") is AliasKind.TITLED


def test_a_family_name_is_the_one_whole_name_that_begins_so() -> None:
    people = {"榊木": 20, "榊木庄五郎": 4}

    assert are_one("榊木", "榊木庄五郎", people, "榊木庄五郎は榊木と呼ばれた。")


def test_the_name_of_a_place_is_nobodys_family_name() -> None:
    people = {"榊木": 20, "榊木庄五郎": 4}

    assert not are_one("榊木", "榊木庄五郎", people, "榊木庄五郎は榊木にいた。", places=("榊木",))


@pytest.mark.parametrize("glued", ["突然桐生", "早々桐生", "生憎桐生"])
def test_an_adverb_before_a_name_is_no_part_of_it(glued: str) -> None:
    story = [*make_story(NAMES, FRAMES), *make_story([glued, "お蘭"], PLAIN_FRAMES[2:])]

    assert all(glued not in forms_of(point) for point in roster_of(story).points)


@pytest.mark.parametrize("word", ["月見時代", "蘭花語", "安永五年", "北方族", "月光焼"])
def test_a_time_a_tongue_or_a_people_is_no_person(word: str) -> None:
    text = "\n".join([*make_story(NAMES, FRAMES), *make_story([word, "お蘭"], PLAIN_FRAMES)])
    candidates = find_candidates(text, None, 2)

    assert word not in find_names(candidates, learn_person_usage(candidates), fewest=3, is_tagged=False)


@pytest.mark.parametrize(("times", "is_alias"), [(0, True), (4, False)])
def test_a_reading_is_a_name_unless_it_is_a_word_of_the_text(times: int, *, is_alias: bool) -> None:
    blocks = make_text_blocks(*make_story(NAMES, FRAMES), *["きりゅうに波が寄せた。"] * times)
    first = next(i for i, block in enumerate(blocks) if "桐生" in block.text)
    at = blocks[first].text.index("桐生")
    blocks[first] = replace(blocks[first], readings=(Ruby(at, at + 2, "きりゅう"),))

    point = point_of(build_roster(blocks, japanese.find_clusters(blocks)), "桐生")

    assert ("きりゅう" in forms_of(point)) == is_alias
