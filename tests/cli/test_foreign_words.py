"""What libraries say on the command line is told in the admin's language; what nobody translated is
quoted.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from adapters import mail, matrix, telegram, terminal
from referee.cli.foreign import cause, translated
from referee.cli.say import sentences
from referee.config.model import BackupSettings, BotsSettings, RefereeSettings, StoreSettings, WebSettings
from tests.cli.conftest import Run

ENGLISH = re.compile(
    (
        r"\b(the|is|should|input|missing|invalid|usage|options?|error|show this|such|try|required|"
        r"default|range|unable|there|was|database|cannot|not)\b"
    ),
    re.IGNORECASE,
)


@pytest.fixture
def portuguese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("xyz", "Erro: Não existe o comando 'xyz'."),
        ("game look", "Erro: Falta o argumento 'number'."),
        ("game look abc", "O valor de 'number' não serve: tem que ser um número inteiro"),
        ("doctor --foo", "Não existe a opção --foo"),
        ("play --bots 99", "O valor de '--bots' não serve: tem que ser no máximo 7"),
        ("doctor --config", "A opção '--config' precisa de um valor."),
        ("version 1 2", "Há argumentos demais (1 2)"),
    ],
)
def test_a_wrong_line_is_answered_in_portuguese(run: Run, portuguese: None, words: str, said: str) -> None:
    told = run(*words.split())
    assert told.exit_code == 2
    assert said in told.stderr
    # there the library knows no more
    assert words == "doctor --config" or ("Uso: " in told.stderr and "mostra a ajuda" in told.stderr)
    assert not ENGLISH.search(told.stderr.replace("[OPÇÕES]", "")), told.stderr


def test_a_wrong_line_in_english_is_the_library_s(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    told = run("game", "look", "abc")
    assert told.exit_code == 2
    assert "Error: Invalid value for 'number': Input should be a valid integer" in told.stderr
    assert "Usage: " in told.stderr


def test_pages_of_help_have_no_english_headings(run: Run, portuguese: None) -> None:
    for words in (
        "--help",
        "game --help",
        "league --help",
        "play --help",
        "backup --help",
        "game look --help",
    ):
        told = run(*words.split()).output
        assert "Uso:" in told
        assert "Opções:" in told
        assert "Mostra esta mensagem e sai." in told
        assert not re.search(
            (
                r"Usage|Options:|Commands:|COMMAND|ARGS|Show completion|Install completion|\[required|"
                r"\[default|env var"
            ),
            told,
        ), told


def test_what_runs_well_ends_well(run: Run, portuguese: None) -> None:
    assert run("version").exit_code == 0
    assert run("policy").exit_code == run("policy", "--help").exit_code + 2
    assert "Comandos:" in run("policy").output


@pytest.mark.parametrize(
    ("spoken", "said"),
    [
        ("C", "The answer could not be written: No space left on device\n"),
        ("pt_BR.UTF-8", "A resposta não pôde ser gravada: não há espaço no disco\n"),
    ],
)
@pytest.mark.parametrize("words", ["version", "--help", "rules list"])
def test_an_answer_that_does_not_fit_is_told_in_a_sentence(spoken: str, said: str, words: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "referee", *words.split()],
            env=os.environ | {"LC_ALL": spoken, "PYTHONIOENCODING": "utf-8"},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (1, said)


def test_a_book_that_can_t_be_opened(run: Run, portuguese: None, tmp_path: Path) -> None:
    config = tmp_path / "r.toml"
    for url, said in (
        ("mysql://x/y", "só entendo"),
        ("postgresql+psycopg://a@127.0.0.1:1/x", "o servidor do banco não responde"),
    ):
        config.write_text(f'[store]\nurl = "{url}"\n')
        told = run("block", "telegram:1", "--config", config)
        assert told.exit_code == 1
        assert said in told.stderr
    (tmp_path / "no.db").write_bytes(b"no database at all, just words" * 100)
    config.write_text(f'[store]\nurl = "sqlite:///{tmp_path / "no.db"}"\n')
    assert "no.db não é um banco de dados" in run("doctor", "--config", config).output


def test_what_is_unknown_is_quoted(portuguese: None) -> None:
    assert cause("the moon is in the way") == "“the moon is in the way”"
    assert cause("ENOENT") == "ENOENT"
    assert cause("[Errno 13] Permission denied: '/x'") == "sem permissão: '/x' (erro 13)"
    assert translated("psql failed: the moon is in the way") == "psql falhou: the moon is in the way"
    assert translated(
        "the database is damaged: restore the last backup (database disk image is malformed)"
    ) == ("o banco está danificado: restaure o último backup (database disk image is malformed)")
    assert translated("No space left on device: /x/y.db") == "não há espaço no disco: /x/y.db"
    assert translated("Input should be {name!r}") == "tem que ser {name!r}"


@pytest.mark.parametrize(
    ("spoken", "said"),
    [
        ("C", "metrics_token is wrong: a token of 16 signs at least, not of 5."),
        ("pt_BR.UTF-8", "metrics_token está errado: um token de no mínimo 16 caracteres, não de 5."),
    ],
)
def test_a_token_that_is_too_short_is_told_in_its_signs(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spoken: str, said: str
) -> None:
    """The library counted "items" of it, "after validation"."""
    monkeypatch.setenv("LC_ALL", spoken)
    config = tmp_path / "r.toml"
    config.write_text('[web]\nmetrics_token = "short"\n')
    assert said in run("doctor", "--config", config).stderr


def messages(model: type[BaseModel], wrong: object) -> Iterator[str]:
    """What pydantic says of each setting of a table that is set to this."""
    for name in model.model_fields:
        try:
            model.model_validate({name: wrong})
        except ValidationError as error:
            yield from (
                str(one["msg"]).removeprefix("Value error, ")
                for one in error.errors()
                if one["loc"][:1] == (name,) and one["type"] != "string_pattern_mismatch"  # never told
            )


def test_whatever_is_wrong_with_a_setting_is_told_in_portuguese(portuguese: None) -> None:
    tables = [
        StoreSettings,
        RefereeSettings,
        BackupSettings,
        BotsSettings,
        WebSettings,
        *(module.Settings for module in (mail, matrix, telegram, terminal)),
    ]
    said = {
        message
        for table in tables
        for wrong in ("", "x" * 5000, -1, 10**12, 0.5, True, [], {}, None, ["x"], {"x": 1})
        for message in messages(table, wrong)
    }
    assert len(said) > 10
    assert [message for message in said if translated(message) == message] == []


def test_the_english_sentences_are_what_the_libraries_say() -> None:
    """Ours are looked for where they are raised; the others above."""
    root = Path(__file__).parents[2]
    # as strings, which may be written in several pieces
    source = "\n".join(
        one.value
        for folder in ("referee/store", "referee/config", "adapters")
        for path in (root / folder).rglob("*.py")
        for one in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )
    ours = tomllib.loads((root / "templates/en/admin.toml").read_text(encoding="utf-8"))["foreign"]
    for code in (
        "no-database",
        "newer-database",
        "older-database",
        "another-backup",
        "another-referee",
        "another-writes",
        "upgrading",
        "older-at-work",
        "open-connections",
        "open-somewhere",
        "not-installed",
        "any-address",
        "postgres-address",
        "no-address",
        "postgres-word",
        "psycopg",
        "mail-plain",
        "pack-days",
        "full",
        "read-only",
        "broken",
        "broken-or-none",
        "server-full",
        "server-door",
        "no-server",
        "index-broken",
        "not-ours",
        "reading-only",
        "io",
        "mail-imap",
        "mail-lmtp",
        "matrix-key",
        "matrix-store",
        "telegram-token",
        "telegram-address",
        "telegram-command",
        "telegram-language",
        "telegram-webhook",
        "telegram-secret",
        "network",
        "host-port",
        "push-key",
        "token-short",
        "address-of-a-person",
    ):
        longest = max(re.split(r"\{\w+\}", ours[code]), key=len)
        assert longest in source, code
    assert sentences("en")["foreign.command"] == ours["command"]


@pytest.mark.parametrize(
    "command",
    [
        "inbox show",
        "inbox retry",
        "inbox drop",
        "outbox show",
        "outbox retry",
        "outbox drop",
        "record write",
        "record write 1 --deal",
        "games --page",
        "games --thaw",
        "games --pause",
        "games --resume",
        "web Ana --table",
    ],
)
def test_a_number_that_no_row_can_have_is_refused(run: Run, command: str) -> None:
    """SQLite keeps none beyond 2^63: it would end with a traceback."""
    told = run(*command.split(), "99999999999999999999")
    assert told.exit_code == 2
    assert "Input should be less than or equal to" in told.stderr
