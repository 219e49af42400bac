"""The parameters of a call: query string, form, multipart or JSON, and values that are JSON in strings."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import BodyPartReader, web

from .errors import bad


async def read(request: web.Request) -> dict[str, Any]:
    """All parameters of the call, as they came."""
    given: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        try:
            body = await request.json()
        except ValueError:
            raise bad("can't parse JSON object") from None
        if isinstance(body, dict):
            given.update(body)
    elif request.content_type == "multipart/form-data":
        # not `post()`: it keeps uploads in temporary files, which stay open when the person who sends them is
        # killed
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader), "nothing nests parts here"
            data = bytes(await part.read(decode=True))
            given[str(part.name)] = data if part.filename is not None else data.decode()
            if part.filename is not None:
                given[f"{part.name}:name"] = part.filename
    else:
        given.update(await request.post())
    return given


def integer(given: dict[str, Any], name: str, default: int | None = None) -> int | None:
    value = given.get(name)
    if value in (None, ""):
        return default
    try:
        return int(value)
    except (TypeError, ValueError):
        raise bad(f"invalid {name} specified") from None


def boolean(given: dict[str, Any], name: str) -> bool:
    return given.get(name) is True or str(given.get(name, "")).lower() in ("true", "1", "yes")


def structure(given: dict[str, Any], name: str) -> Any:
    """A value that is an object or a list, given as such or as JSON in a string."""
    value = given.get(name)
    if isinstance(value, str) and value:
        try:
            return json.loads(value)
        except ValueError:
            raise bad(f"can't parse {name} JSON object") from None
    return value or None
