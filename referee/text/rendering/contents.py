"""What may be written, and what each thing needs to be written from.

`LETTERS` lists the kinds of letters; each is one layout, `letters/<kind>.j2`.  A
value is what a missing context key means; a key that is not listed and not there is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: what every letter knows: the reader's language and zone, the moment of writing (UTC ms), the game
#: {id, ref "g17", tag "#17", edition, status, policy {line}}, the reader's seat {seat, name},
#: the players' names by seat, Telegram's deep link, and whether a room reads it
ALWAYS: Mapping[str, Any] = {
    "zone": "UTC",
    "game": None,
    "me": None,
    "names": (),
    "bot_link": "",
    "channel": "",
    "room": False,
}

#: the same for what only admins of the installation are sent; lists come in pages (page of pages, count in
#: all)
ADMINS: Mapping[str, Mapping[str, Any]] = {
    # games [{tag, status, edition, round, players, asked [names], due_ms, paused, looked, archived}], of one
    # state ("": those that are alive)
    "admin_games": {"games": (), "state": "", "page": 1, "pages": 1, "count": 0},
    # the public view and the last events; about {creator, window, round, created_ms, archived}, seated
    # [{name, bot, ready, addresses, misses, probation, offered, away, unreachable, empty}], rings [{kind,
    # name, due_ms}], votes [{number, act, due_ms}], rooms, bad (letters), looked [{by, of, because, at_ms}]
    "admin_look": {
        "view": None,
        "events": (),
        "about": {},
        "seated": (),
        "rings": (),
        "votes": (),
        "rooms": (),
        "bad": (),
        "looked": (),
    },
    # hidden cards: hands [{name, hand, characters}]
    "admin_hidden": {"hands": ()},
    # letters [{id, kind, state, channel, to, game, tries, error, at_ms}]; messages [{id, channel, from,
    # at_ms, tries, error}]
    "admin_letters": {"letters": (), "page": 1, "pages": 1, "count": 0},
    "admin_inbox": {"messages": (), "page": 1, "pages": 1, "count": 0},
    # blocked [{address, because, by, at_ms}]; lines of the logbook [{no, at_ms, by, act, about}], the first
    # that does not hold
    "admin_blocked": {"blocked": (), "page": 1, "pages": 1, "count": 0},
    "admin_log": {"lines": (), "broken": 0, "page": 1, "pages": 1, "count": 0},
    # see `service.administering.figures`
    "admin_stats": {
        "games": {},
        "archived": 0,
        "people": 0,
        "addresses": {},
        "blocked": 0,
        "days": (),
        "channels": (),
        "waiting": 0,
        "oldest_s": 0,
        "inbox": {},
        "failed": {},
        "late": 0,
        "answered": 0,
        "missed": 0,
    },
}

#: kind of letter -> context keys with what they are when left out
LETTERS: Mapping[str, Mapping[str, Any]] = {
    # to a player: what you ordered [{order}] or took back [{order, undone}], what went wrong, what happened,
    # your hand, the table, the question; `lost`: a channel that does not reach the reader any more; `fresh`:
    # to somebody who has just taken the seat over; `stopped`: why one's plan does not answer; `soon`: it
    # will; `step`: the order as far as it is known, where the options are what may follow; `edited`: in place
    # of a letter that said the rest; `teaching`: learn, hints or "", and the lessons (part, name) that come
    # with it
    "prompt": {
        "echo": (),
        "trouble": None,
        "events": (),
        "view": None,
        "options": (),
        "step": "",
        "edited": False,
        "ask": None,
        "due_ms": None,
        "final": False,
        "lost": "",
        "fresh": False,
        "stopped": "",
        "soon": False,
        "teaching": "",
        "lessons": (),
    },
    # what strong players would answer [{label, note, chance, type, standing}], the best first, at most two
    "hint": {"best": (), "view": None},
    # the turns that cost most [{round, picking, before, after, answers [{given, better}], link}], the worst
    # first; how many decisions were judged; whether nobody had time for it
    "review": {"turns": (), "judged": 0, "nobody": False},
    # a plan as it was `understood` (sentences), or troubles [{line, quote}] and nothing filed; `filed`: just
    # now; `soon`: it will answer what is asked now
    "plan": {"understood": (), "troubles": (), "filed": False, "soon": False, "stopped": ""},
    # a page of the menu that writes a plan: what is filed (sentences), the lines written so far and the one
    # being written, its entries
    "plan_menu": {"title": "", "page": "top", "understood": (), "lines": (), "line": "", "options": ()},
    # the living message of a room: view (public), the last events, whom the table waits for [names]; `brief`:
    # under a picture, where little fits
    "table": {"view": None, "events": (), "due_ms": None, "waiting": (), "brief": False},
    # seats [{no, name, bot, ready, me}], wanted, creator, seed_hash, entry, options, missing_private [names];
    # the invitation's code for anyone who sits there, whether the reader opened the table, and the name of
    # one who has just sat down; the cast by rank, the unique districts ((): the edition's own), what was
    # asked for {named, gentle …}, who stands in for whom [(of the list, instead)]
    "lobby": {
        "seats": (),
        "wanted": 0,
        "creator": "",
        "seed_hash": "",
        "entry": "open",
        "options": {},
        "missing_private": (),
        "talk": "open",
        "invitation": "",
        "host": False,
        "joined": "",
        "cast": (),
        "uniques": (),
        "choice": {},
        "instead": (),
    },
    "muster": {
        "seats": (),
        "wanted": 0,
        "creator": "",
        "seed_hash": "",
        "entry": "open",
        "options": {},
        "missing_private": (),
        "lost": "",
    },
    # the daily letter, or what was held back in quiet hours (`why`: daily, quiet). games [{tag, edition,
    # status, round, asked, question, example (an order that answers), due_ms, waiting [names], news (lines),
    # more, result (line), stopped}], those first that ask; notices; options, an entry for each game that
    # asks; hour, at which it goes each day
    "digest": {
        "why": "daily",
        "games": (),
        "notices": (),
        "code": "",
        "facts": {},
        "options": (),
        "hour": "",
    },
    "reminder": {"ask": None, "options": (), "due_ms": None, "view": None},
    # result {scores [{seat, points, score}], winners}, seed, seed_hash, words by seat
    "over": {
        "view": None,
        "result": None,
        "seed": "",
        "seed_hash": "",
        "words": (),
        "events": (),
        "teaching": "",
    },
    "status": {"view": None, "events": (), "due_ms": None, "waiting": (), "cast": (), "uniques": ()},
    "hand": {"view": None, "options": (), "ask": None, "due_ms": None},
    # events [{name, facts, no}], or entries [{no, name, order, by}]
    "history": {"events": (), "entries": (), "view": None, "rounds": ()},
    # the lines of a finished game's record
    "record": {"record": ()},
    # players [{no, name, bot, channels, ready, misses}]
    "who": {"players": (), "waiting": ()},
    # games [{tag, status, edition, round, asked, due_ms}]
    "games": {"games": ()},
    # the menu of a new table: what it asks (edition, list, seats, hours), the line so far, its entries
    "setup": {"asks": "", "so_far": "", "options": ()},
    # `topics`: the topic of each command
    "help": {"topic": "", "command": "", "topics": {}},
    # the card, the edition that was asked for by name, and where it is in the game, as everybody may know:
    # {rank, known, rival, faceup, shown [names], unique, cities [names]}; none without a game
    "card": {"card": "", "edition": "", "here": None},
    # all cards of a game that do something: the cast by rank, the unique districts
    "cards": {"cast": (), "uniques": (), "edition": ""},
    # an act that waits for a vote or a key: the event that tells of it, its number, the rule (silence, most,
    # all), until when; `votes`: the reader votes (else: has a key), `about_you`: it is about the reader's
    # seat
    "vote": {"events": (), "number": 0, "rule": "silence", "due_ms": 0, "votes": True, "about_you": False},
    "link_code": {"code": "", "minutes": 0},
    # whether two accounts are one person: the reader's address and the other one ({channel, address}), what
    # that calls itself, who else it would be, how many seats they would share, the word of an answer, until
    # when, whether the reader said yes
    "link_ask": {
        "mine": None,
        "other": None,
        "called": "",
        "more": (),
        "seats": 0,
        "word": "",
        "due_ms": 0,
        "answered": False,
    },
    # addresses [{channel, address, state, since_ms, joined_ms, until_ms (0: no more), first, here}]
    "accounts": {"addresses": ()},
    # told to the table: the clock answered for seat or name
    "stand_in": {"name": "", "kind": ""},
    "undone": {"name": "", "order": ""},
    # notices [{code, facts}], `to` the name spoken to in a room
    "notice": {"notices": (), "to": "", "code": "", "facts": {}},
    "toast": {"notices": (), "code": "", "facts": {}},
    "echo_elsewhere": {"echo": ()},
    # what players say to each other [{way public | private | nameless, by, speech, at_ms}], see
    # referee.service.talk.commands
    "talk": {"said": ()},
    # the secret address of one's calendar, whether it takes another one's place; a file with this many
    # entries
    "calendar_link": {"link": "", "again": False},
    "calendar_file": {"count": 0},
    # best [{at_ms, count, not_able}], agreed [{name, at_ms}], mine [(from, to)]; see hours/letters.py
    "hours": {
        "why": "asked",
        "by": "",
        "best": (),
        "said": (),
        "missing": (),
        "agreed": (),
        "mine": (),
        "meet": 0,
        "of": 0,
    },
    "hours_soon": {"at_ms": 0},
    # how the reader did {games, won, place, score, best, places, editions, characters, opponents, more}, and
    # where there is more of it
    "my_stats": {
        "stats": {"games": 0, "more": 0, "editions": (), "characters": (), "opponents": ()},
        "page": "",
    },
    # a file with all that is kept about its reader, and how large it is
    "my_data": {"bytes": 0},
    # the address that signs its reader in on the web, once, and for how long it is good
    "web_link": {"link": "", "minutes": 0},
    # a notice in a browser: whether its question was asked before
    "turn_notice": {"again": False},
    # the browsers in which one is signed in [{browser, since_ms, used_ms (None: lately), here}]
    "web_sessions": {"sessions": ()},
    # a seat that the reader may take: whose, the public view, until when, its entries (take it, or not)
    "seat_offer": {"view": None, "events": (), "name": "", "due_ms": None, "waiting": (), "options": ()},
    # a mail that proved nothing and moved nothing: why (sender | token | old | gone | stranger); nothing of
    # what it said
    "suspicious": {"why": "sender"},
    "alert": {"code": "", "facts": {}},
    # to the players and rooms of a table: somebody saw hidden cards (by, of: a seat or None, because)
    "looked": {"by": "", "of": None, "because": ""},
    **ADMINS,
    # leagues in one line each, one league with who runs it, who takes part, its settings, what waits for a
    # second key, what was done in office
    "league_list": {"leagues": (), "house": False, "console": False},
    "league_card": {"card": None, "officials": (), "rooms": 0, "public": True, "console": False},
    "league_people": {"league": "", "season": 0, "groups": ()},
    "league_settings": {"league": "", "settings": ()},
    "league_reports": {"league": None, "season": 0, "reports": (), "told": False},
    "league_waiting": {"league": None, "season": 0, "tables": (), "hidden": 0},
    "league_invitations": {"league": None, "season": 0, "waiting": (), "joined": (), "code": ""},
    "league_answers": {"league": None, "season": 0, "people": (), "hidden": 0},
    "league_proposals": {"league": "", "proposals": ()},
    "league_log": {"league": "", "lines": (), "broken": 0},
    # news of a league {id, name}: notices; about_you: of the reader alone; `shown`: the standings as below
    "league_news": {
        "league": None,
        "notices": (),
        "code": "",
        "facts": {},
        "about_you": False,
        "shown": None,
        "season": None,
        "url": "",
    },
    # lists of a league: its season {no, state, round, open …} (None: it has none), the address of its page;
    # the facts are those of referee/service/league/scores: standings.standings, views.schedule and
    # table_view, careers.of_person, statistics.of_season; `hidden`: this many more
    "league_standings": {"league": None, "season": None, "url": "", "shown": None},
    "league_schedule": {
        "league": None,
        "season": None,
        "url": "",
        "rounds": (),
        "round": 0,
        "tables": (),
        "hidden": 0,
        "byes": (),
        "several": False,
        "mine": (),
        "waits": 0,
        "format": "",
    },
    "league_table": {"league": None, "season": None, "url": "", "table": None, "number": 0, "several": False},
    "league_player": {"player": None},
    "league_stats": {"league": None, "season": None, "url": "", "stats": None, "hidden": 0},
    # every season with its podiums, and who did most in all of them {titles, wins, seasons}
    "league_seasons": {"league": None, "season": None, "url": "", "seasons": (), "hidden": 0},
    "league_hall": {"league": None, "season": None, "url": "", "hall": None},
    # files that go with it, or links to them
    "league_export": {"league": None, "season": None, "url": "", "form": "csv", "files": (), "links": ()},
}
