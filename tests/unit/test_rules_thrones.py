"""Chinese: whom a ruler's title means that the text never explains, and since when a reader can know it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.analysis.rules.chinese_narration import Narration
from engine.analysis.rules.chinese_rulers import join_rulers
from engine.analysis.rules.chinese_stated import Passage
from engine.analysis.rules.chinese_thrones import join_thrones
from engine.analysis.rules.groups import NameGroups
from engine.domain.knowledge import AliasKind

_FILL = "城中百姓各自安居，并无别事可记。"


def _groups(*names: str) -> NameGroups:
    groups = NameGroups()
    for name in names:
        groups.add(name, AliasKind.FULL)
    return groups


def _passages(texts: Sequence[str]) -> list[Passage]:
    return [Passage(text, 100 * (i + 1)) for i, text in enumerate(texts)]


def _told(subject: str, times: int) -> list[str]:
    return [f"{subject}引军出城巡视而回。{_FILL}" for _ in range(times)]


def _known_from(groups: NameGroups, title: str) -> dict[str, int]:
    links = (link for cluster in groups.clusters({}) for link in cluster.links)
    return {link.b: link.pos for link in links if link.a == title}


def test_a_title_the_narrator_goes_over_to_is_whom_he_named_until_then() -> None:
    groups = _groups("陆衡", "许遥")
    texts = [*_told("许遥", 10), *_told("陆衡", 20), *_told("先主", 40), "许遥来见先主。"]

    join_thrones(groups, ["先主"], _passages(texts))

    assert groups.are_one("先主", "陆衡")
    assert _known_from(groups, "先主") == {"陆衡": 3600}  # where the title has stood long enough to be seen through


def test_a_title_that_two_fall_silent_before_stays_alone() -> None:
    groups = _groups("陆衡", "许遥")
    both = [text for pair in zip(_told("陆衡", 20), _told("许遥", 20), strict=True) for text in pair]

    join_thrones(groups, ["先主"], _passages([*both, *_told("先主", 40)]))

    assert "先主" not in groups


def test_somebody_who_is_still_named_is_not_the_one() -> None:
    groups = _groups("陆衡")
    mixed = [text for pair in zip(_told("先主", 40), _told("陆衡", 40), strict=True) for text in pair]

    join_thrones(groups, ["先主"], _passages([*_told("陆衡", 20), *mixed]))

    assert "先主" not in groups


def test_what_people_say_is_not_the_narration() -> None:
    narration = Narration(_passages(["陆衡道：“许遥来了。”许遥笑道：“陆衡何在？", "许遥走了。"]))

    assert [len(narration.told([name]).places) for name in ("陆衡", "许遥")] == [1, 2]


def test_a_title_set_before_a_name_once_is_theirs_who_has_the_realm() -> None:
    groups = _groups("陆衡", "吴主", "许遥")
    groups.join("吴主", "陆衡")

    join_thrones(groups, ["吴侯"], _passages(["吴侯升殿。", "吴侯陆衡会文武。", "许遥来见吴侯。"]))

    assert groups.are_one("吴侯", "陆衡")
    assert _known_from(groups, "吴侯") == {"陆衡": 200}


def test_a_title_set_before_a_name_once_proves_nothing_of_another() -> None:
    groups = _groups("陆衡", "许遥")

    join_thrones(
        groups, ["吴侯"], _passages(["吴侯升殿。", "奏知吴侯陆衡之事。", *_told("许遥", 5), *_told("陆衡", 30)])
    )

    assert "吴侯" not in groups


def test_a_title_granted_in_the_same_sentence_is_stated() -> None:
    groups = _groups("陆衡", "许遥")
    texts = ["许遥表奏陆衡有功，封为将军，赐爵吴侯。", "吴侯许遥会文武。"]

    join_rulers(groups, ["吴侯"], _passages(texts))

    assert _known_from(groups, "吴侯") == {"陆衡": 100, "许遥": 200}


def test_a_title_that_passed_on_is_known_by_use_once_the_first_bearer_is_gone() -> None:
    groups = _groups("陆衡", "许遥")
    texts = [
        "许遥表奏陆衡有功，封为将军，赐爵吴侯。",
        *_told("陆衡", 3),
        *["吴侯升殿，许遥降阶而迎。" for _ in range(4)],
        *_told("许遥", 3),
        "吴侯许遥会文武。",
    ]

    join_rulers(groups, ["吴侯"], _passages(texts))

    assert _known_from(groups, "吴侯") == {"陆衡": 100, "许遥": 700}


def test_it_is_not_while_the_first_bearer_may_still_be_meant() -> None:
    groups = _groups("陆衡", "许遥")
    texts = [
        "许遥表奏陆衡有功，封为将军，赐爵吴侯。",
        *["吴侯升殿，许遥降阶而迎。" for _ in range(4)],
        *_told("陆衡", 3),
        "吴侯许遥会文武。",
    ]

    join_rulers(groups, ["吴侯"], _passages(texts))

    assert _known_from(groups, "吴侯")["许遥"] == 900


def test_a_queen_is_the_empress_of_her_house_where_they_stand_together() -> None:
    groups = _groups("何后", "何太后", "董后", "董太后", "董皇后")

    join_thrones(groups, [], _passages(["何太后大怒。", "何后乃退。", "董后与董太后、董皇后同坐。"]))

    assert groups.are_one("何后", "何太后")
    assert not groups.are_one("董后", "董太后")
