"""Pages that several processes serve: who signs out at one of them is told nothing more by the others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from referee.ids import SessionId
from referee.ports import Visitor
from referee.service.core import tokens
from referee.service.people import web_sessions
from referee.service.web.fingerprint import Audience
from referee.service.web.own import forms
from referee.store import Person, Tx, WebSession
from tests import books
from tests.service.outbound.processes import Process, needs_postgres, now_ms

pytestmark = needs_postgres


def signed_in(tx: Tx) -> Visitor:
    person = tx.add(Person, name="Ana", language="en")
    web_sessions.begin(tx, person, "", now_ms(), "Firefox")
    (row,) = tx.all(WebSession, person_id=person)
    return Visitor(person=person, session=SessionId(row.id), key="of the browser", name="Ana", language="en")


@pytest.mark.parametrize("which", ["", "others"])
async def test_a_button_ends_streams_in_all_processes(tmp_path: Path, which: str) -> None:
    url = books.address(tmp_path / "book", postgres=True)
    here, there = Process(url, served=True), Process(url, served=True)
    try:
        for one in (here, there):
            one.store.listen(one.referee._heard)
        visitor = await here.store.write(signed_in)
        form = forms.token(await here.store.write(tokens.secret), visitor, now_ms())
        stream = there.referee.live._listen((Audience(1, 0, visitor.person), "as it was"))
        assert stream is not None
        assert await here.referee.own_pages.sign_out(visitor, form, which) is (which == "others")
        async with asyncio.timeout(10):
            assert await stream.changed() is None
    finally:
        for one in (here, there):
            await one.store.close()
