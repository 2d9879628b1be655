# The commands of the project. Everything runs in .venv; `make install` makes it, the others call it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
# Which game `make demo` plays: `make demo GAME=exgenhoca`.
GAME ?= gxc
# A file of tests is one worker's; which come first says tests/order.py, and why there are more workers than processors.
SHARED := --dist loadfile --no-loadscope-reorder
# Each process of an installation, and each worker, would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo servers test check faults bench lint types contracts docs clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,servers,load]'
	touch $(STAMP)

demo: install
	$(BIN)/warledger demo $(GAME)

LINT := $(BIN)/ruff check . && $(BIN)/ruff format --check .
TYPES := $(BIN)/mypy
CONTRACTS := $(BIN)/lint-imports

lint: install
	$(LINT)

types: install
	$(TYPES)

contracts: install
	$(CONTRACTS)

# Fast: under a minute. Slow tests are those marked `slow`, `faults` or `servers`. What finds faults without running
# anything goes on beside the tests, and speaks when they are through.
check: install
	@mkdir -p build; \
	($(LINT) && $(TYPES) && $(CONTRACTS)) > build/check.txt 2>&1 & found=$$!; \
	$(BIN)/pytest -m 'not slow and not servers and not faults' -n 3 $(SHARED); tests=$$?; \
	wait $$found || { cat build/check.txt; exit 1; }; \
	echo "ruff, mypy and import contracts find no fault"; exit $$tests

# What the tests of Kafka need and this machine has not: fetched once. Says so where it cannot be.
servers: install
	$(BIN)/python -m warledger.servers.prepare

test: lint types contracts servers
	$(BIN)/pytest -m 'not faults' -n 3 $(SHARED)

# The long forms: crashes, full disks, hostile clients, long seasons. Prints a table of what was done.
faults: servers
	$(BIN)/pytest -m faults

bench: install
	$(BIN)/python -m tests.bench

clean:
	rm -rf build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
