# make play    a game against bots, here and now          make test    everything, with real servers
# make lint    types, style, import contracts             make bench   figures, side by side
# make soak    the long runs                              make lock    renew the locked requirements (needs uv)
# make cards   write docs/cards.md anew
# Python 3.11 or newer; another one than python3: make PYTHON=python3.12 play

PYTHON ?= python3
BIN := .venv/bin
ARGS ?=

.PHONY: play test lint bench soak lock cards clean

play: .venv/.runtime
	@$(BIN)/referee play $(ARGS)

test: .venv/.test
	@.ci/prepare
	@$(BIN)/python -m pytest -q -n 2 -m "not soak" $(ARGS)

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports

bench: .venv/.test
	@for each in bench/*.py; do case $$each in */_*) ;; *) $(BIN)/python -m bench.$$(basename $$each .py) || exit 1 ;; esac; done

soak: .venv/.test
	@.ci/prepare
	@REFEREE_SOAK=1 $(BIN)/python -m pytest -q -n 2 -m soak $(ARGS)

# hatchling is among the locked requirements: nothing unlocked is fetched to build our own package
.venv/.runtime: deploy/requirements.txt pyproject.toml
	@.ci/environment $(PYTHON) deploy/requirements.txt
	@touch $@

.venv/.test: .ci/requirements.txt pyproject.toml
	@.ci/environment $(PYTHON) .ci/requirements.txt
	@touch $@ .venv/.runtime

# what is tested is what is installed: the small lock follows the large one
LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

lock:
	$(BIN)/python -m pip install -q uv
	$(LOCK) --all-extras -o .ci/requirements.txt pyproject.toml
	$(LOCK) --extra build -c .ci/requirements.txt -o deploy/requirements.txt pyproject.toml
	$(LOCK) -o .ci/requirements-synapse.txt .ci/requirements-synapse.in

# the cards, in the words of the templates
cards: .venv/.test
	@$(BIN)/python -m referee.text.cardbook docs/cards.md

clean:
	rm -rf .venv .venv-synapse dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
