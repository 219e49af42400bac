"""One order as people type it: what it means, or why it means nothing."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import Setup, rulebook
from referee.rules.facts import Move
from referee.text import TROUBLES, Cards, Reading, Trouble, Words, options, read_order

NAMES = ("Ana", "Bea", "Cy", "Ann-Marie O'Neil")

TURN: dict[str, Any] = {
    "kind": "turn",
    "number": 7,
    "moves": [
        ["gold", []],
        ["cards", []],
        ["income", []],
        ["build", ["Market"]],
        ["build", ["Trading Post"]],
        ["build", ["School of Magic"]],
        ["build", ["Town Hall"]],
        ["laboratory", ["Market"]],
        ["laboratory", ["Temple"]],
        ["smithy", []],
        ["end", []],
    ],
    "families": [],
}
WARLORD: dict[str, Any] = {
    "kind": "turn",
    "number": 8,
    "moves": [
        ["destroy", [0, "Temple"]],
        ["destroy", [1, "Temple"]],
        ["destroy", [1, "Market"]],
        ["destroy", [3, "Great Wall"]],
        ["end", []],
    ],
    "families": [],
}
MAGICIAN: dict[str, Any] = {
    "kind": "turn",
    "number": 9,
    "moves": [["gold", []], ["cards", []], ["swap", [1]], ["swap", [2]], ["swap", [3]]],
    "families": [["redraw", ["Temple", "Market", "Temple", "Town Hall"], 1, 4, [], False]],
}
ARCHITECT: dict[str, Any] = {
    "kind": "turn",
    "number": 10,
    "moves": [["gold", []], ["cards", []], ["draw", []]],
    "families": [],
}
MERCHANT: dict[str, Any] = {
    "kind": "turn",
    "number": 11,
    "moves": [["gold", []], ["cards", []], ["bonus", []]],
    "families": [],
}
PICK: dict[str, Any] = {
    "kind": "pick",
    "number": 1,
    "moves": [["pick", [c]] for c in ("Assassin", "King", "Merchant", "Architect")],
    "families": [],
}
KEEP: dict[str, Any] = {
    "kind": "keep",
    "number": 2,
    "moves": [["keep", [["Keep"]]], ["keep", [["Temple"]]]],
    "families": [],
}
KILL: dict[str, Any] = {
    "kind": "turn",
    "number": 3,
    "moves": [["kill", [c]] for c in ("Thief", "Magician", "Merchant", "Bishop")] + [["gold", []]],
    "families": [],
}
ROB: dict[str, Any] = {
    "kind": "turn",
    "number": 3,
    "moves": [["rob", [c]] for c in ("King", "Bishop", "Warlord")],
    "families": [],
}
GRAVE: dict[str, Any] = {
    "kind": "graveyard",
    "number": 4,
    "moves": [["buy", []], ["pass", []]],
    "families": [],
}

READ: list[tuple[dict[str, Any] | None, str, Move]] = [
    # canonical, any case, fillers, ends
    *(
        (TURN, t, Move("gold"))
        for t in (
            "gold",
            "GOLD",
            " Gold ",
            "gold.",
            "gold!",
            "take gold",
            "take the gold",
            "2 gold",
            "2 Gold",
            "two gold",
            "take 2 gold",
            "gather gold",
            "1",
            "#1",
            "1.",
            "option 1",
            "Option 1",
            "number 1",
            "g",
            "please take gold",
            "coins",
            "gold please",
            "1. gold",
            "1) Take gold",
            "1. Take gold",
        )
    ),
    *(
        (TURN, t, Move("cards"))
        for t in (
            "cards",
            "draw",
            "draw cards",
            "take cards",
            "2 cards",
            "draw 2 cards",
            "Draw two cards",
            "c",
            "2",
        )
    ),
    *(
        (TURN, t, Move("income"))
        for t in ("income", "INCOME", "take income", "collect income", "taxes", "inc", "3")
    ),
    *(
        (TURN, t, Move("end"))
        for t in ("end", "done", "end turn", "end my turn", "End the turn", "11", "e", "that's all")
    ),
    # names of cards: unaccented, joined, hyphens, initials, beginnings, "the"
    *(
        (TURN, t, Move("build", ("Trading Post",)))
        for t in (
            "build Trading Post",
            "build trading post",
            "BUILD TRADING POST",
            "build TradingPost",
            "build trading-post",
            "build the Trading Post",
            "build tp",
            "build TP",
            "build tr",
            "build trad",
            "build trading",
            "build trading p",
            "build t post",
            "b tp",
            "construct trading post",
            "build Tráding Póst",
            "build  trading   post ",
            "play tp",
            "Build the trading-post.",
            "5",
            "build Trading Post (2)",
            "5. Build Trading Post (2)",
            "bui trading post",
            "build ｔｒａｄｉｎｇ ｐｏｓｔ",
        )
    ),
    *(
        (TURN, t, Move("build", ("School of Magic",)))
        for t in (
            "build School of Magic",
            "build school",
            "build som",
            "build sm",
            "build magic school",
            "build school magic",
            "build s",
            "build sch of mag",
            "6",
        )
    ),
    *(
        (TURN, t, Move("build", ("Town Hall",)))
        for t in ("build Town Hall", "build th", "build townhall", "build tow", "build town-hall", "7")
    ),
    *(
        (TURN, t, Move("build", ("Market",)))
        for t in ("build Market", "build m", "build mark", "build THE market", "build “Market”", "4")
    ),
    *(
        (TURN, t, Move("laboratory", ("Market",)))
        for t in (
            "laboratory Market",
            "lab market",
            "use lab market",
            "laboratory discard Market",
            "lab m",
            "8",
        )
    ),
    *(
        (TURN, t, Move("laboratory", ("Temple",)))
        for t in ("laboratory Temple", "lab te", "LAB TEMPLE", "laboratory: Temple")
    ),
    *((TURN, t, Move("smithy")) for t in ("smithy", "use smithy", "use the Smithy", "forge", "10")),
    # players: exact, possessive, either order, by seat, awkward names
    *(
        (WARLORD, t, Move("destroy", (1, "Market")))
        for t in (
            "destroy Bea Market",
            "destroy bea market",
            "destroy Bea's Market",
            "destroy Bea’s Market",
            "destroy Beas market",
            "destroy market of Bea",
            "destroy Market from Bea",
            "destroy Market in Bea's",
            "destroy Market Bea",
            "destroy Market",
            "destroy the market",
            "burn bea m",
            "demolish b market",
            "dest bea mar",
            "destroy seat 2 market",
            "destroy Bea: Market",
            "destroy Bea, Market",
            "destroy player 2 Market",
            "3",
        )
    ),
    *(
        (WARLORD, t, Move("destroy", (0, "Temple")))
        for t in (
            "destroy Ana Temple",
            "destroy ana's temple",
            "destroy temple of ana",
            "destroy ana t",
            "destroy an temple",
            "1",
        )
    ),
    *(
        (WARLORD, t, Move("destroy", (3, "Great Wall")))
        for t in (
            "destroy Ann-Marie O'Neil Great Wall",
            "destroy ann marie oneil wall",
            "destroy ANN MARIE O’NEIL the great wall",
            "destroy great wall",
            "destroy gw",
            "destroy wall",
            "destroy annmarie gr wall",
            "destroy amo great wall",
            "destroy Ann-Marie O'Neil's Great Wall",
        )
    ),
    # the Magician
    *(
        (MAGICIAN, t, Move("swap", (1,)))
        for t in (
            "swap Bea",
            "swap with Bea",
            "swap hands with Bea",
            "exchange hands with bea",
            "swap b",
            "swap seat 2",
            "3",
        )
    ),
    *(
        (MAGICIAN, t, Move("swap", (3,)))
        for t in (
            "swap Ann-Marie O'Neil",
            "swap ann marie oneil",
            "swap annm",
            "swap AMO",
            "swap with the Ann",
        )
    ),
    *(
        (MAGICIAN, t, Move("redraw", (("Temple", "Market"),)))
        for t in (
            "redraw Temple, Market",
            "redraw temple market",
            "redraw temple and market",
            "redraw temple, and market",
            "redraw te, m",
            "discard temple, market",
            "replace temple & market",
            "redraw Temple,Market",
            "redraw the temple, the market",
        )
    ),
    (
        MAGICIAN,
        "redraw Market, Temple",
        Move("redraw", (("Market", "Temple"),)),
    ),  # the order named is the order under the deck
    (MAGICIAN, "redraw temple temple th", Move("redraw", (("Temple", "Temple", "Town Hall"),))),
    (MAGICIAN, "redraw town hall", Move("redraw", (("Town Hall",),))),
    (MAGICIAN, "draw", Move("cards")),
    # "draw" is the Architect's own word where he may use it, and a way to say "cards" elsewhere
    *((ARCHITECT, t, Move("draw")) for t in ("draw", "extra cards", "draw extra cards", "3")),
    *((ARCHITECT, t, Move("cards")) for t in ("cards", "draw cards", "draw 2 cards", "2 cards")),
    *((MERCHANT, t, Move("bonus")) for t in ("bonus", "extra gold", "1 gold", "take 1 gold", "bonus gold")),
    (MERCHANT, "draw", Move("cards")),
    (MERCHANT, "2 gold", Move("gold")),
    # picking, with or without the verb
    *(
        (PICK, t, Move("pick", ("King",)))
        for t in (
            "pick King",
            "king",
            "the King",
            "KING",
            "choose king",
            "I pick the King",
            "k",
            "2",
            "pick k",
            "be king",
        )
    ),
    *((PICK, t, Move("pick", ("Architect",))) for t in ("arch", "pick archi", "architect.", "4")),
    *((KEEP, t, Move("keep", (("Keep",),))) for t in ("keep Keep", "keep the keep", "keep k", "1")),
    *((KEEP, t, Move("keep", (("Temple",),))) for t in ("keep Temple", "temple", "hold temple", "2")),
    *(
        (KILL, t, Move("kill", ("Thief",)))
        for t in ("kill Thief", "assassinate the thief", "murder thief", "kill t", "assa thief", "kill th")
    ),
    *((KILL, t, Move("kill", ("Merchant",))) for t in ("kill Merchant", "kill mer", "assassinate merch")),
    *(
        (ROB, t, Move("rob", ("King",)))
        for t in ("rob King", "steal from the King", "steal king", "steal from k", "1")
    ),
    *((GRAVE, t, Move("buy")) for t in ("buy", "yes", "buy back", "1")),
    *((GRAVE, t, Move("pass")) for t in ("pass", "no", "skip", "decline", "no thanks", "2")),
    # not legal now, but understood: the engine says why not
    (TURN, "build Palace", Move("build", ("Palace",))),
    (TURN, "kill the King", Move("kill", ("King",))),
    (PICK, "pick Thief", Move("pick", ("Thief",))),
    (WARLORD, "destroy Cy Palace", Move("destroy", (2, "Palace"))),
    (None, "gold", Move("gold")),
    (None, "build cath", Move("build", ("Cathedral",))),
    (None, "destroy Bea Keep", Move("destroy", (1, "Keep"))),
    (None, "crown Cy gold", Move("crown", (2, "gold"))),
    (None, "income 2 gold 1 cards", Move("income", (2, "gold", 1, "cards"))),
    (
        None,
        "build Palace borrowing Bea giving Temple, Market",
        Move("build", ("Palace", "borrowing", 1, "giving", ("Temple", "Market"))),
    ),
    (
        None,
        "build Thieves' Den discarding temple, market",
        Move("build", ("Thieves' Den", "discarding", ("Temple", "Market"))),
    ),
    (None, "build Temple with Framework", Move("build", ("Temple", "with", "Framework"))),
    (None, "exchange Temple for Bea Market", Move("exchange", ("Temple", "for", 1, "Market"))),
    (None, "exchange King with Bea", Move("exchange", ("King", "with", 1))),
    (None, "spy Bea noble", Move("spy", (1, "noble"))),
    (None, "warrant King, Thief, Bishop", Move("warrant", (("King", "Thief", "Bishop"),))),
    (None, "give Temple to Cy", Move("give", ("Temple", "to", 2))),
    (None, "give Cy Temple", Move("give", ("Temple", "to", 2))),
    (None, "seize Bea Temple beautified", Move("seize", (1, "Temple beautified"))),
]

WRONG: list[tuple[dict[str, Any] | None, str, str, tuple[str, ...]]] = [
    # ask, what was typed, code, suggestions or candidates that must be among those offered
    (TURN, "", "unreadable", ()),
    (TURN, "???", "unreadable", ()),
    (TURN, "hello there", "unreadable", ()),
    (TURN, "I don't understand", "unreadable", ()),
    (TURN, "build", "incomplete", ("build Market",)),
    (TURN, "build t", "ambiguous", ("build Trading Post", "build Town Hall")),
    (TURN, "buld market", "unreadable", ("build Market",)),
    (TURN, "build markt", "unknown-name", ("build Market",)),
    (TURN, "build fortres of doom", "unknown-name", ()),
    (TURN, "12", "no-such-option", ()),
    (TURN, "0", "no-such-option", ()),
    (TURN, "99999", "unreadable", ()),
    (TURN, "3. gold", "ambiguous", ("income", "gold")),
    (TURN, "gold end", "unknown-name", ("gold",)),
    (TURN, "not gold", "unreadable", ("gold",)),
    (TURN, "don't build Market", "unreadable", ("build Market",)),
    (TURN, "gold or cards", "unknown-name", ()),
    (WARLORD, "destroy Temple", "ambiguous", ("destroy Ana Temple", "destroy Bea Temple")),
    (WARLORD, "destroy Zoe Market", "unknown-name", ("destroy Bea Market",)),
    (MAGICIAN, "4 temple", "unreadable", ()),
    (MAGICIAN, "6", "option-needs-cards", ("redraw Temple",)),
    (MAGICIAN, "swap", "incomplete", ("swap Bea",)),
    (PICK, "a", "ambiguous", ("pick Assassin", "pick Architect")),
    (PICK, "pick", "incomplete", ("pick King",)),
    (KILL, "kill m", "ambiguous", ("kill Magician", "kill Merchant")),
    (KILL, "kill", "incomplete", ("kill Thief",)),
    (None, "1", "no-options", ()),
    (None, "build t", "ambiguous", ()),
]


def reading(ask: dict[str, Any] | None, **other: Any) -> Reading:
    return Reading(names=NAMES, ask=ask, **other)


@pytest.mark.parametrize(("ask", "typed", "meant"), READ, ids=lambda v: v if isinstance(v, str) else None)
def test_is_read(ask: dict[str, Any] | None, typed: str, meant: Move) -> None:
    assert read_order(typed, reading(ask)) == meant


def test_there_are_many_cases() -> None:
    assert len(READ) + len(WRONG) >= 150


@pytest.mark.parametrize(
    ("ask", "typed", "code", "offered"), WRONG, ids=lambda v: v if isinstance(v, str) else None
)
def test_is_not_guessed(ask: dict[str, Any] | None, typed: str, code: str, offered: tuple[str, ...]) -> None:
    found = read_order(typed, reading(ask))
    assert isinstance(found, Trouble)
    assert found.code == code
    assert code in TROUBLES
    assert found.quote == " ".join(typed.split())
    assert set(offered) <= {*found.suggestions, *found.candidates}
    assert len(found.suggestions) <= 3


def test_options_are_numbered_as_the_reader_counts_them() -> None:
    view = {"players": [{"name": name} for name in NAMES]}
    for ask in (TURN, WARLORD, MAGICIAN, PICK, KEEP, GRAVE):
        offered = options(ask, view)
        assert [o.n for o in offered] == list(range(1, len(offered) + 1))
        for option in offered:
            found = read_order(str(option.n), reading(ask))
            if option.move is None:
                assert isinstance(found, Trouble)
                assert option.order_text.endswith("…")
            else:
                assert found == option.move
                assert read_order(option.order_text, reading(ask)) == option.move


def test_a_later_number_is_refused() -> None:
    found = read_order("2", reading(TURN, numbers=False))
    assert isinstance(found, Trouble)
    assert found.code == "number-later"


def test_an_exact_name_is_never_bent_into_a_longer_one() -> None:
    """An is at the table but can't be chosen; Ana can.  "An" must not become Ana."""
    ask = {"kind": "turn", "number": 1, "moves": [["swap", [1]]], "families": []}
    found = read_order("swap An", Reading(names=("An", "Ana"), ask=ask))
    assert found == Move("swap", (0,))


def test_names_that_are_cards() -> None:
    names = ("Market", "King", "Gold", "seat 1")
    ask = {
        "kind": "turn",
        "number": 1,
        "moves": [["destroy", [0, "Market"]], ["destroy", [1, "Market"]], ["crown", [2, "gold"]]],
        "families": [],
    }
    at = Reading(names=names, ask=ask)
    assert read_order("destroy Market Market", at) == Move("destroy", (0, "Market"))
    assert read_order("destroy King Market", at) == Move("destroy", (1, "Market"))
    assert read_order("crown Gold gold", at) == Move("crown", (2, "gold"))
    assert read_order("swap seat 1", at) == Move("swap", (3,))  # the name before the number of a seat


def test_two_players_of_nearly_one_name_are_ambiguous() -> None:
    at = Reading(
        names=("José", "Jose"),
        ask={"kind": "turn", "number": 1, "moves": [["swap", [0]], ["swap", [1]]], "families": []},
    )
    found = read_order("swap jose", at)
    assert isinstance(found, Trouble)
    assert found.code == "ambiguous"
    assert set(found.candidates) == {"swap José", "swap Jose"}


def test_a_name_of_signs_alone() -> None:
    names = ("🎲", "!!!", "Ana")
    ask = {
        "kind": "turn",
        "number": 1,
        "moves": [["swap", [0]], ["swap", [1]], ["swap", [2]]],
        "families": [],
    }
    at = Reading(names=names, ask=ask)
    assert read_order("swap 🎲", at) == Move("swap", (0,))
    assert read_order("swap seat 2", at) == Move("swap", (1,))


def test_only_the_cards_of_this_game_are_known() -> None:
    at = Reading(names=NAMES, ask=None, cards=Cards(("King", "Thief"), ("Temple", "Market")))
    assert read_order("build t", at) == Move("build", ("Temple",))
    found = read_order("build Statue", at)
    assert isinstance(found, Trouble)
    assert (found.code, found.facts["name"]) == ("absent", "Statue")


@pytest.mark.parametrize(
    ("line", "name", "instead", "said"),
    [
        (
            "kill Witch",
            "Witch",
            "Assassin",
            "Witch is not in this game: here Assassin has that rank. “rules Witch” tells more.",
        ),
        ("kill the queen", "Queen", "", "Queen is not in this game. “rules Queen” tells more."),
        (
            "build bell tower",
            "Bell Tower",
            "",
            (
                "Bell Tower is not in this game, but belongs to the original edition. "
                "“rules Bell Tower” tells more."
            ),
        ),
        (
            "destroy Bea University",
            "University",
            "",
            (
                "University is not in this game, but belongs to the classic or original edition. "
                "“rules University” tells more."
            ),
        ),
        (
            "redraw Temple, Hospital",
            "Hospital",
            "",
            "Hospital is not in this game, but belongs to the original edition. “rules Hospital” tells more.",
        ),
    ],
)
def test_a_card_of_another_edition_is_named_as_such(line: str, name: str, instead: str, said: str) -> None:
    here = rulebook(Setup("deluxe", ("Ana", "Bea", "Cy", "Dan")))
    found = read_order(line, Reading(names=("Ana", "Bea", "Cy", "Dan"), ask=KILL, cards=here))
    assert isinstance(found, Trouble)
    assert (found.code, dict(found.facts)) == ("absent", {"name": name, "instead": instead})
    assert Words(strict=True).phrase("absent", "en", edition="deluxe", **found.facts) == said


def test_who_has_the_rank_here_is_suggested_and_nobody_else() -> None:
    here = rulebook(Setup("deluxe", ("Ana", "Bea", "Cy", "Dan")))
    ask = {
        "kind": "turn",
        "number": 3,
        "moves": [["kill", ["Thief"]], ["kill", ["King"]], ["kill", ["Bishop"]]],
        "families": [],
    }
    at = Reading(names=("Ana", "Bea", "Cy", "Dan"), ask=ask, cards=here)
    for line, near in (("kill Emperor", ("kill King",)), ("kill Queen", ()), ("kill Witch", ())):
        found = read_order(line, at)
        assert isinstance(found, Trouble)
        assert (found.code, found.suggestions) == ("absent", near)
