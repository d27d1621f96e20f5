"""`python -m engine`: every command that needs no screen."""

from __future__ import annotations

import sys

_INTERRUPTED = 130

if __name__ == "__main__":
    try:
        from engine.cli import main

        sys.exit(main())
    except KeyboardInterrupt:  # Ctrl-C while the modules were still being loaded
        sys.exit(_INTERRUPTED)
