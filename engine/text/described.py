"""Whether the words of a picture describe it, or only name a file."""

from __future__ import annotations

import re
from functools import cache

_FILE = r".+\.(?:png|jpe?g|jpe|gif|svgz?|webp|bmp|tiff?|avif|heic)(?:[?#]\S*)?"
_ADDRESS = r"(?:[a-z]+:)?//\S+|data:\S*|\S*[/\\]\S+"
# A run of Latin letters with a number or underscores in it: Illo8, i014_th, DSC_0645, 9780316000000.
_ID = r"(?=[^\d]*\d)[A-Za-z\d]+(?:[_.:-][A-Za-z\d]*)*|[A-Za-z]+(?:_[A-Za-z]*)+"
_KIND = (
    r"images?|imgs?|pictures?|pics?|photos?|photograph|graphic|illustrations?|illus|illo|figure|fig|plate|drawing|insert"
    r"|null|none|undefined|untitled|unnamed|alt|alt text|alt tag|no alt text|no description|decorative"
    r"|图|图片|图像|插图|插画|圖|圖片|圖像|插圖|插畫|照片|配图|配圖|図|図版|画像|挿絵|挿画|さしえ|イラスト|写真|口絵"
)
# A kind of picture and perhaps its number: Image 8, 插图三, Fig. 2.
_LABEL = rf"(?:{_KIND})?[\s.:#_＿()（）第-]*[\d０-９一二三四五六七八九十ivxlc]{{0,6}}[\s.)）张張枚-]*"


@cache
def _nothing() -> re.Pattern[str]:
    """Return what fits words that describe nothing; 4 ms to make, and most pages have no picture."""
    return re.compile(f"{_FILE}|{_ADDRESS}|{_ID}|{_LABEL}", re.I)


def described(words: str) -> str:
    """Return what a book says of a picture, or "" where that is a file, an address, an id, or a kind and a number.

    Args:
        words: Of `alt` or `title`, cleaned, in one line.
    """
    told = words.strip().strip("[]()<>（）【】\"'“”.").strip()
    return "" if _nothing().fullmatch(told) else words.strip()
