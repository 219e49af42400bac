"""Names of cards with the words that must agree with them: "o Templo", "da Torre de Vigia", "pelas suas
Docas".

A language that needs this says so in its lexicon, and a card there says its class:

    [grammar]
    classes = ["m", "f", "mp", "fp"]                            the first is that of a card without `gender`
    [grammar.of_the]                                            makes the filters `of_the` and `Of_the`
    m = "do" …                                                  the word before a name of that class
    who = "de"                                                  the word before a player's name
    [grammar.your]                                              the word for what is the reader's own, after
      the other one
    [districts.Watchtower]
    gender = "f"

A language without that table (English) has none of these filters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from ..lexicon import Lexicon

#: what stands in orders after a district with an Artist's coin
BEAUTIFIED = " beautified"

Who = Callable[[Context, Any], str]


def grammar(lex: Lexicon, who: Who) -> dict[str, Callable[..., Any]]:
    """The filters of a language's grammar; `who` tells how a seat is called."""
    table = lex.table("grammar")
    classes = tuple(table.get("classes", ("",)))
    found: dict[str, Callable[..., Any]] = {}
    for name, forms in table.items():
        if isinstance(forms, Mapping) and name not in ("your", "beautified"):
            found[name] = determined(lex, forms, who)
            found[name.capitalize()] = determined(lex, forms, who, upper=True)

    def agree(card: Any, *forms: str) -> str:
        """The form for the card's class, in the order of `classes`; where fewer are given they are counted
        from the first again, so that two do for languages whose plural classes follow in the same order."""
        place = classes.index(class_of(lex, str(card)))
        return forms[place % len(forms)]

    found["agree"] = agree
    return found


@lru_cache(maxsize=4096)
def class_of(lex: Lexicon, card: str) -> str:
    """The class of a card's name ("f"), the first one of the language where it says none."""
    key = card.removesuffix(BEAUTIFIED)
    kind = "characters" if key in lex.table("characters") else "districts"
    first = next(iter(lex.table("grammar").get("classes", ())), "")
    return str(lex.table(kind).get(key, {}).get("gender", first))


@lru_cache(maxsize=4096)
def card_name(lex: Lexicon, card: str) -> str:
    """A card's name, also where a district is followed by "beautified"."""
    if not card.endswith(BEAUTIFIED):
        return lex.card(card)
    word = lex.table("grammar").get("beautified", {}).get(class_of(lex, card), BEAUTIFIED.strip())
    return f"{lex.card(card.removesuffix(BEAUTIFIED))} {word}"


def determined(
    lex: Lexicon, forms: Mapping[str, str], who: Who, *, upper: bool = False
) -> Callable[..., str]:
    """The filter that puts a word before a card's name, and tells whose card it is: "o Templo", "o seu
    Templo", "o Templo de Bea". A seat instead of a card is a player.
    """
    your = lex.table("grammar").get("your", {})
    whose = str(lex.table("language").get("possessive", "{}'s"))

    @pass_context
    def filter_(context: Context, card: Any, owner: Any = None) -> str:
        if isinstance(card, int):
            said = f"{forms.get('who', '')} {who(context, card)}".strip()
            return (
                said[:1].upper() + said[1:]
                if upper and (forms.get("who") or card == context.get("me_seat"))
                else said
            )
        kind = class_of(lex, str(card))
        mine = owner is not None and owner == context.get("me_seat")
        words = [forms.get(kind, ""), str(your.get(kind, "")) if mine else "", card_name(lex, str(card))]
        if owner is not None and not mine:
            words.append(whose.replace("{}", who(context, owner)))
        said = " ".join(word for word in words if word)
        return said[:1].upper() + said[1:] if upper else said

    return filter_
