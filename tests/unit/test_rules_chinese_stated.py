"""Chinese: what the text itself says of names, and whom titles mean."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.analysis.rules.chinese_aliases import group_people
from engine.analysis.rules.chinese_cuts import without_verbs
from engine.analysis.rules.chinese_people import find_people, learn_person_usage, names_in_rows
from engine.analysis.rules.chinese_places import find_terms, join_places
from engine.analysis.rules.chinese_rulers import join_rulers
from engine.analysis.rules.chinese_stated import Passage, appositions, introduced_names, stated_names
from engine.analysis.rules.grams import count_grams, make_gram
from engine.analysis.rules.groups import NameGroups
from engine.domain.knowledge import AliasKind, PointKind
from tests.builders import make_story

PEOPLE = dict.fromkeys(("陆衡", "陆蘅舟", "沈怀南", "欧阳澈", "许遥", "许渡"), 20)

STATED = [
    ("那人道：“吾姓陆名衡，字持平，后改子均，是本地人。”", {("陆衡", "持平"), ("陆衡", "子均")}),
    ("来者姓陆，名衡，字持平者也。", {("陆衡", "持平")}),
    ("此人复姓欧阳，名澈，表字明远。", {("欧阳澈", "明远")}),
    ("沈怀南，江南人也，字季野。", {("沈怀南", "季野")}),
    ("命许遥为主簿。遥字伯望，河内人。", {("许遥", "伯望")}),
    ("却说许渡有一子，许遥正在门外。渡字仲济，为人谨慎。", {("许渡", "仲济")}),
    ("许渡生二子：长子名遥，字伯望，次子早亡。", {("许遥", "伯望")}),
    ("陆衡字持平，道号松溪先生，隐居山中。", {("陆衡", "持平"), ("陆衡", "松溪先生")}),
    ("那年冬天，柳氏生沈怀南。是夜大雪，故乳名雪奴。", {("沈怀南", "雪奴")}),
    ("只见一面旗上写着帅字旗号。", set()),
    ("陆衡号令严明，军士皆服。", set()),
    ("遥字伯望，无人知他来历。", set()),
]


def passages_of(*texts: str) -> list[Passage]:
    return [Passage(text, 100 * (i + 1)) for i, text in enumerate(texts)]


def group_with(people: dict[str, int], *texts: str) -> NameGroups:
    return group_people(people, passages_of(*texts), Counter(people))


@pytest.mark.parametrize(("text", "expected"), STATED, ids=[text for text, _expected in STATED])
def test_the_text_says_how_else_somebody_is_called(text: str, expected: set[tuple[str, str]]) -> None:
    assert {(each.name, each.other) for each in stated_names(passages_of(text), PEOPLE)} == expected


def test_a_name_told_part_by_part_is_introduced() -> None:
    assert introduced_names("那人姓陆，名衡，字持平。陆衡道：“正是。”") == {"陆衡": 1}


def test_a_courtesy_name_two_people_bear_joins_neither_to_the_other() -> None:
    groups = group_with(PEOPLE, "陆衡，字子远。", "沈怀南，字子远。", "子远与子远相见。")

    assert not groups.are_one("陆衡", "沈怀南")
    shared = [c for c in groups.clusters(PEOPLE) if "子远" in c.forms]
    assert {cluster.name for cluster in shared} == {"陆衡", "沈怀南"}
    assert {link.pos for cluster in shared for link in cluster.links} == {100, 200}


def test_what_stands_before_a_title_in_a_stated_name_is_a_name_too() -> None:
    groups = group_with(PEOPLE | {"松溪": 9}, "陆衡字持平，道号松溪先生。", "松溪先生说松溪先生的话。")

    assert groups.are_one("松溪", "陆衡")


def test_an_office_before_a_name_is_no_other_person() -> None:
    groups = group_with(PEOPLE | {"司徒陆衡": 4}, "司徒陆衡道：“不可。”")

    assert groups.are_one("司徒陆衡", "陆衡")


def test_a_title_means_the_one_whom_the_text_gives_the_office() -> None:
    people = {"许遥": 30, "许渡": 20, "许都督": 5}

    groups = group_with(people, "都督许渡领兵而来。", "许都督大怒。")

    assert groups.are_one("许都督", "许渡")


def test_a_title_means_the_one_of_the_family_who_is_named_by_far_the_most() -> None:
    groups = group_with({"许遥": 90, "许渡": 20, "许丞相": 5}, "许遥坐在帐中。", "许丞相不肯。")

    assert groups.are_one("许丞相", "许遥")


def test_a_master_who_keeps_other_company_stands_apart() -> None:
    texts = ["许遥上马。"] * 4 + ["许公在城中。"] * 3

    groups = group_with({"许遥": 90, "许公": 9}, *texts)

    assert not groups.are_one("许公", "许遥")


def test_a_master_is_the_one_who_is_named_in_the_same_passages() -> None:
    texts = ["许遥上马，许公便行。"] * 3 + ["沈怀南在家。"] * 9

    groups = group_with({"许遥": 90, "许公": 9, "沈怀南": 9}, *texts)

    assert groups.are_one("许公", "许遥")


def test_a_title_does_not_mean_one_who_is_never_near() -> None:
    texts = ["许遥坐在帐中。", *["沈怀南在家。"] * 12, "许太医来了。"]

    groups = group_with({"许遥": 9, "沈怀南": 90, "许太医": 5}, *texts)

    assert not groups.are_one("许太医", "许遥")


def test_a_title_after_a_family_name_does_not_mean_one_who_is_hardly_called_by_it() -> None:
    people = {"许碧月": 3, "月姐": 300, "许太医": 5}

    groups = group_with(people, "月姐请许太医来看许碧月。")

    assert groups.are_one("月姐", "许碧月")
    assert not groups.are_one("许太医", "许碧月")


def test_a_given_name_of_two_is_the_one_whose_house_is_all_about() -> None:
    people = {"陆碧螺": 9, "沈碧螺": 9, "碧螺": 300, "陆衡": 200, "陆蘅舟": 90}

    assert group_with(people).are_one("碧螺", "陆碧螺")


def test_a_throne_passes_on_and_is_each_bearers_from_where_the_text_says_so() -> None:
    groups = NameGroups()
    for name in ("许遥", "许渡"):
        groups.add(name, AliasKind.FULL)
    texts = ["许遥生许渡。", "魏主许遥驾崩。", "魏主许遥已葬。", "魏主许渡即位。"]

    join_rulers(groups, ["魏主"], passages_of(*texts))

    links = {(link.b, link.pos) for cluster in groups.clusters({}) for link in cluster.links}
    assert links == {("许遥", 200), ("许渡", 400)}


def test_a_throne_of_one_is_an_alias() -> None:
    groups = NameGroups()
    groups.add("许遥", AliasKind.FULL)

    join_rulers(groups, ["后主"], passages_of("后主许遥登殿。", "后主许遥不悦。"))

    assert groups.are_one("后主", "许遥")


def test_names_after_titles_are_counted() -> None:
    assert appositions("都督许渡与都督许遥，都督来了", ["都督"], PEOPLE)["都督"] == Counter({"许渡": 1, "许遥": 1})


def test_a_given_name_with_a_verb_is_no_name() -> None:
    grams = {
        form: make_gram(form, {"": n}, {"": n}, {"，": n})
        for form, n in (("沈操", 90), ("操怒", 7), ("玄平", 80), ("玄平谢", 5))
    }

    assert without_verbs(set(grams), grams) == {"沈操", "玄平"}


def test_one_who_is_only_named_in_rows_of_names_is_found() -> None:
    frames = (
        "{}笑道：“今日天气甚好。”",
        "次日一早，{}便起身往城外走去。",
        "{}听了，半晌没有言语。",
        "他们问{}这件事，旁人也不知道。",
    )
    names = ["贾云舟", "林碧螺", "沈怀南", "顾长迟"]
    rows = [f"帐下有{a}、{b}、赵渊、{c}，各带兵马。" for a, b, c in zip(names, names[1:], names[2:], strict=False)]
    text = "\n".join([*make_story(names, frames), *rows * 3])
    grams = count_grams(text, "的了着", min_count=3)
    usage = learn_person_usage(grams, {}, 3)

    people = find_people(grams, usage, {}, beside=names_in_rows(text, grams))

    assert "赵渊" in people


def test_a_town_and_its_walls_are_one_place() -> None:
    clusters = join_places({"澜州": PointKind.PLACE, "澜州城": PointKind.PLACE, "远城": PointKind.PLACE})

    assert [set(cluster.forms) for cluster in clusters] == [{"澜州", "澜州城"}, {"远城"}]


def test_a_note_on_a_missing_character_is_no_term() -> None:
    assert find_terms("船【上雨下单】来。【上雨下单】去。【上雨下单】。【雪纹】【雪纹】【雪纹】", {}) == {"雪纹": 3}


def test_a_king_is_who_the_text_says_became_one() -> None:
    groups = group_with(PEOPLE, "")
    texts = ["陆衡在家。", "众人立陆衡为燕王。", "陆衡既为燕王，大赦天下。"]

    join_rulers(groups, ["燕王"], passages_of(*texts))

    assert groups.are_one("燕王", "陆衡")
    assert {link.pos for cluster in groups.clusters({}) for link in cluster.links if "燕王" in (link.a, link.b)} == {
        200
    }


def test_a_king_who_was_one_before_the_text_says_so_of_nobody_stands_alone() -> None:
    groups = group_with(PEOPLE, "")

    join_rulers(groups, ["燕王"], passages_of("燕王陆衡来了。", "燕王陆衡走了。"))

    assert "燕王" not in groups


def test_a_crown_that_passed_on_is_shared() -> None:
    groups = group_with(PEOPLE, "")

    join_rulers(groups, ["燕王"], passages_of("立陆衡为燕王。", "封许遥为燕王。"))

    assert {cluster.name for cluster in groups.clusters({}) if "燕王" in cluster.forms} == {"陆衡", "许遥"}
