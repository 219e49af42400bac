"""Pictures into the homeserver's content repository: once each, sealed where the room is."""

from __future__ import annotations

import hashlib
import io
import logging
from collections import OrderedDict
from typing import Any

from referee.ports import Fate, Picture

from .connection import MatrixConnection, MatrixError

log = logging.getLogger(__name__)
#: how many addresses of pictures are remembered, and how often in a row a picture is waited for that is not
#: taken now
KEPT, PATIENCE = 32, 3


class Uploads:
    """What an image event says of its picture."""

    def __init__(self, line: MatrixConnection) -> None:
        self._line = line
        self._known: OrderedDict[bytes, str] = OrderedDict()
        self._refused = 0

    async def shown(self, picture: Picture, *, sealed: bool, edits: bool = False) -> dict[str, Any] | None:
        """The parts of an m.image event about the picture; None where the homeserver does not take it, now or
        at all: the words go without, or wait where those are not taken either. A letter that `edits` an image
        can't become words, so it raises `MatrixError` the first times that the homeserver says "not now".
        Else each of its busy minutes would leave two more messages in the room.
        """
        key = hashlib.sha256(picture.data).digest()
        info = {
            "mimetype": picture.media_type,
            "size": len(picture.data),
            "w": picture.width,
            "h": picture.height,
        }
        if not sealed and key in self._known:
            self._known.move_to_end(key)
            return {"filename": picture.name, "info": info, "url": self._known[key]}
        try:
            address, keys = await self._upload(picture, sealed)
        except MatrixError as trouble:
            log.warning("matrix: a picture was not taken: %s", trouble)
            self._refused += 1
            if edits and self._refused <= PATIENCE and trouble.receipt.fate is Fate.LATER:
                raise
            return None
        self._refused = 0
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
            answer, keys = await self._line.client.upload(
                io.BytesIO(picture.data),
                content_type=picture.media_type,
                filename=None if sealed else picture.name,
                encrypt=sealed,
                filesize=len(picture.data),
            )
            return answer

        answer = await self._line.ask(call())
        return str(answer.content_uri), keys
