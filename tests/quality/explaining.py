"""Have the fixed passages explained by a real model and print what is wrong with each explanation.

`python tests/quality/explaining.py --url http://127.0.0.1:11434/v1 --model NAME [--key-name NAME] [--only en]`.
The exit status tells whether at most one in eight has a fault.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.chat import AnswerReady, TurnFailed, TurnStopped
from engine.domain.conversations import Scene
from engine.domain.locator import Locator
from engine.domain.models import ModelAddress, ModelRole
from engine.library import Library
from engine.providers.line import host_of
from tests.conversing import Heard
from tests.explaining import Case, cases, faults, shelve_case
from tests.shelving import paths_in

_MOST_FAULTY = 1 / 8


def main() -> int:
    """Explain all and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="")
    parser.add_argument("--model", default="")
    parser.add_argument("--key-name", default="")
    parser.add_argument("--only", default="", help="a language")
    given = parser.parse_args()
    if not (given.url and given.model):
        sys.stdout.write("left out: no model is named, see --url and --model\n")
        return 0
    chosen = [case for case in cases() if given.only in ("", case.language)]
    with tempfile.TemporaryDirectory() as folder:
        library = Library(paths_in(Path(folder)))
        library.add_model(ModelAddress("asked", url=given.url, model=given.model, key_name=given.key_name))
        library.use_model(ModelRole.COMPANION, "asked")
        library.allow_place(host_of(given.url))
        faulty = sum(_has_faults(library, case) for case in chosen)
        library.close()
    sys.stdout.write(f"{faulty} of {len(chosen)} have a fault\n")
    return 0 if faulty <= len(chosen) * _MOST_FAULTY else 1


def _has_faults(library: Library, case: Case) -> bool:
    work, selection = shelve_case(library, case)
    heard = Heard()
    library.explain(selection, Scene(work, Locator(selection.document, 0, 0)), listener=heard)
    event = heard.wait_for(AnswerReady, TurnFailed, TurnStopped, patience_s=600)
    text = event.text if isinstance(event, AnswerReady) else ""
    cited = [each.where for each in event.citations] if isinstance(event, AnswerReady) else []
    found = faults(case, text, cited)
    sys.stdout.write(f"{case.name}: {'; '.join(found) or 'well'}\n  {' '.join(text.split())}\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
