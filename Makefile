# `make lab` opens the course, `make test` proves that everything works. Needs Python 3.11 or newer, nothing else.
# Works with POSIX sh and GNU make 3.81 (the one that macOS brings).

# Looked for in this order; what is installed, and how, says tools/install.py, which needs no make.
PYTHON = python3 python3.14 python3.13 python3.12 python3.11
VENV = .venv
PY = $(VENV)/bin/python
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
INSTALL = for python in $(PYTHON) $(PY) ''; do \
		"$$python" -E -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	done; \
	if [ -z "$$python" ]; then \
		echo "BayesLab needs Python 3.11 or newer, which was not found (tried: $(PYTHON)): install it" \
			"from python.org, or say where it is with PYTHON=/path/to/python3." >&2; exit 1; \
	fi; \
	exec "$$python" -E tools/install.py --venv $(VENV)

.PHONY: help lab test test-browser notebooks site lite guide slides questions student results lint format certificates verdicts mutants bench bench-integrators bench-browser bench-distributed versions pins release clean environment browser

GROUPS = For_readers:lab,test,help,clean \
	For_teachers:site,lite,guide,slides,questions,student,results \
	For_authors:notebooks,format,lint,test-browser,certificates,verdicts,mutants,bench,bench-integrators,bench-browser,bench-distributed \
	For_maintainers:versions,pins,release

help: ## show this list, by who needs what
	@echo "Usage: make <target> [PYTHON=/path/to/python3] [ARGS='further options']"
	@for group in $(GROUPS); do \
		echo; \
		echo "$${group%%:*}:" | tr _ ' '; \
		for target in $$(echo "$${group#*:}" | tr , ' '); do \
			sed -n "s/^\($$target\):.*## /  make \1@/p" Makefile | tr '@' '\t' | expand -t 27; \
		done; \
	done

lab: ## open the course in JupyterLab
	@$(INSTALL) lab $(ARGS)

test: ## check the style, run the tests and every notebook
	@$(INSTALL) test $(ARGS)

test-browser: ## use the explorers in browsers and in JupyterLab, and check site and slides if they have been made
	@$(INSTALL) test-browser $(ARGS)

notebooks: environment ## run the notebooks and store their outputs (some only: ONLY='notebooks/01_*.ipynb')
	@$(PY) -m ruff format --quiet $(or $(ONLY),notebooks)
	@$(PY) tools/refresh_notebooks.py $(ONLY)

site: ## make a site for students in build/site (with solutions, in build/self-study: EDITION=self-study)
	@$(INSTALL) site $(EDITION) $(ARGS)

lite: ## make build/lite, where the notebooks run in the student's browser; a site made later links to it
	@$(INSTALL) lite $(ARGS)

guide: ## make guide, solutions, questions and keys in build/teacher, for teachers only; it links to the site
	@$(INSTALL) guide $(ARGS)

slides: ## make slides of the notebooks in build/slides (some only: ONLY='05 06'; without code: CODE=no)
	@$(INSTALL) slides $(ONLY) $(if $(filter no,$(CODE)),--no-code) $(ARGS)

questions: ## export questions for Canvas, Moodle and paper, in build/teacher/questions (some only: ONLY='05 06')
	@$(INSTALL) questions $(ONLY) $(ARGS)

lint: ## check style, types and imports
	@$(INSTALL) lint

format: environment ## fix the style where possible
	@$(PY) -m ruff format
	@$(PY) -m ruff check --fix

student: ## write build/bayeslab-student.zip, the course without solutions, or answers to questions about explorers
	@$(INSTALL) student $(ARGS)

results: ## run what students handed in, and tabulate what check says (FILES='submissions/*.zip')
	@$(INSTALL) results $(FILES) $(ARGS)

certificates: environment ## print how many digits agree with NIST and mpmath
	@$(PY) tools/certificates.py

mutants: environment ## change one thing in the package, and print it if no quick test notices (ARGS='--n 20 --seed 1')
	@$(PY) tools/mutate.py $(ARGS)

verdicts: environment ## try the sentences that compare with twenty other seeds (many minutes; some only: ARGS='04 05 --seeds 5')
	@PYTHONPATH=tools:tools/classroom:tests/notebooks OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
		$(PY) tests/notebooks/verdicts.py $(ARGS)

bench: environment ## compare speed with scikit-learn's and SciPy's (8 minutes, on a quiet machine; some rows: ONLY='mixture')
	@$(PY) tests/benchmarks/surface.py --only '$(ONLY)' $(ARGS)

bench-integrators: environment ## compare errors that are stated with true ones (many minutes; a first look: ARGS='--n 20')
	@$(PY) tests/benchmarks/integrators.py $(ARGS)

bench-browser: browser ## measure how fast the explorers answer while something is dragged
	@$(PY) tests/benchmarks/explorer_frames.py

bench-distributed: environment ## learn 5 GB on two workers of 1 GB, and in a loop (ARGS='--gigabytes 1')
	@$(PY) tests/benchmarks/bigger_than_memory.py $(ARGS)

release: environment ## build and check the archives of a version in dist, and print the command that tags it
	@test -z "$$(git status --porcelain)" || { echo "Commit or discard first what git status shows." >&2; exit 1; }
	@grep -Eq '^repository = ".+/.+"' pyproject.toml && grep -Eq '^contact = ".+@.+"' pyproject.toml || \
		{ echo "Set repository and contact in pyproject.toml: where the project lives, and whom to write to." >&2; exit 1; }
	@grep -m 1 '^## ' CHANGELOG.md | grep -qF '## [$(VERSION)] - ' || \
		{ echo "CHANGELOG.md does not begin with $(VERSION): number what stands under Unreleased." >&2; exit 1; }
	@grep -qxF 'version: $(VERSION)' CITATION.cff || { echo "CITATION.cff does not name $(VERSION)." >&2; exit 1; }
	@$(PY) -m pip install --quiet --constraint constraints.txt build check-wheel-contents pyroma twine
	@rm -rf dist
	@$(PY) -m build
	@$(PY) -m twine check --strict dist/*
	@$(PY) -m check_wheel_contents dist/*.whl
	@$(PY) -m pyroma --min=10 dist/*.tar.gz
	@echo "Now: git tag -a v$(VERSION) -m 'BayesLab $(VERSION)'"

pins: ## write requirements.txt anew: what `make lab` installs, as constraints.txt pins it, with hashes (needs uv)
	@echo setuptools | UV_CUSTOM_COMPILE_COMMAND="make pins" uv pip compile --quiet --no-header --no-annotate --universal \
		--generate-hashes --python-version 3.11 --extra course --constraint constraints.txt pyproject.toml - \
		--output-file requirements.txt

versions: environment ## run tests and notebooks with the oldest and the newest versions allowed (needs uv; one end: ARGS=oldest)
	@$(PY) tools/versions.py $(ARGS)

clean: ## remove everything that make has made
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name .git -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

environment:
	@$(INSTALL)

# What the tests in a browser need besides, once. Chromium they find, or say how to install it.
browser:
	@$(INSTALL) browser
