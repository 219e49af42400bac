# make play    a game against bots, here and now          make test    everything, with real servers
# make quick   what a change in one card, command or sentence needs: a minute, no servers
# make fuzz    20,000 inputs that nobody thought of, for everything that reads (docs/engineers/testing.md)
# make lint    types, style, import contracts             make bench   figures, side by side
# make sim     whole worlds on virtual time, with faults
# make soak    the long runs                              make lock    renew the locked requirements (needs uv)
# make cards   write docs/players/cards.md anew          make snapshots    save positions of today's games (tests/snapshots)
# make lengths    measure anew how long games take, for the forecasts of leagues (an hour of one core)
# make man     write deploy/share anew: the manual page, the shells' completions
# make screenshots    pictures of all pages, to be looked at: build/screenshots/index.html
# make pseudo FOLDER=own   a language that shows what translators can't reach
# make wheels    compiled wheels for each CPython from 3.11 to 3.14 that is here, each proved by games, and the plain one
# make wheel-compiled    a wheel whose rules are compiled         make compiled    the same unpacked, for make bench
# make test-compiled    the rules' tests and figures on it (part of make soak)
# Python 3.11 or newer; another one than the system's, or the first on the path: make PYTHON=python3.12 play

PYTHON ?= $(shell .ci/python)
BIN := .venv/bin
ARGS ?=
# tests that run beside each other: two that reckon on the usual two cores, two that mostly wait (tests/conftest.py)
WORKERS ?= 4

# what is compiled once is kept, also where the shell says otherwise: tests start hundreds of processes
export PYTHONDONTWRITEBYTECODE =

.PHONY: play quick test collected test-postgres fuzz lint bench sim soak lock cards lengths man pseudo snapshots screenshots compiled wheels wheel-compiled test-compiled clean

play: .venv/.runtime
	@$(BIN)/referee play $(ARGS)

# the rules but for their thousands of games, the readers, the words, a few evenings at the desk, what the house forbids
SLOW := laws mutants numbers perft recordings compiled rulings_in_time hands_open invented
QUICK := tests/rules $(SLOW:%=--ignore=tests/rules/test_%.py) tests/bots \
	$(addprefix tests/text/test_,cards.py lexicon.py grammar.py wishes.py reading_orders.py reading_roundtrip.py talking.py splitting.py) \
	$(addprefix tests/service/,play/test_games.py play/test_stepwise.py talk/test_talk.py runtime/test_referee.py) \
	$(addprefix tests/house/test_,caches.py documents.py rooms.py waiting.py words_apart.py shares.py)

# nothing there waits
quick: WORKERS = 2
quick: .venv/.test
	@$(BIN)/python -m pytest -q -n $(WORKERS) -m "not soak" $(QUICK) $(ARGS)

test: .venv/.test
	@PYTHON=$(PYTHON) .ci/prepare
	@$(BIN)/python -m pytest -q -n $(WORKERS) -m "not soak" $(ARGS)

# compiles what the tests import, and the tests, once: else each worker does
collected: .venv/.test
	@$(BIN)/python -m pytest -q -m "not soak" --collect-only $(ARGS)

# the service's tests once more, with their books on PostgreSQL (the store's own are on both in any case)
test-postgres: .venv/.test
	@PYTHON=$(PYTHON) .ci/prepare
	@REFEREE_TEST_STORE=postgres $(BIN)/python -m pytest -q -n $(WORKERS) -m "not soak" tests/service --ignore=tests/service/web $(ARGS)

fuzz: .venv/.test
	@$(BIN)/python -m tests.fuzz $(ARGS)

lint: .venv/.test
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check .
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports

# figures beside their goals; each bench adds a line to bench/history (`$(BIN)/python -m bench._goals` shows what is kept)
bench: .venv/.test
	@$(MAKE) compiled || echo "The rules could not be compiled here: the figures are without them."
	@for each in bench/*.py; do case $$each in */_*) ;; *) \
		BENCH_HISTORY=1 $(BIN)/python -m bench.$$(basename $$each .py) || exit 1 ;; esac; done
	@$(BIN)/python -m bench._goals

# as many worlds as a minute and a half of one core will play (docs/engineers/testing.md); ARGS="shrink SEED" makes one that fails short
sim: .venv/.test
	@PYTHONPATH=. $(BIN)/python -m tests.sim $(or $(ARGS),--seconds 90)

soak: .venv/.test
	@PYTHON=$(PYTHON) .ci/prepare
	@REFEREE_SOAK=1 $(BIN)/python -m pytest -q -n $(WORKERS) $(ARGS)
	@REFEREE_SOAK=1 $(MAKE) test-postgres
	@$(MAKE) test-compiled
	@$(BIN)/python -m tests.fuzz --count 1100000 --seed $$(date +%s)

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
	$(LOCK) --extra build --extra postgres --extra lmtp --extra e2e --extra pictures -c .ci/requirements.txt -o deploy/container/requirements.txt pyproject.toml
	$(LOCK) -c .ci/requirements.txt -o deploy/compiled/requirements.txt deploy/compiled/requirements.in
	$(LOCK) -o .ci/requirements-synapse.txt .ci/requirements-synapse.in
	echo uv | $(LOCK) -o .ci/requirements-uv.txt -

# the cards, in the words of the templates
cards: .venv/.test
	@$(BIN)/python -m referee.text.cardbook docs/players/cards.md

# how long games take: referee/league/game_lengths.py (ARGS='--games 100 --policies daily')
lengths: .venv/.test
	@nice $(BIN)/python -m referee.pace.lengths $(ARGS)

# the manual page and the shells' completions, out of the commands
man: .venv/.test
	@for shell in bash zsh fish; do $(BIN)/python -m referee.cli.manual $$shell > deploy/share/referee.$$shell; done
	@LC_ALL=en_US.UTF-8 $(BIN)/python -m referee.cli.manual man > deploy/share/referee.1
	@LC_ALL=pt_BR.UTF-8 $(BIN)/python -m referee.cli.manual man > deploy/share/referee.pt_BR.1

# games as they are saved today, for the versions that come after
snapshots: .venv/.test
	@$(BIN)/python -m tests.snapshots.take
	@$(BIN)/python -m tests.snapshots.keep
	@REFEREE_TEST_STORE=postgres $(BIN)/python -m tests.snapshots.keep

# what pages show, from a fresh house to the end of a game, on a phone and a desk, by day and by night
screenshots: .venv/.test
	@$(BIN)/python -m tests.service.web.screenshots build/screenshots

# a language that nobody speaks (docs/engineers/translating.md)
pseudo: .venv/.test
	@$(BIN)/python -m referee.text.pseudo $(FOLDER)

wheels:
	@$(PYTHON) deploy/compiled/wheels.py $(ARGS)

wheel-compiled: .venv/.test
	rm -rf dist/compiled
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true $(BIN)/python -m hatchling build -t wheel -d dist/compiled

# not those that plant cards or bugs of their own into the rules: compiled code takes neither
PLANTING := test_seams.py test_invented.py test_catalog.py test_mutants.py test_rulings_in_time.py

# unpacked in build/compiled, anew when the rules have changed
compiled: build/compiled/.made

build/compiled/.made: .venv/.test $(shell find referee/rules deploy/compiled -name '*.py')
	@$(MAKE) wheel-compiled
	@rm -rf build/compiled && mkdir -p build/compiled
	@$(BIN)/python -m zipfile -e dist/compiled/*.whl build/compiled
	@touch $@

test-compiled:
	@rm -rf build/compiled
	$(MAKE) compiled
	cp -r tests bench docs templates pyproject.toml build/compiled
	[ ! -d ../shared/scenarios ] || ln -sfn ../../shared build/shared
	cd build/compiled && ../../$(BIN)/python -m pytest -q -n $(WORKERS) -m "not soak" tests/rules $(PLANTING:%=--ignore=tests/rules/%) $(ARGS)
	$(BIN)/python -m bench.engine

clean:
	rm -rf .venv .venv-synapse dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
