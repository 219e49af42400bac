"""What a seat knows of a table, and the deal of all the rest.

What is hidden is taken out when a `Known` is made: the order of the deck, other hands, what others look at or
have put away, characters, markers and the seed of what is still to be drawn. So no deal can depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..facts import Seat
from ..flow.call import is_absent
from ..flow.draft import SELECTION, Draft, by_rank
from ..model import Frame, State
from ..seams import Card
from .liking import likings
from .selection import Group, Taken, seen

#: an unknown character, while it is being dealt
NOBODY = ""
SEED_BYTES = 32


class Known:
    """A table as `seat` knows it. The state that it is made from is left alone and not kept.

    What people remember of cards that they have seen before (a hand that was looked at, what they gave or put
    away) is not in the state, and not known here.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        self.seat = seat
        self._silent = frozenset([name for name in state.rules.characters if is_absent(state, name)])
        self._seen = seen(state, seat)
        self._likings = [likings(state, other) for other in range(len(state.players))]
        self._bare = state.copy()
        self._bare.seed = b""
        self._hands: list[tuple[Seat, int]] = []
        self._frames: list[tuple[int, int]] = []
        self._stores: list[tuple[Card, int]] = []
        self._hidden = sorted(self._take_districts())
        self._down = len(state.facedown)
        self._draft = next((n for n, frame in enumerate(state.stack) if isinstance(frame, Draft)), -1)
        self._take_characters()
        self._secret = state.rules.on["redealt"]
        for card in self._secret:
            card.redealt(self._bare, seat, Random(0))

    def deal(self, rng: Random) -> State:
        """A table that looks the same from that seat, with a fresh seed; settled, its own to be played on."""
        g = self._bare.copy()
        g.seed = rng.randbytes(SEED_BYTES)
        random = rng.random
        numbers = sorted(self._hidden, key=lambda _: random())
        at = 0
        for seat, count in self._hands:
            g.own(seat).hand += numbers[at : at + count]
            at += count
        for place, count in self._frames:
            g.stack[place].hold(tuple(numbers[at : at + count]))
            at += count
        for card, count in self._stores:
            card.restock(g, tuple(numbers[at : at + count]))
            at += count
        g.deck = numbers[at:]
        self._characters(g, rng)
        for card in self._secret:
            card.redealt(g, self.seat, rng)
        return g

    # -- what is taken out ---------------------------------------------------

    def _take_districts(self) -> list[int]:
        """The numbers of all district cards that the seat can't see, no longer where they lay."""
        g, seat = self._bare, self.seat
        before = g.stack[-1].sees(g) if g.stack and g.stack[-1].asked(g) == seat else ()
        hidden = list(g.deck)
        g.deck = []
        for other in range(len(g.players)):
            if other != seat:
                player = g.own(other)
                unseen = [n for n in player.hand if n not in before]
                player.hand = [n for n in player.hand if n in before]
                self._hands.append((other, len(unseen)))
                hidden += unseen
        for place, frame in enumerate(g.stack):
            if _holds_unseen(frame, g, seat):
                hidden += frame.holds()
                self._frames.append((place, len(frame.holds())))
                frame.hold(())
        for card in g.rules.on["stores"]:
            hidden += card.stores(g)
            self._stores.append((card, len(card.stores(g))))
            card.restock(g, ())
        return hidden

    def _take_characters(self) -> None:
        g, known = self._bare, self._seen
        for seat, player in enumerate(g.players):
            g.own(seat).characters = tuple(
                [name if (seat, n) in known.held else NOBODY for n, name in enumerate(player.characters)]
            )
        g.facedown = tuple([name if n in known.down else NOBODY for n, name in enumerate(g.facedown)])
        if self._draft >= 0 and not known.passed:
            self._draft_of(g).left = ()
        if SELECTION in g.round_drawer:
            first, _, *exchanges = g.round_drawer[SELECTION]
            g.round_drawer[SELECTION] = (first, NOBODY, *exchanges)

    def _draft_of(self, g: State) -> Draft:
        frame = g.stack[self._draft]
        assert isinstance(frame, Draft)
        return frame

    # -- the deal of the characters ------------------------------------------

    def _characters(self, g: State, rng: Random) -> None:
        held = [list(player.characters) for player in g.players]
        down = list(g.facedown)
        groups, carried, left = self._seen.groups, list[str](), list[str]()
        early = self._seen.early
        for number, group in enumerate(groups):
            left = self._group(group, carried, held, rng)
            rng.shuffle(left)
            for place in group.down:
                if left:
                    down[place] = left.pop(0)
            if group.carries and number < len(groups) - 1:
                carried, left = left, []
                early = carried[0]
        left += carried
        for place, name in enumerate(down):
            if name == NOBODY and left:
                down[place] = left.pop(0)
        for seat, names in enumerate(held):
            g.own(seat).characters = tuple(names)
        g.facedown = tuple(down)
        passed = tuple(left)
        if self._draft >= 0:
            frame = self._draft_of(g)
            passed = frame.left if self._seen.passed else by_rank(g.rules, passed)
            frame.left = passed
        if SELECTION in g.round_drawer:
            first, _, *exchanges = g.round_drawer[SELECTION]
            g.round_drawer[SELECTION] = (first, early or (*down, *passed)[0], *exchanges)

    def _group(self, group: Group, carried: list[str], held: list[list[str]], rng: Random) -> list[str]:
        """Give each who took a character of the group one of them; what nobody took is returned."""
        pool = list(group.cards)
        for taken in group.taken:
            among = pool + carried if taken.late else pool
            name = self._picked(taken, among, rng)
            (pool if name in pool else carried).remove(name)
            seat, place = taken.place
            held[seat][place] = name
        return pool

    def _picked(self, taken: Taken, among: Sequence[str], rng: Random) -> str:
        """One of them, by what that player likes; nobody holds a character that was called in vain."""
        able = [name for name in among if name not in self._silent] or list(among)
        liking = self._likings[taken.picker]
        at = rng.random() * sum([liking[name] for name in able])
        for name in able:
            at -= liking[name]
            if at < 0:
                return name
        return able[-1]


def _holds_unseen(frame: Frame, g: State, seat: Seat) -> bool:
    return bool(frame.holds()) and not frame.holds_openly() and frame.asked(g) != seat
