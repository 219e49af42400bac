"""Wishes about one's own addresses: link, accounts, unlink.  In private only.

accounts           all of one's addresses
unlink mail        takes one off; what a join brought is given back for a while
unlink             the last join is undone
"""

from __future__ import annotations

import json

import msgspec

from referee.ids import PersonId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import AddressState, ProposalState
from referee.store import AccountJoin, Address, Game
from referee.text import Intent, Reading
from referee.text.reading.acts import meant

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, TableNeed, answers, command
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork
from ..people import said_before
from ..people.identity import Speaker
from ..people.letter_facts import notice
from ..people.replies import answer
from . import deletion as deletion
from . import join as accounts_join
from . import merge
from . import my_data as my_data


class Listed(msgspec.Struct):
    """An address: in which state, since when it is proven, when it was joined, until when it may be given
    back (0: no more), whether letters go there first, and whether it is asked from there.
    """

    channel: str
    address: str
    state: str
    since_ms: int
    joined_ms: int
    until_ms: int
    first: bool
    here: bool


class AccountsFacts(Facts):
    """The addresses of a person."""

    kind = "accounts"
    addresses: list[Listed]


@command("link", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.WEIGHTY, numberless=True)
def link(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`link`, `link CODE`, `link yes WORD`."""
    if came.place is not None:
        answer(uow, speaker, came, "link-in-private")
    elif intent.args.get("answer"):
        accounts_join.reply(
            uow, speaker, came, intent.args["answer"] == "yes", str(intent.args.get("word") or "")
        )
    elif intent.args.get("code"):
        accounts_join.claim(uow, speaker, came, str(intent.args["code"]))
    else:
        accounts_join.new_code(uow, speaker, came)


@answers("link_ask")
def bare(speaker: Speaker, text: str, reading: Reading) -> str:
    """The words of a message; a plain yes or no in answer to the question whether two accounts are to be
    joined is that answer.
    """
    said = meant(text.strip(), reading) if accounts_join.question_of(speaker.letter) else None
    return text if said is None else f"link {'yes' if said else 'no'}"


@command("accounts", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
def accounts(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`accounts`: all of one's addresses."""
    if came.place is not None:
        answer(uow, speaker, came, "accounts-in-private")
        return
    me = speaker.person.id
    best = outbox.best(uow, me)
    until = {
        number: join.done_ms + merge.UNDO_MS
        for join in recent(uow, me)
        for number, _, _ in json.loads(join.moved)["address"]
    }
    found = [
        Listed(
            **accounts_join.address_facts(one),
            state=one.state,
            since_ms=one.proven_ms,
            joined_ms=one.joined_ms,
            until_ms=until.get(one.id, 0),
            first=best is not None and best.id == one.id,
            here=one.id == speaker.address.id,
        )
        for one in uow.tx.all(Address, person_id=me, order="id")
    ]
    outbox.to_person(uow, me, AccountsFacts(addresses=found, answers=came.message_id), at=speaker.address)


@command("unlink", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
def unlink(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`unlink mail`, `unlink ana@example.org`; `unlink`: the last join."""
    if came.place is not None:
        answer(uow, speaker, came, "accounts-in-private")
        return
    said_before.must_be_new(uow, came)
    tx, me = uow.tx, speaker.person.id
    mine = tx.all(Address, person_id=me, order="id")
    said = str(intent.args.get("address") or "")
    at = find_address(mine, said) if said else None
    joins = recent(uow, me)
    fits = (
        joins[:1]
        if at is None
        else sorted(
            (join for join in joins if parting(join, speaker, at)), key=lambda join: len(came_with(join))
        )
    )
    parts = next(iter(fits), None)
    if at is None and parts is None:
        raise Refusal("unlink-which", addresses=[accounts_join.address_facts(one) for one in mine])
    if parts is not None:
        gone = came_with(parts)
        merge.give_back(uow, parts)
        ours, theirs = [one for one in mine if one.id not in gone], [one for one in mine if one.id in gone]
    else:
        assert at is not None
        rest = [one for one in mine if one.id != at.id]
        if not any(one.state == AddressState.GREEN and one.proven_ms for one in rest):
            raise Refusal("unlink-last", **accounts_join.address_facts(at))
        merge.parted(uow, me, at)
        ours, theirs = rest, [at]
    for one in mine:
        fresh = tx.get(Address, one.id)
        if fresh is not None and fresh.state == AddressState.GREEN:
            apart = theirs if one in ours else ours
            others = [accounts_join.address_facts(each) for each in apart]
            what = notice("unlinked", others=others, back=parts is not None)
            outbox.to_person(uow, fresh.person_id, what, at=fresh)
    if speaker.address.channel == outbox.WEB:
        answer(
            uow,
            speaker,
            came,
            "unlinked",
            others=[accounts_join.address_facts(one) for one in theirs],
            back=parts is not None,
        )


def recent(uow: UnitOfWork, person_id: PersonId) -> list[AccountJoin]:
    """The joins that made somebody who they are and can still be undone, the last first."""
    since = uow.now_ms - merge.UNDO_MS
    mine = {one.id for one in uow.tx.all(Address, person_id=person_id)}
    return [
        row
        for row in uow.tx.all(AccountJoin, state=ProposalState.DONE, order="-id")
        if row.done_ms >= since and mine & came_with(row)
    ]


def came_with(join: AccountJoin) -> set[int]:
    """The addresses that a join brought to the person who stays."""
    return {int(number) for number, _, _ in json.loads(join.moved)["address"]}


def parting(join: AccountJoin, speaker: Speaker, at: Address) -> bool:
    """Whether undoing a join parts the person who speaks from that address.

    Nobody knows from which side a browser speaks, and who takes off their own address wants to be parted from
    the others: then nobody must keep what was the other side's.
    """
    came = came_with(join)
    return (at.id in came) != (speaker.address.id in came) or speaker.address.id in (0, at.id)


def find_address(mine: list[Address], said: str) -> Address:
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
            raise Refusal("unlink-which", addresses=[accounts_join.address_facts(one) for one in found])
    raise Refusal(
        "unlink-unknown", said=said[:60], addresses=[accounts_join.address_facts(one) for one in mine]
    )
