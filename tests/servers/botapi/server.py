"""The server: start it, make people and groups, and stop it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

from aiohttp import web

from .faults import Faults
from .flood import Flood
from .groups import Group
from .hook import Hook
from .people import User
from .web import Call, Web
from .world import World


class BotApi:
    """A Bot API server on 127.0.0.1 with one bot.

    ``await start()`` runs it in the current loop; `start_thread` in a thread of its own, so that it serves
    while the test blocks. `flood` switches flood control on (real limits); `clock` gives seconds for it and
    for the age of queries. Everything else here and on `User` and `Group` is plain calls, from any thread.
    """

    def __init__(
        self,
        port: int = 0,
        *,
        username: str = "citadels_referee_bot",
        flood: bool = True,
        seed: int = 7,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.world = World(username, clock, seed)
        if flood:
            self.world.flood = Flood(clock)
        self.hook = Hook(self.world.updates)
        self.faults = Faults()
        self.port = port
        self._web = Web(self.world, self.hook, self.faults)
        self._runner: web.AppRunner | None = None
        self._pusher: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def token(self) -> str:
        return self.world.token

    @property
    def username(self) -> str:
        return str(self.world.me.username)

    @property
    def url(self) -> str:
        """What the real one calls https://api.telegram.org."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def calls(self) -> list[Call]:
        """Every request so far, polls included."""
        return self._web.calls

    def called(self, method: str) -> list[Call]:
        return [one for one in self.calls if one.method == method.lower()]

    # -- people

    def user(
        self, first_name: str, username: str | None = None, language: str = "en", *, started: bool = False
    ) -> User:
        """A new person; `started` says that the private chat is open already (nothing is reported)."""
        person = self.world.new_person(first_name, username, language)
        person.met = person.opened = started
        return User(self.world, person)

    def group(
        self,
        title: str,
        members: list[User],
        *,
        supergroup: bool = False,
        bot: bool = True,
        topics: bool = False,
    ) -> Group:
        """A new group of `members`; with `bot` the referee's bot was there from the beginning (nothing is
        reported); with `topics` it is a supergroup that has them.
        """
        with self.world.lock:
            group = Group(
                self.world,
                self.world.new_group(title, [one.person for one in members], supergroup=supergroup or topics),
            )
            group.chat.topics = {} if topics else None
            if bot:
                group.chat.bot = "member"
                for one in members:
                    one.person.met = True
            return group

    # -- running

    async def start(self) -> BotApi:
        self._pusher = asyncio.create_task(self.hook.run())
        try:
            await self.up()
        except OSError:
            await self.stop()
            raise
        return self

    async def up(self) -> None:
        """Listen (again), on the same port."""
        runner = self._runner = web.AppRunner(self._web.application(), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port, reuse_address=True).start()
        self.port = runner.addresses[0][1]

    async def down(self) -> None:
        """Vanish from the net: connections are cut, new ones refused.  Nothing is forgotten."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def stop(self) -> None:
        await self.down()
        if self._pusher is not None:
            self._pusher.cancel()
            await asyncio.gather(self._pusher, return_exceptions=True)
            self._pusher = None

    def start_thread(self) -> BotApi:
        """Run in a daemon thread with its own loop; returns once it listens."""
        ready = threading.Event()
        trouble: list[BaseException] = []

        async def live() -> None:
            self._loop = asyncio.get_running_loop()
            stopping = asyncio.Event()
            self._stopping = stopping
            try:
                await self.start()
            except OSError as error:
                trouble.append(error)
                return
            finally:
                ready.set()
            await stopping.wait()
            await self.stop()

        self._thread = threading.Thread(target=lambda: asyncio.run(live()), name="botapi", daemon=True)
        self._thread.start()
        ready.wait(10)
        if trouble:
            raise trouble[0]
        return self

    def stop_thread(self) -> None:
        if self._thread is not None and self._loop is not None:
            if self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(10)
            self._thread = None

    _stopping: asyncio.Event
