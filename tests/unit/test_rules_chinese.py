"""Chinese: who is found in a text, under which names, and from where on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from engine.analysis.rules import chinese
from engine.analysis.rules.chinese_pairs import compare_names
from engine.analysis.rules.clusters import NameCluster, Verdict
from engine.analysis.rules.roster import build_roster
from engine.domain.knowledge import AliasKind, FoundAlias, FoundPoint, PointKind, Roster
from tests.builders import make_story, make_text_blocks

PAIRS = json.loads((Path(__file__).parents[1] / "cases" / "pairs_zh.json").read_text("utf-8"))

FRAMES = (
    "{}笑道：“今日天气甚好。”",
    "次日一早，{}便起身往城外走去，众人都在门口送他。",
    "“你如何来了？”{}问道，一面请他坐下。",
    "{}听了，半晌没有言语，只望着窗外的雨。",
    "大家正说着，只见{}忙忙地走了进来。",
    "{}又把信看了一遍，方才放下，心中十分不安。",
    "那日{}和{other}在河边说了许多话，天黑才回来。",
    "他们问{}这件事，旁人也不知道是什么缘故。",
    "{}点头，慢慢地把灯吹灭了。",
    "因为{}不肯说，{other}只得自己去找。",
    "{}、{other}两个人坐在桥上看船。",
    "忽然有人叫{}，回头看时却是一个孩子。",
)
OTHERS = ("贾云舟", "林碧螺", "沈怀南", "袭月", "紫苓", "顾长迟")


def roster_of(paragraphs: Sequence[str]) -> Roster:
    blocks = make_text_blocks(*paragraphs)
    return build_roster(blocks, chinese.find_clusters(blocks))


def point_of(roster: Roster, form: str) -> FoundPoint:
    return next(point for point in roster.points if form in forms_of(point))


def forms_of(point: FoundPoint) -> set[str]:
    return {alias.form for alias in point.aliases}


def alias_of(point: FoundPoint, form: str) -> FoundAlias:
    return next(alias for alias in point.aliases if alias.form == form)


def forms_of_kind(clusters: Iterable[NameCluster], kind: PointKind) -> set[str]:
    return {form for cluster in clusters if cluster.kind is kind for form in cluster.forms}


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_is_found_by_how_the_text_uses_it(name: str) -> None:
    roster = roster_of(make_story(OTHERS, FRAMES))

    assert point_of(roster, name).kind is PointKind.PERSON


@pytest.mark.parametrize("word", ["众人", "大家", "孩子", "次日", "天黑", "心中", "两个人"])
def test_a_word_for_anybody_or_anything_is_no_person(word: str) -> None:
    roster = roster_of(make_story(OTHERS, FRAMES))

    assert all(word not in forms_of(point) for point in roster.points)


def test_a_full_name_and_its_given_name_are_one_person() -> None:
    roster = roster_of([*make_story(OTHERS, FRAMES), *make_story(["碧螺", "紫苓"], FRAMES)])

    point = point_of(roster, "碧螺")
    assert {"林碧螺", "碧螺"} <= forms_of(point)
    assert point.name == "林碧螺"
    assert alias_of(point, "碧螺").kind is AliasKind.GIVEN


def test_a_given_name_two_bear_alike_belongs_to_neither() -> None:
    names = ["林碧螺", "沈碧螺", "碧螺", "紫苓", "袭月"]

    roster = roster_of(make_story(names, FRAMES))

    assert forms_of(point_of(roster, "碧螺")).isdisjoint({"林碧螺", "沈碧螺"})


def test_a_courtesy_name_is_joined_from_where_the_text_states_it() -> None:
    before = make_story([*OTHERS, "子均"], FRAMES)
    stated = "原来沈怀南，字子均，是江南人。"

    roster = roster_of([*before, stated, *make_story(["子均"], FRAMES)])

    alias = alias_of(point_of(roster, "沈怀南"), "子均")
    assert alias.kind is AliasKind.COURTESY
    later = max(alias, alias_of(point_of(roster, "子均"), "沈怀南"), key=lambda each: each.reveal_pos)
    assert later.reveal_pos == sum(len(each) + 1 for each in before) + len(stated)


def test_a_courtesy_name_given_by_parts_is_joined() -> None:
    stated = "那人姓陆，名衡，字持平，是本地人。"

    roster = roster_of([*make_story([*OTHERS, "陆衡", "持平"], FRAMES), stated])

    assert {"陆衡", "持平"} <= forms_of(point_of(roster, "陆衡"))


def test_a_titled_family_name_of_one_bearer_is_theirs() -> None:
    roster = roster_of([*make_story(OTHERS, FRAMES), *make_story(["林姑娘", "紫苓"], FRAMES)])

    assert alias_of(point_of(roster, "林碧螺"), "林姑娘").kind is AliasKind.TITLED


def test_a_titled_family_name_of_two_bearers_is_shared() -> None:
    names = [*OTHERS, "陆衡", "陆蘅舟"]

    roster = roster_of([*make_story(names, FRAMES), *make_story(["陆大人", "紫苓"], FRAMES)])

    assert alias_of(point_of(roster, "陆衡"), "陆大人").is_shared
    assert alias_of(point_of(roster, "陆蘅舟"), "陆大人").is_shared


def test_a_wife_under_her_husbands_name_stands_apart() -> None:
    roster = roster_of([*make_story(OTHERS, FRAMES), *make_story(["沈夫人", "紫苓"], FRAMES)])

    assert "沈怀南" not in forms_of(point_of(roster, "沈夫人"))


def test_a_servants_household_is_a_person_of_its_own() -> None:
    roster = roster_of(make_story([*OTHERS, "周瑞家的"], FRAMES))

    assert forms_of(point_of(roster, "周瑞家的")) == {"周瑞家的"}


def test_parts_of_a_name_with_a_dot_are_its_names() -> None:
    names = ["艾蕾·诺赞", "艾蕾", "诺赞", "紫苓", "袭月"]

    roster = roster_of(make_story(names, FRAMES))

    assert {"艾蕾·诺赞", "艾蕾", "诺赞"} <= forms_of(point_of(roster, "艾蕾"))


def test_a_family_name_after_the_dot_that_two_bear_is_shared() -> None:
    names = ["艾蕾·诺赞", "修雷·诺赞", "诺赞", "紫苓"]

    roster = roster_of(make_story(names, FRAMES))

    assert alias_of(point_of(roster, "修雷·诺赞"), "诺赞").is_shared


def test_a_name_in_latin_letters_is_found() -> None:
    roster = roster_of(make_story([*OTHERS, "阿Q"], FRAMES))

    assert point_of(roster, "阿Q").kind is PointKind.PERSON


def test_a_traditional_text_keeps_its_characters() -> None:
    frames = [
        "{}笑道：「今日天氣甚好。」",
        "次日一早，{}便起身往城外走去，眾人都在門口送他。",
        "「你如何來了？」{}問道，一面請他坐下。",
        "{}聽了，半晌沒有言語，只望著窗外的雨。",
        "大家正說著，只見{}忙忙地走了進來。",
        "{}又把信看了一遍，方纔放下，心中十分不安。",
        "那日{}和{other}在河邊說了許多話，天黑才回來。",
        "{}點頭，慢慢地把燈吹滅了。",
    ]

    roster = roster_of(make_story(["賈雲舟", "林碧蘿", "沈懷南", "襲月"], frames))

    assert {point.name for point in roster.points} >= {"賈雲舟", "林碧蘿", "沈懷南", "襲月"}


def test_a_place_is_told_from_a_person() -> None:
    frames = (
        "大军昨夜已到{}，城中无人把守。",
        "他从{}回来，带了许多货物。",
        "我们取{}去罢，迟了便走不成。",
        "{}城外有一座石桥，桥下水流甚急。",
        "至{}，天色已晚，只得住下。",
        "有人说{}的茶最好，他不信。",
        "且守{}，再作商议。",
    )

    clusters = chinese.find_clusters(
        make_text_blocks(*make_story(OTHERS, FRAMES), *make_story(["荆州", "澜津", "雍城", "定山关"], frames))
    ).clusters

    assert {"荆州", "雍城"} <= forms_of_kind(clusters, PointKind.PLACE)
    assert {"荆州", "雍城"}.isdisjoint(forms_of_kind(clusters, PointKind.PERSON))


def test_a_work_named_in_title_marks_is_a_term() -> None:
    paragraphs = [*make_story(OTHERS, FRAMES), "他读《照录集》。", "《照录集》是旧书。"]

    assert "照录集" in forms_of_kind(chinese.find_clusters(make_text_blocks(*paragraphs)).clusters, PointKind.CONCEPT)


def test_without_the_word_list_the_names_are_found_and_a_hint_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chinese, "ordinary_words", lambda _go_on: {})
    blocks = make_text_blocks(*make_story(OTHERS, FRAMES))

    findings = chinese.find_clusters(blocks)

    assert findings.hints == (chinese.NO_WORD_LIST,)
    assert set(OTHERS) <= forms_of_kind(findings.clusters, PointKind.PERSON)


def test_two_runs_give_the_same() -> None:
    blocks = make_text_blocks(*make_story(OTHERS, FRAMES))

    assert chinese.find_clusters(blocks) == chinese.find_clusters(blocks)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "　\n\t",
        "……！！？？——",
        "Only English words here, and Alice said nothing.",
        "🙂🙂🙂",
        "啊" * 5000,
        "第" * 40 + "回",
        "ＡＢＣ１２３【系统】【系统】【系统】叮！",
        "·····＝＝＝",
        "姓名字号",
        "\x00\x07\u200b",
        "𠮷野家的𠮷𠮷𠮷",
        "はひふへほ カタカナ 한국어 кириллица",
    ],
)
def test_odd_text_is_read_without_a_failure(text: str) -> None:
    roster_of([text, *make_story(["紫苓"], FRAMES[:3]), text])


@pytest.mark.parametrize(("a", "b", "expected"), PAIRS, ids=str)
def test_two_names_are_the_same_different_or_a_question(a: str, b: str, expected: str) -> None:
    assert compare_names(a, b) is Verdict(expected)
    assert compare_names(b, a) is Verdict(expected)


@pytest.mark.parametrize("word", ["钟人", "魏人", "魏兵", "诸官", "许家", "林贼", "顾大怒", "探马报", "帝泣", "取柑人"])
def test_what_stands_like_a_name_but_means_anybody_is_no_person(word: str) -> None:
    roster = roster_of(make_story([*OTHERS, word], FRAMES))

    assert all(word not in forms_of(point) for point in roster.points if point.kind is PointKind.PERSON)


@pytest.mark.parametrize("name", ["献帝", "灵帝"])
def test_an_emperor_is_a_person(name: str) -> None:
    assert point_of(roster_of(make_story([*OTHERS, name], FRAMES)), name).kind is PointKind.PERSON


@pytest.mark.parametrize("title", ["魏主", "吴侯"])
def test_a_ruler_known_by_the_realm_is_a_person(title: str) -> None:
    assert point_of(roster_of(make_story([*OTHERS, title], FRAMES)), title).kind is PointKind.PERSON
