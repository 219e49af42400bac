"""What pictures show, of games as they are and of names as nobody should have them; looked at as SVG and as
PNG.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from referee import png as drawing
from referee import rules
from referee.png import png
from referee.text import Words
from referee.text.folders import shipped
from referee.text.rendering import emblems, pictures
from referee.text.rendering.pictures import metrics
from referee.text.rendering.pictures.looks import KINDS, THEMES, colours
from tests.text.pictured_games import NAMES, crowded, late, position

WORDS = Words(strict=True)
LANGUAGES = ("en", "pt_BR")
ODD = (
    '<image href="file:///etc/passwd"/>',
    "שלום עולם",
    "🦊🐉👩‍👩‍👧",
    "Maximiliane-Wilhelmine Freifrau von und zu Hohenzollern-Sigmaringen",
    "مرحبا",
    "]]><script>alert(1)</script>",
    "漢字の名前",
    "a&b \"c\" 'd'",
)


def views(edition: str = "deluxe", seats: int = 8) -> Iterator[tuple[str, Any]]:
    yield (
        "draft",
        position(seats, edition, 5, lambda state: bool(state.phase == "draft" and state.round == 3)),
    )
    yield "late", position(seats, edition, 7, late)
    yield "over", position(seats, edition, 7)


def rounds(view: dict[str, Any]) -> list[list[int]]:
    return [[n * seat for seat in range(len(view["players"]))] for n in range(1, 12)]


def every(language: str, theme: str, state: Any) -> Iterator[pictures.Picture]:
    public = rules.view(state, None)
    cast = tuple(rules.rulebook(state).characters)
    yield pictures.table_picture(WORDS, language, theme, public, "#17", cast=cast)
    for ask in rules.asks(state)[:1]:
        view = rules.view(state, ask.seat)
        yield pictures.seat_picture(
            WORDS, language, theme, view, "#17", WORDS.offers(view["ask"], view, language), cast=cast
        )
    if public.get("result"):
        yield pictures.ending_picture(WORDS, language, theme, public, "#17")
        yield pictures.ending_picture(WORDS, language, theme, public, "#17", rounds(public))
    yield pictures.course_picture(WORDS, language, theme, public["players"], rounds(public), "#17")
    shares = [[100 // len(public["players"])] * len(public["players"])] * 30
    yield pictures.chances_picture(WORDS, language, theme, public["players"], shares, "#17")


def words_of(svg: str) -> list[str]:
    return [
        "".join(one.itertext())
        for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("edition", "seats"), [("original", 4), ("classic", 2), ("classic", 7), ("deluxe", 8)]
)
def test_nothing_is_too_small_or_beside_the_sheet(
    language: str, theme: str, edition: str, seats: int
) -> None:
    for _, state in views(edition, seats):
        for one in every(language, theme, state):
            assert min(float(size) for size in re.findall(r'font-size="([\d.]+)"', one.svg)) >= 11
            for box in ElementTree.fromstring(one.svg).iter("{http://www.w3.org/2000/svg}rect"):
                x, wide = float(box.get("x", 0)), float(box.get("width", 0))
                assert x >= 0, one.svg
                assert x + wide <= pictures.WIDTH + 0.1
                assert float(box.get("y", 0)) + float(box.get("height", 0)) <= one.height
            assert (one.height * pictures.ZOOM).is_integer()  # the last row of pixels is a whole one
            assert one.alt.endswith(".")
            assert "<" not in one.alt


def test_a_table_says_all_that_everybody_may_know() -> None:
    state = position(8, "deluxe", 7, late)
    view = rules.view(state, None)
    said = words_of(pictures.table_picture(WORDS, "en", "light", view, "#17").svg)
    assert "Game #17" in said
    assert f"Round {view['round']}" in said
    assert f"rank {view['called']} is called" in said
    for player in view["players"]:
        at = said.index(player["name"])
        mine = said[at : at + 40]
        assert [str(player[key]) for key in ("gold", "hand_size", "points")] == mine[1:4]
        for card in player["city"]:
            assert card["name"] in mine
            assert str(card["cost"]) in mine
        for shown in player["revealed"]:
            assert shown in mine
    assert said.count("has the turn") == 1


def test_every_card_wears_the_emblem_of_the_pages() -> None:
    sheet = emblems.drawings()
    view = rules.view(position(8, "deluxe", 7, late), None)
    svg = pictures.table_picture(WORDS, "en", "light", view, "#17").svg
    drawn = re.findall(r'fill-rule="evenodd">(.*?)</g>', svg)
    districts = [emblems.key(one["name"]) for player in view["players"] for one in player["city"]]
    shown = [emblems.key(name) for player in view["players"] for name in player["revealed"]]
    assert districts
    assert shown
    assert sorted(drawn) == sorted(sheet[key] for key in districts + shown)
    state = position(8, "deluxe", 5, lambda one: bool(one.phase == "draft" and one.round == 3))
    cast = tuple(rules.rulebook(state).characters)
    svg = pictures.table_picture(WORDS, "en", "dark", rules.view(state, None), "#17", cast=cast).svg
    assert all(sheet[emblems.key(name)] in svg for name in cast)


@pytest.mark.parametrize("theme", THEMES)
def test_emblems_have_the_colours_of_the_pages(theme: str) -> None:
    css = (shipped() / "web" / "style.css").read_text(encoding="utf-8")
    where = css.split("@media (prefers-color-scheme: dark)")[THEMES.index(theme)]
    for name, kind in colours(theme)["kinds"].items():
        assert f"--{name}-deep: {kind['deep']};" in where


def test_each_type_has_a_letter_and_a_shape_of_its_own_in_each_language() -> None:
    for language in WORDS.languages:
        lexicon = WORDS.lexicon(language)
        assert len({lexicon.name("types", kind)[0].upper() for kind in KINDS}) == len(KINDS)
    assert (
        len({kind.shape for kind in KINDS.values()})
        == len({kind.colour for kind in KINDS.values()})
        == len(KINDS)
    )


def test_a_public_picture_is_made_of_the_public_view_alone() -> None:
    state = position(8, "deluxe", 7, late)
    with pytest.raises(ValueError, match="everybody"):
        pictures.table_picture(WORDS, "en", "light", rules.view(state, 2), "#17")
    with pytest.raises(ValueError, match="whose"):
        pictures.seat_picture(WORDS, "en", "light", rules.view(state, None), "#17")


def test_a_seat_sees_its_hand_and_its_answers() -> None:
    state = position(
        5, "classic", 3, lambda one: bool(one.phase == "turns" and one.players[rules.asks(one)[0].seat].hand)
    )
    seat = rules.asks(state)[0].seat
    view = rules.view(state, seat)
    assert view["hand"]
    offers = WORDS.offers(view["ask"], view, "en")
    said = words_of(pictures.seat_picture(WORDS, "en", "dark", view, "#17", offers).svg)
    assert set(view["hand"]) <= set(said)
    assert {one["label"] for one in offers} <= set(said)
    assert set(view["characters"]) <= set(said)
    assert f"{NAMES[seat]} (you)" in said


def test_the_score_part_by_part() -> None:
    view = rules.view(position(8, "deluxe", 7), None)
    said = words_of(pictures.ending_picture(WORDS, "en", "light", view, "#17").svg)
    for row in view["result"]["scores"]:
        assert str(row["score"]) in said
        for code, value in row["points"].items():
            assert not value or f"{WORDS.phrase(f'pictures.part_{code}', 'en')} {value}" in said
    assert said.count("won") == len(view["result"]["winners"])


def test_a_part_of_a_score_that_takes_points_away_is_told() -> None:
    view = rules.view(position(2, "classic", 5), None)
    scores = [
        {**row, "points": {"districts": 9, "unique": -2}, "score": 7} for row in view["result"]["scores"]
    ]
    one = pictures.ending_picture(
        WORDS, "en", "light", {**view, "result": {**view["result"], "scores": scores}}, "#17"
    )
    assert "Unique districts -2" in words_of(one.svg)
    assert one.svg.count('height="17"') == 2


def test_lines_that_end_at_one_height_have_their_letters_beside_each_other() -> None:
    players = [{"seat": seat, "name": name} for seat, name in enumerate(NAMES)]
    svg = pictures.course_picture(WORDS, "en", "light", players, [[0] * 8, [0] * 8], "#17").svg
    heights = sorted(float(at) for at in re.findall(r'<text x="339" y="([\d.]+)"', svg))
    assert len(heights) == 8
    assert min(after - before for before, after in pairwise(heights)) >= 12.9
    assert heights[-1] <= 310.1


def test_what_stands_in_a_row_does_not_stand_upon_each_other() -> None:
    view = rules.view(position(8, "deluxe", 7, late), None)
    players = [
        {**player, "name": "W" * 64, "gold": 88, "hand_size": 88, "points": 88} for player in view["players"]
    ]
    svg = pictures.table_picture(WORDS, "en", "light", {**view, "players": players}, "#17").svg
    for player in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        if player.text == "88":
            end = float(player.get("x", 0)) + metrics.width("88", 13, True)
            # where the next sign begins, or the panel ends
            assert end <= {246: 269.5, 287: 310, 327: 352}[int(float(player.get("x", 0)))]
        if (player.text or "").startswith("WW"):
            assert float(player.get("x", 0)) + float(player.get("textLength", 0)) <= 230


@pytest.mark.parametrize("theme", THEMES)
def test_names_that_nobody_should_have(theme: str) -> None:
    state = position(8, "deluxe", 7, late)
    view = rules.view(state, None)
    view = {
        **view,
        "players": [{**player, "name": name} for player, name in zip(view["players"], ODD, strict=True)],
    }
    one = pictures.table_picture(WORDS, "en", theme, view, "#17")
    said = words_of(one.svg)
    assert {kind.tag.partition("}")[2] for kind in ElementTree.fromstring(one.svg).iter()} == {
        "svg",
        "rect",
        "g",
        "text",
        "path",
        "circle",
    }
    assert any(word.startswith("<image href=") for word in said)
    assert "Player C" in said  # nothing but pictographs
    assert "Player G" in said  # signs that the font lacks
    assert any(word.startswith("Maximiliane") and word.endswith("…") for word in said)
    assert any("שלום עולם" in word for word in said)
    assert png(one.svg, pictures.ZOOM)[:4] == b"\x89PNG"
    assert pictures.ending_picture(
        WORDS, "en", theme, {**rules.view(position(8, "deluxe", 7), None), "players": view["players"]}, "#17"
    ).svg


def test_a_picture_reads_no_file_and_names_nothing_outside(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(
        png(
            '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" '
            'height="9" fill="red"/></svg>'
        )
    )
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" '
        'height="9">'
    )
    for inside in (
        f'<image href="{secret}" width="9" height="9"/>',
        f'<image xlink:href="file://{secret}" width="9" height="9"/>',
        "<style>@import 'x'</style>",
        '<rect fill="url(http://example.org/a.svg#b)"/>',
        "<foreignObject/>",
        '<use href="x.svg#a"/>',
    ):
        with pytest.raises(ValueError, match="outside"):
            png(f"{head}{inside}</svg>")
    with pytest.raises(ValueError, match="outside"):
        png(f'<!DOCTYPE svg [<!ENTITY x SYSTEM "file://{secret}">]>{head}</svg>')
    assert png(f"{head}<text>&lt;image href=&#34;{secret}&#34;</text></svg>")


def test_a_missing_font_is_no_picture_without_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = pictures.table_picture(WORDS, "en", "light", rules.view(position(2, "classic", 5), None), "#17")
    monkeypatch.setattr(drawing, "FONTS", (tmp_path / "none.ttf",))
    with pytest.raises(FileNotFoundError):
        png(one.svg)


def test_an_admin_s_own_template_comes_first_and_ours_where_it_goes_wrong(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    view = rules.view(position(2, "classic", 5), None)
    ours = pictures.ending_picture(WORDS, "en", "light", view, "#17").svg
    (tmp_path / "pictures").mkdir()
    own = tmp_path / "pictures" / "ending.svg.j2"
    own.write_text(
        '{% import "parts.svg.j2" as p %}{% call p.sheet(width, height, c) %}<text>mine</text>{% endcall %}'
    )
    assert words_of(pictures.ending_picture(Words([tmp_path]), "en", "light", view, "#17").svg) == ["mine"]
    for number, wrong in enumerate(("{{ nothing.here }}", "{% if %}", "{{ 1 / 0 }}")):
        folder = tmp_path / str(number)
        (folder / "pictures").mkdir(parents=True)
        (folder / "pictures" / "ending.svg.j2").write_text(wrong)
        assert pictures.ending_picture(Words([folder]), "en", "light", view, "#17").svg == ours
    assert "the shipped ones are used" in caplog.text


def test_where_the_font_can_t_be_measured_words_are_guessed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(metrics, "FONTS", (tmp_path / "none.ttf", tmp_path / "none.ttf"))
    metrics._widths.cache_clear()
    try:
        assert metrics.width("Ann", 10) == pytest.approx(18.6)
        assert metrics.legible("Ann")
        assert pictures.table_picture(
            WORDS, "en", "light", rules.view(position(2, "classic", 5), None), "#17"
        ).svg
    finally:
        metrics._widths.cache_clear()


def test_words_are_cut_where_there_is_no_more_room() -> None:
    assert metrics.cut("Ann", 100, 11) == "Ann"
    short = metrics.cut("Bartholomew the Elder", 60, 11)
    assert short.endswith("…")
    assert metrics.width(short, 11) <= 60
    assert metrics.cut("\u2068שלום עולם שלום\u2069", 40, 11).endswith("…\u2069")
    assert metrics.wrapped("build Market for two gold", 60, 11, 2)[-1].endswith("…")


def test_the_largest_picture_is_small_and_says_nothing_of_whoever_made_it() -> None:
    view = crowded(rules.view(position(8, "deluxe", 7, late), None))
    made = png(pictures.table_picture(WORDS, "pt_BR", "light", view, "#17").svg, pictures.ZOOM)
    assert len(made) <= 170_000  # the figure is 200,000
    at, kinds = 8, set()
    while at < len(made):
        length, kind = struct.unpack_from(">I4s", made, at)
        kinds.add(kind)
        at += 12 + length
    assert kinds == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    assert struct.unpack_from(">I", made, 16)[0] == round(pictures.WIDTH * pictures.ZOOM)
