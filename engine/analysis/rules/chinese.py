"""Chinese: who and what a text is about, under which names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.analysis.rules.checks import GoOn, carry_on
from engine.analysis.rules.chinese_aliases import group_people
from engine.analysis.rules.chinese_foreign import (
    find_dotted_names,
    find_households,
    find_latin_names,
    join_dotted_names,
)
from engine.analysis.rules.chinese_lexicon import ordinary_words
from engine.analysis.rules.chinese_namesakes import chapters_of_namesakes
from engine.analysis.rules.chinese_people import find_people, learn_person_usage, names_in_rows
from engine.analysis.rules.chinese_places import (
    find_places,
    find_realm_titles,
    find_terms,
    join_places,
    learn_place_usage,
)
from engine.analysis.rules.chinese_rulers import join_rulers
from engine.analysis.rules.chinese_stated import Passage, introduced_names
from engine.analysis.rules.chinese_thrones import join_thrones
from engine.analysis.rules.chinese_words import BARRIERS, KINGS
from engine.analysis.rules.clusters import Findings, NameCluster
from engine.analysis.rules.grams import count_grams
from engine.analysis.rules.spellings import write_as_in_text
from engine.domain.knowledge import PointKind, TextBlock
from engine.text.hanzi import is_traditional, simplify

NO_WORD_LIST = "no-word-list"
"""Hint: without the extra `[zh]` more ordinary words are taken for names."""

_CHARS_A_MENTION = 120_000
"""The longer a work, the more often a name must come to be one; beyond a million and a half it stays."""
_FEWEST = 4
_FEWEST_INTRODUCED = 2
_FEWEST_IN_SHORT = 3
_SHORT_CHARS = 30_000
_MOST = 12


def find_clusters(blocks: Sequence[TextBlock], go_on: GoOn = carry_on) -> Findings:
    """Find the names of a work and which of them are one.

    Everything is done on simplified characters; the clusters hold the forms as the text writes them.
    """
    body = [block for block in blocks if not block.is_heading]
    text = "\n".join(block.text for block in body)
    if not text.strip():
        return Findings()
    ordinary = ordinary_words(go_on)
    traditional = is_traditional(text)
    passages = [Passage(_fold(block.text) if traditional else block.text, block.pos_end) for block in body]
    clusters = _clusters_of(_fold(text) if traditional else text, passages, ordinary, go_on)
    if traditional:
        clusters = write_as_in_text(clusters, text, _fold(text))
    namesakes = chapters_of_namesakes(clusters, body, go_on)
    return Findings(clusters, () if ordinary else (NO_WORD_LIST,), namesakes)


def _fold(text: str) -> str:
    """Simplify; in a traditional text 著 is nearly always the grammatical 着."""
    return simplify(text).replace("著", "着")


def _clusters_of(
    text: str, passages: Sequence[Passage], ordinary: Mapping[str, float], go_on: GoOn
) -> list[NameCluster]:
    min_count = min_mentions(len(text))
    grams = count_grams(text, BARRIERS, min_count=min_count, go_on=go_on)
    go_on()
    usage = learn_person_usage(grams, ordinary, min_count)
    introduced = {form: n for form, n in introduced_names(text).items() if n >= _FEWEST_INTRODUCED}
    go_on()
    beside = names_in_rows(text, grams)
    people = find_people(grams, usage, ordinary, go_on, introduced=introduced, beside=beside)
    places = find_places(grams, learn_place_usage(grams, ordinary), usage, people, ordinary, go_on)
    for form in places:
        people.pop(form, None)
    for form, n in introduced.items():
        people.setdefault(form, n)
        places.pop(form, None)
    go_on()
    houses, heads = find_households(text, grams, usage, min_count)
    for form in (*houses, *heads):
        people[form] = text.count(form)
    people.update(find_latin_names(text, usage, min_count))
    counts = Counter(people)
    groups = group_people(people, passages, counts, go_on)
    go_on()
    titles = find_realm_titles(grams, places)
    kings = [form for form in people if len(form) > 2 and form[-1] in KINGS]
    join_rulers(groups, [*titles, *kings], passages, go_on)
    join_thrones(groups, [*titles, *kings], passages, go_on)
    go_on()
    join_dotted_names(groups, find_dotted_names(text, people), counts, text)
    go_on()
    clusters = groups.clusters(counts)
    taken = {form for cluster in clusters for form in cluster.forms}
    go_on()
    things = {form: kind for form, kind in places.items() if form not in taken}
    rulers = dict.fromkeys(titles, PointKind.PERSON)
    for form, kind in {**dict.fromkeys(find_terms(text, ordinary), PointKind.CONCEPT), **rulers}.items():
        if form not in taken:
            things.setdefault(form, kind)
    return [*clusters, *join_places(things)]


def min_mentions(chars: int) -> int:
    """Return how often a name must come in a text of that length."""
    if chars < _SHORT_CHARS:
        return _FEWEST_IN_SHORT
    return max(_FEWEST, min(_MOST, chars // _CHARS_A_MENTION))
