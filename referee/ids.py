"""The numbers that things are known by, each a type of its own: to the type checker a person is no game.

They cost nothing: a `GameId` is an int.  One is made where a bare number comes in (words, links, wires,
JSON); the store gives and takes them typed.
"""

from __future__ import annotations

from typing import NewType

__all__ = [
    "AddressId",
    "DeadlineId",
    "DivisionNo",
    "EntryId",
    "EventNo",
    "GameId",
    "InboxId",
    "JoinId",
    "LeagueId",
    "LeagueProposalId",
    "LeagueReportId",
    "LetterId",
    "MoveNo",
    "PersonId",
    "ProposalId",
    "QuestionNo",
    "RoomId",
    "RoundNo",
    "RowId",
    "SeasonId",
    "SeasonNo",
    "SeatId",
    "SeatNo",
    "SessionId",
    "TableId",
    "TableNo",
]

#: a game, from lobby to final score: the number after "#"
GameId = NewType("GameId", int)
#: where a column or a form says of no game
NO_GAME = GameId(0)

#: somebody who plays, on however many channels
PersonId = NewType("PersonId", int)
#: where a column says of nobody
NOBODY = PersonId(0)
#: where a person can be written to: a row of `address`
AddressId = NewType("AddressId", int)
#: a group or room in which the referee may speak
RoomId = NewType("RoomId", int)
#: a seat's row, whatever its number at the table
SeatId = NewType("SeatId", int)
#: what arrived: a row of `inbox`
InboxId = NewType("InboxId", int)
#: a letter to be sent: a row of `outbox`
LetterId = NewType("LetterId", int)
#: where a letter takes the place of no other
NO_LETTER = LetterId(0)
#: a deadline's row
DeadlineId = NewType("DeadlineId", int)
#: an act of a table that waits for a vote
ProposalId = NewType("ProposalId", int)
#: two accounts that are to be one
JoinId = NewType("JoinId", int)
#: a browser in which somebody is signed in
SessionId = NewType("SessionId", int)
#: a league
LeagueId = NewType("LeagueId", int)
#: where a question is of no league, or of all
NO_LEAGUE = LeagueId(0)
#: a season of a league (not its number there)
SeasonId = NewType("SeasonId", int)
#: somebody in a season
EntryId = NewType("EntryId", int)
#: a table of a season, which may not have a game yet
TableId = NewType("TableId", int)
#: an act in office that waits for a second key
LeagueProposalId = NewType("LeagueProposalId", int)
#: a problem that a player of a league has reported
LeagueReportId = NewType("LeagueReportId", int)
#: a place at a table: 0 to n-1, clockwise
SeatNo = NewType("SeatNo", int)
#: a question that the rules put to a seat; counted from 1 in each game, 0 for none
QuestionNo = NewType("QuestionNo", int)
NO_QUESTION = QuestionNo(0)
#: a row that no other row or letter names
RowId = NewType("RowId", int)
#: an order that was played; counted from 1 in each game
MoveNo = NewType("MoveNo", int)
#: something that happened; counted from 1 in each game, 0 for nothing yet
EventNo = NewType("EventNo", int)
NO_EVENT = EventNo(0)
#: numbers within a league, as people say them, each counted from 1; of a season, 0 for all of its rounds, or
#: all divisions
SeasonNo = NewType("SeasonNo", int)
RoundNo = NewType("RoundNo", int)
ALL_ROUNDS = RoundNo(0)
DivisionNo = NewType("DivisionNo", int)
ALL_DIVISIONS = DivisionNo(0)
TableNo = NewType("TableNo", int)
