"""What is said to the league office: which act, about which league, with what; and what is answered where
nothing can be read.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from referee.service.league import announcements, log, roles
from referee.service.league.office import dispatch, questions
from referee.text import Intent, NotUnderstood, Reading, Words, lexicon
from referee.text.reading.league_args import ARGS, LeagueReading
from referee.text.reading.leagues import read_league

NOW = 1_795_435_200_000  # Mon 23 Nov 2026 12:00 UTC
ASKING = LeagueReading(
    Reading("en"),
    NOW,
    "Europe/Lisbon",
    {1: "Winter Cup", 2: "Open Cup", 3: "Winterling", 4: "🏰🏰", 5: "دوري الشتاء"},
)
NO_DATE: dict[str, Any] = {"round": 0, "until_ms": 0, "hours": 0.0, "day": False}


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def read(text: str) -> Intent | NotUnderstood:
    return read_league(text, ASKING)


UNDERSTOOD: list[tuple[str, str, int | None, dict[str, Any]]] = [
    ("", "list", None, {}),
    ("list", "list", None, {}),
    ("Winter Cup", "show", 1, {}),
    ("WINTER-CUP", "show", 1, {}),
    ("#2", "show", 2, {}),
    ("“Winter Cup”", "show", 1, {}),
    ("winter cup status", "show", 1, {}),
    ("open cup", "show", 2, {}),
    ("winter c standings", "standings", 1, {"division": 0, "season": 0}),
    ("🏰🏰", "show", 4, {}),
    ("دوري الشتاء join", "join", 5, {}),
    ("join", "join", None, {}),
    ("join Winter Cup", "join", 1, {}),
    ("Winter Cup join", "join", 1, {}),
    ("sign up for the Winter Cup".replace("for the ", ""), "join", 1, {}),
    ("open cup join please", "join", 2, {}),
    ("join open", "join", 2, {}),
    ("withdraw Winterling", "leave", 3, {}),
    ("new Spring League", "new", None, {"name": "Spring League"}),
    ('new "Open"', "new", None, {"name": "Open"}),
    ("new Winter Cup II; <b>", "new", None, {"name": "Winter Cup II; <b>"}),
    ("open", "open", None, {"closes_ms": 0, "starts_ms": 0, "settings": {}}),
    (
        "Winter Cup open rounds 7 until 2026-12-01 start 2026-12-03",
        "open",
        1,
        {
            "closes_ms": at("2026-12-01T23:59"),
            "starts_ms": at("2026-12-03T09:00"),
            "settings": {"rounds": "7"},
        },
    ),
    (
        'open Winter Cup sizes 4-6 wanted 5 policy "24h free 12h" start 3 Dec 18:30',
        "open",
        1,
        {
            "closes_ms": 0,
            "starts_ms": at("2026-12-03T18:30"),
            "settings": {"sizes": "4-6 wanted 5", "policy": "24h free 12h"},
        },
    ),
    ("set policy 24h free 12h days Mo-Fr", "set", None, {"settings": {"policy": "24h free 12h days Mo-Fr"}}),
    ("winter cup set points table 6/4/3/2/1", "set", 1, {"settings": {"points": "6/4/3/2/1"}}),
    (
        "set rounds 7 sizes 4-6 wanted 5 round days 10 policy 24h days Mo-Fr",
        "set",
        None,
        {"settings": {"rounds": "7", "sizes": "4-6 wanted 5", "days": "10", "policy": "24h days Mo-Fr"}},
    ),
    (
        'set policy "24h days Mo-Fr" rounds 7',
        "set",
        None,
        {"settings": {"policy": "24h days Mo-Fr", "rounds": "7"}},
    ),
    ("standings division 2 season 3", "standings", None, {"division": 2, "season": 3}),
    ("ranking div 2", "standings", None, {"division": 2, "season": 0}),
    ("schedule round 4", "schedule", None, {"division": 0, "season": 0, "round": 4}),
    ("table 12", "table", None, {"table": 12}),
    ("table #12", "table", None, {"table": 12}),
    ("player Ana Maria", "player", None, {"name": "Ana Maria", "why": ""}),
    ("export", "export", None, {"form": "csv", "sheet": "standings", "season": 0}),
    ("export results csv season 2", "export", None, {"form": "csv", "sheet": "results", "season": 2}),
    ("export json", "export", None, {"form": "json", "sheet": "standings", "season": 0}),
    ("admit Bea", "admit", None, {"name": "Bea", "why": ""}),
    ("admit telegram:123", "admit", None, {"name": "telegram:123", "why": ""}),
    ("remove Bea because she never answers", "remove", None, {"name": "Bea", "why": "she never answers"}),
    ("penalty Ana Maria 2", "penalty", None, {"name": "Ana Maria", "points": "2", "why": ""}),
    ("penalty Ana 1,5 points because late", "penalty", None, {"name": "Ana", "points": "1.5", "why": "late"}),
    ("penalty Ana -1", "penalty", None, {"name": "Ana", "points": "-1", "why": ""}),
    ('penalty "R2 D2" 3', "penalty", None, {"name": "R2 D2", "points": "3", "why": ""}),
    ("bye Ana round 3", "bye", None, {"name": "Ana", "round": 3}),
    ("bye Ana", "bye", None, {"name": "Ana", "round": 0}),
    ("void season because of snow", "void", None, {"what": "season", "table": 0, "why": "of snow"}),
    ("void table 12", "void", None, {"what": "table", "table": 12, "why": ""}),
    ("replay 12", "replay", None, {"table": 12}),
    (
        "rule table 12 by scores",
        "rule",
        None,
        {"table": 12, "order": [], "scores": True, "forfeit": False, "why": ""},
    ),
    (
        "rule table 12 forfeit Ana, Bea because they never came",
        "rule",
        None,
        {
            "table": 12,
            "order": ["Ana", "Bea"],
            "scores": False,
            "forfeit": True,
            "why": "they never came",
        },
    ),
    (
        "rule 12 Ana, Bea Maria, Cy because of the vote",
        "rule",
        None,
        {
            "table": 12,
            "order": ["Ana", "Bea Maria", "Cy"],
            "scores": False,
            "forfeit": False,
            "why": "of the vote",
        },
    ),
    (
        "substitute table 12 Ana Maria by Bea",
        "substitute",
        None,
        {"table": 12, "out": "Ana Maria", "into": "Bea"},
    ),
    (
        "postpone round 3 until 20 Dec",
        "postpone",
        None,
        {**NO_DATE, "round": 3, "until_ms": at("2026-12-20T23:59"), "day": True},
    ),
    ("delay by 3 days", "postpone", None, {**NO_DATE, "hours": 72.0}),
    ("yes", "yes", None, {}),
    ("extend table 12", "extend", None, {"table": 12, "until_ms": 0, "hours": 0.0}),
    ("extend 12 by 5 days", "extend", None, {"table": 12, "until_ms": 0, "hours": 120.0}),
    ("postpone tomorrow 18:00", "postpone", None, {**NO_DATE, "until_ms": at("2026-11-24T18:00")}),
    ("postpone until Sunday", "postpone", None, {**NO_DATE, "until_ms": at("2026-11-29T23:59"), "day": True}),
    ("postpone in 10 days", "postpone", None, {**NO_DATE, "until_ms": NOW + 240 * 3_600_000}),
    ("postpone 1.2.", "postpone", None, {**NO_DATE, "until_ms": at("2027-02-01T23:59"), "day": True}),
    ("postpone Dec 1 2027 9am", "postpone", None, {**NO_DATE, "until_ms": at("2027-12-01T09:00")}),
    ("postpone 2026-12-01T20:15", "postpone", None, {**NO_DATE, "until_ms": at("2026-12-01T20:15")}),
    ("role Ana Maria director", "role", None, {"name": "Ana Maria", "role": "director"}),
    ("make Bea".replace("make", "role") + " none", "role", None, {"name": "Bea", "role": ""}),
    ("role director Ana Maria", "role", None, {"name": "Ana Maria", "role": "director"}),
    ("winter cup rename Spring Cup", "rename", 1, {"name": "Spring Cup"}),
    ("room here", "room", None, {"on": True}),
    ("room off", "room", None, {"on": False}),
    ("announce hello; all “of you”", "announce", None, {"text": "hello; all “of you”"}),
    ("announce Winter Cup hello", "announce", 1, {"text": "hello"}),
    ("announce " + "so " * 120 + "long", "announce", None, {"text": "so " * 120 + "long"}),
    ("announce one\ntwo", "announce", None, {"text": "one two"}),
    ("second", "second", None, {"number": 0}),
    ("second 12", "second", None, {"number": 12}),
    ("refuse 12", "refuse", None, {"number": 12}),
    ("audit 50", "audit", None, {"number": 50}),
    ("close", "close", None, {}),
    ("help", "help", None, {}),
    ("?", "help", None, {}),
    ("help season", "help", None, {"topic": "season"}),
    ("help organisers", "help", None, {"topic": "office"}),
]

TROUBLED: list[tuple[str, str, dict[str, Any]]] = [
    ("Wintr Cup join", "league-unknown", {"name": "Wintr Cup", "near": ["Winter Cup"]}),
    ("join Opn Cup", "league-unknown", {"near": ["Open Cup"]}),
    ("join Winter", "league-which", {"names": ["Winter Cup", "Winterling"], "act": "join"}),
    ("winter", "league-which", {"names": ["Winter Cup", "Winterling"]}),
    ("standigs", "league-word", {"near": ["league standings"]}),
    ("winter cup standigs", "league-word", {"word": "standigs", "near": ["league standings"]}),
    ("winter cup xyzzy", "league-word", {"word": "xyzzy", "near": []}),
    ("<b>x</b>", "league-unknown", {"name": "<b>x</b>", "near": []}),
    ("rounds 7 open Winter Cup", "league-turned", {"near": ['league "Winter Cup" open rounds 7']}),
    (
        "division 2 standings winter cup",
        "league-turned",
        {"near": ['league "Winter Cup" standings division 2']},
    ),
    ("points 5/3/1", "league-turned", {"near": ["league set points 5/3/1"]}),
    ("winter cup round days 7", "league-turned", {"near": ['league "Winter Cup" set round days 7']}),
    ("settings points 5/3/1", "league-turned", {"near": ["league set points 5/3/1"]}),
    ("make Bea director", "league-unknown", {}),
    ("until 1 Dec open", "league-turned", {"near": ["league open until 1 Dec"]}),
    ("open until 2020-01-01", "league-past", {"word": "2020-01-01"}),
    ("open until soon", "league-date", {"word": "soon"}),
    ("open until 31 Feb", "league-date", {}),
    ("open until", "league-date", {}),
    ("postpone round 3 until today 9:00", "league-past", {}),
    ("postpone", "missing", {}),
    ("postpone by many", "unknown-word", {"word": "many"}),
    ("postpone until 1 Dec please", "unknown-word", {"word": "please"}),
    ("open roundss 7", "unknown-word", {"word": "roundss", "expected": ("rounds",)}),
    ("open rounds", "missing", {}),
    ("set", "missing", {}),
    ("set rounds", "missing", {}),
    ("set colour blue", "unknown-word", {"word": "colour"}),
    ("new", "missing", {}),
    ("penalty Ana", "missing", {}),
    ("penalty 2", "missing", {}),
    ("penalty Ana many", "missing", {}),
    ("remove", "missing", {}),
    ("table", "missing", {}),
    ("table x", "unknown-word", {}),
    ("rule table 3", "missing", {}),
    ("substitute table 3 Ana", "missing", {}),
    ("void", "missing", {}),
    ("role Ana king", "unknown-word", {"word": "king"}),
    ("role Ana", "missing", {}),
    ("role", "missing", {}),
    ("standings division", "unknown-word", {"word": "division"}),
    ("standings upside", "unknown-word", {"word": "upside"}),
    ("export pdf", "unknown-word", {"word": "pdf"}),
    ("room", "missing", {}),
    ("room there", "unknown-word", {}),
    ("announce", "missing", {}),
    ("announce " + "x" * 1001, "talk-long", {"most": 1000}),
    ("second x", "unknown-word", {"word": "x"}),
    ("standings\ndraw", "command-alone", {"command": "league"}),
    ('"', "league-unknown", {}),
    ("open rounds", "missing", {}),
    ("“”", "league-unknown", {}),
    ("x" * 5000, "league-unknown", {}),
    ("bye Ana round", "missing", {}),
    ("bye", "missing", {}),
]


@pytest.mark.parametrize(
    ("text", "act", "league", "args"), UNDERSTOOD, ids=lambda v: v if isinstance(v, str) else None
)
def test_what_is_understood(text: str, act: str, league: int | None, args: dict[str, Any]) -> None:
    found = read(text)
    assert isinstance(found, Intent), found
    assert dict(found.args) == {"act": act, "league": league, **args}


@pytest.mark.parametrize(
    ("text", "code", "facts"), TROUBLED, ids=lambda v: v[:40] if isinstance(v, str) else None
)
def test_what_is_not(text: str, code: str, facts: dict[str, Any]) -> None:
    found = read(text)
    assert isinstance(found, NotUnderstood), found
    assert found.code == code
    assert facts.items() <= dict(found.facts).items()
    said = Words(strict=True).phrase(found.code, "en", **found.facts)
    assert len(said) < 400
    assert "None" not in said


def test_every_act_has_its_words_its_role_and_its_function() -> None:
    acts = set(lexicon("en").keys("leagues"))
    done = set(questions.PAGES) | set(dispatch.ACTS) | set(dispatch.BY_KEYS) | {"new", "report"}
    assert acts == set(ARGS) == set(roles.MAY) == done
    words = Words(strict=True)
    assert set(dispatch.ACTS) | {"new", "refuse"} <= {
        code.removeprefix("league-did-")
        for code in words.codes("en", "leagues")
        if code.startswith("league-did-")
    }
    assert set(dispatch.ACTS) | {
        "new",
        "propose",
        "refuse",
        "lapse",
        "seconded",
        "unreadable",
    } | log.BY_ITSELF == set(words.codes("en", "league_acts"))
    assert set(announcements.NEWS) >= log.BY_ITSELF
    for act in acts:
        about = lexicon("en").entry("leagues", act)
        assert about["usage"].startswith("league")
        assert about["text"]
        assert (about.get("topic") in ("season", "office", "moderation")) == bool(roles.MAY[act]), act


def test_what_help_says_is_understood() -> None:
    """The usage of each act is read as that act, the brackets left out and filled in."""
    for act in lexicon("en").keys("leagues"):
        usage = (
            str(lexicon("en").entry("leagues", act)["usage"]).removeprefix("league").replace("…", "of that")
        )
        for text in (
            usage.split("[")[0] if usage.endswith("]") else usage.replace("[round 3]", ""),
            usage.replace("[", "")
            .replace("]", "")
            .replace("csv|json", "csv")
            .replace("standings|results|schedule", "results"),
        ):
            found = read(text.strip())
            assert isinstance(found, Intent), (text, found)
            assert found.args["act"] == act


def test_every_setting_is_told_and_typed() -> None:
    from referee.service.league.settings import KEYS

    words = Words(strict=True)
    assert (
        set(KEYS) == set(lexicon("en").table("league_settings")) == set(words.codes("en", "league_settings"))
    )
    for key in KEYS:
        found = read(f"set {key} x")
        assert isinstance(found, Intent), found
        assert found.args["settings"] == {key: "x"}


@pytest.mark.parametrize("name", ["Open", "join", "Winter Cup standings", "new", "7 Cups", "set"])
def test_a_league_that_is_called_like_an_act(name: str) -> None:
    asking_ = LeagueReading(Reading("en"), NOW, "UTC", {1: name, 2: "Other"})
    for text in (f'"{name}" join', f"{name} join"):
        found = read_league(text, asking_)
        assert isinstance(found, Intent), found
        assert dict(found.args) == {"act": "join", "league": 1}


def test_whatever_is_typed_is_read_or_answered() -> None:
    """Words of the office, names, numbers and rubbish in any order: never an error, always a sentence, and
    what is read names a league that there is.
    """
    dice, words, lex = random.Random(5), Words(strict=True), lexicon("en")
    pool = [spelling for act in lex.keys("leagues") for spelling in lex.spellings("leagues", act)]
    pool += [spelling for key, others in lex.table("league_words").items() for spelling in (key, *others)]
    pool += [
        *lex.table("league_settings"),
        "Winter",
        "Cup",
        "Open",
        '"Winter Cup"',
        "“",
        '"',
        "🏰🏰",
        "دوري",
        "12",
        "#2",
        "#99",
        "-1",
        "1.5",
        "0",
        "2026-12-01",
        "31.2.",
        "1 Dec",
        "Dec",
        "24h",
        "3 days",
        "Sunday",
        "25:00",
        "2026-13-45T99:99",
        "Ana",
        "Ana,",
        ";",
        "<b>",
        "{{ 7*7 }}",
        "\x00",
        "\u202e",
        "é" * 300,
        "99999999999",
        "²",
        "٣",
        "none",
        "by",
        "because",
    ]
    seen: set[str] = set()
    for _ in range(2000):
        text = " ".join(dice.choice(pool) for _ in range(dice.randrange(0, 9)))
        found = read(text)
        if isinstance(found, Intent):
            seen.add(str(found.args["act"]))
            assert found.args["league"] is None or found.args["league"] in ASKING.leagues, text
            for key in ("closes_ms", "starts_ms", "until_ms"):
                assert not found.args.get(key) or found.args[key] > NOW, text
        else:
            said = words.phrase(found.code, "en", **found.facts)
            assert 10 < len(said) < 900, (text, said)
    assert len(seen) > 25
