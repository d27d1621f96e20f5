"""Which language is spoken, and what becomes of a catalogue on the way to it."""

from __future__ import annotations

import gettext
import io

import pytest

from engine.locale.compile import mo_from_po
from engine.translate import N_, _, grouped, language_of, ngettext, use_language


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_SG.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_HK"}, "zh_CN"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.eucJP@modifier"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": ""}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_TW:zh:en"}, "zh_CN"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en_US:zh_CN"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:fr:ja"}, "ja"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": ""}, "zh_CN"),
        ({"LC_ALL": "C", "LANGUAGE": "zh_CN"}, "en"),
        ({"LC_ALL": "POSIX", "LANGUAGE": "ja"}, "en"),
    ],
)
def test_the_language_follows_the_locale(environ: dict[str, str], language: str) -> None:
    assert language_of(environ) == language


@pytest.mark.parametrize(
    ("wanted", "language"), [("zh_CN", "zh_CN"), ("zh-Hans", "zh_CN"), ("ja", "ja"), ("en", "en"), ("fr", "en")]
)
def test_the_setting_goes_before_the_locale(wanted: str, language: str) -> None:
    assert language_of({"LC_ALL": "ja_JP.UTF-8", "LANGUAGE": "ja"}, wanted) == language


@pytest.mark.parametrize(("code", "said"), [("en", "Contents"), ("zh_CN", "目录"), ("ja", "目次")])
def test_words_are_said_in_the_language_chosen(code: str, said: str) -> None:
    use_language(code)
    assert _("Contents") == said


def test_a_locale_that_is_not_installed_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    use_language("")
    assert _("Contents") == "目次"


def test_a_message_marked_earlier_is_translated_when_it_is_shown() -> None:
    marked = N_("Contents")
    use_language("zh_CN")
    assert (marked, _(marked)) == ("Contents", "目录")


@pytest.mark.parametrize(("code", "n", "said"), [("en", 1, "1 work"), ("en", 2, "2 works"), ("en", 0, "0 works")])
def test_english_has_two_forms_for_numbers(code: str, n: int, said: str) -> None:
    use_language(code)
    assert ngettext("{n} work", "{n} works", n).format(n=n) == said


@pytest.mark.parametrize("code", ["zh_CN", "ja"])
def test_chinese_and_japanese_have_one_form_for_numbers(code: str) -> None:
    use_language(code)
    assert ngettext("{n} work", "{n} works", 1) == ngettext("{n} work", "{n} works", 2) != "{n} works"


@pytest.mark.parametrize("code", ["en", "zh_CN", "ja"])
def test_nothing_said_stays_nothing(code: str) -> None:
    """The empty message holds a catalogue's own head."""
    use_language(code)
    assert _("") == ""


@pytest.mark.parametrize(
    ("code", "shown"), [("en", "4\u202f120\u202f000"), ("zh_CN", "4,120,000"), ("ja", "4,120,000")]
)
def test_thousands_are_set_apart_as_the_language_has_it(code: str, shown: str) -> None:
    use_language(code)
    assert grouped(4_120_000) == shown


_HEAD = r"""msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=n != 1;\n"

"""


def _compiled(text: str) -> gettext.GNUTranslations:
    return gettext.GNUTranslations(io.BytesIO(mo_from_po(_HEAD + text)))


@pytest.mark.parametrize(
    "entry",
    [
        'msgid "page"\nmsgstr "页"',
        '# a comment\n#: some/file.py\n#, python-brace-format\nmsgid "page"\nmsgstr "页"',
        'msgid ""\n"pa"\n"ge"\nmsgstr ""\n"页"\n""',
    ],
)
def test_a_compiled_catalogue_is_read_by_gettext(entry: str) -> None:
    assert _compiled(entry).gettext("page") == "页"


def test_escapes_in_a_catalogue_are_taken_for_what_they_mean() -> None:
    compiled = _compiled('msgid "a\\n\\"b\\"\\\\"\nmsgstr "甲\\n「乙」\\\\"')
    assert compiled.gettext('a\n"b"\\') == "甲\n「乙」\\"


def test_plural_forms_are_compiled_in_their_order() -> None:
    compiled = _compiled('msgid "{n} page"\nmsgid_plural "{n} pages"\nmsgstr[0] "ein"\nmsgstr[1] "viele"')
    assert [compiled.ngettext("{n} page", "{n} pages", n) for n in (1, 5)] == ["ein", "viele"]


@pytest.mark.parametrize(
    "entry",
    ['#, fuzzy\nmsgid "page"\nmsgstr "页"', '#~ msgid "page"\n#~ msgstr "页"', 'msgid "page"\nmsgstr ""'],
)
def test_what_is_fuzzy_obsolete_or_empty_is_not_said(entry: str) -> None:
    assert _compiled(entry).gettext("page") == "page"


def test_a_line_that_is_none_of_gettexts_is_refused() -> None:
    with pytest.raises(ValueError, match="mgsid"):
        mo_from_po('mgsid "page"\nmsgstr "页"')
