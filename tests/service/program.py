"""What happens on the long evening (evening.py): an act for each thing that can be said, asked, gone wrong or
run out of time.
"""

from __future__ import annotations

from referee.ports import Fate, Receipt, What
from referee.store import StoreFull
from tests.service.evening import HALL, PEOPLE, ROOM, ROOT, Evening

ANA, BEA, CY, DAN = PEOPLE
TOPICS = (
    "",
    "orders",
    "turn",
    "plans",
    "clocks",
    "talk",
    "leagues",
    "admin",
    "votes",
    "calendar",
    "web",
    "new",
    "kill",
    "Wizard",
    "Great Wall",
    "xyzzy",
)
#: what is wrong in one way or another: strangers' words, half of something, too much, not now
MISTAKES = (
    "xyzzy",
    "1",
    "99",
    "",
    "build",
    "kill Bea",
    "destroy Bea Xyzzy",
    "build Xyzzy",
    "gold; xyzzy",
    "gold; 2",
    "#99 status",
    "join #99",
    "new xyzzy",
    "new 99",
    "new classic 8 7",
    "new deluxe with Xyzzy",
    "new deluxe with Witch, Assassin",
    "zone Xyzzy",
    "language xyzzy",
    "name",
    "prefer xyzzy",
    "quiet xyzzy",
    "notify xyzzy",
    "hints xyzzy",
    "pictures xyzzy",
    "rules xyzzy",
    "help xyzzy",
    "link XYZZY",
    "vacation 99 days",
    "page",
    "web xyzzy",
    "calendar xyzzy",
    "watch #99",
    "undo",
    "pause",
    "vote yes",
    "second 99",
    "kick Xyzzy",
    "rewind #1 round 99",
    "offer Bea",
    "process",
    "extend 999h",
    "mute Xyzzy",
    "unmute Xyzzy",
    "tell Xyzzy oi",
    "talk xyzzy",
    "plan xyzzy",
    "league xyzzy",
    "league Xyzzy",
    "league join Xyzzy",
    "admin",
    "policy #99",
    "record #99",
    "alternate #99",
    "stats",
    "learn xyzzy",
    "bot xyzzy",
    "word",
    "start",
    "leave",
    "abandon",
)


async def arriving(one: Evening) -> None:
    """People come, rooms are found, everything is asked about before there is any table; and done wrong."""
    for who in (*PEOPLE, ROOT, "telegram:eve"):
        await one.say(who, "/start", vouched=not who.startswith("mail"))
    await one.say(ROOT, "name Root")
    await one.come(ANA, What.INVITED, ROOM)
    await one.come(BEA, What.INVITED, HALL)
    for said in MISTAKES:
        await one.say(ANA, said)
    for topic in TOPICS:
        await one.say(ANA, f"help {topic}".strip())
    for said in (
        "rules Witch",
        "rules Witch deluxe",
        "rules Framework",
        "language",
        "zone Lisbon",
        "prefer mail, telegram",
        "prefer",
        "quiet 22-07",
        "quiet",
        "quiet never",
        "notify",
        "notify all",
        "notify digest 08:00",
        "notify turns",
        "hints",
        "hints off",
        "hints on",
        "pictures",
        "pictures dark",
        "pictures on",
        "games",
        "name Ana",
        "league",
        "calendar",
        "web",
        "unsubscribe",
        "subscribe",
        "policy",
        "who",
        "hand",
        "status",
        "history",
        "learn",
        "status",
        "gold",
        "skip lessons",
        "plan",
        "abandon",
    ):
        await one.say(ANA, said)
    for said in ("web", "calendar", "calendar mail", "help", "notify urgent", "notify all"):
        await one.say(CY, said)
    for said in ("help", "who", "games", "new 99", "xyzzy", "status", "policy", "language"):
        await one.say(BEA, said, place=HALL)


async def choosing(one: Evening) -> None:
    """A table by the menu, entry by entry; and one that comes to nothing."""
    for who in (ANA, CY, BEA):
        await one.say(who, "new")
        for _ in range(5):
            letter = one.house.last(who)
            if not letter.buttons:
                break
            if who == CY:
                await one.say(who, str(letter.buttons[0][0].number))
            else:
                await one.house.press(who, letter.buttons[0][0].key)
        for said in ("bot", "bot greedy 1", "who", f"leave #{one.newest()}", f"abandon #{one.newest()}"):
            await one.say(who, said)


async def gathering(one: Evening) -> int:
    """A deluxe table fills; some change their minds."""
    await one.say(
        ANA,
        (
            "new deluxe 4 seats 24h no bank no quiet no nights remind 50% 25% vacation 9 days excuse 0 "
            "probation 1 replace 2 alternates 10h no restart unreachable 1h"
        ),
    )
    number = one.newest()
    await one.say(ANA, f"watch #{number}", place=ROOM)
    await one.say(BEA, f"watch #{number}", place=HALL)
    await one.say("telegram:eve", f"join #{number}")
    await one.say("telegram:eve", f"leave #{number}")
    for who in PEOPLE[1:]:
        await one.say(who, f"join #{number}")
    for said in ("who", "status", f"policy #{number}", "word plum", "help", "start"):
        await one.say(ANA, said)
    await one.say(BEA, "who", place=HALL)
    await one.say("telegram:eve", f"join #{number}")
    await one.say("telegram:eve", f"alternate #{number}")
    for who in PEOPLE:
        await one.say(who, f"ready #{number}")
    assert one.game(number).status == "running"
    return number


async def playing(one: Evening, number: int) -> None:
    """Rounds with questions, plans, talk, votes, time running out, people away."""
    await one.play(number, 12)
    for who in PEOPLE:
        for said in (
            "hand",
            "status",
            "who",
            "history 20",
            "undo",
            "gold; xyzzy",
            "build Xyzzy",
            "kill King",
            f"policy #{number}",
            "plan",
            "games",
            "cast",
            "cards",
        ):
            await one.say(who, said)
    for said in (
        "prefer King, Bishop or any",
        "as Merchant: gold; build dearest; end",
        "otherwise: gold; end",
        "try gold",
        "always end",
        "if xyzzy: gold",
        "plan",
        "plan clear",
        "as King: build Xyzzy",
        "ask me if Bea is King",
    ):
        await one.say(CY, said)
    await planning_by_taps(one)
    await taking_back(one, number)
    await looking(one, number)
    for said in (
        "say oi",
        "tell Bea oi",
        "whisper oi",
        "mute Bea",
        "unmute Bea",
        "mute talk",
        "unmute talk",
        "talk",
        "talk anonymous",
        "talk no",
        "talk yes",
        "page",
        f"page private #{number}",
        f"page public #{number}",
    ):
        await one.say(ANA, said)
    await one.say(BEA, "say oi, gente", place=HALL)
    await one.say(BEA, "status", place=HALL)
    await one.play(number, 25)
    await voting(one, number)
    await one.play(number, 30)
    await late(one, number)
    await one.play(number)
    assert one.game(number).status == "over"
    for who in PEOPLE:
        for said in (
            f"history #{number}",
            f"record #{number}",
            f"status #{number}",
            "games",
            "gold",
            f"rewind #{number} round 1",
        ):
            await one.say(who, said)


async def taking_back(one: Evening, number: int) -> None:
    """Somebody with two addresses answers by one and hears of it by the other; takes it back; presses what is
    long over.
    """
    await one.say(BEA, "link")
    code = next(
        word
        for word in one.house.last(BEA).text.replace("“", " ").replace("”", " ").split()
        if word.isupper() and len(word) >= 6
    )
    one.typed.add(code)
    await one.say("mail:bea@x.test", "help", vouched=False)
    await one.say("mail:bea@x.test", f"link {code}")
    await one.say("mail:bea@x.test", one.lex.words("yes", "deciding")[0])
    await one.house.press(BEA, one.house.last(BEA).buttons[0][0].key)
    for said in ("accounts", "link", "link no", "unlink xyzzy"):
        await one.say(BEA, said)
    for _ in range(12):
        who = PEOPLE[one.asked(number)]
        await one.say(who, f"#{number} {one.own_words(one.dice.choice(one.open_orders(number)))}")
        await one.say(who, "undo")
    while PEOPLE[one.asked(number)] != CY:
        await one.play(number, 1)
    await one.say(CY, "calendar mail")
    old = next(b for x in one.house.letters(ANA) for row in x.buttons for b in row if b.key)
    await one.come(ANA, What.BUTTON, payload=old.key, facts={"callback": "q1"})
    await one.come(ANA, What.BUTTON, payload="x" * 30, facts={"callback": "q2"})


async def looking(one: Evening, number: int) -> None:
    """The admin looks at a table, and at what is hidden there."""
    for said in (
        f"look #{number}",
        f"look #{number} hidden",
        f"look #{number} hidden Bea because xyzzy",
        f"pause #{number}",
        f"resume #{number}",
        f"extend 3h #{number}",
        f"offer Bea #{number}",
        "games",
        "stats",
    ):
        await one.say(ROOT, f"admin {said}")


async def planning_by_taps(one: Evening) -> None:
    """Somebody walks through the menu of plans, pressing whatever comes."""
    for who in (ANA, BEA):
        await one.say(who, "plan")
        for _ in range(16):
            buttons = [
                b
                for row in next(x for x in reversed(one.house.letters(who)) if x.buttons).buttons
                for b in row
                if b.key
            ]
            await one.house.press(who, one.dice.choice(buttons).key)


async def voting(one: Evening, number: int) -> None:
    """Everything that a table can decide, by some and against others."""
    for said, answers in (
        ("pause", "yes"),
        ("resume", "yes"),
        ("extend 24h", "no"),
        ("extend 24h", "yes"),
        ("offer Bea", "no"),
        ("kick Dan", "no"),
        ("rewind {} round 1", "no"),
        ("process", "yes"),
        ("vacation 3 days", ""),
    ):
        await one.say(
            ANA, f"{said.format(f'#{number}')} #{number}" if "{}" not in said else said.format(f"#{number}")
        )
        for who in PEOPLE[1:] if answers else ():
            await one.say(who, f"vote {answers} #{number}")
        await one.pass_(1)
    await one.say(ANA, "here")
    await one.say(BEA, f"pause #{number}")
    await one.say(BEA, "status", place=HALL)
    await one.say(BEA, f"vote yes #{number}")
    await one.pass_(25)
    await one.say(ROOT, f"admin resume #{number}")
    await one.say(ROOT, f"admin second #{number}")


async def late(one: Evening, number: int) -> None:
    """Reminders, misses, a stand-in, a seat on offer; and digests of it all."""
    for who in (ANA, CY):
        await one.say(who, "notify digest 08:00")
    for _ in range(14):
        await one.pass_(9)
    await one.say("telegram:eve", "games")
    for row in [row for x in one.house.letters("telegram:eve")[-2:] for row in x.buttons]:
        await one.house.press("telegram:eve", row[0].key)
    for who in (*PEOPLE, "telegram:eve"):
        await one.say(who, "here")
    await one.pass_(12)


async def troubles(one: Evening) -> None:
    """A wire loses letters, somebody blocks the bot, mail bounces; an admin looks after it."""
    one.house.wires["telegram"].fate = lambda letter: Receipt(
        Fate.FAILED, reason="rejected", detail="rejected"
    )
    await one.say("telegram:eve", "help")
    one.house.wires["telegram"].fate = None
    one.house.wires["matrix"].fate = lambda letter: Receipt(Fate.FAILED, reason="unauthorised")
    await one.say(BEA, "help")
    one.house.wires["matrix"].fate = None
    one.house.referee.post._alarm.disk_full(StoreFull("no"))
    await one.come("telegram:eve", What.BLOCKED)
    await one.come(
        "mail:cy@x.test",
        What.BOUNCED,
        facts={"permanent": True, "failed": "cy@x.test", "reason": "no-such-address"},
    )
    await one.say("mail:stranger@x.test", "help", vouched=False)
    for said in (
        "",
        "games",
        "games all",
        "look #1",
        "look #2",
        "look #2 hidden because xyzzy",
        "look #99",
        "letters",
        "inbox",
        "log",
        "stats",
        "blocked",
        "block telegram:eve xyzzy",
        "blocked",
        "unblock telegram:eve",
        "pause #2",
        "resume #2",
        "thaw #2",
        "archive #2",
        "unarchive #2",
        "move #2 here",
        "retry letter 1",
        "drop letter 1",
        "help",
        "xyzzy",
        "abandon #99",
        "log 2",
    ):
        await one.say(ROOT, f"admin {said}".strip())
    await one.say(ROOT, "stats")
    await one.say(ANA, "link")
    code = next(
        iter(
            word
            for word in one.house.last(ANA).text.replace("“", " ").replace("”", " ").split()
            if word.isupper() and len(word) >= 6
        ),
        "",
    )
    one.typed.add(code)
    await one.say(DAN, f"link {code}")


async def league(one: Evening) -> None:
    """A league from its founding to a table, with everything that can be asked of it and some that can't."""
    for said in (
        "new Winter Cup",
        "set rounds 2",
        "set size 3-4",
        "settings",
        "open",
        "people",
        "xyzzy",
        "start",
    ):
        await one.say(ROOT, f"league {said}")
    for who in PEOPLE:
        await one.say(who, "league join Winter Cup")
    await one.say("telegram:eve", "league alternate Winter Cup")
    await one.say(DAN, "league leave")
    await one.say(DAN, "league join")
    for said in ("role Bea director", "roles", "draw", "redraw", "start"):
        await one.say(ROOT, f"league {said}")
    await one.pass_(1)
    for said in (
        "",
        "Winter Cup",
        "people",
        "standings",
        "schedule",
        "tables",
        "table 1",
        "player Ana",
        "stats",
        "export csv standings",
        "export json results",
        "settings",
        "roles",
        "help",
        "season 99",
        "table 99",
        "player Xyzzy",
    ):
        await one.say(ANA, f"league {said}".strip())
    for said in (
        "postpone until 20 Dec",
        "penalty Ana 2 because xyzzy",
        "bye Ana",
        "admit Xyzzy",
        "substitute table 1 Ana by Bea",
        "remove Dan because xyzzy",
        "void table 1 because xyzzy",
        "replay table 1",
        "rule table 1 by scores",
        "announce oi",
        "proposals",
        "second 1",
        "refuse 99",
        "audit 50",
        "rename Spring Cup",
        "set xyzzy 1",
        "set rounds xyzzy",
        "room here",
        "close",
    ):
        await one.say(ROOT, f"league {said}")
    await one.say(BEA, "league penalty Ana 1 because xyzzy")
    await one.say(BEA, "league room here", place=HALL)
    await one.say(BEA, "league standings", place=HALL)
    for _ in range(4):
        await one.pass_(24 * 6)


async def play(one: Evening) -> None:
    """The whole evening."""
    await arriving(one)
    await choosing(one)
    number = await gathering(one)
    await playing(one, number)
    await troubles(one)
    await league(one)
