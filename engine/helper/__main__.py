"""`python -m engine.helper`."""

from __future__ import annotations

import sys

from engine.helper.worker import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
