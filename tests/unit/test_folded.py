"""The folded text as it lies in the library: whatever form it is kept in, it comes back as it was folded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.book import DocumentId, Ruby
from engine.store import folded
from engine.store.folded import stretch_of_slice
from engine.store.store import Store
from engine.text.fold import fold, spoken
from engine.text.normalize import nfc
from engine.text.slices import Piece
from tests.shelving import open_store

_DOCUMENT = DocumentId(7)
_SIMPLE = "沈听墨把灯点上，雪还在下。“你来了？”城门早已关了……"
_TRADITIONAL = "".join(chr(code) for code in range(0x98A8, 0x99F0))
"""Three hundred characters, most of which have a simplified form."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _kept(store: Store, text: str, rubies: tuple[Ruby, ...] = ()) -> tuple[folded.Stretch, bool]:
    """Return a text's stretch as the library gives it back, and whether it is kept whole."""
    piece = Piece(100, 100 + len(text), text, (), rubies=rubies)
    with store.write() as w:
        w.execute("DELETE FROM slice; DELETE FROM folded")
        id_ = _DOCUMENT << 20
        w.execute("INSERT INTO slice VALUES (?, ?, ?, ?, '{}')", (id_, piece.start, piece.end, text))
        folded.add_rows(w, [folded.row_from_piece(id_, piece)])
        stretch = stretch_of_slice(w, _DOCUMENT, 0)
        assert stretch is not None
        return stretch, w.execute("SELECT text IS NOT NULL FROM folded").get == 1


@pytest.mark.parametrize(
    ("text", "is_whole"),
    [
        (_SIMPLE * 20, False),
        ("Ilse said: “The Lamp — the LAMP!” and went." * 20, False),
        ("plain", False),
        (_TRADITIONAL, True),
        ("the ﬁrst ｱﾘｽﾞ", True),
        ("Aa→ｘｙ", False),
    ],
)
def test_it_is_kept_whole_only_where_a_few_characters_do_not_tell_all(store: Store, text: str, is_whole: bool) -> None:
    stretch, is_kept_whole = _kept(store, text)
    assert stretch.folded == fold(text)
    assert is_kept_whole is is_whole


_TEXTS = st.text(st.sampled_from("aAﬁß\u00ad ｶﾞﾗｽ臺漢字x½℃\n，“”—ＡＢ．.,"), max_size=60).map(nfc)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(_TEXTS, st.integers(0, 58))
def test_whatever_the_text_it_comes_back_as_it_was_folded(store: Store, text: str, start: int) -> None:
    has_ruby = start + 2 <= len(text)
    stretch, _is_whole = _kept(store, text, (Ruby(100 + start, 102 + start, "カナ"),) if has_ruby else ())
    assert stretch.folded == fold(text)
    if has_ruby:
        assert stretch.spoken == spoken(fold(text), [(start, start + 2, "かな")], len(text))


def test_a_reading_through_which_the_boundary_runs_is_not_told(store: Store) -> None:
    stretch, _is_whole = _kept(store, "私は神聖文字を食べる。", (Ruby(102, 106, "ヒエログリフ"),))
    assert stretch.spoken_text == "私はひえろぐりふを食べる。"
    assert folded.cut_stretch(stretch, 100, 104).spoken_text == "私は神圣"
