"""Wishes about one's own addresses: link, accounts, unlink.  In private only.

accounts           all of one's addresses
unlink mail        takes one off; what a join brought is given back for a while
unlink             the last join is undone
"""

from __future__ import annotations

import json
from typing import Any

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import AddressState, ProposalState
from referee.store import AccountJoin, Address, Game
from referee.text import Reading, Wish
from referee.text.reading.acts import meant

from ..core import outbox
from ..core.commands import About, Need, answers, command
from ..core.letters import Facts
from ..core.unit_of_work import Sitting
from ..people.identity import Speaker
from ..people.replies import answer, notices
from . import join as accounts_join
from . import merge


class AccountsFacts(Facts):
    """The addresses of a person, {channel, address, state, since_ms, joined_ms, until_ms, first, here}; which
    message that answers.
    """

    kind = "accounts"
    addresses: list[dict[str, Any]]
    answers: str


@command("link", table=Need.NONE, about=About.WEIGHTY, numberless=True)
def link(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`link`, `link CODE`, `link yes WORD`."""
    if came.place is not None:
        answer(sitting, speaker, came, "link-in-private")
    elif wish.args.get("answer"):
        accounts_join.reply(
            sitting, speaker, came, wish.args["answer"] == "yes", str(wish.args.get("word") or "")
        )
    elif wish.args.get("code"):
        accounts_join.claim(sitting, speaker, came, str(wish.args["code"]))
    else:
        accounts_join.begin(sitting, speaker, came)


@answers("link_ask")
def bare(speaker: Speaker, text: str, reading: Reading) -> str:
    """The words of a message; a plain yes or no in answer to the question whether two accounts are to be
    joined is that answer.
    """
    said = meant(text.strip(), reading) if accounts_join.question_of(speaker.letter) else None
    return text if said is None else f"link {'yes' if said else 'no'}"


@command("accounts", table=Need.NONE, about=About.WEIGHTY)
def accounts(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`accounts`: all of one's addresses."""
    if came.place is not None:
        answer(sitting, speaker, came, "accounts-in-private")
        return
    me = int(speaker.person.id or 0)
    best = outbox.best(sitting, me)
    until = {
        number: join.done_ms + merge.UNDO_MS
        for join in recent(sitting, me)
        for number, _, _ in json.loads(join.moved)["address"]
    }
    found = [
        {
            **accounts_join.shown(one),
            "state": one.state,
            "since_ms": one.proven_ms,
            "joined_ms": one.joined_ms,
            "until_ms": until.get(int(one.id or 0), 0),
            "first": best is not None and best.id == one.id,
            "here": one.id == speaker.address.id,
        }
        for one in sitting.tx.all(Address, person_id=me, order="id")
    ]
    outbox.to_person(sitting, me, AccountsFacts(addresses=found, answers=came.message_id), at=speaker.address)


@command("unlink", table=Need.NONE, about=About.WEIGHTY)
def unlink(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`unlink mail`, `unlink ana@example.org`; `unlink`: the last join."""
    if came.place is not None:
        answer(sitting, speaker, came, "accounts-in-private")
        return
    tx, me = sitting.tx, int(speaker.person.id or 0)
    mine = tx.all(Address, person_id=me, order="id")
    said = str(wish.args.get("address") or "")
    at = named(mine, said) if said else None
    joins = recent(sitting, me)
    fits = (
        joins[:1]
        if at is None
        else sorted(
            (join for join in joins if parting(join, speaker, at)), key=lambda join: len(came_with(join))
        )
    )
    parts = next(iter(fits), None)
    if at is None and parts is None:
        raise Refusal("unlink-which", addresses=[accounts_join.shown(one) for one in mine])
    if parts is not None:
        gone = came_with(parts)
        merge.give_back(sitting, parts)
        ours, theirs = [one for one in mine if one.id not in gone], [one for one in mine if one.id in gone]
    else:
        assert at is not None
        rest = [one for one in mine if one.id != at.id]
        if not any(one.state == AddressState.GREEN and one.proven_ms for one in rest):
            raise Refusal("unlink-last", **accounts_join.shown(at))
        merge.parted(sitting, me, at)
        ours, theirs = rest, [at]
    for one in mine:
        fresh = tx.get(Address, one.id)
        if fresh is not None and fresh.state == AddressState.GREEN:
            apart = theirs if one in ours else ours
            data = notices(
                "unlinked", others=[accounts_join.shown(each) for each in apart], back=parts is not None
            )
            outbox.to_person(sitting, fresh.person_id, "notice", at=fresh, data=data)
    if speaker.address.channel == outbox.WEB:
        answer(
            sitting,
            speaker,
            came,
            "unlinked",
            others=[accounts_join.shown(one) for one in theirs],
            back=parts is not None,
        )


def recent(sitting: Sitting, person_id: int) -> list[AccountJoin]:
    """The joins that made somebody who they are and can still be undone, the last first."""
    since = sitting.now_ms - merge.UNDO_MS
    mine = {int(one.id or 0) for one in sitting.tx.all(Address, person_id=person_id)}
    return [
        row
        for row in sitting.tx.all(AccountJoin, state=ProposalState.DONE, order="-id")
        if row.done_ms >= since and mine & came_with(row)
    ]


def came_with(join: AccountJoin) -> set[int]:
    """The addresses that a join brought to the person who stays."""
    return {int(number) for number, _, _ in json.loads(join.moved)["address"]}


def parting(join: AccountJoin, speaker: Speaker, at: Address) -> bool:
    """Whether undoing a join parts whoever speaks from that address.

    Nobody knows from which side a browser speaks, and who takes off their own address wants to be parted from
    the others: then nobody must keep what was the other side's.
    """
    came = came_with(join)
    return (at.id in came) != (speaker.address.id in came) or speaker.address.id in (0, at.id)


def named(mine: list[Address], said: str) -> Address:
    """One of somebody's addresses, by what it is or by its channel.  Raises Refusal."""
    wanted = said.casefold().strip()
    channel, _, address = wanted.partition(":")
    for fits in (
        lambda one: bool(wanted) and wanted in (one.address.casefold(), one.handle.casefold()),
        lambda one: (one.channel, one.address.casefold()) == (channel, address),
        lambda one: one.channel == wanted,
    ):
        found = [one for one in mine if fits(one)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Refusal("unlink-which", addresses=[accounts_join.shown(one) for one in found])
    raise Refusal("unlink-unknown", said=said[:60], addresses=[accounts_join.shown(one) for one in mine])
