"""What the referee does between the rules and the wires.

reception   the inbox: written down first, then worked off
people      who speaks, and what they answer          rooms    groups, and news of the wire
desk        one message: who, which table, what wish  replies  answering whoever spoke
tables      wishes before a game                      answers  wishes that only ask
lobby       create, join, muster, start               moves    orders become moves
hours       deadline rows                             clocks   the bell that rings them
letters     what is to be told                        compose  making the words      post  sending
records     games as records                        alarm    a full disk
doors       which channels are open here            agreed   the hour that several processes go by
administration   what the admin of the house sees and does
"""

from .core.unit_of_work import ServiceSettings
from .runtime.referee import Referee
from .schedule.shared_clock import Agreed

__all__ = ["Agreed", "Referee", "ServiceSettings"]
