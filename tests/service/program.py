"""What happens on the long evening (evening.py): an act for each thing that can be said, asked, gone wrong or
run out of time. The table's own acts are in program_table.py.
"""

from __future__ import annotations

from referee.ports import Fate, Receipt, What
from referee.store import StoreFull
from tests.service.evening import HALL, PEOPLE, ROOM, ROOT, Evening
from tests.service.program_table import gathering, playing

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
        "web sessions",
        "my stats",
        "my data",
        "unsubscribe",
        "subscribe",
        "policy",
        "who",
        "hand",
        "status",
        "history",
        "learn",
        "status",
        "hint",
        "hint",
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
    await one.pass_(0.1)  # until it is tried again
    one.house.referee.outbox_worker._alarm.disk_full(StoreFull("no"))
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
        "seasons",
        "hall",
        "help",
        "help moderation",
        "report",
        "report table 1 xyzzy",
        "report rude",
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
        "waiting",
        "remind",
        "reports",
        "handled 1 because xyzzy",
        "handled 99",
        "invite Ana",
        "invite link",
        "invitations",
        "revoke link",
        "answers",
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


async def sitting_down(one: Evening) -> None:
    """Two agree on an hour at a table that gathers; it is near, and it comes."""
    await one.say(ANA, "new classic 4")
    number = one.newest()
    await one.say(BEA, f"join #{number}")
    for who in (ANA, BEA):
        await one.say(who, f"hours 0-24 #{number}")
        await one.say(who, f"hours tomorrow 0-24 #{number}")
    best = next(b.order for row in one.house.last(BEA).buttons for b in row)
    for who in (ANA, BEA):
        await one.say(who, best)
    for _ in range(96):
        await one.pass_(0.5)


async def play(one: Evening) -> None:
    """The whole evening."""
    await arriving(one)
    await choosing(one)
    number = await gathering(one)
    await playing(one, number)
    await troubles(one)
    await sitting_down(one)
    await league(one)
