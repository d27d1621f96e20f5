"""Keep the replies of a sample series under the keys of today's prompts.

    python tests/quality/rekey_replay.py SERIES [ANSWERS]

A reply is kept under a hash of what was asked, so that a changed prompt or a changed note orphans it. This reads the
series with the replies of `tests/replays`, found by what they answer, and writes the file anew. While something is not
judged yet, it is printed with its passages and nothing is written; ANSWERS is a JSON file that tells what is to be said
of it, such as `{"judge: Anna lit the lamp.": "support"}`. A judge's words are given by whoever holds the statement
against its passages, never by a program.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.analysis.asking import FENCE
from tests.replaying import REPLAYS, kept_lines, put_seeds, read_again, record, shelve_series
from tests.retelling import Retold, answers_of, caller_with


def main(series: str, answers: Path | None = None) -> int:
    """Write the replay of a series anew and say what is not answered; 1 while anything is not."""
    head, *replies = kept_lines(REPLAYS / f"{series}.jsonl")
    retold = Retold.of(replies, {} if answers is None else answers_of(answers.read_text("utf-8")))
    with tempfile.TemporaryDirectory() as folder:
        library, work = shelve_series(Path(folder), series)
        put_seeds(library, work, head["seeds"])
        read_again(library, work, head["model"], caller_with(retold))
        for stage, text, shown in retold.unanswered:
            print(f"-- {stage}: {text}\n{_passages_of(text, shown)}")
        lines = list(record(library, work, head["model"]))
        library.close()
    if retold.unanswered:
        print(f"{len(retold.unanswered)} statements are not answered: nothing was written")
        return 1
    (REPLAYS / f"{series}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(lines) - 1} replies")
    return 0


def _passages_of(text: str, shown: str) -> str:
    """Return the row of a statement as it was shown, and the passages it rests on."""
    passages, rows = shown.split(FENCE)[1], shown.split(FENCE)[-2]
    row = next(line for line in rows.split("\n") if text in line)
    numbers = row.partition("[")[2].partition("]")[0].replace("; near: ", ",").split(",")
    by_number = {line.partition("]")[0][1:]: line for line in passages.split("\n")}
    return "\n".join([row, *(by_number[number] for number in numbers)])


if __name__ == "__main__" and len(sys.argv) > 1:  # `make quality` runs every script here
    sys.exit(main(sys.argv[1], *map(Path, sys.argv[2:3])))
