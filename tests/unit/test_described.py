from __future__ import annotations

import pytest

from engine.text.described import described


@pytest.mark.parametrize(
    "words",
    [
        *("Illo8", "i014_th", "DSC_0645", "img001", "fig2-3", "ii021_th", "pic.7", "9780316000000", "title_page"),
        *("00012", "a.png", "1125paperwhite2.jpg", "my map (2).JPEG"),
        *("插图01.jpg", "../Images/001.jpg", "images\\cover", "x.svg?v=2"),
        *("https://example.invalid/a", "data:image/png;base64,AAAA", "//cdn.invalid/a"),
        *("image", "Picture", "[image]", "(illustration)"),
        *("Image 8", "Fig. 2", "Figure 12.", "illustration #4", "plate IV"),
        *("插图", "图片1", "插图三", "圖（2）", "挿絵", "挿絵１"),
        *("イラスト 5", "画像_3", "undefined", "alt text", "", " "),
    ],
)  # fmt: skip
def test_a_name_of_a_file_or_a_number_describes_nothing(words: str) -> None:
    assert described(words) == ""


@pytest.mark.parametrize(
    "words",
    [
        *("A lamp", "cover", "Cover Image", "Alice at the Mad Tea Party.", "The Standard Ebooks logo.", "titlepage"),
        *("Map of Corrow, 1887", "Figure 3: the quay at low water"),
        *("Plate II. The lighthouse", "Image of a lamp", "Kuroda"),
        *("ガリ版の図", "津野海太郎", "八島太郎『新しい太陽』（晶文社）より", "第三回の挿絵、雨の駅", "駅"),
        *("桃园三结义", "插图：桃园结义", "图穷匕见", "图书馆", "一灯如豆", "灯", "חופי הרצליה", "Рис. дома"),
    ],
)  # fmt: skip
def test_words_about_a_picture_are_kept(words: str) -> None:
    assert described(words) == words


def test_a_long_run_of_one_letter_takes_no_time() -> None:
    assert described("a-" * 250 + "!") != ""
    assert described("a" + "_" * 500 + "!") != ""
    assert described("." * 500) == ""
    assert described("1_" * 250 + "!") != ""
