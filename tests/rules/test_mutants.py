"""The laws can fail: each is shown a planted bug that it must catch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from referee.rules import Known, Move, acts, codec, view
from referee.rules.audit import AuditError
from referee.rules.cards.characters.king import King
from referee.rules.cards.characters.thief import Rob
from referee.rules.cards.districts.laboratory import Discard
from referee.rules.cards.districts.smithy import Forge
from referee.rules.dealing import known as known_module
from referee.rules.dealing import selection
from referee.rules.flow.call import Call
from referee.rules.flow.draft import SELECTION, Draft
from referee.rules.flow.gather import Keeping
from referee.rules.model import Player, State
from tests.rules import laws
from tests.rules.laws import Law, check_games
from tests.rules.test_dealing import depends
from tests.rules.test_dealing import some as some_decisions

Patch = pytest.MonkeyPatch


def caught(law: Law, share: float = 1.0, games: int = 6) -> bool:
    """Whether the law fails over a few games of four."""
    try:
        check_games(4, range(games), laws={law: share})
    except (AssertionError, AuditError):
        return True
    return False


def card_lost_in_the_laboratory(patch: Patch) -> None:
    def play(self: Discard, g: State, turn: Any, move: Move) -> None:
        acts.take_named(g, turn.seat, move.args)

    patch.setattr(Discard, "play", play)


def gold_out_of_nothing(patch: Patch) -> None:
    def play(self: Forge, g: State, turn: Any, move: Move) -> None:
        g.own(turn.seat).gold += 1

    patch.setattr(Forge, "play", play)


def character_held_twice(patch: Patch) -> None:
    take = Draft.take

    def greedy(self: Draft, g: State, move: Move) -> None:
        left = self.left
        take(self, g, move)
        self.left = left

    patch.setattr(Draft, "take", greedy)


def kept_cards_left_out_of_the_dump(patch: Patch) -> None:
    dump = codec.dump
    patch.setattr(laws, "dump", lambda g: {**dump(g), "stack": dump(g)["stack"][:1]})


def copy_shares_the_hand(patch: Patch) -> None:
    copy = Player.copy

    def sharing(self: Player) -> Player:
        new = copy(self)
        new.hand = self.hand
        return new

    patch.setattr(Player, "copy", sharing)


def gold_for_a_player_who_is_shared(patch: Patch) -> None:
    def gain(g: State, seat: int, gold: int) -> None:
        g.players[seat].gold += gold
        g.bank -= gold

    patch.setattr("referee.rules.flow.turn.gain", gain)


def rob_offers_too_little(patch: Patch) -> None:
    offer = Rob.offer

    def shy(self: Rob, g: State, turn: Any, out: list[Any]) -> None:
        mine: list[Any] = []
        offer(self, g, turn, mine)
        out.extend(mine[1:])

    def lenient(g: State, frame: Any, move: Move) -> Move | None:
        return move if move in frame.options(g) or move.verb == "rob" else None

    patch.setattr(Rob, "offer", shy)
    patch.setattr("referee.rules.game.offered", lenient)


def refusal_without_a_known_code(patch: Patch) -> None:
    from referee.rules import Refusal

    patch.setattr(Draft, "why_not", lambda self, g, move: Refusal("because"))


def view_shows_the_top_of_the_deck(patch: Patch) -> None:
    def peeking(g: State, seat: int | None) -> dict[str, Any]:
        return {**view(g, seat), "next": g.names(g.deck[:1])}

    patch.setattr(laws, "view", peeking)


def view_shows_who_holds_what(patch: Patch) -> None:
    def telling(g: State, seat: int | None) -> dict[str, Any]:
        return {**view(g, seat), "held": [p.characters for p in g.players]}

    patch.setattr(laws, "view", telling)


def like_cards_are_kept_without_a_question(patch: Patch) -> None:
    asked = Keeping.asked

    def silent(self: Keeping, g: State) -> int | None:
        return None if len(set(g.names(self.numbers))) == 1 else asked(self, g)

    def advance(self: Keeping, g: State) -> None:
        self.take(g, Move("keep", ((g.names(self.numbers)[0],),)))

    patch.setattr(Keeping, "asked", silent)
    patch.setattr(Keeping, "advance", advance)


def secret_told_to_everybody(patch: Patch) -> None:
    def loud(self: State, name: str, to: int | None = None, /, **facts: Any) -> None:
        from referee.rules import Event

        if self.events is not None:
            self.events.append(Event(name, None, facts))

    patch.setattr(State, "tell", loud)


def crown_for_nobody(patch: Patch) -> None:
    def revealed(self: King, g: State, seat: int, character: str) -> None:
        g.crown = 9

    patch.setattr(King, "revealed", revealed)


def turn_skipped_for_the_last(patch: Patch) -> None:
    advance = Call.advance

    def lazy(self: Call, g: State) -> None:
        advance(self, g)
        if g.called == 8:
            g.own(0).revealed = ("Warlord",)

    patch.setattr(Call, "advance", lazy)


MUTANTS: tuple[tuple[Callable[[Patch], None], Law, float, int], ...] = (
    (card_lost_in_the_laboratory, laws.everything_in_its_place, 1.0, 20),
    (gold_out_of_nothing, laws.everything_in_its_place, 1.0, 60),
    (character_held_twice, laws.everything_in_its_place, 1.0, 1),
    (crown_for_nobody, laws.everything_in_its_place, 1.0, 4),
    (turn_skipped_for_the_last, laws.everything_in_its_place, 1.0, 4),
    (kept_cards_left_out_of_the_dump, laws.written_and_read, 0.3, 2),
    (copy_shares_the_hand, laws.the_original_notices_nothing, 0.3, 2),
    (gold_for_a_player_who_is_shared, laws.the_original_notices_nothing, 0.3, 2),
    (rob_offers_too_little, laws.offered_or_refused, 0.5, 6),
    (refusal_without_a_known_code, laws.offered_or_refused, 0.5, 1),
    (view_shows_the_top_of_the_deck, laws.behind_the_curtain, 0.3, 1),
    (view_shows_who_holds_what, laws.behind_the_curtain, 0.3, 1),
    (like_cards_are_kept_without_a_question, laws.behind_the_curtain, 1.0, 8),
    (secret_told_to_everybody, laws.events_as_listed, 1.0, 1),
)


@pytest.mark.parametrize(("mutant", "law", "share", "games"), MUTANTS, ids=[m[0].__name__ for m in MUTANTS])
def test_the_law_catches_it(
    mutant: Callable[[Patch], None], law: Law, share: float, games: int, monkeypatch: Patch
) -> None:
    assert not caught(law, 0.02, 1)
    mutant(monkeypatch)
    assert caught(law, share, games)


# -- deals that leak


def the_seed_stays(patch: Patch) -> None:
    made, dealt = Known.__init__, Known.deal

    def making(self: Known, state: State, seat: int) -> None:
        made(self, state, seat)
        patch.setattr(Known, "real", state.seed, raising=False)

    def deal(self: Known, rng: Random) -> State:
        g = dealt(self, rng)
        g.seed = self.real  # type: ignore[attr-defined]  # the plant
        return g

    patch.setattr(Known, "__init__", making)
    patch.setattr(Known, "deal", deal)


def the_next_card_stays(patch: Patch) -> None:
    made, dealt = Known.__init__, Known.deal

    def making(self: Known, state: State, seat: int) -> None:
        made(self, state, seat)
        patch.setattr(Known, "next", state.deck[:1], raising=False)

    def deal(self: Known, rng: Random) -> State:
        g = dealt(self, rng)
        if rng.random() < 0.5:
            for number in self.next:  # type: ignore[attr-defined]  # the plant
                g.deck.sort(key=lambda n: n != number)
        return g

    patch.setattr(Known, "__init__", making)
    patch.setattr(Known, "deal", deal)


def the_cards_keep_their_order(patch: Patch) -> None:
    patch.setattr(known_module, "sorted", lambda items, key=None: list(items), raising=False)


def the_real_holder_comes_first(patch: Patch) -> None:
    patch.setattr(selection, "sorted", list, raising=False)


def who_picks_is_known_by_what_was_picked(patch: Patch) -> None:
    patch.setattr(selection._Walk, "fits", lambda self: False)
    unseen = selection._unseen

    def leaking(g: State, seat: int, frame: Any, **said: Any) -> Any:
        found = unseen(g, seat, frame, **said)
        return found._replace(down=frozenset(range(len(g.facedown))), groups=tuple(_held_only(g, found)))

    patch.setattr(selection, "_unseen", leaking)


def _held_only(g: State, found: Any) -> Iterator[Any]:
    for group in found.groups:
        yield group._replace(cards=tuple(c for c in group.cards if c not in g.facedown), down=())


def the_marker_stays(patch: Patch) -> None:
    made = Known.__init__

    def making(self: Known, state: State, seat: int) -> None:
        made(self, state, seat)
        self._secret = ()
        self._bare.round_drawer = {**state.round_drawer, SELECTION: self._bare.round_drawer[SELECTION]}

    patch.setattr(Known, "__init__", making)


@pytest.mark.parametrize(
    "leak",
    [
        the_seed_stays,
        the_next_card_stays,
        the_cards_keep_their_order,
        the_real_holder_comes_first,
        who_picks_is_known_by_what_was_picked,
        the_marker_stays,
    ],
)
def test_a_leak_is_found(leak: Callable[[Patch], None], monkeypatch: Patch) -> None:
    leak(monkeypatch)
    found = 0
    for number in range(3):
        for moment, rng in some_decisions("deluxe", 5, number, 0.2):
            found += sum(depends(moment, seat, rng) for seat in range(5))
    assert found > 5
