"""The laws of the desk hold where people vote, go back, kick and close windows all the time, and admins with
them.
"""

from __future__ import annotations

import logging
import random
import secrets

import pytest

from referee.store import Alert, GameEvent, Outbox
from tests.seeds import share
from tests.service import crowd as crowds
from tests.service.crowd import Crowd
from tests.service.crowd_words import PEOPLE
from tests.service.inbound.test_message_laws import faults
from tests.service.playing import table
from tests.service.rig import House

WORDS = (
    "pause",
    "resume",
    "extend 2h",
    "vote yes",
    "vote no",
    "vote yes 1",
    "second",
    "second 2",
    "kick Ana",
    "kick bea",
    "kick cy",
    "replace Dan",
    "rewind round 1",
    "rewind round 2",
    "process",
    "process q3",
    "process q7",
    "record deal 1",
    "yes",
    "no",
    "here",
)


@pytest.mark.parametrize("seed", share(range(6)))
async def test_whatever_they_decide(
    house: House, seed: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_bytes", random.Random(seed).randbytes)
    monkeypatch.setattr(crowds, "WISHES", ("status", "hand", "who", "undo", *WORDS, *WORDS))
    caplog.set_level(logging.WARNING, logger="referee.service")
    crowd = Crowd(house, seed)
    people = PEOPLE
    for who in people[::5]:  # two of them are admins, who play
        await house.say(who, "hello", **({"vouched": False} if who.startswith("mail") else {}))
    object.__setattr__(house.settings, "admins", tuple(tuple(who.split(":", 1)) for who in people[::5]))
    game = await table(house, ["telegram:ana", "telegram:bea", "matrix:@cy:hs"])
    await house.say("telegram:bea", f"pause #{game}")
    await crowd.live(30)
    for _ in range(90):
        try:
            await crowd.dice.choice(
                (
                    crowd.intent,
                    crowd.intent,
                    crowd.legal_order,
                    crowd.legal_order,
                    crowd.legal_order,
                    crowd.button,
                    crowd.time,
                )
            )()
        except IndexError:  # anyone who is asked was kicked: nobody answers from there
            await crowd.time()
        crowd.note()
    await crowd.live(0)
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
    assert not house.store.read_now(lambda tx: tx.all(Alert, code="frozen"))
    if house.store.read_now(
        lambda tx: [row for row in tx.all(Outbox, state="queued") if '"held"' in row.data]
    ):
        house.clock.pass_(hours=10)
        await house.settle()
    assert faults(house, crowd) == []
    assert house.store.read_now(lambda tx: tx.count(GameEvent, name="proposed")) > 0
