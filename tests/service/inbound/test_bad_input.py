"""Everything a player can get wrong: a clear answer, and nothing changed."""

from __future__ import annotations

import pytest

from referee import rules
from referee.ports import Inbound, What
from referee.service.inbound import dispatch
from referee.store import Game, Inbox, Journal, Person
from tests.service.playing import asked, greet, legal, running, state, table, to_the_end
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]


async def unchanged(house: House, game: int, who: str, text: str, **more: object) -> str:
    """Say it; the game must not move; returns the answer."""
    before = running(house, game)
    letters = len(house.letters(who))
    await house.say(who, text, **more)
    after = running(house, game)
    assert (after.snapshot, after.move_no, after.status) == (before.snapshot, before.move_no, before.status)
    found = house.letters(who)[letters:]
    assert found, f"no answer to {text!r}"
    return found[-1].text


async def test_an_order_that_is_not_yours_to_give(house: House) -> None:
    game = await table(house, PEOPLE)
    other = PEOPLE[1 - asked(house, game)]
    said = await unchanged(house, game, other, "gold")
    assert running(house, game).status == "running"
    assert said


@pytest.mark.parametrize(
    "text",
    [
        "destroy Bea Palace",
        "pick Assassin; pick Thief",
        "blah blah",
        "99",
        "build",
        "😀" * 2500,
        "<b>gold</b>",
        "*gold*",
        "{{ 7*7 }}",
        "gold " * 200,
        "'; DROP TABLE game; --",
        "\u202egold",
        "kill",
        "#999 gold",
    ],
)
async def test_wrong_words(house: House, text: str) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    if text.startswith("pick"):
        text = "pick Ghost"
    said = await unchanged(house, game, who, text)
    assert len(said) < 6000
    assert "49" not in said or "{{" in said


async def test_a_finished_game(house: House) -> None:
    game = await table(house, PEOPLE)
    await to_the_end(house, game, PEOPLE)
    await unchanged(house, game, PEOPLE[0], f"#{game} gold")


async def test_the_same_message_twice_acts_once(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    order = legal(house, game)[0]
    await house.say(who, order, key="same")
    moves = running(house, game).move_no
    await house.say(who, order, key="same")
    assert running(house, game).move_no == moves
    assert house.store.read_now(lambda tx: tx.count(Inbox, key="same")) == 1


async def test_an_old_button_and_a_foreign_one(house: House) -> None:
    game = await table(house, PEOPLE)
    me = asked(house, game)
    who, other = PEOPLE[me], PEOPLE[1 - me]
    key = house.key(who, legal(house, game)[0])
    before = running(house, game)
    letters = len(house.letters(other))
    await house.press(other, key)
    assert running(house, game).move_no == before.move_no
    assert len(house.letters(other)) > letters
    await house.press(who, key)
    moved = running(house, game)
    assert moved.move_no > before.move_no
    await house.press(who, key)
    assert running(house, game).move_no == moved.move_no


@pytest.mark.parametrize("payload", ["\x00\xff" * 32, "x" * 64, "aaaaaaaaaaaaaaaaaaaaaaaa-1", "", "-", "1-1"])
async def test_a_callback_of_rubbish(house: House, payload: str) -> None:
    game = await table(house, PEOPLE)
    before = running(house, game)
    await house.press(PEOPLE[0], payload)
    assert running(house, game).snapshot == before.snapshot
    assert house.store.read_now(lambda tx: tx.count(Inbox, state="new")) == 0


async def test_orders_in_a_room_are_declined(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    order = legal(house, game)[0]
    before = running(house, game)
    await house.say(who, order, place="room")
    await house.say(who, f"#{game} {order}", place="room")
    assert running(house, game).snapshot == before.snapshot


async def test_talk_in_a_room_is_nobodys_business(house: House) -> None:
    await house.say("telegram:ana", "/new classic 3 seats", place="-5")
    letters = len(house.letters("telegram:-5"))
    await house.say("telegram:bea", "I think the assassin is Ana. 2 gold says so!", place="-5")
    assert len(house.letters("telegram:-5")) == letters


@pytest.mark.parametrize(
    "name",
    [
        "<b>Bob</b>",
        "Market",
        "{{ config }}",
        "**Bold**",
        "Ana",
        "\u202eevil",
        "a" * 300,
        "",
        "7",
        "#17",
        "King; end",
    ],
)
async def test_names_are_text(house: House, name: str) -> None:
    await house.bring(
        Inbound(channel="telegram", key="n1", address="u1", text="new classic 3 seats", name=name, at_ms=1)
    )
    await house.bring(Inbound(channel="matrix", key="n2", address="u2", text="join #1", name="Ana", at_ms=1))
    seats = house.store.read_now(
        lambda tx: tx.all(__import__("referee.store").store.Seat, game_id=1, order="no")
    )
    assert len(seats) == 2
    called = [s.name for s in seats]
    assert len({n.casefold() for n in called}) == 2
    for one in called:
        assert one.strip() == one
        assert 0 < len(one) <= 30
        assert not set(one) & set(";,.<>{}#*\n\u202e")
        assert one.casefold() not in {"market", "king"}


async def test_mail_without_a_token_moves_nothing_and_the_known_address_is_asked(house: House) -> None:
    people = ["mail:cy@x.test", "telegram:ana"]
    game = await table(house, people)
    while asked(house, game) != 0:
        await house.say(people[1], legal(house, game)[0])
    order = legal(house, game)[0]
    house.clock.pass_(hours=1)
    said = await unchanged(house, game, people[0], order, vouched=False)
    assert "A mail in your name" in said
    assert order not in said
    await house.say(people[0], order)
    assert running(house, game).move_no


async def test_a_stolen_token_from_another_sender_moves_nothing(house: House) -> None:
    people = ["mail:cy@x.test", "telegram:ana"]
    game = await table(house, people)
    while asked(house, game) != 0:
        await house.say(people[1], legal(house, game)[0])
    token = house.last(people[0]).token
    before = running(house, game)
    letters = len(house.letters(people[0]))
    await house.say("mail:eve@evil.test", legal(house, game)[0], token=token)
    assert running(house, game).snapshot == before.snapshot
    assert len(house.letters(people[0])) == letters + 1
    assert not house.letters("mail:eve@evil.test")
    await house.say(people[0], legal(house, game)[0], token=token.upper())
    assert running(house, game).move_no > before.move_no


async def test_a_forged_token(house: House) -> None:
    people = ["mail:cy@x.test", "telegram:ana"]
    game = await table(house, people)
    while asked(house, game) != 0:
        await house.say(people[1], legal(house, game)[0])
    token = house.last(people[0]).token
    forged = ("b" if token[0] != "b" else "c") + token[1:]
    before = running(house, game)
    await house.say(people[0], legal(house, game)[0], token=forged)
    assert running(house, game).snapshot == before.snapshot


@pytest.mark.parametrize("facts", [{"empty": True}, {"too_large": 300_000}])
async def test_mails_that_say_nothing_or_too_much(house: House, facts: dict[str, object]) -> None:
    await greet(house, "mail:cy@x.test")
    letters = len(house.letters("mail:cy@x.test"))
    await house.say("mail:cy@x.test", "", **facts)
    assert len(house.letters("mail:cy@x.test")) == letters + 1


async def test_auto_replies_and_bounces_are_never_answered(house: House) -> None:
    await greet(house, "mail:cy@x.test")
    letters = len(house.letters("mail:cy@x.test"))
    token = house.last("mail:cy@x.test").token
    for n, what in enumerate((What.AUTO_REPLY, What.BOUNCED)):
        await house.bring(
            Inbound(
                channel="mail",
                key=f"a{n}",
                address="cy@x.test",
                what=what,
                text="I am away",
                token=token,
                vouched=False,
                facts={"permanent": True, "reason": "5.1.1"},
            )
        )
    assert len(house.letters("mail:cy@x.test")) == letters


async def test_what_breaks_in_us_is_set_aside(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    order = legal(house, game)[0]

    def broken(*_: object) -> None:
        raise RuntimeError("a bug of ours")

    with monkeypatch.context() as patch:
        patch.setattr(rules, "play", broken)
        await house.say(who, order)
    row = house.store.read_now(lambda tx: tx.one(Inbox, state="shunted"))
    assert row is not None
    assert row.tries == 3
    assert "a bug of ours" in row.error
    assert running(house, game).status == "frozen"
    assert not house.store.read_now(lambda tx: tx.all(Journal, game_id=game, inbox_id=row.id))
    from referee.service.admin import console

    assert house.store.write_now(lambda tx: console.mend(tx, "retry-message", row.id or 0, house.shell()))
    await house.settle()
    assert running(house, game).status == "running"
    assert house.store.read_now(lambda tx: tx.all(Journal, game_id=game, inbox_id=row.id))


async def test_a_refusal_that_breaks_in_us_is_set_aside_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who in ("telegram:ana", "telegram:bea"):
        await greet(house, who)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug of ours")

    with monkeypatch.context() as patch:
        patch.setattr(dispatch, "decline", broken)
        await house.say("telegram:ana", "join #999")
        await house.say("telegram:bea", "help")
    row = house.store.read_now(lambda tx: tx.one(Inbox, state="shunted"))
    assert row is not None
    assert "a bug of ours" in row.error
    assert house.store.read_now(lambda tx: tx.count(Inbox, state="new")) == 0


async def test_lobby_refusals(house: House) -> None:
    await house.say("telegram:ana", "new classic 2 seats")
    for who, text in [
        ("telegram:ana", "join #1"),
        ("telegram:bea", "join #77"),
        ("telegram:bea", "start #1"),
        ("telegram:bea", "leave #1"),
        ("telegram:ana", "bot clever"),
        ("telegram:ana", "start #1"),
        ("telegram:ana", "new classic 9 seats"),
        ("telegram:ana", "new klassik"),
        ("telegram:ana", "zone Atlantis"),
        ("telegram:ana", "prefer mail"),
    ]:
        letters = len(house.letters(who))
        await house.say(who, text)
        assert len(house.letters(who)) > letters, text
    assert house.store.read_now(lambda tx: tx.get(Game, 1)).status == "lobby"
    assert house.store.read_now(lambda tx: tx.count(Game)) == 1
    assert house.store.read_now(lambda tx: tx.count(Person)) == 2
    assert state is not None


async def test_a_refused_wish_leaves_nothing_half_made(house: House) -> None:
    """Five bots don't fit at a table of three: there must be no table at all."""
    await house.say("telegram:ana", "new classic 3 players with 5 bots")
    assert house.letters("telegram:ana")
    assert house.store.read_now(lambda tx: tx.count(Game)) == 0
    assert house.store.read_now(lambda tx: tx.count(Inbox, state="new")) == 0


async def test_a_button_of_an_old_look_at_the_hand_acts_on_nothing(house: House) -> None:
    """`hand` shows the options of the moment; an hour later they are somebody's past."""
    game = await table(house, PEOPLE)
    me = asked(house, game)
    who = PEOPLE[me]
    await house.say(who, "hand")
    key = house.last(who).buttons[0][0].key
    await house.say(who, legal(house, game)[-1])
    while asked(house, game) != me:
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[-1])
    before = running(house, game)
    await house.press(who, key)
    assert running(house, game).move_no == before.move_no


async def test_what_the_clock_left_open_is_a_question_of_its_own(house: House) -> None:
    """The letter that tells of the clock's answer asks the next question; once that is answered, it is an old
    letter.
    """
    people = ["telegram:ana"]
    game = await table(house, people, bots=1)
    for _ in range(400):
        house.clock.pass_(hours=25)
        await house.referee.scheduler.ring()
        await house.settle()
        if running(house, game).status != "running":
            break
        key = house.last(people[0]).buttons[0][0].key
        await house.say(people[0], legal(house, game)[0])
        if running(house, game).status != "running":
            break
        before = running(house, game)
        await house.press(people[0], key)
        assert running(house, game).move_no == before.move_no
        return
    raise AssertionError("the clock never left a question open")


async def test_a_gateway_that_vouches_does_not_replace_the_token(house: House) -> None:
    """A signature says which server sent it, not that the reader of our letter did."""
    people = ["mail:cy@x.test", "telegram:ana"]
    game = await table(house, people)
    while asked(house, game) != 0:
        await house.say(people[1], legal(house, game)[0])
    order = legal(house, game)[0]
    house.clock.pass_(hours=1)
    said = await unchanged(house, game, people[0], order, vouched=True, auth="dkim")
    assert "A mail in your name" in said
    assert order not in said


@pytest.mark.parametrize("verb", ["join", "ready"])
async def test_a_link_to_a_number_that_no_table_can_have(house: House, verb: str) -> None:
    """Anybody can write such a link: it breaks nothing, and is answered."""
    for who in ("telegram:eve", "terminal:flo"):
        await house.say(who, f"/start {verb}_{'9' * 20}")
        assert house.letters(who), "no answer"
    assert house.store.read_now(lambda tx: tx.column(Inbox, "state")) == ["done", "done"]
    assert house.store.read_now(lambda tx: tx.column(Inbox, "tries")) == [0, 0]
