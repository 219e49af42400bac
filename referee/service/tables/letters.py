"""The letters about tables: who sits there, where they stand, and the ways into a seat."""

from __future__ import annotations

import msgspec

from referee.states import GATHERING, GameStatus
from referee.store import Game

from ..core import outbox
from ..core.composing import Draft, LetterContext, rewritten_id
from ..core.letter_buttons import button_rows, keyed, offered, opening
from ..core.letters import LetterTraits, UnsolicitedDelivery, letter
from ..core.unit_of_work import settings_of
from ..people.letter_facts import MusterFacts, NoticeFacts
from ..play import seat_offers
from . import new_table_menu, public_view
from .letter_facts import GamesFacts, LobbyFacts, StatusFacts, WhoFacts
from .lists import member, mine

#: states of a game that has not begun, or never will: anyone who asks sees who sits there
_BEFORE = (*GATHERING, GameStatus.ABANDONED)


@letter(LobbyFacts, LetterTraits(quiet=True, linked=True, unasked=UnsolicitedDelivery("all", gathered=False)))
def lobby(ctx: LetterContext) -> Draft:
    """Who sits at a table that has not begun."""
    return Draft() if ctx.game is None else lobby_draft(ctx, ctx.game)


def lobby_draft(ctx: LetterContext, game: Game) -> Draft:
    """A lobby with its buttons: to sit down, and to open the private chat where that is missing."""
    said = public_view.lobby(ctx, game)
    buttons = []
    if ctx.row.place:
        if game.status == GameStatus.LOBBY and said["entry"] == "open":
            buttons = button_rows(ctx, [("join", f"join #{game.id}")])
        if game.status in (GameStatus.LOBBY, GameStatus.MUSTERING) and said["missing_private"]:
            buttons += opening(ctx, f"ready_{game.id}")
    return Draft(said, buttons, kind=LobbyFacts.kind)


@letter(outbox.LivingFacts, LetterTraits(quiet=True, living=True, linked=True, picture="position"))
def table(ctx: LetterContext) -> Draft:
    """The living message of a room."""
    game = ctx.game
    if game is None:
        return Draft()
    draft = (
        lobby_draft(ctx, game)
        if game.status in _BEFORE
        else Draft(public_view.board_facts(ctx, game), brief=True)
    )
    shown = outbox.watches(ctx.tx, ctx.row)
    return draft._replace(edits=shown[0].wire_id if shown else "", pin=True)


@letter(
    MusterFacts,
    LetterTraits(
        urgent=True,
        must_arrive=True,
        entries="menu",
        unasked=UnsolicitedDelivery("urgent", seat_only=True),
    ),
)
def muster(ctx: LetterContext) -> Draft | None:
    """Whether a player is ready; None where they are, or nobody waits for that any more."""
    game, me = ctx.game, ctx.context["me"]
    if game is None:
        return Draft()
    if game.status != GameStatus.MUSTERING or me is None or ctx.seats[me["seat"]].ready:
        return None
    return Draft(public_view.lobby(ctx, game), button_rows(ctx, [("ready", f"ready #{game.id}")]))


@letter(StatusFacts, LetterTraits(on_page=True, linked=True, picture="position"))
def status(ctx: LetterContext) -> Draft:
    """Where a table stands."""
    game = ctx.game
    if game is None:
        return Draft()
    if game.status in _BEFORE:
        return lobby_draft(ctx, game)
    seats = [{"name": one.name, "bot": one.bot} for one in ctx.seats]
    cast = public_view.cast_of_table(game, settings_of(game))
    return Draft({**public_view.board_facts(ctx, game), **cast, "seats": seats})


@letter(WhoFacts)
def who(ctx: LetterContext) -> Draft:
    """Who sits at a table."""
    seats = [] if ctx.game is None else ctx.seats
    return Draft({"players": [member(ctx, seat) for seat in seats]})


@letter(GamesFacts)
def games(ctx: LetterContext) -> Draft:
    """The reader's tables."""
    return Draft({"games": mine(ctx, ctx.row)})


@letter(seat_offers.SeatOfferFacts, LetterTraits(must_arrive=True, entries="menu"))
def seat_offer(ctx: LetterContext) -> Draft | None:
    """A seat that the reader may take; None where it is not theirs to take any more."""
    if ctx.game is None:
        return Draft()
    said = public_view.seat_offer(ctx, ctx.game, ctx.read(seat_offers.SeatOfferFacts).offered)
    return None if said is None else Draft(said, offered(said))


@letter(new_table_menu.SetupFacts, LetterTraits(entries="menu", askers=True, defaults={"to": ""}))
def setup(ctx: LetterContext) -> Draft | None:
    """The menu of a new table, or what stands in its place once that is made; None where it can't."""
    facts, edits = ctx.read(new_table_menu.SetupFacts), rewritten_id(ctx)
    if facts.table:
        done = [{"code": "table-made", "facts": {"game": facts.table}}]
        return Draft({"notices": done}, edits=edits, kind=NoticeFacts.kind) if edits else None
    wanted = msgspec.to_builtins(facts.wanted)
    said = new_table_menu.menu_contents(ctx.words, ctx.language, wanted)
    said["options"] = keyed(ctx, said["options"])
    return Draft(said, offered(said), edits=edits)
