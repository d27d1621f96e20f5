"""What speaking another language than English costs at start."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from engine.translate import CATALOGUES
from tests.commands import CHECKOUT
from tests.pace import allowance

_BUDGET_MS = 4.0
"""For the whole catalogue, about 1 500 messages."""
_REPEAT = 7
# Measured around the first message; the modules named are those the reader has loaded by then.
_CODE = """
import functools, os, pathlib, re, struct, time, typing
from engine.translate import _, use_language
use_language(os.environ["SPOKEN"])
begun = time.process_time()
_("Contents")
print((time.process_time() - begun) * 1000)
"""


def _first_message_ms(language: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _CODE],
        capture_output=True, encoding="utf-8", check=True, cwd=CHECKOUT,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), "SPOKEN": language}, timeout=60,
    )  # fmt: skip
    return float(done.stdout)


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_catalogue_is_loaded_in_no_time(language: str) -> None:
    took = min(_first_message_ms(language) for _each in range(_REPEAT))
    print(f"{language}: first message {took:.2f} ms CPU, budget {_BUDGET_MS} ms")
    assert took <= _BUDGET_MS * allowance()


def test_english_loads_no_catalogue() -> None:
    took = min(_first_message_ms("en") for _each in range(_REPEAT))
    print(f"en: first message {took:.3f} ms CPU")
    assert took <= 0.2 * allowance()
