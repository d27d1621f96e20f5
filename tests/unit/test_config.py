"""Settings: read without failing, changed without losing the reader's own lines."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.config import (
    DEFAULTS,
    PictureStyle,
    RubyStyle,
    Settings,
    allowed_values,
    default_config_text,
    read_settings,
    setting_help,
    setting_names,
    settings_as_mapping,
    write_setting,
)
from engine.errors import SettingRefusedError


def test_without_a_file_every_setting_has_its_default(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "config.toml") == (Settings(), ())


def test_settings_are_read_as_their_types(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('column_width = 72\nruby = "above"\nmouse = false\ntheme = "ink"\n', "utf-8")
    read, notices = read_settings(path)
    assert notices == ()
    assert (read.column_width, read.ruby, read.mouse, read.theme) == (72, RubyStyle.ABOVE, False, "ink")
    assert isinstance(read.ruby, RubyStyle)
    assert read.pictures is PictureStyle.BLOCKS


@pytest.mark.parametrize(
    "line",
    [
        "column_width = 15",
        "column_width = 201",
        'column_width = "wide"',
        "column_width = true",
        "column_width = 68.5",
        "mouse = 1",
        'mouse = "false"',
        'ruby = "sideways"',
        "ruby = 1",
        "theme = 7",
        "theme = ['paper']",
        "colum_width = 70",
        "[column_width]",
    ],
)
def test_a_wrong_line_keeps_the_default_and_is_reported_with_its_name(line: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"paragraph_gap = 2\n{line}\n", "utf-8")
    read, notices = read_settings(path)
    assert read == Settings(paragraph_gap=2)
    assert len(notices) == 1
    assert line.strip("[]").split(" ")[0] in notices[0].message


def test_a_misspelt_setting_is_told_what_was_meant(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("colum_width = 70\n", "utf-8")
    assert "did you mean column_width?" in read_settings(path)[1][0].message


@pytest.mark.parametrize(
    "content",
    [b"column_width = ", b"\xff\xfe\x00", "theme = 'café'".encode("latin-1"), b"[" * 5000, b"a = 1\na = 2\n"],
    ids=["cut", "no text", "latin-1", "nested", "twice"],
)
def test_a_file_that_is_no_toml_gives_the_defaults_and_one_notice(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    read, notices = read_settings(path)
    assert read == DEFAULTS
    assert len(notices) == 1


def test_a_folder_in_place_of_the_file_is_reported(tmp_path: Path) -> None:
    read, notices = read_settings(tmp_path)
    assert read == DEFAULTS
    assert len(notices) == 1


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xef\xbb\xbfcolumn_width = 72\r\n")
    assert read_settings(path) == (Settings(column_width=72), ())


@given(st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_content_of_the_file_makes_reading_fail(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    assert isinstance(read_settings(path)[0], Settings)


def test_every_setting_has_a_sentence_and_its_allowed_values() -> None:
    assert [(name, bool(setting_help(name)), bool(allowed_values(name))) for name in setting_names()] == [
        (each.name, True, True) for each in fields(Settings)
    ]


def test_the_default_file_changes_nothing_and_names_every_setting(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(default_config_text(), "utf-8")
    assert read_settings(path) == (DEFAULTS, ())
    uncommented = "\n".join(line.removeprefix("# ") for line in default_config_text().splitlines() if " = " in line)
    path.write_text(uncommented, "utf-8")
    assert read_settings(path) == (DEFAULTS, ())
    assert [line.split(" = ")[0] for line in uncommented.splitlines()] == list(setting_names())


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("column_width", "72", 72), ("mouse", "false", False), ("ruby", "off", "off"), ("theme", "true", "true")],
)
def test_a_written_setting_is_read_back(name: str, text: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    assert write_setting(path, name, text) == value
    read, notices = read_settings(path)
    assert notices == ()
    assert settings_as_mapping(read) == {**settings_as_mapping(DEFAULTS), name: value}


def test_writing_keeps_the_readers_own_lines(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('# mine\ntheme = "ink" # at night\n\n[later]\nkept = 1\n', "utf-8")
    write_setting(path, "theme", "paper")
    write_setting(path, "column_width", "70")
    text = path.read_text("utf-8")
    assert '# mine\ntheme = "paper" # at night\n' in text
    assert "[later]\nkept = 1\n" in text
    assert (read_settings(path)[0].theme, read_settings(path)[0].column_width) == ("paper", 70)


def test_a_setting_takes_the_place_of_its_commented_line(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    write_setting(path, "paragraph_gap", "0")
    assert path.read_text("utf-8") == default_config_text().replace("# paragraph_gap = 1", "paragraph_gap = 0")


@pytest.mark.parametrize(
    ("name", "text"), [("column_width", "9"), ("mouse", "maybe"), ("ruby", "up"), ("nothing", "1"), ("keys", "")]
)
def test_a_refused_value_leaves_the_file_alone(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("column_width = 80\n", "utf-8")
    with pytest.raises(SettingRefusedError, match=name):
        write_setting(path, name, text)
    assert path.read_text("utf-8") == "column_width = 80\n"


def test_a_broken_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("theme = \n", "utf-8")
    with pytest.raises(SettingRefusedError, match=r"config\.toml"):
        write_setting(path, "theme", "ink")
    assert path.read_text("utf-8") == "theme = \n"


def test_why_a_setting_could_not_be_written_is_told_in_plain_words(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.mkdir()
    with pytest.raises(SettingRefusedError) as refused:
        write_setting(file, "theme", "moss")
    assert "Errno" not in refused.value.message
