"""The command line speaks the language of the shell, where there is a folder for it; English is understood
everywhere.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from referee.cli.say import language, meant, say, sentences, shell
from referee.config import sample
from referee.store import Address, Meta, Person, Store
from referee.text.folders import languages
from tests.cli.conftest import Run


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A configuration with a store in which Ana is known."""
    path = tmp_path / "mine.toml"
    path.write_text(f'[store]\nurl = "sqlite:///{tmp_path / "r.db"}"\n')
    store = Store.open(f"sqlite:///{tmp_path / 'r.db'}")
    person = store.write_now(lambda tx: tx.add(Person, name="Ana"))
    store.write_now(
        lambda tx: tx.add(Address, person_id=person, channel="telegram", address="123", state="green")
    )
    store.close_now()
    return path


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("pt_BR.UTF-8", "pt_BR"),
        ("pt_BR", "pt_BR"),
        ("pt_br.utf8", "pt_BR"),
        ("pt_PT.UTF-8@euro", "pt_BR"),
        ("pt", "pt_BR"),
        ("en_GB.UTF-8", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("de_DE.UTF-8", "en"),
        ("", "en"),
        ("../pt_BR", "en"),
        (".", "en"),
        ("_", "en"),
        ("💥", "en"),
        ("x" * 5000, "en"),
    ],
)
def test_the_shell_says_which(said: str, meant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", said)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.delenv("LANG", raising=False)
    assert language() == meant


@pytest.mark.parametrize(
    ("said", "told"),
    [("pt_BR.UTF-8", "pt_BR"), ("de_DE@euro", "de_DE"), ("C", ""), ("C.UTF-8", ""), ("POSIX", ""), ("", "")],
)
def test_what_a_seat_tells_the_referee(said: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anyone who said nothing is spoken to in the language of the house."""
    monkeypatch.setenv("LC_ALL", said)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.delenv("LANG", raising=False)
    assert shell() == told


def test_the_first_that_is_set_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "")
    monkeypatch.setenv("LC_MESSAGES", "pt_BR.UTF-8")
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert language() == "pt_BR"
    assert say("games.total", count=3) == "3 mesas"
    monkeypatch.setenv("LC_ALL", "C")
    assert say("games.total", count=3) == "3 tables"


@pytest.mark.parametrize("name", languages())
def test_every_language_has_every_sentence(name: str) -> None:
    assert {code for code in sentences(name) if not code.startswith("settings.")} == set(sentences("en"))
    for code, sentence in sentences(name).items():
        assert sentence, code


def test_help_is_in_it_from_the_first_line_on(tmp_path: Path) -> None:
    """Help is made when the commands are: in a process of its own."""
    env = {**os.environ, "LC_ALL": "pt_BR.UTF-8", "HOME": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-m", "referee", "policy", "--help"],
        env=env,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert "Dá um nome a uma política" in told.stdout
    assert "Give a policy a name" not in told.stdout


def test_the_office_answers_in_it_and_understands_both(
    run: Run, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")

    def said(*words: str) -> str:
        told = run("league", *words, "--config", book)
        assert told.exit_code == 0, told.output
        return str(told.output)

    assert "Ainda não há nenhuma liga por aqui" in said()
    assert "A liga Copa de Inverno está fundada" in said("nova", "Copa de Inverno", "--by", "zoe")
    assert "Ana está agora na presidência da liga Copa de Inverno" in said(
        "cargo", "telegram:123", "presidente"
    )
    assert "rodadas agora é “7”" in said("Copa de Inverno", "definir", "rodadas", "7")
    assert "rodadas agora é “5” (era “7”)" in said("Copa de Inverno", "set", "rounds", "5")
    assert "fundar a liga “Copa de Inverno”" in said("auditoria")
    wrong = run("league", "Copa de Verão", "calendário", "--config", book)
    assert wrong.exit_code == 1
    assert "Não existe liga “Copa de Verão”" in wrong.stderr
    monkeypatch.setenv("LC_ALL", "C")
    assert "founding the league “Copa de Inverno”" in said("audit")


def test_the_console_answers_in_it_and_is_one_person_in_all_languages(
    run: Run, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    assert "está bloqueado" in run("block", "telegram:666", "--config", book).output
    assert "1 endereço bloqueado" in run("admin", "bloqueados", "--config", book).output
    assert "Como vai a casa" not in run("admin", "blocked", "--config", book).output
    no = run("admin", "pular", "--config", book)
    assert no.exit_code == 2
    assert "“pular”" in no.stderr
    refused = run("game", "look", "99", "--config", book)
    assert refused.exit_code == 1
    assert "99" in refused.stderr
    assert "There is no" not in refused.stderr
    monkeypatch.setenv("LC_ALL", "C")
    assert "is heard again" in run("unblock", "telegram:666", "--config", book).output
    assert json.loads(run("admin", "blocked", "--json", "--config", book).output)["blocked"] == []
    store = Store.open(f"sqlite:///{book.parent / 'r.db'}", read_only=True)
    kept = store.read_now(
        lambda tx: (tx.get(Meta, "console"), [one.language for one in tx.all(Person, order="id")])
    )
    store.close_now()
    assert kept[0] is not None
    assert kept[1] == ["en", "en"]


def test_a_policy_is_given_a_name_in_it(run: Run, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    for name, words in (("casa", "48h livre 6h dias seg-sex"), ("home", "48h free 6h days Mo-Fr")):
        assert "dias seg-sex" in run("policy", "add", name, words, "--config", book).output
    listed = run("policy", "list", "--config", book).output
    assert listed.count("livre 6h") == 2
    assert "free" not in listed
    monkeypatch.setenv("LC_ALL", "C")
    assert run("policy", "list", "--config", book).output.count("free 6h") == 2


def test_cards_are_listed_in_it_unless_another_is_asked_for(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR")
    assert "Assassina" in run("rules", "list").output
    assert "Assassin " in run("rules", "list", "--lang", "en").output
    told = run("rules", "list", "--lang", "xx")
    assert told.exit_code == 2
    assert "Não existe uma língua chamada xx" in told.stderr


def test_the_doctor_speaks_it_and_its_lines_stand_under_each_other(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    lines = run("doctor").output.splitlines()
    assert {line[:6] for line in lines[:-1]} <= {"ok    ", "aviso ", "ERRO  "}
    assert re.fullmatch(r"\d+ ok, \d+ avisos, \d+ erros", lines[-1])


@pytest.mark.parametrize("name", [name for name in languages() if name != "en"])
def test_a_language_explains_every_setting_and_none_that_there_is_not(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: dict[str, str] = {}

    def noted(key: str, english: str) -> str:
        known[key] = english
        return english

    sample(head="", channel="{name}", required="", secret="", meant=noted)
    monkeypatch.setenv("LC_ALL", name)
    for key, english in known.items():
        assert meant(key, english) != english, key
    said = {code.removeprefix("settings.") for code in sentences(name) if code.startswith("settings.")}
    assert said <= {*known, *(key.rpartition(".")[2] for key in known)}
    assert meant("web.nonsense", "as it is") == "as it is"


def test_a_configuration_is_begun_and_explained_in_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR")
    text = run("init", "--print").output
    assert "# Onde as páginas da web escutam" in text
    assert not re.search(r"\b(the|left out|which|who|of)\b", text)
    tomllib.loads(text)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[referee]\nmove_hours = -1\n")
    told = run("doctor", "--config", wrong)
    assert told.exit_code == 2
    assert "Horas para responder, onde a mesa não diz outra coisa." in told.stderr
