"""Pictures that go with letters: channels show PNG and not SVG, so each is drawn before its letter leaves, in
a process of its own. Where that can't be (the extra `pictures` is not installed, or it takes too long) a file
goes as SVG and a picture not at all; the letter's text is complete without either.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from dataclasses import replace

from referee.png import png, there
from referee.ports import Attachment, Letter, Picture
from referee.text.rendering.pictures import ZOOM

from ..core.settings import ServiceSettings
from .image_worker import ImageWorker

log = logging.getLogger(__name__)
SVG, PNG = "image/svg+xml", "image/png"
#: seconds that one picture may take, how many are remembered, and for how many seconds nothing is drawn after
#: a process hung or died, or lacked what it needs (a font, memory): a hundred letters that each wait for
#: their patience to end would leave half an hour late
PATIENCE, KEPT, REST = 20.0, 32, 30.0


def drawn_here(settings: ServiceSettings) -> bool:
    """Whether this house makes PNG of its pictures."""
    return settings.pictures and there()


class PictureRenderer:
    """Draws, one at a time, and remembers the last ones by what is on them: the same table goes to several
    rooms, the same standings to many.
    """

    def __init__(self, draw: Callable[..., bytes] = png) -> None:
        self._draw = draw
        self._known: OrderedDict[bytes, bytes] = OrderedDict()
        self._worker = ImageWorker()
        self._rested = 0.0  # until when nothing is drawn, by the loop's clock

    async def drawn(self, letter: Letter) -> Letter:
        """The letter with its pictures as PNG where that can be."""
        if letter.picture is not None:
            letter = replace(letter, picture=await self._picture(letter.picture))
        if any(one.media_type == SVG for one in letter.attachments) and there():
            letter = replace(letter, attachments=tuple([await self._file(one) for one in letter.attachments]))
        return letter

    async def file(self, name: str, svg: bytes) -> bytes | None:
        """A picture for others than letters, as large as in these; None where it could not be made."""
        return await self._made(name, svg, ZOOM) if there() else None

    def close(self) -> None:
        """Nothing more is drawn."""
        self._worker.close()

    async def _picture(self, picture: Picture) -> Picture | None:
        if picture.media_type != SVG:
            return picture
        made = await self._made(picture.name, picture.data, ZOOM) if there() else None
        return (
            None
            if made is None
            else replace(
                picture,
                data=made,
                media_type=PNG,
                name=_named(picture.name),
                width=round(picture.width * ZOOM),
                height=round(picture.height * ZOOM),
            )
        )

    async def _file(self, file: Attachment) -> Attachment:
        made = await self._made(file.name, file.data) if file.media_type == SVG else None
        return file if made is None else Attachment(_named(file.name), PNG, made)

    async def _made(self, name: str, svg: bytes, *zoom: float) -> bytes | None:
        """The PNG; None where it could not be made."""
        key = hashlib.sha256(repr(zoom).encode() + svg).digest()
        made = self._known.get(key)
        if made is None:
            if asyncio.get_running_loop().time() < self._rested:
                return None
            try:
                made = await self._worker.run(self._draw, svg.decode(), *zoom, patience=PATIENCE)
            except Exception as trouble:
                # whatever goes wrong there, from a broken process to a picture that is none: the letter must
                # leave
                log.warning("the picture %s could not be drawn", name, exc_info=True)
                if isinstance(trouble, OSError | ImportError | BrokenExecutor):
                    self._rested = asyncio.get_running_loop().time() + REST
                return None
        self._known[key] = made
        self._known.move_to_end(key)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return made


def _named(name: str) -> str:
    return name.removesuffix(".svg") + ".png"
