"""The referee's own sections.  Each adapter brings the section of its channel."""

from __future__ import annotations

import base64
import ipaddress
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from referee.config.faults import Fault
from referee.config.places import data_directory, sqlite_url

#: keys of the curve P-256 are numbers below this
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
#: a game is packed no sooner after its end
_LAST_NEWS_DAYS = 7


class StoreSettings(BaseModel):
    """The section [store]."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field(
        default_factory=lambda: sqlite_url(data_directory() / "referee.db"),
        pattern=r"^[a-z][a-z0-9+]*://",
        description="The database. sqlite:///PATH; left out: referee.db in the platform's data directory.",
    )
    words_days: int = Field(
        default=30,
        ge=0,
        le=36_500,
        description=(
            "For this many days the words of letters and messages, and what could not be read, are kept; "
            "0: for ever. Games, their records and results always stay."
        ),
    )
    pack_days: int = Field(
        default=30,
        ge=0,
        le=36_500,
        description=(
            "This many days after its end (7 at least) a game is packed: a thirtieth of the room. "
            "Nothing that players can ask for is lost, its letters go; 0: never."
        ),
    )

    comments_days: int = Field(
        default=0,
        ge=0,
        le=36_500,
        description="For this many days comments on positions of finished games are kept; 0: for ever.",
    )

    @field_validator("pack_days")
    @classmethod
    def _after_the_last_news(cls, days: int) -> int:
        """Those who have a letter a day, or were away for a few, must have been told of the end."""
        if 0 < days < _LAST_NEWS_DAYS:
            raise ValueError(f"0, or {_LAST_NEWS_DAYS} days at least")
        return days


class RefereeSettings(BaseModel):
    """The section [referee]."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    move_hours: float = Field(
        default=24.0,
        gt=0,
        le=24 * 60,
        description="Hours for an answer, where a table does not say otherwise.",
    )
    admins: tuple[str | tuple[str, ...], ...] = Field(
        default=(),
        description="Who looks after the house and is told of trouble: one entry a person, channel:address, "
        "or all of theirs in brackets, "
        'for example [["telegram:123456", "mail:ana@example.org"], "matrix:@bob:example.org"].',
    )
    language: str = Field(
        default="en",
        pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z]{2,4})?$",
        description=(
            "The language of those whose program tells none, and of the house itself: "
            "a folder of templates, for example pt_BR."
        ),
    )
    pictures: bool = Field(
        default=True,
        description=(
            "Whether letters show the table as a picture (needs the extra pictures); "
            "everybody may turn theirs off."
        ),
    )
    templates: Path | None = Field(
        default=None, description="A folder whose files replace the shipped templates of the same name."
    )
    log: Literal["readable", "json"] = Field(
        default="readable", description="How a line of the log is written: readable or json."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least important lines that are logged."
    )
    messages_per_minute: int = Field(
        default=60,
        ge=0,
        le=100_000,
        description="How many messages a minute one person may send (strangers a quarter); 0: "
        "as many as they like. "
        "Whoever sends more is told so once, and nothing more is acted upon for a while.",
    )
    messages_per_hour: int = Field(
        default=1200,
        ge=0,
        le=1_000_000,
        description="The same for an hour; it counts only where messages_per_minute does.",
    )
    kilobytes_per_minute: int = Field(
        default=200,
        ge=0,
        le=1_000_000,
        description=(
            "How many kilobytes of words a minute one person may send, counted where messages are; 0: "
            "any number."
        ),
    )
    kilobytes_per_hour: int = Field(default=2000, ge=0, le=10_000_000, description="The same for an hour.")
    processor_ms_per_minute: int = Field(
        default=6000,
        ge=0,
        le=60_000,
        description=(
            "How many milliseconds of a processor's time one person's messages may cost a minute, "
            "counted where messages are; 0: any number."
        ),
    )
    processor_ms_per_hour: int = Field(
        default=60_000, ge=0, le=3_600_000, description="The same for an hour."
    )
    newcomers_per_hour: int = Field(
        default=300,
        ge=0,
        le=1_000_000,
        description=(
            "How many people may write for the first time in an hour, in each channel; 0: any number."
        ),
    )
    parking: Path | None = Field(
        default=None,
        description=(
            "The folder of what could not be read (referee inbox parked); left out: "
            "beside the database, or in the platform's data directory."
        ),
    )
    sweep_seconds: float = Field(
        default=30.0,
        gt=0,
        le=3600,
        description="How often the deadlines are swept, should the bell not have rung.",
    )

    @field_validator("admins")
    @classmethod
    def _channel_and_address(
        cls, admins: tuple[str | tuple[str, ...], ...]
    ) -> tuple[str | tuple[str, ...], ...]:
        for entry in admins:
            for admin in (entry,) if isinstance(entry, str) else entry or ("",):
                channel, colon, address = admin.partition(":")
                if not (channel and colon and address):
                    raise ValueError(f"channel:address, not “{admin}”")
        return admins

    def admin_entries(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The admins, each with all of their addresses as (channel, address)."""
        return tuple(
            tuple(_apart(admin) for admin in ((entry,) if isinstance(entry, str) else entry))
            for entry in self.admins
        )

    def admin_addresses(self) -> tuple[tuple[str, str], ...]:
        """The addresses of all admins as (channel, address)."""
        return tuple(dict.fromkeys(address for entry in self.admin_entries() for address in entry))


def _network_near(said: str) -> str:
    """The network that somebody probably means: that of the address which was named, else any."""
    try:
        return str(ipaddress.ip_network(said, strict=False))
    except ValueError:
        return "10.0.0.0/8"


def _apart(admin: str) -> tuple[str, str]:
    channel, _, address = admin.partition(":")
    return channel, address


class BackupSettings(BaseModel):
    """The section [backup]."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    directory: Path = Field(
        default_factory=lambda: data_directory() / "backups",
        description=(
            'Where "referee backup" puts backups; left out: backups in the platform\'s data directory. '
            "Better on another disk."
        ),
    )
    keep: int = Field(
        default=14,
        ge=1,
        le=100_000,
        description="How many of them stay there; the newest that was proven always does.",
    )
    full_days: int = Field(
        default=7,
        ge=0,
        le=365,
        description="For this many days backups hold only what differs from the last whole one; 0: each "
        "is whole.",
    )


class BotsSettings(BaseModel):
    """The section [bots]."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    process: bool = Field(
        default=True,
        description="Whether bots that think long may do so, in a process of their own that is begun when "
        "one of them is asked; without it a quick one answers for them.",
    )
    effort: float = Field(
        default=1.0,
        ge=0.05,
        le=60,
        description="About how many seconds of a processor's time an answer of such a bot takes.",
    )
    stand_in: Literal["gentle", "steady", "strong", "greedy"] = Field(
        default="steady",
        description="How a bot plays for somebody for whom nobody waits any more, where their table has "
        "agreed on a full bot: gentle, steady, strong or greedy.",
    )
    pause_minutes: float = Field(
        default=3.0,
        ge=0,
        le=60,
        description="About how many minutes bots take to pick where people pick after them, at tables where "
        "an answer may take six hours or more; 0: they never pause.",
    )


class WebSettings(BaseModel):
    """The section [web]."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    listen: str = Field(
        default="",
        pattern=r"^$|^(\[[0-9a-fA-F:]+\]|[^\s:/\[\]]+):\d{1,5}$",
        description='Where the web pages listen, for example "127.0.0.1:8080"; left out: there are none.',
    )
    base_url: str = Field(
        default="",
        pattern=r"^$|^https?://[^\s/?#@]+(/[^\s?#]*)?$",
        description=(
            "The address under which others reach them, for links in letters, for example "
            '"https://citadels.example.org".'
        ),
    )
    proxied: bool = Field(
        default=False,
        strict=False,
        description="true: a web server stands before it and says in X-Forwarded-For who calls.",
    )

    metrics_token: SecretStr = Field(
        default=SecretStr(""),
        description=(
            'Who sends it as "Authorization: Bearer ..." may read /metrics, from anywhere; '
            "16 signs at least; left out: nobody may by that."
        ),
    )
    metrics_from: tuple[str, ...] = Field(
        default=("127.0.0.0/8", "::1/128"),
        description=(
            "The networks from which /metrics may be read without it, and /readyz says what is wrong."
        ),
    )

    push_key: SecretStr = Field(
        default=SecretStr(""),
        description=(
            "The key with which browsers are told whose turn it is; referee init makes it; left out: they "
            "are not told. Another key, and every player has to ask for it anew."
        ),
    )
    push_networks: tuple[str, ...] = Field(
        default=(),
        description=(
            "Networks of your own in which a browser's push service may be; left out: on the Internet only."
        ),
    )

    @field_validator("metrics_token")
    @classmethod
    def _long_enough(cls, token: SecretStr) -> SecretStr:
        if len(token.get_secret_value()) < 16:
            raise ValueError(f"a token of 16 signs at least, not of {len(token.get_secret_value())}")
        return token

    @field_validator("push_key")
    @classmethod
    def _a_key(cls, key: SecretStr) -> SecretStr:
        said = key.get_secret_value()
        if not said:
            return key
        well_formed = re.fullmatch(r"[A-Za-z0-9_-]{43}", said)
        if not (well_formed and 0 < int.from_bytes(base64.urlsafe_b64decode(f"{said}=")) < _ORDER):
            raise ValueError("a key as referee init makes it, 43 signs")
        return key

    @field_validator("metrics_from", "push_networks")
    @classmethod
    def _networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        for network in networks:
            try:
                ipaddress.ip_network(network)
            except ValueError:
                raise ValueError(f"{network} is no network, {_network_near(network)} is") from None
        return networks

    @field_validator("listen")
    @classmethod
    def _a_port_that_there_is(cls, listen: str) -> str:
        if listen and int(listen.rpartition(":")[2]) > 65_535:
            raise ValueError("host:port, with a port up to 65535")
        return listen

    @field_validator("base_url")
    @classmethod
    def _as_browsers_say_it(cls, url: str) -> str:
        """Browsers send it as the origin of a form, which is compared with it letter by letter."""
        from yarl import URL  # only a house with pages waits for it

        try:
            found = URL(url)
            return f"{found.origin()}{found.raw_path}".rstrip("/") if url else ""
        except ValueError:
            raise ValueError("host:port, with a port up to 65535") from None

    @property
    def links(self) -> str:
        """What the links in letters begin with, "" where there are no pages."""
        return self.base_url if self.listen else ""


@dataclass(frozen=True, slots=True)
class Configuration:
    """All that was decided.  `path` is the file, whether or not it exists; `channels` are the settings of
    the channels that are on, by name; `warnings` are what was found odd, but not wrong."""

    path: Path
    secrets_path: Path
    store: StoreSettings
    referee: RefereeSettings
    channels: Mapping[str, BaseModel]
    warnings: tuple[Fault, ...] = ()
    web: WebSettings = field(default_factory=WebSettings)
    backup: BackupSettings = field(default_factory=BackupSettings)
    bots: BotsSettings = field(default_factory=BotsSettings)

    def secrets(self) -> frozenset[str]:
        """Every secret's value, so that the log can leave them out."""
        return frozenset(
            value for model in (self.web, *self.channels.values()) for value in _secrets(model) if value
        )


def _secrets(model: BaseModel) -> Iterator[str]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, SecretStr):
                yield one.get_secret_value()
            elif isinstance(one, BaseModel):
                yield from _secrets(one)
