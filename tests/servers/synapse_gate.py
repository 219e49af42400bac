"""A line between a client and a server that can be cut: a TCP proxy on loopback."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType


class Gate:
    """Passes bytes through while `open`; shut, it drops every connection; `silent`, it swallows what is said
    and never answers; `lose_answers` is how many answers to a sent event it loses, the server having acted.
    """

    def __init__(self, port: int) -> None:
        self.upstream = port
        self.port = 0
        self.open = True
        self.silent = False
        self.lose_answers = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Gate:
        self._server = await asyncio.start_server(self._arrive, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def shut(self) -> None:
        self.open = False
        self.cut()

    def cut(self) -> None:
        """Reset what is connected now."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def _arrive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # a plain callback: asyncio's own task for a coroutine complains aloud when it is cancelled
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.open:
            writer.transport.abort()
            return
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        mine = {writer, up_writer}
        self._writers |= mine
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._carry(reader, up_writer, answers=False))
                both.create_task(self._carry(up_reader, writer, answers=True))
        finally:
            self._writers -= mine
            for one in mine:
                one.close()

    async def _carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, answers: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if self.silent:
                    continue
                if answers and self.lose_answers and b"event_id" in data:
                    self.lose_answers -= 1
                    self.cut()
                    return
                sink.write(data)
                await sink.drain()
        sink.close()
