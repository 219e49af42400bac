"""The store: the referee's database of people, tables, moves and letters.  Nothing else speaks SQL.

A job is a plain function of a `Tx`; `Store.write` runs it in a transaction and returns when it is on disk::

    number = await store.write(lambda tx: tx.add(Person, name="Ann"))
    ann = await store.read(lambda tx: tx.get(Person, number))
"""

from typing import TYPE_CHECKING, Any

from referee.store.account_tables import AccountJoin, WrongCode
from referee.store.addresses import shown
from referee.store.count_queries import DayCount
from referee.store.errors import (
    MissingDatabase,
    NewerDatabase,
    OccupiedDatabase,
    OlderDatabase,
    StoreBroken,
    StoreBusy,
    StoreClosed,
    StoreConflict,
    StoreFull,
    StrangeDatabase,
    WrongDatabase,
)
from referee.store.packed_games import GamePack
from referee.store.packed_rows import DamagedPack, sound
from referee.store.store import Store
from referee.store.tables import (
    Address,
    Alert,
    Allowance,
    Alternate,
    Blocked,
    Bookmark,
    CalendarEntry,
    CalendarLink,
    DailyLetter,
    Deadline,
    Deal,
    Game,
    GameEvent,
    GameReview,
    GameRoom,
    Heartbeat,
    Inbox,
    Journal,
    Lease,
    LinkCode,
    Meta,
    Mute,
    Outbox,
    PackedGame,
    Person,
    PolicyRow,
    Proposal,
    Room,
    SeasonTime,
    Seat,
    SeatOffer,
    SeatPlan,
    StepComment,
    Talker,
    Undo,
)
from referee.store.transfer import moved
from referee.store.tx import Tx
from referee.store.web_tables import WebLink, WebSession

if TYPE_CHECKING:
    from referee.store.league_tables import (
        Entry,
        League,
        LeagueProposal,
        LeagueReport,
        LeagueRole,
        LeagueRoom,
        OfficeLog,
        Season,
        SeasonDivision,
        SeasonRound,
        SeasonTable,
        TableResult,
    )
else:

    def __getattr__(name: str) -> Any:
        """The league's tables, loaded where somebody asks for them: a command that has no need of a league
        starts the sooner.
        """
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from referee.store import league_tables

        return getattr(league_tables, name)


__all__ = [
    "AccountJoin",
    "Address",
    "Alert",
    "Allowance",
    "Alternate",
    "Blocked",
    "Bookmark",
    "CalendarEntry",
    "CalendarLink",
    "DailyLetter",
    "DamagedPack",
    "DayCount",
    "Deadline",
    "Deal",
    "Entry",
    "Game",
    "GameEvent",
    "GamePack",
    "GameReview",
    "GameRoom",
    "Heartbeat",
    "Inbox",
    "Journal",
    "League",
    "LeagueProposal",
    "LeagueReport",
    "LeagueRole",
    "LeagueRoom",
    "Lease",
    "LinkCode",
    "Meta",
    "MissingDatabase",
    "Mute",
    "NewerDatabase",
    "OccupiedDatabase",
    "OfficeLog",
    "OlderDatabase",
    "Outbox",
    "PackedGame",
    "Person",
    "PolicyRow",
    "Proposal",
    "Room",
    "Season",
    "SeasonDivision",
    "SeasonRound",
    "SeasonTable",
    "SeasonTime",
    "Seat",
    "SeatOffer",
    "SeatPlan",
    "StepComment",
    "Store",
    "StoreBroken",
    "StoreBusy",
    "StoreClosed",
    "StoreConflict",
    "StoreFull",
    "StrangeDatabase",
    "TableResult",
    "Talker",
    "Tx",
    "Undo",
    "WebLink",
    "WebSession",
    "WrongCode",
    "WrongDatabase",
    "moved",
    "shown",
    "sound",
]
