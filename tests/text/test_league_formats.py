"""What is said of formats, teams and seasons like the last, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from referee.text import Intent, Reading
from referee.text.reading.league_args import LeagueReading
from referee.text.reading.leagues import read_league

NOW = 1_790_000_000_000
SAID: list[tuple[str, str, str, dict[str, Any]]] = [
    ("en", "open again", "open", {"again": True, "settings": {}}),
    (
        "en",
        "open like last again rounds 3",
        "open",
        {"again": True, "like": True, "settings": {"rounds": "3"}},
    ),
    ("en", "open rounds 3 as the last", "open", {"like": True, "settings": {"rounds": "3"}}),
    ("en", "open form swiss rounds 5 again", "open", {"settings": {"form": "swiss", "rounds": "5"}}),
    ("en", "set form knock-out advance 1", "set", {"settings": {"form": "knock-out", "advance": "1"}}),
    ("en", "set teams 4 best 3", "set", {"settings": {"teams": "4 best 3"}}),
    ("en", 'team "Red Dragons"', "team", {"team": "Red Dragons", "drop": ""}),
    ("en", "team none", "team", {"team": "", "drop": ""}),
    ("en", "Winter Cup team drop Zed", "team", {"team": "", "drop": "Zed"}),
    ("en", "hall of fame", "hall", {}),
    ("en", "Winter Cup seasons", "seasons", {}),
    ("pt_BR", "abrir de novo", "open", {"again": True, "settings": {}}),
    ("pt_BR", "abrir como a última rodadas 3", "open", {"like": True, "settings": {"rounds": "3"}}),
    ("pt_BR", "definir formato suíço", "set", {"settings": {"form": "swiss"}}),
    (
        "pt_BR",
        "definir formato mata-mata avançam 1",
        "set",
        {"settings": {"form": "knockout", "advance": "1"}},
    ),
    ("pt_BR", "definir times 4 melhores 3", "set", {"settings": {"teams": "4 best 3"}}),
    ("pt_BR", "time Vermelho", "team", {"team": "Vermelho", "drop": ""}),
    ("pt_BR", "time nenhum", "team", {"team": "", "drop": ""}),
    ("pt_BR", "time tirar Zé", "team", {"team": "", "drop": "Zé"}),
    ("pt_BR", "galeria", "hall", {}),
    ("pt_BR", "Winter Cup temporadas", "seasons", {}),
]


@pytest.mark.parametrize(("language", "text", "act", "args"), SAID)
def test_it_is_understood(language: str, text: str, act: str, args: dict[str, Any]) -> None:
    found = read_league(
        text, LeagueReading(Reading(language=language), NOW, "UTC", {1: "Winter Cup", 2: "Spring Cup"})
    )
    assert isinstance(found, Intent), found
    assert found.args["act"] == act
    assert {name: found.args.get(name) for name in args} == args


@pytest.mark.parametrize("text", ["open like", "open cast as usual", "open rounds 3"])
def test_other_words_are_no_season_like_the_last(text: str) -> None:
    found = read_league(text, LeagueReading(Reading(language="en"), NOW, "UTC", {1: "Winter Cup"}))
    assert not isinstance(found, Intent) or not {"again", "like"} & set(found.args)
