"""The tables of the person who plays on the web: links that let somebody in, and the browsers in which they
are signed in.
"""

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from referee.store.columns import GameId, Numbered, PersonId, RowId, SessionId, TableRow


class WebLink(TableRow, Numbered[RowId]):
    """A link that signs somebody in on the web, once: only its SHA-256 is kept.

    `game_id`: where it leads, 0 to all of one's tables.
    """

    __tablename__ = "web_link"
    __table_args__ = (UniqueConstraint("token_hash"), Index("ix_web_link_person_id", "person_id"))
    id: RowId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id")
    token_hash: str
    game_id: GameId = GameId(0)
    expires_ms: int = 0
    used_ms: int = 0


class WebSession(TableRow, Numbered[SessionId]):
    """A browser in which somebody is signed in; of its cookie only the SHA-256 is kept.

    `looks`: what was read there last of each table, JSON (`referee.service.looks`). `browser`: what it calls
    itself, short ("Firefox, Linux"), "" where it does not say. `push`: where its push service takes
    notices for it, and its keys, JSON, "" for a browser that wants none.
    """

    __tablename__ = "web_session"
    __table_args__ = (UniqueConstraint("token_hash"), Index("ix_web_session_person_id", "person_id"))
    id: SessionId = Field(default=None, primary_key=True)
    person_id: PersonId = Field(foreign_key="person.id")
    token_hash: str
    made_ms: int = 0
    seen_ms: int = 0
    expires_ms: int = 0
    looks: str = "{}"
    browser: str = Field(default="", sa_column_kwargs={"server_default": ""})
    push: str = Field(default="", sa_column_kwargs={"server_default": ""})
