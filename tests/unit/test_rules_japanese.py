"""Japanese: who is found in a text, under which names, with a tagger and without."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from engine.analysis.rules import japanese, japanese_tagger
from engine.analysis.rules.clusters import NameCluster, Verdict
from engine.analysis.rules.japanese_pairs import compare_names
from engine.analysis.rules.roster import build_roster
from engine.domain.book import Ruby
from engine.domain.knowledge import AliasKind, FoundAlias, FoundPoint, PointKind, Roster, TextBlock
from tests.builders import make_story, make_text_blocks

PAIRS = json.loads((Path(__file__).parents[1] / "cases" / "pairs_ja.json").read_text("utf-8"))

FRAMES = (
    "「今日はいい天気ですね」と{}さんは笑った。",
    "翌朝、{}さんは早くから町へ出かけて行った。",
    "{}は黙って窓の外の雨を見ていた。",
    "「どこへ行くのです」と{}が訊いた。",
    "そこへ{}が入って来て、{other}の隣に坐った。",
    "{}も{other}も、何も知らないと答えた。",
    "{}はその手紙をもう一度読み返した。",
    "あくる日、{}の家に若い男が訪ねて来た。",
)
PLAIN_FRAMES = tuple(frame.replace("さん", "") for frame in FRAMES)
NAMES = ("月島", "桐生", "ナギサ", "清十郎", "お蘭")


def roster_of(paragraphs: Sequence[str]) -> Roster:
    blocks = make_text_blocks(*paragraphs)
    return build_roster(blocks, japanese.find_clusters(blocks))


def point_of(roster: Roster, form: str) -> FoundPoint:
    return next(point for point in roster.points if form in forms_of(point))


def forms_of(point: FoundPoint) -> set[str]:
    return {alias.form for alias in point.aliases}


def alias_of(point: FoundPoint, form: str) -> FoundAlias:
    return next(alias for alias in point.aliases if alias.form == form)


def forms_of_kind(clusters: Iterable[NameCluster], kind: PointKind) -> set[str]:
    return {form for cluster in clusters if cluster.kind is kind for form in cluster.forms}


@pytest.fixture(params=["tagged", "untagged"])
def tagger(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run with the tagger, when it is installed, and without it."""
    if request.param == "tagged":
        pytest.importorskip("fugashi")
    else:
        monkeypatch.setattr(japanese, "tag", lambda _text, _go_on: None)
    return str(request.param)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_under_an_honorific_is_found(tagger: str, name: str) -> None:
    assert point_of(roster_of(make_story(NAMES, FRAMES)), name).kind is PointKind.PERSON


@pytest.mark.parametrize("word", ["今日", "天気", "翌朝", "手紙", "男", "窓", "若い男"])
def test_an_ordinary_word_is_no_name(tagger: str, word: str) -> None:
    roster = roster_of(make_story(NAMES, FRAMES))

    assert all(word not in forms_of(point) for point in roster.points)


@pytest.mark.parametrize("role", ["お母", "奥様", "先生", "若旦那", "お嬢"])
def test_a_role_under_an_honorific_is_no_name(tagger: str, role: str) -> None:
    roster = roster_of(make_story([*NAMES, role], FRAMES))

    assert all(role not in forms_of(point) for point in roster.points)


def test_a_name_with_its_honorific_is_an_alias(tagger: str) -> None:
    point = point_of(roster_of(make_story(NAMES, FRAMES)), "月島")

    assert point.name == "月島"
    assert alias_of(point, "月島さん").kind is AliasKind.TITLED


def test_a_family_and_a_given_name_are_one_with_the_full_name(tagger: str) -> None:
    names = ["佐藤清十郎", "佐藤", "清十郎", "お蘭", "桐生"]

    roster = roster_of(make_story(names, FRAMES))

    assert {"佐藤清十郎", "佐藤", "清十郎"} <= forms_of(point_of(roster, "清十郎"))


def test_a_family_name_that_two_bear_is_shared(tagger: str) -> None:
    names = ["佐藤清十郎", "佐藤源之助", "佐藤", "清十郎", "源之助"]

    roster = roster_of(make_story(names, FRAMES))

    assert alias_of(point_of(roster, "清十郎"), "佐藤").is_shared
    assert alias_of(point_of(roster, "源之助"), "佐藤").is_shared
    assert "源之助" not in forms_of(point_of(roster, "清十郎"))


def test_the_wife_of_a_family_stands_apart(tagger: str) -> None:
    story = [*make_story(NAMES, FRAMES), *make_story(["月島夫人", "桐生"], PLAIN_FRAMES)]

    assert "月島夫人" not in forms_of(point_of(roster_of(story), "月島"))


def test_a_short_katakana_name_is_not_found_inside_a_longer_word(tagger: str) -> None:
    story = [*make_story(["アン", "桐生"], FRAMES), "アンテナとアンモナイトの話。"]

    point = point_of(roster_of(story), "アン")

    assert all(mention.block < len(story) - 1 for mention in point.mentions)


def test_segments_of_a_dotted_name_are_its_names(tagger: str) -> None:
    names = ["アンナ・シェーレ", "アンナ", "シェーレ", "桐生"]

    assert {"アンナ・シェーレ", "アンナ", "シェーレ"} <= forms_of(
        point_of(roster_of(make_story(names, FRAMES)), "アンナ")
    )


def test_a_reading_is_an_alias_from_the_block_that_gives_it(tagger: str) -> None:
    blocks = make_text_blocks(*make_story(NAMES, FRAMES))
    block = blocks[6]
    start = block.text.index("桐生")
    blocks[6] = TextBlock(block.pos, block.text, 0, readings=(Ruby(start, start + 2, "きりゅう"),))

    alias = alias_of(point_of(build_roster(blocks, japanese.find_clusters(blocks)), "桐生"), "きりゅう")

    assert alias.kind is AliasKind.READING
    assert alias.reveal_pos == block.pos_end
    assert alias.count == 0


def test_readings_of_both_parts_make_one_reading(tagger: str) -> None:
    blocks = make_text_blocks(*make_story(["佐藤清十郎", "桐生", "お蘭"], FRAMES))
    block = blocks[0]
    start = block.text.index("佐藤清十郎")
    readings = (Ruby(start, start + 2, "さとう"), Ruby(start + 2, start + 5, "せいじゅうろう"))
    blocks[0] = TextBlock(block.pos, block.text, 0, readings=readings)

    roster = build_roster(blocks, japanese.find_clusters(blocks))

    assert "さとうせいじゅうろう" in forms_of(point_of(roster, "佐藤清十郎"))


def test_a_shop_is_an_organisation_and_a_station_a_place(tagger: str) -> None:
    frames = ("{}へ行った。", "{}から帰って来た。", "{}の前を通る。", "昨日も{}で待っていた。")
    blocks = make_text_blocks(*make_story(NAMES, FRAMES), *make_story(["和泉屋", "銀河ステーション", "越後屋"], frames))

    clusters = japanese.find_clusters(blocks).clusters

    assert "銀河ステーション" in forms_of_kind(clusters, PointKind.PLACE)
    assert {"和泉屋", "銀河ステーション"}.isdisjoint(forms_of_kind(clusters, PointKind.PERSON))


def test_a_term_in_brackets_is_a_concept(tagger: str) -> None:
    blocks = make_text_blocks(*make_story(NAMES, FRAMES), "彼は『星の書』を開いた。", "『星の書』は古い。")

    assert "星の書" in forms_of_kind(japanese.find_clusters(blocks).clusters, PointKind.CONCEPT)


def test_without_the_tagger_a_hint_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(japanese, "tag", lambda _text, _go_on: None)

    assert japanese.find_clusters(make_text_blocks("桐生は笑った。")).hints == (japanese.NO_TAGGER,)


def test_two_runs_give_the_same(tagger: str) -> None:
    blocks = make_text_blocks(*make_story(NAMES, FRAMES))

    assert japanese.find_clusters(blocks) == japanese.find_clusters(blocks)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "　\n\t",
        "……！！？？――",
        "Only English words here, and Alice said nothing.",
        "ｱﾘｽは笑った。ｱﾘｽ。",
        "ああああああああ" * 500,
        "アアアアアアアア" * 500,
        "様様様さんさんさん殿",
        "【スキル：火球】を獲得しました",
        "・・・＝＝＝",
        "\x00\x07\u200b",
        "𠮷野さんは𠮷野家の𠮷野。",
        "他说：“你好。”她笑了。",
    ],
)
def test_odd_text_is_read_without_a_failure(tagger: str, text: str) -> None:
    roster_of([text, *make_story(["桐生"], FRAMES[:3]), text])


@pytest.mark.parametrize(("a", "b", "expected"), PAIRS, ids=str)
def test_two_names_are_the_same_different_or_a_question(a: str, b: str, expected: str) -> None:
    assert compare_names(a, b) is Verdict(expected)
    assert compare_names(b, a) is Verdict(expected)


def test_the_dictionary_is_opened_once_for_all_books(monkeypatch: pytest.MonkeyPatch) -> None:
    fugashi = pytest.importorskip("fugashi")
    opened: list[object] = []
    tagger_of = fugashi.Tagger

    def counted() -> object:
        opened.append(tagger_of())
        return opened[-1]

    japanese_tagger._tagger.cache_clear()
    monkeypatch.setattr(fugashi, "Tagger", counted)
    tagged = [japanese_tagger.tag("月が出た。") for _volume in range(3)]
    japanese_tagger._tagger.cache_clear()
    assert len(opened) == 1
    assert None not in tagged
