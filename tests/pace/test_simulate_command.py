"""`referee simulate pace` as it is typed: what it prints, its files, and what is said to what can't be
simulated.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.app import app
from referee.pace import LawBroken, PictureError, chart, picture, run, trial_of
from referee.pace.account import GameRow
from referee.text import lexicon
from referee.text.policy_words import policy_words

SVG = "{http://www.w3.org/2000/svg}"
LABELS = {name: f"{name} <&>" for name in picture.LABELS}


def typed(*words: str) -> Result:
    return CliRunner().invoke(app, ["simulate", "pace", *words])


def rows(*days: float) -> list[GameRow]:
    return [
        GameRow._make([n, True, took, took, 100.0, *[1] * (len(GameRow._fields) - 5)])
        for n, took in enumerate(days)
    ]


def test_figures_a_row_for_each_game_and_a_chart(tmp_path: Path) -> None:
    csv, svg = tmp_path / "pace.csv", tmp_path / "pace.svg"
    told = typed(
        "--games",
        "2",
        "--players",
        "3",
        "--plans",
        "full",
        "--missed",
        "5%",
        "--dropouts",
        "0.1",
        "--seed",
        "2",
        "--csv",
        str(csv),
        "--plot",
        str(svg),
    )
    assert told.exit_code == 0, told.output
    assert "2 of 2 games are over" in told.output
    for part in (
        "calendar days a game",
        "nine in ten within",
        "per player and game",
        "finished                 100.0%",
        "by night",
    ):
        assert part in told.output
    assert "NOT TAKEN" not in told.output
    lines = csv.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("game,finished,days,")
    assert {len(line.split(",")) for line in lines} == {len(lines[0].split(","))}
    assert ET.fromstring(svg.read_text(encoding="utf-8")).tag == f"{SVG}svg"


def test_a_table_that_gathers_anew_with_one_player_left_is_given_up() -> None:
    told = typed(
        "--games",
        "2",
        "--players",
        "3",
        "--plans",
        "full",
        "--missed",
        "5%",
        "--dropouts",
        "0.1",
        "--seed",
        "1",
    )
    assert told.exit_code == 0, told.output
    assert "finished                 50.0%" in told.output


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("--people", "thrice-a-day"), "There are no people “thrice-a-day”. Known: once-a-day, twice-a-day"),
        (("--plans", "some"), "There are no plans “some”. Known: none, draft, full"),
        (("--edition", "third"), "There is no edition “third”. Known: "),
        (("--bot", "clever"), "There is no bot “clever”. Known: random, greedy"),
        (("--games", "0"), "0 games can't be played"),
        (("--games", "-3"), "-3 games can't be played"),
        (("--missed", "120%"), "“120%” is no share for --missed"),
        (("--dropouts", "some"), "“some” is no share for --dropouts"),
        (("--players", "1"), "1 people can't play the classic edition"),
        (("--players", "12"), "12 people can't play the classic edition"),
        (("--policy", "whenever"), "“whenever” is no policy to play by: "),
        (("--policy", "no days"), "“no days” is no policy to play by: "),
        (("--policy", "standin none"), "A table that everybody has left would never end like this"),
        (("--plot", "pace.gif"), "pace.gif: a chart is an .svg or a .png file."),
    ],
)
def test_what_cannot_be_simulated(words: tuple[str, ...], answer: str) -> None:
    told = typed(*words)
    assert told.exit_code == 2
    assert answer in told.output
    assert "games are over" not in told.output


def test_a_policy_is_said_and_read_back_in_the_language_of_the_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, files = (
        ["live 2h", policy_words(lexicon("pt_BR"), "live 2h")],
        [tmp_path / "en.csv", tmp_path / "pt.csv"],
    )
    assert words[0] != words[1]
    for said, policy, file, told in zip(
        ("C.UTF-8", "pt_BR.UTF-8"), words, files, ("policy: ", "política: "), strict=True
    ):
        monkeypatch.setenv("LC_ALL", said)
        done = typed("--games", "1", "--players", "2", "--policy", policy, "--csv", str(file))
        assert done.exit_code == 0, done.output
        assert told + policy in done.output
    assert files[0].read_text(encoding="utf-8") == files[1].read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    for option in ("--csv", "--plot"):
        told = typed("--games", "1", option, str(tmp_path / "nowhere" / "pace.svg"))
        assert told.exit_code == 2
        assert "there is no folder" in told.output
        assert "games are over" not in told.output
        (tmp_path / "pace.svg").mkdir(exist_ok=True)
        told = typed("--games", "1", "--players", "2", "--policy", "live", option, str(tmp_path / "pace.svg"))
        assert told.exit_code == 2
        assert "could not be written" in told.output
        assert "calendar days a game" in told.output  # which may have taken hours


def test_a_chart_that_cannot_be_written_says_why_in_portuguese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    (tmp_path / "pace.svg").mkdir()
    for option in ("--csv", "--plot"):
        told = typed("--games", "1", "--players", "2", "--policy", "live", option, str(tmp_path / "pace.svg"))
        assert "pace.svg: é uma pasta." in told.output


def test_what_never_may_happen_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise LawBroken("forgotten", game=3, kind="answer")

    monkeypatch.setattr("referee.pace.run", breaks)
    told = typed("--games", "1")
    assert told.exit_code == 1
    assert "What never may happen did: forgotten (game 3, kind answer)." in told.output


def test_a_bar_for_each_day_and_a_line_for_the_median() -> None:
    svg = ET.fromstring(chart(rows(1.5, 1.7, 4.2, 4.4, 4.9, 9.1), LABELS))
    bars = [bar for bar in svg.iter(f"{SVG}rect") if bar.find(f"{SVG}title") is not None]
    assert [bar.findtext(f"{SVG}title") for bar in bars] == ["2", "3", "1"]
    high = [float(bar.attrib["height"]) for bar in bars]
    assert high[0] == pytest.approx(high[1] * 2 / 3, abs=0.2)
    said = [text.text for text in svg.iter(f"{SVG}text")]
    assert {f"{name} <&>" for name in picture.LABELS} <= set(said)
    assert {"0", "1", "2", "3", "9"} <= set(said)


def test_long_games_share_bars() -> None:
    svg = ET.fromstring(chart(rows(1, 400, 900.5), LABELS))
    bars = [bar for bar in svg.iter(f"{SVG}rect") if bar.find(f"{SVG}title") is not None]
    assert len(bars) == 3
    assert all(0 < float(bar.attrib["x"]) < 830 for bar in bars)


def test_a_picture_where_the_library_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
    picture.write(rows(1, 2, 3), LABELS, tmp_path / "pace.png")
    assert (tmp_path / "pace.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(PictureError, match="no-resvg"):
        picture.write(rows(1, 2, 3), LABELS, tmp_path / "other.png")
    told = typed("--games", "1", "--plot", str(tmp_path / "other.png"))
    assert told.exit_code == 2
    assert "pip install 'citadels-referee[pictures]'" in told.output
    assert not (tmp_path / "other.png").exists()


def test_the_same_policy_in_other_words_is_the_same_trial() -> None:
    assert trial_of(policy="24h a move, first 12h free, bank 72h") == trial_of(policy="daily")
    assert run(trial_of(games=1, players=2, policy="live"))[0].days < 1
