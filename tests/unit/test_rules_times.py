"""Times are no places, and a place that is somebody's name in one chapter is not mixed with it."""

from __future__ import annotations

import pytest

from engine.analysis.rules import japanese
from engine.analysis.rules.analyst import analyse
from engine.analysis.rules.checks import carry_on
from engine.analysis.rules.chinese_namesakes import chapters_of_namesakes
from engine.analysis.rules.clusters import Findings, Link, NameCluster
from engine.analysis.rules.roster import build_roster
from engine.analysis.rules.times import is_time, without_times
from engine.domain.knowledge import AliasKind, PointKind, TextBlock
from tests.builders import make_text_blocks


def _cluster(name: str, kind: PointKind = PointKind.PLACE, *others: str) -> NameCluster:
    return NameCluster(kind, name, dict.fromkeys([name, *others], AliasKind.FULL))


@pytest.mark.parametrize(
    "form",
    [
        "江户时代", "江戸時代", "建安年间", "十九世纪", "文久二年", "八月", "星期三", "水曜日", "礼拜天",
        "Fridays", "November", "Middle Ages", "Nineteenth Century",
    ],
)  # fmt: skip
def test_an_era_or_a_date_is_a_time(form: str) -> None:
    assert is_time(form)


@pytest.mark.parametrize(
    "form", ["江户", "江戸", "八丁堀", "月島", "Marchmont", "May Hill", "Age of Reason Inn", "长安"]
)
def test_a_place_is_none(form: str) -> None:
    assert not is_time(form)


def test_what_mostly_stands_before_a_year_is_the_name_of_a_reign() -> None:
    findings = Findings([_cluster("文久"), _cluster("川越"), _cluster("嘉永", PointKind.PERSON)])
    blocks = make_text_blocks(
        "文久二年の春であった。", "文久三年に川越へ行った。", "川越二年目の冬。", "川越は遠い。", "嘉永元年、嘉永年間。"
    )

    assert [cluster.name for cluster in without_times(findings, blocks).clusters] == ["川越"]


def test_a_person_with_other_names_stays() -> None:
    person = _cluster("June", PointKind.PERSON, "June Marrow")

    assert without_times(Findings([person, _cluster("June")]), []).clusters == [person]


def _chapter(number: int, *texts: str) -> list[TextBlock]:
    return make_text_blocks(*texts, chapter=number, pos=number * 10_000)


_CITY = [
    *_chapter(0, "妖贼灯城造反，自称王。", "官军斩灯城并其子。"),
    *_chapter(1, "操军回灯城，各自安歇。"),
    *_chapter(2, "次日至灯城中，百姓来迎。", "灯城大怒。"),
]


def test_a_chapter_in_which_a_place_is_somebodys_name_is_left_out() -> None:
    clusters = [_cluster("灯城")]
    namesakes = chapters_of_namesakes(clusters, _CITY, carry_on)
    [point] = build_roster(_CITY, Findings(clusters, namesakes=namesakes)).points

    assert namesakes == {"灯城": frozenset({(0, 0)})}
    assert [mention.block for mention in point.mentions] == [2, 3, 4]
    assert point.aliases[0].reveal_pos == 10_000 + "操军回灯城".index("灯城")


def test_a_place_in_a_traditional_text_is_told_apart_alike() -> None:
    blocks = [
        TextBlock(b.pos, b.text.replace("斩", "斬").replace("贼", "賊").replace("灯", "燈"), b.chapter) for b in _CITY
    ]

    assert chapters_of_namesakes([_cluster("燈城")], blocks, carry_on) == {"燈城": frozenset({(0, 0)})}


def test_a_place_of_one_chapter_is_left_as_it_is() -> None:
    assert chapters_of_namesakes([_cluster("灯城")], _CITY[:2], carry_on) == {}


def _roster_of(forms: dict[str, AliasKind], links: list[Link], *texts: str) -> dict[str, tuple[int, int]]:
    cluster = NameCluster(PointKind.PERSON, next(iter(forms)), forms, tuple(links))
    [point] = build_roster(make_text_blocks(*texts), Findings([cluster])).points
    return {alias.form: (alias.reveal_pos, alias.count) for alias in point.aliases}


_FAR = "城中百姓各自安居，并无别事可记。" * 600


def test_two_characters_far_from_their_bearer_are_no_courtesy_name() -> None:
    found = _roster_of(
        {"陆衡": AliasKind.FULL, "思远": AliasKind.COURTESY},
        [Link("思远", "陆衡", 20_000)],
        "布喜，则不思远图矣。",
        _FAR,
        "陆衡字思远，守孝居丧。",
    )

    assert {form: count for form, (_reveal, count) in found.items()} == {"陆衡": 1, "思远": 1}


def test_a_courtesy_name_counts_where_the_text_states_it_however_far_the_bearer_is() -> None:
    stated = len("姓陆，名衡，字思远。")
    found = _roster_of(
        {"陆衡": AliasKind.FULL, "思远": AliasKind.COURTESY},
        [Link("思远", "陆衡", stated)],
        "姓陆，名衡，字思远。",
        _FAR,
        "陆衡来了，陆衡走了。",
    )

    assert found["思远"][1] == 1


def test_a_full_name_is_known_where_it_stands_though_a_word_like_another_name_came_before() -> None:
    texts = ("不思远图，又思远谋。", "陆衡来了，陆衡走了，陆衡又来了。", "原来陆衡字思远。")
    stated = sum(len(text) + 1 for text in texts) - 1
    found = _roster_of({"陆衡": AliasKind.FULL, "思远": AliasKind.COURTESY}, [Link("思远", "陆衡", stated)], *texts)

    assert found["陆衡"][0] == len(texts[0]) + 1
    assert found["思远"][0] == stated


def test_a_nickname_long_before_the_name_is_known_at_once() -> None:
    texts = ("Moth came. Moth went. Moth sang.", "Her name was Ilse Marrow.")
    end = sum(len(text) + 1 for text in texts) - 1
    found = _roster_of(
        {"Ilse Marrow": AliasKind.FULL, "Moth": AliasKind.NICKNAME}, [Link("Moth", "Ilse Marrow", end)], *texts
    )

    assert (found["Moth"][0], found["Ilse Marrow"][0]) == (0, end)


def test_a_month_is_a_name_where_it_stands_before_a_family_name_again_and_again() -> None:
    texts = [
        "It was in May that Newland Vane came home, and he saw May Welland at once.",
        "“I know,” said May Welland, and she laughed. He told May that she was right.",
        "Then May Welland rose, and Mrs. Welland took May by the hand and led her out.",
        "She said that May was tired, and May smiled. “Good night,” said May.",
    ]
    forms = {alias.form for point in analyse(make_text_blocks(*texts), "en").points for alias in point.aliases}

    assert {"May Welland", "May"} <= forms


def test_a_month_that_nobody_is_called_by_is_no_name() -> None:
    texts = ["It was in May that Newland Vane came home.", "That May Mrs. Welland laughed; that May was warm."] * 3
    forms = {alias.form for point in analyse(make_text_blocks(*texts), "en").points for alias in point.aliases}

    assert "May" not in forms


def test_a_house_named_before_its_things_is_the_familys() -> None:
    texts = ["Mr. Welland bowed, and Anna Welland smiled.", "Mr. Welland sat in the Welland drawing-room."] * 3
    texts += ["He passed the Welland house, and the Welland carriage stood before the Welland door."] * 3
    points = analyse(make_text_blocks(*texts), "en").points

    assert {point.kind for point in points for alias in point.aliases if alias.form == "Welland"} == {PointKind.PERSON}


def test_a_great_city_is_a_place_and_what_is_glued_to_it_is_none() -> None:
    pytest.importorskip("fugashi")
    texts = ["庄太さんは江戸へ帰った。", "江戸中の人がその噂をした。", "一旦江戸を離れたが、また江戸に戻った。"] * 2
    clusters = japanese.find_clusters(make_text_blocks(*texts)).clusters

    assert {c.name for c in clusters if c.kind is PointKind.PLACE} == {"江戸"}
