"""The tables: what the referee remembers, one class a table.

Times are integer milliseconds UTC (`…_ms`), states are short words, composite data is JSON text, a
game's snapshot is bytes: only int, str and bytes columns, so that compiled statements need
no conversion.  These classes are the schema; what leaves the process is never one of them.  The database
gives a new row its `id`.
"""

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from referee.store.columns import (
    AddressId,
    DeadlineId,
    EventNo,
    GameId,
    InboxId,
    LetterId,
    MoveNo,
    Numbered,
    PersonId,
    ProposalId,
    QuestionNo,
    RoomId,
    RowId,
    SeatId,
    SeatNo,
    TableRow,
    partial_index,
)


class Person(TableRow, Numbered[PersonId]):
    """Somebody who plays, on one or several channels.

    `prefer` lists channels, best first; `quiet`: own quiet hours as JSON ([22, 7, "hold"], null: never), ""
    where the table's hold. `notify`: of what they are told unasked (all, turns, urgent, off), "" for all.
    `pictures`: "" (yes), "dark", "off". `hints`: whether they want to be taught (on, off), "" where they
    never said. `now_id`: the person whose accounts theirs were joined to, 0: they are themselves (see
    `account_tables`).
    """

    id: PersonId = Field(default=None, primary_key=True)
    name: str
    language: str = "en"
    zone: str = "UTC"
    prefer: str = ""
    admin: int = 0
    created_ms: int = 0
    quiet: str = Field(default="", sa_column_kwargs={"server_default": ""})
    notify: str = Field(default="", sa_column_kwargs={"server_default": ""})
    pictures: str = Field(default="", sa_column_kwargs={"server_default": ""})
    hints: str = Field(default="", sa_column_kwargs={"server_default": ""})
    now_id: PersonId = Field(default=0, sa_column_kwargs={"server_default": "0"})


class Address(TableRow, Numbered[AddressId]):
    """Where a person can be written to privately.

    `state`: new, green (a round trip was seen), blocked, bounced. `dialogue`: what came from there and moved
    nothing, running (JSON, see `service.dialogue`), "" for nothing. `home_id`: whose it was before it was
    joined to this person's, at `joined_ms`; 0: it always was theirs. `handle`: what people on that channel
    know it by where the address itself is a number ("@ana").
    """

    __table_args__ = (UniqueConstraint("channel", "address"),)
    id: AddressId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id", index=True)
    channel: str
    address: str
    state: str = "new"
    proven_ms: int = 0
    seen_ms: int = 0
    dialogue: str = Field(default="", sa_column_kwargs={"server_default": ""})
    home_id: PersonId = Field(default=0, sa_column_kwargs={"server_default": "0"})
    joined_ms: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    handle: str = Field(default="", sa_column_kwargs={"server_default": ""})


class LinkCode(TableRow, Numbered[RowId]):
    """A code by which somebody asks for two accounts to be joined, once.

    Only its SHA-256 is kept. `address_id`: from which address it was asked for.
    """

    __tablename__ = "link_code"
    id: RowId = Field(default=None, primary_key=True)
    code_hash: str = Field(unique=True)
    person_id: PersonId = Field(foreign_key="person.id")
    expires_ms: int
    used_ms: int = 0
    address_id: AddressId = Field(default=0, sa_column_kwargs={"server_default": "0"})


class Room(TableRow, Numbered[RoomId]):
    """A group or room in which the referee may speak publicly.

    `state`: open or closed. `pictures`: as a person's.
    """

    __table_args__ = (UniqueConstraint("channel", "place"),)
    id: RoomId = Field(default=None, primary_key=True)
    channel: str
    place: str
    name: str = ""
    language: str = "en"
    state: str = "open"
    pictures: str = Field(default="", sa_column_kwargs={"server_default": ""})


class Game(TableRow, Numbered[GameId]):
    """One table from lobby to final score.

    `status`: lobby, mustering, running, over, abandoned, frozen. `settings` is JSON (seats, options, hours,
    entry: open or invite …). `seed` stays secret until the end, `seed_hash` is published at the start.
    `snapshot` is the state as JSON bytes, `question` the number of the open question, `asked` the seats that
    must answer it (comma separated), `clocks` what is known of their time (JSON), `move_no` / `event_no` the
    last numbers used. `archived_ms` 0: it stands in lists. `page`: who may see it on the web
    (`states.TablePage`). `packed_ms`: since when what was played stands in its `PackedGame`, 0 where it
    stands in rows.
    """

    __table_args__ = (
        partial_index("ix_game_page", "status", "id", "page", where="archived_ms = 0"),
        partial_index("ix_game_ended", "ended_ms", where="ended_ms <> 0 AND packed_ms = 0"),
    )
    id: GameId = Field(default=None, primary_key=True)
    status: str = Field(default="lobby", index=True)
    edition: str = "classic"
    settings: str = "{}"
    creator_id: PersonId = Field(foreign_key="person.id")
    seed: str = ""
    seed_hash: str = ""
    snapshot: bytes = b""
    question: QuestionNo = QuestionNo(0)
    asked: str = ""
    move_no: MoveNo = MoveNo(0)
    event_no: EventNo = EventNo(0)
    round: int = 0
    created_ms: int = 0
    started_ms: int = 0
    ended_ms: int = 0
    clocks: str = Field(default="{}", sa_column_kwargs={"server_default": "{}"})
    archived_ms: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    page: str = Field(default="public", sa_column_kwargs={"server_default": "public"})
    packed_ms: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class PackedGame(TableRow):
    """What was played and what happened at a table that has been over for a while: its journal, its events,
    the deals that were given up, as one value (`store.packed_games`).
    """

    __tablename__ = "packed_game"
    game_id: GameId = Field(primary_key=True, foreign_key="game.id")
    data: bytes


class Seat(TableRow, Numbered[SeatId]):
    """A place at a table: a person or a bot.

    `told` is the last event number that a letter told them; `invited` marks a place kept for somebody who has
    not yet said yes. `notify`: of what the player is told here, "" as in all their games. `lessons`: how the
    player is taught here, and what they have been told (`service.teaching`). `packed`: 1 where the game is
    (`Game.packed_ms`), so that who has played for years is not looked through for what is played now.
    """

    __table_args__ = (
        UniqueConstraint("game_id", "no"),
        partial_index("ix_seat_now", "person_id", where="packed = 0"),
    )
    id: SeatId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    no: SeatNo
    person_id: PersonId | None = Field(default=None, foreign_key="person.id", index=True)
    bot: str = ""
    name: str
    ready: int = 0
    word: str = ""
    told: EventNo = EventNo(0)
    misses: int = 0
    channel: str = ""
    notify: str = Field(default="", sa_column_kwargs={"server_default": ""})
    lessons: str = Field(default="", sa_column_kwargs={"server_default": ""})
    packed: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class GameRoom(TableRow, Numbered[RowId]):
    """A room that watches a game, and its living table message there."""

    __tablename__ = "game_room"
    __table_args__ = (UniqueConstraint("game_id", "room_id"),)
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    room_id: RoomId = Field(foreign_key="room.id", index=True)
    wire_id: str = ""
    told: EventNo = EventNo(0)


class Inbox(TableRow, Numbered[InboxId]):
    """What arrived, as it arrived.

    `state`: new, done, shunted, parked (processes died of it), dropped (by an admin), refused (`error`: its
    sender is blocked, or wrote too much). Of a done one `error` is why its wish was declined, "" where it was
    carried out. `body` is the Inbound as JSON. `lane` is channel and sender:
    messages of one lane are handled one after the other.
    """

    __table_args__ = (
        UniqueConstraint("channel", "key"),
        partial_index("ix_inbox_lane", "lane", "id", where="state = 'new' AND lane <> ''"),
        partial_index("ix_inbox_new", "id", where="state = 'new'"),
        partial_index("ix_inbox_shunted", "id", where="state = 'shunted'"),
    )
    id: InboxId = Field(default=None, primary_key=True)
    channel: str
    key: str
    body: bytes
    at_ms: int
    state: str = "new"
    tries: int = 0
    error: str = ""
    done_ms: int = 0
    lane: str = Field(default="", sa_column_kwargs={"server_default": ""})


class Bookmark(TableRow):
    """Where an adapter stopped reading (offset, sync token, UID)."""

    channel: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    value: str


class Journal(TableRow, Numbered[RowId]):
    """Orders that were played, in order.

    `by`: person, bot, clock, caretaker, standin (a bot for somebody who is gone), admin, plan (filed ahead by
    the player; `cause` is then the number of the move that set it off). Undone ones stay, marked: 1, or 2
    where their whole deal was given up.
    """

    __table_args__ = (UniqueConstraint("game_id", "no"),)
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    no: MoveNo
    seat: SeatNo
    question: QuestionNo
    order: str
    by: str
    inbox_id: InboxId | None = None
    at_ms: int
    undone: int = 0
    cause: MoveNo | None = None


class SeatPlan(TableRow, Numbered[RowId]):
    """What a seat's player has filed ahead: a secret of that seat.

    `data` is the plan and `memory` what it keeps in mind, both JSON (`referee.plans`); `round` and `filed_ms`
    tell when it was filed, `place` from which channel and address.
    """

    __tablename__ = "seat_plan"
    __table_args__ = (UniqueConstraint("game_id", "seat"),)
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    seat: SeatNo
    data: str
    memory: str
    round: int = 0
    filed_ms: int = 0
    place: str = ""


class GameEvent(TableRow, Numbered[RowId]):
    """What happened, as the rules told it.  `to_seat` None: everybody may know."""

    __tablename__ = "game_event"
    __table_args__ = (UniqueConstraint("game_id", "no"),)
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    no: EventNo
    to_seat: SeatNo | None = None
    name: str
    facts: str
    at_ms: int


class Deadline(TableRow, Numbered[DeadlineId]):
    """When something must have happened.

    `question`: the one that was open when it was written (a turn asks several). `kind`: remind, vacation,
    answer, plan (a plan answers), alternate (time to take a seat is up), or of the table as a whole: vote
    (`question`: the proposal), pause (it has lasted long enough), gather (`question`: the person who missed
    is waited for no longer), amends (`question`: the row of a miss that was our fault and is taken back);
    of a bot's question: bot (it answers after a pause), think and thinking (it is in the queue of those that
    think long, or in hand; due when it is answered otherwise).
    Claimed by setting `done_ms`.
    """

    __table_args__ = (
        partial_index("ix_deadline_due", "due_ms", where="done_ms = 0"),
        Index("ix_deadline_kind", "kind", "done_ms"),
        partial_index("ix_deadline_game", "game_id", where="done_ms = 0"),
    )
    id: DeadlineId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    seat: SeatNo
    question: QuestionNo
    kind: str
    due_ms: int
    done_ms: int = 0


class Outbox(TableRow, Numbered[LetterId]):
    """A letter to be written and sent.

    `state`: queued, sending, sent, failed, unknown, dropped (its question was gone or a newer one took its
    place). `kind` and `data` (JSON) say what to write; `letter` (JSON) holds the frozen words once they are
    made, with the offered answers: a button's key and a mail's reply token name this row and are signed.
    `upto` is the last event number it tells. `collapse` is "" or a name of which at most one letter is queued
    at a time.
    """

    __table_args__ = (
        partial_index(
            "ix_outbox_channel", "channel", "not_before_ms", "id", where="state = 'queued' AND channel <> ''"
        ),
        partial_index(
            "ix_outbox_chat",
            "channel",
            "address",
            "place",
            "not_before_ms",
            "id",
            where="state = 'queued' AND channel <> ''",
        ),
        partial_index("ix_outbox_queued", "not_before_ms", where="state = 'queued'"),
        partial_index("ix_outbox_sending", "id", where="state = 'sending'"),
        partial_index(
            "uq_outbox_collapse", "collapse", where="state = 'queued' AND collapse <> ''", unique=True
        ),
        partial_index("ix_outbox_failed", "id", where="state = 'failed'"),
        partial_index("ix_outbox_unknown", "id", where="state = 'unknown'"),
        partial_index("ix_outbox_collapse", "collapse", where="collapse <> ''"),
        partial_index("ix_outbox_wire", "channel", "wire_id", where="wire_id <> ''"),
        Index("ix_outbox_game", "game_id", "seat"),
    )
    id: LetterId = Field(default=None, primary_key=True)
    channel: str
    address: str = ""
    place: str = ""
    person_id: PersonId | None = None
    game_id: GameId | None = None
    seat: SeatNo | None = None
    question: QuestionNo = QuestionNo(0)
    kind: str
    data: str = "{}"
    letter: str = ""
    upto: EventNo = EventNo(0)
    collapse: str = ""
    state: str = "queued"
    tries: int = 0
    not_before_ms: int = 0
    expires_ms: int = 0
    wire_id: str = ""
    error: str = ""
    created_ms: int = 0
    sent_ms: int = 0


class Undo(TableRow, Numbered[RowId]):
    """The snapshot before a move that may still be taken back."""

    __table_args__ = (UniqueConstraint("game_id", "no"),)
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    no: MoveNo
    snapshot: bytes
    due_ms: int = 0


class Alternate(TableRow, Numbered[RowId]):
    """Somebody who would take a seat that has become free: at one table, or (`game_id` 0) at any."""

    __table_args__ = (UniqueConstraint("person_id", "game_id"), Index("ix_alternate_game_id", "game_id"))
    id: RowId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id")
    game_id: GameId = GameId(0)
    since_ms: int = 0


class SeatOffer(TableRow, Numbered[RowId]):
    """Who was asked to take a seat that is to be had, while it is.

    `state`: asked, declined or silent.
    """

    __tablename__ = "seat_offer"
    __table_args__ = (UniqueConstraint("game_id", "seat", "person_id"),)
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    seat: SeatNo
    person_id: PersonId = Field(foreign_key="person.id")
    state: str = "asked"
    asked_ms: int = 0


class SeasonTime(TableRow, Numbered[RowId]):
    """The vacation that a person took in a season, in all of its games together: pairs of moments as JSON."""

    __tablename__ = "season_time"
    __table_args__ = (UniqueConstraint("season", "person_id"),)
    id: RowId = Field(default=None, primary_key=True)
    season: str
    person_id: PersonId = Field(foreign_key="person.id")
    vacations: str = "[]"


class PolicyRow(TableRow):
    """A policy that the installation has given a name: `words` as an admin typed it, `row` what it came to
    then (JSON).
    """

    __tablename__ = "policy_row"
    name: str = Field(primary_key=True)
    words: str
    row: str
    created_ms: int = 0


class Proposal(TableRow, Numbered[ProposalId]):
    """An act of the table that waits for a vote or for a second key.

    `act`: pause, resume, extend, offer, kick, rewind or process; `facts` what it is about (JSON). `person_id`
    proposed it, from `seat` (None: from outside). `held` are the persons whose keys are in, `answers` the
    votes {seat: 1 or 0}, both JSON. `state`: open, done, refused, lapsed, or moot (it was done otherwise, or
    the table is no longer played at).
    """

    __table_args__ = (Index("ix_proposal_game_id", "game_id"),)
    id: ProposalId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    act: str
    facts: str = "{}"
    person_id: PersonId = Field(foreign_key="person.id")
    seat: SeatNo | None = None
    held: str = "[]"
    answers: str = "{}"
    state: str = "open"
    at_ms: int = 0
    due_ms: int = 0
    closed_ms: int = 0


class Deal(TableRow, Numbered[RowId]):
    """A deal that was given up in its first round, with its seed, opened, and its record, which anybody can
    check. `seat` missed.
    """

    __table_args__ = (UniqueConstraint("game_id", "no"),)
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    no: int
    seat: SeatNo
    seed: str
    record: str
    at_ms: int = 0


class DailyLetter(TableRow, Numbered[RowId]):
    """One letter a day over all of a person's games, at their own hour.

    `minute` of the local day; `due_ms`: when the next one goes, claimed by moving it on; `told_ms`: up to
    when the last one told.
    """

    __tablename__ = "daily_letter"
    __table_args__ = (UniqueConstraint("person_id"), Index("ix_daily_letter_due_ms", "due_ms"))
    id: RowId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id")
    minute: int
    due_ms: int
    told_ms: int = 0


class Talker(TableRow, Numbered[RowId]):
    """How much somebody has said lately, so that nobody talks a table full: since when and how often, for the
    short while and for the day. What was said, and when exactly, is not kept.
    """

    id: RowId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id", unique=True)
    since_ms: int = 0
    spoken: int = 0
    day_ms: int = 0
    day: int = 0


class Mute(TableRow, Numbered[RowId]):
    """What somebody does not want to hear.

    `what`: person (`other_id`, at all tables), whispers or talk (of the table `game_id`).
    """

    __table_args__ = (Index("ix_mute_person_id", "person_id"),)
    id: RowId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id")
    what: str
    other_id: PersonId | None = Field(default=None, foreign_key="person.id")
    game_id: GameId | None = Field(default=None, foreign_key="game.id")


class StepComment(TableRow, Numbered[RowId]):
    """What a player wrote below a position of a finished game: the one after the step that ends with event
    `event_no`. `seat` is the one that they had.
    """

    __tablename__ = "step_comment"
    __table_args__ = (
        Index("ix_step_comment_game_id", "game_id"),
        Index("ix_step_comment_person_id", "person_id"),
    )
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    event_no: EventNo
    person_id: PersonId = Field(foreign_key="person.id")
    seat: SeatNo
    text: str
    at_ms: int


class GameReview(TableRow, Numbered[RowId]):
    """What cost somebody a finished game that they played in `seat`, as far as it is known.

    `upto`: the last order of theirs that was judged; `data`: what is kept of those (JSON,
    `service.reviews.findings`). `done_ms` 0: it is being worked at.
    """

    __tablename__ = "game_review"
    __table_args__ = (
        UniqueConstraint("game_id", "seat"),
        Index("ix_game_review_person_id", "person_id", "asked_ms"),
    )
    id: RowId = Field(default=None, primary_key=True)
    game_id: GameId = Field(foreign_key="game.id")
    seat: SeatNo
    person_id: PersonId = Field(foreign_key="person.id")
    upto: MoveNo = MoveNo(0)
    data: str = "{}"
    asked_ms: int
    done_ms: int = 0


class CalendarLink(TableRow, Numbered[RowId]):
    """The secret address of a person's calendar.  Only its SHA-256 is kept."""

    __tablename__ = "calendar_link"
    __table_args__ = (UniqueConstraint("person_id"), UniqueConstraint("token_hash"))
    id: RowId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id")
    token_hash: str
    made_ms: int = 0


class CalendarEntry(TableRow, Numbered[RowId]):
    """A deadline as a person's calendar last told it, so that a change moves the entry: one a turn,
    `since_ms` is when that began. `sequence` counts the changes, `changed_ms` is the last one; `state`: open
    or ended.
    """

    __tablename__ = "calendar_entry"
    __table_args__ = (UniqueConstraint("person_id", "game_id", "since_ms"),)
    id: RowId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id")
    game_id: GameId = Field(foreign_key="game.id")
    since_ms: int
    due_ms: int
    sequence: int = 0
    state: str = "open"
    changed_ms: int = 0


class Blocked(TableRow, Numbered[RowId]):
    """An address that is not listened to.

    `address` "*@example.org" (mail): everybody there. `by` says in words who wanted that.
    """

    __table_args__ = (UniqueConstraint("channel", "address"),)
    id: RowId = Field(default=None, primary_key=True)
    channel: str
    address: str
    reason: str = ""
    by: str = ""
    at_ms: int = 0


class Allowance(TableRow):
    """How many letters somebody had who has proved nothing, since when.

    `name` says of whom, and is a digest: what strangers call themselves is not kept (`service.strangers`).
    Rows whose time is over are dropped there.
    """

    name: str = Field(primary_key=True)
    since_ms: int
    until_ms: int
    used: int


class Heartbeat(TableRow):
    """The last sign of life of the referee or one of its channels."""

    name: str = Field(primary_key=True)
    at_ms: int


class Lease(TableRow):
    """Which process does what only one may do ("channel telegram"), until when by the database's own clock
    (`referee.store.leases`).
    """

    name: str = Field(primary_key=True)
    holder: str
    until_ms: int


class Meta(TableRow):
    """Facts of this installation: the secret that signs reply tokens, the version that wrote last."""

    name: str = Field(primary_key=True)
    value: str


class Alert(TableRow, Numbered[RowId]):
    """Something an admin must know.  `told_ms` 0: not yet told."""

    __table_args__ = (partial_index("ix_alert_untold", "id", where="told_ms = 0"),)
    id: RowId = Field(default=None, primary_key=True)
    code: str
    facts: str = "{}"
    at_ms: int
    told_ms: int = 0
