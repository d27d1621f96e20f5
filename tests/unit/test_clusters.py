"""Which names are one, and since when the reader can know it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.analysis.rules.clusters import Link, PersonName, Verdict, compare, reveal_positions, titles_conflict
from engine.analysis.rules.english_names import GIVEN_NAME_TITLES
from engine.analysis.rules.english_people import person_name
from engine.analysis.rules.people import cluster_people
from engine.domain.knowledge import AliasKind

_CASES = Path(__file__).parents[1] / "cases" / "pairs_en.json"
_PAIRS: list[tuple[str, str, str]] = [tuple(row) for row in json.loads(_CASES.read_text("utf-8"))]


@pytest.mark.parametrize(("a", "b", "expected"), _PAIRS)
def test_two_names_alone_tell_one_two_or_a_question(a: str, b: str, expected: str) -> None:
    assert compare(person_name(a), person_name(b)) == Verdict(expected)


@pytest.mark.parametrize(("a", "b", "expected"), _PAIRS)
def test_the_order_of_two_names_does_not_matter(a: str, b: str, expected: str) -> None:
    assert compare(person_name(b), person_name(a)) == Verdict(expected)


@pytest.mark.parametrize(
    ("first", "links", "expected"),
    [
        ({"Ann": 5}, [], {"Ann": 5}),
        ({"Mr. Hale": 5, "Hale": 9}, [Link("Mr. Hale", "Hale")], {"Mr. Hale": 5, "Hale": 9}),
        ({"Tom": 9, "Tommy": 5}, [Link("Tom", "Tommy", pos=40)], {"Tommy": 5, "Tom": 40}),
        ({"Ann": 5, "Bee": 6}, [], {"Ann": 5}),
    ],
)
def test_a_form_is_known_from_where_it_and_its_link_have_been_read(
    first: dict[str, int], links: list[Link], expected: dict[str, int]
) -> None:
    assert reveal_positions(first, links) == expected


def test_two_halves_of_a_name_are_one_only_when_the_whole_name_has_stood() -> None:
    first = {"Adrian": 10, "Vane": 20, "Adrian Vane": 500}
    links = [Link("Adrian", "Adrian Vane"), Link("Vane", "Adrian Vane")]
    assert reveal_positions(first, links) == {"Adrian": 10, "Vane": 500, "Adrian Vane": 500}


def test_of_two_ways_to_know_a_form_the_earlier_one_counts() -> None:
    first = {"Miss Vane": 10, "Ada Vane": 300, "Vane": 40}
    links = [Link("Miss Vane", "Ada Vane"), Link("Vane", "Ada Vane"), Link("Miss Vane", "Vane")]
    assert reveal_positions(first, links)["Vane"] == 40


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("mr", "miss", False), ("mrs", "miss", True), ("mr", "sir", True), ("captain", "general", True),
     ("captain", "mr", True), ("doctor", "professor", False), ("madame", "countess", False), ("sir", "captain", False)],
)  # fmt: skip
def test_some_titles_nobody_bears_together(a: str, b: str, *, expected: bool) -> None:
    assert titles_conflict(frozenset({a}), frozenset({b})) is expected


def _people(*forms: tuple[str, int], separate: frozenset[frozenset[str]] = frozenset()) -> list[set[str]]:
    names = [person_name(form, count=count, first=i) for i, (form, count) in enumerate(forms)]
    clusters = cluster_people(names, separate=separate, given_titles=GIVEN_NAME_TITLES)
    return sorted((set(cluster.forms) for cluster in clusters), key=sorted)


def test_title_given_name_and_surname_gather_round_the_full_name() -> None:
    forms = [("Adrian Vane", 3), ("Mr. Vane", 40), ("Vane", 25), ("Adrian", 8), ("Mr. Adrian Vane", 2)]
    assert _people(*forms) == [{form for form, _count in forms}]


def test_mister_and_miss_of_one_family_are_two() -> None:
    assert _people(("Mr. Vane", 10), ("Miss Vane", 10)) == [{"Miss Vane"}, {"Mr. Vane"}]


def test_mrs_is_not_the_daughter_of_the_house() -> None:
    people = _people(("Mrs. Vane", 30), ("Ada Vane", 10), ("Ada", 50))
    assert people == [{"Ada", "Ada Vane"}, {"Mrs. Vane"}]


def test_a_wife_named_after_her_husband_is_not_he() -> None:
    people = _people(("Peter Vane", 9), ("Mrs. Peter Vane", 5), ("Mr. Vane", 9))
    assert people == [{"Mr. Vane", "Peter Vane"}, {"Mrs. Peter Vane"}]


def test_a_bare_surname_belongs_to_all_who_bear_it() -> None:
    people = _people(("John Sand", 9), ("Peter Sand", 8), ("Sand", 5))
    assert people == [{"John Sand", "Sand"}, {"Peter Sand", "Sand"}]


def test_of_sisters_the_one_without_a_given_name_is_the_eldest() -> None:
    people = _people(
        ("Jane Hale", 4), ("Lucy Hale", 9), ("Miss Hale", 20), ("Miss Lucy", 6), ("Jane", 30), ("Lucy", 60)
    )
    assert people == [{"Jane", "Jane Hale", "Miss Hale"}, {"Lucy", "Lucy Hale", "Miss Lucy"}]


def test_a_short_form_joins_the_only_one_it_may_mean() -> None:
    assert _people(("Elizabeth Hale", 9), ("Elizabeth", 90), ("Lizzy", 20)) == [
        {"Elizabeth", "Elizabeth Hale", "Lizzy"}
    ]


def test_a_short_form_that_stands_beside_the_full_one_is_somebody_else() -> None:
    apart = frozenset({frozenset({"Kit", "Kitty"})})
    assert _people(("Kitty", 20), ("Kit", 10), separate=apart) == [{"Kit"}, {"Kitty"}]


def test_a_bare_title_means_the_only_one_who_bears_it() -> None:
    names = [person_name("Admiral Crane", count=9), person_name("Admiral", count=20, is_role=True)]
    (cluster,) = cluster_people(names)
    assert cluster.forms == {"Admiral Crane": AliasKind.TITLED, "Admiral": AliasKind.ROLE}


def test_a_name_of_two_parts_begins_one_of_three() -> None:
    people = _people(("Rodion Pavlovitch Orlov", 2), ("Rodion Pavlovitch", 40), ("Orlov", 90))
    assert people == [{"Orlov", "Rodion Pavlovitch", "Rodion Pavlovitch Orlov"}]


def test_a_rare_mrs_with_a_given_name_does_not_take_the_old_mrs_of_the_book() -> None:
    people = _people(("Mrs. Vane", 60), ("Mrs. John Vane", 2))
    assert people == [{"Mrs. John Vane"}, {"Mrs. Vane"}]


def _people_of(*names: PersonName) -> list[set[str]]:
    return [set(cluster.forms) for cluster in cluster_people(names, given_titles=GIVEN_NAME_TITLES)]


def test_a_bare_surname_does_not_mean_a_woman_whose_patronymic_says_so() -> None:
    names = [
        person_name("Vera Pavlovna Orlov", count=90),
        person_name("Pavel Ilyitch Orlov", count=20),
        person_name("Orlov", count=300, leaning="m"),
    ]

    assert {"Pavel Ilyitch Orlov", "Orlov"} in _people_of(*names)


def test_a_short_name_with_the_surname_is_the_one_with_a_patronymic() -> None:
    people = _people(("Sofya Ilyinichna Orlov", 3), ("Sofya Ilyinichna", 60), ("Sonia Orlov", 1), ("Sonia", 200))

    assert people == [{"Sofya Ilyinichna Orlov", "Sofya Ilyinichna", "Sonia Orlov", "Sonia"}]


def test_a_lady_is_not_called_by_her_given_name_where_somebody_is_called_by_a_short_form_of_it() -> None:
    people = _people(
        ("Lady Margaret Hale", 9), ("Lady Margaret", 90), ("Margaret Hale", 2), ("Peggy", 70), ("Margaret", 15)
    )

    assert {"Peggy", "Margaret"} in people


def test_a_lady_alone_of_her_name_keeps_it() -> None:
    people = _people(("Lady Margaret Hale", 9), ("Lady Margaret", 90), ("Margaret", 15))

    assert people == [{"Lady Margaret Hale", "Lady Margaret", "Margaret"}]


def test_a_surname_that_is_also_a_given_name_means_the_one_who_goes_by_it() -> None:
    people = _people(("Mr. Spencer Vane", 2), ("Mr. Vane", 90), ("Colonel Spencer", 30), ("Spencer", 5))

    assert {"Colonel Spencer", "Spencer"} in people


def test_an_aunt_under_her_whole_given_name_is_not_the_girl_of_the_short_one() -> None:
    people = _people(("Josie Marsh", 40), ("Josephine Hale", 9), ("Miss Hale", 9), ("Aunt Josephine", 12))

    assert {"Josephine Hale", "Miss Hale", "Aunt Josephine"} in people


def test_a_duke_is_the_one_called_by_his_land() -> None:
    people = _people(("Ravensworth", 90), ("Lord Ravensworth", 9), ("Duke of Ravensworth", 30))

    assert people == [{"Ravensworth", "Lord Ravensworth", "Duke of Ravensworth"}]


def test_a_queen_of_a_land_is_not_a_namesake_who_is_hardly_named() -> None:
    people = _people(("Anne de Vere", 2), ("Anne of Lorne", 40))

    assert people == [{"Anne de Vere"}, {"Anne of Lorne"}]


def test_a_girl_of_a_house_is_the_one_of_that_given_name() -> None:
    people = _people(("Nora Hale", 20), ("Nora", 300), ("Nora of Thornfield", 5))

    assert people == [{"Nora Hale", "Nora", "Nora of Thornfield"}]


@pytest.mark.parametrize(
    ("form", "titles", "family"),
    [
        ("M. le Comte de Vaux", {"monsieur", "count"}, "vaux"),
        ("M. Le Sage", {"monsieur"}, "sage"),
        ("Monsieur le Duc", {"monsieur"}, "duc"),
    ],
)
def test_french_titles_stand_one_behind_the_other(form: str, titles: set[str], family: str) -> None:
    name = person_name(form)

    assert name.titles == titles
    assert family in (name.family, name.single)


def test_a_saint_is_nobody_of_that_given_name() -> None:
    people = _people(("James Ryder", 9), ("Ryder", 9), ("St. James", 4))

    assert people == [{"James Ryder", "Ryder"}, {"St. James"}]


def test_a_family_called_after_a_saint_keeps_its_bare_name() -> None:
    people = _people(("Neville St. Clair", 9), ("Mr. St. Clair", 5), ("St. Clair", 4))

    assert people == [{"Neville St. Clair", "Mr. St. Clair", "St. Clair"}]
