"""Samples of what is looked up: help, one card, the cards of a game."""

from __future__ import annotations

from typing import Any

from referee.service import rooms  # noqa: F401  # declares every command
from referee.service.core.commands import topics
from referee.text.lexicon import lexicon
from tests.text.samples import GAME, common


def here(**other: Any) -> dict[str, Any]:
    """Where a card is in the game."""
    return {
        "rank": 0,
        "known": True,
        "rival": "",
        "faceup": False,
        "shown": [],
        "unique": False,
        "cities": [],
        **other,
    }


def of_help() -> dict[str, tuple[str, dict[str, Any]]]:
    """Help on every topic, and on one command."""
    return {
        "help": ("help", common(topic="", topics=topics())),
        "help-admin": ("help", common(topic="admin", game=None)),
        "help-command": ("help", common(command="undo")),
        **{
            f"help-{topic}": ("help", common(topic=topic, topics=topics()))
            for topic in lexicon().table("topics")
            if topic != "league"  # see letters_office
        },
    }


def of_cards() -> dict[str, tuple[str, dict[str, Any]]]:
    """Cards of this game, of others, and of none."""
    return {
        "card-thief": ("card", common(card="Thief", here=here(rank=2, shown=["Bea"]))),
        "card-faceup": ("card", common(card="Architect", here=here(rank=7, faceup=True))),
        "card-graveyard": ("card", common(card="Graveyard", here=here(unique=True, cities=["Dan"]))),
        "card-market": ("card", common(card="Market", here=here(cities=["Ana", "Dan"]))),
        "card-unbuilt": ("card", common(card="Library", here=here(unique=True))),
        "card-vault": (
            "card",
            common(card="Secret Vault", game=GAME | {"edition": "deluxe"}, here=here(unique=True)),
        ),
        "card-temple": ("card", common(card="Temple", here=here())),
        "card-uncast": (
            "card",
            common(
                card="Thief", game=GAME | {"edition": "deluxe"}, here=here(rank=2, known=False, rival="Spy")
            ),
        ),
        "card-undecked": (
            "card",
            common(card="Statue", game=GAME | {"edition": "deluxe"}, here=here(unique=True, known=False)),
        ),
        "card-abroad": ("card", common(card="Statue")),
        "card-everywhere": ("card", common(card="Great Wall", game=None)),
        "card-deluxe": ("card", common(card="Great Wall", edition="deluxe", here=here(cities=["Dan"]))),
        "cards": (
            "cards",
            common(
                game=GAME | {"edition": "deluxe"},
                cast=["Witch", "Spy", "Seer", "Patrician", "Abbot", "Trader", "Scholar", "Diplomat", "Queen"],
                uniques=["Theater", "Armory", "Secret Vault"],
            ),
        ),
        "cards-plain": (
            "cards",
            common(
                game=None,
                edition="classic",
                cast=["Assassin", "Thief", "Warlord"],
                uniques=["Keep", "Keep", "Library"],
            ),
        ),
    }
