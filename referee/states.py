"""The states that rows are in, and the kinds of deadlines: each word once.

They are strings, so a row holds the word itself, in the database as in a record.
"""

from __future__ import annotations

from enum import StrEnum


class GameStatus(StrEnum):
    """Where a table stands."""

    LOBBY = "lobby"  # people sit down
    MUSTERING = "mustering"  # everybody was asked whether they are ready
    RUNNING = "running"
    FROZEN = "frozen"  # it could not go on: an admin looks at it
    OVER = "over"  # played to its end
    ABANDONED = "abandoned"  # given up


#: tables at which people gather, those that are not at an end, and those that are
GATHERING = (GameStatus.LOBBY, GameStatus.MUSTERING)
ALIVE = (*GATHERING, GameStatus.RUNNING, GameStatus.FROZEN)
ENDED = (GameStatus.OVER, GameStatus.ABANDONED)


class TablePage(StrEnum):
    """Who may see a table on the web without an address that nobody guesses."""

    PUBLIC = "public"
    WATCHED = "watched"  # everybody, once a room watches it
    PRIVATE = "private"


class InboxState(StrEnum):
    """What became of a message."""

    NEW = "new"
    DONE = "done"
    SHUNTED = "shunted"  # handling it broke three times
    PARKED = "parked"  # processes died of it
    DROPPED = "dropped"  # by an admin
    REFUSED = "refused"  # its sender is blocked, or wrote too much


class OutboxState(StrEnum):
    """Where a letter is on its way."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNKNOWN = "unknown"  # it may have arrived
    DROPPED = "dropped"  # its question was gone, or a newer letter took its place


class DeadlineKind(StrEnum):
    """What happens when a deadline rings."""

    REMIND = "remind"
    VACATION = "vacation"
    ANSWER = "answer"
    PLAN = "plan"  # a plan answers
    ALTERNATE = "alternate"  # the time to take a seat is up
    VOTE = "vote"
    PAUSE = "pause"  # it has lasted long enough
    GATHER = "gather"  # who missed the first round is waited for no longer
    MEETING = "meeting"  # an hour on which all have agreed is about to begin
    AMENDS = "amends"  # a miss that was our fault is taken back
    BOT = "bot"  # a bot answers after a pause
    THINK = "think"  # a bot is to think about its answer; rings where nobody let it
    THINKING = "thinking"  # a process lets it think; rings where that process is gone
    HINT = "hint"  # a person asked for a hint: it waits for its turn among the thoughts of bots
    HINTING = "hinting"  # it is thought about
    REVIEW = (
        "review"  # somebody asked what cost them a finished game: a decision of theirs waits to be judged
    )
    REVIEWING = "reviewing"  # it is judged
    # what a row that has rung is kept as
    MISSED = "missed"
    STOOD = "stood"
    AMENDED = "amended"


class AddressState(StrEnum):
    """Whether somebody can be written to there."""

    NEW = "new"
    GREEN = "green"  # a round trip was seen
    BLOCKED = "blocked"
    BOUNCED = "bounced"


class RoomState(StrEnum):
    """Whether the referee can speak in a room."""

    OPEN = "open"
    CLOSED = "closed"


class OfferState(StrEnum):
    """What became of a seat's offer to somebody."""

    ASKED = "asked"
    DECLINED = "declined"
    SILENT = "silent"


class ProposalState(StrEnum):
    """What became of a proposal: at a table, in a league, or that two accounts be one person's."""

    OPEN = "open"
    DONE = "done"
    REFUSED = "refused"
    LAPSED = "lapsed"
    UNDONE = "undone"  # two accounts again
    MOOT = "moot"  # done otherwise, or the table is no longer played at


class SeasonState(StrEnum):
    """How far a season is."""

    SIGNUP = "signup"
    DRAWN = "drawn"
    RUNNING = "running"
    OVER = "over"
    VOID = "void"


#: seasons that go on
GOING_ON = (SeasonState.SIGNUP, SeasonState.DRAWN, SeasonState.RUNNING)


class RoundState(StrEnum):
    """How far a round of a season is."""

    PLANNED = "planned"
    OPEN = "open"
    CLOSED = "closed"


class TableState(StrEnum):
    """What a season knows of one of its tables."""

    PLANNED = "planned"
    GATHERING = "gathering"
    PLAYING = "playing"
    OVER = "over"
    RULED = "ruled"  # its result was set by those who run the league
    VOID = "void"
    REPLAYED = "replayed"


#: tables of a season whose result is not there yet
UNDECIDED = (TableState.PLANNED, TableState.GATHERING, TableState.PLAYING)


class EntryState(StrEnum):
    """Where somebody stands in a season."""

    SIGNED = "signed"
    PLAYING = "playing"
    WAITING = "waiting"  # as an alternate
    WITHDRAWN = "withdrawn"
    REMOVED = "removed"
    REFUSED = "refused"


class ReportState(StrEnum):
    """Whether somebody in charge of a league has still to see to a problem."""

    OPEN = "open"
    CLOSED = "closed"


class CalendarState(StrEnum):
    """Whether an entry of a calendar is still ahead."""

    OPEN = "open"
    ENDED = "ended"
