"""What a chapter is for: story, or what stands before, after or under it."""

from __future__ import annotations

import re

from engine.domain.book import ChapterKind
from engine.epub.wordset import word_set

_FRONT_TYPES = word_set(
    "cover titlepage halftitlepage halftitle title-page copyright-page copyright dedication epigraph "
    "foreword imprint imprimatur toc loi lot lov loa landmarks frontispiece seriespage contributors "
    "other-credits credits acknowledgments acknowledgements errata pub-info"
)
_AFTER_TYPES = word_set("afterword colophon appendix backlink-list bibliography index glossary other-backmatter")
_NOTE_TYPES = frozenset(["footnotes", "endnotes", "rearnotes", "notes"])

# A title may go on after its word, but not in English: 后记 写于北京, Copyright © 1900, not Cover Story.
_REST = r"(?:\s*[:：·—–©(（-].*|[\s\u3000]+[^a-z\s].*)?"
_FRONT = re.compile(
    r"(?:cover(?: ?page| image)?|封面|表紙|扉|扉页|書名頁|书名页|title ?page|half ?title(?:page)?|(?:un)?copyright"
    r"|imprint|版权(?:信息|页|声明)?|版權(?:信息|頁|聲明)?|著作権(?:表示)?|奥付|dedication|献词|獻詞|献辞|toc"
    r"|(?:table of )?contents|目次|目录|目錄|もくじ|信息|书籍信息|版本信息|制作信息|制作说明|製作信息|彩页|彩頁"
    r"|插图|插圖|イラスト|口絵|(?:list of )?illustrations|人物介绍|人物介紹|登場人物(?:紹介|一覧)?|登场人物(?:介绍)?"
    r"|角色介绍|dramatis personae|内容简介|内容簡介|作品简介|简介|簡介|あらすじ|also by.*|(?:other )?books by.*"
    rf"|acknowledge?ments?|foreword|full text|(?:the )?(?:full )?project gutenberg.*|校对(?:说明|信息)?"
    rf"|校對(?:說明|信息)?|推荐|推薦|intro page){_REST}",
    re.I,
)
_AFTER = re.compile(
    r"(?:あとがき|後書き?|后记|後記|跋|译后记|譯後記|译者后记|作者的话|作者後記|作者后记|解説|解说|解題|afterwords?"
    r"|(?:author|translator)['’]?s? (?:note|afterword)s?|postscript|appendix(?: [a-z0-9]{1,4})?"
    r"|底本.*|(?:本書|この電子書籍)について|(?:校对|校對|录入|錄入|制作|製作)(?:后记|後記|记|記)"
    r"|transcriber['’]?s notes?"
    r"|(?:附录|附錄|付録)[一二三四五六七八九十\d]{0,2}"
    r"|about the (?:author|translator|illustrator|publisher)s?|作者简介|著者紹介|作者紹介|colophon|bibliography"
    rf"|index|glossary|索引){_REST}",
    re.I,
)
_NOTES = re.compile(r"(?:foot|end)?notes?|注释|註釋|注釈|註|注|脚注|腳註|译注|譯註|訳注|校注|校注记", re.I)
_WRAPPED = " \t\u3000[]【】()（）《》<>〈〉「」『』-—*·.。:："


def kind_of(title: str, types: frozenset[str] = frozenset()) -> ChapterKind:
    """Return what a chapter is for, by the types its document and the landmarks give it, then by its title.

    Args:
        title: As the contents write it.
        types: Words of epub:type, role and landmarks; empty for a place in the middle of a document.
    """
    if types & _NOTE_TYPES:
        return ChapterKind.NOTES
    if types & _AFTER_TYPES:
        return ChapterKind.AFTERWORD
    if types & _FRONT_TYPES:
        return ChapterKind.FRONT
    bare = title.strip(_WRAPPED)
    for pattern, kind in ((_NOTES, ChapterKind.NOTES), (_AFTER, ChapterKind.AFTERWORD), (_FRONT, ChapterKind.FRONT)):
        if pattern.fullmatch(bare):
            return kind
    return ChapterKind.BODY
