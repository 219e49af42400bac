"""Books that older versions left behind, with games in progress: they are brought up to date, and everything
in them goes on.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import pytest

from referee.rules import asks, load, record
from referee.service.outbound.outbox_rows import thawed
from referee.service.play.records import record_text
from referee.service.upkeep.workers import audited
from referee.store import Alert, Game, Inbox, OlderDatabase, Outbox, Person, Proposal, Store, Undo
from referee.store.migrate import revisions as steps
from tests import books
from tests.seeds import ALL, share
from tests.service import playing
from tests.service.finishing import finish, whoever
from tests.service.rig import Clock, House
from tests.snapshots import lending
from tests.snapshots.playing import played_on, question
from tests.snapshots.test_saved_positions import differs

#: revisions that no program ever ran at: their steps came together with the next one's
NEVER = {"0005", "0009", "0015", "0016", "0018", "0020"}
#: books at whose desk the long game is played to its end, too
LONG = {"0001.sql", "0003.sql"} if ALL else {"0001.sql"}
#: books of which more is looked at: the first that had plans, votes, leagues, and a share of PostgreSQL's
FEW = ["0001.sql", "0003.sql", "0007.sql", "0010.sql"]
FEW += share(name for name in lending.KEPT if name.endswith(".pg"))
#: the book of the last release: what is most often brought up to date
NEWEST = max(name for name in lending.KEPT if name.endswith(".sql"))
SERVER = pytest.mark.skipif(bool(lending.no_server()), reason=lending.no_server() or "-")
EVERY = [pytest.param(name, marks=[SERVER] if name.endswith(".pg") else []) for name in lending.KEPT]
CLOSER = pytest.mark.parametrize("kept", [one for one in EVERY if one.values[0] in FEW], indirect=True)


@pytest.fixture(params=EVERY)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A book of then, put back: its name, its URL."""
    name: str = request.param
    url = lending.put_back(name, tmp_path / "referee.db")
    yield name, url
    if name.endswith(".pg"):
        books.server().drop(url.rpartition("/")[2])


@pytest.fixture
async def old(
    kept: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[tuple[str, House]]:
    """A house of today in it, an hour after it was left; its letters arrive again."""
    name, url = kept
    monkeypatch.setattr(books, "address", lambda path: url)
    house = await House(tmp_path / "referee.db", Clock(int(lending.told(name)["at_ms"]) + 3_600_000)).open()
    house._n = count(100_000)  # no message has the key of one of then
    for row in house.store.read_now(lambda tx: tx.all(Outbox, state="sent", order="id")):
        house.wires[row.channel].sent.append(
            thawed(row.letter)
        )  # what people have before their eyes: a mail's token, buttons
    yield name, house
    await house.close()


def test_there_is_a_book_of_every_revision() -> None:
    without = set(steps()) - {lending.revision(name) for name in lending.KEPT} - NEVER
    assert without <= {steps()[-1]}, "of a revision that was released no book was kept"
    assert "0001.sql" in lending.KEPT
    assert "0011.pg" in lending.KEPT


def test_the_games_of_a_book_ask_what_they_asked_and_go_on_as_they_would_have(kept: tuple[str, str]) -> None:
    name, url = kept
    told = lending.told(name)["games"]
    for how in ({"guest": True}, {"migrate": False}) if lending.revision(name) != steps()[-1] else ():
        with pytest.raises(OlderDatabase, match=lending.revision(name)):
            Store.open(url, **how)
    store = Store.open(url)
    running = 0
    for game in store.read_now(lambda tx: tx.all(Game)):
        then = told[str(game.id)]
        assert game.status == then["status"]
        if game.status == "running":
            state = load(json.loads(game.snapshot))
            assert question(state) == then["question"]
            wrong = differs(played_on(state, str(game.id)), then["trail"])
            assert not wrong, wrong
            running += 1
    assert running >= 2
    for undo in store.read_now(lambda tx: tx.all(Undo)):
        assert asks(load(json.loads(undo.snapshot)))
    store.close_now()
    audit = audited(url, int(lending.told(name)["at_ms"]), 1)
    assert audit.games >= running
    assert list(audit[1]) == []


@pytest.mark.parametrize(
    "kept", [one for one in EVERY if one in share(EVERY) or one.values[0] in {*LONG, NEWEST}], indirect=True
)
async def test_an_old_book_plays_on_at_the_desk(old: tuple[str, House]) -> None:
    name, house = old
    house.clock.pass_(hours=1)
    await house.settle()
    assert house.store.read_now(lambda tx: tx.count(Inbox, state="new")) == 0, "what nobody had read is read"
    assert house.store.read_now(lambda tx: tx.all(Inbox, state="shunted")) == []
    left = house.store.read_now(lambda tx: tx.all(Outbox, state=("queued", "sending")))
    assert [one.kind for one in left if one.not_before_ms <= house.clock()] == []
    assert house.letters("matrix:@cy:hs")
    for game in (1, 2) if name in LONG else (1,):
        assert await finish(house, game) > 5
        verified = record.verify(house.store.read_now(lambda tx, game=game: record_text(tx, game)))
        assert (verified.finished, verified.replayed) == (True, True)
    assert "over" in house.last("telegram:-100").text.lower(), "the room that watches heard of it"
    over = house.store.read_now(lambda tx: [int(one.id or 0) for one in tx.all(Game, status="over")])
    for game in over:  # also those that were over before
        assert record.verify(house.store.read_now(lambda tx, game=game: record_text(tx, game))).replayed
    assert len(over) >= 2
    assert house.store.read_now(lambda tx: tx.all(Outbox, state="failed")) == []


@pytest.mark.parametrize(
    "kept",
    [
        one
        for one in EVERY
        if lending.revision(one.values[0]) in ("0001", "0013") or lending.revision(one.values[0]) >= "0014"
    ],
    indirect=True,
)
async def test_everybody_is_spoken_to_in_the_language_of_then(old: tuple[str, House]) -> None:
    """Somebody wrote Portuguese when the book of 0014 was made; before that nobody had said anything, and all
    are written to in English.
    """
    name, house = old
    speakers = {"Dan", "Gil"} if lending.revision(name) >= "0014" else set()
    assert {one.name for one in house.store.read_now(lambda tx: tx.all(Person, language="pt_BR"))} == speakers
    await house.settle()
    for who, spoken in (("terminal:dan", bool(speakers)), ("telegram:ana", False)):
        await house.say(who, "status #2")
        said = house.last(who).text
        assert ("Planejar minha rodada" in said, "Plan my round" in said) == (spoken, not spoken), said
        await house.say(who, "zone Xyzzy")
        assert ("fuso" in house.last(who).text) == spoken


@CLOSER
async def test_what_could_be_taken_back_can_be_still(old: tuple[str, House]) -> None:
    _, house = old
    await house.settle()
    last = house.store.read_now(lambda tx: tx.all(Undo, order="-id", limit=1))[0]
    who = whoever(house, last.game_id)
    before = playing.running(house, last.game_id)
    await house.say(who, f"#{last.game_id} undo")
    assert "Taken back" in house.last(who).text
    assert (
        json.loads(playing.running(house, last.game_id).snapshot)["stack"]
        == json.loads(last.snapshot)["stack"]
    )
    assert playing.running(house, last.game_id).question == before.question + 1


@CLOSER
async def test_everything_else_in_an_old_book_goes_on_too(old: tuple[str, House]) -> None:
    """Plans, votes, deadlines of every kind, wishes about time and letters, a league: read by the code of
    today.
    """
    name, house = old
    await house.settle()
    if lending.revision(name) >= "0003":
        for who in ("telegram:ana", "mail:bea@x.test"):
            await house.say(who, "#2 my plan")
            assert "King" in house.last(who).text
    if house.store.read_now(lambda tx: tx.count(Proposal, state="open")):
        await house.say("telegram:ana", "#2 vote no")
        assert house.store.read_now(lambda tx: json.loads(tx.all(Proposal, state="open")[0].answers))
    for person in house.store.read_now(lambda tx: tx.all(Person)):
        assert person.name
    for days in range(4):
        house.clock.pass_(hours=24)
        await house.referee.scheduler.ring()
        await house.settle()
        if days == 1:
            await house.say("telegram:ana", "games")
            await house.say("terminal:dan", "status #2")
    codes = {row.code for row in house.store.read_now(lambda tx: tx.all(Alert))}
    assert codes <= {"outage"}
    assert house.store.read_now(lambda tx: tx.count(Game, status="frozen")) == 0
    assert house.store.read_now(lambda tx: tx.all(Outbox, state="failed")) == []
    assert house.store.read_now(lambda tx: tx.count(Inbox, state="shunted")) == 0
