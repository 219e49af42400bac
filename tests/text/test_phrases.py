"""Sentences: every code has one, and it reads from the reader's side of the table."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from referee.rules import EVENTS
from referee.rules.facts import REFUSALS, SETUP_ERRORS, Figures, Move
from referee.text import TROUBLES, Option, Words, options
from referee.text.rendering.phrases import SPOKEN
from tests.text.facts import NAMES, facts, sentence
from tests.text.notices import NOTICES
from tests.text.samples import frozen, game, told

WORDS = Words(strict=True)


@pytest.mark.parametrize("code", REFUSALS)
def test_refusals(code: str) -> None:
    sentence(WORDS.phrase(code, "en", **{"me_seat": 0, "me": 0, "names": NAMES, **facts(REFUSALS[code])}))


@pytest.mark.parametrize("code", SETUP_ERRORS)
def test_setup(code: str) -> None:
    sentence(
        WORDS.phrase(
            code, "en", **facts(SETUP_ERRORS[code]) | ({"players": 9} if code == "player-count" else {})
        )
    )


WHYS: list[tuple[str, dict[str, Any], str]] = [
    (
        "cast",
        {"why": "unknown", "name": "Gandalf", "edition": "deluxe", "known": []},
        "Gandalf is no character of the deluxe edition. “rules” and a name tells about a card.",
    ),
    (
        "cast",
        {"why": "twice", "name": "King", "rank": 4, "other": "King"},
        "King is named twice; a cast has one character of each rank.",
    ),
    (
        "cast",
        {"why": "rank", "name": "Emperor", "rank": 4, "other": "King"},
        "King and Emperor are both of rank 4; a cast has one character of each rank: leave one of them out.",
    ),
    (
        "cast",
        {"why": "missing", "name": "", "rank": 1, "players": 4, "choices": ["Assassin", "Witch"]},
        "The cast has nobody of rank 1: name Assassin or Witch too.",
    ),
    (
        "cast",
        {"why": "ninth-needed", "name": "", "rank": 9, "players": 3, "choices": ["Artist"]},
        "With 3 players nine characters are played with: name Artist for rank 9.",
    ),
    (
        "cast",
        {"why": "ninth-refused", "name": "Queen", "players": 2},
        "Queen is of rank 9, and with 2 players there is no rank 9 in this edition: leave it out.",
    ),
    (
        "cast",
        {"why": "ninth-refused", "name": "", "players": 2},
        "With 2 players there is no rank 9 in this edition: leave it out.",
    ),
    (
        "cast",
        {"why": "players", "name": "Queen", "players": 4, "least": 5, "choices": ["Artist", "Tax Collector"]},
        "Queen plays only from 5 players up; with 4 take Artist or Tax Collector.",
    ),
    (
        "uniques",
        {"why": "unknown", "name": "Moat", "edition": "deluxe", "known": []},
        "Moat is no unique district of the deluxe edition. “rules” and a name tells about a card.",
    ),
    (
        "uniques",
        {"why": "unknown", "name": "University", "edition": "deluxe", "known": []},
        (
            "University is no unique district of the deluxe edition, but one of the classic or original "
            "edition. “rules” and a name tells about a card."
        ),
    ),
    (
        "uniques",
        {"why": "twice", "name": "Keep"},
        "Keep is named twice; there is one of each unique district.",
    ),
    (
        "uniques",
        {"why": "size", "name": "", "count": 13, "wanted": 14},
        "13 unique districts are named; it takes 14: add 1.",
    ),
    (
        "uniques",
        {"why": "size", "name": "", "count": 15, "wanted": 14},
        "15 unique districts are named; it takes 14: leave 1 out.",
    ),
    (
        "list",
        {"why": "list", "name": "random", "edition": "classic", "known": []},
        "The classic edition has no lists; “deluxe” has.",
    ),
    (
        "list",
        {"why": "list", "name": "Cunning Agents", "edition": "original", "known": ["Other Ones"]},
        "The original edition has no list “Cunning Agents”. It has Other Ones, and “random”.",
    ),
    (
        "list",
        {"why": "card", "name": "University", "edition": "deluxe", "known": []},
        "There is no University in the deluxe edition, but in the classic or original edition.",
    ),
]


@pytest.mark.parametrize(("code", "facts", "said"), WHYS)
def test_why_a_table_is_not_set_up(code: str, facts: dict[str, Any], said: str) -> None:
    assert WORDS.phrase(code, "en", **facts) == said
    sentence(said)


@pytest.mark.parametrize("code", TROUBLES)
def test_troubles(code: str) -> None:
    sentence(WORDS.phrase(code, "en", **facts(TROUBLES[code])))


@pytest.mark.parametrize("code", NOTICES)
def test_notices(code: str) -> None:
    sentence(WORDS.phrase(code, "en", **facts(NOTICES[code])))
    bare = {
        key: value
        for key, value in facts(NOTICES[code]).items()
        if key not in ("why", "missing", "name", "channels") or code in NEEDY
    }
    sentence(WORDS.phrase(code, "en", **bare))


NEEDY = {
    "rematch-offered",
    "press-start-first",
    "help-in-private",
    "name-taken",
    "name-noted",
    "talk-told",
    "talk-aside",
    "talk-bot",
    "talk-whisper-to",
    "talk-nothing",
    "muted",
    "unmuted",
    "no-such-player",
    "seat-is-empty",
    "seat-is-bot",
    "seat-is-ready",
    "seat-changed",
    "left-out",
    "leave-out",
    "gathers-anew",
}


@pytest.mark.parametrize("name", EVENTS)
def test_events_from_every_side(name: str) -> None:
    full = facts(EVENTS[name])
    private = EVENTS[name].startswith("private")
    said = {me: WORDS.event(name, full, "en", NAMES, me) for me in (None, 0, 1, 2)}
    assert any(said.values())
    for me, text in said.items():
        if text:
            sentence(text)
        if me is None and not private:
            assert "you" not in text.lower()
        if me == 1 and "seat" in full and text and name != "called":
            assert "you" in text.lower(), text
            assert "Bea" not in text


def test_every_event_of_real_games_is_told() -> None:
    names: set[str] = set()
    for moment in game(5, 11, bot="random"):
        last = moment
    for seat in (None, 0, 3):
        for event in told(last, seat, 10_000):
            names.add(event["name"])
            text = WORDS.event(event["name"], event["facts"], "en", last.names, seat)
            if text:
                sentence(text)
    assert len(names) >= 20


def test_the_codes_are_the_contracts() -> None:
    assert WORDS.codes("en", "refusals") == set(REFUSALS)
    assert WORDS.codes("en", "setup") == set(SETUP_ERRORS)
    assert WORDS.codes("en", "troubles") == set(TROUBLES)
    assert WORDS.codes("en", "events") >= set(EVENTS)  # the service tells some of its own
    assert set(NOTICES) <= WORDS.codes("en", "notices")


def test_no_code_is_spoken_twice() -> None:
    every = [code for table in SPOKEN for code in WORDS.codes("en", table)]
    assert every
    assert len(every) == len(set(every))


def test_a_missing_sentence_does_not_stop_a_game(caplog: pytest.LogCaptureFixture) -> None:
    words = Words()
    assert words.phrase("never-heard-of", "en", x=1) == "That is not possible now (never-heard-of)."
    assert words.phrase("too-poor", "en") == "That is not possible now (too-poor)."
    assert len(caplog.records) == 2
    with pytest.raises(KeyError):
        WORDS.phrase("never-heard-of", "en")
    said = words.letter("alert", "en", "text", {"code": "something-new", "facts": {"count": 3}})
    assert said.text == "For the admin: something-new: count 3"


def test_one_sentence_in_full() -> None:
    assert WORDS.phrase("too-poor", "en", price=5, gold=2) == (
        "That costs 5 gold, and you have 2. Take gold (“gold”) when you gather, or build something cheaper."
    )
    assert WORDS.phrase("not-asked", "en", seat=0, waiting=[1, 2], names=NAMES) == (
        "It is not your turn: the table waits for Bea and Cy. You will be asked; "
        "“status” shows the table, “plan” files your answer ahead."
    )
    assert WORDS.phrase("no-target", "en", target="King", why="self") == (
        "King cannot be chosen here: that would be you. Choose somebody or something else: "
        "“hand” shows what is possible."
    )
    assert (
        WORDS.event("robbed", {"seat": 0, "victim": 1, "gold": 4}, "en", NAMES, 1)
        == "Ana took 4 gold from you, robbed."
    )
    assert (
        WORDS.event("destroyed", {"seat": 0, "victim": 1, "district": "Keep", "paid": 2}, "en", NAMES, 1)
        == "Ana destroyed your Keep for 2 gold."
    )
    assert (
        WORDS.event("destroyed", {"seat": 0, "victim": 1, "district": "Keep", "paid": 0}, "en", NAMES, 2)
        == "Ana destroyed Bea's Keep."
    )


def test_labels() -> None:
    view = frozen()["warlord"].view
    offered = options(view["ask"], view)
    labels = [WORDS.label(o, "en", view) for o in offered]
    assert labels[0] == "Take 2 gold"
    assert "Destroy Cy's Watchtower for free" in labels
    assert len(set(labels)) == len(labels)
    assert WORDS.label(Move("gold"), "en", view) == WORDS.label("gold", "en") == "Take gold"
    assert WORDS.label("build Market", "en") == "Build Market"
    assert WORDS.label("end", "en") == "End turn"
    magician = frozen()["magician"].view
    family: Option = options(magician["ask"], magician)[-1]
    assert WORDS.label(family, "en", magician) == "Redraw cards …"
    assert (
        WORDS.label(Move("exchange", ("Temple", "for", 1, "Market")), "en", view)
        == "Exchange Temple for your Market"
    )
    assert (
        WORDS.mailto("build Town Hall", "Re: [#17]")
        == "mailto:{reply_to}?subject=Re%3A%20%5B%2317%5D&body=build%20Town%20Hall"
    )


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_a_label_that_is_too_long_has_whole_words_and_numbers(language: str) -> None:
    names = ("Ana", "Bea Carvalho", "Maximiliano Fernandez Gu")
    view: dict[str, Any] = {"you": 0, "players": [{"name": one} for one in names]}
    mine = "Haunted Quarter", "Watchtower", "Prison"
    theirs = "Trading Post", "Imperial Treasury", "Town Hall"
    shortened = 0
    for seat, given, taken, price in product((1, 2), mine, theirs, (1, 12)):
        move = Move("exchange", (given, "for", seat, taken))
        said = WORDS.label(Option(1, move, "", figures=Figures(price=price)), language, view)
        head, dots, tail = said.partition(" … ")
        whole = WORDS.phrase("labels.exchange", language, a=move.args, price=price, names=names)
        assert len(said) <= 60
        assert whole.startswith(f"{head} " if dots else head)
        assert whole.endswith(f" {tail}" if dots else tail)
        shortened += bool(dots)
    assert shortened


def test_an_admins_folder_goes_first(tmp_path: Path) -> None:
    (tmp_path / "en" / "letters").mkdir(parents=True)
    (tmp_path / "en" / "phrases.toml").write_text('[notices]\nfrozen = "The elves are looking into it."\n')
    (tmp_path / "en" / "letters" / "undone.j2").write_text(
        "{% block subject %}S{% endblock %}{% block body %}{{ c.b('Oh: ' ~ name) }}{% endblock %}"
    )
    words = Words([tmp_path], strict=True)
    assert words.phrase("frozen", "en") == "The elves are looking into it."
    assert words.phrase("empty", "en") == WORDS.phrase("empty", "en")
    said = words.letter("undone", "en", "matrix", {"name": "<Bea>"})
    assert (said.subject, said.text, said.markup) == ("S", "Oh: <Bea>", "<strong>Oh: &lt;Bea&gt;</strong>")
    assert words.letter("toast", "en", "text", {"notices": []}).text == ""


def test_a_language_is_one_folder(tmp_path: Path) -> None:
    """Another language needs no code: a copy of the folder with its own words."""
    import shutil

    from referee.text import Reading, read_intent, read_order
    from referee.text.folders import shipped

    shutil.copytree(shipped() / "en", tmp_path / "pt_BR")
    path = tmp_path / "pt_BR" / "lexicon.toml"
    path.write_text(
        path.read_text()
        .replace("[districts.Market]\n", '[districts.Market]\nname = "Mercado"\n')
        .replace("[verbs.build]\naliases = [", '[verbs.build]\naliases = ["construir", ')
        .replace("[commands.hand]\naliases = [", '[commands.hand]\naliases = ["mão", ')
    )
    words = Words([tmp_path], strict=True)
    assert words.languages == ("en", "pt_BR")
    assert words.language("pt-br") == "pt_BR"
    assert words.language("pt") == "pt_BR"
    assert (
        words.event("built", {"seat": 0, "district": "Market", "paid": 0}, "pt_BR", ["Ana"], None)
        == "Ana built Mercado."
    )
    at = Reading(language="pt_BR", own=words.own)
    for typed in ("construir Mercado", "build Market", "CONSTRUIR mercado", "construir merc"):
        assert read_order(typed, at) == Move("build", ("Market",))
    intent = read_intent("mao", at, private=True)
    assert intent.kind == "hand"  # type: ignore[union-attr]  # a Trouble would fail here as it should


@pytest.mark.parametrize(
    ("language", "anywhere", "somewhere"),
    [
        ("en", "by the time of UTC.", "by the time of Lisbon (Europe/Lisbon)."),
        ("pt_BR", "pelo horário de UTC.", "pelo horário de Lisboa (Europe/Lisbon)."),
    ],
)
def test_a_zone_that_is_called_as_it_is_typed_stands_once(
    language: str, anywhere: str, somewhere: str
) -> None:
    for zone, said in (("UTC", anywhere), ("Europe/Lisbon", somewhere)):
        assert Words(strict=True).phrase("policy.days", language, days="", zone=zone).endswith(said)


@pytest.mark.parametrize(
    ("days", "left", "said", "dito"),
    [
        (1, 0.5, "That is 1 day, and you have 0.5 left.", "É 1 dia, e você só tem 0,5."),
        (1.5, 1, "1 left: “vacation 1 day” takes it.", "só tem 1: “férias 1 dia” usa esse."),
        (
            9,
            2.5,
            "That is 9 days, and you have 2.5 left: “vacation 2 days” takes them.",
            "“férias 2 dias” usa todos.",
        ),
    ],
)
def test_one_day_of_vacation_is_one(days: float, left: float, said: str, dito: str) -> None:
    assert said in WORDS.phrase("vacation-long", "en", days=days, left=left)
    assert dito in WORDS.phrase("vacation-long", "pt_BR", days=days, left=left)
