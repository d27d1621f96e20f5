"""Keys become actions: chords, counts, remapping, collisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.keys import (
    PRESETS,
    READING_ACTIONS,
    SELECTING,
    Action,
    KeyMachine,
    Keystroke,
    key_name,
    keymap_from,
    read_key_overrides,
)

_NOWHERE = Path("keys.toml")


def _machine() -> KeyMachine:
    return KeyMachine(keymap_from(READING_ACTIONS, {}, source=_NOWHERE)[0])


def _typed(keys: str) -> Keystroke:
    machine = _machine()
    strokes = [machine.feed(key) for key in keys.split()]
    return strokes[-1]


@pytest.mark.parametrize(
    ("keys", "action", "count"),
    [
        ("j", "line-down", None),
        ("5 j", "line-down", 5),
        ("1 0 j", "line-down", 10),
        ("g g", "chapter-start", None),
        ("3 g ]", "volume-next", 3),
        ("5 0 %", "percent", 50),
        ("ctrl+d", "half-down", None),
    ],
)
def test_keys_counts_and_chords_reach_their_action(keys: str, action: str, count: int | None) -> None:
    assert _typed(keys) == Keystroke(action, count)


@pytest.mark.parametrize(
    ("keys", "action", "count"),
    [
        ("w", "select-word", None),
        ("3 b", "select-word-back", 3),
        ("escape", "select-leave", None),
        ("3 escape", "", None),
        ("space", "", None),
    ],
)
def test_keys_mean_something_else_in_a_selection(keys: str, action: str, count: int | None) -> None:
    machine = _machine().within(SELECTING)
    assert [machine.feed(key) for key in keys.split()][-1] == Keystroke(action, count)


@pytest.mark.parametrize("key", sorted({key for action in READING_ACTIONS if action.mode for key in action.keys}))
def test_no_key_of_a_selection_reaches_the_page_by_that_meaning(key: str) -> None:
    assert not _typed(key).action.startswith("select-")


def test_an_unfinished_chord_waits() -> None:
    assert _typed("g") == Keystroke(is_pending=True)


def test_escape_forgets_a_half_typed_command() -> None:
    assert _typed("5 g escape j") == Keystroke("line-down", None)


def test_a_key_that_continues_no_chord_does_nothing() -> None:
    assert _typed("g x") == Keystroke()


def test_what_was_typed_of_a_command_can_be_shown() -> None:
    machine = _machine()
    machine.feed("1")
    machine.feed("2")
    machine.feed("g")
    assert machine.pending == "12g"


def test_an_endless_count_stays_bounded() -> None:
    assert _typed(" ".join("9" * 40) + " j").count == 999_999


def test_no_default_key_is_wanted_twice() -> None:
    assert keymap_from(READING_ACTIONS, {}, source=_NOWHERE)[1] == ()


@pytest.mark.parametrize("preset", list(PRESETS))
def test_no_preset_wants_a_key_twice(preset: str) -> None:
    assert keymap_from(READING_ACTIONS, PRESETS[preset], source=_NOWHERE)[1] == ()


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_action_of_every_preset_has_a_key(preset: str) -> None:
    keymap = keymap_from(READING_ACTIONS, PRESETS[preset], source=_NOWHERE)[0]
    assert {action.id for action in READING_ACTIONS} == set(keymap.values())


def test_keys_of_a_selection_are_changed_like_any_others() -> None:
    keymap, complaints = keymap_from(READING_ACTIONS, {"select-copy": ("q", "w")}, source=_NOWHERE)
    machine = KeyMachine(keymap)
    assert (machine.feed("q").action, machine.within(SELECTING).feed("q").action) == ("quit", "select-copy")
    assert [complaint.message.count("select-word") for complaint in complaints] == [1]


def test_a_collision_is_reported_and_the_first_action_keeps_the_key() -> None:
    keymap, complaints = keymap_from(READING_ACTIONS, {"quit": ("j",)}, source=_NOWHERE)
    assert keymap[("j",)] == "line-down"
    assert "quit" in complaints[0].message


@pytest.mark.parametrize("wanted", [("",), ("j",), (" ", "k")])
def test_an_action_whose_own_keys_are_all_refused_keeps_its_default(wanted: tuple[str, ...]) -> None:
    keymap, complaints = keymap_from(READING_ACTIONS, {"quit": wanted}, source=_NOWHERE)
    assert keymap[("q",)] == "quit"
    assert len(complaints) == len(wanted)


def test_an_action_keeps_the_keys_that_were_not_refused_and_no_other() -> None:
    keymap, _complaints = keymap_from(READING_ACTIONS, {"quit": ("", "ctrl+x")}, source=_NOWHERE)
    assert [key for key, action in keymap.items() if action == "quit"] == [("ctrl+x",)]


def test_an_action_can_be_left_without_a_key() -> None:
    keymap, complaints = keymap_from(READING_ACTIONS, {"shelf": ()}, source=_NOWHERE)
    assert "shelf" not in keymap.values()
    assert complaints == ()


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00\x9b\xbd"])
def test_a_file_that_is_no_text_is_told_in_plain_words(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "keys.toml"
    file.write_bytes(content)
    (complaint,) = read_key_overrides(file)[1]
    assert "no text in UTF-8" in complaint.message


def test_a_key_that_begins_a_chord_is_a_collision() -> None:
    actions = (Action("one", ("g g",), "one"), Action("two", ("g",), "two"))
    assert len(keymap_from(actions, {}, source=_NOWHERE)[1]) == 1


def test_an_unknown_action_is_reported() -> None:
    assert "fly" in keymap_from(READING_ACTIONS, {"fly": ("x",)}, source=_NOWHERE)[1][0].message


def test_keys_toml_gives_one_key_or_several(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('quit = "Q"\nline-down = ["J", "g j"]\n', encoding="utf-8")
    assert read_key_overrides(file) == ({"quit": ("Q",), "line-down": ("J", "g j")}, ())


@pytest.mark.parametrize("content", ["quit = 3\n", "quit = [\n", 'quit = ["a", 1]\n'])
def test_a_bad_keys_toml_is_reported_and_changes_nothing(tmp_path: Path, content: str) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(content, encoding="utf-8")
    overrides, complaints = read_key_overrides(file)
    assert (overrides, len(complaints)) == ({}, 1)


def test_no_keys_toml_is_no_complaint(tmp_path: Path) -> None:
    assert read_key_overrides(tmp_path / "keys.toml") == ({}, ())


@pytest.mark.parametrize(
    ("textual_key", "character", "name"),
    [
        ("left_square_bracket", "[", "["),
        ("percent_sign", "%", "%"),
        ("G", "G", "G"),
        ("space", " ", "space"),
        ("ctrl+d", "\x04", "ctrl+d"),
        ("ctrl+h", "\x08", "backspace"),
        ("pagedown", None, "pagedown"),
    ],
)
def test_keys_are_spelled_as_in_keys_toml(textual_key: str, character: str | None, name: str) -> None:
    assert key_name(textual_key, character) == name
