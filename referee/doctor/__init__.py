"""What `referee doctor` looks at.  Each finding is a code with facts; the sentences, which also say
what to do, are in templates/en/admin.toml under [doctor]."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from referee.doctor import admins, database, drawing, machine, wires, words
from referee.ports import Finding

if TYPE_CHECKING:
    from referee.config import Configuration

__all__ = ["examine"]


async def examine(config: Configuration) -> list[Finding]:
    """All findings: configuration, machine, database, templates, pictures, and each channel and the web pages
    by a real call.
    """
    found = [*machine.configuration(config), *machine.installation(), *machine.clock()]
    found += await asyncio.to_thread(lambda: list(database.database(config.store.url)))
    found += await asyncio.to_thread(lambda: list(admins.twice(config)))
    found += await asyncio.to_thread(lambda: list(words.templates(config)))
    found += await asyncio.to_thread(lambda: list(drawing.pictures(config)))
    found += await wires.channels(config)
    found += await wires.pages(config)
    return found
