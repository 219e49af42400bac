"""A letter as the content of a Matrix event."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from referee.ports import Letter

#: where a question's opaque keys travel, in the order of its keycaps; read again when somebody reacts
KEYS = "org.citadels-referee.keys"
#: 1️⃣ … 9️⃣ and 🔟
KEYCAPS = (*(f"{digit}\ufe0f\u20e3" for digit in range(1, 10)), "\U0001f51f")
#: an event may have 65,536 bytes with everything the homeserver adds (signatures, hashes, auth events)
ROOM_FOR_CONTENT = 60_000


def keys(letter: Letter) -> list[str]:
    """The key of each keycap, "" where it offers nothing.

    An option's keycap is its number in the text; where the text numbers nothing, they are counted. Links are
    no answers.
    """
    offered = [button for row in letter.buttons for button in row if not button.link]
    numbered = {button.number: button.key for button in offered if 1 <= button.number <= len(KEYCAPS)}
    if not any(button.number for button in offered):
        numbered = {number: button.key for number, button in enumerate(offered[: len(KEYCAPS)], 1)}
    return [numbered.get(number, "") for number in range(1, max(numbered, default=0) + 1)]


def message(letter: Letter, *, threaded: bool, shown: dict[str, Any] | None = None) -> dict[str, Any]:
    """A new message.

    `threaded`: whether `letter.thread` makes a thread of it or is left aside. `shown`: its picture, as
    `Uploads` has it.
    """
    content = words(letter, shown)
    relation: dict[str, Any] = {}
    if threaded and letter.thread:
        relation = {
            "rel_type": "m.thread",
            "event_id": letter.thread[0],
            "is_falling_back": not letter.answers,
            "m.in_reply_to": {"event_id": letter.answers or letter.thread[-1]},
        }
    elif letter.answers:
        relation = {"m.in_reply_to": {"event_id": letter.answers}}
    if relation:
        content["m.relates_to"] = relation
    return fit(content)


def replacement(letter: Letter, shown: dict[str, Any] | None = None) -> dict[str, Any]:
    """The new words, and picture, of the message `letter.edits`."""
    new = words(letter, shown)
    old_client = {"msgtype": "m.notice" if letter.quiet else "m.text", "body": f"* {new['body']}"}
    relation = {"rel_type": "m.replace", "event_id": letter.edits}
    whole = {**old_client, "m.new_content": new, "m.relates_to": relation}
    if size(whole) > ROOM_FOR_CONTENT:
        # a client that knows no edits gets a mark instead of the words
        whole["body"] = "*"
    return {**whole, "m.new_content": fit(new, ROOM_FOR_CONTENT - size(whole) + size(new))}


def words(letter: Letter, shown: dict[str, Any] | None = None) -> dict[str, Any]:
    """Text, markup and keys. m.text rings, m.notice does not.

    With a picture it is m.image, all words its caption (spec 1.10): clients that know no captions take them
    for the picture's description.
    """
    content: dict[str, Any] = {"msgtype": "m.notice" if letter.quiet else "m.text", "body": letter.text}
    if shown is not None:
        content |= {**shown, "msgtype": "m.image"}
    if letter.markup:
        content |= {"format": "org.matrix.custom.html", "formatted_body": letter.markup}
    offered = keys(letter)
    if offered:
        content[KEYS] = offered
    return content


def fit(content: dict[str, Any], room: int = ROOM_FOR_CONTENT) -> dict[str, Any]:
    """Without its markup if that makes it too long: the text is complete by itself."""
    if size(content) > room:
        return {name: value for name, value in content.items() if name not in ("format", "formatted_body")}
    return content


def size(content: dict[str, Any]) -> int:
    """Bytes on the wire."""
    return len(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode())


def transaction(letter: Letter, part: str = "") -> str:
    """The transaction id by which the homeserver knows a repeated letter.

    The same letter always has the same; its words are in it too, so that a new database that counts from one
    again is not taken for the old one.
    """
    whole = json.dumps([letter.id, letter.address, letter.place, letter.text, letter.markup, letter.edits])
    return f"{hashlib.sha256(whole.encode()).hexdigest()[:32]}{part}"
