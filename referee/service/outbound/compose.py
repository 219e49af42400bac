"""Making the words of a letter when its channel is ready, from what is true at that moment.

Only views, events and public rows go into the context: a letter can't say what its reader may not know.
A letter that speaks of a question which is gone says only what is still worth saying, or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from referee import rules
from referee.plans import Plan, Stop
from referee.ports import Attachment, Button, Letter
from referee.store import Deadline, Game, GameRoom, Outbox, Person, Seat, SeatPlan, Tx
from referee.text import Words, policy_line, so_far
from referee.text.rendering.plans import stopped

from ..accounts import join
from ..admin.letters import filled as administered
from ..calendar import ical
from ..cards.card_help import by_itself, here, in_game
from ..core import outbox, tokens
from ..core.unit_of_work import ServiceSettings, States, names, settings_of
from ..deadlines import clock_state
from ..decisions import votes
from ..league import hooks
from ..league import letters as league_letters
from ..notices import commands, digest
from ..pictures import letter_pictures
from ..plans import menu
from ..play import seat_plans, stepwise
from ..play.records import deal_text, record_text
from ..tables import new_table_menu
from ..tables.lists import ended, history, member, mine
from ..tables.public_view import cards, lobby, public, seat_offer
from ..teaching import due_lessons, lesson_state
from ..web import page_command
from .threads import place_of, room_language, thread


class Desk(NamedTuple):
    """What composing needs besides the row: an open transaction, the house, the channel's markup."""

    tx: Tx
    now_ms: int
    words: Words
    settings: ServiceSettings
    states: States
    markup: str
    rewrites: bool
    key: bytes
    silent: bool = False  # ring nobody with it
    language: str = "en"  # of what is for nobody and no room in particular: the command line's


class Composed(NamedTuple):
    """A letter, the number of the last event that it tells, of the last one before those, and of the question
    that it asks (0: none)."""

    letter: Letter
    upto: int
    since: int
    question: int
    lessons: tuple[tuple[str, str], ...] = ()  # what it teaches, (part, name)
    seats: dict[str, int] | None = (
        None  # a letter over several games: up to which event each seat (by its row) is told
    )


def compose(desk: Desk, row: Outbox) -> Composed | None:
    """The words of one outbox row, or None when there is nothing left to say."""
    data = json.loads(row.data)
    game = None if row.game_id is None else desk.tx.get(Game, row.game_id)
    person = None if row.person_id is None else desk.tx.get(Person, row.person_id)
    wished = str(data.pop("language", ""))  # of somebody of whom nothing is known yet
    language = person.language if person is not None else wished or room_language(desk, row)
    context: dict[str, Any] = {
        "language": language,
        "zone": person.zone if person is not None else "UTC",
        "now_ms": desk.now_ms,
        "game": None,
        "me": None,
        "bot_link": desk.settings.bot_link,
        "channel": row.channel,
        "room": bool(row.place),
        **DEFAULTS.get(row.kind, {}),
        **data,
    }
    kind = row.kind
    upto = since = 0
    buttons: list[list[Button]] = []
    told: dict[str, int] | None = None
    edits = ""
    pin = False
    attachments: tuple[Attachment, ...] = ()
    drawings: list[letter_pictures.Drawing] = []
    seats: list[Seat] = []
    if game is not None:
        seats = desk.tx.all(Seat, game_id=game.id, order="no")
        context |= about(desk, game, seats, row, language)
        if kind == "status" and game.status in ("lobby", "mustering", "abandoned"):
            kind = "lobby"
    if kind in ("prompt", "reminder", "hand") and game is not None:
        assert row.seat is not None
        if row.person_id not in (None, seats[row.seat].person_id):
            return None  # somebody else sits there now
        revised = (
            desk.tx.get(Outbox, int(data.get("revises") or 0)) if desk.rewrites and kind == "prompt" else None
        )
        since = int(json.loads(revised.data).get("since", 0)) if revised is not None else seats[row.seat].told
        if lesson_state.mode_of(seats[row.seat].lessons) == lesson_state.LEARN:
            since = seats[row.seat].told  # a whole game goes through one message: what was read makes room
        edits = "" if revised is None else revised.wire_id
        context["edited"] = bool(edits)
        if revised is not None and revised.question == game.question:
            context["lessons"] = [tuple(one) for one in json.loads(revised.data).get("taught", ())]
        found = private(desk, row, game, seats, context, since)
        if found is None:
            return None
        upto = found
        buttons = offered(context)
    elif kind == "table" and game is not None:
        watching = next(
            (
                w
                for w in desk.tx.all(GameRoom, game_id=game.id)
                if place_of(desk, w.room_id) == (row.channel, row.place)
            ),
            None,
        )
        edits = "" if watching is None else watching.wire_id
        pin = True
        if game.status in ("lobby", "mustering", "abandoned"):
            kind = "lobby"
        else:
            public(desk, game, context)
    if kind == "lobby" and game is not None:
        lobby(desk, row, game, seats, context)
        if game.status == "lobby" and row.place and context["entry"] == "open":
            buttons = rows(desk, row, context, [("join", f"join {context['game']['tag']}")])
        if game.status in ("lobby", "mustering") and row.place and context["missing_private"]:
            buttons += opening(desk, row, context, f"ready_{game.id}")
    elif kind == "muster" and game is not None:
        if game.status != "mustering" or context["me"] is None or seats[context["me"]["seat"]].ready:
            return None
        lobby(desk, row, game, seats, context)
        buttons = rows(desk, row, context, [("ready", f"ready {context['game']['tag']}")])
    elif kind == "over" and game is not None:
        ended(desk, game, seats, context)
        context["teaching"] = "" if row.seat is None else lesson_state.mode_of(seats[row.seat].lessons)
        upto = game.event_no if row.seat is not None else 0
    elif kind == "status" and game is not None:
        public(desk, game, context)
        context |= cards(game, settings_of(game))
    elif kind == "card" and game is not None:
        context["here"] = here(desk.states, game, str(data["card"]))
    elif kind == "cards" and game is not None:
        context["cast"], context["uniques"] = in_game(desk.states, game)
    elif kind == "cards":
        context |= by_itself()
    elif kind == "history" and game is not None:
        history(desk, game, seats, context)
    elif kind == "record" and game is not None:
        context["record"] = (
            record_text(desk.tx, int(game.id or 0))
            if not data.get("deal")
            else deal_text(desk.tx, int(game.id or 0), int(data["deal"]))
        ).split("\n")
    elif kind == "who" and game is not None:
        context["players"] = [member(desk, s) for s in seats]
    elif kind == "who":
        context["players"] = []
    elif kind == "games":
        context["games"] = mine(desk, row)
    elif kind == "digest" and person is not None:
        filled, told = digest.filled(desk.tx, desk.words, desk.states, person, data)
        if not filled["games"] and not data.get("notices"):
            return None
        context |= filled
        buttons = digest.shown(context, desk.words, lambda n: tokens.button(desk.key, int(row.id or 0), n))
    elif kind == "vote" and game is not None:
        shown = votes.shown(desk.tx, row, int(data["proposal"]))
        if shown is None:
            return None
        context |= shown[0]
        context["names"] = names(seats)
        buttons = rows(desk, row, context, shown[1])
    elif kind == "link_ask":
        question = join.asked(desk.tx, row, int(data["join"]), int(data["address"]))
        if question is None:
            return None
        context |= question
        buttons = (
            []
            if question["answered"]
            else rows(
                desk,
                row,
                context,
                [("yes", f"link yes {question['word']}"), ("no", f"link no {question['word']}")],
            )
        )
    elif kind == "plan_menu" and game is not None:
        planned = plan_page(desk, row, game, seats, language, data)
        if planned is None:
            return None
        context |= planned
        buttons = offered(context)
        edits = rewritten(desk, data)
    elif kind == "plan":
        edits = rewritten(desk, data)
    elif kind == "seat_offer" and game is not None:
        if not seat_offer(desk, row, game, seats, context, int(data["offered"])):
            return None
        buttons = offered(context)
    elif kind in league_letters.KINDS:
        league = league_letters.filled(desk, kind, {**data, "reader": row.person_id, "language": language})
        if league is None:
            return None
        attachments = league.pop("attachments", ())
        drawings = league.pop("drawn", [])
        context |= league
    elif kind.startswith("admin_"):
        shown_to_admin = administered(desk, row, game, seats, data)
        if shown_to_admin is None:
            return None
        context |= shown_to_admin
    elif kind == "setup":
        context |= new_table_menu.filled(desk.words, language, data["wanted"])
        context["options"] = [
            {**o, "key": tokens.button(desk.key, int(row.id or 0), o["n"])} for o in context["options"]
        ]
        buttons = offered(context)
        edits = rewritten(desk, data)
    if data.get("offers"):
        buttons = rows(desk, row, context, [(str(phrase), str(order)) for phrase, order in data["offers"]])
    elif kind == "calendar_file" and person is not None:
        context["count"], attachments = ical.attached(desk.tx, desk.words, person, desk.key)
    if data.get("start_payload"):
        buttons = opening(desk, row, context, data["start_payload"])
    if kind != "vote" and context["game"] and context["game"].get("paused") and context.get("due_ms"):
        context["due_ms"] = None  # when the policy would end the pause is no deadline that anybody has
    said = desk.words.letter(kind, language, desk.markup, context)
    if not said.text.strip():
        return None  # nothing happened that this reader has to be told
    assert row.id is not None
    picture = (
        letter_pictures.depicted(desk, row, kind, game, person, language, context)
        if game is not None and desk.settings.pictures
        else None
    )
    if drawings and desk.settings.pictures:
        picture, more = letter_pictures.drawn(desk, row, kind, person, drawings)
        attachments += more
    if picture is not None and kind == "table":
        brief = desk.words.letter(kind, language, desk.markup, {**context, "brief": True})
        picture = replace(picture, caption=brief.text, caption_markup=brief.markup)
    letter = Letter(
        id=tokens.wire(desk.key, row.id),
        channel=row.channel,
        text=said.text,
        address=row.address or None,
        place=row.place or None,
        markup=said.markup,
        subject=said.subject,
        buttons=tuple(tuple(r) for r in buttons),
        edits=edits,
        pin=pin,
        answers=data.get("answers", ""),
        thread=thread(desk, row),
        token=tokens.token(desk.key, row.id),
        ref=context["game"]["ref"] if context["game"] else "",
        quiet=desk.silent or kind in ("table", "echo_elsewhere", "lobby", "talk"),
        callback=data.get("callback", ""),
        attachments=attachments,
        picture=picture,
        facts={
            **commands.link(desk.settings.base_url, desk.key, row),
            **({"stranger": True} if kind == "suspicious" else {}),
        },
    )
    return Composed(
        letter,
        upto,
        since,
        (context.get("ask") or {}).get("number", 0),
        tuple(context.get("lessons", ())),
        told,
    )


def plan_page(
    desk: Desk, row: Outbox, game: Game, seats: list[Seat], language: str, data: dict[str, Any]
) -> dict[str, Any] | None:
    """A page of the menu that writes a plan; None where there is nothing to plan any more."""
    if game.status != "running" or row.seat is None or seats[row.seat].person_id != row.person_id:
        return None
    filed = desk.tx.one(SeatPlan, game_id=game.id, seat=row.seat)
    page = menu.filled(
        desk.words,
        language,
        desk.states,
        game,
        rules.view(desk.states.of(game), row.seat),
        Plan() if filed is None else seat_plans.plan_of(filed),
        data,
    )
    return {
        **page,
        "options": [{**o, "key": tokens.button(desk.key, int(row.id or 0), o["n"])} for o in page["options"]],
    }


def planning(desk: Desk, row: Outbox, game: Game, context: dict[str, Any]) -> list[dict[str, Any]]:
    """The entry that opens that menu, where a character is picked and where others are waited for."""
    if (
        row.kind != "prompt"
        or game.status != "running"
        or context["step"]
        or context.get("teaching") == lesson_state.LEARN
        or (context["ask"] or {}).get("kind", "pick") not in ("pick", "discard")
    ):
        return []
    n = len(context["options"]) + 1
    return [
        {
            "n": n,
            "order": "plan",
            "label": desk.words.phrase("button-plan", context["language"]),
            "note": "",
            "leads": False,
            "mailto": desk.words.mailto("plan", f"{context['game']['tag']} plan"),
            "key": tokens.button(desk.key, int(row.id or 0), n),
        }
    ]


def rewritten(desk: Desk, data: dict[str, Any]) -> str:
    """The wire id of the letter whose place this one takes, "" for none."""
    older = desk.tx.get(Outbox, int(data.get("revises") or 0)) if desk.rewrites else None
    return "" if older is None else older.wire_id


def about(desk: Desk, game: Game, seats: list[Seat], row: Outbox, language: str) -> dict[str, Any]:
    """The table's name and rules, and the reader's seat."""
    policy = clock_state.policy_of(game)
    table = clock_state.read(game)
    left = table.seat(row.seat).bank if row.seat is not None else -1
    bank = left if left >= 0 else None
    found: dict[str, Any] = {
        "game": {
            "id": game.id,
            "ref": f"g{game.id}",
            "tag": f"#{game.id}",
            "edition": game.edition,
            "status": game.status,
            "policy": {"line": policy_line(desk.words, policy, language, bank_ms=bank), "bot": policy.bot},
            "paused": clock_state.paused(table),
            "looked": len(settings_of(game).get("looked", ())),
            "guided": bool(settings_of(game).get("learn")),
            "league": hooks.mine(game),
            "page": page_command.link(desk.tx, desk.settings.base_url, game, row)
            if row.kind in page_command.SHOWN
            else "",
        }
    }
    mine = (
        next((s for s in seats if s.person_id == row.person_id), None) if row.person_id is not None else None
    )
    # by the person: in the lobby seats move up when somebody leaves
    if row.seat is not None and mine is not None:
        found["me"] = {"seat": mine.no, "name": mine.name}
    return found


def private(
    desk: Desk, row: Outbox, game: Game, seats: list[Seat], context: dict[str, Any], since: int
) -> int | None:
    """Fill in what only this seat may read.

    Returns the last event told, None when the letter has become pointless.
    """
    assert row.seat is not None
    is_asked = game.status == "running" and str(row.seat) in game.asked.split(",")
    if pointless(row, game, context):
        return None
    state = desk.states.of(game)
    view = rules.view(state, row.seat)
    events = [
        {"name": e.name, "facts": json.loads(e.facts), "no": e.no}
        for e in desk.tx.events_since(int(game.id or 0), since, row.seat)
    ]
    ask = view.get("ask") if is_asked else None
    asked_at = context.pop("step", None)
    context |= {
        "view": view,
        "events": events,
        "ask": None if ask is None else {"kind": ask["kind"], "number": ask["number"]},
        "final": game.status == "over",
        "options": [],
        "step": "",
        "due_ms": None,
        "names": names(seats),
    }
    taught = context.pop("lessons", ())  # what an earlier wording of this letter brought
    explained = context.pop("explain", False)  # what explains the question is told once more
    stop = context.pop("stopped", None)
    if row.kind == "prompt":
        context |= {
            "stopped": ""
            if stop is None
            else stopped(desk.words, Stop(stop["code"], stop["facts"]), view, context["language"]),
            "soon": ask is not None and seat_plans.pending(desk.tx, game, row.seat),
        }
    if ask is not None:
        due = desk.tx.one(Deadline, game_id=game.id, seat=row.seat, kind="answer", done_ms=0)
        context["due_ms"] = None if due is None or context["game"]["guided"] else due.due_ms
        path = stepwise.path_of({"step": asked_at}, game)
        rows = desk.words.offers(ask, view, context["language"], path, context["game"]["tag"])
        context["options"] = [{**o, "key": tokens.button(desk.key, int(row.id or 0), o["n"])} for o in rows]
        context["step"] = so_far(path, names(seats)) if path else ""
        if row.kind == "prompt" and seats[row.seat].lessons:
            context["teaching"] = lesson_state.mode_of(seats[row.seat].lessons)
            # in the middle of an order nothing new is explained
            context["lessons"] = list(taught) or (
                []
                if path
                else (due_lessons.open_now if explained else due_lessons.due)(
                    desk.tx, game, seats[row.seat], view, [o["order"] for o in rows]
                )
            )
    context["options"] += planning(desk, row, game, context)
    return game.event_no if row.kind == "prompt" else 0


def pointless(row: Outbox, game: Game, data: Mapping[str, Any]) -> bool:
    """Whether a letter to a seat has become so before it was worded: it asks what is asked no more, and says
    nothing else.
    """
    if game.status not in ("running", "over", "frozen") or not game.snapshot:
        return True
    is_asked = game.status == "running" and str(row.seat) in game.asked.split(",")
    stale = row.question and (not is_asked or row.question != game.question)
    talks = bool(data.get("echo") or data.get("trouble"))
    return (row.kind == "reminder" and bool(stale or not is_asked)) or (
        row.kind == "prompt" and bool(stale and not talks and not is_asked)
    )


def offered(context: dict[str, Any]) -> list[list[Button]]:
    """The options as buttons, two in a row where they are short."""
    found: list[list[Button]] = []
    for option in context.get("options", ()):
        one = Button(label=option["label"], key=option["key"], order=option["order"], number=option["n"])
        if found and len(found[-1]) < 2 and len(found[-1][0].label) + len(one.label) <= 34:
            found[-1].append(one)
        else:
            found.append([one])
    return found[:50]


def rows(
    desk: Desk, row: Outbox, context: dict[str, Any], offers: list[tuple[str, str]]
) -> list[list[Button]]:
    """Buttons that are not about a question of the game: (phrase, what it stands for)."""
    found = []
    for n, (phrase, order) in enumerate(offers, 1):
        found.append(
            [
                Button(
                    label=desk.words.phrase(f"button-{phrase}", context["language"]),
                    order=order,
                    key=tokens.button(desk.key, int(row.id or 0), n),
                )
            ]
        )
    return found


def opening(desk: Desk, row: Outbox, context: dict[str, Any], payload: str) -> list[list[Button]]:
    """A button that opens the private chat, where somebody must do that before they can be written to."""
    if row.channel not in desk.settings.shy or not desk.settings.bot_link:
        return []
    return [
        [
            Button(
                label=desk.words.phrase("button-start", context["language"]),
                key="",
                link=desk.settings.bot_link + payload,
            )
        ]
    ]


DEFAULTS: dict[str, dict[str, Any]] = {
    "prompt": {"echo": [], "trouble": None},
    "notice": {"notices": [], "to": ""},
    "toast": {"notices": []},
}
assert set(DEFAULTS) >= outbox.ASKING - {"reminder"}
