"""Keep the replies a sample series was read with, so that the tests can read it again without a model.

    python tests/quality/record_replay.py HOME SERIES [MODEL]

HOME is the folder of a library (as in UNDERSTORY_HOME) in which the series, such as ashfall, has been read to the end;
it is copied and stays as it is. MODEL is the name the model was given there, "hand" if it is not said. Writes
tests/replays/SERIES.jsonl.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.library import Library
from engine.paths import paths_under
from engine.store.copies import copy_out
from tests.replaying import REPLAYS, record
from tests.shelving import wait_for_names


def main(home: Path, series: str, model: str = "hand") -> int:
    """Write the replay of a series and say how many replies it holds."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = paths_under(home), paths_under(Path(folder))
        target.data_dir.mkdir(parents=True)
        copy_out(source.library_db, target.library_db)
        copy = Library(target)
        wait_for_names(copy)
        [work] = copy.works()
        lines = list(record(copy, work.id, model))
        copy.close()
    REPLAYS.mkdir(exist_ok=True)
    (REPLAYS / f"{series}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(lines) - 1} replies, {sum(map(len, lines)):,} characters")
    return 0


if __name__ == "__main__" and len(sys.argv) > 2:  # `make quality` runs every script here
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:4]))
