"""Write the knowledge packs of the sample series from the replies that were kept when they were read.

`python tests/quality/sample_packs.py SERIES ...` writes `engine/samples/SERIES.pack`, which comes with every
installation.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.commands import CHECKOUT
from tests.replaying import REPLAYS, replay, shelve_series


def main() -> int:
    """Run from the command line; without a name nothing is written, for `make quality` runs every script here."""
    if not sys.argv[1:]:
        sys.stdout.write(f"left out: name one of {', '.join(sorted(path.stem for path in REPLAYS.glob('*.jsonl')))}\n")
    for series in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            library, work = shelve_series(Path(folder), series)
            replay(library, work, series)
            info = library.export_pack(work, CHECKOUT / "engine" / "samples" / f"{series}.pack")
            library.close()
        sys.stdout.write(f"{series}: {info.points} points, {info.statements} statements\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
