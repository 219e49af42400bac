"""What somebody meets who has Matrix and nothing else: a greeting, a menu in a room, a lobby, the first
question. Real homeserver, real process.
"""

from __future__ import annotations

import contextlib
import re

from referee.store import Game
from tests.adapters.conformance import until
from tests.e2e.conftest import House
from tests.servers.synapse import Synapse
from tests.servers.synapse_person import Person, Seen

SEALED = {
    "algorithm": "m.megolm.v1.aes-sha2",
    "ciphertext": "x",
    "session_id": "s",
    "sender_key": "k",
    "device_id": "D",
}


class Reader:
    """A person, and what the referee wrote in their rooms."""

    def __init__(self, person: Person, referee: str) -> None:
        self.person, self.referee = person, referee

    async def seen(self, room: str) -> list[Seen]:
        return [one for one in await self.person.read(room) if one.sender == self.referee]

    async def last(self, room: str, pattern: str) -> Seen:
        """The newest message there that says it, as soon as it is there."""
        found = await until(lambda: self._matching(room, pattern), 30)
        return found[-1]

    async def _matching(self, room: str, pattern: str) -> list[Seen]:
        return [one for one in await self.seen(room) if re.search(pattern, one.text)]


async def test_an_evening_in_a_room_from_the_first_word_to_the_first_question(
    house: House, synapse: Synapse, people: contextlib.AsyncExitStack
) -> None:
    installation = house(synapse=synapse)
    await installation.start()
    referee = installation.address["matrix"]
    ann, bea = Person.register(synapse), Person.register(synapse)
    for one in (ann, bea):
        people.push_async_callback(one.close)
    a, b = Reader(ann, referee), Reader(bea, referee)

    # a conversation is greeted as one, once
    own = await ann.create_room(invite=(referee,), direct=True)
    await a.last(own, r"^Welcome")
    await ann.say(own, "language en")
    await a.last(own, r"English")
    assert sum("I am" in one.text for one in await a.seen(own)) == 1

    # a menu in a room: by number, by a reply, and by nobody else
    room = await ann.create_room(name="Friday", invite=(referee, bea.id))
    await bea.join(room)
    await a.last(room, r"^Good day")
    await ann.say(room, "!new")
    await a.last(room, r"Which edition")
    await bea.say(room, "2")
    await ann.say(room, "1")
    menu = await a.last(room, r"How many players")
    await bea.say(room, "3", reply=menu.id)
    await a.last(room, r"Only .* can use this menu")
    await ann.say(room, "2 players", reply=menu.id)
    await a.last(room, r"How much time")
    await ann.say(room, "3")
    lobby = await a.last(room, r"1 of 2 seats")

    # the lobby is everybody's, and one message
    await bea.say(room, "1", reply=lobby.id)
    await a.last(room, r"2 of 2 seats")
    offered = await until(bea.invitations, 30)
    (private,) = offered
    await bea.join(private)
    asked = await b.last(private, r"about to begin")
    await bea.say(private, "1", reply=asked.id)
    await a.last(room, r"Seat 2: .*, ready")
    lobbies = [one for one in await a.seen(room) if re.search(r"of 2 seats", one.text)]
    assert [one.id for one in lobbies] == [lobby.id]
    assert sum("about to begin" in one.text for one in await b.seen(private)) == 1
    assert not any("Good day" in one.text for one in await b.seen(private)), "no room's greeting in private"
    await a.last(own, r"about to begin")
    await ann.say(own, "1")
    await until(lambda: installation.look(lambda tx: tx.count(Game, status="running")), 30)
    assert not installation.complaints()


async def test_a_conversation_that_is_encrypted_goes_on_in_one_that_is_not(
    house: House, synapse: Synapse, people: contextlib.AsyncExitStack
) -> None:
    installation = house(synapse=synapse)
    await installation.start()
    referee = installation.address["matrix"]
    eve = Person.register(synapse)
    people.push_async_callback(eve.close)
    e = Reader(eve, referee)
    sealed = await eve.create_room(invite=(referee,), direct=True, encrypted=True)
    await e.last(sealed, r"encrypted.*I have invited you")
    (clear,) = await until(eve.invitations, 30)
    await eve.join(clear)
    await e.last(clear, r"^Welcome")
    for _ in range(2):
        await eve.send(sealed, SEALED, "m.room.encrypted")
    await eve.say(clear, "games")
    await e.last(clear, r"no game")
    assert len(await e.seen(sealed)) == 1
    assert len([one for one in await e.seen(clear) if "Welcome" in one.text]) == 1
    assert not await eve.invitations()

    group = await eve.create_room(name="Sealed", invite=(referee,), encrypted=True)
    await e.last(group, r"encrypted.*make a room without it")
    assert len(await e.seen(group)) == 1
