"""The rooms of the service, each a capability: the one list by which they are found.

Loading these modules fills the registries of the core and tells hooks who listens. A room that is taken out
here, with its folder, is out of the program: nothing that goes through the registries has to know it.
"""

from __future__ import annotations

from importlib import import_module

ROOMS: tuple[str, ...] = (
    "referee.service.accounts.commands",
    "referee.service.accounts.due",
    "referee.service.accounts.letters",
    "referee.service.admin.commands",
    "referee.service.admin.letters",
    "referee.service.bots.due",
    "referee.service.calendar.commands",
    "referee.service.calendar.letters",
    "referee.service.cards.commands",
    "referee.service.cards.letters",
    "referee.service.deadlines.due",
    "referee.service.deadlines.letters",
    "referee.service.decisions.commands",
    "referee.service.decisions.due",
    "referee.service.decisions.hooks",
    "referee.service.decisions.letters",
    "referee.service.hours.commands",
    "referee.service.hours.due",
    "referee.service.hours.hooks",
    "referee.service.hours.letters",
    "referee.service.inbound.hooks",
    "referee.service.league.commands",
    "referee.service.league.due",
    "referee.service.league.hooks",
    "referee.service.league.letters",
    "referee.service.league.public.page_files",
    "referee.service.league.public.pages",
    "referee.service.league.personal_data",
    "referee.service.league.table_keys",
    "referee.service.league.web.mine",
    "referee.service.league.web.office",
    "referee.service.notices.commands",
    "referee.service.notices.due",
    "referee.service.notices.letters",
    "referee.service.people.commands",
    "referee.service.people.letters",
    "referee.service.pictures.commands",
    "referee.service.pictures.letters",
    "referee.service.plans.commands",
    "referee.service.plans.due",
    "referee.service.plans.letters",
    "referee.service.play.commands",
    "referee.service.play.letters",
    "referee.service.tables.commands",
    "referee.service.tables.due",
    "referee.service.tables.letters",
    "referee.service.reviews.commands",
    "referee.service.reviews.due",
    "referee.service.reviews.letters",
    "referee.service.talk.commands",
    "referee.service.talk.comments",
    "referee.service.talk.letters",
    "referee.service.teaching.commands",
    "referee.service.teaching.hooks",
    "referee.service.teaching.letters",
    "referee.service.time.commands",
    "referee.service.time.due",
    "referee.service.time.letters",
    "referee.service.upkeep.due",
    "referee.service.web.commands",
    "referee.service.web.letters",
    "referee.service.web.push_notices",
)


def load() -> None:
    """Import them all; a second time changes nothing."""
    for name in ROOMS:
        import_module(name)
