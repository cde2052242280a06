# `make lab` opens the course, `make test` proves that everything works. Needs Python 3.11 or newer, nothing else.
# Works with POSIX sh and GNU make 3.81 (the one that macOS brings).

PYTHON = python3 python3.13 python3.12 python3.11
VENV = .venv
PY = $(VENV)/bin/python
# What is installed: it changes with the requirements and with the folder, because an installed package knows its place.
KEY = $(shell { pwd; cat pyproject.toml constraints.txt; } | cksum)
# Looks for barriers on the explorer's page.
AXE = axe-core@4.14.1
START = /lab/tree/notebooks/00_start_here.ipynb

.PHONY: help lab test test-browser notebooks lint format certificates bench bench-browser clean environment install browser

help: ## show this list
	@echo "Usage: make <target> [PYTHON=/path/to/python3] [ARGS='further options']"
	@sed -n 's/^\([a-z-]*\):.*## /  make \1@/p' Makefile | tr '@' '\t' | expand -t 22

lab: environment ## open the course in JupyterLab
	@$(PY) -m jupyterlab --ip=localhost --LabApp.default_url=$(START) $(LAB_FLAGS) $(ARGS)

test: lint ## check the style, run the tests and every notebook
	@$(PY) -m pytest -n 2 --dist loadscope $(ARGS)
	@echo "The tests in a real browser are separate: make test-browser"

test-browser: browser ## drag the boundary explorer in Chromium, alone and in JupyterLab
	@$(PY) tests/browser/chromium.py
	@node --test --test-reporter=dot tests/explorer/explorer.test.mjs
	@$(PY) -m pytest -n 2 --dist loadfile tests/browser $(ARGS)

notebooks: environment ## run the notebooks and store their outputs (some only: ONLY='notebooks/01_*.ipynb')
	@$(PY) -m ruff format --quiet $(or $(ONLY),notebooks)
	@$(PY) tools/refresh_notebooks.py $(ONLY)

lint: environment ## check the style of code and notebooks
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check

format: environment ## mend what can be mended automatically
	@$(PY) -m ruff check --fix
	@$(PY) -m ruff format

certificates: environment ## print the digits that the numerics reach against NIST and mpmath
	@$(PY) tools/certificates.py

bench: environment ## compare speed and memory with scikit-learn's (minutes, on a quiet machine)
	@$(PY) tests/benchmarks/import_time.py
	@$(PY) tests/benchmarks/classifiers.py
	@$(PY) tests/benchmarks/mixtures.py

bench-browser: browser ## time the frames of the explorer beside a slider that redraws a picture
	@$(PY) tests/benchmarks/explorer_frames.py

clean: ## remove everything that make has made
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name .git -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

# As root, Jupyter wants to be told that this is meant; without a display, there is no browser to open.
LAB_FLAGS = $(shell [ "$$(id -u)" != 0 ] || echo --allow-root; \
	[ "$$(uname -s)" != Linux ] || [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || echo --no-browser)

environment:
	@{ [ "$$(cat $(VENV)/.installed 2>/dev/null)" = "$(KEY)" ] && $(PY) -c '' 2>/dev/null; } \
		|| $(MAKE) --no-print-directory install

# Keep a virtual environment that works and has not been moved: reinstalling into it takes seconds.
install:
	@if [ "$$(cat $(VENV)/.made-in 2>/dev/null)" = "$$(pwd)" ] && $(PY) -m pip --version >/dev/null 2>&1; then exit; fi; \
	for python in $(PYTHON) ''; do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	done; \
	if [ -z "$$python" ]; then \
		echo "BayesLab needs Python 3.11 or newer, which was not found (tried: $(PYTHON)): install it" \
			"from python.org, or say where it is with PYTHON=/path/to/python3." >&2; exit 1; \
	fi; \
	if [ -e $(VENV) ] && [ ! -e $(VENV)/.made-in ]; then \
		echo "$(VENV) exists, but was not made by make: move it away, or name another folder with VENV=..." >&2; exit 1; \
	fi; \
	if [ -e $(VENV) ]; then echo "The environment in $(VENV) is incomplete, broken or was moved: making it anew."; fi; \
	if ! "$$python" -m venv --clear $(VENV); then \
		echo "$$python cannot make a virtual environment: install its venv module" \
			"(Debian, Ubuntu: apt install python3-venv)." >&2; exit 1; \
	fi; \
	pwd > $(VENV)/.made-in
	@echo "Installing BayesLab and what it needs into $(VENV) (once; a minute or two) ..."
	@if ! $(PY) -m pip install --quiet --disable-pip-version-check -e '.[course,test]' -c constraints.txt; then \
		echo "The installation failed: see the message above; is the network reachable?" >&2; exit 1; \
	fi
	@echo "$(KEY)" > $(VENV)/.installed

# What the tests in a browser need besides, once. Chromium they find, or say how to install it.
browser: environment
	@if ! command -v node >/dev/null || ! command -v npm >/dev/null; then \
		echo "The tests in a browser need Node.js and npm: install them (Debian, Ubuntu: apt install nodejs npm)." >&2; \
		exit 1; \
	fi; \
	if [ "$$(cat $(VENV)/.browser 2>/dev/null)" = "$(KEY) $(AXE)" ]; then exit; fi; \
	if ! { $(PY) -m pip install --quiet --disable-pip-version-check -e '.[browser]' -c constraints.txt \
		&& npm install --silent --no-save --no-package-lock --prefix $(VENV)/axe $(AXE); }; then \
		echo "The installation failed: see the message above; is the network reachable?" >&2; exit 1; \
	fi; \
	echo "$(KEY) $(AXE)" > $(VENV)/.browser
