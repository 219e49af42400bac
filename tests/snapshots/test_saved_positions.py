"""Games saved by every version so far, in every kind of position: they load, ask what they asked, and end as
they would have.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from referee.rules import EDITIONS, audit, codec, dump, load, view
from referee.rules.model import State
from tests.rules import laws
from tests.snapshots import facets, register, take
from tests.snapshots.playing import STRIDE, Trail, played_on, question

#: frames that no position of that schema stands in, since nothing in the editions of then asked anybody from
#: within them
NOWHERE = {1: {"build", "moment"}}


@cache
def saved(schema: int) -> list[dict[str, Any]]:
    return take.read(take.FOLDER / f"schema-{schema}.jsonl.gz")


EVERY = [
    pytest.param(schema, place, id=f"schema-{schema}-{line['seed'].replace(' ', '-')}")
    for schema in sorted(register.known())
    for place, line in enumerate(saved(schema))
]


def differs(now: Trail, then: dict[str, Any]) -> str:
    """What a person should do about a game that goes another way, "" where it goes the same."""
    if now.facts() == then:
        return ""
    same = next((n for n, (a, b) in enumerate(zip(now.marks, then["marks"], strict=False)) if a != b), 0)
    end = "" if now.end == then["end"] else f"  It ended with {then['end']}, and ends with {now.end}."
    return (
        f"A saved game goes another way than it did, within the orders {same * STRIDE + 1} "
        f"to {(same + 1) * STRIDE} from its position.{end}"
        "  A running game never changes its rules by an upgrade: number what changes as a ruling in "
        "referee/rules/rulings.py and ask"
        " `g.holds(number)` where the rules differ (docs/engineers/changing.md)."
    )


@pytest.mark.parametrize(("schema", "place"), EVERY)
def test_a_saved_game_goes_on_to_the_end_it_would_have_had(schema: int, place: int) -> None:
    line = saved(schema)[place]
    state = load(line["state"])
    assert question(state) == line["question"], (
        "the open question of a saved game has changed: a ruling? (docs/engineers/changing.md)"
    )
    audit(state)
    written = json.loads(json.dumps(dump(state)))
    assert dump(load(written)) == dump(state)
    if schema == codec.SCHEMA:
        assert written == line["state"]
    assert [view(state, seat)["round"] for seat in range(len(state.players))] == [state.round] * len(
        state.players
    )
    wrong = differs(played_on(state, line["seed"]), line["trail"])
    assert not wrong, wrong


@pytest.mark.parametrize("schema", sorted(register.known()))
def test_the_positions_of_a_schema_have_its_shape_and_stand_in_all_of_its_frames(schema: int) -> None:
    shape = register.known()[schema]
    seen = set()
    for line in saved(schema):
        written = line["state"]
        assert written["schema"] == schema
        assert (sorted(written), sorted(written["players"][0]), sorted(written["setup"])) == (
            shape["state"],
            shape["player"],
            shape["setup"],
        )
        for code, slots in written["stack"]:
            assert sorted(slots) == shape["frames"][code]
            seen.add(code)
    assert seen == set(shape["frames"]) - NOWHERE.get(schema, set()), "run `make snapshots`"


def test_no_kind_of_position_is_missing() -> None:
    """Random games meet nothing that is not among today's positions, and each edition is there."""
    kinds = {kind for line in saved(codec.SCHEMA) for kind in line["kinds"]}
    assert {kind.partition(":")[0] for kind in kinds} == set(EDITIONS)
    met = {kind for edition in EDITIONS for g in take.met(edition, 40) for kind in facets.of(take.bare(g))}
    assert len(met) > 60
    assert met - kinds == set(), "a new kind of position: run `make snapshots`"


def test_what_is_looked_at_of_a_position_is_what_its_dump_says() -> None:
    games = 0
    for g in take.met("deluxe", 6):
        assert facets.of(take.bare(g)) == facets.of(dump(g))
        games += 1
    assert games > 500


def test_a_change_of_the_rules_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins may be built: the first saved game whose question or end is another says so, and what to do."""
    from referee.rules.seams import District

    line = saved(2)[0]
    assert differs(played_on(load(line["state"]), line["seed"]), line["trail"]) == ""
    monkeypatch.setattr(District, "cost", 0)
    for card in load(line["state"]).rules.districts.values():
        monkeypatch.setattr(card, "cost", 0)
    said = differs(played_on(load(line["state"]), line["seed"]), line["trail"])
    assert "orders" in said
    assert "rulings.py" in said
    assert "It ended with" in said


def test_the_same_dice_choose_the_same_answers_whatever_order_they_are_listed_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from referee.rules.flow.draft import Draft

    line = next(one for one in saved(2) if "classic: draft, asks" in one["kinds"])
    listed = Draft.options

    def backwards(self: Draft, g: State) -> list[Any]:
        return listed(self, g)[::-1]

    monkeypatch.setattr(Draft, "options", backwards)
    assert played_on(load(line["state"]), line["seed"]).facts() == line["trail"]


def test_a_few_positions_are_chosen_that_cover_every_kind() -> None:
    found = take.candidates("classic", 12)
    few = take.chosen(found)
    assert len(few) < len(found)
    kinds = [facets.of(take.bare(g)) for g in few]
    for kind in {kind for g in found for kind in facets.of(take.bare(g))}:
        assert any(kind in each for each in kinds)


def test_saved_lines_are_read_as_they_were_written(tmp_path: Any) -> None:
    g = laws.table(4, 1)
    lines = [take.position(g, 0)]
    for name in ("one", "two"):
        take.write(tmp_path / name, lines)
    assert take.read(tmp_path / "one") == lines
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
