"""The store: the referee's book of people, tables, moves and letters.  Nothing else speaks SQL.

A job is a plain function of a `Tx`; `Store.write` runs it in a transaction and returns when it is on disk::

    number = await store.write(lambda tx: tx.add(Person, name="Ann"))
    ann = await store.read(lambda tx: tx.get(Person, number))
"""
from referee.store.errors import (
    MissingDatabase,
    NewerDatabase,
    OlderDatabase,
    StoreBroken,
    StoreBusy,
    StoreClosed,
    StoreConflict,
    StoreFull,
    StrangeDatabase,
    WrongDatabase,
)
from referee.store.store import Store
from referee.store.tables import (
    Address,
    Alert,
    Alternate,
    Bookmark,
    Deadline,
    Game,
    GameEvent,
    GameRoom,
    Heartbeat,
    Inbox,
    Journal,
    LinkCode,
    Meta,
    Outbox,
    Person,
    PolicyRow,
    Room,
    SeasonTime,
    Seat,
    SeatOffer,
    SeatPlan,
    Undo,
)
from referee.store.tx import Tx

__all__ = [
    "Address",
    "Alert",
    "Alternate",
    "Bookmark",
    "Deadline",
    "Game",
    "GameEvent",
    "GameRoom",
    "Heartbeat",
    "Inbox",
    "Journal",
    "LinkCode",
    "Meta",
    "MissingDatabase",
    "NewerDatabase",
    "OlderDatabase",
    "Outbox",
    "Person",
    "PolicyRow",
    "Room",
    "SeasonTime",
    "Seat",
    "SeatOffer",
    "SeatPlan",
    "Store",
    "StoreBroken",
    "StoreBusy",
    "StoreClosed",
    "StoreConflict",
    "StoreFull",
    "StrangeDatabase",
    "Tx",
    "Undo",
    "WrongDatabase",
]
