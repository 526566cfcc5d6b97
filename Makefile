# `make play` sets everything up, starts the server and opens the game; `make test` runs everything that CI checks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python

# Tests run on all cores; those of a file stay together, since they share servers.
PYTEST := -m pytest --numprocesses=auto --dist=loadfile --no-loadscope-reorder

# Hot modules are compiled from these; a changed one must be compiled again before anything runs.
SOURCES := $(shell find src -name '*.py' -o -name '*.pxd')

.PHONY: play test page web build docs lint format types tests quick pure sanitized bench clean

play: build page
	@$(BIN)/cyvasse serve --open

# What needs one core each goes side by side.
test:
	$(MAKE) --jobs=2 build page
	$(MAKE) --jobs=2 --output-sync=target lint types docs web
	$(MAKE) tests pure sanitized
	@echo "everything passed"

$(VENV)/ready: pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --upgrade pip 'setuptools>=77' 'cython>=3.1,<4'
	CYVASSE_PURE=1 $(PY) -m pip install --quiet --no-build-isolation --editable '.[dev]'  # compiled below
	@touch $@

# Compiles in place.  Where there is no compiler this prints why and the package runs uncompiled.
$(VENV)/built: $(VENV)/ready $(SOURCES)
	$(PY) setup.py --quiet build_ext --inplace
	@touch $@

build: $(VENV)/built

# The page in the browser.  Node is taken from the machine, or from PyPI.
PAGE := src/cyvasse/server/page/index.html
$(PAGE): web/package-lock.json web/index.html web/vite.config.ts $(shell find web/src web/public src/cyvasse/draw docs/rules -type f)
	$(PYTHON) web/build.py

page: $(PAGE)

web: page
	$(PYTHON) web/build.py test

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: build
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: build
	$(BIN)/mypy

tests: build page
	$(PY) $(PYTEST) --durations=25

quick: build page
	$(PY) $(PYTEST) -m 'not slow'

# The same files as plain Python, installed without any extension in an environment of its own;
# the base install alone, so without the server and its page.
pure: build
	$(PYTHON) -m venv $(VENV)-pure
	$(VENV)-pure/bin/python -m pip install --quiet --upgrade pip
	CYVASSE_PURE=1 $(VENV)-pure/bin/python -m pip install --quiet --force-reinstall --no-cache-dir . pytest pytest-xdist hypothesis
	$(VENV)-pure/bin/python $(PYTEST) -m 'not slow' --ignore tests/server --ignore tests/web

# The hot modules once more, so that an index out of bounds or undefined behaviour stops the run.
sanitized: build
	rm -rf build/sanitized && mkdir -p build/sanitized
	cp -r src setup.py pyproject.toml README.md LICENSE build/sanitized  # without web/: no page is built
	find build/sanitized -name '*.so' -delete
	cd build/sanitized && CYVASSE_SANITIZE=1 CYVASSE_REQUIRE_COMPILED=1 ../../$(PY) setup.py --quiet build_ext --inplace
	PYTHONPATH=build/sanitized/src $(PY) -c 'import cyvasse.actions as hot; assert b"__ubsan_handle" in open(hot.__file__, "rb").read()'
	PYTHONPATH=build/sanitized/src $(PY) $(PYTEST) -m 'not slow' tests/rules tests/test_build.py tests/engine/test_search.py tests/engine/test_prove.py

# The documents as a site, in build/site; a warning is a failure.
docs: build
	NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict --quiet

bench: build
	$(PY) benchmarks/perft.py
	$(PY) benchmarks/search.py

clean:
	rm -rf build dist $(VENV) $(VENV)-pure src/*.egg-info web/node_modules src/cyvasse/server/page
	find src -name '*.so' -delete -o -name '*.c' -delete
