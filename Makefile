# Needs make and Python 3.11 or newer, and nothing else. `make` lists what it can do.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := uv==0.13.9
PYTEST_ARGS ?= -n 2 --dist loadfile

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-dev up demo test lint format bench docs lock clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1 — \2/p' Makefile

setup: $(VENV)/.run.stamp ## make .venv with what it takes to run Stateroom, all of it locked by hash

setup-dev: $(VENV)/.dev.stamp ## the same, and what it takes to test and change it

up: setup ## start the server; ARGS="--port 7373 --store memory://" are handed on
	$(BIN)/stateroom up $(ARGS)

demo: setup-dev ## watch two agents hand an API over to each other; ARGS=--json and others are handed on
	$(BIN)/stateroom demo $(ARGS)

test: setup-dev lint ## lint, then every test; PYTEST_ARGS="-k lease" runs some of them, in one process
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: setup-dev ## style, layout, types, and who may import whom
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup-dev ## lay the code out and mend what can be mended safely
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup-dev ## measure against the budgets; takes ARGS
	$(BIN)/python -m bench $(ARGS)

docs: setup-dev ## build what is generated in docs/
	$(BIN)/python docs/build.py $(ARGS)

lock: ## for maintainers: resolve pyproject.toml anew into requirements/; ARGS=--upgrade takes newer versions
	$(PYTHON) -m venv .lock-venv
	.lock-venv/bin/python -m pip install --quiet --disable-pip-version-check '$(UV)'
	.lock-venv/bin/uv pip compile $(LOCK_ARGS) $(ARGS) --extra dev -o requirements/dev.lock pyproject.toml
	.lock-venv/bin/uv pip compile $(LOCK_ARGS) $(ARGS) --extra documents -c requirements/dev.lock -o requirements/run.lock pyproject.toml

clean: ## remove everything that make and the tools have made, .venv too
	rm -rf $(VENV) .lock-venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} +

# One file for every platform and Python, without a word about where the packages came from.
LOCK_ARGS := --quiet --universal --python-version 3.11 --group build --generate-hashes \
  --no-header --no-annotate --no-emit-index-url --no-emit-find-links

# The project is built with the locked backend (--no-build-isolation), so nothing unlocked is fetched.
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
LOCKED := $(PIP) install --quiet --require-hashes
ITSELF := $(PIP) install --quiet --no-deps --no-build-isolation --editable .

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo 'Stateroom needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo 'This Python cannot make a virtual environment: install its venv package (on Debian: python3-venv)' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run.stamp: requirements/run.lock pyproject.toml | $(BIN)/python
	$(LOCKED) -r requirements/run.lock
	$(ITSELF)
	@touch $@

# The dev lock holds all of the run lock at the same versions, so this is setup as well.
$(VENV)/.dev.stamp: requirements/dev.lock pyproject.toml | $(BIN)/python
	$(LOCKED) -r requirements/dev.lock
	$(ITSELF)
	@touch $(VENV)/.run.stamp $@
