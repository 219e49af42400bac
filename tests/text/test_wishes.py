"""Whole messages: commands, orders, talk."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import Setup, rulebook
from referee.text import TROUBLES, Intent, NotUnderstood, Reading, read_intent

ASK: dict[str, Any] = {
    "kind": "turn",
    "number": 1,
    "moves": [["gold", []], ["build", ["Market"]], ["end", []]],
    "families": [],
}
NEAR_SAO_PAULO = ("America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/Halifax")
AT = Reading(names=("Ana", "Bea"), ask=ASK, cards=rulebook(Setup("classic", ("Ana", "Bea"), {})))
NEW: dict[str, Any] = {
    "edition": None,
    "seats": None,
    "hours": None,
    "options": {},
    "entry": None,
    "bots": None,
    "choice": {},
    "menu": False,
}

COMMANDS: list[tuple[str, str, dict[str, Any], int | None]] = [
    ("status", "status", {}, None),
    ("help me", "help", {"topic": ""}, None),  # not what the Merchant does
    ("/status", "status", {}, None),
    ("/status@refbot", "status", {}, None),
    ("STATUS!", "status", {}, None),
    ("!status", "status", {}, None),
    ("#17 status", "status", {}, 17),
    ("status #17", "status", {}, 17),
    ("status 17", "status", {}, 17),
    ("# 17 status", "status", {}, 17),
    ("#17: status", "status", {}, 17),
    ("@refbot status", "status", {}, None),
    ("table", "status", {}, None),
    ("hand", "hand", {}, None),
    ("my cards", "hand", {}, None),
    ("who", "who", {}, None),
    ("who is Bea?", "who", {}, None),
    ("games", "games", {}, None),
    ("my games", "games", {}, None),
    ("history", "history", {"count": 20}, None),
    ("history 5", "history", {"count": 5}, None),
    ("#3 history 7", "history", {"count": 7}, 3),
    ("undo", "undo", {}, None),
    ("take back", "undo", {}, None),
    ("take-back", "undo", {}, None),
    ("ready", "ready", {}, None),
    ("I am ready", "ready", {}, None),
    ("#1 gold\n#1 end", "orders", {"chunks": ("gold", "end")}, 1),
    ("ready #4", "ready", {}, 4),
    ("join", "join", {}, None),
    ("join #17", "join", {}, 17),
    ("join 17", "join", {}, 17),
    ("/join", "join", {}, None),
    ("join g17", "join", {}, 17),
    ("join aB3-x_9k", "join", {"code": "aB3-x_9k"}, None),
    ("leave", "leave", {}, None),
    ("abandon #9", "abandon", {}, 9),
    ("rematch #17", "rematch", {}, 17),
    ("review #17", "review", {}, 17),
    ("what did I do wrong", "review", {}, None),
    ("play again", "rematch", {}, None),
    ("watch #17", "watch", {}, 17),
    ("unwatch", "unwatch", {}, None),
    ("start", "start", {"payload": ""}, None),
    ("/start", "start", {"payload": ""}, None),
    ("/start join_17", "start", {"payload": "join_17"}, None),
    ("/start@refbot link_AbC-9", "start", {"payload": "link_AbC-9"}, None),
    ("start #5", "start", {"payload": ""}, 5),
    ("help", "help", {"topic": ""}, None),
    ("?", "help", {"topic": ""}, None),
    ("/help", "help", {"topic": ""}, None),
    ("help orders", "help", {"topic": "orders"}, None),
    ("help deadlines", "help", {"topic": "time"}, None),
    ("help undo", "help", {"topic": "", "command": "undo"}, None),
    ("help thief", "rules", {"card": "Thief"}, None),
    ("rules", "rules", {"card": ""}, None),
    ("rules # 17", "rules", {"card": ""}, 17),
    ("cast", "rules", {"card": ""}, None),
    ("rules Thief", "rules", {"card": "Thief"}, None),
    ("rules the great-wall", "rules", {"card": "Great Wall"}, None),
    ("rule som", "rules", {"card": "School of Magic"}, None),
    ("what is the Graveyard?", "rules", {"card": "Graveyard"}, None),
    ("explain keep", "rules", {"card": "Keep"}, None),
    ("rules Witch", "rules", {"card": "Witch"}, None),
    ("rules keep in deluxe", "rules", {"card": "Keep", "edition": "deluxe"}, None),
    ("rules deluxe keep", "rules", {"card": "Keep", "edition": "deluxe"}, None),
    ("rules the Great Wall classic", "rules", {"card": "Great Wall", "edition": "classic"}, None),
    ("help dark city: keep", "rules", {"card": "Keep", "edition": "original"}, None),
    ("rules mag", "rules", {"card": "Magician"}, None),
    ("rules well", "rules", {"card": "Wishing Well"}, None),
    ("rules tax collector #17", "rules", {"card": "Tax Collector"}, 17),
    ("help keep classic # 17", "rules", {"card": "Keep", "edition": "classic"}, 17),
    ("rules #17 tax", "rules", {"card": "Tax Collector"}, 17),
    ("link", "link", {"code": ""}, None),
    ("link ABCD-EFGH", "link", {"code": "ABCDEFGH"}, None),
    ("link yes abc234", "link", {"code": "", "answer": "yes", "word": "ABC234"}, None),
    ("link no", "link", {"code": "", "answer": "no", "word": ""}, None),
    ("accounts", "accounts", {}, None),
    ("unlink", "unlink", {"address": ""}, None),
    ("undo link", "unlink", {"address": ""}, None),
    ("unlink e-mail", "unlink", {"address": "mail"}, None),
    ("unlink @bea:hs", "unlink", {"address": "@bea:hs"}, None),
    ("link abcd efgh", "link", {"code": "abcdefgh"}, None),
    ("name Bea the Great", "name", {"text": "Bea the Great"}, None),
    ("name Bea; DROP TABLE", "name", {"text": "Bea; DROP TABLE"}, None),
    ("name <b>Bea</b>", "name", {"text": "<b>Bea</b>"}, None),
    ("name A\u202eB\u0007", "name", {"text": "AB"}, None),
    ("word gold; build Market.", "word", {"text": "gold; build Market."}, None),
    ("#17 word abc", "word", {"text": "abc"}, 17),
    ("zone Europe/Lisbon", "zone", {"zone": "Europe/Lisbon", "text": "Europe/Lisbon"}, None),
    ("zone europe/lisbon", "zone", {"zone": "Europe/Lisbon", "text": "Europe/Lisbon"}, None),
    ("timezone lisbon", "zone", {"zone": "Europe/Lisbon", "text": "Europe/Lisbon"}, None),
    ("zone sao paulo", "zone", {"zone": "America/Sao_Paulo", "text": "America/Sao_Paulo"}, None),
    ("zone UTC", "zone", {"zone": "UTC", "text": "UTC"}, None),
    ("prefer mail", "prefer", {"channels": ("mail",), "channel": "mail"}, None),
    ("prefer e-mail, tg", "prefer", {"channels": ("mail", "telegram"), "channel": "mail"}, None),
    ("prefer Matrix and then mail", "prefer", {"channels": ("matrix", "mail"), "channel": "matrix"}, None),
    ("bot", "bot", {"kind": "", "count": 1}, None),
    ("bot greedy 2", "bot", {"kind": "greedy", "count": 2}, None),
    ("bot steady 2", "bot", {"kind": "steady", "count": 2}, None),
    ("add 3 strong bots", "bot", {"kind": "strong", "count": 3}, None),
    ("bots 3", "bot", {"kind": "", "count": 3}, None),
    ("add two random bots", "bot", {"kind": "random", "count": 2}, None),
    ("bot 0", "bot", {"kind": "", "count": 0}, None),
]

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("new", {"menu": True}),
    ("new classic", {"edition": "classic"}),
    ("new 5", {"seats": 5}),
    ("new game", {"menu": True}),
    ("new menu deluxe", {"edition": "deluxe", "menu": True}),
    (
        "new deluxe cunning agents 24h",
        {"edition": "deluxe", "choice": {"named": "Cunning Agents"}, "hours": 24.0},
    ),
    (
        "new Tenacious Delegates with Patrician for six players",
        {"choice": {"named": "Tenacious Delegates", "also": ["Patrician"]}, "seats": 6},
    ),
    ("new vicious 5", {"choice": {"named": "Vicious Nobles"}, "seats": 5}),
    ("new first 4", {"edition": "original", "seats": 4}),
    ("new first game 4", {"choice": {"named": "First Game"}, "seats": 4}),
    (
        "new original with Bell Tower, Quarry",
        {"edition": "original", "choice": {"also": ["Bell Tower", "Quarry"]}},
    ),
    (
        "new deluxe random gentle nine 5 seats",
        {"edition": "deluxe", "choice": {"named": "random", "gentle": True, "nine": True}, "seats": 5},
    ),
    (
        "new random, but gentle, with 9 characters",
        {"choice": {"named": "random", "gentle": True, "nine": True}},
    ),
    ("new deluxe 8 characters", {"edition": "deluxe", "choice": {"nine": False}}),
    (
        "new deluxe 3 cast Witch, Thief, seer uniques Keep, thieves den and Poor House, 2 days",
        {
            "edition": "deluxe",
            "seats": 3,
            "choice": {"cast": ["Witch", "Thief", "Seer"], "uniques": ["Keep", "Thieves' Den", "Poor House"]},
            "hours": 48.0,
        },
    ),
    (
        "new cast Witch uniques gr wall, university",
        {"choice": {"cast": ["Witch"], "uniques": ["Great Wall", "University"]}},
    ),
    (
        "new classic 5 24h complete 8 with 2 bots",
        {
            "edition": "classic",
            "seats": 5,
            "hours": 24.0,
            "options": {"complete_city": 8},
            "bots": {"kind": "", "count": 2},
        },
    ),
    (
        "new with 2 bots, complete 8, 24h, 5, classic",
        {
            "edition": "classic",
            "seats": 5,
            "hours": 24.0,
            "options": {"complete_city": 8},
            "bots": {"kind": "", "count": 2},
        },
    ),
    ("/new@refbot 4 players 2 days invite", {"seats": 4, "hours": 48.0, "entry": "invite"}),
    (
        "new deluxe for six players, 12 hours an answer, open",
        {"edition": "deluxe", "seats": 6, "hours": 12.0, "entry": "open"},
    ),
    ("new 30 minutes 3", {"hours": 0.5, "seats": 3}),
    ("new 3d", {"hours": 72.0}),
    ("new 90m", {"hours": 1.5}),
    ("new with a bot", {"bots": {"kind": "", "count": 1}}),
    ("new 3 greedy bots", {"bots": {"kind": "greedy", "count": 3}}),
    (
        "new classic 4 with 2 strong bots",
        {"edition": "classic", "seats": 4, "bots": {"kind": "strong", "count": 2}},
    ),
    ("new gentle bots", {"bots": {"kind": "gentle", "count": 1}}),
    (
        "new random gentle with 2 gentle bots",
        {"choice": {"named": "random", "gentle": True}, "bots": {"kind": "gentle", "count": 2}},
    ),
    ("new one random bot", {"bots": {"kind": "random", "count": 1}}),
    ("new with bots", {"bots": {"kind": "", "count": 1}}),
    ("new complete city at 8", {"options": {"complete_city": 8}}),
    ("new city 8 by invitation", {"options": {"complete_city": 8}, "entry": "invite"}),
    ("new classic endless", {"edition": "classic", "options": {"standstill": "off"}}),
    (
        "new original complete 8 uncapped, unending",
        {"edition": "original", "options": {"complete_city": 8, "max_city": "off", "standstill": "off"}},
    ),
    ("new original capped 5", {"edition": "original", "seats": 5, "options": {"max_city": 8}}),
    ("NEW CLASSIC 2", {"edition": "classic", "seats": 2}),
    ("new 5 5", {"seats": 5}),
]

TROUBLED = [
    ("new cunning agents random", "said-twice", {"word": "random", "place": "list"}),
    ("new 7 characters", "out-of-range", {"place": "cast"}),
    ("new cast Wich, King", "no-such-card", {"word": "wich", "near": ("Witch",)}),
    ("new deluxe uniques Keep, Blorp", "no-such-card", {"word": "blorp", "near": ()}),
    ("new deluxe with grate wal", "no-such-card", {"near": ("Great Wall",)}),
    ("new chess", "unknown-word", {"word": "chess", "place": "new"}),
    ("new classic deluxe", "said-twice", {"word": "deluxe", "place": "edition"}),
    ("new 4 5", "said-twice", {"word": "5", "place": "seats"}),
    ("new 1", "out-of-range", {"place": "players", "least": 2, "most": 8}),
    ("new original 9", "out-of-range", {"place": "players", "least": 2, "most": 7}),
    ("new deluxe 9", "out-of-range", {"least": 2, "most": 8}),
    ("new 99", "out-of-range", {"word": "99"}),
    ("new 0h", "out-of-range", {"place": "hours"}),
    ("new 99999h", "out-of-range", {"place": "hours"}),
    ("new 24h 12h", "said-twice", {"place": "hours"}),
    ("new complete 99", "out-of-range", {"place": "complete"}),
    ("new complete 8 complete 7", "said-twice", {"place": "complete"}),
    ("new original capped uncapped", "said-twice", {"word": "uncapped", "place": "rules"}),
    ("new 9 bots", "out-of-range", {"place": "bots"}),
    (
        "bot evil",
        "unknown-word",
        {"word": "evil", "place": "bot", "expected": ("gentle", "steady", "strong", "random", "greedy")},
    ),
    ("status please now", "takes-nothing", {"command": "status", "word": "please now"}),
    ("pause 2 days", "takes-nothing", {"command": "pause", "word": "2 days"}),
    ("plan kill Merchant", "takes-nothing", {"command": "plan", "word": "kill Merchant"}),
    ("history x", "unknown-word", {"place": "history"}),
    ("history 0", "out-of-range", {"least": 1, "most": 200}),
    ("rules xyzzy", "no-such-card", {"word": "xyzzy", "near": ()}),
    ("rules grate wal", "no-such-card", {"near": ("Great Wall",)}),
    ("rules t", "several-cards", {"word": "t"}),
    ("rules witsh", "no-such-card", {"word": "witsh", "near": ("Witch",)}),
    ("rules deluxe xyzzy", "no-such-card", {"near": ()}),
    ("rules xyzzy #17", "no-such-card", {"word": "xyzzy"}),
    ("rules deluxe m", "several-cards", {"word": "deluxe m"}),
    ("name", "missing", {"command": "name"}),
    ("word", "missing", {"command": "word"}),
    ("zone", "missing", {"command": "zone"}),
    ("zone Lisbonn", "no-such-zone", {"word": "Lisbonn"}),
    ("zone Mars/Olympus", "no-such-zone", {}),
    # the tz database counts these the other way round: "GMT+1" is west of Greenwich there
    ("zone GMT+1", "no-such-zone", {"near": ("Europe/Berlin", "Africa/Lagos", "Europe/Lisbon")}),
    ("zone gmt -3", "no-such-zone", {"word": "gmt -3", "near": NEAR_SAO_PAULO}),
    ("zone UTC−3", "no-such-zone", {"near": NEAR_SAO_PAULO}),
    ("zone +05:30", "no-such-zone", {"near": ("Asia/Kolkata",)}),
    ("zone GMT+99", "no-such-zone", {"near": ()}),
    ("prefer", "missing", {"command": "prefer"}),
    ("prefer pigeon", "unknown-word", {"word": "pigeon"}),
    ("help quantum", "no-such-topic", {"word": "quantum"}),
    ("status; gold", "command-alone", {"command": "status"}),
    ("gold; status", "command-alone", {"command": "status"}),
    ("undo\ngold", "command-alone", {"command": "undo"}),
    ("#1 kill Thief\n#2 gold", "command-alone", {"command": "#2 gold"}),
    ("gold\nundo", "command-alone", {"command": "undo"}),
    ("link !!", "unknown-word", {"place": "link"}),
]


@pytest.mark.parametrize(
    ("text", "kind", "args", "game"), COMMANDS, ids=lambda v: v if isinstance(v, str) else None
)
def test_commands(text: str, kind: str, args: dict[str, Any], game: int | None) -> None:
    found = read_intent(text, AT, private=True)
    assert isinstance(found, Intent), found
    assert (found.kind, dict(found.args), found.game) == (kind, args, game)


@pytest.mark.parametrize(("text", "said"), TABLES, ids=lambda v: v if isinstance(v, str) else None)
def test_new_tables(text: str, said: dict[str, Any]) -> None:
    found = read_intent(text, AT, private=True)
    assert isinstance(found, Intent), found
    assert found.kind == "new"
    assert dict(found.args) == NEW | said


@pytest.mark.parametrize(("text", "code", "facts"), TROUBLED, ids=lambda v: v if isinstance(v, str) else None)
def test_what_does_not_fit_is_named(text: str, code: str, facts: dict[str, Any]) -> None:
    found = read_intent(text, AT, private=True)
    assert isinstance(found, NotUnderstood), found
    assert found.code == code
    assert code in TROUBLES
    assert facts.items() <= dict(found.facts).items()
    assert found.quote


@pytest.mark.parametrize(
    "text",
    [
        "gold",
        "gold; build Market; end",
        "2",
        "build mark",
        "what a lovely day",
        "pass",
        "no",
        "redraw Temple, Market",
    ],
)
def test_in_private_the_rest_are_orders(text: str) -> None:
    found = read_intent(text, AT, private=True)
    assert isinstance(found, Intent)
    assert found.kind == "orders"
    assert list(found.args["chunks"]) == [c.strip() for c in text.split(";")]


def test_orders_for_a_game() -> None:
    found = read_intent("#17 gold; end", AT, private=True)
    assert isinstance(found, Intent)
    assert (found.kind, found.game, found.args["chunks"]) == ("orders", 17, ("gold", "end"))


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "@refbot", "/"])
def test_nothing(text: str) -> None:
    found = read_intent(text, AT, private=True, bot="refbot")
    assert isinstance(found, Intent)
    assert found.kind in ("nothing", "orders")
    if not text.strip("@refbot/ \n"):
        assert found.kind == "nothing" or text == "/"


ROOM = [
    ("good morning", {}, "chatter"),
    ("gold is nice", {}, "chatter"),
    ("status", {}, "chatter"),
    ("help!", {}, "chatter"),
    ("2", {}, "chatter"),
    ("@bob status", {}, "chatter"),
    ("/status@otherbot", {}, "chatter"),
    ("new game tonight?", {}, "chatter"),
    ("end of story", {}, "chatter"),
    ("/status", {}, "status"),
    ("!status", {}, "status"),
    ("/status@refbot", {}, "status"),
    ("@refbot status", {}, "status"),
    ("@refbot: status", {}, "status"),
    ("status", {"addressed": True}, "status"),
    ("#17 /status", {}, "status"),
    ("/new classic 5", {}, "new"),
    ("gold", {}, "orders"),
    ("build Market", {}, "orders"),
    ("/gold", {}, "orders"),
    ("@refbot gold", {}, "orders"),
    ("gold", {"addressed": True}, "orders"),
    ("", {}, "nothing"),
]


@pytest.mark.parametrize(("text", "how", "kind"), ROOM)
def test_in_a_room(text: str, how: dict[str, Any], kind: str) -> None:
    found = read_intent(text, AT, private=False, bot="refbot", **how)
    assert isinstance(found, Intent)
    assert found.kind == kind


@pytest.mark.parametrize("language", ["de", "pt-BR", "en-GB", "", "zh-hans", "../../etc"])
def test_a_language_that_is_not_there_is_read_as_the_nearest(language: str) -> None:
    found = read_intent("rules thief", Reading(language=language), private=True)
    assert isinstance(found, Intent)
    assert found.args == {"card": "Thief"}


def test_orders_in_a_room_count_only_from_who_is_asked() -> None:
    found = read_intent("gold", Reading(names=("Ana", "Bea")), private=False)
    assert isinstance(found, Intent)
    assert found.kind == "chatter"
