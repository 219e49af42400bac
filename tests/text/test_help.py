"""What `help` tells: ten lines that lead on, topics of a phone's screen, and every command in exactly one."""

from __future__ import annotations

import re
import textwrap

import pytest

from referee.service import rooms  # noqa: F401  # declares every command
from referee.service.core.commands import COMMANDS, HelpTopic, topics
from referee.text import Intent, NotUnderstood, Reading, Words, read_intent
from referee.text.lexicon import lexicon
from tests.text.samples import common

WORDS = Words(strict=True)
LANGUAGES = ("en", "pt_BR")
#: a phone held upright: signs in a line, lines on the screen
WIDE, HIGH = 42, 32
#: what one line of a terminal's letter holds
SCREEN = 76
LISTED = [topic for topic in HelpTopic if topic not in (HelpTopic.HOUSE, HelpTopic.UNTYPED)]


def told(language: str, topic: str = "", markup: str = "text", **other: object) -> str:
    """The words of help about a topic."""
    facts = common(topic=topic, topics=topics(), game=None, **other)
    return WORDS.letter("help", language, markup, facts).text.strip()


def usages(language: str, topic: HelpTopic) -> list[str]:
    """How the commands of a topic are typed."""
    lex = lexicon(language)
    entries = [lex.entry("commands", name) for name, of in topics().items() if of == topic]
    return [str(entry["usage"]) for entry in entries if not entry.get("hidden")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_ten_lines_and_each_leads_on_to_a_page_of_its_own(language: str) -> None:
    head, *lines = [line for line in told(language).splitlines() if line]
    assert len(lines) == 9
    assert all(len(line) <= SCREEN for line in (head, *lines))
    read = [
        read_intent(
            line.removeprefix("- ").split(":")[0].strip("“”"), Reading(language=language), private=True
        )
        for line in lines
    ]
    assert all(isinstance(intent, Intent) and intent.kind == "help" for intent in read), read
    assert [intent.args["topic"] for intent in read if isinstance(intent, Intent)] == [
        *map(str, LISTED),
        "all",
    ]
    assert len({told(language, str(topic)) for topic in (*LISTED, "all", "")}) == 10


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", [topic for topic in lexicon().table("topics") if topic != "all"])
def test_a_topic_fits_the_screen_of_a_phone(language: str, topic: str) -> None:
    page = told(language, topic)
    lines = [part for line in page.splitlines() for part in textwrap.wrap(line, WIDE) or [""]]
    assert len(lines) <= HIGH, page


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_command_stands_in_exactly_one_topic(language: str) -> None:
    rows = {
        topic: [line.removeprefix("- ") for line in told(language, topic).splitlines() if line[:2] == "- "]
        for topic in map(str, LISTED)
        if topic not in (HelpTopic.PLAN, HelpTopic.LEAGUE)  # they tell how a plan, and a league, is written
    }
    for topic, lines in rows.items():
        wanted = usages(language, HelpTopic(topic))
        assert [line for line in lines if not line.startswith(tuple(f"“{one}”: " for one in wanted))] == []
        assert len(lines) == len(wanted)
    for topic in (HelpTopic.PLAN, HelpTopic.LEAGUE):
        (one,) = (
            str(lexicon(language).name("commands", name)) for name, of in topics().items() if of == topic
        )
        assert f"“{one}" in told(language, str(topic))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_help_forgets_no_command_and_tells_none_twice(language: str) -> None:
    lines = [line for line in told(language, "all").splitlines() if line[:2] == "- "]
    wanted = [one for topic in LISTED for one in usages(language, topic)]
    assert len(wanted) > 50
    assert sorted(line[2:].split(": ")[0] for line in lines) == sorted(f"“{one}”" for one in wanted)


def test_what_is_listed_nowhere_is_what_nobody_types_or_what_admins_do() -> None:
    nowhere = {name for name, one in COMMANDS.items() if one.topic not in LISTED}
    assert nowhere == {"admin", "stats", "orders", "opened", "nothing"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", lexicon().keys("commands"))
def test_help_about_a_command_tells_more_than_its_line(language: str, name: str) -> None:
    entry = lexicon(language).entry("commands", name)
    page = WORDS.letter("help", language, "text", common(command=name, game=None)).text
    assert page.strip() == f"“{entry['usage']}”: {entry['text']}." + (
        f" {entry['more']}" if "more" in entry else ""
    )
    assert ("more" in entry) == ("more" in lexicon().entry("commands", name))
    assert len(entry["text"]) <= 50, "one line on a phone, or a little more"
    if "more" in entry:
        assert re.match(r"[A-ZÀ-Ú“].*\.$", entry["more"])


@pytest.mark.parametrize("channel", ["terminal", "telegram", "matrix", "mail", "web"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_channel_says_the_same(language: str, channel: str) -> None:
    plain = re.findall(r"\w+", told(language, "tables"))
    made = WORDS.letter("help", language, channel, common(topic="tables", topics=topics(), game=None))
    body = re.sub(r"<style.*?</style>", "", str(made.markup), flags=re.DOTALL)
    shown = re.findall(r"\w+", re.sub(r"<[^>]*>|&\w+;", " ", body))
    assert [word for word in plain if word not in shown] == []


def test_in_a_room_the_lines_begin_with_its_sign() -> None:
    lines = told("en", room="#r", sign="/", channel="telegram").splitlines()
    assert "- “/help play”" in {line.split(":")[0] for line in lines}


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", "how do I win?"),
        ("en", "help crown"),
        ("en", "help points"),
        ("pt_BR", "como ganho?"),
        ("pt_BR", "como se ganha?"),
        ("pt_BR", "ajuda coroa"),
    ],
)
def test_a_newcomer_asks_what_the_game_is_about(language: str, typed: str) -> None:
    intent = read_intent(typed, Reading(language=language), private=True)
    assert isinstance(intent, Intent), intent
    assert intent.args == {"topic": "turn"}
    page = told(language, "turn")
    for word in {"en": ("crown", "Points:"), "pt_BR": ("coroa", "Pontos:")}[language]:
        assert word in page


@pytest.mark.parametrize(
    ("language", "typed", "leads_on"),
    [("en", "what does the Warlrd do?", "Warlord"), ("en", "what is the crown", "help turn")],
)
def test_a_question_about_a_card_or_a_word_leads_on(language: str, typed: str, leads_on: str) -> None:
    no = read_intent(typed, Reading(language=language), private=True)
    assert isinstance(no, NotUnderstood)
    assert no.code == "no-such-card"
    assert leads_on in WORDS.phrase(no.code, language, **no.facts)


@pytest.mark.parametrize(
    ("said", "plain", "language"),
    [
        ("plan help", "help plan", "en"),
        ("Plans help!", "help plans", "en"),
        ("join help", "help join", "en"),
        ("link help", "help link", "en"),
        ("entrar ajuda", "ajuda entrar", "pt-br"),
        ("pause help", "help pause", "en"),
        ("#17 undo help", "#17 help undo", "en"),
        ("plano ajuda", "ajuda plano", "pt_BR"),
    ],
)
def test_help_may_stand_behind_what_it_is_about(said: str, plain: str, language: str) -> None:
    found, meant = (read_intent(one, Reading(language), private=True) for one in (said, plain))
    assert isinstance(found, Intent)
    assert isinstance(meant, Intent)
    assert (found.kind, found.args, found.game) == (meant.kind, meant.args, meant.game)


@pytest.mark.parametrize(
    ("language", "typed", "kind"),
    [
        ("en", "what does the Warlord do?", "rules"),
        ("en", "which characters are there?", "rules"),
        ("en", "whose turn is it?", "status"),
        ("en", "show me the board", "status"),
        ("en", "what cards do I have", "hand"),
        ("en", "what can I build?", "hand"),
        ("en", "I quit", "leave"),
        ("en", "take it back", "undo"),
        ("en", "I'm on vacation until Sunday", "vacation"),
        ("pt_BR", "desisto", "leave"),
        ("pt_BR", "estou de férias até domingo", "vacation"),
        ("pt_BR", "como joga?", "help"),
        ("pt_BR", "o que faz o Senhor da Guerra?", "rules"),
        ("pt_BR", "quais personagens tem?", "rules"),
        ("pt_BR", "de quem é a vez?", "status"),
        ("pt_BR", "quem tem a coroa?", "status"),
        ("pt_BR", "o que eu posso fazer?", "hand"),
    ],
)
def test_what_newcomers_ask_at_the_table_is_answered(language: str, typed: str, kind: str) -> None:
    found = read_intent(typed, Reading(language=language), private=True)
    assert isinstance(found, Intent), found
    assert found.kind == kind
