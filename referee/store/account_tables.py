"""The tables of accounts that are joined: who asked for it, who said yes, what came with it, and who guessed
at codes.
"""

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from referee.store.columns import AddressId, JoinId, Numbered, PersonId, RowId, TableRow


class AccountJoin(TableRow, Numbered[JoinId]):
    """Two persons who are to be one, or became so.

    `kept_id` asked for the code and stays, `folded_id` sent it; `kept_at` and `folded_at` are the rows of the
    addresses that were asked, `…_word` names the question in a typed answer, `…_yes` 1 once that side said
    yes. `state`: open, done, refused, lapsed or undone. `moved` (JSON) is what came with it, by table, so
    that it can be given back.
    """

    __tablename__ = "account_join"
    __table_args__ = (
        Index("ix_account_join_kept_id", "kept_id"),
        Index("ix_account_join_folded_id", "folded_id"),
    )
    id: JoinId = Field(default=None, primary_key=True)
    kept_id: PersonId = Field(foreign_key="person.id")
    folded_id: PersonId = Field(foreign_key="person.id")
    kept_at: AddressId
    folded_at: AddressId
    kept_word: str
    folded_word: str
    kept_yes: int = 0
    folded_yes: int = 0
    state: str = "open"
    asked_ms: int = 0
    due_ms: int = 0
    done_ms: int = 0
    undone_ms: int = 0
    moved: str = "{}"


class WrongCode(TableRow, Numbered[RowId]):
    """How many wrong codes were sent from an address, and since when."""

    __tablename__ = "wrong_code"
    __table_args__ = (UniqueConstraint("channel", "address"),)
    id: RowId = Field(default=None, primary_key=True)
    channel: str
    address: str
    since_ms: int = 0
    count: int = 0
