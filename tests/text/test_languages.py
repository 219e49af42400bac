"""A language is one folder, and what it lacks is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.text.folders import languages, shipped
from referee.text.gaps import TranslationGap, gaps


@pytest.mark.parametrize("language", languages())
def test_every_language_is_complete(language: str) -> None:
    assert gaps(language) == []


def test_planted_gaps_are_found(tmp_path: Path) -> None:
    """A Polish folder that is a copy of the English one: nearly everything is wrong with it."""
    folder = tmp_path / "pl"
    shutil.copytree(shipped() / "en", folder)
    (folder / "sentences" / "talk.toml").unlink()
    people, play = folder / "sentences" / "people.toml", folder / "sentences" / "play.toml"
    people.write_text(people.read_text().replace("{{ code }}", "{{ kod }}"))
    play.write_text(play.read_text().replace("{{ c.b(name) }} took", "{% if %}"))
    phrases = folder / "phrases.toml"
    phrases.write_text(
        phrases.read_text()
        .replace('frozen = "Something', 'frozen_ = "Something')
        .replace('game-over = "This', 'game-over = "Ta')
        .replace(
            "{{ count|n('card', 'cards') }} with the deck",
            "{{ count|n('karta', 'kart', few='karty', many='kart') }} z talii",
        )
    )
    lexicon = folder / "lexicon.toml"
    lexicon.write_text(
        lexicon.read_text()
        .replace("[verbs.kill]", "[verbs.zabij]")
        .replace('text = "If you have no gold', 'texd = "If you have no gold')
        .replace('line = "once a turn: discard a card, get 1 gold"', "")
        .replace("[districts.Quarry.original]", "[districts.Quarry.originel]")
    )
    found = gaps("pl", (tmp_path,))
    for gap in (
        TranslationGap("sentences/talk.toml", "talk.subject", "missing"),
        TranslationGap("sentences/play.toml", "undone.taken_back", "broken"),
        TranslationGap("sentences/people.toml", "link_code.order", "facts"),
        TranslationGap("sentences/people.toml", "link_code.subject", "untranslated"),
        TranslationGap("phrases.toml", "notices.frozen", "missing"),
        TranslationGap("phrases.toml", "notices.empty", "untranslated"),
        TranslationGap("phrases.toml", "events.smithy", "plural"),
        TranslationGap("lexicon.toml", "verbs.kill", "missing"),
        TranslationGap("lexicon.toml", "districts.Poor House.text", "missing"),
        TranslationGap("lexicon.toml", "districts.Laboratory.original.line", "missing"),
        TranslationGap("lexicon.toml", "districts.Quarry.original", "missing"),
        TranslationGap("lexicon.toml", "districts.Laboratory.original.text", "untranslated"),
        TranslationGap("lexicon.toml", "types.noble.plain", "untranslated"),
        TranslationGap("lexicon.toml", "characters.Thief.text", "untranslated"),
    ):
        assert gap in found, gap
    assert TranslationGap("phrases.toml", "events.redrew", "plural") not in found
    assert TranslationGap("phrases.toml", "notices.game-over", "untranslated") not in found
