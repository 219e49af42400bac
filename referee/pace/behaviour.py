"""What somebody at a simulated table wants to say: the answer to what they are asked, or the lines that their
plan lacks.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee import rules
from referee.bots import Bot
from referee.ids import SeatNo
from referee.policy import Policy
from referee.service.deadlines.rows import pending
from referee.service.play.moves import turn_of
from referee.store import Game, Tx
from referee.text.reading.plan_heads import round_of

from . import minds, watch
from .account import PlayerAccount
from .house import SimulatedReferee


@dataclass(frozen=True, slots=True)
class Behaviour:
    """`plans`: a key of `trial.PLANS`; `missed`: the share of questions that are let pass."""

    house: SimulatedReferee
    bot: Bot
    plans: str
    missed: float

    def at(self, tx: Tx, game: Game, place: PlayerAccount, seat: SeatNo, rule: Policy, players: int) -> str:
        """The message that somebody writes to a game that runs, "" for none.

        Raises LawBroken where the game is not as it must be.
        """
        if place.deal != game.seed_hash:  # dealt anew: what was filed is gone
            place.deal, place.listed, place.scripted, place.stands = game.seed_hash, 0, 0, False
        watch.running(tx, game, rule, players, self.house.now_ms)
        state = self.house.referee.states.of(game)
        asked = str(seat) in game.asked.split(",")
        if asked and place.person.lets_pass(f"{turn_of(state)} {rules.asks(state)[0].kind}", self.missed):
            return ""
        planned = self.plans == "full" and rules.asks(state)[0].kind == "pick"
        if asked and not planned and not pending(tx, game, seat):
            return minds.spoken(state, seat, self.bot, place.person.rng, state.setup.players)
        return "" if self.plans == "none" else self._plan(place, state, seat)

    def _plan(self, place: PlayerAccount, state: rules.State, seat: SeatNo) -> str:
        """The lines that are missing in somebody's plan, "" for none."""
        seen, cast = rules.view(state, seat), rules.rulebook(state).cast
        rng, lines = place.person.rng, []
        wanted = round_of("prefer", seen)
        if place.listed < wanted:
            lines.append(minds.listed(seen, self.bot, rng, cast=cast))
            place.listed = wanted
        if self.plans == "full":
            wanted, hand = round_of("script", seen), tuple(sorted(seen["hand"]))
            mine = tuple(seen["characters"]) if wanted == seen["round"] and seen["phase"] == "turns" else ()
            if place.scripted < wanted or place.hand != hand or (mine and not set(mine) <= set(place.whom)):
                place.scripted, place.hand, place.whom = wanted, hand, mine or tuple(cast)
                lines += minds.scripts(seen, self.bot, rng, whom=place.whom, cast=cast)
            if not place.stands:
                place.stands = True
                lines += minds.standing(seen["edition"], cast)
        return "\n".join(lines)
