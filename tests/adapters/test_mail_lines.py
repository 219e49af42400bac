"""Letters that follow one another share a line to the submission server, and none is lost or doubled by
that.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from adapters import mail as channel
from adapters.mail import smtp_connections
from adapters.mail.submission import Submission
from referee.ports import Fate, Letter, Receipt
from tests.adapters.conformance import Desk, until
from tests.servers.chaos import Chaos
from tests.servers.submission_peer import Peer

NOW = 1_795_000_000_000


class Polite(Peer):
    """Counts farewells."""

    farewells = 0

    async def handle_QUIT(self, server: Any, session: Any, envelope: Any) -> str:
        self.farewells += 1
        return "221 Bye"


@dataclass
class Post:
    """A submission server, the line to it, and what hands letters over."""

    peer: Polite
    line: Chaos
    submission: Submission

    async def send(self, number: int) -> Receipt:
        return await self.submission.send(
            Letter(id=str(number), channel="mail", address="ann@players.example", text="Your turn."), NOW
        )

    def ids(self) -> list[int]:
        """The letters that the server took."""
        return [int(str(taken.mail["Message-ID"])[1:].partition(".")[0]) for taken in self.peer.taken]


def settings(port: int, timeout_seconds: float = 10.0) -> channel.Settings:
    return channel.Settings.model_validate(
        {
            "address": "referee@game.test",
            "password": "open sesame",
            "smtp_host": "127.0.0.1",
            "smtp_port": port,
            "smtp_security": "none",
            "imap_host": "127.0.0.1",
            "imap_port": 9,
            "timeout_seconds": timeout_seconds,
        }
    )


async def sent(post: Post, number: int) -> bool:
    return (await post.send(number)).fate is Fate.SENT


@pytest.fixture
async def post(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Post]:
    monkeypatch.setattr(
        smtp_connections, "_KEEP_SECONDS", 600.0
    )  # nothing expires while a slow machine thinks
    peer = Polite(password="open sesame")
    await peer.start()
    line = await Chaos(peer.port).start()
    one = Post(peer, line, Submission(settings(line.port)))
    one.submission.open()
    yield one
    await one.submission.close()
    await line.stop()
    await peer.stop()


async def test_three_letters_one_line_and_a_farewell(post: Post) -> None:
    assert [(await post.send(n)).fate for n in (1, 2, 3)] == [Fate.SENT] * 3
    assert post.line.accepted == 1
    await post.submission.close()
    assert post.peer.farewells == 1
    assert (await post.send(4)).fate is Fate.SENT  # after the close a letter still goes, and keeps nothing
    assert (post.line.accepted, post.peer.farewells) == (2, 2)
    assert post.ids() == [1, 2, 3, 4]


async def test_letters_at_once_take_a_few_lines(post: Post) -> None:
    receipts = await asyncio.gather(*(post.send(n) for n in range(1, 31)))
    assert {one.fate for one in receipts} == {Fate.SENT}
    assert sorted(post.ids()) == list(range(1, 31))
    assert post.line.accepted <= 8  # four at a time, twenty letters on each


async def test_a_line_carries_so_many_letters_and_no_more(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp_connections, "_LETTERS", 2)
    assert [(await post.send(n)).fate for n in (1, 2, 3)] == [Fate.SENT] * 3
    assert (post.line.accepted, post.peer.farewells) == (2, 1)


async def test_an_idle_line_is_given_up_politely(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp_connections, "_KEEP_SECONDS", 0.02)
    assert (await post.send(1)).fate is Fate.SENT
    await until(lambda: post.peer.farewells == 1)
    await until(lambda: post.line.lines == 0)
    assert (await post.send(2)).fate is Fate.SENT
    assert post.ids() == [1, 2]


@pytest.mark.parametrize("end", ["hang_up", "cut"])
async def test_a_server_that_hung_up_meanwhile_is_called_again(post: Post, end: str) -> None:
    assert (await post.send(1)).fate is Fate.SENT
    getattr(post.line, end)()
    assert (await post.send(2)).fate is Fate.SENT
    assert post.line.accepted == 2
    assert post.ids() == [1, 2]


@pytest.mark.parametrize(
    "said", ["421 4.3.2 going down", "452 4.5.3 enough letters on this line", "550 5.7.1 not now"]
)
async def test_what_the_server_says_of_an_old_line_is_asked_again_on_a_fresh_one(
    post: Post, said: str
) -> None:
    assert (await post.send(1)).fate is Fate.SENT
    post.peer.say["MAIL"] = [said]
    assert (await post.send(2)).fate is Fate.SENT
    assert not post.submission.refused
    assert post.ids() == [1, 2]
    post.peer.say["MAIL"] = [said, said]  # the fresh one's word counts
    receipt = await post.send(3)
    assert receipt.fate is Fate.LATER
    assert said[:3] in receipt.detail
    assert post.submission.refused is said.startswith("5")
    assert post.ids() == [1, 2]


async def test_a_refused_recipient_is_refused_on_any_line(post: Post) -> None:
    assert (await post.send(1)).fate is Fate.SENT
    post.peer.say["RCPT"] = ["550 5.1.1 nobody of that name"]
    receipt = await post.send(2)
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "no-such-address")
    assert (await post.send(3)).fate is Fate.SENT
    assert post.ids() == [1, 3]


async def test_a_frozen_line_costs_one_timeout(post: Post) -> None:
    post.submission = Submission(settings(post.line.port, timeout_seconds=0.5))
    post.submission.open()
    await until(lambda: sent(post, 1))
    before = post.line.accepted
    post.line.freeze(True)
    receipt = await asyncio.wait_for(post.send(2), 5)
    assert receipt.fate is Fate.LATER
    assert post.line.accepted == before
    post.line.freeze(False)
    await until(lambda: sent(post, 3))


async def test_answers_cut_anywhere_on_an_old_line_lose_and_double_nothing(post: Post) -> None:
    fates = set()
    for number in range(1, 60, 2):
        assert (await post.send(number)).fate is Fate.SENT  # so that there is an old line
        post.line.lose_answer_after(number)
        receipt = await post.send(number + 1)
        fates.add(receipt.fate)
        copies = post.ids().count(number + 1)
        assert copies == 1 if receipt.fate is Fate.SENT else copies == 0 or receipt.fate is Fate.UNKNOWN
        post.line.lose_answer_after(1 << 30)
    assert fates == {Fate.SENT, Fate.LATER, Fate.UNKNOWN}
    assert all(post.ids().count(number) <= 1 for number in range(1, 61))


async def test_the_adapter_keeps_lines_only_while_it_runs(post: Post) -> None:
    one = channel.build(settings(post.line.port), lambda: NOW)
    letter = Letter(id="1", channel="mail", address="ann@players.example", text="Your turn.")
    assert (await one.send(letter)).fate is Fate.SENT
    assert post.peer.farewells == 1
    await one.start(Desk())
    assert (await one.send(letter)).fate is Fate.SENT
    assert post.peer.farewells == 1
    await one.stop()
    assert post.peer.farewells == 2
