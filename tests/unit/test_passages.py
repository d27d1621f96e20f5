"""Where text is cut into passages, and which grams they have."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.book import Block, BlockKind
from engine.retrieval.passages import cut_passages
from engine.text.fold import fold
from engine.text.grams import grams_of, is_stop_word, spans
from engine.text.porter import porter_stem
from engine.text.slices import Piece, cut_pieces
from tests.shelving import document_of

_EN = "Ilse kept the lamp through the winter, and nobody asked her why. "
_ZH = "沈听墨把灯点上，雪还在下，城门早已关了。"
_JA = "その夜、灯台の火は消えなかった。誰も理由を聞かなかった。"


def _piece(*paragraphs: str) -> Piece:
    [piece] = cut_pieces(document_of(paragraphs))
    return piece


def _texts(piece: Piece, starts: tuple[int, ...] = ()) -> list[str]:
    return [piece.text[span.start - piece.start : span.end - piece.start] for span in cut_passages(piece, starts)]


@pytest.mark.parametrize(("sentence", "least", "most"), [(_EN, 300, 900), (_ZH, 170, 500), (_JA, 170, 500)])
def test_passages_of_prose_keep_to_their_sizes(sentence: str, least: int, most: int) -> None:
    texts = _texts(_piece(*[sentence * (n % 4 + 1) for n in range(40)]))
    assert len(texts) > 5
    assert least <= min(map(len, texts))
    assert max(map(len, texts)) <= most


@pytest.mark.parametrize("sentence", [_EN, _ZH, _JA])
def test_a_paragraph_without_an_end_is_cut_between_its_sentences(sentence: str) -> None:
    texts = _texts(_piece(sentence * 100))
    assert {text.strip()[-1] for text in texts} <= {".", "。"}
    assert max(map(len, texts)) <= 900


def test_no_cut_parts_a_title_from_its_name() -> None:
    texts = _texts(_piece("Nobody had told Mr. Fenn, and Mrs. Tull said nothing of it to Capt. Vale either. " * 60))
    assert len(texts) > 5
    assert {text.strip()[-7:] for text in texts} == {"either."}


def test_a_sentence_without_an_end_is_cut_all_the_same() -> None:
    assert max(map(len, _texts(_piece("ilse" * 3000)))) <= 900
    assert max(map(len, _texts(_piece("灯" * 3000)))) <= 500


def test_no_passage_reaches_over_the_start_of_a_chapter() -> None:
    piece = _piece(_EN * 2, _EN * 2, _EN * 2)
    start = piece.blocks[1].start
    assert [span.start for span in cut_passages(piece, (start,))] == [0, start]
    assert [span.start for span in cut_passages(piece, (start + 10,))] == [0, start + 10]


def test_a_scene_break_is_where_a_cut_is_made() -> None:
    piece = _piece(*[_EN * 2] * 5, "* * *", *[_EN * 2] * 4)
    behind = piece.blocks[6].start
    assert behind in [span.start for span in cut_passages(piece, ())]
    assert "* * *" not in "".join(_texts(piece))


def test_a_heading_stays_with_what_it_is_above() -> None:
    piece = _piece(*[_EN * 2] * 5, "The Thaw", *[_EN * 2] * 4)
    blocks = tuple(
        Block(BlockKind.HEADING if i == 5 else block.kind, block.start, block.end)
        for i, block in enumerate(piece.blocks)
    )
    headed = Piece(piece.start, piece.end, piece.text, blocks)
    assert any(text.startswith("The Thaw\nIlse") for text in _texts(headed))


def test_pictures_and_rules_alone_make_no_passage() -> None:
    assert _texts(_piece("\ufffc", "***")) == []


@given(st.lists(st.text(alphabet="ab 。.灯あ\n*", max_size=900), min_size=1, max_size=8), st.sets(st.integers(0, 4000)))
def test_every_letter_is_in_exactly_one_passage(paragraphs: list[str], starts: set[int]) -> None:
    piece = _piece(*(text.replace("\n", " ") + "x" for text in paragraphs))
    passages = cut_passages(piece, sorted(starts))
    assert all(a.end <= b.start for a, b in pairwise(passages))
    held = "".join(piece.text[span.start : span.end] for span in passages)
    assert [c for c in held if c.isalnum()] == [c for c in piece.text if c.isalnum()]
    assert passages == cut_passages(piece, sorted(starts))


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("The lamps’ keeper", {"the", "lamp", "keeper"}),
        ("臺北的燈", {"台北", "北的", "的灯", "灯"}),
        ("ｱﾘｽ！", {"あり", "りす", "す"}),
        ("don't", {"dont"}),
        ("Café 7", {"cafe", "7"}),
        ("灯。火", {"灯", "火"}),
        ("?! —", set()),
    ],
)
def test_text_gives_its_grams(text: str, grams: set[str]) -> None:
    assert grams_of(fold(text).text) == grams


def test_words_and_runs_come_with_their_places() -> None:
    found = [(span.start, span.end, span.text, span.is_dense) for span in spans("ilse 灯火 don't")]
    assert found == [(0, 4, "ilse", False), (5, 7, "灯火", True), (8, 13, "don't", False)]


@pytest.mark.parametrize(
    ("word", "stem"),
    [("caresses", "caress"), ("ponies", "poni"), ("relational", "relat"), ("hopping", "hop"), ("agreed", "agre"),
     ("happy", "happi"), ("sky", "sky"), ("controlling", "control"), ("adoption", "adopt"), ("naïve", "naïve")],
)  # fmt: skip
def test_words_of_one_stem_meet(word: str, stem: str) -> None:
    assert porter_stem(word) == stem


def test_words_that_only_ask_are_known() -> None:
    assert [word for word in ("who", "lit", "the", "lamp", "wasn't") if is_stop_word(word)] == ["who", "the"]
