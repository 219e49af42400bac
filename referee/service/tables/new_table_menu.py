"""Opening a table by a menu: edition, list, players, time for an answer, one after the other.

Each entry is the line that a person would type, a word longer than the last; so nothing is kept of a menu but
what its letters say, and an old letter of it still works.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from referee import rules
from referee.ids import NO_GAME, NO_LETTER, GameId, LetterId
from referee.policy import from_json
from referee.ports import Inbound, What
from referee.rules import Refusal, lists
from referee.states import GameStatus
from referee.store import Game, Outbox, Person, Room
from referee.text import Words
from referee.text.policy_words import setup_words
from referee.text.reading.policy import policy_text
from referee.text.reading.tables import rule_words

from ..core import outbox
from ..core.letter_rows import read
from ..core.letters import Facts, traits
from ..core.unit_of_work import UnitOfWork
from ..people import chat_rooms
from ..people.identity import Speaker
from ..people.letter_facts import MusterFacts, PromptFacts
from ..people.spoken import chosen, open_menu
from ..play import stepwise
from ..play.letter_facts import PlanMenuFacts

HOURS = (1, 12, 24, 48, 72)
#: for so long a number that its opener says in the room answers a menu; a reply to it does longer
FRESH_MS = 3_600_000
#: this many pages of one menu are looked at: four, and much to and fro
_PAGES = 50
#: entries below a question that do not answer it, and how a letter shows that it has one
_BESIDE = {one: f'"order":"{one}"' for one in ("plan", "hint")}


class MenuEntry(NamedTuple):
    """`words` are added to the line; `code` names the label's phrase or the table of names that has it, `key`
    what it is about.
    """

    words: str
    code: str
    key: Any


def line_of(args: Mapping[str, Any]) -> str:
    """What was asked for so far, as it would be typed."""
    choice = lists.choice_of(args.get("choice") or {})
    said = [args.get("edition") or ""]
    said += [choice.named] if choice.named else []
    said += ["gentle"] if choice.gentle else []
    said += [] if choice.nine is None else [f"{9 if choice.nine else 8} characters"]
    said += ["cast " + ", ".join(choice.cast)] if choice.cast else []
    said += ["with " + ", ".join(choice.also)] if choice.also else []
    said += ["uniques " + ", ".join(choice.uniques) + ","] if choice.uniques else []
    said += [f"{args['seats']} players"] if args.get("seats") else []
    if args.get("policy"):
        words = policy_text(from_json(args["policy"]))
        said.append(f"pace {words}" if choice.named == "random" else words)  # "random gentle" is about cards
    else:
        said += [f"{args['hours']:g}h"] if args.get("hours") else []
    said += rule_words(args.get("options") or {})
    said += [str(args["entry"])] if args.get("entry") else []
    said += [f"talk {args['talk']}"] if args.get("talk") else []
    said += ["advice"] if args.get("advice") else []
    bots = args.get("bots") or {}
    said += [f"{bots['count']} {bots['kind']} bots".replace("  ", " ")] if bots else []
    return " ".join(word for word in said if word)


def question(args: Mapping[str, Any]) -> tuple[str, list[MenuEntry]]:
    """What is asked next (edition, list, seats, hours), and its entries; ("", []) when everything was
    said.
    """
    choice = lists.choice_of(args.get("choice") or {})
    edition = args.get("edition") or (lists.edition_of(choice) if choice else "")
    if edition not in rules.EDITIONS:
        return "edition", [MenuEntry(name, "editions", name) for name in rules.EDITIONS]
    book = rules.EDITIONS[edition]
    if not choice and len(book.characters) > len(book.cast):
        named = [MenuEntry(name.lower(), "lists", name) for name in lists.lists_of(edition)] or [
            MenuEntry("8 characters", "button-usual", None)
        ]
        return "list", [
            *named,
            MenuEntry("random", "button-random", None),
            MenuEntry("random gentle", "button-gentle", None),
        ]
    if not args.get("seats"):
        return "seats", [
            MenuEntry(f"{n} players", "button-seats", n) for n in range(book.least, book.most + 1)
        ]
    if not args.get("hours"):
        return "hours", [MenuEntry(f"{n}h", "button-hours", n) for n in HOURS]
    return "", []


class Wanted(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was said of a table: arguments of `new`, those that were not said left out (see `read_new` of
    referee.text.reading.tables).
    """

    edition: str = ""
    seats: int = 0
    hours: float = 0
    options: Mapping[str, int | str] = {}
    entry: str = ""
    bots: Mapping[str, str | int] = {}
    choice: Mapping[str, Any] = {}
    talk: str = ""
    advice: bool = False
    policy: Mapping[str, Any] = {}


class SetupFacts(Facts):
    """What was said of the table so far, the letter whose place the next question takes (0: none), whether
    the table was made, and which, where that is all that is left to say (0: none).
    """

    kind = "setup"
    wanted: Wanted
    revises: LetterId = NO_LETTER
    made: bool = False
    table: GameId = NO_GAME


def send_menu_question(uow: UnitOfWork, speaker: Speaker, came: Inbound, args: Mapping[str, Any]) -> None:
    """Send the next question of the menu, where the last one stood or was asked for."""
    check_open(uow, speaker)
    wanted = Wanted(**{key: value for key, value in args.items() if value and key != "menu"})
    pressed = speaker.letter if came.what is What.BUTTON else None
    revises = pressed.id if pressed is not None and pressed.kind == SetupFacts.kind else NO_LETTER
    room = chat_rooms.room(uow, came)
    if room is not None:
        person = speaker.person
        menu = SetupFacts(wanted=wanted, revises=revises, to=person.name, asker=person.id)
        outbox.to_room(uow, room, menu, collapse=_in_room(room, person))
    else:
        menu = SetupFacts(wanted=wanted, revises=revises)
        outbox.to_person(uow, speaker.person.id, menu, at=speaker.address)


def _in_room(room: Room, person: Person) -> str:
    """The name under which a person's menus in a room are found."""
    return f"{SetupFacts.kind}:{room.id}:{person.id}"


@open_menu.on
def last_open(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> Outbox | None:
    """The last menu that somebody opened in a room, while it is new and has made no table."""
    room = uow.tx.one(Room, channel=came.channel, place=came.place)
    if room is None:
        return None
    last = uow.tx.all(Outbox, collapse=_in_room(room, speaker.person), order="-id", limit=1)
    if not last or uow.now_ms - last[0].created_ms > FRESH_MS or read(last[0], SetupFacts).made:
        return None
    return last[0]


def check_open(uow: UnitOfWork, speaker: Speaker) -> None:
    """A menu makes one table, however often its buttons are pressed.  Raises Refusal."""
    if any(read(row, SetupFacts).made for row in _pages(uow, speaker)):
        raise Refusal("old-button")


def end_menu(uow: UnitOfWork, speaker: Speaker, room: Room | None, made: Game) -> None:
    """The menu that made a table is over: it says so, and loses its buttons where it can be rewritten."""
    pages = _pages(uow, speaker)
    for row in pages:
        done = json.dumps({**json.loads(row.data), "made": True}, ensure_ascii=False)
        uow.tx.set(Outbox, row.id, data=done)
    if not pages:
        return
    said = SetupFacts(wanted=Wanted(), revises=pages[0].id, made=True, table=made.id)
    if room is not None:
        outbox.to_room(uow, room, said)
    else:
        outbox.to_person(uow, speaker.person.id, said, at=speaker.address)


def _pages(uow: UnitOfWork, speaker: Speaker) -> list[Outbox]:
    """The pages of the menu that was answered, its own first: where it is rewritten they are one message."""
    row = speaker.letter
    if row is None or row.kind != SetupFacts.kind:
        return []
    if not row.wire_id or row.channel == outbox.WEB:  # pages have no messages
        return [row]
    where: dict[str, Any] = {
        "channel": row.channel,
        "place": row.place,
        "address": row.address,
        "wire_id": row.wire_id,
    }
    same = uow.tx.all(Outbox, kind=row.kind, order="-id", limit=_PAGES, **where)
    return [row, *(one for one in same if one.id != row.id)]


@chosen.on
def numbered(uow: UnitOfWork, speaker: Speaker, text: str) -> str:
    """The line behind a number or “back”, where the last letter that the speaker has is a menu's; else the
    text itself.
    """
    plain = text.strip().rstrip(".)")
    if len(plain) > 3 and plain.isdecimal():
        return text
    row = stepwise.seen(uow, speaker)
    if not plain.isdecimal():
        found = "" if row is None else stepwise.way_back(row)
        speaker.letter = row if found else speaker.letter
        return found or text
    if (
        row is not None
        and row.kind == PromptFacts.kind
        and any(one in row.letter for one in _BESIDE.values())
        and (beside := stepwise.numbered(row, int(plain))) in _BESIDE
    ):
        speaker.letter = row
        return beside
    if row is None or traits(row.kind).entries != "menu" or _begun(uow, row):
        return text
    speaker.letter = row
    found = stepwise.numbered(row, int(plain))
    if not found and row.kind == PlanMenuFacts.kind:  # else it would answer the game's own question
        raise Refusal("menu-number", number=int(plain))
    return found or text


def _begun(uow: UnitOfWork, row: Outbox) -> bool:
    """Whether a letter asks if somebody is ready for a game that has begun, or never will."""
    game = uow.tx.get(Game, row.game_id) if row.kind == MusterFacts.kind and row.game_id else None
    return game is not None and game.status != GameStatus.MUSTERING


def menu_contents(words: Words, language: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What a letter of the menu says: {asks, so_far, options}."""
    asks, entries = question(wanted)
    so_far = line_of(wanted)
    rest = dict(wanted)
    rows = []
    for n, entry in enumerate(entries, int(entries[0].key) if asks == "seats" else 1):  # 5 is five players
        last = asks == "hours" or (asks == "seats" and rest.get("hours"))
        line = " ".join(part for part in ("new" if last else "new menu", so_far, entry.words) if part)
        label, note = _said(words, language, entry)
        rows.append({"n": n, "order": line, "label": label, "note": note, "mailto": words.mailto(line)})
    return {"asks": asks, "so_far": setup_words(words.lexicon(language), so_far), "options": rows}


def _said(words: Words, language: str, entry: MenuEntry) -> tuple[str, str]:
    if entry.code in ("editions", "lists"):
        name = words.lexicon(language).name(entry.code, entry.key)
        return name[:1].upper() + name[1:], str(
            words.lexicon(language).entry(entry.code, entry.key).get("line", "")
        )
    return words.phrase(entry.code, language, count=entry.key), ""
