"""One sample context for every kind of letter, and more for the prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.text import Words
from tests.text import letters_gathering as gathering
from tests.text import letters_leagues as leagues
from tests.text import letters_lookups as lookups
from tests.text import letters_people as people
from tests.text import letters_prompts as prompts
from tests.text import letters_tables as tables
from tests.text.letters_admin import of_admins
from tests.text.letters_office import of_offices


def contexts(words: Words, language: str = "en") -> Mapping[str, tuple[str, dict[str, Any]]]:
    """Name of the sample -> (kind of letter, context); what a context brings along in words of its own is
    English.
    """
    return {
        **prompts.of_questions(words, language),
        **prompts.of_answers(words, language),
        **prompts.of_plans(),
        **prompts.of_plan_menus(words),
        **gathering.of_lobbies(),
        **gathering.of_hours(),
        **gathering.of_offers(words),
        **tables.of_tables(),
        **tables.of_ends(),
        **tables.of_histories(),
        **tables.of_acts(),
        **tables.of_votes(),
        **lookups.of_help(),
        **lookups.of_cards(),
        **people.of_digests(words),
        **people.of_addresses(),
        **people.of_links(),
        **people.of_notices(),
        **leagues.of_news(),
        **leagues.of_rounds(),
        **leagues.of_figures(),
        **leagues.of_people(),
        **of_admins(tables.table_now()),
        **of_offices(),
    }
