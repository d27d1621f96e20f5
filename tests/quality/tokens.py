"""How far our estimate of tokens is from a real tokenizer, on the novels of the corpora.

    python tests/quality/tokens.py

Needs `tiktoken` and `dashscope` (for the vocabulary of Qwen in its wheel), which nothing else here needs: `pip install
tiktoken dashscope`. Says so and ends when they are missing.
"""

from __future__ import annotations

import base64
import importlib
import importlib.util
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.text.tokens import estimate_tokens
from tests.corpora import corpora_with

_PIECE_CHARS = 8_000
_STEP_CHARS = 40_000
_MOST_CHARS = 120_000
_MOST_FILES = 60
_MOST_BIAS = 0.03
_PATTERNS = {"zh": "zh/*/chapters/*.txt", "ja": "ja/*/chapters/*.txt", "en": "en-pdnc/*/text.txt"}
_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def real_counter() -> Callable[[str], int] | None:
    """Return what counts as Qwen does, None where the packages are missing."""
    found = importlib.util.find_spec("dashscope")
    if found is None or found.origin is None or importlib.util.find_spec("tiktoken") is None:
        return None
    vocabulary = Path(found.origin).parent / "resources" / "qwen.tiktoken"
    ranks = {}
    for line in vocabulary.read_bytes().splitlines():
        token, _blank, rank = line.partition(b" ")
        if token:
            ranks[base64.b64decode(token)] = int(rank)
    encoding = importlib.import_module("tiktoken").Encoding(
        "qwen", pat_str=_SPLIT, mergeable_ranks=ranks, special_tokens={}
    )
    return lambda text: len(encoding.encode_ordinary(text))


def pieces(novels: Path, pattern: str) -> Iterator[str]:
    """Yield stretches of the novels of one language."""
    files = sorted(novels.glob(pattern))
    for file in files[:: max(1, len(files) // _MOST_FILES)]:
        text = file.read_text("utf-8")
        for start in range(0, min(len(text), _MOST_CHARS), _STEP_CHARS):
            piece = text[start : start + _PIECE_CHARS]
            if len(piece) >= 1_000:
                yield piece


def main() -> int:
    """Print bias and spread for each language; 1 when one is further off than it should be."""
    count = real_counter()
    if count is None:
        print("tiktoken and dashscope are not installed: nothing to measure by")
        return 0
    corpora = corpora_with("novels")
    if corpora is None:
        return 0
    novels = corpora / "novels"
    code = 0
    for language, pattern in _PATTERNS.items():
        ratios = [estimate_tokens(piece) / count(piece) - 1 for piece in pieces(novels, pattern)]
        if not ratios:
            print(f"{language}  no novels in {novels}")
            continue
        bias, spread = statistics.mean(ratios), statistics.pstdev(ratios)
        most = max(map(abs, ratios))
        print(f"{language}  pieces {len(ratios):3}   bias {bias:+.1%}   spread {spread:.1%}   most {most:.1%}")
        code |= abs(bias) > _MOST_BIAS
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
