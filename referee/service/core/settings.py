"""What an admin sets about the referee, and what only tests set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from referee.text.reading.limits import READING_MS


@dataclass(frozen=True, slots=True)
class ForTesting:
    """What only tests, simulations and benches set; a referee that serves players has these defaults.

    `bell` off: deadlines fire only when `DeadlineScheduler.ring` is called. `breaker` off acts upon every
    miss, however many there are. `alone`: no other process uses the database, of whichever kind. `seeds`
    throws the dice of new tables (given a number of bytes; None: the machine's own random bytes).
    `reading_ms`: what reading one message may take of the processor's time, more where nothing may depend
    on it. `forecasts` off: leagues measure nothing beside everything else.
    """

    bell: bool = True
    breaker: bool = True
    alone: bool = False
    seeds: Callable[[int], bytes] | None = None
    reading_ms: float = READING_MS
    forecasts: bool = True


@dataclass(frozen=True, slots=True)
class BotSettings:
    """How players made of code play here.

    `process` off: none is let think long. `effort`: about how many seconds of processor time an answer of one
    that thinks takes. `stand_in`: at which level a full bot plays for somebody who stays away.
    `pause_minutes`: how long bots pause at slow tables (`deadlines.bot_pauses`), 0: not.
    """

    process: bool = True
    effort: float = 1.0
    stand_in: str = "steady"
    pause_minutes: float = 0.0


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What an admin may set about the referee itself.  Hours are hours of wall time.

    `admins` are (channel, address) pairs that are told of trouble, `admin_entries` the same by people:
    the addresses of one entry are one person's. `bot_link` is the deep link to the Telegram bot ("{bot}"
    stands for its name), "" where there is none. On the channels in `shy` nobody can be written to before
    they wrote; letters of those in `files` bring files with them; those in `apps` open our pages inside
    themselves. `channels` are those that are on; ()
    for all. `base_url` is what links to our own pages begin with, "" where there are none.
    `messages_per_minute` and `…_hour` are what one person may write (0: as much as they like), strangers
    less; `kilobytes_per_…` how long all of it may be and `processor_ms_per_…` how much of the processor's
    time it may cost, both counted where messages are; `newcomers_per_hour` how many unknown senders may
    turn up while that is counted. The words of what was said longer than `words_days` days ago are
    forgotten (0: never), comments after `comments_days`; games are packed that have been over for
    `pack_days` (0: never). `language`: what those are spoken to in whose wire tells none. `pictures`:
    letters show the table, where their channel and reader will have it. `parking`: the folder of what
    could not be read (None: beside the database, where that is a file). `push_key`: the public key by
    which browsers know the house that sends them notices, "" where none are sent.
    """

    move_hours: float = 24.0
    admins: tuple[tuple[str, str], ...] = ()
    admin_entries: tuple[tuple[tuple[str, str], ...], ...] = ()
    bot_link: str = "https://t.me/{bot}?start="
    shy: tuple[str, ...] = ("telegram",)
    files: tuple[str, ...] = ("mail", "telegram")
    apps: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    sweep_seconds: float = 30.0
    games_per_person: int = 20
    base_url: str = ""
    messages_per_minute: int = 0
    messages_per_hour: int = 0
    kilobytes_per_minute: int = 0
    kilobytes_per_hour: int = 0
    processor_ms_per_minute: int = 0
    processor_ms_per_hour: int = 0
    newcomers_per_hour: int = 0
    words_days: int = 0
    pack_days: int = 0
    comments_days: int = 0
    language: str = "en"
    pictures: bool = False
    parking: Path | None = None
    push_key: str = ""
    bots: BotSettings = BotSettings()
    testing: ForTesting = ForTesting()

    @property
    def root(self) -> str:
        """The path under which our own pages are, "" for none."""
        return urlsplit(self.base_url).path
