"""What the referee does between the rules and the wires: a package for each capability, and the machinery.

core        the unit of work, the outbox, tokens, counters
people      who speaks, and how they are answered     accounts  a person's accounts, joined and parted
inbound     the way of a message                      outbound  the way of a letter
schedule    deadlines ring                            deadlines what a table knows of its clocks
tables      from the lobby to the last seat           play      orders become moves
plans       orders filed ahead                        time      reminders, misses, vacations
decisions   votes, pauses, rewinds                    talk      what players say to each other
notices     what leaves when                          teaching  the first game
cards       help about cards                          pictures  in letters
calendar    a person's deadlines                      web       the pages
league      the league office                         admin     what an admin sees and does
hours       when a table sits down live               bots      seats that a program plays, hints
reviews     what cost somebody a game                 runtime   the referee as one process
upkeep      backups, restoring, retention             rooms     the list of all that take part
"""

from . import rooms
from .core.settings import ForTesting, ServiceSettings
from .outbound.channel_leases import NoChannel
from .runtime.referee import Referee
from .schedule.shared_clock import SharedClock

rooms.load()

__all__ = ["ForTesting", "NoChannel", "Referee", "ServiceSettings", "SharedClock"]
