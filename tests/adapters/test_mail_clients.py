"""Imitations of mail programs: what was typed is read, or nothing; never anything else.

Programs, languages and where they are known from: tests/adapters/mail_clients.
"""

from __future__ import annotations

from collections import Counter

import pytest

from adapters.mail.addresses import Addresses
from adapters.mail.answer import answer
from adapters.mail.reading import Delivery, Reader
from referee.ports import Inbound, What
from tests.adapters.mail_clients.letter import ADDRESS, WHO, rewrapped, sent
from tests.adapters.mail_clients.programs import LANGUAGES, SIGNATURES, Imitation, every
from tests.seeds import share

READER = Reader(Addresses(ADDRESS))
#: said by a program that greets for its owner, where nothing was typed below
GREETED = ["", "Hi,"]


def read(one: Imitation) -> Inbound:
    got = READER.read(Delivery(one.raw, 0, len(one.raw)))
    assert got.what is What.MESSAGE, one.name
    return got


def rows(got: Inbound) -> tuple[str, ...]:
    return tuple(line for line in got.text.split("\n") if line)


def test_there_are_enough_of_them() -> None:
    made = every()
    assert len(made) >= 1900
    assert len({one.name for one in made}) == len(made)
    spoken = {
        language for part in ("gmail", "apple", "outlook", "thunderbird") for language in LANGUAGES[part]
    }
    assert len(spoken) >= 40
    assert len(SIGNATURES["defaults"]) >= 92


@pytest.mark.parametrize(("sample", "marked"), [("prompt-turn", True), ("prompt-trouble", False)])
def test_what_is_typed_is_read(sample: str, marked: bool) -> None:
    """Of those that fail none is read as something else: their lines come along and are refused."""
    right: Counter[str] = Counter()
    failed: list[str] = []
    made = share(every(sample, marked=marked))
    for one in made:
        got = read(one)
        if rows(got) == one.typed:
            right["/".join(one.name.split("/")[:2])] += 1
            assert "left" not in got.facts, one.name
        else:
            failed.append(one.name)
            assert not got.text or rows(got)[: len(one.typed)] == one.typed, (one.name, got.text)
            assert any("@" in line or "<" in line for line in rows(got)), (one.name, got.text)
    assert not [name for name in failed if not name.startswith("named/")]
    assert len(failed) <= len(made) // 200, failed


@pytest.mark.parametrize(("sample", "marked"), [("prompt-trouble", True), ("prompt-pick", False)])
def test_of_an_answer_without_words_nothing_is_read(sample: str, marked: bool) -> None:
    """Whatever the letter says, and it says orders: nothing of it is an answer."""
    for one in share(every(sample, typed=(), marked=marked)):
        got = read(one)
        assert got.text in GREETED or "@" in got.text, (one.name, got.text)


@pytest.mark.parametrize("language", ["en", "pt_BR"])
@pytest.mark.parametrize("sample", ["prompt-turn", "prompt-warlord", "prompt-magician"])
def test_what_a_bad_program_broke_off_a_quotation_is_no_answer(sample: str, language: str) -> None:
    line = f"On Fri, Nov 20, 2026 at 7:41 PM {WHO} <{ADDRESS}> wrote:"
    for letter in (sent(language, sample), sent(language, sample).unmarked()):
        for text in (letter.text, letter.flat):
            for width in range(44, 110, 3):
                found = answer(f"{line}\n{rewrapped(text, width)}", [ADDRESS])
                assert not found.words, (width, found.words)


MINE = "> 1. gold\n> 2. cards"
HEAD = f"On Fri, Nov 20, 2026 at 7:41 PM {WHO} <{ADDRESS}> wrote:"


@pytest.mark.parametrize(
    ("text", "words", "left", "behind"),
    [
        (f"gold\n\n{HEAD}\n{MINE}\n\nbuild Tavern", "gold", "build Tavern", ""),
        (f"gold\n\n{HEAD}\n{MINE}\n\n-- \nAnn\nbuild Tavern", "gold", "", ""),
        (f"gold\n-- \nAnn\nbuild Tavern\n\n{HEAD}\n{MINE}", "gold", "", "Ann\nbuild Tavern"),
        (f"gold\n\nThanks,\nAnn\n\n{HEAD}\n{MINE}", "gold", "", "Thanks,\nAnn"),
        (
            f"[EXTERNAL] This message comes from outside\ngold\n\nend\n\n{HEAD}\n{MINE}",
            "end",
            "",
            "[EXTERNAL] This message comes from outside\ngold",
        ),
        (f"gold\n\nunsubscribe\n\n{HEAD}\n{MINE}", "gold", "", "unsubscribe"),
        (f"gold\n\nsay my ipad died\nend\n\n{HEAD}\n{MINE}", "gold", "", "say my ipad died\nend"),
        (f"Hi,\n\n{HEAD}\n{MINE}\n\ngold\nend", "gold\nend", "", ""),
        (f"{HEAD}\n> 1. gold\n\ncards\n\n> 2. cards\n\nend", "cards\n\nend", "", ""),
        (
            f"gold\n\n{HEAD}\n> =====[ x ]=====\n\nbuild Tavern\n\n> =====[ y ]=====\n\nend",
            "build Tavern",
            "gold\nend",
            "",
        ),
        (
            f"{HEAD}\n> a line of the letter that is long enough to be broken here, or\ngold\n> so",
            "",
            "",
            "gold",
        ),
    ],
)
def test_what_was_left_is_named(text: str, words: str, left: str, behind: str) -> None:
    found = answer(text, [ADDRESS], ["Ann"])
    assert (found.words, found.left) == (words, left)
    assert found.behind == behind or not behind


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gold\n\nAnn Example", "gold"),
        ("gold\n\n– Ann", "gold"),
        ("ann", "ann"),
        ("gold\nann", "gold\nann"),
        ("gold\n---\nAnn\nwww.example.org", "gold"),
        ("---\ngold", "gold"),
        ("gold\n\nViele Grüße\nAnn", "gold"),
        ("gold\n\nAtenciosamente,\nAnn", "gold"),
        ("gold\n\n________________________________\nMailing list players\nhttps://lists.example", "gold"),
        ("gold\n\nThis e-mail is confidential and meant for its addressee only.", "gold"),
        ("[EXTERNAL] This message comes from outside:\nbe careful with links.\n\ngold", "gold"),
        ("gold\n\nVirus-free. www.avast.com", "gold"),
        ("gold\nbuild Market\n\nend", "gold\nbuild Market\n\nend"),
        ("build Market\n\nthanks\ngold", "build Market"),
    ],
)
def test_signatures_by_their_shape(text: str, words: str) -> None:
    assert answer(text, [ADDRESS], ["Ann", "Ann Example"]).words == words


@pytest.mark.parametrize(
    "said",
    [
        "say I sent you a mail",
        "say get well soon, I read this on my phone",
        "say the nine of us are present",
        "say we get orange cards",
        "diga que o email foi enviado",
        "diga vou obter um celular",
    ],
)
def test_own_words_that_name_a_thing_and_a_sending_are_no_signature(said: str) -> None:
    assert answer(f"gold\n{said}\nend\n\n{HEAD}\n{MINE}", [ADDRESS], ["Ann"]).words == f"gold\n{said}\nend"


@pytest.mark.parametrize(
    "signed",
    [
        "This message was sent from my Android device with K-9 Mail.",
        "Esta mensagem foi enviada do meu dispositivo Android com K-9 Mail.",
        "Email sent using Optimum Mail",
        "* Get Outlook for iOS",
    ],
)
def test_a_program_that_signs_in_a_sentence_is_known(signed: str) -> None:
    assert answer(f"gold\n{signed}\n\n{HEAD}\n{MINE}", [ADDRESS]).words == "gold"


OUTLOOK = (
    f"De : Referee <{ADDRESS}>\nEnvoyé : vendredi 27 novembre 2026 10:12\nÀ : ann@players.example\n\nhello"
)


@pytest.mark.parametrize(
    "said",
    [
        "gold\nsay You said 10:30 yesterday",
        "say Ann wrote this in 2019",
        "say ann@players.example, at 19:30",
        "say: back at 20:00\nsay: ok",
        "say: back at 20:00\nbuild Tavern",
    ],
)
@pytest.mark.parametrize(
    "letter",
    [
        f"On Fri, Nov 27, 2026 at 10:12 AM Referee <{ADDRESS}> wrote:\n> hello",
        "On 27/11/2026 10:12, Referee wrote:\n\n> hello",
        OUTLOOK,
        f"________________________________\n{OUTLOOK}",
        f"-----Message d'origine-----\n{OUTLOOK}",
    ],
)
def test_own_words_that_name_a_time_are_no_second_attribution(said: str, letter: str) -> None:
    for blank in ("\n", "\n\n"):
        if blank == "\n" and letter == OUTLOOK:
            continue  # nothing parts the two
        assert answer(f"{said}{blank}{letter}", [ADDRESS, "referee"], ["Ann"]).words == said


SIGNED = """-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA512

gold
- - build Tavern

-----BEGIN PGP SIGNATURE-----

iQGzBAEBCgAdFiEEgold
=abcd
-----END PGP SIGNATURE-----
"""


def test_a_clear_signed_answer_is_read_without_its_signature() -> None:
    assert answer(SIGNED).words == "gold\n- build Tavern"
    assert answer(SIGNED.replace("- - ", "")).words == "gold\nbuild Tavern"
    assert answer(f"{SIGNED}\n{HEAD}\n{MINE}").words == "gold\n- build Tavern"


def mail(*parts: tuple[str, str], kind: str = "alternative") -> Inbound:
    body = "".join(
        f'--b\nContent-Type: {name}; charset="utf-8"\nContent-Transfer-Encoding: 8bit\n\n{said}\n'
        for name, said in parts
    )
    raw = (
        "From: Ann <ann@players.example>\nTo: referee@game.test\nMIME-Version: 1.0\n"
        f"Content-Type: multipart/{kind}; boundary=b\n\n{body}--b--\n"
    ).encode()
    return READER.read(Delivery(raw, 0, len(raw)))


@pytest.mark.parametrize(
    "page",
    [
        "<div><s>gold</s></div><div>cards</div>",
        "<div><del>gold</del></div><div>cards</div>",
        "<div><strike>gold</strike></div><div>cards</div>",
        '<div><span style="text-decoration:line-through">gold</span></div><div>cards</div>',
    ],
)
def test_words_that_were_struck_out_are_not_read(page: str) -> None:
    """The plain words beside such a page don't show it."""
    assert mail(("text/plain", "gold\ncards"), ("text/html", page)).text == "cards"
    assert mail(("text/html", page)).text == "cards"


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none;max-height:0">build Tavern</div>',
        '<span style="color:#fff; DISPLAY: none !important">build Tavern</span>',
        "<p style='mso-hide:all;visibility:hidden'><b>build</b> Tavern</p>",
    ],
)
def test_words_that_nobody_sees_are_not_read(hidden: str) -> None:
    """Warnings that gateways put above a page, previews, and what programs keep for themselves."""
    assert mail(("text/html", f"<body>{hidden}<p>gold</p>{hidden}</body>")).text == "gold"
    seen = (
        '<div style="font-size:0"><b style="font-size:14px">gold</b></div><p style="display:inline">end</p>'
    )
    assert mail(("text/html", seen)).text == "gold\nend"


def test_cells_of_a_table_are_apart() -> None:
    page = "<table><tr><td>gold</td><td>build Tavern</td></tr></table>"
    assert mail(("text/html", page)).text == "gold\nbuild Tavern"


def test_a_reaction_is_no_answer() -> None:
    got = mail(
        ("text/plain", "👍\n\nAnn reacted via Gmail"),
        ("text/vnd.google.email-reaction+json", '{"emoji":"👍","version":1}'),
        ("text/html", "<p>👍</p><p>Ann reacted via <a href='https://x'>Gmail</a></p>"),
    )
    assert got.what is What.AUTO_REPLY
    assert got.facts["machine"] == "reaction"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gold On Wed, Nov 20, 2026 at 3:59 PM, referee@game.test wrote:\n> Hi", "gold"),
        ("gold\nend--- On 20 Nov 2026, referee@game.test wrote:\n> Hi", "gold\nend"),
        ("Citadels referee <referee@game.test> wrote on 20.11.2026 19:41:\n> Hi", ""),
    ],
)
def test_words_on_one_line_with_an_attribution(text: str, words: str) -> None:
    assert answer(text, [ADDRESS]).words == words
