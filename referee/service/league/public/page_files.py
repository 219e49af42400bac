"""Files about leagues for strangers: pictures, tables for other programs, the calendar of a league's
dates.
"""

from __future__ import annotations

from referee.ids import DivisionNo
from referee.text.rendering.pictures import progress_picture, standings_picture

from ...web.site import hooks
from ...web.site.page_cache import PageContext, PageSpec, Wanted
from ..scores import standings
from . import calendar as league_calendar
from . import exports
from . import pages as leagues

#: how a picture is asked for: what it shows, and of which division
_PICTURES = ("standings", "progress")


def picture(look: PageContext, wanted: Wanted) -> tuple[str, str, str] | None:
    """Standings or progress of one division, as SVG."""
    book, what, number = leagues.book_of(look, wanted), wanted["what"], leagues.number(wanted, "division")
    if book is None or what not in _PICTURES:
        return None
    shown = standings.standings(leagues.uow(look), book, DivisionNo(number))
    if len(shown["divisions"]) != 1:
        return None
    theme = "dark" if wanted.get("theme") == "dark" else "light"
    season, division = shown["season"], shown["divisions"][0]
    if what == "standings":
        return (
            "",
            standings_picture(look.words, look.language, theme, book.league.name, season, division).svg,
            "image/svg+xml",
        )
    ranks = standings.progress(leagues.uow(look), book, division["no"])
    return (
        "",
        progress_picture(look.words, look.language, theme, book.league.name, season, division, ranks).svg,
        "image/svg+xml",
    )


def sheet(look: PageContext, wanted: Wanted) -> tuple[str, str, str] | None:
    """One sheet as CSV."""
    book = leagues.book_of(look, wanted)
    if book is None or wanted["sheet"] not in exports.SHEETS:
        return None
    file = exports.export_file(leagues.uow(look), book, "csv", wanted["sheet"])
    return file.name, file.data.decode(), file.media_type


def document(look: PageContext, wanted: Wanted) -> tuple[str, str, str] | None:
    """The season as JSON."""
    book = leagues.book_of(look, wanted)
    if book is None:
        return None
    file = exports.export_file(leagues.uow(look), book, "json")
    return file.name, file.data.decode(), file.media_type


def calendar(look: PageContext, wanted: Wanted) -> tuple[str, str, str] | None:
    """The dates of a league's newest season, to subscribe to."""
    league = leagues.league_of(look.tx, wanted)
    return (
        None
        if league is None
        else (
            "",
            league_calendar.league_calendar_file(look.tx, look.words, look.language, league).decode(),
            "text/calendar",
        )
    )


PAGES = {
    "league_picture": PageSpec(
        ("league", "season", "division", "what", "theme"), leagues.of_league, file=picture
    ),
    "league_sheet": PageSpec(("league", "season", "sheet"), leagues.of_league, file=sheet),
    "league_document": PageSpec(("league", "season"), leagues.of_league, file=document),
    "league_calendar": PageSpec(("league",), leagues.of_league, file=calendar),
}
for _name, _page in PAGES.items():
    hooks.MORE.add(_name, _page, __name__)
