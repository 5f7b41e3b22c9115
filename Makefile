# What a person does with a fresh clone. It needs make, python3 (3.11 or later) and its venv module, no more.
#
#   make setup          .venv with what boardctl needs to run
#   make play           one game on a simulated board, with a page; make play ARGS="bracket --policy club"
#   make test           all tests, the slow ones and those in a browser too
#   make check          format, lint, types and the quick tests: before every commit
#   make bench          how long things take on this machine
#   make firmware       the program for an Arduino under the board; needs gcc-avr and avr-libc, nothing else

PYTHON ?= python3
ARGS ?=

BIN := .venv/bin
RUNS := .venv/runs.stamp
TESTS := .venv/tests.stamp
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: setup play test check bench firmware
.DEFAULT_GOAL := setup
.NOTPARALLEL:

setup: $(RUNS)
	@echo "Ready. 'make play' begins a game; '$(BIN)/boardctl --help' lists the rest."

play: $(RUNS)
	$(BIN)/boardctl play $(ARGS)

test: $(TESTS)
	@sh .ci/packages
	$(BIN)/python -m pytest $(ARGS)

check: $(TESTS)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict
	$(BIN)/python -m pytest -m "not slow and not browser" $(ARGS)

bench: $(TESTS)
	$(BIN)/python -m tests.bench $(ARGS)

firmware:
	$(MAKE) --no-print-directory -C firmware_bridge/firmware/avr
	@echo "Ready: firmware_bridge/firmware/avr/build/board.hex; README.md beside it says how to flash it."

$(RUNS): pyproject.toml | $(BIN)/pip
	$(INSTALL) --editable .
	@touch $@

$(TESTS): pyproject.toml | $(BIN)/pip
	$(INSTALL) --editable '.[serial,test]'
	@touch $@ $(RUNS)

# pip comes last into a new .venv: where it is missing, .venv was left half made.
$(BIN)/pip:
	@sh .ci/python $(PYTHON)
	$(PYTHON) -m venv .venv
