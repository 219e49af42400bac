"""Menus: whose they are, and what is said in answer to one.

In a room a number among people is a number. So it answers a menu only where nothing else can be meant: in a
reply to its message, or from the person who opened it, while it is open and new.
"""

from __future__ import annotations

from referee.ids import NOBODY
from referee.ports import Inbound
from referee.store import Outbox, Person

from ..core.letter_buttons import chosen_order
from ..core.letter_rows import read
from ..core.letters import Facts, traits
from ..core.unit_of_work import UnitOfWork
from ..people import officials
from ..people.identity import LIFE_MS, Speaker, born
from ..people.replies import answer
from ..people.spoken import open_menu

#: longer words are no entry of a menu
_LONGEST = 80


def is_foreign(uow: UnitOfWork, speaker: Speaker, came: Inbound, letter: Outbox) -> bool:
    """Whether what a letter offers is for somebody else, its reader or the person who opened the menu; the
    speaker is told.
    """
    if letter.person_id is not None:
        if letter.person_id == speaker.person.id:
            return False
        answer(uow, speaker, came, "foreign-button")
        return True
    asker = read(letter, Facts).asker if traits(letter.kind).askers else NOBODY
    if not asker or officials.same(uow.tx, asker, speaker.person.id):
        return False
    owner = uow.tx.get(Person, asker)
    answer(uow, speaker, came, "foreign-button", name="" if owner is None else owner.name)
    return True


def entry(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> str:
    """The line that words said in a room stand for, as a button would; "" where they answer no menu.

    From then on the speaker answers that menu.
    """
    if len(came.text) > _LONGEST:
        return ""
    if came.thread:
        menu = speaker.letter
    elif came.text.strip().rstrip(".)").isdecimal():
        menu = open_menu(uow, speaker, came)
    else:
        return ""
    if menu is None or uow.now_ms - born(menu) > LIFE_MS:
        return ""
    found = chosen_order(menu.letter, came.text)
    if found:
        speaker.letter = menu
    return found


def labelled(letter: Outbox, text: str) -> str:
    """The line that the label of an entry stands for, in an answer to a menu; "" for other words."""
    if len(text) > _LONGEST or traits(letter.kind).entries != "menu":
        return ""
    return chosen_order(letter.letter, text)
