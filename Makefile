# `make play` sets everything up, starts the server and opens the game; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python

# Tests run on all cores, and whoever has none left takes from the other.  With COVERAGE=1 what they
# run of src/ is noted.
COVERAGE :=
export COVERAGE_FILE = $(CURDIR)/build/coverage/$@
PYTEST = -m pytest --numprocesses=auto --dist=worksteal $(if $(COVERAGE),--cov --cov-report=)

# Hot modules are compiled from these; a changed one must be compiled again before anything runs.
SOURCES := $(shell find src -name '*.py' -o -name '*.pxd')

.PHONY: help play test ci thorough page browser web wire build docs lint format types hooks lock tests quick \
	pure sanitized sampled coverage glimpse goldens bench clean

play: build page ## set everything up, start the server and open the game
	@$(BIN)/cyvasse serve --open

help: ## list what can be made
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand --tabs=12

# What needs one core each goes side by side.
QUICK = $(PYTEST) -m 'not slow and not thorough' --hypothesis-profile=quick \
	$(foreach slow,web cli terminal/screens,--ignore tests/$(slow))
quick: ## what to run at each change: lint, types and the quick tests; at most 2 minutes
	$(MAKE) --jobs=2 build page
	$(MAKE) --jobs=2 --output-sync=target lint types
	$(PY) $(QUICK)

test: ## what to run before handing something in; at most 15 minutes
	$(MAKE) --jobs=2 build page
	-$(MAKE) browser
	$(MAKE) --jobs=2 --output-sync=target lint types docs web
	$(MAKE) tests
	@echo "everything passed"

# CI ends whatever takes 90 minutes.  On a machine that is several times slower than usual the stages
# after `make test` are left out from here on, and that is said.
LATEST := 50 # minutes
STAGES := pure sanitized sampled glimpse
ci: ## everything that CI runs, which is `make test` and more; under 40 minutes
	@begun=$$(date +%s); minutes() { echo $$((($$(date +%s) - begun) / 60)); }; $(MAKE) test || exit; \
	for stage in $(STAGES); do \
		if [ $$(minutes) -ge $(LATEST) ]; then echo "left out, since $$(minutes) minutes are over: make $$stage"; \
		else echo "after $$(minutes) minutes: make $$stage"; $(MAKE) $$stage || exit; fi; \
	done

thorough: build page ## whole matrices and endurance; about an hour
	-$(MAKE) browser
	CYVASSE_THOROUGH=whole $(PY) $(PYTEST) --hypothesis-profile=thorough --durations=50

# Everybody gets the same versions; the ranges of pyproject.toml are for those who install the package.
LOCK := requirements-dev.txt
$(VENV)/ready: pyproject.toml setup.py $(LOCK)
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --upgrade pip
	$(PY) -m pip install --quiet --require-hashes --requirement $(LOCK)
	CYVASSE_PURE=1 $(PY) -m pip install --quiet --no-build-isolation --no-deps --editable .  # compiled below
	@touch $@

# For every platform and every Python that the package runs on; without the address of any index.
lock: ## pin the newest versions that pyproject.toml allows
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet 'uv>=0.5,<1'
	build/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' --output-file $(LOCK) pyproject.toml

# Compiles in place.  Where there is no compiler this prints why and the package runs uncompiled.
$(VENV)/built: $(VENV)/ready $(SOURCES)
	$(PY) setup.py --quiet build_ext --inplace
	@touch $@

build: $(VENV)/built ## compile in place

# The page in the browser.  Node is taken from the machine, or from PyPI.
PAGE := src/cyvasse/server/page/index.html
$(PAGE): web/package-lock.json web/index.html web/vite.config.ts web/svelte.config.js web/rules.py src/cyvasse/rulespage.py \
		src/cyvasse/server/addresses.json $(shell find web/src web/public src/cyvasse/draw docs/rules -type f) | $(VENV)/ready
	$(PY) web/build.py

page: $(PAGE) ## build the page in the browser

# What the page shares with the server, from the server's side; the result is committed.
wire: build ## what the page shares with the server, from the server's side
	$(PY) web/wire.py

# Looks by itself what has changed.  Where npm cannot be reached its tests are skipped.
browser: build ## build the package for the browser's Python
	@$(PY) web/package.py

web: page ## lint, check and test the page's sources
	$(PY) web/build.py test

lint: build ## ruff, and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache --no-logo

format: build ## let ruff and Biome format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(PY) web/build.py format

types: build ## mypy
	$(BIN)/mypy

hooks: build ## let git check what is about to be committed
	$(BIN)/pre-commit install

tests: build page ## the tests of `make test` alone
	$(PY) $(PYTEST) -m 'not thorough' --durations=25

sampled: build page ## one case of each thorough test
	CYVASSE_THOROUGH=sample $(PY) $(PYTEST) -m thorough --durations=25

# The same files as plain Python, installed without any extension in an environment of its own;
# the base install alone, so without the server and its page.  (Coverage wants greenlet by name.)
PLAIN := pytest-xdist 'coverage>=7.10,<8' 'pytest-cov>=6.3,<8' greenlet
pure: build ## the tests with uncompiled modules
	rm -rf build/lib  # what is no longer there would be installed from here
	$(PYTHON) -m venv $(VENV)-pure
	$(VENV)-pure/bin/python -m pip install --quiet --upgrade pip
	CYVASSE_PURE=1 $(VENV)-pure/bin/python -m pip install --quiet --force-reinstall --no-cache-dir '.[testing]' $(PLAIN)
	$(VENV)-pure/bin/python $(PYTEST) -m 'not slow and not thorough' tests --ignore tests/server --ignore tests/web --pyargs cyvasse.testing

# The hot modules once more, so that an index out of bounds or undefined behaviour stops the run.
sanitized: build ## the tests with a build that stops at what C forbids
	rm -rf build/sanitized && mkdir -p build/sanitized
	cp -r src setup.py pyproject.toml README.md LICENSE build/sanitized  # without web/: no page is built
	find build/sanitized -name '*.so' -delete
	cd build/sanitized && CYVASSE_SANITIZE=1 CYVASSE_REQUIRE_COMPILED=1 ../../$(PY) setup.py --quiet build_ext --inplace
	PYTHONPATH=build/sanitized/src $(PY) -c 'import cyvasse.actions as hot; assert b"__ubsan_handle" in open(hot.__file__, "rb").read()'
	PYTHONPATH=build/sanitized/src $(PY) $(PYTEST) -m 'not slow and not thorough' --pyargs cyvasse.testing tests/rules tests/test_build.py tests/engine/test_search.py tests/engine/test_prove.py

# Every kept answer anew, and what has changed; what comes from outside is checked instead.
goldens: build ## every kept answer anew, and what has changed
	$(PY) -m tests.goldens

# A warning is a failure.
docs: build ## the documents as a site, in build/site
	NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict --quiet

# Measured line by line tests take up to four times as long, so CI is content with a glimpse: what the
# quick tests run.  All of it needs both runs: compiled modules cannot be measured, and uncompiled
# there is no server.  Whoever adds much code without tests is told.
coverage: ## measure how much of src/ the tests run, and show it
	rm -rf build/coverage
	$(MAKE) tests COVERAGE=1
	$(MAKE) pure COVERAGE=1
	$(BIN)/coverage combine --quiet --keep build/coverage/tests build/coverage/pure
	$(BIN)/coverage report --fail-under=90

glimpse: COVERAGE := 1
glimpse: build page ## how much of src/ the quick tests run, and show it
	$(PY) $(QUICK)
	$(BIN)/coverage report --fail-under=80

bench: build ## measure perft and search
	$(PY) benchmarks/perft.py
	$(PY) benchmarks/search.py

clean: ## remove everything that was made
	rm -rf build dist $(VENV) $(VENV)-pure src/*.egg-info web/node_modules src/cyvasse/server/page
	find src -name '*.so' -delete -o -name '*.c' -delete
