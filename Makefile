# minigrad: the two commands are `make tutorials` and `make test`; `make` alone lists all of them.
#
# Everything happens in .venv, which is made when it is first needed: versions from constraints.txt,
# the core compiled in place.  What is up to date is left alone, so a second run is quick.

.DEFAULT_GOAL := help
SHELL := /bin/sh
.DELETE_ON_ERROR:
.SUFFIXES:

# The first Python that is new enough; `make test PYTHON=...` overrides it.
CANDIDATES := python3 python python3.14 python3.13 python3.12 python3.11
PYTHON ?= $(shell for p in $(CANDIDATES); do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)

PY := .venv/bin/python
SITE := docs/_build/html
CORE := $(shell find minigrad/_core -name "*.pyx" -o -name "*.pxd" -o -name "*.h")
# What the site is made from; what its build writes into docs/ is left out.
SOURCES := $(shell find docs minigrad tutorials tests/ops tests/parity/test_decisions.py README.md CHANGELOG.md \
	\( -path docs/_build -o -path docs/tutorials -o -path docs/reading -o -path docs/errors \
	-o -path docs/reference/generated -o -path docs/reference/ops -o -name __pycache__ \) -prune \
	-o -type f ! -name '*.so' ! -path 'minigrad/_core/*.c' -print)

# pip reads these: pinned versions, and no talk about itself.
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Figures of a script are drawn, not shown in windows that somebody would have to close.
export MPLBACKEND := Agg
export PYTHONWARNINGS := ignore:FigureCanvasAgg is non-interactive

# What `make live` builds takes minutes, and depends on nothing else in .venv: it stays when the rest goes.
CLEAR_VENV = if [ -d .venv ]; then find .venv -mindepth 1 -maxdepth 1 ! -name live -exec rm -rf {} +; fi

say = @printf '\n\033[1m== %s\033[0m\n' "$(1)"

.PHONY: help
help:
	@echo 'make tutorials   run the tutorials, build the site, say where to open it'
	@echo 'make test        the test suite; ALL=1 runs all of it, and not a share of what is long'
	@echo 'make build       the core alone, what has changed; QUICK=1 does not optimize it, for who works on it'
	@echo 'make bench       speed, compared with hand-written NumPy and what else is installed'
	@echo 'make site        the site alone; AXE=/path/to/axe.min.js checks its accessibility too'
	@echo 'make live        what cells need to run in the page; emscripten, Node and Python 3.13 are needed'
	@echo 'make serve       the site at a local address, where cells can run'
	@echo 'make pdf         the course as one PDF'
	@echo 'make publish     the site as one folder for any web server, dist/site; AT=https://... is its address'
	@echo 'make checked     tests of the core in a copy that sanitizers watch; ALL=1 runs every case of them'
	@echo 'make stubs       write the index of the table of derivatives and the stubs anew from the table'
	@echo 'make dist        the source distribution and the wheel, into dist/'
	@echo 'make clean       remove what these commands made, .venv included, but for what make live built'
	@echo 'make distclean   remove that too'

# ------------------------------------------------------------------------------ the environment

.venv/installed: constraints.txt pyproject.toml tools/check_machine.py
	@if [ -z "$(PYTHON)" ]; then \
		echo 'minigrad: Python 3.11 or newer is needed; tried: $(CANDIDATES).' >&2; \
		for p in $(CANDIDATES); do \
			command -v $$p >/dev/null 2>&1 && echo "    $$p is $$($$p --version 2>&1)" >&2; done; \
		echo '    Install one, or say where it is: make test PYTHON=/path/to/python3.12' >&2; \
		exit 1; fi
	@"$(PYTHON)" tools/check_machine.py
	$(call say,Making .venv with $(PYTHON) (once; it takes some 500 MB))
	@$(CLEAR_VENV)
	@"$(PYTHON)" -m venv .venv
	@$(PY) -m pip install --quiet --upgrade pip setuptools wheel cython numpy build
	@$(PY) tools/requirements.py test docs > .venv/requirements.txt
	@$(PY) -m pip install -r .venv/requirements.txt
	@touch $@

# What was compiled in a hurry is optimized by the next build that is not: it finds .venv/quick, which is newer.
.venv/built: .venv/installed setup.py $(CORE) $(if $(QUICK),,$(wildcard .venv/quick))
	$(call say,Compiling the core (only what has changed))
	@MINIGRAD_QUICK=$(QUICK) $(PY) setup.py --quiet build_ext --inplace
	@test -d .venv/editable || PYTHONWARNINGS=ignore $(PY) -m pip install --quiet --no-build-isolation --no-deps --editable .
	@mkdir -p .venv/editable
	@$(PY) -m compileall -q minigrad
	@touch $@
	@$(if $(QUICK),touch,rm -f) .venv/quick

# What editors read of compiled modules and of the table: known once the library can be imported, so setup.py cannot
# write it.  Only what has changed is written.
.venv/stubs: .venv/built tools/make_stubs.py tools/stub_types.py $(shell find minigrad -name "*.py")
	@$(PY) tools/make_stubs.py > /dev/null
	@touch $@

.PHONY: build
build: .venv/built .venv/stubs

# ------------------------------------------------------------------------------ the two commands

.PHONY: tutorials
tutorials: .venv/site
	@printf '\nEvery tutorial ran. Read them here, in this order:\n\n'
	@$(PY) -c 'import pathlib; print("   ", pathlib.Path("$(SITE)/tutorials/index.html").resolve().as_uri())'
	@printf '\nWhat next: change a tutorial and run it alone,\n'
	@printf '.venv/bin/python tutorials/first_gradients/gradients_of_one_expression.py;\n'
	@printf 'then make test, to know that your minigrad is right.\n'
	@printf 'To run and change cells in the page itself: make live, then make serve.\n'

# The build runs each tutorial whose script or library has changed, and says which. If nothing but pages has changed, it
# builds these alone.
.venv/site: .venv/built $(SOURCES)
	$(call say,Building the site (the tutorials that changed are executed))
	@AXE="$(AXE)" $(PY) tools/build_site.py $(SITE)
	@touch $@

.PHONY: site
site: .venv/site

# Its tools are looked for before anything is compiled.
.PHONY: live
live:
	@"$(PYTHON)" tools/live/build.py --check
	@$(MAKE) --no-print-directory build
	$(call say,Building Python and NumPy and minigrad for web pages (only what has changed))
	@$(PY) tools/live/build.py
	@printf '\nWhat next: make serve, and run the cells in the page.\n'

.PHONY: serve
serve: .venv/site
	@$(PY) tools/live/serve.py

# With the wheels in dist/, which `make dist` builds, and with what `make live` has built.
.PHONY: publish
publish: .venv/site
	$(call say,Making the folder to publish)
	@$(PY) tools/publish/build.py $(SITE) dist/site --live .venv/live/live --wheels dist $(if $(AT),--at "$(AT)")
	@printf '\nWhat next: copy dist/site to a web server, or try it here: python dist/site/serve.py\n'

.PHONY: pdf
pdf: .venv/site
	$(call say,Printing the course (a Chromium is needed))
	@$(PY) tools/make_pdf.py $(SITE) docs/_build/minigrad-course.pdf

.PHONY: test
test: build
	$(call say,Running the tests (a process for each core))
	@PYTHONDONTWRITEBYTECODE= $(PY) -m pytest --forks=auto $(if $(ALL),,--drawn) -p no:logging $(ARGS)
	@printf '\nAll is well. What next: make tutorials, to learn with it; make bench, to see how fast it is;\n'
	@printf '.venv/bin/python -m pytest tests/ops -k sin, to run only what you are working on.\n'

# ------------------------------------------------------------------------------ the others

.PHONY: bench
bench: build
	$(call say,Measuring (interleaved; medians))
	@$(PY) -m tests.benchmarks $(ARGS)

.PHONY: checked
checked: build
	$(call say,Building a copy of the core that is watched, and running its tests)
	@$(PY) -m tests.robustness.sanitizers $(if $(ALL),--all) $(ARGS)

.PHONY: stubs
stubs: build
	@$(PY) tools/make_index.py
	@$(PY) tools/make_fingerprints.py
	@$(PY) tools/make_stubs.py

.PHONY: dist
dist: build
	@$(PY) -m build

.PHONY: clean
clean:
	$(CLEAR_VENV)
	@rmdir .venv 2>/dev/null || test ! -d .venv || echo 'What make live built is still in .venv/live; make distclean removes it.'
	rm -rf build dist *.egg-info docs/_build docs/tutorials docs/reading docs/errors docs/reference/ops docs/reference/generated
	find minigrad/_core -name "*.c" -delete
	rm -f minigrad/_core.*.so
	find minigrad -name "*.pyi" ! -path minigrad/_core/graph/graph.pyi -exec grep -q "^.*Made by .make stubs" {} \; -delete

.PHONY: distclean
distclean: clean
	rm -rf .venv
