"""Where the shared books are, for the scripts of tests/quality; tests take the fixture `corpora`."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def corpora_with(*parts: str) -> Path | None:
    """Return the folder of shared books; None when a part of it is missing, after one line that says so.

    Args:
        parts: Folders or files a script reads, relative to the folder.
    """
    folder = Path(os.environ.get("UNDERSTORY_CORPORA") or "../shared/corpora").resolve()
    missing = [part for part in parts if not (folder / part).exists()]
    if not missing:
        return folder
    sys.stdout.write(f"left out: no {', '.join(missing)} in the folder UNDERSTORY_CORPORA names\n")
    return None
