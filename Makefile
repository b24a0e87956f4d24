# `make demo` and `make test` work in a fresh clone: each sets up .venv first, once.

PYTHON ?= python3
PART ?=
GAMES ?=
BIN := .venv/bin
READY := .venv/.ready

# Without compiled files every process that the tests start would compile grl anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test checks tests docs gallery prices bench pictures openapi notebooks traces lock clean

help:
	@echo "make demo    learn every shipped game, compare with its reference, print its rules, draw pictures"
	@echo "make test    style, types, import directions, tests"
	@echo "make docs    the site: all pages, and a reference of the Python API from docstrings"
	@echo "make gallery pages of the games that make demo learns, for the site; GAMES=all learns the others too"
	@echo "make prices  the page of what operators and features cost, from the code"
	@echo "make bench   measurements, or one part of them: make bench PART=traces"
	@echo "make pictures  screenshots of the page, with an installed Chromium"
	@echo "make openapi   the description of the page's JSON interface, from the code"
	@echo "make notebooks  execute the notebooks of the tutorial, and write their outputs into them"
	@echo "make traces  write the shipped trace files anew"
	@echo "make lock    choose the locked versions anew"
	@echo "make clean   remove .venv and everything made"

demo: $(READY)
	@$(BIN)/python benchmarks/demo.py

# Style and types are checked beside the tests, by one process, which alone would leave a core idle.
test: $(READY)
	@$(MAKE) --no-print-directory -j 2 checks tests

checks:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

tests:
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal

# A broken link, and a name that names nothing, fail it.
docs: $(READY) gallery
	@rm -rf site
	@$(BIN)/sphinx-build --quiet --fail-on-warning --builder html --conf-dir docs \
	    --doctree-dir build/doctrees . site
	@echo "The site is in site/docs/index.html"

gallery: $(READY)
	@$(BIN)/python benchmarks/gallery.py $(GAMES)

prices: $(READY)
	@$(BIN)/python benchmarks/prices.py

bench: $(READY)
	@$(BIN)/python benchmarks/bench.py $(PART)

# Learns what `make demo` learns, opens the page in a headless Chromium and takes its pictures.
pictures: $(READY)
	@$(BIN)/python benchmarks/page_pictures.py

openapi: $(READY)
	@$(BIN)/python benchmarks/openapi.py

notebooks: $(READY)
	@$(BIN)/python benchmarks/notebooks.py

# The commands are the lines of traces/README.md, which a test holds to the files.
traces: $(READY)
	@sed -n 's|^grl traces generate |$(BIN)/&|p' traces/README.md | sh -ex

# All extras but gpu: its packages are large, and of use on few machines.
LOCKED := dask dev docs fast import openspiel parquet pettingzoo pgn render sgf shogi uci web
lock: $(READY)
	@$(BIN)/python -m pip install --quiet pip-tools
	@CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --no-config --upgrade \
	    $(LOCKED:%=--extra %) --strip-extras --allow-unsafe --no-emit-options \
	    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	    --output-file requirements.lock pyproject.toml

clean:
	rm -rf .venv demo site build

$(READY): pyproject.toml requirements.lock .ci/venv
	@PYTHON="$(PYTHON)" .ci/venv
	@touch $@
