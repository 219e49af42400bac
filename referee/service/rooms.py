"""The rooms of the service: the modules that add what they have to the core's registries when imported."""

from __future__ import annotations

from importlib import import_module

ROOMS: tuple[str, ...] = (
    "referee.service.accounts.letters",
    "referee.service.admin.letters",
    "referee.service.calendar.letters",
    "referee.service.cards.letters",
    "referee.service.deadlines.letters",
    "referee.service.decisions.letters",
    "referee.service.league.letters",
    "referee.service.notices.letters",
    "referee.service.people.letters",
    "referee.service.pictures.letters",
    "referee.service.plans.letters",
    "referee.service.play.letters",
    "referee.service.tables.letters",
    "referee.service.talk.letters",
    "referee.service.time.letters",
    "referee.service.web.letters",
)


def load() -> None:
    """Import them all; a second time changes nothing."""
    for name in ROOMS:
        import_module(name)
