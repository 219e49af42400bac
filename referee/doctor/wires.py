"""Each channel that is on, asked by a real call."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from referee.config import channels as installed
from referee.main import clock_ms
from referee.ports import Finding

if TYPE_CHECKING:
    from referee.config import Configuration

#: how long one channel may take
PATIENCE_S = 60.0


async def pages(config: Configuration) -> list[Finding]:
    """What is found about the web pages."""
    found: list[Finding] = await installed.own("web.checking").findings(
        config.web.listen,
        config.web.base_url,
        proxied=config.web.proxied,
        token=config.web.metrics_token.get_secret_value(),
        push=bool(config.web.push_key.get_secret_value()),
    )
    return found


async def channels(config: Configuration) -> list[Finding]:
    """What every adapter's own check finds; one that breaks is a finding too."""
    found = await asyncio.gather(*(_one(config, name) for name in config.channels))
    return [finding for findings in found for finding in findings]


async def _one(config: Configuration, name: str) -> list[Finding]:
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await installed.module(name).build(config.channels[name], clock_ms).check()
    except TimeoutError:
        return [Finding("bad", "channel-silent", {"channel": name, "seconds": PATIENCE_S})]
    except Exception as error:  # a doctor reports what falls over, whatever it is, and goes on to the next
        return [
            Finding("bad", "channel-broken", {"channel": name, "why": f"{type(error).__name__}: {error}"})
        ]
