"""The adapters' inner halves on simulated wires: what people say becomes what their wire carries – an update,
an event, the bytes of a mail – and is read by the adapter's own code; letters are composed by it. Strangers
hand in what no program would write.
"""

from __future__ import annotations

import hashlib
import json
import random
from email.message import EmailMessage
from typing import Any

from adapters.mail.addresses import Addresses
from adapters.mail.composing import compose, recipient_of
from adapters.mail.reading import Delivery, Reader
from adapters.mail.settings import Settings as MailSettings
from adapters.matrix import writing
from adapters.matrix.event_reader import EventReader
from adapters.telegram.intake import Intake
from adapters.telegram.long_letters import LongLetters
from referee.ports import Inbound, Letter, Receipt, What, unread
from tests.sim.script import GROUPS
from tests.sim.wires import Item, Pipe, Server

MAILBOX = "referee@games.test"
SETTINGS = MailSettings.model_validate(
    {"address": MAILBOX, "imap_host": "mail.test", "smtp_host": "mail.test"}
)
US = "@referee:hs"


def number_of(name: str) -> int:
    """A Telegram account's number."""
    return 10**6 + int(hashlib.sha256(name.encode()).hexdigest()[:8], 16)


class _NoPresses:
    def note(self, batch: Any) -> None:
        """Nothing spins here."""


class _Wire:
    bot = None

    async def meet(self) -> str:
        return "referee_bot"


class TelegramPipe(Pipe):
    """Updates, read by `adapters.telegram.intake`."""

    async def _read(self, found: list[Item]) -> list[Inbound]:
        intake = Intake(_Wire(), self.reception, _NoPresses(), self.server.wall_ms, LongLetters())
        return [
            one for one in (intake._read(self.raw(item), "referee_bot") for item in found) if one is not None
        ]

    def raw(self, item: Item) -> dict[str, Any]:
        """The update that carries it."""
        came = item.came
        if "raw" in came.facts:
            return {"update_id": int(came.key), **came.facts["raw"]}
        number = number_of(came.address)
        self.server.people[str(number)] = came.address
        user = {"id": number, "is_bot": False, "first_name": came.name or "x", "language_code": "en"}
        chat: dict[str, Any] = {"id": number, "type": "private", "first_name": user["first_name"]}
        if came.place is not None:
            chat = {"id": int(came.place), "type": "supergroup", "title": "Saturday"}
        message = {"message_id": item.number, "date": came.at_ms // 1000, "chat": chat}
        update: dict[str, Any] = {"update_id": int(came.key)}
        if came.what is What.BUTTON:
            return {
                **update,
                "callback_query": {
                    "id": came.facts["callback"],
                    "from": user,
                    "data": came.payload,
                    "chat_instance": "1",
                    "message": {**message, "text": "x"},
                },
            }
        return {**update, "message": {**message, "from": user, "text": came.text}}


class _Rooms:
    """What the matrix adapter knows of its rooms: everybody has a private one here, and one is a group's."""

    class line:
        me = US

    own: frozenset[str] = frozenset()  # nobody is invited here

    def readable(self, room: str) -> bool:
        return True

    def person_name(self, room: str, who: str) -> str:
        return who.strip("@").partition(":")[0].title()

    def private_with(self, room: str, sender: str = "") -> str | None:
        return None if room == GROUPS["matrix"] else f"@{room[1:]}"

    def name(self, room: str) -> str:
        return room

    def flagged(self, room: str) -> str | None:
        return None

    def nearby(self, who: str) -> bool:
        return False

    def room(self, room: str) -> Any:
        return None

    async def predecessor(self, room: str) -> str:
        return ""


class _Offers:
    """What reactions mean: the keys that the letter's own event carries."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def key(self, room: str, target: str, number: int) -> str:
        keys = self._server.offered.get(target, [])
        return keys[number] if number < len(keys) else ""


class MatrixPipe(Pipe):
    """Events, heard by `adapters.matrix.event_reader`; letters as `adapters.matrix.writing` has them, known
    again by their transaction.
    """

    async def _read(self, found: list[Item]) -> list[Inbound]:
        hearing = EventReader(_Rooms(), _Offers(self.server), self.server.wall_ms, e2e=False)
        heard = [
            await hearing.hear(item.came.place or f"!{item.came.address[1:]}", self.raw(item))
            for item in found
        ]
        return [one for one in heard if one is not None]

    def raw(self, item: Item) -> dict[str, Any]:
        """The event that carries it."""
        came = item.came
        event: dict[str, Any] = {
            "event_id": came.key,
            "sender": came.address,
            "origin_server_ts": came.at_ms,
            "type": "m.room.message",
        }
        if "raw" in came.facts:
            return {**event, **came.facts["raw"]}
        if came.what is What.BUTTON:
            number = came.facts["keycap"]
            return {
                **event,
                "type": "m.reaction",
                "content": {
                    "m.relates_to": {
                        "rel_type": "m.annotation",
                        "event_id": came.thread,
                        "key": writing.KEYCAPS[number],
                    }
                },
            }
        return {**event, "content": {"msgtype": "m.text", "body": came.text}}

    async def send(self, letter: Letter) -> Receipt:
        writing.replacement(letter) if letter.edits else writing.message(letter, threaded=False)
        return await super().send(letter)


class MailPipe(Pipe):
    """Mails, read by `adapters.mail.reading` and composed by `adapters.mail.composing`.

    (That strangers' mails are read by a process that may die is what `tests/attacks` tests with a real one;
    here what it would refuse is parked in the same words.)
    """

    addresses = Addresses(MAILBOX)
    reader = Reader(addresses)

    async def _read(self, found: list[Item]) -> list[Inbound]:
        batch = []
        for item in found:
            raw = self.raw(item)
            one = self.reader.read(Delivery(raw, item.came.at_ms, len(raw), ref=f"uid 1:{item.number}"))
            if one.facts.get("malformed") == "unreadable":
                one = unread(
                    "mail", raw, ref=f"uid 1:{item.number}", reason="mail unreadable", at_ms=item.came.at_ms
                )
            batch.append(one)
        return batch

    def raw(self, item: Item) -> bytes:
        """The mail that carries it: above the quotation, with a signature."""
        came = item.came
        if "raw" in came.facts:
            return bytes(came.facts["raw"])
        mail = EmailMessage()
        mail["From"] = f"{came.name} <{came.address}>"
        mail["To"] = self.addresses.reply(came.token)
        mail["Subject"] = "Re: Citadels"
        mail["Message-ID"] = came.key.rpartition(":")[0]
        if came.thread.startswith("<"):
            mail["In-Reply-To"] = came.thread
        said = came.text.encode(errors="replace").decode().replace("\0", "")
        mail.set_content(
            f"{said}\n\nOn Tue, 1 Jun 2027, Referee wrote:\n> Your turn\n> 1. gold\n", cte="8bit"
        )
        return mail.as_bytes()

    async def send(self, letter: Letter) -> Receipt:
        recipient = recipient_of(letter)
        if recipient is not None:
            compose(letter, recipient, SETTINGS, self.server.wall_ms())
        return await super().send(letter)


def poison(channel: str, n: int) -> tuple[dict[str, Any] | bytes, str]:
    """Something that no program would send, and what it is called."""
    dice = random.Random(f"poison {channel} {n}")
    if channel == "mail":
        return _mail(dice)
    if channel == "matrix":
        odd: list[Any] = [2**63, -1, 2**200, "soon", None, 1e400, [1], {"a": 1}, True]
        event = {
            "origin_server_ts": dice.choice(odd),
            "content": {
                "msgtype": dice.choice(["m.text", 7, None, "m.image"]),
                "body": dice.choice(["status", "\ud800", 7, None, ["x"], "\0"]),
                "m.relates_to": dice.choice(
                    [None, 7, {"m.in_reply_to": 7}, {"rel_type": "m.thread", "event_id": ["x"]}]
                ),
                "m.mentions": dice.choice([None, {"user_ids": 7}, {"user_ids": [7, None]}]),
            },
        }
        event["type"] = dice.choice(["m.room.message", "m.reaction", "m.room.member", "m.room.encrypted", 7])
        return event, "event"
    user = {
        "id": dice.choice([7, -7, 2**70]),
        "is_bot": False,
        "first_name": dice.choice(["\ud800", "", "x" * 5000]),
    }
    chat = {"id": dice.choice([7, 2**70]), "type": dice.choice(["private", "void", 7])}
    bodies: list[dict[str, Any]] = [
        {
            "message": {
                "message_id": 1,
                "date": dice.choice([2**63, -1, 0, "x"]),
                "chat": chat,
                "from": user,
                "text": dice.choice(["\ud800", "status", "\0"]),
            }
        },
        {"message": 7},
        {"message": {}},
        {"callback_query": {"id": 7, "from": user, "data": ["x"]}},
        {"my_chat_member": {"chat": chat}},
        {"brand_new": {"a": [[[[]]]]}},
    ]
    return json.loads(json.dumps(dice.choice(bodies))), "update"


def _mail(dice: random.Random) -> tuple[bytes, str]:
    charset = dice.choice(["utf-7", "unicode_escape", "undefined", "x" * 300, "utf-8", "punycode"])
    body = dice.choice(
        [
            b"+2AA-",
            b"\\ud800",
            b"\xed\xa0\x80",
            b"<" + b"a@" * 20_000,
            b"> " * 20_000,
            b"<div>" * 5_000,
            b"=" * 30_000,
        ]
    )
    kind = dice.choice(
        [
            "text/plain",
            "text/html",
            "multipart/mixed",
            "text/plain; a=" + ";" * 20_000,
            "message/rfc822",
            "text/plain; name*0*=x; name*1*=y",
        ]
    )
    sender = dice.choice(
        [f"odd{dice.randrange(99)}@x.test", "", "<" * 200, "a@b, c@d", "=?utf-7?q?+2AA-?= <odd@x.test>"]
    )
    lines = [
        f"From: {sender}",
        f"To: {MAILBOX}",
        f"Message-ID: <odd{dice.randrange(10**9)}@x.test>",
        f"Content-Type: {kind}; charset={charset}",
        f"Content-Transfer-Encoding: {dice.choice(['8bit', 'base64', 'uuencode', 'x'])}",
    ]
    dice.shuffle(lines)
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body, "mail"


#: what stands at the referee's end of each wire
PIPES = {"telegram": TelegramPipe, "matrix": MatrixPipe, "mail": MailPipe, "terminal": Pipe}


def pipe(server: Server) -> Pipe:
    """The adapter's inner half for that wire."""
    return PIPES[server.name](server)
