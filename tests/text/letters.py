"""One sample context for every kind of letter, and more for the prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from referee.text import Words
from tests.text import leagues, samples
from tests.text.letters_admin import of_admins
from tests.text.letters_office import of_offices
from tests.text.samples import GAME, HOUR, NOW, frozen, told

HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def common(**other: Any) -> dict[str, Any]:
    return {
        "language": "en",
        "zone": "Europe/Lisbon",
        "now_ms": NOW,
        "game": GAME,
        "me": None,
        "bot_link": "",
        **other,
    }


def gathering(status: str) -> dict[str, Any]:
    seats = [
        {"no": 1, "name": "Ana", "bot": "", "ready": True, "me": True},
        {"no": 2, "name": "Bea", "bot": "", "ready": False, "me": False},
        {"no": 3, "name": "Bot 3", "bot": "greedy", "ready": True, "me": False},
    ]
    return common(
        game=GAME | {"status": status},
        me={"seat": 0, "name": "Ana"},
        seats=seats,
        wanted=4,
        creator="Ana",
        seed_hash=HASH,
        entry="open",
        options={"complete_city": 8},
        missing_private=["Bea"],
    )


def here(**other: Any) -> dict[str, Any]:
    """Where a card is in the game."""
    return {
        "rank": 0,
        "known": True,
        "rival": "",
        "faceup": False,
        "shown": [],
        "unique": False,
        "cities": [],
        **other,
    }


def daily(tag: str, number: int, **other: Any) -> dict[str, Any]:
    """One game of a letter over several."""
    return {
        "tag": tag,
        "edition": "classic",
        "status": "running",
        "round": number,
        "ready": False,
        "asked": False,
        "question": "",
        "due_ms": None,
        "waiting": [],
        "news": [],
        "more": 0,
        "result": "",
        "stopped": "",
        **other,
    }


def contexts(words: Words, language: str = "en") -> Mapping[str, tuple[str, dict[str, Any]]]:
    """Name of the sample -> (kind of letter, context); what a context brings along in words of its own is
    English.
    """
    prompt: Callable[..., dict[str, Any]] = partial(samples.prompt, language=language)
    turn = frozen()["turn"]
    end = frozen()["end"]
    public = common(
        view=turn.public, events=told(turn, None, 8), due_ms=NOW + 5 * HOUR, waiting=[turn.names[turn.seat]]
    )
    asking = prompt(turn, words)
    trouble = {
        "code": "too-poor",
        "facts": {"price": 5, "gold": 2},
        "quote": "build palace",
        "suggestions": ["build Market"],
        "not_done": ["income", "end"],
    }
    return {
        "prompt-pick": ("prompt", prompt(frozen()["pick"], words)),
        "prompt-turn": ("prompt", prompt(turn, words, echo=[{"order": "gold"}])),
        "prompt-learn": (
            "prompt",
            prompt(
                frozen()["pick"],
                words,
                teaching="learn",
                game=GAME | {"guided": True},
                lessons=[("event", "you-robbed"), ("ask", "draft"), ("tip", "look-up")],
            ),
        ),
        "prompt-hint": ("prompt", prompt(turn, words, teaching="hints", lessons=[("ask", "gather")])),
        "prompt-keep": ("prompt", prompt(frozen()["keep"], words)),
        "prompt-magician": ("prompt", prompt(frozen()["magician"], words)),
        "prompt-warlord": ("prompt", prompt(frozen()["warlord"], words)),
        "prompt-trouble": ("prompt", prompt(turn, words, trouble=trouble, events=[])),
        "prompt-undo": (
            "prompt",
            prompt(turn, words, echo=[{"order": "build Market", "undone": True}], events=[]),
        ),
        "prompt-waiting": (
            "prompt",
            prompt(
                turn,
                words,
                echo=[{"order": "end"}],
                ask=None,
                options=[],
                due_ms=None,
                me={"seat": (turn.seat + 1) % 4, "name": turn.names[(turn.seat + 1) % 4]},
                view=turn.public,
                events=[],
            ),
        ),
        "prompt-stopped": (
            "prompt",
            prompt(turn, words, stopped="Your plan as the King is done; the turn is still yours.", events=[]),
        ),
        "prompt-soon": ("prompt", prompt(turn, words, soon=True, events=[])),
        "plan": (
            "plan",
            common(
                filed=True,
                soon=True,
                understood=[
                    (
                        "Selection: the first of King or Bishop that reaches you; else you are asked "
                        "(in round 3)."
                    ),
                    (
                        "As the King: gold; build dearest; end; forgotten benefits are taken before the "
                        "end (income)."
                    ),
                ],
            ),
        ),
        "plan-shown": (
            "plan",
            common(understood=["There is no plan."], stopped="Nothing of your list reached you: King."),
        ),
        "plan-wrong": (
            "plan",
            common(
                filed=False,
                troubles=[{"line": "There is no card called Ghost.", "quote": "when Ghost: gold; end"}],
            ),
        ),
        "digest": (
            "digest",
            common(
                game=None,
                hour="08:00",
                games=[
                    daily(
                        "#17",
                        3,
                        asked=True,
                        question="turn",
                        due_ms=NOW + 5 * HOUR,
                        news=["Bea named the Thief to be killed.", "You are called as the King."],
                        more=4,
                    ),
                    daily(
                        "#21",
                        7,
                        asked=True,
                        question="graveyard",
                        stopped="Your plan as the King is done; the turn is still yours.",
                    ),
                    daily("#18", 9, waiting=["Cy", "Dan"], news=["Cy built the Keep for 3 gold."]),
                    daily("#19", 0, status="mustering"),
                    daily(
                        "#20",
                        14,
                        status="over",
                        result="Bea wins with 24 points.",
                        news=["Bea completed her city."],
                    ),
                ],
                options=[
                    {
                        "n": n,
                        "label": f"Show {tag}",
                        "order": f"status {tag}",
                        "key": f"k{n}",
                        "mailto": words.mailto(f"status {tag}", f"status {tag}"),
                    }
                    for n, tag in enumerate(("#17", "#21", "#19"), 1)
                ],
            ),
        ),
        "digest-quiet": (
            "digest",
            common(
                game=None,
                why="quiet",
                notices=[{"code": "abandoned", "facts": {"game": 22}}],
                games=[daily("#18", 9, waiting=["Cy"], news=["Cy built the Keep for 3 gold."])],
            ),
        ),
        "table": ("table", public),
        "table-draft": (
            "table",
            common(view=frozen()["pick"].public, events=[], due_ms=NOW - HOUR, waiting=["Ana"]),
        ),
        "table-undealt": ("table", common(view=None, events=[])),
        "lobby": ("lobby", gathering("lobby")),
        "lobby-deluxe": (
            "lobby",
            gathering("lobby")
            | {
                "game": GAME | {"status": "lobby", "edition": "deluxe"},
                "options": {},
                "choice": {"named": "Cunning Agents"},
                "cast": [
                    "Witch",
                    "Blackmailer",
                    "Magician",
                    "King",
                    "Abbot",
                    "Alchemist",
                    "Architect",
                    "Warlord",
                ],
                "instead": [["Emperor", "King"]],
                "uniques": [
                    "Armory",
                    "Basilica",
                    "Dragon Gate",
                    "Gold Mine",
                    "Keep",
                    "Monument",
                    "Museum",
                    "Necropolis",
                    "Park",
                    "Poor House",
                    "Quarry",
                    "Secret Vault",
                    "Smithy",
                    "Theater",
                ],
            },
        ),
        "lobby-mustering": ("lobby", gathering("mustering")),
        "muster": ("muster", gathering("mustering")),
        "seat_offer": (
            "seat_offer",
            public
            | {
                "name": "Bea",
                "due_ms": NOW + 10 * HOUR,
                "events": [],
                "options": [
                    {
                        "n": 1,
                        "order": "join #17",
                        "label": "Take the seat",
                        "note": "",
                        "mailto": words.mailto("join #17"),
                        "key": "k1",
                    },
                    {
                        "n": 2,
                        "order": "alternate no #17",
                        "label": "No, thanks",
                        "note": "",
                        "mailto": words.mailto("alternate no #17"),
                        "key": "k2",
                    },
                ],
            },
        ),
        "reminder": (
            "reminder",
            {k: asking[k] for k in asking if k not in ("events", "echo", "trouble", "final")},
        ),
        "over": (
            "over",
            common(
                view=end.public,
                result=end.public["result"],
                seed="00" * 32,
                seed_hash=HASH,
                words=["tulip", "", "{{ 7*7 }}", ""],
                events=told(end, 0, 3),
                me={"seat": 0, "name": "Ana"},
            ),
        ),
        "status": ("status", public),
        "hand": ("hand", {k: asking[k] for k in asking if k not in ("events", "echo", "trouble", "final")}),
        "history": ("history", common(events=told(turn, None, 15), names=list(turn.names))),
        "history-course": ("history", common(names=["Ana", "<b>Bea</b>"], rounds=[[0, 1], [3, 2], [12, 15]])),
        "history-acts": (
            "history",
            common(
                names=["Ana", "<b>Bea</b>", "Cy"],
                me={"seat": 0, "name": "Ana"},
                events=[
                    {
                        "name": name,
                        "no": n,
                        "at_ms": NOW - HOUR * (20 - n),
                        "facts": {"seat": seat, "by": by, "number": 12, "yes": True, **facts},
                    }
                    for n, (name, seat, by, facts) in enumerate(
                        [
                            ("proposed", 1, "", {"act": "pause"}),
                            ("voted", 0, "", {}),
                            ("carried", None, "", {}),
                            ("paused", 1, "", {}),
                            ("unpaused", None, "", {"why": "spent"}),
                            ("unpaused", 0, "", {}),
                            ("proposed", 0, "", {"act": "kick", "player": 1}),
                            ("refused", None, "", {}),
                            ("proposed", None, "Root", {"act": "rewind", "round": 4}),
                            ("seconded", None, "Alan", {}),
                            ("rewound", None, "Root", {"round": 4}),
                            ("extended", None, "", {"hours": 24.0}),
                            ("seat_offered", None, "Root", {"player": 0}),
                            ("processed", None, "Root", {"window": 123, "players": [2]}),
                            ("kicked", None, "Root", {"player": 1}),
                            ("miss_forgiven", 0, "", {"answer": True}),
                            (
                                "words_opened",
                                None,
                                "",
                                {
                                    "given": [{"seat": 0, "word": "rain"}, {"seat": 2, "word": "<b>"}],
                                    "seed_hash": HASH,
                                },
                            ),
                            (
                                "gathers_anew",
                                2,
                                "",
                                {"deal": 1, "seed": "5f" * 32, "seed_hash": HASH, "fresh": HASH},
                            ),
                        ],
                        1,
                    )
                ],
            ),
        ),
        "history-orders": (
            "history",
            common(
                entries=[
                    {"no": 1, "name": "Ana", "order": "gold", "by": "person"},
                    {"no": 2, "name": "Bea", "order": "end", "by": "clock"},
                ]
            ),
        ),
        "who": (
            "who",
            common(
                players=[
                    {
                        "no": 1,
                        "name": "Ana",
                        "bot": "",
                        "channels": ["mail", "telegram"],
                        "ready": True,
                        "misses": 1,
                    },
                    {"no": 2, "name": "Bot 2", "bot": "random", "channels": [], "ready": True, "misses": 0},
                ],
                waiting=["Ana"],
            ),
        ),
        "games": (
            "games",
            common(
                game=None,
                games=[
                    {
                        "tag": "#17",
                        "status": "running",
                        "edition": "classic",
                        "round": 3,
                        "asked": True,
                        "due_ms": NOW + HOUR,
                    },
                    {
                        "tag": "#18",
                        "status": "lobby",
                        "edition": "classic",
                        "round": 0,
                        "asked": False,
                        "due_ms": None,
                    },
                ],
            ),
        ),
        "games-none": ("games", common(game=None, games=[])),
        "setup": (
            "setup",
            common(
                game=None,
                asks="list",
                so_far="deluxe",
                options=[
                    {
                        "n": 1,
                        "order": "new menu deluxe first game",
                        "label": "First Game",
                        "note": "the eight characters of the classic game",
                        "mailto": words.mailto("new menu deluxe first game"),
                        "key": "k1",
                    },
                    {
                        "n": 2,
                        "order": "new menu deluxe random",
                        "label": "By chance",
                        "note": "",
                        "mailto": words.mailto("new menu deluxe random"),
                        "key": "k2",
                    },
                ],
            ),
        ),
        "plan-menu": (
            "plan_menu",
            common(
                title="Plan my round",
                page="top",
                lines=["prefer King, Bishop, any"],
                options=[
                    {
                        "n": 1,
                        "order": "prefer King, Bishop, any",
                        "label": "File it for one round",
                        "note": "",
                        "mailto": words.mailto("prefer King, Bishop, any"),
                        "key": "k1",
                    },
                    {
                        "n": 2,
                        "order": "plan menu close",
                        "label": "Close",
                        "note": "",
                        "mailto": words.mailto("plan menu close"),
                        "key": "k2",
                    },
                ],
            ),
        ),
        "plan-menu-script": (
            "plan_menu",
            common(
                title="As the King, one thing after the other:",
                page="script",
                line="when King: gold",
                options=[
                    {
                        "n": 1,
                        "order": "plan menu build",
                        "label": "Build",
                        "note": "",
                        "mailto": words.mailto("plan menu build"),
                        "key": "k1",
                    }
                ],
            ),
        ),
        "help": ("help", common(topic="")),
        **{
            f"help-{topic}": ("help", common(topic=topic))
            for topic in ("orders", "turn", "plan", "setup", "clock", "notices", "channels", "seed")
        },
        "help-admin": ("help", common(topic="admin", game=None)),
        **of_admins(public),
        "help-command": ("help", common(command="undo")),
        "card-thief": ("card", common(card="Thief", here=here(rank=2, shown=["Bea"]))),
        "card-faceup": ("card", common(card="Architect", here=here(rank=7, faceup=True))),
        "card-graveyard": ("card", common(card="Graveyard", here=here(unique=True, cities=["Dan"]))),
        "card-market": ("card", common(card="Market", here=here(cities=["Ana", "Dan"]))),
        "card-unbuilt": ("card", common(card="Library", here=here(unique=True))),
        "card-vault": (
            "card",
            common(card="Secret Vault", game=GAME | {"edition": "deluxe"}, here=here(unique=True)),
        ),
        "card-temple": ("card", common(card="Temple", here=here())),
        "card-uncast": (
            "card",
            common(
                card="Thief", game=GAME | {"edition": "deluxe"}, here=here(rank=2, known=False, rival="Spy")
            ),
        ),
        "card-undecked": (
            "card",
            common(card="Statue", game=GAME | {"edition": "deluxe"}, here=here(unique=True, known=False)),
        ),
        "card-abroad": ("card", common(card="Statue")),
        "card-everywhere": ("card", common(card="Great Wall", game=None)),
        "card-deluxe": ("card", common(card="Great Wall", edition="deluxe", here=here(cities=["Dan"]))),
        "cards": (
            "cards",
            common(
                game=GAME | {"edition": "deluxe"},
                cast=["Witch", "Spy", "Seer", "Patrician", "Abbot", "Trader", "Scholar", "Diplomat", "Queen"],
                uniques=["Theater", "Armory", "Secret Vault"],
            ),
        ),
        "cards-plain": (
            "cards",
            common(
                game=None,
                edition="classic",
                cast=["Assassin", "Thief", "Warlord"],
                uniques=["Keep", "Keep", "Library"],
            ),
        ),
        "vote": (
            "vote",
            common(
                number=12,
                rule="silence",
                due_ms=NOW + 6 * HOUR,
                names=["Ana", "Bea", "Cy"],
                me={"seat": 1, "name": "Bea"},
                events=[
                    {
                        "name": "proposed",
                        "no": 0,
                        "facts": {"seat": 0, "by": "", "number": 12, "act": "pause"},
                    }
                ],
            ),
        ),
        "vote-key": (
            "vote",
            common(
                number=13,
                rule="all",
                votes=False,
                due_ms=NOW + 24 * HOUR,
                names=["Ana", "Bea", "Cy"],
                events=[
                    {
                        "name": "proposed",
                        "no": 0,
                        "facts": {
                            "seat": None,
                            "by": "<b>Root</b>",
                            "number": 13,
                            "act": "rewind",
                            "round": 4,
                        },
                    }
                ],
            ),
        ),
        "vote-mine": (
            "vote",
            common(
                number=14,
                rule="most",
                about_you=True,
                due_ms=NOW + 24 * HOUR,
                names=["Ana", "Bea", "Cy"],
                me={"seat": 1, "name": "Bea"},
                events=[
                    {
                        "name": "proposed",
                        "no": 0,
                        "facts": {"seat": 0, "by": "", "number": 14, "act": "kick", "player": 1},
                    }
                ],
            ),
        ),
        "link_code": ("link_code", common(game=None, code="ABCDEFGH", minutes=10)),
        "link_ask": (
            "link_ask",
            common(
                game=None,
                mine={"channel": "telegram", "address": "123456"},
                other={"channel": "mail", "address": "y…@x.test"},
                called="<b>Admin</b>",
                seats=2,
                word="ABCDEF",
                due_ms=NOW + HOUR // 2,
            ),
        ),
        "link_ask-more": (
            "link_ask",
            common(
                game=None,
                mine={"channel": "mail", "address": "bea@x.test"},
                other={"channel": "matrix", "address": "@bea:hs"},
                more=[{"channel": "terminal", "address": "bea"}],
                word="ABCDEF",
                due_ms=NOW + HOUR // 2,
                answered=True,
            ),
        ),
        "accounts": (
            "accounts",
            common(
                game=None,
                addresses=[
                    {
                        "channel": "telegram",
                        "address": "123456",
                        "state": "green",
                        "since_ms": NOW - HOUR,
                        "joined_ms": 0,
                        "until_ms": 0,
                        "first": True,
                        "here": True,
                    },
                    {
                        "channel": "mail",
                        "address": "bea@x.test",
                        "state": "bounced",
                        "since_ms": NOW - HOUR,
                        "joined_ms": NOW - HOUR,
                        "until_ms": NOW + HOUR,
                        "first": False,
                        "here": False,
                    },
                ],
            ),
        ),
        "stand_in": ("stand_in", common(name="Bea", kind="turn")),
        "stand_in-me": ("stand_in", common(name="Bea", kind="turn", me={"seat": 1, "name": "Bea"})),
        "undone": ("undone", common(name="Bea", order="build Market")),
        "notice": (
            "notice",
            common(game=None, notices=[{"code": "which-game", "facts": {"games": [17, 18]}}]),
        ),
        "notice-room": (
            "notice",
            common(game=None, to="Bea", notices=[{"code": "orders-in-private", "facts": {}}]),
        ),
        "notice-trouble": (
            "notice",
            common(
                notices=[
                    {
                        "code": "unreadable",
                        "facts": {"quote": "buld market", "suggestions": ["build Market", "gold"]},
                    }
                ]
            ),
        ),
        "toast": ("toast", common(notices=[{"code": "old-button", "facts": {}}])),
        "echo_elsewhere": ("echo_elsewhere", common(echo=[{"order": "gold"}, {"order": "build Market"}])),
        "calendar_link": (
            "calendar_link",
            common(game=None, link="https://citadels.example.org/calendar/AbC-123_x.ics", again=True),
        ),
        "calendar_file": ("calendar_file", common(game=None, count=2)),
        "web_link": (
            "web_link",
            common(game=None, link="https://citadels.example.org/me/in/AbC-123_x", minutes=30),
        ),
        "talk": (
            "talk",
            common(
                said=[
                    {
                        "way": "public",
                        "by": "Bea",
                        "speech": "Who took the <b>Palace</b>? {{ 7*7 }}",
                        "at_ms": NOW - 10 * HOUR,
                    },
                    {"way": "private", "by": "Cy", "speech": "gold; end", "at_ms": NOW},
                    {"way": "nameless", "by": "", "speech": "It was Dan.", "at_ms": 0},
                ]
            ),
        ),
        "suspicious": ("suspicious", common(why="sender")),
        "suspicious-old": ("suspicious", common(game=None, why="old")),
        "over-learn": (
            "over",
            common(
                view=end.public,
                result=end.public["result"],
                seed="00" * 32,
                seed_hash=HASH,
                words=["", "", "", ""],
                teaching="learn",
                me={"seat": 0, "name": "Ana"},
            ),
        ),
        "record": (
            "record",
            common(
                game=GAME | {"status": "over"},
                record=['words: ["tulip", "{reply_to}", "<b>"]', "", "Ana: gold", "Bea: build Market"],
            ),
        ),
        "league_news": (
            "league_news",
            common(
                game=None,
                league={"id": 3, "name": "Winter <Cup>"},
                notices=[
                    {
                        "code": "league-round",
                        "facts": {
                            "league": "Winter <Cup>",
                            "zone": "Europe/Lisbon",
                            "season": 2,
                            "round": 3,
                            "rounds": 7,
                            "tables": 12,
                            "ends_ms": NOW + 14 * 24 * HOUR,
                        },
                    },
                    {
                        "code": "league-penalty",
                        "facts": {
                            "league": "Winter <Cup>",
                            "zone": "Europe/Lisbon",
                            "name": "Bea",
                            "points": "1.5",
                            "why": "two no-shows",
                        },
                    },
                ],
            ),
        ),
        "league_news-standings": (
            "league_news",
            common(
                **leagues.HEAD,
                shown=leagues.standings(),
                notices=[
                    {
                        "code": "league-round-over",
                        "facts": {
                            "league": "Winter <Cup>",
                            "zone": "Europe/Lisbon",
                            "season": 2,
                            "round": 2,
                            "rounds": 5,
                        },
                    }
                ],
            ),
        ),
        "league_standings": ("league_standings", common(**leagues.HEAD, shown=leagues.standings())),
        "league_standings-one": (
            "league_standings",
            common(
                **{**leagues.HEAD, "url": ""},
                shown=leagues.standings(several=False),
                room=True,
                channel="matrix",
            ),
        ),
        "league_standings-none": ("league_standings", common(**{**leagues.HEAD, "season": None})),
        "league_schedule": (
            "league_schedule",
            common(
                **leagues.HEAD,
                rounds=leagues.ROUNDS,
                round=3,
                tables=leagues.TABLES,
                byes=["Eve", "Gus"],
                several=True,
                hidden=3,
                mine=[leagues.TABLES[1]],
            ),
        ),
        "league_schedule-none": (
            "league_schedule",
            common(
                **{
                    **leagues.HEAD,
                    "season": leagues.SEASON
                    | {"state": "signup", "round": 0, "open": 0, "closes_ms": NOW + 24 * HOUR},
                }
            ),
        ),
        "league_table": (
            "league_table",
            common(**leagues.HEAD, table=leagues.TABLES[0], number=7, several=True),
        ),
        "league_table-none": ("league_table", common(**leagues.HEAD, number=99)),
        "league_player": ("league_player", common(game=None, player=leagues.player())),
        "league_player-new": (
            "league_player",
            common(
                game=None,
                player={
                    **leagues.player(),
                    "seasons": [],
                    "results": [],
                    "ratings": [],
                    "reliability": leagues.NOTHING,
                },
            ),
        ),
        "league_stats": ("league_stats", common(**leagues.HEAD, stats=leagues.stats(), hidden=2)),
        "league_export": (
            "league_export",
            common(
                **leagues.HEAD, files=["league-3-season-2-standings.csv", "league-3-season-2-results.csv"]
            ),
        ),
        "league_export-links": (
            "league_export",
            common(
                **leagues.HEAD, form="json", links=["https://citadels.example.org/l/3/season/2/season.json"]
            ),
        ),
        "league_export-nowhere": ("league_export", common(**{**leagues.HEAD, "url": ""})),
        **of_offices(),
        "alert": ("alert", common(game=None, code="shunted", facts={"inbox": 12, "game": 17})),
    }
