"""The code of layouts is kept from one start to the next, and never older than what it is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.text import KINDS
from referee.text.lexicon import lexicon
from referee.text.rendering import kept_code
from referee.text.rendering.environments import LanguageEnvironment
from referee.text.rendering.layouts import Layouts
from referee.text.rendering.phrases import PhraseBook
from tests.seeds import covering


def written(kind: str, language: str, kept: Path | None) -> str:
    """What one start writes: bold letters, and that somebody has no games."""
    book = PhraseBook(lexicon(language, ()), ())
    house = LanguageEnvironment(kind, lexicon(language, ()), book.raw, (), None, kept)
    house.share(lambda table, code, **facts: book.say(table, code, facts))
    return house.finish(str(house.macros.b("Ana & Bea"))) + house.block(
        house.letter("games"), "body", {"games": [], "sign": "/"}
    )


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the layouts that were compiled."""
    names: list[str] = []
    compiling = Layouts.compile

    def noted(self: Layouts, source: object, name: str | None = None, *more: object) -> object:
        names.append(str(name))
        return compiling(self, source, name, *more)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(Layouts, "compile", noted)
    return names


@pytest.mark.parametrize(("kind", "language"), covering(list(KINDS), ["en", "pt_BR"]))
def test_a_second_start_compiles_nothing_and_says_the_same(
    kind: str, language: str, tmp_path: Path, compiled: list[str]
) -> None:
    bare = written(kind, language, None)
    assert written(kind, language, tmp_path) == bare
    assert len(compiled) >= 6  # each of them twice
    compiled.clear()
    assert written(kind, language, tmp_path) == bare
    assert compiled == []


def test_languages_and_kinds_do_not_share(tmp_path: Path) -> None:
    said = {
        (kind, language, kept): written(kind, language, tmp_path if kept else None)
        for kept in (True, True, False)
        for kind, language in covering(list(KINDS), ["en", "pt_BR"])
    }
    assert all(text == said[kind, language, False] for (kind, language, _), text in said.items())


def test_what_changed_is_compiled_anew(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written("text", "en", tmp_path)
    files = sorted(tmp_path.iterdir())
    compiled.clear()
    monkeypatch.setattr(kept_code, "made_of", lambda: "other words")
    written("text", "en", tmp_path)
    assert compiled
    assert sorted(tmp_path.iterdir()) == files  # in the places of the old ones: the folder does not grow


def test_what_it_is_made_of_are_templates_and_what_reads_them() -> None:
    files = [line.rpartition(" ")[0].rpartition(" ")[0] for line in kept_code._files()]
    for end in ("en/lexicon.toml", "pt_BR/lexicon.toml", "channels/mail.j2", "rendering/filters.py"):
        assert any(name.endswith(end) for name in files), end


def test_broken_files_and_no_place_cost_time_alone(tmp_path: Path) -> None:
    bare = written("mail", "en", None)
    folder = tmp_path / "layouts"
    written("mail", "en", folder)
    for number, file in enumerate(sorted(folder.iterdir())):
        whole = file.read_bytes()
        file.write_bytes((b"", whole[:-9], b"\0" * len(whole), whole[:40] + b"\xff" * 40)[number % 4])
    assert written("mail", "en", folder) == bare
    (tmp_path / "file").write_text("no folder")
    assert written("mail", "en", tmp_path / "file" / "layouts") == bare
