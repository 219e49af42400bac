"""An upgrade tried on a copy: with this version, on what is in the database, before anybody plays on it.

The copy is unpacked where nobody sees it and brought up to this version's step; every live game is looked
through, and the letter that each of its players would get now is worded; bots play some of them, or all, on
to their end, and their letters are worded in every channel's markup. No channel is opened, and the database
itself is only read.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from referee import rules
from referee.bots import BOTS
from referee.ids import NO_QUESTION, LetterId
from referee.rules import AuditError
from referee.states import GameStatus
from referee.store import Game, Outbox, Seat, Store, Tx
from referee.store.backups import BackupFolder, Manifest, taken, unpacked
from referee.text import Words

from ..core.composing import ComposeContext
from ..core.outbox import LivingFacts
from ..core.settings import ServiceSettings
from ..core.unit_of_work import StateCache, json_text
from ..outbound.compose import compose
from ..people.letter_facts import PromptFacts
from ..play import rulings
from ..tables.letter_facts import LobbyFacts
from .audit import DEALT, AuditFlaw, flaws, where
from .workers import WorkShare, desk, numbers, shared

MARKUPS = ("telegram", "matrix", "mail", "terminal", "text")
#: no game has this many orders; now and then one is looked through as it is played
_ENDLESS, _LOOKED = 20_000, 50


class TrialResult(NamedTuple):
    """Of a share, or of all: live games, how many were played on and reached their end, by how many orders,
    how many letters were worded, and what was found.
    """

    games: int
    played: int
    orders: int
    letters: int
    flaws: list[AuditFlaw]


class UpgradeTrial(NamedTuple):
    """What it was tried on, to which step that was brought, and how it went."""

    manifest: Manifest
    revision: str
    tried: TrialResult


def rehearsed(
    backup: Path | None,
    url: str,
    folder: Path,
    clock_ms: Callable[[], int],
    *,
    most: int = 1000,
    templates: Sequence[Path] = (),
    workers: int = 0,
) -> UpgradeTrial:
    """Try this version on a backup, or (None) on one of the database at `url` that is made in `folder` and
    thrown away.

    `most`: that many games are played to their end, evenly among all (0: every one). `templates`: an admin's
    own. Raises as `keeping.kept`.
    """
    with (
        _copy(backup, url, folder, clock_ms()) as (file, place),
        _apart(place) as trial,
        unpacked(file, url, trial=trial) as scratch,
    ):
        games = numbers(scratch.url)
        step = max(1, -(-len(games) // most)) if most else 1
        parts = list(
            shared(
                partial(tried, step=step, templates=tuple(templates)), scratch.url, games, clock_ms(), workers
            )
        )
        whole = TrialResult(
            len(games),
            sum(one.played for one in parts),
            sum(one.orders for one in parts),
            sum(one.letters for one in parts),
            [flaw for one in parts for flaw in one.flaws],
        )
        return UpgradeTrial(scratch.manifest, scratch.revision, whole)


@contextmanager
def _copy(backup: Path | None, url: str, folder: Path, now_ms: int) -> Iterator[tuple[Path, Path]]:
    """A backup, and a folder in which something may be put for a while."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if backup is not None:
        yield backup, folder
        return
    with _apart(folder) as made:
        file = BackupFolder(made).place(now_ms, url)
        taken(url, file, now_ms)
        yield file, folder


@contextmanager
def _apart(place: Path) -> Iterator[Path]:
    """A folder for a while. What killed rehearsals left beside it goes: whole copies of the database."""
    for left in place.glob(".rehearsal-*"):
        with suppress(OSError), _held(left):
            shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=".rehearsal-", dir=place) as made, _held(Path(made)):
        yield Path(made)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """A folder that is in use: the lock goes when the process goes. Raises OSError where another has it."""
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(fd)


def tried(share: WorkShare, step: int = 1, templates: tuple[Path, ...] = ()) -> TrialResult:
    """Try these games; every `step`-th is played to its end."""
    store = Store.open(share.url, read_only=True)
    try:
        return store.read_now(lambda tx: _tried(tx, share, step, _words(templates)))
    finally:
        store.close_now()


@cache
def _words(templates: tuple[Path, ...]) -> Words:
    return Words(templates)


def _tried(tx: Tx, share: WorkShare, step: int, words: Words) -> TrialResult:
    played = orders = letters = 0
    found: list[AuditFlaw] = []
    for number in share.games:
        wrong = flaws(desk(tx, share.now_ms), number)
        found += wrong
        game = tx.get(Game, number)
        if wrong or game is None:
            continue
        try:
            letters += word_letters(
                tx,
                share.now_ms,
                words,
                game,
                MARKUPS[number % len(MARKUPS) :][:1] if number % step else MARKUPS,
            )
        except Exception as error:  # whatever breaks, it would break for this reader: a finding
            found.append(AuditFlaw(number, "letter", where(error)))
        if number % step or game.status not in DEALT:
            continue
        try:
            state = rules.load(json.loads(game.snapshot))
            for ruling in rulings.missing(game) if game.status == GameStatus.RUNNING else ():
                state = rules.ruled(state, ruling).state  # as it will be when this version starts
            orders += to_the_end(state, number)
            played += 1
        except AuditError as error:
            found.append(AuditFlaw(number, "rules-later", error.code))
        except Exception as error:  # whatever breaks, it would break for this table: a finding
            found.append(AuditFlaw(number, "unplayable", where(error)))
    return TrialResult(len(share.games), played, orders, letters, found)


def word_letters(tx: Tx, now_ms: int, words: Words, game: Game, markups: Sequence[str] = MARKUPS) -> int:
    """Word what each player, and a room, would be sent now in these markups; how many letters that is."""
    count = 0
    seats = tx.all(Seat, game_id=game.id, order="no")
    facts = PromptFacts(fresh=True) if game.status in DEALT else LobbyFacts()
    for markup in markups:
        at = ComposeContext(tx, now_ms, words, ServiceSettings(), StateCache(1), markup, False, b"rehearsal")
        for seat in seats:
            if seat.person_id is not None:
                asked = game.status == GameStatus.RUNNING and str(seat.no) in game.asked.split(",")
                compose(
                    at,
                    Outbox(
                        id=LetterId(1),
                        channel=markup,
                        address="nobody",
                        person_id=seat.person_id,
                        game_id=game.id,
                        seat=seat.no,
                        kind=facts.kind,
                        question=game.question if asked else NO_QUESTION,
                        data=json_text(facts),
                    ),
                )
                count += 1
        compose(
            at,
            Outbox(id=LetterId(1), channel=markup, place="nowhere", game_id=game.id, kind=LivingFacts.kind),
        )
    return count + len(markups)


def to_the_end(state: rules.State, number: int) -> int:
    """Let bots play a position on until the game is over, each by what its seat may see; by how many orders.

    Raises AuditError, and RuntimeError where it never ends.
    """
    dice = random.Random(number)
    for count in range(_ENDLESS):
        waiting = rules.asks(state)
        if not waiting:
            rules.audit(state)
            return count
        seat = waiting[0].seat
        state = rules.play(state, seat, BOTS["greedy"].choose(rules.view(state, seat), dice)).state
        if not count % _LOOKED:
            rules.audit(state)
    raise RuntimeError("it never ends")
