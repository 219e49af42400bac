"""What happens at the table of the long evening: it fills, rounds are played, people plan, take back, look,
vote and are late.
"""

from __future__ import annotations

from referee.ports import What
from tests.service.evening import HALL, PEOPLE, ROOM, ROOT, Evening

ANA, BEA, CY, _ = PEOPLE


async def gathering(one: Evening) -> int:
    """A deluxe table fills; some change their minds."""
    await one.say(
        ANA,
        (
            "new deluxe 4 seats 24h no bank no quiet no nights remind 50% 25% vacation 9 days excuse 0 "
            "probation 1 replace 2 alternates 10h no restart unreachable 1h advice"
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
            "hint",
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
            f"review #{number}",
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
