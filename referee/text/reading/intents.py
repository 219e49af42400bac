"""Is it a command, orders, or talk that is none of the referee's business?

A command stands at the beginning of a message, with or without "/" (or "!").  In a room only what is
addressed to the referee counts; orders said there are recognised so that they can be declined politely.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from referee.ids import GameId

from ..folders import languages
from ..folding import fold, squash
from ..lexicon import lexicon
from ..meter import unmetered
from .acts import shared
from .commands import COMMANDS
from .courtesy import is_courtesy, without_courtesies, without_thanks
from .hours import asks_for_something
from .limits import SPOKEN, message_too_long, too_long
from .naming import SHORT, card_in_full
from .orders import read_order
from .splitting import split
from .talk_around import without_end
from .talking import SPEECH
from .terms import LIKE_NO_ORDER, Intent, NotUnderstood, Reading
from .typos import commands_meant
from .verbs import verbs_at

#: commands whose argument is free text: the whole rest of the line, semicolons and all
_FREE = frozenset({"word", "name", "admin", "league"}) | SPEECH
#: and those that take further lines, too
_LINES = SPEECH | {"league"}

#: commands that take any word for a code: "join help" asks for help
_CODED = frozenset({"join", "link", "unlink"})

#: messages no longer than this are remembered
_SHORT = 60

_MENTION = re.compile(r"^\s*@(?P<name>[\w.-]+)(?::[\w.-]+)?[:,]?(?:\s+|$)")
_SLASHED = re.compile(r"^\s*[/!](?P<name>[^\s@/!]+)(?:@(?P<to>\w+))?")
_FIRST = re.compile(r"^\s*(?:@[\w.:-]+[:,]?\s+)?(?:#\s?\d{1,9}[:,]?\s*)?[/!]?([^\s@;]{1,40})")
_GAME = re.compile(r"^\s*#\s?(?P<no>\d{1,9})\b[:,]?\s*")
_GAME_AFTER = re.compile(r"(?<!\S)#\s?(?P<no>\d{1,9})\s*$")


@lru_cache(maxsize=16)
@unmetered
def _spellings(language: str, own: tuple[Any, ...]) -> Mapping[str, Sequence[tuple[tuple[str, ...], str]]]:
    """First folded word -> (all folded words, command), the longest first."""
    lex = lexicon(language, own)
    found = {
        (tuple(fold(spelling).split()), command)
        for command in COMMANDS
        for spelling in lex.spellings("commands", command)
        if fold(spelling)
    }
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for words, command in sorted(found, key=lambda f: (-len(f[0]), f)):
        by_first.setdefault(words[0], []).append((words, command))
    return by_first


@lru_cache(maxsize=16)
@unmetered
def _verbs(language: str, own: tuple[Any, ...]) -> frozenset[str]:
    """The first words of orders."""
    lex = lexicon(language, own)
    return frozenset(
        words[0]
        for verb in lex.keys("verbs")
        for said in lex.spellings("verbs", verb)
        if (words := fold(said).split())
    )


def commands_elsewhere(text: str, reading: Reading) -> tuple[str, ...]:
    """The other languages in which a message begins like a command, where it begins like nothing in one's
    own. Quick: no line is read.
    """
    found = _FIRST.match(text)
    first = fold(found[1]).split() if found else []
    if (
        not first
        or first[0] in _verbs(reading.language, reading.own)
        or first[0] in _spellings(reading.language, reading.own)
    ):
        return ()
    return tuple(
        other
        for other in languages(reading.own)
        if other != reading.language and first[0] in _spellings(other, reading.own)
    )


def read_intent(
    text: str, reading: Reading, *, private: bool, addressed: bool = False, bot: str = ""
) -> Intent | NotUnderstood:
    """What a message wants.

    `private`: it came on the person's own channel.  `addressed`: in a room, it answers or
    mentions the referee; `bot` is the referee's own name there, so that "@name …" counts as addressed and
    "/status@another" as somebody else's.  Orders are not read here but split: ``args["chunks"]``.
    """
    if private and not bot and len(text) <= _SHORT and reading.plain:
        found = _said_in_private(text, reading.language, reading.own, addressed)
        if not isinstance(found, NotUnderstood) or not reading.policies:
            return found  # a word that means nothing may be the name of a policy
    return _read(text, reading, private=private, addressed=addressed, bot=bot)


@lru_cache(maxsize=4096)
def _said_in_private(
    text: str, language: str, own: tuple[Any, ...], addressed: bool
) -> Intent | NotUnderstood:
    """A few words to the referee alone mean the same no matter who says them: "gold", "end", "status" come
    again and again.
    """
    return _read(text, Reading(language, own=own), private=True, addressed=addressed)


def _read(
    text: str, reading: Reading, *, private: bool, addressed: bool = False, bot: str = ""
) -> Intent | NotUnderstood:
    if long := message_too_long(text):
        return long
    body = without_courtesies(text, reading.lexicon).strip() if private else text.strip()
    mention = _MENTION.match(body)
    if mention and (private or addressed or squash(mention["name"]) == squash(bot) != ""):
        addressed, body = True, body[mention.end() :]
    game, body = _game(body)
    slashed = _SLASHED.match(body)
    if slashed and slashed["to"] and bot and not private and squash(slashed["to"]) != squash(bot):
        return Intent("chatter", {}, game, " ".join(body[:200].split()))
    spoken_to = private or addressed or slashed is not None
    if slashed:
        body = slashed["name"] + body[slashed.end() :]
    first, rest = _first_line(body)
    quote = " ".join(body[:200].split())
    if not quote:
        # a lone "?" or emoji is talk; nothing at all is nothing
        return Intent("nothing", {}, game)
    if spoken_to:
        line, _, more = first.partition(";")
        found = _command(line, reading) or shared(line, reading) or _card_asked(first, rest, reading)
        if found is not None:
            command, argument = found if found[0] not in _FREE else _command(first, reading) or found
            if command not in _FREE:
                rest = f"{more}\n{rest}".strip()
            elif command in _LINES:
                argument, rest = f"{argument}\n{rest}", ""
            late, argument = _game(argument) if command not in _FREE else (None, argument)
            game = game or late
            return _ask(command, argument, rest, game, quote, reading)
    found_orders = _orders(body, reading, game, quote, sure=spoken_to)
    if slashed and not (private or addressed) and isinstance(found_orders, NotUnderstood):
        return Intent("chatter", {}, game, quote)  # long words to another program
    heard = slashed or (addressed and not private)
    if heard and isinstance(found_orders, Intent) and not _order(body, reading):
        # "/poll" in a group is for another program, and a thank-you there asks for nothing
        return (
            NotUnderstood("unknown-command", quote, commands_meant(first, reading), game=game)
            if private or (addressed and not is_courtesy(quote, reading))
            else Intent("chatter", {}, game, quote)
        )
    return found_orders


def _card_asked(line: str, rest: str, reading: Reading) -> tuple[str, str] | None:
    """The command and the card where somebody asks by "Merchant?": to pick by that could not always be taken
    back.
    """
    card = card_in_full(line, reading) if line.endswith("?") and not rest else ""
    return ("rules", card) if card else None


def _order(body: str, reading: Reading) -> bool:
    """Whether the first line begins like an order, or is a number."""
    first = _first_line(body)[0].partition(";")[0]
    read = read_order(first, reading)
    return not isinstance(read, NotUnderstood) or read.code not in LIKE_NO_ORDER


def _game(body: str) -> tuple[GameId | None, str]:
    """A "#17" at the beginning, taken off.  "#2" before nothing else is no game but an option."""
    found = _GAME.match(body)
    if not found:
        return None, body
    return GameId(int(found["no"])), body[found.end() :]


def _of_same_table(chunk: str, game: GameId | None) -> str:
    """A further order without the number of the table that the first one names: "#1 gold; #1 end"."""
    named, rest = _game(chunk)
    return rest if named is not None and named == game and rest else chunk


def _first_line(body: str) -> tuple[str, str]:
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    return (lines[0], "\n".join(lines[1:])) if lines else ("", "")


def _command(line: str, reading: Reading) -> tuple[str, str] | None:
    """The command at the beginning of a line, and what follows it in its own spelling."""
    words = re.findall(r"\S+", line[:400])
    folded = [fold(w).replace(" , ", " ").strip(" ,") for w in words]
    if words and not folded[0] and words[0].strip("?") == "":
        return "help", line[len(words[0]) :].strip()
    first = next((word.split()[0] for word in folded if word.split()), "")
    for typed, command in _spellings(reading.language, reading.own).get(first, ()):
        used = _words_used(folded, typed, reading.lexicon.fillers)
        if used:
            orders = verbs_at(" ".join(folded).split(), reading)
            if any(taken > len(typed) and tier < SHORT for _, taken, tier in orders):
                return None  # "tirar cartas" draws cards, though "tirar Ana" takes somebody's seat
            tail = line
            for word in words[:used]:
                tail = tail.lstrip()[len(word) :]
            if command == "hours" and asks_for_something(typed, words[used:], reading):
                return None
            return command, tail.strip()
    return None


def _words_used(folded: Sequence[str], typed: Sequence[str], fillers: frozenset[str]) -> int:
    """How many written words make up `typed`: "newgame" one, "take-back" one, "new game" two, "leave the
    game" three.
    """
    so_far: list[str] = []
    for used, word in enumerate(folded, 1):
        if so_far and word in fillers and word != typed[len(so_far)]:
            continue
        so_far.extend(word.split())
        if tuple(so_far) == tuple(typed):
            return used
        if len(so_far) >= len(typed):
            return 0
    return 0


def _ask(
    command: str, argument: str, rest: str, game: GameId | None, quote: str, reading: Reading
) -> Intent | NotUnderstood:
    if command in SPOKEN:
        argument = argument[: SPOKEN[command]]  # more than any of them may have, and their own words for that
    elif long := too_long(argument, quote, command):
        return long if game is None else replace(long, game=game)
    if command not in _FREE:
        argument = (
            argument.strip().rstrip(".").strip() if command != "rules" else argument.strip().rstrip(".?!")
        )
    if rest:
        return NotUnderstood("command-alone", quote, facts={"command": command}, game=game)
    if quote.endswith("?") and reading.lexicon.entry("commands", command).get("changes"):
        return Intent("help", {"topic": "", "command": command}, game, quote)
    if command not in _FREE:
        argument = _without_please(argument, reading)
    if command in _CODED and _command(argument, reading) == ("help", ""):
        return Intent("help", {"topic": "", "command": command}, game, quote)
    found = COMMANDS[command](argument, reading)
    after = _GAME_AFTER.search(argument) if game is None and command not in _FREE else None
    if after and isinstance(found, NotUnderstood):  # "bot 2 #17" as "#17 bot 2"
        game = GameId(int(after["no"]))
        found = COMMANDS[command](argument[: after.start()].rstrip(" ,"), reading)
    if isinstance(found, NotUnderstood):
        command, found = _said_around(command, argument, quote, reading) or (command, found)
    if isinstance(found, NotUnderstood):
        return NotUnderstood(found.code, quote, found.suggestions, found.candidates, found.facts, game)
    args = dict(found)
    if command == "help" and "card" in args:  # a card is explained by `rules`
        command = "rules"
    seat_at = args.pop("game", None)
    return Intent(command, args, game if game is not None else seat_at, quote)


def _said_around(
    command: str, argument: str, quote: str, reading: Reading
) -> tuple[str, Mapping[str, Any]] | None:
    """A command that can't be read as it stands: "undo 🙈" without its end, "plan help" as "help plan"; None
    where it is neither.
    """
    bare = without_end(argument, reading) if command not in _FREE else argument
    found = COMMANDS[command](bare, reading) if bare != argument else NotUnderstood("", "")
    if isinstance(found, NotUnderstood) and _command(argument, reading) == ("help", ""):
        command, found = "help", COMMANDS["help"](quote.removesuffix(argument).strip(), reading)
    return None if isinstance(found, NotUnderstood) else (command, found)


def _without_please(argument: str, reading: Reading) -> str:
    """What follows a command without a "please" at its end."""
    words = argument.split()
    for polite in reading.lexicon.courtesies("polite"):
        said = polite.split()
        if [fold(word).strip(" ,!") for word in words[-len(said) :]] == said:
            return " ".join(words[: -len(said)]).rstrip(" ,")
    return argument


def _orders(
    body: str, reading: Reading, game: GameId | None, quote: str, *, sure: bool
) -> Intent | NotUnderstood:
    chunks = split(body, reading.names)
    if sure and not isinstance(chunks, NotUnderstood):
        chunks = without_thanks(chunks, reading.lexicon)
    if sure:
        if isinstance(chunks, NotUnderstood):
            return NotUnderstood(chunks.code, chunks.quote, facts=chunks.facts, game=game)
        chunks = [chunks[0], *(_of_same_table(one, game) for one in chunks[1:])] if chunks else chunks
        for chunk in chunks[1:]:
            other, said = _game(chunk)
            if other is not None and said:  # "#2 gold" is no "2 gold" at the first one's table
                return NotUnderstood("command-alone", quote, facts={"command": chunk}, game=game)
            inner = _command(chunk, reading)
            if inner is not None and isinstance(read_order(chunk, reading), NotUnderstood):
                return NotUnderstood("command-alone", quote, facts={"command": inner[0]}, game=game)
        return (
            Intent("orders", {"chunks": tuple(chunks)}, game, quote)
            if chunks
            else Intent("nothing", {}, game)
        )
    if isinstance(chunks, NotUnderstood) or not chunks or not reading.ask:
        return Intent("chatter", {}, game, quote)
    # said in a room by somebody who is asked just now: an order only if every word of it reads as one,
    # and not by its number, since people count for other reasons too
    uncounted = replace(reading, numbers=False)
    if not any(isinstance(read_order(chunk, uncounted), NotUnderstood) for chunk in chunks):
        return Intent("orders", {"chunks": tuple(chunks)}, game, quote)
    return Intent("chatter", {}, game, quote)
