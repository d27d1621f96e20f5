"""What ten volumes cost, stage by stage: a novel cut in ten, and a model whose replies are as long as those by hand.

    python tests/quality/ten_volumes.py [fast|quality] [VOLUMES]

Takes 红楼梦 from the corpora (`UNDERSTORY_CORPORA`), about 87 000 characters a volume. What the model says is made up;
how much it says of a window, of a volume and of an entry is what two series read by hand came to (`docs/by-hand.md`).
Tokens are counted as in `replay.py`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.analysis import AnalysisMode, AnalysisRequest, Stage
from engine.domain.book import WorkId
from engine.domain.models import Json
from engine.library import Library
from engine.paths import paths_under
from engine.providers.protocols import AssistantMessage, ModelCall
from engine.store import rosters
from engine.text.tokens import estimate_tokens
from tests.corpora import corpora_with
from tests.quality.replay import spent
from tests.quality.tokens import real_counter
from tests.replaying import WatchedCaller, read_again
from tests.scripted_reader import Reply, ScriptedReader, first_words, shown, tool
from tests.shelving import document_of, shelve, wait_for_names

_REPLY_SHARE = {AnalysisMode.FAST: 0.53, AnalysisMode.QUALITY: 0.96}
"""Tokens of a reply for one of its window, of the Chinese series by hand, by our own estimate."""
_NOTES = {AnalysisMode.FAST: (4, 2, 1, 0), AnalysisMode.QUALITY: (10, 6, 4, 1)}
"""Notes on a point of importance 5, 4, 3, below."""
_RANKS = (4, 10, 20)
"""How many of those named in a window are of importance 5, at most 4, at most 3."""
_ENTRY_TOKENS = {"core": 900, "supporting": 300, "local": 60, "topic": 200}
_TIERS = ("core",) * 20 + ("supporting",) * 50 + ("local",) * 90
_PARAGRAPH = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)
_ROSTER = re.compile(r"^(k\d+) (\w+) (.+)$", re.MULTILINE)


def shelve_volumes(library: Library, volumes: int) -> WorkId:
    """Return a work of some volumes, its names found by the rules."""
    corpora = corpora_with("novels")
    assert corpora is not None, "UNDERSTORY_CORPORA is not set"
    files = sorted((corpora / "novels" / "zh" / "hongloumeng").rglob("*.txt"))
    chapters = [[line.strip() for line in file.read_text("utf-8").split("\n") if line.strip()] for file in files]
    work = WorkId(0)
    for volume in range(volumes):
        mine = chapters[volume * 12 : volume * 12 + 12]
        documents = [document_of(paragraphs, spine_index=n) for n, paragraphs in enumerate(mine)]
        work = shelve(
            library._store, documents, sha256=f"{volume:064x}", title=f"红楼梦 {volume + 1}", series="红楼梦",
            series_index=float(volume + 1), language="zh",
        )  # fmt: skip
    with library._store.write() as w:
        rosters.queue_names(w, work)
    library._wake_helper()
    wait_for_names(library, timeout_s=900)
    return work


def answer_in(mode: AnalysisMode, call: ModelCall) -> Reply | None:
    """Return a reply as long as one by hand, None for what the scripted reader answers as it does."""
    makers = {"read": _read, "volume": _volume, "plan": _plan, "write": _write}
    return makers[call.stage](mode, call) if call.stage in makers else None


def _read(mode: AnalysisMode, call: ModelCall) -> Reply:
    text = shown(call)
    paragraphs = [(int(n), words) for n, words in _PARAGRAPH.findall(text)]
    budget = sum(estimate_tokens(words) for _n, words in paragraphs) * _REPLY_SHARE[mode]
    lines: list[str] = []
    for line in _told(mode, text, paragraphs):
        budget -= estimate_tokens(line)
        if budget < 0:
            break
        lines.append(line)
    return "\n".join([*lines, f"^ {paragraphs[-1][1][:150]}"]), ()


def _told(mode: AnalysisMode, text: str, paragraphs: list[tuple[int, str]]) -> Iterator[str]:
    for chapter, some in _by_chapter(text):
        yield f"~{chapter} 一日又开始了。"
        yield from (
            f"@{chapter} {_retold(words)} [{n}|{first_words(words)}]" for n, words in some[:: len(some) // 3 + 1]
        )
    for n, words in paragraphs[:: len(paragraphs) // 8 + 1]:
        yield f"*- | - | - | {_retold(words)} [{n}|{first_words(words)}]"
    for rank, (key, _kind, names) in enumerate(_ROSTER.findall(text)):
        forms = names.split(" / ")
        naming = [(n, words) for n, words in paragraphs if any(form in words for form in forms)]
        level = sum(rank >= most for most in _RANKS)
        if naming:
            yield f"#{key} {5 - level}"
            yield from (_note(n, words, forms) for n, words in naming[: _NOTES[mode][level]])
    for number, (n, words) in enumerate((each for each in paragraphs if len(each[1]) > 40), 1):
        yield f"#p{number} item 3 {words[10:13]} [{n}|{words[8:16]}]"
        yield _note(n, words, [])


def _by_chapter(text: str) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    parts = re.split(r"^== chapter (\d+).*$", text, flags=re.MULTILINE)
    for chapter, told in zip(parts[1::2], parts[2::2], strict=True):
        yield chapter, [(int(n), words) for n, words in _PARAGRAPH.findall(told)]


def _note(n: int, words: str, forms: list[str]) -> str:
    at = next((words.find(form) for form in forms if form in words), 0)
    second = f"[{n}|{words[20:30]}]" if n % 2 and len(words) > 30 else ""
    return f"-{_retold(words[at:])} [{n}|{first_words(words)}]{second}"


def _retold(words: str) -> str:
    """Return a sentence in words of its own: what copies the text needs no judge."""
    plain = "".join(char for char in words[:28] if char.isalnum())
    return "又".join(plain[i : i + 3] for i in range(0, len(plain), 3)) + "。"


def _volume(mode: AnalysisMode, call: ModelCall) -> Reply:
    text = shown(call)
    if mode is AnalysisMode.QUALITY and not any(isinstance(message, AssistantMessage) for message in call.messages):
        return "", (tool("search_original_text", queries=["太虚幻境"]),)
    notes = [(int(n), words) for n, words in re.findall(r"^-n(\d+) (?:\(c\d+\) )?(.+)$", text, re.MULTILINE)]
    by_chapter: dict[str, list[tuple[int, str]]] = {}
    for n, chapter, words in re.findall(r"^-n(\d+) \(c(\d+)\) (.+)$", text, re.MULTILINE):
        by_chapter.setdefault(chapter, []).append((int(n), words))
    chapters: list[Json] = [
        {"chapter": int(chapter), "sentences": [{"text": words, "notes": [n]} for n, words in some[:3]]}
        for chapter, some in by_chapter.items()
    ]
    sentences: list[Json] = [{"text": words, "notes": [n]} for n, words in notes[:10]]
    return "", (tool("submit_volume_summary", volume=sentences, chapters=chapters, no_story=[], discard=[]),)


def _plan(_mode: AnalysisMode, call: ModelCall) -> Reply:
    keys = re.findall(r"^(k\d+) \w+ \S+ \d+ ", shown(call), re.MULTILINE)
    lines = [f"{key} {tier}" for key, tier in zip(keys, _TIERS, strict=False)]
    lines += [f": {kind} | 身份, 居处, 亲属" for kind in ("person", "place", "item")]
    lines += [f"% 第{n}家的人 | {','.join(keys[n * 8 : n * 8 + 8])}" for n in range(1, 7)]
    lines += [f"+ 第{n}件事 | {','.join(keys[n * 3 : n * 3 + 3])}" for n in range(1, 6)]
    return "\n".join(lines), ()


def _write(_mode: AnalysisMode, call: ModelCall) -> Reply | None:
    text = shown(call)
    entries = re.findall(r"^Entry ([kt]\d+), (\w+)\..*?\n(.*?)(?=^Entry [kt]|\Z)", text, re.MULTILINE | re.DOTALL)
    lines: list[str] = []
    for key, tier, dossier in entries:
        lines.append(f"= {key}")
        budget = _ENTRY_TOKENS[tier]
        for index, (n, words) in enumerate(re.findall(r"^n(\d+) \(k\d+\) (.+)$", dossier, re.MULTILINE)):
            is_summary = index < 2 or tier in ("local", "topic")
            lines += [f"## {words[:8]}"] if not is_summary and index % 5 == 2 else []
            lines.append(f"{'.' if is_summary else '-'} {words} [n{n}]")
            budget -= estimate_tokens(lines[-1])
            if budget < 0:
                break
    return ("\n".join(lines), ()) if entries else None


def figures(mode: AnalysisMode, volumes: int) -> Iterator[str]:
    """Yield what each stage took beside what was expected, a line each."""
    count = real_counter()
    with tempfile.TemporaryDirectory() as folder:
        library = Library(paths_under(Path(folder)))
        work = shelve_volumes(library, volumes)
        estimate = library.estimate(work, AnalysisRequest(mode))
        model = ScriptedReader(answer=lambda call: answer_in(mode, call))

        def caller_of(*told: object) -> WatchedCaller:
            caller = WatchedCaller(*told)  # type: ignore[arg-type]  # what `read_again` makes any caller of
            caller._model_of = lambda _role: model
            return caller

        calls = read_again(library, work, model.name, caller_of, mode)
        took = spent(calls, count or estimate_tokens)
        library.close()
    yield f"{volumes} volumes, {estimate.characters:,} characters, {mode}"
    for stage, each in took.items():
        planned = estimate.stages.get(Stage(stage))
        total = each.sent + each.received
        yield (
            f"  {stage:7} {each.calls:4} calls   sent {each.sent:9,}   received {each.received:9,}   total {total:9,}"
            f"   estimated {planned.tokens if planned else 0:9,}"
        )
    total = sum(each.sent + each.received for each in took.values())
    expected = (estimate.tokens_low + estimate.tokens_high) / 2
    words = "Qwen's vocabulary" if count else "our own estimate"
    yield f"  total {total:,} tokens by {words}; expected {expected:,.0f} ({expected / total - 1:+.0%})"


def main(words: list[str]) -> int:
    """Print the figures of one mode."""
    modes = [AnalysisMode(word) for word in words if not word.isdigit()]
    volumes = next((int(word) for word in words if word.isdigit()), 10)
    for mode in modes:
        for line in figures(mode, volumes):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
