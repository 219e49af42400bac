"""What must hold of every run, whatever went wrong in it.

- `heard`: what a wire took from somebody is in the inbox, once, and done (or refused by the gate)
- `left`: nothing waits that could be done, nothing is frozen, nothing has failed
- `foretold`: the journal is what a referee would have written that was never killed (where everybody answers
  in time), each undo was told
- `journal`: moves are numbered without a gap, each of a person's has its message, and every finished game's
  record holds
- `arrived`: what the book calls sent was on a screen, and on a wire that repeats nothing no letter came twice
- `answered`: the person who asked something harmless was answered within two virtual seconds, unless the
  fault was on their own way
- `silent`: each channel still answers when everything is over
- `curtain`: nobody was told what is not theirs
- `budget`: no address that plays nothing got more letters than it may
- `ended`: every game ended
- `quick`: no single step took long on the processor
- `clean`: the log holds no error that nobody foresaw, no task ended badly
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.store import Address, Deadline, Game, Inbox, Journal, Outbox, Seat, Tx
from tests.e2e import ledger, sealed
from tests.sim.loop import forgotten

if TYPE_CHECKING:
    from tests.sim.world import World

#: everybody else is answered within so many virtual seconds
PATIENCE_S = 2.0
#: after a fault: retries are as far apart as this
AFTER_S = 45.0
#: letters that an address may get in a day where nobody plays, and one where a machine answers in all
STRANGER, MACHINE = 30, 8


def broken(world: World) -> list[str]:
    """The breaches, in words, each beginning with its law's name; none: every law holds."""
    found = [f"clean: {one}" for one in (*world.complaints, *world.loop.unhandled, *forgotten(world.lives))]
    found += [f"ended: {one}" for one in world.unended]
    found += [f"quick: {one}" for one in world.loop.slow]
    for law in LAWS:
        found += [f"{law.__name__}: {one}" for one in world.book.look(lambda tx, law=law: law(world, tx))]
    return found


def heard(world: World, tx: Tx) -> list[str]:
    faults = []
    for name, server in world.servers.items():
        # a mail's key is its Message-ID and more
        cut = (lambda key: key.rpartition(":")[0]) if name == "mail" else str
        rows = Counter(cut(row.key) for row in tx.all(Inbox, channel=name, state=("done", "refused")))
        faults += [
            (
                f"{name} {key} was taken and "
                f"is {'there ' + str(rows[cut(key)]) + ' times' if rows[cut(key)] else 'lost'}"
            )
            for key in server.taken
            if rows[cut(key)] != 1
        ]
    return faults


def left(world: World, tx: Tx) -> list[str]:
    now = world.wall_ms()
    faults = [
        f"inbox {row.id} {row.state} after {row.tries} tries: {row.error}"
        for row in tx.all(Inbox)
        if row.state not in ("done", "refused") or row.tries
    ]
    faults += [
        f"outbox {row.id} {row.kind} {row.channel} {row.state}: {row.error}"
        for row in tx.all(Outbox)
        if row.state == "sending"
        or (row.state == "failed" and not world.blocking)
        or (row.state == "queued" and max(row.not_before_ms, row.created_ms) < now - 60_000)
        or (row.state == "unknown" and row.channel != "telegram" and row.error != "expired")
    ]
    faults += [f"game {game.id} is frozen" for game in tx.all(Game, status="frozen")]
    faults += [
        f"deadline {row.id} of game {row.game_id}"
        for row in tx.all(Deadline, done_ms=0)
        if row.due_ms < now - 60_000
    ]
    return faults


def foretold(world: World, tx: Tx) -> list[str]:
    if not world.script.strict:
        return []
    return [*ledger.differences(tx), *ledger.taken_back(tx)[1]]


def journal(world: World, tx: Tx) -> list[str]:
    faults = list(ledger.unverified(tx)[1])
    owners = {(seat.game_id, seat.no): seat.person_id for seat in tx.all(Seat)}
    inbox = {row.id for row in tx.all(Inbox)}
    for game in tx.all(Game):
        moves = tx.all(Journal, game_id=game.id, order="no")
        if [one.no for one in moves] != list(range(1, len(moves) + 1)):
            faults.append(f"game {game.id}: numbers {[one.no for one in moves][:20]}")
        for one in moves:
            if one.by == "person" and (
                one.inbox_id not in inbox or owners.get((one.game_id, one.seat)) is None
            ):
                faults.append(f"game {game.id}, move {one.no}: nobody's")
    return faults


def arrived(world: World, tx: Tx) -> list[str]:
    faults = []
    for name, server in world.servers.items():
        came = Counter((to, letter.id) for _, to, letter in server.letters)
        at = {wire_id for _, wire_id in server.wire_ids}
        faults += [f"{name}: letter {id} came to {to} {n} times" for (to, id), n in came.items() if n > 1]
        faults += [
            f"{name}: letter {row.id} {row.kind} is called sent and never came"
            for row in tx.all(Outbox, channel=name, state="sent")
            if row.kind != "toast" and row.wire_id not in at
        ]
    return faults


def answered(world: World, tx: Tx) -> list[str]:
    faults = []
    for prober in world.probers:
        for asked, came in prober.asked:
            if (
                came is None or came - asked > PATIENCE_S + world.servers[prober.channel].way_s
            ) and world.fine(prober.channel, asked - AFTER_S, came if came is not None else asked + 600):
                faults.append(
                    f"{prober.channel} asked at {asked:.2f} and was "
                    f"answered {'never' if came is None else f'after {came - asked:.2f} s'}"
                )
    return faults


def silent(world: World, tx: Tx) -> list[str]:
    return [f"{name} does not answer any more" for name in world.deaf]


def curtain(world: World, tx: Tx) -> list[str]:
    faults = []
    for game in tx.all(Game, status="over"):
        may = sealed.readers(tx, int(game.id or 0))
        seats = {
            seat.person_id: seat.no for seat in tx.all(Seat, game_id=game.id) if seat.person_id is not None
        }
        sits = {
            (at.channel, world.servers[at.channel].people.get(at.address, at.address)): seats[at.person_id]
            for at in tx.all(Address)
            if at.person_id in seats and at.channel in world.servers
        }
        for name, server in world.servers.items():
            for _, to, letter in server.letters:
                if letter.ref != f"g{game.id}":
                    continue
                reader = may.get(sits.get((name, to)))
                if reader is not None:
                    # anyone who talks about other things gets other lists than news, too: there only cards
                    # tell
                    faults += [
                        f"{name} {to} was told {wrong!r} in letter {letter.id}"
                        for wrong in sealed.overheard(reader, letter.text)
                        if world.script.strict or wrong.startswith(("hand ", "characters "))
                    ]
    return faults


def budget(world: World, tx: Tx) -> list[str]:
    faults = []
    for channel, to in sorted(world.outsiders.strangers):
        server = world.servers[channel]
        days = Counter(at // 86_400_000 for at, who, _ in server.letters if who == to)
        faults += [f"{channel} {to} got {got} letters in a day" for got in days.values() if got > STRANGER]
    faults += [
        f"the machine {one.person.address} got {one.got} letters"
        for one in world.outsiders.machines
        if one.got > MACHINE
    ]
    return faults


LAWS: tuple[Callable[..., list[str]], ...] = (
    heard,
    left,
    foretold,
    journal,
    arrived,
    answered,
    silent,
    curtain,
    budget,
)
