"""The rooms of the service, each a capability: the one list by which they are found.

Importing this module fills the registries (core/commands.py) and tells the hooks who listens. A room that is
taken out here, with its folder, is out of the program: nothing else names it but what its capability is made
of elsewhere (words, templates, tests).
"""

from __future__ import annotations

from .accounts import commands as accounts
from .admin import commands as admin
from .calendar import commands as calendar
from .cards import commands as cards
from .decisions import commands as decisions
from .league import chat as league
from .league import hooks as league_hooks
from .league import outages as league_outages
from .notices import commands as notices
from .people import commands as people
from .pictures import commands as pictures
from .plans import commands as plans
from .play import commands as play
from .tables import commands as tables
from .talk import commands as talk
from .teaching import commands as teaching
from .teaching import hooks as teaching_hooks
from .time import commands as time
from .web import commands as web

#: what people may say, room by room
ROOMS = (
    people,
    accounts,
    notices,
    play,
    plans,
    tables,
    time,
    decisions,
    talk,
    teaching,
    cards,
    calendar,
    pictures,
    web,
    league,
    admin,
)
#: what else has to do with what happens elsewhere
LISTENING = (teaching_hooks, league_hooks, league_outages)
