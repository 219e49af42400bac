"""Two addresses become one person, as people do it: a code, the other address, a yes at both."""

from __future__ import annotations

import re

from referee.ports import Letter
from referee.store import League, LeagueRole, Seat, Tx
from tests.service.rig import House


async def code(house: House, who: str) -> str:
    """A fresh code for anyone who writes there."""
    await house.say(who, "link")
    found = re.search(r"link ([A-Z2-7]{8})\b", house.last(who).text)
    assert found, house.last(who).text
    return found[1]


def asked(house: House, who: str) -> Letter:
    """The newest letter that asks an address whether it shall be joined to another."""
    found = [
        one
        for one in house.letters(who)
        if any(button.order.startswith("link yes") for row in one.buttons for button in row)
    ]
    assert found, [one.text for one in house.letters(who)[-3:]]
    return found[-1]


async def say_yes(house: House, who: str, said: str = "yes") -> None:
    """Answer that letter: by a button in a chat, by a reply to it by mail."""
    letter = asked(house, who)
    if who.startswith("mail"):
        await house.say(who, said, token=letter.token)
    else:
        await house.press(
            who, next(b.key for row in letter.buttons for b in row if b.order.startswith(f"link {said}"))
        )


async def joined(house: House, one: str, other: str) -> None:
    """`other` becomes an address of the person who writes from `one`."""
    word = await code(house, one)
    if other.startswith("mail") and not house.letters(other):
        await house.say(other, "help", vouched=False)
    await house.say(other, f"link {word}")
    await say_yes(house, other)
    await say_yes(house, one)
    assert "belong to one player" in house.last(one).text, house.last(one).text


def person_of(house: House, who: str) -> int:
    channel, _, address = who.partition(":")
    found = house.store.read_now(lambda tx: tx.whose(channel, address))
    assert found is not None, who
    return int(found[0].id or 0)


def one(house: House, *who: str) -> bool:
    return len({person_of(house, each) for each in who}) == 1


def runs(house: House, who: str, role: str, name: str = "Cup") -> None:
    """Somebody is given a role in a league."""
    me = person_of(house, who)

    def give(tx: Tx) -> None:
        league = tx.one(League, name=name)
        number = (
            int(league.id or 0)
            if league is not None
            else tx.add(League, name=name, key=name.lower(), created_ms=house.clock())
        )
        tx.add(LeagueRole, league_id=number, person_id=me, role=role, given_ms=house.clock())

    house.store.write_now(give)


def seats(house: House, who: str) -> list[int]:
    me = person_of(house, who)
    return house.store.read_now(lambda tx: tx.column(Seat, "game_id", person_id=me, order="game_id"))
