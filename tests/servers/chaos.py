"""A line that fails on command: a TCP proxy on 127.0.0.1 between a client and a real server.

line = await Chaos(port).start()
line.port             where the client connects
line.freeze(True)     bytes go nowhere, nobody is told
line.cut()            every open connection is reset
line.hang_up()        … is closed politely
line.lose_answer_after(n)   reset once n more bytes came from the server
line.refuse(True)     newcomers are reset
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct

_RESET = struct.pack("ii", 1, 0)


class Chaos:
    """One proxy to one port."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self._target = (host, port)
        self._server: asyncio.Server | None = None
        self._open: set[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._refusing = False
        self._budget: int | None = None
        self.port = 0
        self.accepted = 0

    async def start(self) -> Chaos:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        """Also ends every connection."""
        if self._server is not None:
            self._server.close()
        self.cut()
        self._flowing.set()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def freeze(self, on: bool) -> None:
        if on:
            self._flowing.clear()
        else:
            self._flowing.set()

    def refuse(self, on: bool) -> None:
        self._refusing = on
        if on:
            self.cut()

    def cut(self) -> None:
        for pair in list(self._open):
            for end in pair:
                _reset(end)

    def hang_up(self) -> None:
        for pair in list(self._open):
            for end in pair:
                end.close()

    def lose_answer_after(self, count: int) -> None:
        """Let `count` more bytes come back, then reset: the server has done it, the client will not know."""
        self._budget = count

    @property
    def lines(self) -> int:
        """How many connections are open."""
        return len(self._open)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.accepted += 1
        try:
            if self._refusing:
                _reset(writer)
                return
            try:
                far_reader, far_writer = await asyncio.open_connection(*self._target)
            except OSError:
                _reset(writer)
                return
            pair = (writer, far_writer)
            self._open.add(pair)
            try:
                await asyncio.gather(
                    self._pump(reader, far_writer), self._pump(far_reader, writer, answers=True)
                )
            finally:
                self._open.discard(pair)
                for end in pair:
                    end.close()
        except asyncio.CancelledError:
            _reset(writer)  # the proxy stops: nothing is owed to anyone
        finally:
            self._tasks.discard(task)

    async def _pump(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, answers: bool = False
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                await self._flowing.wait()
                if answers and self._budget is not None:
                    if len(data) >= self._budget:
                        sink.write(data[: self._budget])
                        self._budget = None
                        self.cut()
                        return
                    self._budget -= len(data)
                sink.write(data)
                await sink.drain()
            if sink.can_write_eof():
                sink.write_eof()


def _reset(writer: asyncio.StreamWriter) -> None:
    line = writer.get_extra_info("socket")
    if line is not None:
        with contextlib.suppress(OSError):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()
