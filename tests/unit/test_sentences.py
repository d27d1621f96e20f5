"""Sentences out of a stream: none before it is whole, none without its citations."""

from __future__ import annotations

import pytest

from engine.agent.sentences import SentenceHolder, cut_sentences

_TEXTS = [
    "He left [f1-2-3]. She stayed.[f1-4-5] “Why?” she asked.\n\nThe 6.40 stood there.",
    "他走了。[f1-2-3] 她留下了！「为什么？」她问。",
    "彼は去った[f1-2-3]。「なぜ？」と彼女は聞いた。\n- 一つ\n- 二つ",
    "| a | b |\n|---|---|\n| x [f1-2-3] | y |\n",
    "他走了。【f1-2-3】她留下了。（f1-4-5）「彼は去った。」［f1-6-7］（笑）そして。",
    "He left. (f1-2-3) She stayed. (She said so.) Then (f is a letter) it ended.",
    "No end at all",
    "He followed Mr. Fenn and Mrs. Tull [f1-2-3]. “I was Pell. I drove her.” She said so. It was I. He left.",
    "他写：“我是沈怀舟。名字是借的。”[f1-2-3] “走吧。”他说[f1-4-5]。「行こう。」と言った[f1-6-7]。",
    'He says: "in the register ... But before that. I drove" [f1-2-3]. "Why?" she asked [f1-4-5]. Then more.',
]


@pytest.mark.parametrize(
    "sentence",
    ["彼は（これはお菓子だ。）と思います[f1-2-3]。", "He thought (it is a sweet.) and ate it [f1-2-3]."],
)
def test_a_thought_in_brackets_does_not_end_the_sentence_around_it(sentence: str) -> None:
    assert cut_sentences(f"{sentence} 次。") == [f"{sentence} ", "次。"]


@pytest.mark.parametrize("text", _TEXTS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_pieces_of_any_size_give_the_same_sentences(text: str, size: int) -> None:
    holder = SentenceHolder()
    found = [sentence for at in range(0, len(text), size) for sentence in holder.feed(text[at : at + size])]
    found += holder.rest()
    assert "".join(found) == text
    assert found == cut_sentences(text)


def test_a_sentence_waits_for_the_citation_behind_it() -> None:
    holder = SentenceHolder()
    assert holder.feed("He left. ") == []
    assert holder.feed("[f1-2") == []
    assert holder.feed("-3] She") == ["He left. [f1-2-3] "]


def test_a_point_inside_a_number_ends_nothing() -> None:
    assert cut_sentences("The 6.40 waits. It leaves.") == ["The 6.40 waits. ", "It leaves."]


def test_a_closing_mark_belongs_to_its_sentence() -> None:
    assert cut_sentences("「行こう。」\n彼は言った。") == ["「行こう。」", "\n", "彼は言った。"]
    assert cut_sentences("“Go.” He went.") == ["“Go.” ", "He went."]


def test_a_text_without_an_end_is_looked_through_once() -> None:
    holder = SentenceHolder()
    for _n in range(2_000):
        assert holder.feed("oil 6.40 and lamp ") == []
    assert holder._looked > 30_000
    assert "".join(holder.rest()).startswith("oil 6.40")


@pytest.mark.parametrize("brackets", ["【】", "［］", "（）", "()"])
def test_a_citation_in_other_brackets_belongs_to_its_sentence(brackets: str) -> None:
    cited = f"{brackets[0]}f1-2-3{brackets[1]}"
    assert cut_sentences(f"他走了。{cited}她留下了。") == [f"他走了。{cited}", "她留下了。"]
    holder = SentenceHolder()
    assert holder.feed(f"他走了。{cited[:4]}") == []
    assert holder.feed(f"{cited[4:]}她") == [f"他走了。{cited}"]


@pytest.mark.parametrize(
    "sentence",
    [
        "She was to follow Mr. Fenn to Mrs. Tull [f1-2-3].",
        "Dr. Lund saw St. Orrin and J. Pell, No. 23, at 6.40 [f1-2-3].",
        "“Go on, Capt. Vale,” he said [f1-2-3].",
    ],
)
def test_a_point_that_shortens_a_word_ends_nothing(sentence: str) -> None:
    assert cut_sentences(f"{sentence} It leaves.") == [f"{sentence} ", "It leaves."]


@pytest.mark.parametrize(
    "sentence",
    [
        "He says: “I am Thorne in the register. But I was Pell before that.” [f1-2-3]",
        'He says: "I am Thorne ... But I was Pell. I drove her" [f1-2-3].',
        "他写：“我是沈怀舟。葛三是水里死了的人。” [f1-2-3]",
        "「葛三は死んだ。名前を借りた。」と書いた [f1-2-3]。",
        "「行こう。」彼は言った[f1-2-3]。",
        "“为什么？”她问[f1-2-3]。",
        "“Why?” she asked [f1-2-3].",
    ],
)
def test_a_quotation_stays_with_the_citation_behind_it(sentence: str) -> None:
    assert cut_sentences(f"{sentence}\nMore.") == [sentence, "\n", "More."]


def test_a_quotation_that_is_never_closed_holds_nothing_back_for_long() -> None:
    cut = cut_sentences("“" + "He went. " * 100)
    assert 40 < len(cut) < 100
    assert len(cut_sentences("“He went.\n\nShe went. She stayed.")) == 3
