"""From where on the heading of a section, or the title of a topic, may be read."""

from __future__ import annotations

import pytest

from engine.analysis.ledger import Found
from engine.domain.book import DocumentId
from engine.domain.statements import QuoteHow
from engine.store.wiki import FoundEvidence
from engine.wiki.composer import ground_of_heading

_TEXTS = ("大水那夜，六闸的钟没有响。", "钟舌是被锯断的。", "锯的人很爱惜它。")


def _found(number: int) -> Found:
    return (FoundEvidence(DocumentId(1), number, number + 2, number, number + 9, "钟声", QuoteHow.EXACT),)


_SENTENCES = [(text, _found(number)) for number, text in enumerate(_TEXTS)]


@pytest.mark.parametrize(
    ("heading", "sentences"),
    [
        ("六闸的钟为什么没有响", 1),  # whoever has read the first knows all it says
        ("锯断的钟舌", 2),
        ("六闸与钟舌", 2),
        ("守钟人的眼泪", 3),  # says more than any of them
    ],
)
def test_a_heading_rests_on_the_first_sentences_that_say_its_words(heading: str, sentences: int) -> None:
    ground = ground_of_heading(heading, _SENTENCES)
    assert ground == tuple(evidence for number in range(sentences) for evidence in _found(number))
