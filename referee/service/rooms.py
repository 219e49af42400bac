"""The rooms of the service, each a capability: the one list by which they are found.

Loading these modules fills the registries of the core and tells hooks who listens. A room that is taken out
here, with its folder, is out of the program: nothing that goes through the registries has to know it.
"""

from __future__ import annotations

from importlib import import_module

ROOMS: tuple[str, ...] = (
    "referee.service.accounts.commands",
    "referee.service.admin.commands",
    "referee.service.calendar.commands",
    "referee.service.cards.commands",
    "referee.service.deadlines.due",
    "referee.service.decisions.commands",
    "referee.service.decisions.due",
    "referee.service.league.commands",
    "referee.service.league.due",
    "referee.service.league.hooks",
    "referee.service.league.page_files",
    "referee.service.league.pages",
    "referee.service.notices.commands",
    "referee.service.notices.due",
    "referee.service.people.commands",
    "referee.service.pictures.commands",
    "referee.service.plans.commands",
    "referee.service.plans.due",
    "referee.service.play.commands",
    "referee.service.tables.commands",
    "referee.service.tables.due",
    "referee.service.talk.commands",
    "referee.service.teaching.commands",
    "referee.service.teaching.hooks",
    "referee.service.time.commands",
    "referee.service.time.due",
    "referee.service.upkeep.due",
    "referee.service.web.commands",
)


def load() -> None:
    """Import them all; a second time changes nothing."""
    for name in ROOMS:
        import_module(name)
