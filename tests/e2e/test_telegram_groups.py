"""Groups in Telegram, as people meet them: who is answered, whose a menu is, and where it is said."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.store import Game, GameRoom, Seat
from tests.e2e.telegram_house import TelegramHouse, telegram_house
from tests.servers.botapi import Group, User
from tests.service.rig import until


@pytest.fixture
async def tg(tmp_path: Path) -> AsyncIterator[TelegramHouse]:
    async with telegram_house(tmp_path) as one:
        yield one


@pytest.fixture
def ann(tg: TelegramHouse) -> User:
    return tg.api.user("Ann", "ann_x", started=True)


@pytest.fixture
def eve(tg: TelegramHouse) -> User:
    return tg.api.user("Eve", "eve_x", started=True)


def games(tg: TelegramHouse) -> list[Game]:
    return tg.store.read_now(lambda tx: tx.all(Game, order="id"))


async def opened_menu(tg: TelegramHouse, who: User, group: Group) -> None:
    who.say("/new", group)
    await tg.answer(group, "Which edition")


# -- who is spoken to


async def test_answers_to_the_bot_and_its_name_are_answered_in_a_group(tg: TelegramHouse, ann: User) -> None:
    group = tg.api.group("Table", [ann])
    ann.say(f"@{tg.api.username} new classic 3", group)
    table = await tg.answer(group, "classic, gathering")
    ann.say("who", group, reply_to=table)
    assert "Ann" in (await tg.answer(group, "Ann:")).text
    ann.say("flarble", group, reply_to=table)
    assert "/help" in (await tg.answer(group, "I don't know this command")).text
    ann.say("gold", group, reply_to=table)
    await tg.answer(group, "Orders are secret")
    before = len(tg.said(group))
    ann.say(f"status @{tg.api.username}", group)
    await until(lambda: len(tg.said(group)) == before + 1)
    ann.say(f"@{tg.api.username}", group)
    await tg.answer(group, "“/status” shows what is asked")


async def test_what_people_say_to_each_other_is_theirs(tg: TelegramHouse, ann: User, eve: User) -> None:
    group = tg.api.group("Table", [ann, eve])
    group.promote_bot(ann)  # it hears everything now
    ann.say("/new classic 3", group)
    table = await tg.answer(group, "classic, gathering")
    before = len(tg.said(group))
    ann.say("@eve_x what do you think?", group, reply_to=table)
    eve.say(f"we could ask @{tg.api.username} some day", group)
    eve.say("status of my tea: hot", group)
    ann.say("/who", group)
    await tg.rest()
    assert len(tg.said(group)) == before + 1


async def test_words_of_somebody_else_passed_on_move_nothing(tg: TelegramHouse, ann: User, eve: User) -> None:
    group = tg.api.group("Table", [ann, eve])
    origin = {"type": "user", "date": 1_700_000_000, "sender_user": eve.person.json()}
    ann.say("/new classic 3", group, forward_origin=origin)
    ann.say("new classic 3", forward_origin=origin)
    await tg.answer(ann, "somebody else's words")
    assert not games(tg)
    assert not tg.said(group)
    ann.say("new classic 3", forward_origin={**origin, "sender_user": ann.person.json()})
    await until(lambda: games(tg))


async def test_nobody_hides_behind_a_channel_or_the_group(tg: TelegramHouse, ann: User) -> None:
    group = tg.api.group("Table", [ann])
    ann.say("/new classic 3", group, sender_chat={"title": "x", "id": -1009, "type": "channel"})
    await tg.rest()
    assert (games(tg), tg.said(group)) == ([], [])


async def test_an_admin_who_writes_as_the_group_is_told_once_what_to_do(tg: TelegramHouse, ann: User) -> None:
    group = tg.api.group("Table", [ann])
    behind = {"id": group.id, "type": "group", "title": "Table"}
    ann.say("nobody is spoken to", group, sender_chat=behind)
    ann.say("/new@somebody_else_bot", group, sender_chat=behind)
    await tg.rest()
    assert not tg.said(group)
    for words in ("/new classic 3", f"@{tg.api.username} new", "/new"):
        ann.say(words, group, sender_chat=behind)
    await tg.answer(group, "turn “remain anonymous” off")
    await tg.rest()
    assert len(tg.said(group)) == 1
    assert not games(tg)


# -- whose a menu is


async def test_a_menu_is_its_openers_and_loses_its_buttons_when_done(
    tg: TelegramHouse, ann: User, eve: User
) -> None:
    group = tg.api.group("Table", [ann, eve])
    await opened_menu(tg, ann, group)
    (menu,) = tg.said(group)
    assert menu.text.startswith("Ann: ")
    refused = await tg.press(eve, menu, "Classic", group)
    assert "Only Ann can use this menu" in refused.toast
    assert tg.said(group) == [menu]
    stale = next(one.data for row in menu.buttons for one in row if one.label == "Classic")
    for label in ("Classic", "3 players", "24h"):
        (menu, *_) = tg.said(group)
        await tg.press(ann, menu, label, group)
    assert len(games(tg)) == 1
    await until(lambda: not tg.said(group)[0].buttons)
    done, table = tg.said(group)
    assert done.message_id == menu.message_id
    assert "Table #1 is open" in done.text
    assert "Ann" in table.text
    assert "Eve" not in table.text
    # a client that still shows the first page of it: the menu is over
    eve.forge(done, stale, group)
    late = ann.forge(done, stale, group)
    await until(lambda: late.answered)
    await tg.rest()
    assert "earlier question" in late.toast
    assert tg.said(group)[0].buttons == ()
    assert len(games(tg)) == 1


async def test_everybody_may_join_and_a_second_tap_is_silent(tg: TelegramHouse, ann: User, eve: User) -> None:
    group = tg.api.group("Table", [ann, eve])
    eve.start()
    await tg.answer(eve, "Welcome")
    ann.say("/new classic 4", group)
    table = await tg.answer(group, "classic, gathering")
    first, second = eve.press(table, "Join", group), eve.press(table, "Join", group)
    assert first is not None
    assert second is not None
    await until(lambda: first.answered and second.answered)
    await tg.rest()
    assert "You have a seat" in first.toast
    assert second.toast == ""
    assert tg.store.read_now(lambda tx: [seat.name for seat in tx.all(Seat, order="no")]) == ["Ann", "Eve"]
    assert "Eve" in tg.said(group)[0].text


# -- hello, start, help


async def test_a_group_is_greeted_with_one_button(tg: TelegramHouse, ann: User, eve: User) -> None:
    group = tg.api.group("Table", [ann, eve], bot=False)
    group.add_bot(ann)
    hello = await tg.answer(group, "referee for Citadels")
    assert hello.labels() == ["New table"]
    await tg.press(eve, hello, "New table", group)
    menu = await tg.answer(group, "Which edition")
    assert menu.text.startswith("Eve: ")


async def test_start_in_private_has_three_buttons(tg: TelegramHouse, ann: User) -> None:
    ann.start()
    welcome = await tg.answer(ann, "Welcome")
    assert welcome.labels() == ["Learn", "My tables", "New table"]
    await tg.press(ann, welcome, "New table")
    await tg.answer(ann, "Which edition")
    await tg.press(ann, welcome, "My tables")
    await tg.press(ann, welcome, "Learn")
    await until(lambda: games(tg))


async def test_start_speaks_the_language_of_the_person(tg: TelegramHouse) -> None:
    bia = tg.api.user("Bia", "bia_x", "pt-br")
    bia.start()
    welcome = await tg.answer(bia, "Boas-vindas")
    assert welcome.labels() == ["Aprender", "Minhas mesas", "Nova mesa"]
    group = tg.api.group("Mesa", [bia], bot=False)
    group.add_bot(bia)
    hello = await tg.answer(group, "árbitro de Citadels")
    assert hello.labels() == ["Nova mesa"]
    other = tg.api.user("Caio", "caio_x", "pt-br", started=True)
    group.add(other)
    await tg.press(bia, hello, "Nova mesa", group)
    menu = await tg.answer(group, "Bia:")
    refused = await tg.press(other, menu, menu.labels()[0], group)
    assert "Só Bia pode usar este menu" in refused.toast


async def test_help_in_a_group_goes_to_the_private_chat(tg: TelegramHouse, ann: User) -> None:
    group = tg.api.group("Table", [ann])
    ann.start()
    await tg.answer(ann, "Welcome")
    ann.say("/help", group)
    await until(lambda: len(tg.said(ann)) == 2)
    ann.say("/help league", group)
    await until(lambda: len(tg.said(ann)) >= 3)
    await tg.rest()
    assert not tg.said(group)


async def test_help_for_somebody_who_never_started_the_bot(tg: TelegramHouse) -> None:
    bob = tg.api.user("Bob", "bob_x")
    group = tg.api.group("Table", [bob])
    bob.say("/help", group)
    said = await tg.answer(group, "Bob, help is in our private chat")
    assert said.labels() == ["Open the private chat"]
    bob.press(said, "Open the private chat", group)
    await until(lambda: tg.said(bob))
    await tg.rest()
    assert "What you can write" in tg.said(bob)[0].text
    assert not [one for one in tg.said(bob) if "Welcome" in one.text]


# -- topics


async def test_it_writes_into_the_topic_in_which_it_was_spoken_to(tg: TelegramHouse, ann: User) -> None:
    group = tg.api.group("Club", [ann], topics=True)
    one, other = group.open_topic(ann, "Citadels"), group.open_topic(ann, "Chess")
    ann.say("/new classic 3", group, topic=one)
    table = await tg.answer(group, "classic, gathering")
    assert table.topic == one
    ann.say("just words in a topic", group, topic=one)  # they "answer" the message that opened it
    ann.say("/status", group, topic=other)
    elsewhere = await tg.answer(group, "You have no games")
    assert elsewhere.topic == other
    ann.say("/language pt-br", group)
    general = await tg.answer(group, "ortug")
    assert general.topic is None
    assert tg.store.read_now(lambda tx: len(tx.all(GameRoom))) == 1


async def test_a_closed_topic_is_told_and_an_open_one_shows_its_table_again(
    tg: TelegramHouse, ann: User
) -> None:
    ann.start()
    await tg.answer(ann, "Welcome")
    group = tg.api.group("Club", [ann], topics=True)
    topic = group.open_topic(ann, "Citadels")
    ann.say("/new classic 3", group, topic=topic)
    await tg.answer(group, "classic, gathering")
    group.close_topic(ann, topic)
    ann.say("/who", group, topic=topic)  # an admin may still write there
    told = await tg.answer(ann, "topic is closed")
    assert "Club" in told.text
    bob = tg.api.user("Bob", "bob_x")
    bob.start("join_1")
    await tg.rest()
    shown = next(one for one in tg.said(group) if "classic" in one.text)
    assert "Bob" not in shown.text
    group.close_topic(ann, topic, closed=False)
    await tg.answer(group, "Bob")
    assert not [one for one in tg.said(group) if "referee for Citadels" in one.text]


async def test_a_forum_it_comes_back_to_shows_the_tables_of_its_topics(tg: TelegramHouse, ann: User) -> None:
    ann.start()
    await tg.answer(ann, "Welcome")
    group = tg.api.group("Club", [ann], topics=True)
    topic = group.open_topic(ann, "Citadels")
    ann.say("/new classic 3", group, topic=topic)
    table = await tg.answer(group, "classic, gathering")
    group.remove_bot(ann)
    await tg.rest()
    bob = tg.api.user("Bob", "bob_x")
    bob.start("join_1")
    await tg.rest()
    assert "Bob" not in tg.said(group)[0].text
    group.add_bot(ann)
    shown = await tg.answer(group, "Bob")
    assert shown.topic == table.topic == topic
    assert not [one for one in tg.said(group) if "referee for Citadels" in one.text]


async def test_the_opener_of_a_table_is_told_when_its_topic_closes(tg: TelegramHouse, ann: User) -> None:
    ann.start()
    await tg.answer(ann, "Welcome")
    group = tg.api.group("Club", [ann], topics=True)
    topic = group.open_topic(ann, "Citadels")
    ann.say("/new classic 3", group, topic=topic)
    await tg.answer(group, "classic, gathering")
    group.close_topic(ann, topic)
    bob = tg.api.user("Bob", "bob_x")
    bob.start("join_1")
    told = await tg.answer(ann, "topic is closed")
    assert "/watch #1" in told.text
    bob.say("leave #1")
    await tg.rest()
    assert len([one for one in tg.said(ann) if "topic is closed" in one.text]) == 1


async def test_the_asker_is_told_in_private_where_a_group_takes_no_files(
    tg: TelegramHouse, ann: User
) -> None:
    ann.start()
    await tg.answer(ann, "Welcome")
    group = tg.api.group("Club", [ann])
    ann.say("/new 4 with 3 bots", group)
    await tg.press(ann, await tg.answer(ann, "about to begin"), "I am ready")
    await tg.rest()
    tg.store.write_now(lambda tx: tx.change(Game, {"id": 1}, status="over"))
    tg.api.world.takes_documents = False
    ann.say("/record #1", group)
    assert "“record #1”" in (await tg.answer(ann, "takes no files")).text
    ann.say("record #1")
    await until(lambda: any(one.file_name == "citadels-1.txt" for one in tg.said(ann)))
