"""Which process holds the lease, and whether it still runs."""

from __future__ import annotations

import os
from pathlib import Path

from engine.store.jobs import Owner


def this_process() -> Owner:
    """Return the identity of this process for a lease."""
    return Owner(os.getpid(), _process_start(os.getpid()), _boot_id())


def is_alive(owner: Owner) -> bool:
    """Say whether the process that took a lease still runs, as far as the system tells."""
    if owner.boot != _boot_id():
        return False
    try:
        os.kill(owner.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it lives, as another user's
        return True
    return owner.process_start == _process_start(owner.pid)


def _process_start(pid: int) -> str:
    """Return when a process began, in the kernel's own words; empty where it does not tell."""
    try:
        # The name in brackets may itself hold blanks and brackets.
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""
