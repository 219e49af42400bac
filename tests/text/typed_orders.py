"""Orders as people type them, to one question or to none, and what each means."""

from __future__ import annotations

from typing import Any

from referee.rules.facts import Move

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
PARK: dict[str, Any] = {
    "kind": "turn",
    "number": 7,
    "moves": [["bonus", []], ["decline", []], ["end", []]],
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
            "take two coins",
            "gold please",
            "1!",
            "1 please",
            "**1**",
            "1️⃣",
            "No. 1",
            "no 1 please",
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
            "take 2 cards",
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
        for t in (
            "build Market",
            "build m",
            "build mark",
            "build THE market",
            "build a market",
            "build “Market”",
            "4",
        )
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
    *((PARK, t, Move("decline")) for t in ("decline", "decline cards", "no cards", "no park", "2")),
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
            "destroy a temple of ana",
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
            "exchange cards with Bea",
            "trade my hands with Bea",
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
