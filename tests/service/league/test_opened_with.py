"""A season is reckoned as seasons were when it was opened, whatever is usual by now."""

from __future__ import annotations

import json

from referee.service.league.entry import founding, sign_up
from referee.service.league.terms import FORM, read_terms
from referee.store import Season
from tests.service.league.seasons import do, league, season
from tests.service.rig import House


def test_a_season_keeps_its_form_when_a_setting_changes(office: House) -> None:
    the = league(office)
    do(office, lambda one: sign_up.open_season(one, the))
    assert read_terms(season(office)).form == FORM
    said = {name: value for name, value in json.loads(season(office).settings).items() if name != "form"}
    office.store.write_now(lambda tx: tx.change(Season, {"no": 1}, settings=json.dumps(said)))
    assert read_terms(season(office)).form == 1
    facts = do(office, lambda one: founding.change(one, the, "rounds", "9"))
    assert facts["at_once"]
    assert (read_terms(season(office)).form, read_terms(season(office)).rounds) == (1, 9)
    assert read_terms(do(office, lambda one: founding.found(one, the.id))).form == FORM
