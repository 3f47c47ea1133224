# unspool: `make run` opens the app, `make test` runs every check.

VENV := .venv
BIN := $(VENV)/bin
APP := $(VENV)/.app-ready
TOOLS := $(VENV)/.tools-ready
OLD_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))

# An environment whose Python went away is set up again.
$(shell [ -x $(BIN)/python ] || rm -f $(APP) $(TOOLS))

.PHONY: help setup run test screenshots pictures faults bench clean

help:
	@echo 'make run              set up and open the app'
	@echo 'make run ARGS="..."   set up and run one command, such as ARGS="sessions --limit 5"'
	@echo 'make test             set up and run every check'
	@echo 'make screenshots      draw the pictures of the README again'
	@echo 'make pictures         record the pictures that the tests compare with, after a change that is meant'
	@echo 'make faults           kill writers, fail calls, cut the power and stir what is followed, at length, with figures'
	@echo 'make bench            measure speed and memory beside wc, rg and others, and write tests/bench/RESULTS.md'
	@echo 'make setup            only set up $(VENV)'
	@echo 'make clean            remove $(VENV) and the caches'

setup: $(TOOLS)

run: $(APP)
	@$(BIN)/python -m unspool_tui $(ARGS) || [ $$? -eq 1 ]

test: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -q -n auto --dist worksteal

screenshots: $(TOOLS)
	$(BIN)/python -m tests.screenshots

pictures: $(TOOLS)
	$(BIN)/python -m tests.tui.pictures $(ARGS)

faults: $(TOOLS)
	$(BIN)/python -m tests.faults $(ARGS)

bench: $(TOOLS)
	$(BIN)/python -m tests.bench $(ARGS)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist

# The environment is made by uv where it is at hand, else by the first Python 3.11 or newer. A name on the PATH is
# tried by running it, since version managers put names there that do not run.
$(BIN)/python:
	@set -eu; \
	if [ -z "$(PYTHON)" ] && command -v uv >/dev/null 2>&1 && uv venv -q --seed --clear --python '>=3.11' $(VENV); then exit 0; fi; \
	found=; \
	for python in $(or $(PYTHON),python3.13 python3.12 python3.11 python3.14 python3 python); do \
	  if $$python -c '$(OLD_ENOUGH)' >/dev/null 2>&1; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo 'unspool needs Python 3.11 or newer, and found none. Name yours: make PYTHON=/path/to/python3 ...' >&2; exit 1; \
	fi; \
	if ! $$found -c 'import ensurepip, venv' >/dev/null 2>&1; then \
	  echo "unspool needs Python's venv, which $$found lacks. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; \
	fi; \
	$$found -m venv --clear $(VENV)

$(APP): pyproject.toml | $(BIN)/python
	@echo 'Setting up unspool in $(VENV) (once) ...'
	@if ! { command -v uv >/dev/null 2>&1 && uv pip install -q --python $(BIN)/python -e .; }; then \
	  $(BIN)/python -m pip install -q --disable-pip-version-check -e .; \
	fi
	@touch $@

# Dependency groups are known to pip from 25.1 on.
$(TOOLS): $(APP)
	@echo 'Adding the tools of the checks ...'
	@if ! { command -v uv >/dev/null 2>&1 && uv pip install -q --python $(BIN)/python --group dev; }; then \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --upgrade 'pip>=25.1' && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --group dev; \
	fi
	@touch $@
