"""Run the program's commands as a shell would: a process of its own, its own home, no terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FERRY = "The Ferry at Oxbow"
"""Title of the small book of `tests/flows/conftest.py`."""
CHECKOUT = Path(__file__).resolve().parents[1]


def run_command(
    *words: str,
    env: Mapping[str, str | None] | None = None,
    cwd: Path | None = None,
    module: str = "tui",
    stdin: str = "",
    timeout_s: float = 120,
) -> subprocess.CompletedProcess[str]:
    """Run `python -m tui WORDS`, as the console script does, and return what it printed.

    Args:
        words: The command line.
        env: Variables to add, or to take away where the value is None.
        cwd: Folder to run in; the present one by default.
        module: "tui" or "engine".
        stdin: What it may read.
        timeout_s: After which it is taken for hung.
    """
    full: dict[str, str] = {**os.environ, "PYTHONPATH": str(CHECKOUT), "TERM": "dumb"}
    for name, value in (env or {}).items():
        full.pop(name, None)
        if value is not None:
            full[name] = value
    return subprocess.run(
        [sys.executable, "-m", module, *words],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        env=full,
        cwd=cwd,
        timeout=timeout_s,
        check=False,
    )


def records(output: str) -> list[dict[str, Any]]:
    """Return the JSON objects a command printed, one a line."""
    return [json.loads(line) for line in output.splitlines()]


def run_line(line: str, cwd: Path = CHECKOUT) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `understory` is the program; nothing is typed into it."""
    return subprocess.run(
        ["bash", "-c", "set -o pipefail; " + line.replace("understory ", f"{sys.executable} -m tui ")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env={**os.environ, "TERM": "dumb", "PYTHONPATH": str(CHECKOUT)},
        timeout=120,
        check=False,
    )
