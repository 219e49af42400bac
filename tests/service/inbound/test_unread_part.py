"""A mail of which only a part was read: the player is told which part was not."""

from __future__ import annotations

import pytest

from tests.service.playing import asked, legal, running, table
from tests.service.rig import House

PEOPLE = ["mail:ana@x.example", "mail:bea@x.example"]


async def told(house: House, text: str, **facts: object) -> str:
    """What is sent to a player who is asked, and says that in a mail of which these parts were left."""
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    before = running(house, game).move_no
    letters = len(house.letters(who))
    await house.say(who, text or legal(house, game)[0], **facts)
    assert running(house, game).move_no == before + (not text)
    return "\n".join(letter.text for letter in house.letters(who)[letters:])


NOTE = "did not read this part"


@pytest.mark.parametrize(
    ("facts", "quoted"),
    [
        ({"left": "and build Tavern, please"}, "and build Tavern, please"),
        ({"left": "gold\nend"}, "gold / end"),
        ({"behind": "Ann Example\nbuild Tavern\n+49 170 1234567"}, "“build Tavern”"),
        ({"behind": "status"}, "“status”"),
        ({"behind": "[EXTERNAL] This message comes from outside\nbuild Tavern"}, "“build Tavern”"),
        ({"left": "thanks", "behind": "end"}, "thanks / end"),
    ],
)
async def test_own_words_that_were_left_are_named(house: House, facts: dict[str, str], quoted: str) -> None:
    said = await told(house, "", **facts)
    assert NOTE in said
    assert quoted in said


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"behind": "Ann Example\nExample GmbH, Berlin\nhttps://example.org\n+49 170 1234567\nKing Street 3"},
        {"behind": "Watchtower, Castle and Docks.\npicked the Assassin."},
        {"behind": "x" * 90},
        {"behind": "Thanks,\nAnn"},
        {"behind": "[EXTERNAL] This message comes from outside:\nbe careful with links."},
        {"behind": "CAUTION: This email originated from outside of the organization.\nDo not click links."},
        {"behind": "Get Outlook for iOS"},
        {"behind": "Enviado do meu iPhone"},
        {"behind": "This e-mail is confidential and meant for its addressee only."},
    ],
)
async def test_a_signature_is_no_news(house: House, facts: dict[str, str]) -> None:
    assert NOTE not in await told(house, "", **facts)


async def test_it_is_told_as_well_when_the_rest_was_refused(house: House) -> None:
    said = await told(house, "#999 gold", left="build Tavern")
    assert NOTE in said
    assert "999" in said


@pytest.mark.parametrize("files", [0, 1])
async def test_where_the_words_are_in_a_file_it_is_said_that_files_are_not_opened(
    house: House, files: int
) -> None:
    """A text file, a page that was signed as a whole, a winmail.dat: "no text" alone would be a riddle."""
    await table(house, PEOPLE)
    facts = {"attachments": files} if files else {}
    await house.say(PEOPLE[0], "", empty=True, **facts)
    said = " ".join(house.last(PEOPLE[0]).text.split())
    assert "no text in your mail" in said
    assert ("don't open attachments: nothing was done" in said) is bool(files)
