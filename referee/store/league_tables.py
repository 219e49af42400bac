"""The tables of the league office, and the log of what was done in office.

Times are integer milliseconds UTC (`…_ms`), states are short words, composite data is JSON text, as in
`tables`.
"""

from sqlalchemy import DDL, Index, UniqueConstraint, event
from sqlmodel import Field

from referee.store.columns import (
    DivisionNo,
    EntryId,
    GameId,
    LeagueId,
    LeagueProposalId,
    LeagueReportId,
    Numbered,
    PersonId,
    RoomId,
    RoundNo,
    RowId,
    SeasonId,
    SeasonNo,
    TableId,
    TableNo,
    TableRow,
    partial_index,
    table_of,
)


class League(TableRow, Numbered[LeagueId]):
    """A league.

    `name` as it was typed, `key` how names are compared (seat_names.fold); `settings` is JSON: what its next
    season will be played under. `closed_ms` 0: it goes on.
    """

    id: LeagueId = Field(default=None, primary_key=True)
    name: str
    key: str = Field(unique=True)
    settings: str = "{}"
    created_ms: int = 0
    closed_ms: int = 0


class LeagueRole(TableRow, Numbered[RowId]):
    """Who runs a league.

    `role`: owner, director or moderator. `given_ms`: when it was last given, 0: before that was written down.
    """

    __tablename__ = "league_role"
    __table_args__ = (
        UniqueConstraint("league_id", "person_id"),
        Index("ix_league_role_person_id", "person_id"),
    )
    id: RowId = Field(default=None, primary_key=True)
    league_id: LeagueId = Field(foreign_key="league.id")
    person_id: PersonId = Field(foreign_key="person.id")
    role: str
    given_ms: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class LeagueRoom(TableRow, Numbered[RowId]):
    """A room in which a league's news are announced."""

    __tablename__ = "league_room"
    __table_args__ = (UniqueConstraint("league_id", "room_id"), Index("ix_league_room_room_id", "room_id"))
    id: RowId = Field(default=None, primary_key=True)
    league_id: LeagueId = Field(foreign_key="league.id")
    room_id: RoomId = Field(foreign_key="room.id")


class Season(TableRow, Numbered[SeasonId]):
    """One season of a league.

    `state`: signup, drawn, running, over or void. `settings` (JSON) is the league's row as it stood when the
    season was opened; `drawn` (JSON) says what the draw came to (bound, repeats …). `closes_ms`: when sign-up
    ends (0: when a director says so), `starts_ms`: when the first round begins. `due_ms`: when the office
    must look at it next, 0: never; claimed by moving it on.
    """

    __table_args__ = (
        UniqueConstraint("league_id", "no"),
        partial_index("ix_season_due_ms", "due_ms", where="due_ms <> 0"),
    )
    id: SeasonId = Field(default=None, primary_key=True)
    league_id: LeagueId = Field(foreign_key="league.id")
    no: SeasonNo
    state: str = "signup"
    settings: str = "{}"
    seed: str = ""
    drawn: str = "{}"
    opened_ms: int = 0
    closes_ms: int = 0
    starts_ms: int = 0
    ended_ms: int = 0
    due_ms: int = 0


class SeasonDivision(TableRow, Numbered[RowId]):
    """A division of a season: 1 is the highest."""

    __tablename__ = "season_division"
    __table_args__ = (UniqueConstraint("season_id", "no"),)
    id: RowId = Field(default=None, primary_key=True)
    season_id: SeasonId = Field(foreign_key="season.id")
    no: DivisionNo
    name: str = ""


class Entry(TableRow, Numbered[EntryId]):
    """Somebody in a season.

    `state`: signed, waiting (an alternate), playing, withdrawn, removed or refused (`note` says why).
    `division` 0: none yet; `from_round`: the first round they are drawn for; `penalty`: points taken from
    them, in hundredths; `strength`: what they were seeded by, in thousandths; `facts` (JSON): what else is to
    be known of them here.
    """

    __table_args__ = (UniqueConstraint("season_id", "person_id"), Index("ix_entry_person_id", "person_id"))
    id: EntryId = Field(default=None, primary_key=True)
    season_id: SeasonId = Field(foreign_key="season.id")
    person_id: PersonId = Field(foreign_key="person.id")
    state: str = "signed"
    division: DivisionNo = DivisionNo(0)
    from_round: RoundNo = RoundNo(1)
    penalty: int = 0
    strength: int = 0
    note: str = ""
    since_ms: int = 0
    facts: str = Field(default="{}", sa_column_kwargs={"server_default": "{}"})


class SeasonRound(TableRow, Numbered[RowId]):
    """A round of a season.

    `state`: planned, open or closed. `facts` (JSON): its cast where that goes by round, who has a bye.
    """

    __tablename__ = "season_round"
    __table_args__ = (UniqueConstraint("season_id", "no"),)
    id: RowId = Field(default=None, primary_key=True)
    season_id: SeasonId = Field(foreign_key="season.id")
    no: RoundNo
    state: str = "planned"
    starts_ms: int = 0
    ends_ms: int = 0
    facts: str = "{}"


class SeasonTable(TableRow, Numbered[TableId]):
    """A table of a round.

    `people` (JSON) are the persons in seat order, `crown` is the place in it of who begins with the crown.
    `state`: planned, gathering, playing, over, ruled (an office decided its places), void, or replayed
    (another table stands for it: its `replays` is this one's id). `facts` (JSON): what else is to be known of
    it.
    """

    __tablename__ = "season_table"
    __table_args__ = (
        UniqueConstraint("season_id", "no"),
        Index("ix_season_table_game_id", "game_id"),
        Index("ix_season_table_round", "season_id", "round"),
    )
    id: TableId = Field(default=None, primary_key=True)
    season_id: SeasonId = Field(foreign_key="season.id")
    no: TableNo
    division: DivisionNo
    round: RoundNo
    state: str = "planned"
    people: str = "[]"
    crown: int = 0
    game_id: GameId | None = Field(default=None, foreign_key="game.id")
    replays: TableId | None = None
    ended_ms: int = 0
    facts: str = Field(default="{}", sa_column_kwargs={"server_default": "{}"})


class TableResult(TableRow, Numbered[RowId]):
    """How somebody did at a table.

    `place` from 1, shared where tied; `score` of the game; `flags` (JSON): abandoned, took_over, ruled, and
    counts of answers and misses.
    """

    __tablename__ = "table_result"
    __table_args__ = (
        UniqueConstraint("table_id", "person_id"),
        Index("ix_table_result_person_id", "person_id"),
    )
    id: RowId = Field(default=None, primary_key=True)
    table_id: TableId = Field(foreign_key="season_table.id")
    person_id: PersonId = Field(foreign_key="person.id")
    place: int
    score: int
    flags: str = "{}"


class LeagueProposal(TableRow, Numbered[LeagueProposalId]):
    """An act in office that waits for a second key.

    `act` and `args` (JSON) are as they were said; `state`: open, done, refused or lapsed.
    """

    __tablename__ = "league_proposal"
    __table_args__ = (Index("ix_league_proposal_league_id", "league_id"),)
    id: LeagueProposalId = Field(default=None, primary_key=True)
    league_id: LeagueId = Field(foreign_key="league.id")
    act: str
    args: str = "{}"
    person_id: PersonId | None = Field(default=None, foreign_key="person.id")
    by: str = ""
    state: str = "open"
    at_ms: int = 0
    due_ms: int = 0
    closed_ms: int = 0


class LeagueReport(TableRow, Numbered[LeagueReportId]):
    """A problem that a player reported to those who run the league.

    `text` as it was typed; `table_id` and `game_id`: the table it is about, None where it is about none.
    `state`: open or closed; `answer`: what the person who closed it (`closed_by`) said.
    """

    __tablename__ = "league_report"
    __table_args__ = (
        Index("ix_league_report_league_id", "league_id"),
        Index("ix_league_report_person_id", "person_id"),
    )
    id: LeagueReportId = Field(default=None, primary_key=True)
    league_id: LeagueId = Field(foreign_key="league.id")
    season_id: SeasonId | None = Field(default=None, foreign_key="season.id")
    table_id: TableId | None = Field(default=None, foreign_key="season_table.id")
    game_id: GameId | None = Field(default=None, foreign_key="game.id")
    person_id: PersonId = Field(foreign_key="person.id")
    text: str
    at_ms: int = 0
    state: str = "open"
    closed_ms: int = 0
    closed_by: PersonId | None = Field(default=None, foreign_key="person.id")
    answer: str = ""


class OfficeLog(TableRow, Numbered[RowId]):
    """What was done in office, for ever: the database itself refuses to change or remove a line, and each
    line's `hash` is the SHA-256 of the line before it and of its own words, so that anyone who edits the
    file from outside is found out. `scope`: house, or "league:3". `person_id` None: from the console, or the
    clock; `by` says in words who.
    """

    __tablename__ = "office_log"
    __table_args__ = (UniqueConstraint("scope", "no"),)
    id: RowId = Field(default=None, primary_key=True)
    scope: str
    no: int
    at_ms: int
    person_id: PersonId | None = None
    by: str = ""
    act: str
    facts: str = "{}"
    hash: str


for _verb in ("UPDATE", "DELETE"):
    _refusal = DDL(  # type: ignore[no-untyped-call]  # SQLAlchemy gives it no types
        f"CREATE TRIGGER office_log_no_{_verb.lower()} BEFORE {_verb} ON office_log BEGIN SELECT "
        f"RAISE(ABORT, 'the office log only grows'); END"
    )
    event.listen(table_of(OfficeLog), "after_create", _refusal.execute_if(dialect="sqlite"))
    _name = f"office_log_no_{_verb.lower()}"
    for _words in (
        f"CREATE FUNCTION {_name}() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the office log only grows' USING ERRCODE = "
        "'integrity_constraint_violation'; END $$",
        f"CREATE TRIGGER {_name} BEFORE {_verb} ON office_log FOR EACH ROW EXECUTE FUNCTION {_name}()",
    ):
        event.listen(
            table_of(OfficeLog),
            "after_create",
            DDL(_words).execute_if(dialect="postgresql"),  # type: ignore[no-untyped-call]  # as above
        )
