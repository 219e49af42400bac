"""No pattern takes more than three times as long for twice the text: every one of the code is tried with
texts made of its own parts.

The engine of `re` backtracks. Texts are grown up to 100 kB; what is measured is seconds of work of this
thread, so a loaded machine changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.attacks import pumps
from tests.attacks.patterns import ALL_WAYS, MADE, Site, objects, routes, sites
from tests.attacks.pumps import Slow, slow
from tests.seeds import ALL

#: in so many parts; the code is looked through when the first of them is tried
PARTS = 16
#: about a sixth of the texts that each is tried with here
TEXTS = 50 if ALL else 20


def complained(site: Site, found: Slow | None) -> str:
    if found is None:
        return ""
    return (
        f"{site.where}: {site.pattern.pattern!r} under {found.way}: {found.once * 1000:.1f} ms "
        f"for {found.size} signs, "
        f"{found.twice * 1000:.1f} ms for twice as many: {found.text}"
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_is_slower_than_its_text_is_long(part: int) -> None:
    standing = sites()[0][part::PARTS]
    assert standing
    found = [complained(site, slow(site.pattern, site.ways, most=TEXTS)) for site in standing]
    assert not [each for each in found if each]


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_nor_when_it_is_tried_for_long(part: int) -> None:
    for site in sites()[0][part::PARTS]:
        for seed in range(2, 8):
            assert not complained(site, slow(site.pattern, site.ways, seed, most=150))


@pytest.mark.parametrize("made", MADE, ids=lambda made: f"{made.path}:{made.function}")
def test_nor_one_that_is_made_at_run_time(made: object) -> None:
    patterns = list(MADE[made]())
    assert patterns
    for pattern in {each.pattern: each for each in patterns}.values():
        site = Site(
            str(made),
            pattern,
            frozenset({"fullmatch"}) if "foreign" in str(made) else frozenset({"finditer"}),
        )
        assert not complained(site, slow(site.pattern, site.ways))


def test_nor_an_address_of_a_page() -> None:
    found = list(routes())
    assert len(found) >= 8
    for where, pattern in found:
        site = Site(where, pattern, frozenset({"fullmatch"}))
        assert not complained(site, slow(pattern, site.ways))


def test_they_are_all_looked_at() -> None:
    """Many were found; every place that makes one at run time has its row, and no row is without a place; no
    module holds another one.
    """
    standing, at_run_time = sites()
    assert len(standing) >= 100
    assert set(at_run_time) == set(MADE)
    assert all(count == 1 for count in Counter(at_run_time).values())
    known = {site.pattern for site in standing}
    assert not [where for where, pattern in objects() if pattern not in known]
    assert sum(1 for _ in objects()) >= 80


@pytest.mark.parametrize(
    ("pattern", "way"),
    [
        (r"(a+)+$", "match"),
        (r"(a|a)*b", "match"),
        (r"(?:\w+\s?)*!", "fullmatch"),
        (r"^(?:[^<>]+|<[^>]*>)*$", "match"),  # exponential
        (r"\s+$", "search"),
        (r"\s*#\d+\s*$", "search"),
        (r"<[^>]*>", "finditer"),
        (r"[\w.]+@[\w.]+", "search"),
        (r"\d+\w+x", "fullmatch"),
        (r"^(?:On|.{0,60}<[^<>\s]+@[^<>\s]+>)", "match"),
        (r"(.+?): (.+?), (.+?)", "fullmatch"),
        (r"a.*b.*c", "match"),  # quadratic and worse
    ],
)
def test_a_planted_one_is_found(pattern: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pumps, "GIVEN_UP", 0.05)  # none of these comes to an end
    assert slow(re.compile(pattern), frozenset({way}))


@pytest.mark.parametrize(
    ("pattern", "ways"),
    [
        (r"\s++", ALL_WAYS),
        (r"[a-z]{1,9}\d", ALL_WAYS),
        (r"^\s*\S+$", frozenset({"match"})),
        (r"(?<!\s)\s++$", frozenset({"search"})),
        ("|".join(f"word{n}" for n in range(300)), ALL_WAYS),
        (r"<[^<>]*>", frozenset({"match"})),
    ],
)
def test_a_good_one_is_not(pattern: str, ways: frozenset[str]) -> None:
    assert slow(re.compile(pattern), ways) is None
