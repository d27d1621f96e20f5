"""Every action of the reader and the keys that reach it; help, docs and the key machine are made from this list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.errors import SettingInvalidError
from engine.translate import N_, _


@dataclass(frozen=True, slots=True)
class Action:
    """Something the reader can do with a key."""

    id: str
    """Stable name, as used in keys.toml."""
    keys: tuple[str, ...]
    """Default key sequences in `keys.toml` spelling: "j", "g g", "ctrl+d", "space"."""
    description: str
    """Marked for translation; translate with `_` when shown."""
    group: str = ""
    """Heading in the help, marked for translation."""
    mode: str = ""
    """When its keys hold: empty on the page itself, `SELECTING` while something is selected."""


MOVE = N_("Move")
PANELS = N_("Panels")
PLACES = N_("Jumps and links")
FIND = N_("Find and mark")
LOOK = N_("Look")
PROGRAM = N_("Program")
SELECTION = N_("In a selection")
CHAT = N_("In the chat")
EXPLAINING = N_("While something is explained")

SELECTING = "(select)"
"""A mode; as the first key of a sequence it cannot be typed."""
CHATTING = "(chat)"
"""The mode of a conversation that is read; while a question is written, keys are letters."""
EXPLAINED = "(explain)"
"""The mode of the card that explains a selection; other keys are those of the selection."""
MODES = (SELECTING, CHATTING, EXPLAINED)

READING_ACTIONS: tuple[Action, ...] = (
    Action("line-down", ("j", "down"), N_("one line down"), MOVE),
    Action("line-up", ("k", "up"), N_("one line up"), MOVE),
    Action("page-down", ("space", "pagedown", "right", "ctrl+f"), N_("one page on"), MOVE),
    Action("page-up", ("b", "pageup", "left", "ctrl+b", "shift+space"), N_("one page back"), MOVE),
    Action("half-down", ("ctrl+d",), N_("half a page on"), MOVE),
    Action("half-up", ("ctrl+u",), N_("half a page back"), MOVE),
    Action("paragraph-down", ("}",), N_("next paragraph"), MOVE),
    Action("paragraph-up", ("{",), N_("paragraph before"), MOVE),
    Action("chapter-next", ("]",), N_("next chapter"), MOVE),
    Action("chapter-previous", ("[",), N_("chapter before"), MOVE),
    Action("volume-next", ("g ]",), N_("next volume"), MOVE),
    Action("volume-previous", ("g [",), N_("volume before"), MOVE),
    Action("chapter-start", ("g g", "home"), N_("start of the chapter"), MOVE),
    Action("chapter-end", ("G", "end"), N_("end of the chapter"), MOVE),
    Action("percent", ("%",), N_("to a percentage of the work: 50%"), MOVE),
    Action("back", ("ctrl+o", "backspace"), N_("back to where you jumped from"), PLACES),
    Action("forward", ("g o", "ctrl+i"), N_("forward again"), PLACES),
    Action("link-next", ("f",), N_("next link or note on the page"), PLACES),
    Action("link-previous", ("F",), N_("link or note before"), PLACES),
    Action("open", ("enter",), N_("open the link, note or highlight"), PLACES),
    Action("search", ("/",), N_("search from here"), FIND),
    Action("search-next", ("n",), N_("next place found"), FIND),
    Action("search-previous", ("N",), N_("place found before"), FIND),
    Action("search-work", ("g /",), N_("search text, wiki, chapters, notes"), FIND),
    Action("search-full", ("g f",), N_("the same over the whole screen"), FIND),
    Action("mark-set", ("m",), N_("mark this place with a letter: ma"), FIND),
    Action("mark-go", ("'",), N_("to a marked place: 'a"), FIND),
    Action("bookmark", ("M",), N_("bookmark, or take it away"), FIND),
    Action("marks", ("B",), N_("marks and bookmarks"), FIND),
    Action("notes", ("g N",), N_("highlights, comments, excerpts and jottings"), FIND),
    Action("note-first", ("g h",), N_("the first highlight of the page, and its comment"), FIND),
    Action("select", ("v",), N_("select from the first word, or from the link in focus"), FIND),
    Action("look-up", ("K",), N_("look up the name in focus, or the next one on the page"), FIND),
    Action("contents", ("t",), N_("contents"), PANELS),
    Action("sidebar", ("s",), N_("sidebar"), PANELS),
    Action("glance", ("g s",), N_("glance of the chapter"), PANELS),
    Action("wiki", ("w",), N_("wiki"), PANELS),
    Action("wiki-full", ("W",), N_("wiki over the whole screen"), PANELS),
    Action("chat", ("a",), N_("ask about what you read"), PANELS),
    Action("chat-full", ("A",), N_("the chat over the whole screen"), PANELS),
    Action("recap", ("g R",), N_("the story so far"), PANELS),
    Action("next-pane", ("tab",), N_("next pane"), PANELS),
    Action("previous-pane", ("shift+tab",), N_("pane before"), PANELS),
    Action("wider", ("+",), N_("wider column"), LOOK),
    Action("narrower", ("-",), N_("narrower column"), LOOK),
    Action("width-reset", ("=",), N_("column as configured"), LOOK),
    Action("theme", ("T",), N_("next theme"), LOOK),
    Action("zen", ("z",), N_("the text alone"), LOOK),
    Action("ruby", ("g r",), N_("readings: beside, above, off"), LOOK),
    Action("picture", ("g p",), N_("the picture on the page, over the whole screen"), LOOK),
    Action("command", (":", "ctrl+p"), N_("type a command: page 212, chapter 3, 50%, frontier here"), PROGRAM),
    Action("help", ("?", "f1"), N_("keys"), PROGRAM),
    Action("shelf", ("L",), N_("the shelf"), PROGRAM),
    Action("settings", ("S",), N_("settings, over the page"), PROGRAM),
    Action("models", ("g m",), N_("models: choose, add, test, limits"), PROGRAM),
    Action("analysis", ("g a",), N_("have a model read the whole work"), PROGRAM),
    Action("redraw", ("ctrl+l",), N_("draw the screen anew"), PROGRAM),
    Action("suspend", ("ctrl+z",), N_("stop for now; fg goes on"), PROGRAM),
    Action("quit", ("q", "ctrl+q"), N_("quit"), PROGRAM),
    Action("select-right", ("right", "l"), N_("one character on"), SELECTION, SELECTING),
    Action("select-left", ("left",), N_("one character back"), SELECTION, SELECTING),
    Action("select-down", ("j", "down"), N_("one line down"), SELECTION, SELECTING),
    Action("select-up", ("k", "up"), N_("one line up"), SELECTION, SELECTING),
    Action("select-word", ("w",), N_("next word or name"), SELECTION, SELECTING),
    Action("select-word-back", ("b",), N_("word or name before"), SELECTION, SELECTING),
    Action("select-word-end", ("W",), N_("to the end of the word"), SELECTION, SELECTING),
    Action("select-sentence", (")",), N_("next sentence"), SELECTION, SELECTING),
    Action("select-sentence-back", ("(",), N_("sentence before"), SELECTION, SELECTING),
    Action("select-paragraph", ("}",), N_("next paragraph"), SELECTION, SELECTING),
    Action("select-paragraph-back", ("{",), N_("paragraph before"), SELECTION, SELECTING),
    Action("select-line-start", ("home", "^"), N_("start of the line"), SELECTION, SELECTING),
    Action("select-line-end", ("end", "$"), N_("end of the line"), SELECTION, SELECTING),
    Action("select-other-end", ("o",), N_("move the other end"), SELECTION, SELECTING),
    Action("select-anew", ("v",), N_("begin anew, with the word here"), SELECTION, SELECTING),
    Action("select-look-up", ("enter",), N_("look up what is selected"), SELECTION, SELECTING),
    Action("select-copy", ("y", "ctrl+c"), N_("copy"), SELECTION, SELECTING),
    Action("select-ask", ("a",), N_("ask about it"), SELECTION, SELECTING),
    Action("select-explain", ("e",), N_("have it explained"), SELECTION, SELECTING),
    Action("select-highlight", ("h",), N_("highlight it"), SELECTION, SELECTING),
    Action("select-comment", ("c",), N_("comment on it"), SELECTION, SELECTING),
    Action("select-excerpt", ("x",), N_("keep it as an excerpt"), SELECTION, SELECTING),
    Action("select-leave", ("escape",), N_("select nothing"), SELECTION, SELECTING),
    Action("explain-angle", ("e", "enter"), N_("ask for another angle"), EXPLAINING, EXPLAINED),
    Action("explain-term", ("1",), N_("who or what is named: on or off"), EXPLAINING, EXPLAINED),
    Action("explain-background", ("2",), N_("background from outside the book: on or off"), EXPLAINING, EXPLAINED),
    Action("explain-subtext", ("3",), N_("what the scene lets one understand: on or off"), EXPLAINING, EXPLAINED),
    Action("explain-elsewhere", ("4",), N_("the same words elsewhere: on or off"), EXPLAINING, EXPLAINED),
    Action("explain-down", ("j", "down", "space", "pagedown"), N_("on in a long explanation"), EXPLAINING, EXPLAINED),
    Action("explain-up", ("k", "up", "b", "pageup"), N_("back in it"), EXPLAINING, EXPLAINED),
    Action("explain-link", ("n", "tab"), N_("next passage it rests on"), EXPLAINING, EXPLAINED),
    Action("explain-jump", ("o",), N_("to that passage"), EXPLAINING, EXPLAINED),
    Action("explain-close", ("escape",), N_("stop, or close it"), EXPLAINING, EXPLAINED),
    Action("chat-write", ("a", "i"), N_("write a question"), CHAT, CHATTING),
    Action("chat-next-link", ("n", "tab"), N_("next passage, card or choice"), CHAT, CHATTING),
    Action("chat-previous-link", ("N", "shift+tab"), N_("the one before"), CHAT, CHATTING),
    Action("chat-open", ("enter",), N_("preview a passage, close it again; follow a place or card"), CHAT, CHATTING),
    Action("chat-jump", ("o",), N_("to the passage in focus, on the page"), CHAT, CHATTING),
    Action("chat-number", tuple("123456789"), N_("preview that passage; choose what is asked"), CHAT, CHATTING),
    Action("chat-down", ("j", "down"), N_("one line down"), CHAT, CHATTING),
    Action("chat-up", ("k", "up"), N_("one line up"), CHAT, CHATTING),
    Action("chat-page-down", ("space", "pagedown"), N_("one page on"), CHAT, CHATTING),
    Action("chat-page-up", ("b", "pageup"), N_("one page back"), CHAT, CHATTING),
    Action("chat-first", ("home",), N_("first question"), CHAT, CHATTING),
    Action("chat-last", ("G", "end"), N_("end of the conversation"), CHAT, CHATTING),
    Action("chat-question-next", ("]",), N_("next question"), CHAT, CHATTING),
    Action("chat-question-previous", ("[",), N_("question before"), CHAT, CHATTING),
    Action("chat-again", ("r",), N_("ask again, beside the first answer"), CHAT, CHATTING),
    Action("chat-edit", ("e",), N_("ask otherwise, beside the first question"), CHAT, CHATTING),
    Action("chat-branch-next", (")",), N_("the next answer to the same question"), CHAT, CHATTING),
    Action("chat-branch-previous", ("(",), N_("the answer before"), CHAT, CHATTING),
    Action("chat-agree", ("y",), N_("do what is offered"), CHAT, CHATTING),
    Action("chat-undo", ("u",), N_("undo it"), CHAT, CHATTING),
    Action("chat-context", ("c",), N_("what was sent, layer by layer"), CHAT, CHATTING),
    Action("chat-copy", ("Y",), N_("copy the answer"), CHAT, CHATTING),
    Action("chat-drop", ("x",), N_("take the last thing beside the question away"), CHAT, CHATTING),
    Action("chat-list", ("C",), N_("conversations: open, name, delete"), CHAT, CHATTING),
    Action("chat-new", ("ctrl+n",), N_("a new conversation"), CHAT, CHATTING),
    Action("chat-models", ("m",), N_("models: name who answers"), CHAT, CHATTING),
    Action("chat-export", ("E",), N_("export the conversation as Markdown"), CHAT, CHATTING),
)

VIM_KEYS: Mapping[str, tuple[str, ...]] = {
    "page-down": ("ctrl+f", "space", "pagedown", "right"),
    "page-up": ("ctrl+b", "pageup", "left", "shift+space"),
    "half-down": ("ctrl+d", "d"),
    "half-up": ("ctrl+u", "u"),
    "line-down": ("j", "down", "ctrl+e"),
    "line-up": ("k", "up", "ctrl+y"),
    "chapter-next": ("] ]",),
    "chapter-previous": ("[ [",),
    "paragraph-down": ("}", ")"),
    "paragraph-up": ("{", "("),
    "bookmark": ("b",),
    "quit": ("Z Z", "q", "ctrl+q"),
    "select-left": ("h", "left"),
    "select-word-end": ("e",),
    "select-line-start": ("home", "^", "0"),
    "select-highlight": ("H",),
    "select-explain": ("E",),
}
"""What the preset "vim" changes: keys of its motions where they do the same."""

PRESETS: Mapping[str, Mapping[str, tuple[str, ...]]] = {"default": {}, "vim": VIM_KEYS}
"""By the name of the setting `keys`; keys.toml changes single actions of the preset."""

_NAMED = {
    "percent_sign": "%",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "question_mark": "?",
    "colon": ":",
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "apostrophe": "'",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "circumflex_accent": "^",
    "dollar_sign": "$",
}
"""Textual's names of keys that stand for themselves here."""


def key_name(textual_key: str, character: str | None) -> str:
    """Return a key as `keys.toml` spells it: the printable character itself, or a name such as "ctrl+d"."""
    if character is not None and character.isprintable() and len(character) == 1 and character != " ":
        return character
    if textual_key in ("ctrl+h", "ctrl+backspace"):
        return "backspace"
    return _NAMED.get(textual_key, textual_key)


@dataclass(frozen=True, slots=True)
class Keystroke:
    """What the key machine made of a key."""

    action: str = ""
    """Id of the action to run; empty while a chord or a count is unfinished, or when nothing fits."""
    count: int | None = None
    is_pending: bool = False
    """More keys are awaited."""


_MOST_COUNT = 999_999


class KeyMachine:
    """Turns single keys into actions: chords ("g g"), counts ("5 j"), several keys an action."""

    def __init__(self, keymap: Mapping[tuple[str, ...], str], mode: str = "") -> None:
        """Take the keys of the page, or of a mode."""
        self._all = keymap
        lead = (mode,) if mode else ()
        self._keymap = {keys[len(lead) :]: name for keys, name in keymap.items() if keys[: len(lead)] == lead}
        self._prefixes = {seq[:n] for seq in self._keymap for n in range(1, len(seq))}
        self._pressed: tuple[str, ...] = ()
        self._count: int | None = None

    @property
    def sequences(self) -> Mapping[tuple[str, ...], str]:
        """All keys, those of the page and of every mode."""
        return self._all

    def within(self, mode: str) -> KeyMachine:
        """Return a machine for the keys of a mode."""
        return KeyMachine(self._all, mode)

    def key_of(self, action: str) -> str:
        """Return the first key of an action, as it is spelled in `keys.toml`; empty for none."""
        return next((" ".join(keys) for keys, name in self._keymap.items() if name == action), "")

    @property
    def pending(self) -> str:
        """What has been typed of an unfinished command, for the status line."""
        return ("" if self._count is None else str(self._count)) + "".join(self._pressed)

    def feed(self, key: str) -> Keystroke:
        """Take one key in `keys.toml` spelling; say what it completes."""
        if key == "escape" and (self.pending or (key,) not in self._keymap):
            self.clear()
            return Keystroke()
        is_count = key.isdecimal() and key.isascii() and (key != "0" or self._count is not None)
        if not self._pressed and is_count and (key,) not in self._keymap:
            self._count = min((self._count or 0) * 10 + int(key), _MOST_COUNT)
            return Keystroke(is_pending=True)
        pressed = (*self._pressed, key)
        action = self._keymap.get(pressed)
        if action is not None:
            count = self._count
            self.clear()
            return Keystroke(action, count)
        if pressed in self._prefixes:
            self._pressed = pressed
            return Keystroke(is_pending=True)
        had_prefix = bool(self._pressed)
        self.clear()
        return self.feed(key) if had_prefix and (key,) in self._keymap and len(pressed) > 2 else Keystroke()

    def clear(self) -> None:
        """Forget a half-typed chord or count."""
        self._pressed = ()
        self._count = None


def keymap_from(
    actions: Iterable[Action], overrides: Mapping[str, tuple[str, ...]], *, source: Path
) -> tuple[dict[tuple[str, ...], str], tuple[SettingInvalidError, ...]]:
    """Build the map from key sequences to action ids.

    Args:
        actions: The list, with default keys.
        overrides: From keys.toml: action id to its key sequences, replacing the defaults.
        source: Named in the complaints.

    Returns:
        The map, and a complaint for each unknown action and each collision (the first
        action in the list keeps a contested key).
    """
    keymap: dict[tuple[str, ...], str] = {}
    begun: dict[tuple[str, ...], tuple[str, ...]] = {}
    complaints: list[SettingInvalidError] = []
    known = list(actions)
    ids = {action.id for action in known}
    complaints += [
        SettingInvalidError(source, _("there is no action {name}").format(name=name))
        for name in sorted(overrides)
        if name not in ids
    ]

    def refuse(action: Action, spelling: str) -> str:
        """Return why an action does not get a key; "" when it has it now."""
        sequence = (*([action.mode] if action.mode else []), *spelling.split())
        if not spelling.split():
            return _("{name}: an empty key").format(name=action.id)
        clash = _collision(sequence, keymap, begun)
        if clash is not None:
            return _("{key} is wanted by {one} and by {other}").format(key=spelling, one=action.id, other=keymap[clash])
        keymap[sequence] = action.id
        begun.update((sequence[:length], sequence) for length in range(1, len(sequence)))
        return ""

    for action in known:
        wanted = overrides.get(action.id, action.keys)
        refused = [reason for spelling in wanted if (reason := refuse(action, spelling))]
        complaints += [SettingInvalidError(source, reason) for reason in refused]
        if refused and len(refused) == len(wanted) and action.id in overrides:
            for spelling in action.keys:  # as the complaint says; where another has these too, that was told already
                refuse(action, spelling)
    return keymap, tuple(complaints)


def _collision(
    sequence: tuple[str, ...],
    keymap: Mapping[tuple[str, ...], str],
    begun: Mapping[tuple[str, ...], tuple[str, ...]],
) -> tuple[str, ...] | None:
    """Return the sequence already there that equals, begins or continues this one."""
    beginnings = (sequence[:length] for length in range(1, len(sequence) + 1))
    return next((each for each in beginnings if each in keymap), begun.get(sequence))


def typed_keys(sequence: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of a sequence that are typed: all of them, without the mode they hold in."""
    return sequence[1:] if sequence[:1] and sequence[0] in MODES else sequence


def read_key_overrides(path: Path) -> tuple[dict[str, tuple[str, ...]], tuple[SettingInvalidError, ...]]:
    """Read keys.toml: `action-id = "key"` or `action-id = ["key", "g x"]`; a missing file is no complaint."""
    import tomli

    try:
        table = tomli.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, ()
    except OSError as error:
        return {}, (SettingInvalidError(path, error.strerror or str(error)),)
    except UnicodeDecodeError:
        return {}, (SettingInvalidError(path, _("it is no text in UTF-8")),)
    except tomli.TOMLDecodeError as error:
        return {}, (SettingInvalidError(path, str(error)),)
    overrides: dict[str, tuple[str, ...]] = {}
    complaints: list[SettingInvalidError] = []
    for name, value in table.items():
        if isinstance(value, str):
            overrides[name] = (value,)
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            overrides[name] = tuple(value)
        else:
            complaints.append(
                SettingInvalidError(path, _("{name}: a key or a list of keys is needed").format(name=name))
            )
    return overrides, tuple(complaints)
