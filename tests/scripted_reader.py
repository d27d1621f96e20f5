"""A model that answers by rules: it reads, settles, plans, writes and judges, the same way each time."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from engine.domain.models import Capabilities, Json, Usage
from engine.errors.models import ModelError
from engine.providers.protocols import (
    AssistantMessage,
    Cancel,
    Finished,
    FinishReason,
    ModelCall,
    ModelEvent,
    ModelReply,
    TextDelta,
    ToolCall,
    UserMessage,
)

Reply = tuple[str, tuple[ToolCall, ...]]
_PARAGRAPH = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)
_CHAPTER = re.compile(r"^== chapter (\d+)", re.MULTILINE)
_ROSTER = re.compile(r"^(k\d+) (\w+) (.+)$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?。！？]*[.!?。！？]?[”」]?\s*")


@dataclass
class ScriptedReader:
    """Answers every stage of a reading; single answers can be overridden, and errors raised."""

    name: str = "scripted"
    capabilities: Capabilities = field(default_factory=Capabilities)
    answer: Callable[[ModelCall], Reply | None] = lambda _call: None
    """Asked first; None leaves the answer to the rules."""
    errors: Callable[[int, ModelCall], ModelError | None] = lambda _number, _call: None
    calls: list[ModelCall] = field(default_factory=list)
    on_call: Callable[[ModelCall], None] = lambda _call: None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, call: ModelCall, cancel: Cancel) -> ModelReply:
        """Answer at once."""
        cancel.check()
        with self._lock:
            self.calls.append(call)
            number = len(self.calls)
        self.on_call(call)
        error = self.errors(number, call)
        if error is not None:
            raise error
        text, tools = self.answer(call) or scripted_reply(call)
        usage = Usage(sum(len(m.text) for m in call.messages) // 4, 0, len(text) // 4 + 1)
        finish = FinishReason.TOOL_CALLS if tools else FinishReason.STOP
        return ModelReply(text, tools, finish, usage, self.name)

    def stream(self, call: ModelCall, cancel: Cancel) -> Iterator[ModelEvent]:
        """Answer in one piece."""
        reply = self.complete(call, cancel)
        yield TextDelta(reply.text)
        yield Finished(reply)

    def stages(self) -> Counter[str]:
        """Return how many calls each stage has made."""
        return Counter(call.stage for call in self.calls)


def shown(call: ModelCall) -> str:
    """Return what the first message shows."""
    [first] = [m for m in call.messages[:1] if isinstance(m, UserMessage)]
    return first.text


def scripted_reply(call: ModelCall) -> Reply:
    """Return what a patient reader would say."""
    return _REPLIES[call.stage](call)


def first_words(text: str) -> str:
    """Return the beginning of a paragraph, long enough to stand there once."""
    words = text.split()
    return " ".join(words[:7]) if len(words) > 6 else text[:14]


def first_sentence(text: str) -> str:
    """Return the first sentence of a paragraph."""
    match = _SENTENCE.match(text)
    return (match[0] if match else text).strip().strip("“”「」") or text[:40]


def _read(call: ModelCall) -> Reply:
    text = shown(call)
    paragraphs = [(int(n), words) for n, words in _PARAGRAPH.findall(text)]
    lines: list[str] = []
    for key, _kind, names in _ROSTER.findall(text):
        forms = names.split(" / ")
        naming = [(n, words) for n, words in paragraphs if any(form in words for form in forms)]
        if naming:
            lines.append(f"#{key} {min(5, 1 + len(naming))}")
            lines += [f"-{first_sentence(words)} [{n}|{first_words(words)}]" for n, words in naming[:4]]
            lines += [f"-{forms[0]} was there then. [{n}|{first_words(words)}]" for n, words in naming[4:5]]
    lines += _things(paragraphs)
    lines += _course(text)
    lines.append(f"^ {first_sentence(paragraphs[-1][1])}")
    return "\n".join(lines), ()


def _things(paragraphs: list[tuple[int, str]]) -> list[str]:
    """Return a thing the rules do not find, what happens to it, a question and a fact."""
    lamps = [(n, words) for n, words in paragraphs if "lamp" in words]
    if not lamps:
        return []
    n, words = lamps[0]
    return [
        f"#p1 item 4 the lamp [{n}|{first_words(words)}]",
        *(f"-{first_sentence(words)} [{n}|{first_words(words)}]" for n, words in lamps[:3]),
        f"*p1 | - | - | {first_sentence(words)} [{n}|{first_words(words)}]",
        f"?q1 Who lit the lamp? [{n}|{first_words(words)}]",
        f"$f1 shown - | {first_sentence(words)} [{n}|{first_words(words)}]",
        f"%f1 p1 witnessed certain [{n}|{first_words(words)}]",
    ]


def _course(text: str) -> list[str]:
    lines: list[str] = []
    chapter = 0
    told = 0
    for line in text.split("\n"):
        begins, paragraph = _CHAPTER.match(line), _PARAGRAPH.match(line)
        if begins:
            chapter, told = int(begins[1]), 0
            lines.append(f"~{chapter} A day like others begins.")
        elif paragraph and chapter and told < 3:
            told += 1
            lines.append(f"@{chapter} {first_sentence(paragraph[2])} [{paragraph[1]}|{first_words(paragraph[2])}]")
    return lines


def _volume(call: ModelCall) -> Reply:
    text = shown(call)
    keys = re.findall(r"^(k\d+) ", text, re.MULTILINE)
    notes = [(int(n), words) for n, words in re.findall(r"^-n(\d+) (?:\(c\d+\) )?(.+)$", text, re.MULTILINE)]
    rounds = sum(isinstance(message, AssistantMessage) for message in call.messages)
    if rounds == 0 and len(call.tools) > 1:
        return "", (tool("get_knowledge_points", keys=keys[:3]), tool("search_original_text", queries=["lamp"]))
    sentences: list[Json] = [{"text": words, "notes": [n]} for n, words in notes[:4]]
    return "", (tool("submit_volume_summary", volume=sentences, chapters=[], no_story=[], discard=[]),)


def tool(name: str, **arguments: Json) -> ToolCall:
    """Return a call of a tool."""
    return ToolCall(f"c-{name}", name, arguments)


def _plan(call: ModelCall) -> Reply:
    keys = re.findall(r"^(k\d+) \w+ \S+ \d+ ", shown(call), re.MULTILINE)
    tiers = ["core", "core", "supporting", "supporting"]
    lines = [f"{key} {tiers[i] if i < len(tiers) else 'local'}" for i, key in enumerate(keys)]
    lines += [f": {kind} | Seen" for kind in ("person", "place", "organisation", "item", "event", "concept")]
    lines += [f"% The people of the quay | {','.join(keys[:3])}", f"+ Counting the ropes | {','.join(keys[:2])}"]
    return "\n".join(lines), ()


def _write(call: ModelCall) -> Reply:
    text = shown(call)
    if not re.search(r"^Entry [kt]", text, re.MULTILINE):
        lines = re.findall(r"^n(\d+) (.+)$", text, re.MULTILINE)
        return "\n".join(f". {words} [n{n}]" for n, words in lines[:3]), ()
    written = []
    for key, dossier in re.findall(r"^Entry ([kt]\d+), .*?\n(.*?)(?=^Entry [kt]|\Z)", text, re.MULTILINE | re.DOTALL):
        notes = re.findall(r"^n(\d+) \(k\d+\) (.+)$", dossier, re.MULTILINE)
        written += [f"= {key}", *(f". {words} [n{n}]" for n, words in notes[:1])]
        if len(notes) > 2:
            written += [f"| Seen | {notes[1][1]} [n{notes[1][0]}]", "## What was seen"]
            written += [f"- {words} [n{n}]" for n, words in notes[1:6]]
            written += [f"* n{notes[0][0]} n{notes[1][0]}"]
    return "\n".join(written), ()


def _judge(call: ModelCall) -> Reply:
    text = shown(call)
    teasers = dict.fromkeys(re.findall(r"^c(\d+) teaser", text, re.MULTILINE))
    statements = re.findall(r"^s(\d+) \[", text, re.MULTILINE)
    return "\n".join([*(f"c{n} safe" for n in teasers), *(f"s{n} support" for n in statements)]), ()


def _repair(call: ModelCall) -> Reply:
    return "\n".join(f"s{n} drop" for n in re.findall(r"^s(\d+) \[", shown(call), re.MULTILINE)), ()


_REPLIES: Mapping[str, Callable[[ModelCall], Reply]] = {
    "read": _read,
    "volume": _volume,
    "plan": _plan,
    "write": _write,
    "judge": _judge,
    "repair": _repair,
}
