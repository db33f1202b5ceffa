# supple from a checkout. Needs Python 3.11 or newer, git and make; the rest goes into .venv.

SHELL := /bin/sh
VENV := .venv
RUN := $(VENV)/bin
PYTHON_READY := $(VENV)/.python-ready
PLAY_READY := $(VENV)/.play-ready
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.bench-ready

PYTHON ?=
SCENE ?= silk
MINUTES ?= 60

.DEFAULT_GOAL := help
.PHONY: help play test soak page lint bench docs format pin reference theory papers figures clean

help: ## show this list
	@echo "supple, from a checkout:"
	@echo
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-14s %s\n", $$1, $$2}'
	@echo
	@echo "Variables: SCENE=$(SCENE) (for play), PYTHON=path/to/python (to make $(VENV) with)"

play: page ## open the studio on the default scene in a browser
	@$(RUN)/supple play $(SCENE)

# The browser's tests watch a clock, so they have the machine to themselves.
test: lint page ## everything: lint, then all tests, the browser's too
	@$(RUN)/python scripts/build_page.py --chromium > /dev/null
	@$(RUN)/python -m pytest -n 2 --ignore=tests/browser
	@$(RUN)/python -m pytest tests/browser

soak: $(READY) ## an hour of random sessions, mutated files and a long run; MINUTES=5 for less
	@$(RUN)/python -m tests.anything.soak --minutes $(MINUTES)

page: $(PLAY_READY) ## build the studio's page
	@$(RUN)/python scripts/build_page.py

lint: $(READY) ## style, types and layers
	@$(RUN)/ruff check .
	@$(RUN)/ruff format --check .
	@$(RUN)/mypy
	@$(RUN)/lint-imports

docs: $(READY) ## the documentation as a site in build/site; SERVE=1 shows it and follows changes
	@NO_MKDOCS_2_WARNING=1 $(RUN)/mkdocs $(if $(SERVE),serve,build --quiet)
	@$(if $(SERVE),,echo "open build/site/index.html")

bench: $(BENCH_READY) ## how fast, and against what
	@$(RUN)/supple bench

format: $(READY) ## let ruff put the sources in order
	@$(RUN)/ruff check --fix .
	@$(RUN)/ruff format .

pin: $(READY) ## write constraints.txt anew from pyproject.toml
	@$(RUN)/python scripts/pin.py

reference: $(READY) ## write docs/reference anew from the docstrings
	@$(RUN)/python scripts/reference.py

theory: $(READY) ## write the index of docs/theory anew from its equations
	@$(RUN)/python scripts/theory_index.py

papers: $(READY) ## write docs/papers anew from its rows and measurements
	@$(RUN)/python scripts/papers.py

figures: $(READY) ## draw the figures of docs/papers and measure anew (some minutes)
	@$(RUN)/python -m scripts.figures.draw

clean: ## remove .venv and what tools left behind
	rm -rf $(VENV) build dist web/build web/node_modules supple/studio/static .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# Playing needs a quarter of what testing needs. A stamp is newer than the two files that decide what is installed, or
# the install runs again. On a terminal pip shows how far it is. The page is built by its own goal, once.
install = quiet=-qq; if [ -t 1 ]; then quiet=; fi; \
	SUPPLE_PAGE_LATER=1 $(RUN)/python -m pip install $$quiet --disable-pip-version-check -e '.$(1)' -c constraints.txt \
	    || { echo "The install did not finish. With a network connection, run make again." >&2; exit 1; }

$(PLAY_READY): pyproject.toml constraints.txt $(PYTHON_READY)
	@echo "installing supple and what it needs into $(VENV) (a minute, the first time)"
	@$(call install,)
	@touch $@

$(READY): pyproject.toml constraints.txt $(PYTHON_READY)
	@echo "installing supple and what its tests need into $(VENV) (two minutes, the first time)"
	@$(call install,[dev])
	@touch $(PLAY_READY) $@

$(PYTHON_READY):
	@if ! $(RUN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    found=; \
	    for candidate in $(if $(PYTHON),"$(PYTHON)",python3 python3.13 python3.12 python3.11 python3.14 python); do \
	        if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	            found="$$candidate"; break; \
	        fi; \
	    done; \
	    if [ -z "$$found" ]; then \
	        echo "supple needs Python 3.11 or newer, and $(if $(PYTHON),PYTHON=$(PYTHON) is not one,none is on the PATH)." >&2; \
	        echo "Install one, or name it: make PYTHON=path/to/python3.11 $(MAKECMDGOALS)" >&2; \
	        exit 1; \
	    fi; \
	    echo "making $(VENV) with $$("$$found" --version)"; \
	    if ! "$$found" -m venv --clear $(VENV); then \
	        rm -rf $(VENV); \
	        echo "$$found cannot make a virtual environment: its module venv is missing (Debian and Ubuntu: package python3-venv)." >&2; \
	        exit 1; \
	    fi; \
	fi
	@touch $@

$(BENCH_READY): $(READY)
	@echo "installing what the benchmarks compare with"
	@$(call install,[bench])
	@touch $@
