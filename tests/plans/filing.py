"""Random plans for random tables, and what reading them needs."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.plans import Plan
from referee.plans.cards import powers_of
from referee.rules import State, view
from referee.rules.shapes import Shape
from referee.text import Reading
from referee.text.reading.plans import read_plan

AWKWARD = ("Zoë", "Jean-Luc O'Brien", "the King", "Market", "Bea or Cy", "Ana; if", "小林", "crown")


def reading(state: State, seat: int, language: str = "en") -> Reading:
    """The reader of a plan's text for that seat."""
    seen = view(state, seat)
    return Reading(language, tuple(p["name"] for p in seen["players"]), seen.get("ask"), seen, state.rules)


def filed_text(text: str, at: Reading) -> Plan:
    """The plan of a text that is in order."""
    found = read_plan(text, at)
    assert isinstance(found, Plan), [(t.code, t.quote, dict(t.facts)) for t in found]
    return found


def random_lines(state: State, rng: Random) -> list[str]:
    """Lines of a plan, most of them in order: for the cast and the districts of this game."""
    cast, names = list(state.rules.characters), [*state.setup.players]
    districts = [d.name for d in state.rules.in_play]

    def slot(part: str) -> str:
        if part in ("<D>", "<B>"):
            return rng.choice([*rng.sample(districts, 4), "dearest", "cheapest", "any"])
        if part.endswith("+"):
            return ", ".join(rng.sample(cast if "C" in part else districts, 3 if rng.random() < 0.3 else 2))
        return str(
            rng.choice(
                {"<P>": names, "<C>": cast, "<T>": ["noble", "trade"], "<n>": ["0", "1", "2"]}.get(
                    part, [part]
                )
            )
        )

    def said(shape: Shape) -> str:
        return " ".join((shape.verb, *map(slot, shape.parts)))

    def script(character: str) -> str:
        own = [said(shape) for shape in powers_of(character, state.setup.edition) for _ in range(2)]
        steps = [*rng.sample(own, min(len(own), rng.randint(0, 2)))] if rng.random() < 0.7 else []
        steps.append(rng.choice(["gold", "cards", "gold or cards"]))
        steps += rng.choice([[], ["keep dearest"], ["keep cheapest", "refuse"], ["bribe"]])
        for _ in range(rng.randint(0, 2)):
            steps.append(
                rng.choice(["try ", "", "try "])
                + f"build {slot('<D>')}"
                + rng.choice(["", f" or {slot('<D>')}"])
            )
        steps += [f"try {step}" for step in rng.sample(own, min(len(own), rng.randint(0, 2)))]
        return "; ".join([*steps, *rng.choice([[], ["end"], ["end"], ["end"], ["end!"]])])

    lines = preferences(state, rng)
    for character in rng.sample(cast, rng.randint(0, len(cast))):
        lines.append(f"{rng.choice(['', 'always '])}when {character}: {script(character)}")
    if rng.random() < 0.7:
        lines.append(
            rng.choice(["", "always "])
            + "otherwise: "
            + rng.choice(
                [
                    "gold; build cheapest; end",
                    "cards; keep dearest; try build dearest; end",
                    "gold",
                    "gold; end!",
                ]
            )
        )
    lines += answers(state, rng)
    if rng.random() < 0.2:
        lines.append(f"ask me if {condition(state, rng)}, or bewitched")
    if rng.random() < 0.2:
        lines.append("free benefits off")
    rng.shuffle(lines)
    return lines


def preferences(state: State, rng: Random) -> list[str]:
    """Lines that say whom to take, and whom to lay away."""
    cast = list(state.rules.characters)
    lines = [
        f"{rng.choice(['', 'always '])}prefer {', '.join(rng.sample(cast, 3))}{rng.choice(['', ', any'])}"
    ]
    if len(state.setup.players) == 2:
        lines.append(
            f"{rng.choice(['', 'always '])}prefer to "
            f"discard {', '.join(rng.sample(cast, 3))}{rng.choice(['', ', any'])}"
        )
    if rng.random() < 0.5:
        lines.append(f"always prefer {rng.choice(cast)} if {condition(state, rng)}")
    return lines


def answers(state: State, rng: Random) -> list[str]:
    """Lines that answer questions one by one, half of all that there are."""
    names, found = [*state.setup.players], []
    for answer in (
        "confiscate",
        "buy",
        "bribe",
        "reveal",
        "hospital gold",
        "hospital cards",
        "keep dearest",
        "finish",
        f"crown {rng.choice(names)}",
        f"exchange {rng.choice(names)}",
    ):
        if rng.random() < 0.5:
            use = ["always", "ask me", f"if {condition(state, rng)}"] + (
                [] if answer[:4] in ("crow", "keep") else ["never"]
            )
            found.append(f"{answer} {rng.choice(use)}")
    return found


def condition(state: State, rng: Random) -> str:
    """One or two tests."""
    names, cast = [*state.setup.players], list(state.rules.characters)
    some = [
        "I have the crown",
        "I don't have the crown",
        f"{rng.choice(names)} has the crown",
        f"gold {rng.choice(['>=', '<', '='])} {rng.randint(1, 6)}",
        f"city >= {rng.randint(0, 6)}",
        f"hand < {rng.randint(1, 6)}",
        f"round > {rng.randint(1, 6)}",
        f"{rng.choice(cast)} is not faceup",
        f"my hand holds {rng.choice(state.rules.in_play).name}",
        f"{rng.choice(names)} doesn't have the crown",
    ]
    return " and ".join(rng.sample(some, rng.choice([1, 1, 2])))


def random_plan(state: State, seat: int, rng: Random) -> tuple[Plan, int, int]:
    """A plan of those lines that are in order, how many these are, and how many there were."""
    at, lines = reading(state, seat), random_lines(state, rng)
    good = [line for line in lines if isinstance(read_plan(line, at), Plan)]
    found: Any = read_plan("\n".join(good), at)
    while not isinstance(found, Plan):  # lines of which each is in order, but not beside the others
        good.pop()
        found = read_plan("\n".join(good), at) if good else Plan()
    return found, len(good), len(lines)
