# Everything runs in a local virtual environment, .venv, which the first target
# that needs it makes. `make` alone lists the targets.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
STAMP  := $(VENV)/.installed
PEERS  := .venv-peers

# What to run; override on the command line or in the environment, as in
#   make selfplay SELFPLAY_CONFIG=configs/other.toml
#   make test MAIN_TESTS='tests -m "not slow"'
SELFPLAY_CONFIG ?= configs/ppo.toml
SELFPLAY_ARGS   ?=
BENCH_ARGS      ?=
BASE            ?=
GUARD_ARGS      ?=

# The three lanes of the test suite, and the search.
WORKERS      ?= 2
MAIN_TESTS   ?= tests
NOJIT_TESTS  ?= tests/rules
BOUNDS_TESTS ?= tests/rules
COVERAGE_TESTS ?= tests/rules tests/coverage tests/render tests/test_rows.py tests/test_records.py tests/env/test_position.py tests/env/test_kernel.py
MUTANT_JOBS  ?= 1
MUTANT_ARGS  ?= --sample 1600 --seed 1
GAMES        ?= 2000
POSITIONS    ?= 2000
SEED         ?= 1
FUZZ_OUT     ?= runs/fuzz-$(SEED)-$(GAMES)-$(POSITIONS)
CASES        ?= 10000
LOAD_ARGS    ?=
PYTEST_ARGS  ?=
PYTEST       := $(PY) -m pytest

NOTEBOOKS := $(sort $(wildcard notebooks/*.py))

# Runs one notebook from its text form, in the folder where it lies; its output is not
# kept: what the docs hold is written by the notebooks themselves.
define RUN_NOTEBOOK
import os, sys
import jupytext
from nbclient import NotebookClient
path = sys.argv[1]
NotebookClient(
    jupytext.read(path),
    timeout=None,
    kernel_name="python3",
    resources={"metadata": {"path": os.path.dirname(path)}},
    extra_arguments=["--IPKernelApp.log_level=40"],
).execute()
endef
export RUN_NOTEBOOK

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help install links selfplay test lint types docs tests test-main test-nojit \
        test-bounds format notebooks bench peers bench-guard fuzz coverage golden web-fuzz web-load web-clicks mutants clean distclean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

install: $(STAMP) ## Make .venv and install everything, at the versions of constraints.txt

selfplay: $(STAMP) ## Train by self-play, as configs/ppo.toml says
	$(VENV)/bin/terracotta train ppo --config $(SELFPLAY_CONFIG) $(SELFPLAY_ARGS)

test: lint types docs tests ## Check style, types and documentation, then run every lane of the tests

lint: $(STAMP) ## Check style and format with ruff
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

links: ## Lay agents/ and training/ under build/packages by the names that they are imported by
	@"$(PYTHON)" -m tests.packages

types: $(STAMP) links ## Check types with mypy
	$(PY) -m mypy

docs: $(STAMP) ## Build the documentation into build/docs; any warning, dead link or anchor fails
	$(PY) -m sphinx --quiet --fail-on-warning --keep-going --builder html docs build/docs
	@echo "Documentation: build/docs/index.html"

tests: test-main test-nojit test-bounds ## Run the tests: compiled, interpreted, and bounds-checked

test-main: $(STAMP) ## Run the tests with the engine compiled
	@echo "== tests: compiled"
	$(PYTEST) -n $(WORKERS) $(MAIN_TESTS) $(PYTEST_ARGS)

test-nojit: $(STAMP) ## Run the rules' tests as plain Python, with no compiler
	@echo "== tests: interpreted"
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(WORKERS) $(NOJIT_TESTS) $(PYTEST_ARGS)

test-bounds: $(STAMP) ## Run some tests compiled with every array index checked
	@echo "== tests: bounds-checked"
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -n $(WORKERS) $(BOUNDS_TESTS) $(PYTEST_ARGS)

format: $(STAMP) ## Rewrite the code as `make lint` wants it
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

notebooks: $(STAMP) ## Run the notebooks in full (hours of games the first time, kept in runs/notebooks) and write docs/analysis.md
	@cd notebooks && TERRACOTTA_NOTEBOOK=full PYTHONPATH=.. ../$(PY) -m strategy.sets
	@set -e; for source in $(NOTEBOOKS); do \
	    echo "== $$source"; \
	    $(PY) -m jupytext --quiet --to ipynb --set-kernel python3 --output "$${source%.py}.ipynb" "$$source"; \
	    TERRACOTTA_NOTEBOOK=full $(PY) -c "$$RUN_NOTEBOOK" "$$source"; \
	done

bench: $(STAMP) peers ## Compare speed with the peers: a quarter of an hour; BENCH_ARGS="--quick", "--only aec", "--docs" ..
	BENCH_COMMAND='make bench$(if $(BENCH_ARGS), BENCH_ARGS="$(BENCH_ARGS)")' $(PY) -m tests.bench --peers $(PEERS) $(BENCH_ARGS)

# Its own virtual environment, since the peers want much that the project does not.
peers: $(STAMP) ## Install the benchmark's peers into .venv-peers (about 1.6 GB), or try those again that failed
	@$(PY) -m tests.bench.install $(PEERS)

bench-guard: $(STAMP) ## Fail where this tree is over 15 % slower than a commit: BASE=.. (default: where this branch left main)
	$(PY) -m tests.bench.guard $(if $(BASE),--base $(BASE)) $(GUARD_ARGS)

fuzz: $(STAMP) ## Play the engine against the second implementation: GAMES=.. POSITIONS=.. (goes on where it stopped)
	$(PY) -m tests.fuzz.run --games $(GAMES) --positions $(POSITIONS) --seed $(SEED) --jobs $(WORKERS) --out $(FUZZ_OUT) --resume

coverage: $(STAMP) ## Measure lines and branches of terracotta_env, interpreted
	NUMBA_DISABLE_JIT=1 $(PY) -m coverage run -m pytest -q $(COVERAGE_TESTS) $(PYTEST_ARGS)
	$(PY) -m coverage report --fail-under 97

web-fuzz: $(STAMP) ## Ask the web server what its own schema makes up, good and bad: CASES=10000
	$(PY) -m tests.agents.serve.fuzz --cases $(CASES)

web-load: $(STAMP) ## 50 visitors play a search at once while the page is loaded: LOAD_ARGS="--pause 1" ..
	$(PY) -m tests.agents.serve.load $(LOAD_ARGS)

web-clicks: $(STAMP) ## Time from a click to the new board, in a real browser
	$(PY) -m tests.agents.serve.clicks

mutants: $(STAMP) ## Put faults into the rules one at a time and see that a test notices each (goes on where it stopped)
	$(PY) -m tests.mutants run --jobs $(MUTANT_JOBS) $(MUTANT_ARGS)

golden: $(STAMP) ## Write the golden playthroughs and counts anew, after a deliberate change of the rules
	$(PY) -m tests.golden.write

clean: ## Remove caches and build output; keep .venv and runs/
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .numba_cache .coverage .coverage.* htmlcov
	find . \( -name $(VENV) -o -name $(PEERS) \) -prune -o -name .git -prune -o -type d \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

distclean: clean ## Remove .venv and .venv-peers as well
	rm -rf $(VENV) $(PEERS)

# The stamp is written last. Where one is already, .venv is whole and only brought
# up to date; where none is, an install was never made, interrupted or failed, and
# .venv is made anew (from pip's cache, so not all is fetched again).
# pip and setuptools come first, at their pinned versions, and build the project
# itself: constraints do not reach a build that pip isolates.
$(STAMP): pyproject.toml constraints.txt
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	    echo "make: cannot find '$(PYTHON)': install Python 3.11 or newer, or say where it is: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "make: $$("$(PYTHON)" --version 2>&1) is too old: Python 3.11 or newer is needed; say where one is: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
	    echo "make: '$(PYTHON)' lacks venv or ensurepip: install them (on Debian and Ubuntu, the package python3-venv)" >&2; exit 1; }
	@echo "Installing into $(VENV), at the versions of constraints.txt; the first time takes minutes ..."
	@{ test -e $@ && $(PY) -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; } || "$(PYTHON)" -m venv --clear $(VENV)
	@rm -f $@
	@$(PY) -m pip install -qq --disable-pip-version-check -c constraints.txt pip setuptools
	@$(PY) -m pip install -qq --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@
	@echo "Installed."
