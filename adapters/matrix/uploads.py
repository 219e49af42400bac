"""Pictures into the homeserver's content repository: once each, sealed where the room is."""
from __future__ import annotations

import hashlib
import io
import logging
from collections import OrderedDict
from typing import Any

from adapters.matrix.line import Line, Trouble
from referee.ports import Picture

log = logging.getLogger(__name__)
#: how many addresses of pictures are remembered
KEPT = 32


class Uploads:
    """What an image event says of its picture."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._known: OrderedDict[bytes, str] = OrderedDict()

    async def shown(self, picture: Picture, *, sealed: bool) -> dict[str, Any] | None:
        """The parts of an m.image event about the picture; None where the homeserver does not take it, now or at all: the words
        go without, or wait where those are not taken either."""
        key = hashlib.sha256(picture.data).digest()
        info = {"mimetype": picture.media_type, "size": len(picture.data), "w": picture.width, "h": picture.height}
        if not sealed and key in self._known:
            self._known.move_to_end(key)
            return {"filename": picture.name, "info": info, "url": self._known[key]}
        try:
            address, keys = await self._upload(picture, sealed)
        except Trouble as trouble:
            log.warning("matrix: a picture was not taken: %s", trouble)
            return None
        if keys is not None:
            return {"filename": picture.name, "info": info, "file": {**keys, "url": address}}
        self._known[key] = address
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return {"filename": picture.name, "info": info, "url": address}

    async def _upload(self, picture: Picture, sealed: bool) -> tuple[str, dict[str, Any] | None]:
        """Its mxc:// address, and what opens it where it was sealed."""
        keys: dict[str, Any] | None = None

        async def call() -> Any:
            nonlocal keys
            answer, keys = await self._line.client.upload(io.BytesIO(picture.data), content_type=picture.media_type, filename=None if sealed else picture.name,
                                                          encrypt=sealed, filesize=len(picture.data))
            return answer

        answer = await self._line.ask(call())
        return str(answer.content_uri), keys
