"""The test that counts: one table, every channel, real sockets only, from the first word to the final
score.
"""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

from typer.testing import CliRunner

from referee.cli.app import app
from referee.store import Game, Inbox, Outbox, Seat
from tests.e2e import ledger, sealed
from tests.e2e.brain import Answer
from tests.e2e.conftest import House
from tests.e2e.installation import Installation
from tests.e2e.mail_player import MailPlayer
from tests.e2e.matrix_player import MatrixPlayer
from tests.e2e.playing import everybody, reads, until
from tests.e2e.telegram_player import TelegramPlayer
from tests.e2e.terminal_player import TerminalPlayer
from tests.servers.botapi import BotApi, markup
from tests.servers.botapi.web import Call
from tests.servers.mail import Mail
from tests.servers.synapse import Synapse

#: calls that put words before somebody's eyes
SAYING = ("sendmessage", "editmessagetext", "sendphoto", "editmessagemedia")


async def test_five_seats_on_four_channels_and_a_bot_with_two_rooms_watching(
    house: House,
    telegram: BotApi,
    synapse: Synapse,
    mail: Mail,
    people: contextlib.AsyncExitStack,
    tmp_path: Path,
) -> None:
    referee = house(telegram=telegram, synapse=synapse, mail=mail)
    await referee.start()
    ana, gus = TelegramPlayer(telegram, "Ana"), TelegramPlayer(telegram, "Gus")
    bea = MatrixPlayer(synapse, referee.address["matrix"], "Bea")
    cy, dan = MailPlayer(mail, referee.address["mail"], "Cy"), TerminalPlayer(referee, "Dan")
    for one in (ana, gus, bea, cy, dan):
        people.push_async_callback(one.stop)
        await one.start()
    group = telegram.group("Friday", [ana.user, gus.user])

    # the table is made in the group; Gus takes a seat there by its button and gives it back
    await reads(ana, "Ana")
    await reads(gus, "Gus")
    ana.user.say("/new devious dignitaries 5 players 100h 1 bot", group)
    living = (
        await until(
            lambda: [one for one in group.sees() if "Join" in one.labels()], "a table with a Join button"
        )
    )[-1]
    gus.user.press(living, "Join", group)
    await uow(referee, {"Ana", "Gus"})
    await gus.say("leave #1")
    await uow(referee, {"Ana"})

    # the others come by their own channels, and a room of theirs watches
    saturday = await bea.person.create_room(name="Saturday", invite=(bea.referee,))
    await until(lambda: bea.heard.get(saturday), "the referee speaks in the room it was invited to")
    await bea.person.say(saturday, "/watch #1")
    await until(
        lambda: any("Table #1" in text for text in bea.heard[saturday]), "the table is shown in the room"
    )
    await bea.say("join #1")
    await uow(referee, {"Ana", "Bea"})
    await reads(cy, r"\S")  # who are you? says the referee to a stranger
    await cy.say("join #1")
    await uow(referee, {"Ana", "Bea", "Cy"})
    await dan.say("join #1")
    await uow(referee, {"Ana", "Bea", "Cy", "Dan"})

    # everybody is asked in private, each says ready in their own way
    for one in (ana, bea, cy):
        await one.answer(await reads(one, "about to begin"), Answer(1))
    await reads(dan, "about to begin")
    await dan.say("ready")
    await until(lambda: referee.look(lambda tx: tx.count(Game, status="running")), "the game begins")

    given = await everybody([ana, bea, cy, dan], seed=1, seconds=240)
    assert all(count > 5 for count in given), given
    await until(
        lambda: (
            not referee.look(
                lambda tx: [
                    row
                    for state in ("queued", "sending")
                    for row in tx.all(Outbox, state=state)
                    if row.not_before_ms
                    < time.time() * 1000  # by mail a confirmation waits for the next letter
                ]
            )
        ),
        "all letters are out",
        60,
    )
    await until(
        lambda: any(one.text.startswith("Game #1, deluxe, over") for one in bea.rooms[saturday].values()),
        "the room is shown the end",
        60,
    )
    await until(
        lambda: any("wins" in one.text for one in bea.rooms[saturday].values()),
        "the room hears who has won",
        60,
    )
    assert referee.stop() == 0

    # its record, taken out and checked by the commands
    file = tmp_path / "game.txt"
    for words in (("write", "1", "--out", file, "--config", referee.config), ("verify", file)):
        done = CliRunner().invoke(app, ["record", *map(str, words)])
        assert done.exit_code == 0, done.output

    # what only these cards can was done, by people
    _, verbs, _ = referee.look(ledger.played)
    assert verbs.keys() & {
        "warrant",
        "threaten",
        "bribe",
        "refuse",
        "peek",
        "tithe",
        "sail",
        "seize",
        "favor",
    }, verbs

    # the living messages show the end, in the group and in the room
    tables = [one for one in group.sees() if one.from_bot and "Game #1, deluxe" in one.text]
    assert [one.pinned for one in tables] == [True]
    assert tables[0].edited
    assert "over" in tables[0].text.splitlines()[0]
    assert "wins" in "".join(one.text for one in group.sees())
    shown = [one.text for one in bea.rooms[saturday].values()]
    # words don't become a picture there: what stood in the room before the cards were dealt is one message,
    # the table from then on another
    living = [text for text in shown if text.startswith(("Table #1, deluxe", "Game #1, deluxe"))]
    assert ["over" in text.splitlines()[0] for text in living] == [False, True]
    assert any("wins" in text for text in shown)

    # nobody was told what is not theirs, and no order was left lying about
    assert not [line for line in referee.told(whole=True) if line["level"] in ("error", "critical", "raw")]
    assert referee.look(lambda tx: tx.count(Inbox, state="new") + tx.count(Inbox, state="shunted")) == 0
    may = referee.look(lambda tx: sealed.readers(tx, 1))
    seats = {seat.name: seat.no for seat in referee.look(lambda tx: tx.all(Seat, game_id=1))}
    told = {
        "Ana": wrote(telegram, ana.user.id),
        "Bea": bea.heard[bea.room],
        "Cy": [one.text for one in cy.letters],
        "Dan": [one.text for one in dan.letters],
    }
    for name, texts in told.items():
        assert sum(map(sealed.hands_told, texts)) > 5
        assert sum(map(sealed.news_told, texts)) > 20
        assert not [wrong for text in texts for wrong in sealed.overheard(may[seats[name]], text)], name
    everywhere = [*wrote(telegram, group.id), *bea.heard[saturday]]
    assert sum(map(sealed.news_told, everywhere)) > 20
    assert not any(map(sealed.hands_told, everywhere))
    assert not [wrong for text in everywhere for wrong in sealed.overheard(may[None], text)]


async def uow(referee: Installation, names: set[str]) -> None:
    """Wait until exactly these people sit at the table."""
    await until(
        lambda: (
            {seat.name for seat in referee.look(lambda tx: tx.all(Seat, game_id=1)) if not seat.bot} == names
        ),
        f"{names} sit",
    )


def said(call: Call) -> str:
    """The words of one call: a text, or what stands under a picture."""
    media = call.given.get("media") or {}
    return str(
        call.given.get("text")
        or call.given.get("caption")
        or (json.loads(media) if isinstance(media, str) else media).get("caption")
        or ""
    )


def wrote(api: BotApi, chat: int) -> list[str]:
    """Everything the bot wrote to a chat, edits and captions too, as the words stand on the wire."""
    return [
        markup.html(said(call))[0]
        for call in api.calls
        if call.method in SAYING and int(call.given["chat_id"]) == chat
    ]
