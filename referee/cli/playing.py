"""`referee play`: a referee and a seat in one terminal.  `referee seat`: a seat at a referee that runs."""

from __future__ import annotations

import asyncio
import getpass
import socket
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.common import BAD, USAGE, ConfigOption, configured, end, opened
from referee.cli.say import chosen, help_, known, language, say, shell, speak
from referee.states import GameStatus, InboxState, OutboxState

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from referee.config import WebSettings
    from referee.store import Address, Store, Tx

Name = Annotated[str, typer.Option("--name", help=help_("seat.name"))]
Pipe = Annotated[bool, typer.Option("--pipe", help=help_("seat.pipe"))]


def seat(
    attach: Annotated[Path | None, typer.Option("--attach", help=help_("seat.attach"))] = None,
    name: Name = "",
    pipe: Pipe = False,
    wait: Annotated[float, typer.Option("--wait", min=0.05, help=help_("seat.wait"))] = 2.0,
    config: ConfigOption = None,
) -> None:
    """Attach."""
    from referee.config import channels

    if attach is None:
        terminal = channels.own("terminal")
        settings = configured(config).channels.get("terminal")
        attach = terminal.socket_path(
            settings if isinstance(settings, terminal.Settings) else terminal.Settings()
        )
    if not attach.is_socket():
        end(BAD, "seat.nobody", path=attach)
    _sit(_seated(attach, name or getpass.getuser(), pipe, wait))


def play(
    bots: Annotated[int, typer.Option("--bots", min=1, max=7, help=help_("play.bots"))] = 3,
    bot: Annotated[str, typer.Option("--bot", help=help_("play.bot"))] = "",
    edition: Annotated[str, typer.Option("--edition", "-e", help=help_("play.edition"))] = "",
    cast: Annotated[str, typer.Option("--cast", help=help_("play.cast"))] = "",
    store: Annotated[str, typer.Option("--store", help=help_("play.store"))] = "",
    learn: Annotated[bool, typer.Option("--learn", help=help_("play.learn"))] = False,
    tongue: Annotated[str, typer.Option("--language", help=help_("play.language"))] = "",
    web: Annotated[bool, typer.Option("--web", help=help_("play.web"))] = False,
    name: Name = "",
    pipe: Pipe = False,
) -> None:
    """Play against bots."""
    from referee import log
    from referee.config.places import data_directory, sqlite_url
    from referee.search import PLAYERS, USUAL

    if tongue and not chosen(tongue):
        end(USAGE, "rules.no-language", language=tongue, known=known())
    if tongue:
        speak(chosen(tongue))
    wanted = " ".join(f"{edition} {cast}".split()) or "classic"
    if why := _misfit(wanted, bots + 1):
        end(USAGE, "play.no-cast", why=why)
    bot = bot or USUAL
    if bot not in PLAYERS:
        end(USAGE, "play.no-bot", bot=bot, known=[*PLAYERS])
    bare = store.removeprefix("sqlite:///")
    if "://" in bare or bare.startswith("sqlite:"):  # as a path it would become a folder of that name
        end(USAGE, "play.no-file", store=store)
    named = Path(bare) if store else data_directory() / "play.db"
    path = named.expanduser().absolute()
    # the book first: it makes the folder, or says why it can't
    with opened(sqlite_url(path)) as book, path.with_suffix(".log").open("a", encoding="utf-8") as diary:
        log.begin(level="warning", stream=diary)
        _sit(
            _played(
                book,
                partial(opening, learn=learn, bots=bots, bot=bot, wanted=wanted, tongue=chosen(tongue)),
                name or getpass.getuser(),
                pipe,
                web,
            )
        )


def _misfit(wanted: str, seats: int) -> str:
    """Why no table can be opened with these words, "" where it can."""
    from referee.rules import SetupError, lists
    from referee.text import NotUnderstood, Reading, Words, read_intent

    intent = read_intent(f"new {wanted} {seats}", Reading(), private=True)
    if isinstance(intent, NotUnderstood):
        return Words().phrase(intent.code, language(), **intent.facts)
    choice = lists.choice_of(intent.args["choice"])
    try:
        lists.choose(str(intent.args["edition"] or lists.edition_of(choice)), seats, choice, bytes(32))
    except SetupError as no:
        return Words().phrase(no.code, language(), **no.facts)
    return ""


def _sit(uow: Coroutine[None, None, None]) -> None:
    from referee.config import channels

    try:
        asyncio.run(uow)
    except channels.own("terminal.attachment").SeatRefused as error:
        end(BAD, f"seat.{error.code}")
    except KeyboardInterrupt:
        typer.echo()


async def _seated(path: Path, name: str, pipe: bool, wait: float) -> None:
    """A client at a socket, until its input ends."""
    from referee.config import channels

    if pipe or not sys.stdin.isatty():
        await channels.own("terminal.piped").over_a_pipe(
            path, name, lines=sys.stdin, out=sys.stdout, wait=wait, language=shell()
        )
    else:
        await channels.own("terminal.screen").at_a_screen(
            path,
            name,
            greeting=say("seat.greeting", name=name),
            away=say("seat.away"),
            back=say("seat.back"),
            more=partial(say, "seat.more"),
            language=shell(),
        )


async def _played(
    store: Store, begin: Callable[[Tx, str], tuple[str, ...]], name: str, pipe: bool, web: bool
) -> None:
    """A referee with the terminal as its only channel, and a client attached to it; with pages for this
    machine alone where somebody wants to look at the board there.
    """
    from referee import main
    from referee.config import Configuration, RefereeSettings, StoreSettings, WebSettings, channels

    with tempfile.TemporaryDirectory(prefix="referee-") as home:
        seat_at = Path(home) / "seat.sock"
        config = Configuration(
            Path(),
            Path(),
            StoreSettings(url=store.url),
            RefereeSettings(language=language()),
            {"terminal": channels.own("terminal").Settings(socket=seat_at)},
            web=_pages_here() if web else WebSettings(),
        )
        whole = main.referee(store, main.adapters(config), config)
        door = main.web_door(config, whole)
        await whole.start()
        try:
            if door is not None:
                await main.opened(door, config.web.listen)
            said = await store.read(lambda tx: begin(tx, name))
            first = (*said, "web") if web else said
            if pipe or not sys.stdin.isatty():
                await channels.own("terminal.piped").over_a_pipe(
                    seat_at,
                    name,
                    lines=sys.stdin,
                    out=sys.stdout,
                    wait=1.0,
                    first=first,
                    settled=lambda: store.read(settled),
                    language=shell(),
                )
            else:
                await channels.own("terminal.screen").at_a_screen(
                    seat_at,
                    name,
                    greeting=say("play.greeting", name=name),
                    away=say("seat.away"),
                    back=say("seat.back"),
                    more=partial(say, "seat.more"),
                    first=first,
                    language=shell(),
                )
        finally:
            if door is not None:
                await door.stop()
            await whole.stop()


def _pages_here() -> WebSettings:
    """Pages at a free port of this machine, for nobody else."""
    from referee.config import WebSettings

    with socket.create_server(("127.0.0.1", 0)) as free:
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    return WebSettings(listen=listen, base_url=f"http://{listen}")


def opening(
    tx: Tx,
    name: str,
    bots: int,
    bot: str,
    wanted: str = "classic",
    learn: bool = False,
    tongue: str = "",
) -> tuple[str, ...]:
    """What is said for the person at the start: go on with an unfinished game, or make a table; `wanted`: its
    edition and cards; `learn`: the guided game, where that is not the one that is on already; `tongue`: the
    language that they ask for, said first where they were spoken to in another one.
    """
    from referee.store import Address, Person

    address = tx.one(Address, channel="terminal", address=name)
    person = None if address is None else tx.get(Person, address.person_id)
    turned = tongue and person is not None and person.language != tongue
    said = (f"language {tongue.replace('_', '-')}",) if turned else ()
    return (*said, *_begun(tx, address, bots, bot, wanted, learn))


def _begun(tx: Tx, address: Address | None, bots: int, bot: str, wanted: str, learn: bool) -> tuple[str, ...]:
    from referee.service.teaching.commands import is_one

    mine = (
        tx.seats_of(address.person_id, (GameStatus.RUNNING, GameStatus.MUSTERING, GameStatus.LOBBY))
        if address is not None
        else []
    )
    if learn:
        guided = [game for _, game in mine if is_one(game)]
        return tuple(
            (say("play.goes-on-at", number=guided[0].id) if guided else say("play.learns")).splitlines()
        )
    if any(game.status == GameStatus.RUNNING for _, game in mine):
        return tuple(say("play.goes-on").splitlines())
    if mine:
        return tuple(say("play.nearly-begun").splitlines())
    return tuple(say("play.begins", seats=bots + 1, bots=bots, bot=bot, wanted=wanted).splitlines())


def settled(tx: Tx) -> bool:
    """Whether everything said was dealt with and every letter is out."""
    from referee.main import clock_ms
    from referee.store import Inbox, Outbox

    return not (
        tx.count(Inbox, state=InboxState.NEW)
        or tx.count(Outbox, state=OutboxState.SENDING)
        or tx.outbox_due(clock_ms(), 1)
    )
