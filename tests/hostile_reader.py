"""A model that lies in every field: true early quotations under late facts, invented ones, wrong ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.domain.models import Json
from engine.providers.protocols import AssistantMessage, ModelCall
from tests.scripted_reader import Reply, ScriptedReader, first_words, scripted_reply, shown, tool

_PARAGRAPH = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)
_INVENTED = "the seventh moon fell upon the silver dragon"


def hostile_reader(markers: Sequence[str], pair: Sequence[str]) -> ScriptedReader:
    """Return a model that knows how the story ends and tells it wherever it can.

    Args:
        markers: Words it wants to give away.
        pair: Two names of one person, to be joined before their time.
    """

    def answer(call: ModelCall) -> Reply | None:
        lies = [m for m in markers if m not in shown(call)]
        tell = _TELLS.get(call.stage)
        return tell(call, lies[:12], pair) if tell is not None else None

    return ScriptedReader(name="hostile", answer=answer)


def _read(call: ModelCall, lies: Sequence[str], pair: Sequence[str]) -> Reply:
    text = shown(call)
    paragraphs = [(n, words) for n, words in _PARAGRAPH.findall(text) if len(words) > 40]
    n, words = paragraphs[0]
    true = f"[{n}|{first_words(words)}]"
    keys = re.findall(r"^(k\d+) person", text, re.MULTILINE) or ["k1"]
    joined = [key for name in pair if (key := _key_of(name, text))]
    lines = [scripted_reply(call)[0]]
    for number, lie in enumerate(lies, 10):
        key = keys[number % len(keys)]
        lines += [
            f"#p{number} person 5 {lie} {true}",
            f"={lie.upper()} {true}",
            f"-{lie} did it in the end. {true}",
            f"#{key} person 5",
            f"={lie} {true}",
            f"-In the end {lie} kills the captain. {true}",
            f"-{lie} is only a word. [{n}|{_INVENTED}]",
            f"-{lie} stands at another place. [999|{first_words(words)}]",
            f">p{number} the murderer {lie} {true}",
            f">k999 knows {lie} {true}",
            f"*{key} | after {lie} | {lie} | {lie} came. {true}",
            f"?q{number} Who is {lie}? {true}",
            f"!q{number} It is {lie}. {true}",
            f"$f{number} false - | {lie} lives. {true}",
            f"%f{number} {key} told certain {true}",
            f"@{_chapter(text)} {lie} dies. {true}",
        ]
    lines += [f"~{_chapter(text)} {lie} dies in this chapter." for lie in lies[:1]]
    lines += [f"&{joined[0]} {joined[1]} narrator {true}"] if len(joined) == 2 else []
    lines += [f"&{keys[0]} {keys[-1]} narrator {true}", f"^ In the end {' and '.join(lies)} are dead."]
    return "\n".join(lines), ()


def _key_of(name: str, text: str) -> str:
    found = re.search(rf"^(k\d+) \w+ .*\b{name}\b", text, re.MULTILINE)
    return found[1] if found else ""


def _chapter(text: str) -> str:
    found = re.search(r"^== chapter (\d+)", text, re.MULTILINE)
    return found[1] if found else "1"


def _volume(call: ModelCall, lies: Sequence[str], pair: Sequence[str]) -> Reply:
    rounds = sum(isinstance(message, AssistantMessage) for message in call.messages)
    text = shown(call)
    notes = [int(n) for n in re.findall(r"^-n(\d+) ", text, re.MULTILINE)]
    keys = re.findall(r"^(k\d+) ", text, re.MULTILINE)
    if not rounds and notes:
        points: list[Json] = [{"name": lie, "kind": "person", "notes": [notes[0]]} for lie in lies]
        aliases: list[Json] = [{"key": keys[0], "form": lie, "note": notes[0]} for lie in lies]
        return "", (
            tool("create_knowledge_points", points=points),
            tool("add_point_aliases", aliases=aliases),
            tool("append_knowledge_points", points=[{"key": keys[0], "notes": notes, "merge": keys}]),
            tool("update_settings", spoilers="off"),
            tool("get_knowledge_points", keys=["k999", 7, None]),
            tool("search_original_text", queries=[*lies, "ink"]),
        )
    told: list[Json] = [{"text": f"{lie} dies.", "notes": notes[:1]} for lie in lies]
    return "", (tool("submit_volume_summary", volume=told, chapters=[{"chapter": 1, "sentences": told}], discard="x"),)


def _plan(call: ModelCall, lies: Sequence[str], pair: Sequence[str]) -> Reply:
    keys = ",".join(re.findall(r"^(k\d+) \w+ \S+ \d+ ", shown(call), re.MULTILINE))
    lines = [scripted_reply(call)[0]]
    for lie in lies:
        lines += [f": person | {lie}, who dies", f"% {lie} dies | {keys}", f"% Murdered by {lie} | {keys},k999"]
        lines += [f"+ {lie} the murderer | {keys}", f"+ {lie}", "% | k1", f"% {lie} | k1 k2 k3 [2|x]"]
    return "\n".join(lines), ()


def _write(call: ModelCall, lies: Sequence[str], pair: Sequence[str]) -> Reply:
    text = shown(call)
    numbers = re.findall(r"^n(\d+) ", text, re.MULTILINE)
    if call.tools and not any(isinstance(message, AssistantMessage) for message in call.messages):
        return "", (tool("search_wiki", queries=[*lies, "", 7]), tool("search_original_text", queries=[*lies]))
    lines = [scripted_reply(call)[0]]
    for key in re.findall(r"^Entry ([kt]\d+)", text, re.MULTILINE):
        lines += [f"= {key}", f"* n{numbers[-1]} n99999"]
        for lie in lies:
            lines += [
                f". {lie} is dead. [n{numbers[0]}]",
                f"| {lie} | {lie} [n{numbers[0]}]",
                f"## {lie}",
                f"- {lie} was the murderer. [n{numbers[0]}]",
                f"- {lie} was never there. [n99999]",
                f"- {lie} has no note.",
            ]
    return "\n".join(lines), ()


def _judge(call: ModelCall, lies: Sequence[str], pair: Sequence[str]) -> Reply:
    text = shown(call)
    rows = [f"s{n} support" for n in re.findall(r"^s(\d+) \[", text, re.MULTILINE)]
    return "\n".join([*rows, *(f"c{n} safe" for n in re.findall(r"^c(\d+) teaser", text, re.MULTILINE))]), ()


def _repair(call: ModelCall, lies: Sequence[str], pair: Sequence[str]) -> Reply:
    numbers = re.findall(r"^s(\d+) \[", shown(call), re.MULTILINE)
    return "\n".join(f"s{n} {lies[0] if lies else 'nobody'} is the murderer." for n in numbers), ()


_TELLS: dict[str, Callable[[ModelCall, Sequence[str], Sequence[str]], Reply]] = {
    "read": _read,
    "volume": _volume,
    "plan": _plan,
    "write": _write,
    "judge": _judge,
    "repair": _repair,
}

_NAMES: tuple[str, ...] = (
    "create_knowledge_points",
    "append_knowledge_points",
    "submit_volume_summary",
    "add_point_aliases",
)
_NONSENSE: dict[str, Json] = {
    "points": [None, 7, "k1", {"key": ["k1"], "notes": {"a": 1}}],
    "keys": "k1",
    "aliases": [{"key": None, "form": 3, "note": "n1"}],
    "volume": [{"text": 7, "notes": [-1, 10**30, "1", None]}],
    "chapters": [{"chapter": "one"}],
    "no_story": [-5, 10**30, "x"],
}


def _half(text: str) -> str:
    return text[: len(text) // 2]


BROKEN: dict[str, Callable[[ModelCall], Reply]] = {
    "refuses": lambda _call: ("I'm sorry, but I can't help with that.", ()),
    "says nothing": lambda _call: ("", ()),
    "answers in JSON": lambda _call: ('{"points": [{"name": "Orla"}], }', ()),
    "sends a web page": lambda _call: ("<html><body>Sign in to the network</body></html>", ()),
    "speaks another language": lambda _call: ("#p1 person 5 张三 [1|他来了]\n-他死了。 [1|他来了]", ()),
    "never ends": lambda _call: ("-and so on [1|x]\n" * 40_000, ()),
    "stops in the middle": lambda call: (_half(scripted_reply(call)[0]), ()),
    "numbers wrongly": lambda call: (re.sub(r"\d+", "7777", scripted_reply(call)[0]), ()),
    "calls tools for ever": lambda call: ("", (tool("search_original_text", queries=["x"]), tool("no_such_tool"))),
    "calls tools with nonsense": lambda call: ("", tuple(tool(name, **_NONSENSE) for name in _NAMES)),
    "drives the terminal": lambda _call: ("#p1 person 5 \x1b]52;c;x\x07Orla [1|x]\n\x1b[2J-note [1|\x9b5n]", ()),
}
"""What models do that cannot answer."""
