"""The letters about tables: who sits there, where they stand, and the ways into a seat."""

from __future__ import annotations

from referee.states import GATHERING, GameStatus
from referee.store import Game

from ..core import outbox
from ..core.composing import Draft, Occasion, rewritten_id
from ..core.letter_buttons import keyed, offered, opening, worded
from ..core.letters import Traits, Unasked, letter
from ..core.unit_of_work import settings_of
from ..people.letter_facts import MusterFacts
from ..play import seat_offers
from . import new_table_menu, public_view
from .lists import member, mine

#: states of a game that has not begun, or never will: whoever asks sees who sits there
_BEFORE = (*GATHERING, GameStatus.ABANDONED)


@letter("lobby", Traits(quiet=True, linked=True, unasked=Unasked("all", gathered=False)))
def lobby(occasion: Occasion) -> Draft:
    """Who sits at a table that has not begun."""
    return Draft() if occasion.game is None else seated(occasion, occasion.game)


def seated(occasion: Occasion, game: Game) -> Draft:
    """A lobby with its buttons: to sit down, and to open the private chat where that is missing."""
    said = public_view.lobby(occasion, game)
    buttons = []
    if occasion.row.place:
        if game.status == GameStatus.LOBBY and said["entry"] == "open":
            buttons = worded(occasion, [("join", f"join #{game.id}")])
        if game.status in (GameStatus.LOBBY, GameStatus.MUSTERING) and said["missing_private"]:
            buttons += opening(occasion, f"ready_{game.id}")
    return Draft(said, buttons, kind="lobby")


@letter("table", Traits(quiet=True, living=True, linked=True, picture="position"))
def table(occasion: Occasion) -> Draft:
    """The living message of a room."""
    game = occasion.game
    if game is None:
        return Draft()
    draft = (
        seated(occasion, game)
        if game.status in _BEFORE
        else Draft(public_view.public(occasion, game), brief=True)
    )
    shown = outbox.watches(occasion.tx, occasion.row)
    return draft._replace(edits=shown[0].wire_id if shown else "", pin=True)


@letter(MusterFacts, Traits(urgent=True, must_arrive=True, unasked=Unasked("urgent", seat_only=True)))
def muster(occasion: Occasion) -> Draft | None:
    """Whether a player is ready; None where they are, or nobody waits for that any more."""
    game, me = occasion.game, occasion.context["me"]
    if game is None:
        return Draft()
    if game.status != GameStatus.MUSTERING or me is None or occasion.seats[me["seat"]].ready:
        return None
    return Draft(public_view.lobby(occasion, game), worded(occasion, [("ready", f"ready #{game.id}")]))


@letter("status", Traits(on_page=True, linked=True, picture="position"))
def status(occasion: Occasion) -> Draft:
    """Where a table stands."""
    game = occasion.game
    if game is None:
        return Draft()
    if game.status in _BEFORE:
        return seated(occasion, game)
    return Draft({**public_view.public(occasion, game), **public_view.cards(game, settings_of(game))})


@letter("who")
def who(occasion: Occasion) -> Draft:
    """Who sits at a table."""
    seats = [] if occasion.game is None else occasion.seats
    return Draft({"players": [member(occasion, seat) for seat in seats]})


@letter("games")
def games(occasion: Occasion) -> Draft:
    """The reader's tables."""
    return Draft({"games": mine(occasion, occasion.row)})


@letter(seat_offers.SeatOfferFacts, Traits(must_arrive=True, entries="menu"))
def seat_offer(occasion: Occasion) -> Draft | None:
    """A seat that the reader may take; None where it is not theirs to take any more."""
    if occasion.game is None:
        return Draft()
    said = public_view.seat_offer(occasion, occasion.game, occasion.read(seat_offers.SeatOfferFacts).offered)
    return None if said is None else Draft(said, offered(said))


@letter(new_table_menu.SetupFacts, Traits(entries="menu"))
def setup(occasion: Occasion) -> Draft:
    """The menu of a new table."""
    wanted = occasion.read(new_table_menu.SetupFacts).wanted
    said = new_table_menu.filled(occasion.words, occasion.language, wanted)
    said["options"] = keyed(occasion, said["options"])
    return Draft(said, offered(said), edits=rewritten_id(occasion))
