"""The commands an admin types, each as typed."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from referee.config import load
from referee.rules import EDITIONS
from referee.store import Inbox, Outbox, Person, Store
from tests.cli.conftest import Run

SCENARIO = """
- name: the bank pays
  edition: classic
  players: [Ana, Bea, Cy, Dan]
  given:
    at: call 8
    crown: Ana
    seats:
      Ana: {gold: 2, character: Warlord}
      Bea: {character: King}
      Cy: {character: Thief}
      Dan: {character: Merchant}
  play: [{Ana: gold}]
  expect: {Ana: {gold: %s}}
"""


@pytest.mark.parametrize("group", ["rules", "record", "inbox", "outbox", "simulate", ""])
def test_every_command_has_help_in_words(run: Run, group: str) -> None:
    told = run(*group.split(), "--help")
    assert told.exit_code == 0
    assert "help." not in told.output


@pytest.mark.parametrize("said", ["version", "--version"])
def test_version(run: Run, said: str) -> None:
    told = run(said)
    assert told.exit_code == 0
    assert "citadels-referee 0." in told.output
    assert ", rules in plain Python (" in told.output


def test_init_writes_once_and_for_nobody_elses_eyes(run: Run, home: Path) -> None:
    first = run("init")
    path = home / "config" / "citadels-referee" / "referee.toml"
    assert first.exit_code == 0
    assert str(path) in first.output
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((path.parent / "secrets").stat().st_mode) == 0o700
    path.write_text("[terminal]\n")
    second = run("init")
    assert second.exit_code == 1
    assert path.read_text() == "[terminal]\n"
    assert "[telegram]" in run("init", "--print").output


def test_init_makes_the_key_of_notices_also_for_a_house_that_was_there_before(run: Run, home: Path) -> None:
    folder = home / "config" / "citadels-referee"
    assert run("init").exit_code == 0
    file = folder / "secrets" / "web__push_key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first = load(None, {}).web.push_key.get_secret_value()
    assert first in load(None, {}).secrets()  # the log leaves it out
    assert first not in (folder / "referee.toml").read_text()
    assert run("init").exit_code == 1  # nothing is lacking, and nothing is written
    assert load(None, {}).web.push_key.get_secret_value() == first

    file.unlink()
    (folder / "referee.toml").write_text("[web]\nlisten = '127.0.0.1:8080'\n")
    assert run("init", "--web", "https://play.test").exit_code == 1  # it would have to change the file
    assert not file.exists()
    told = run("init")
    assert told.exit_code == 0
    assert str(file) in told.output
    assert load(None, {}).web.push_key.get_secret_value() not in ("", first)
    assert (folder / "referee.toml").read_text() == "[web]\nlisten = '127.0.0.1:8080'\n"


@pytest.mark.parametrize("wrong", ["x", "A" * 43, "_" * 43, "A" * 44, "é" * 43])
def test_what_is_no_key_of_notices_is_refused(run: Run, home: Path, wrong: str) -> None:
    folder = home / "config" / "citadels-referee"
    folder.mkdir(parents=True)
    (folder / "referee.toml").write_text(f'[web]\npush_key = "{wrong}"\n')
    told = run("doctor")
    assert told.exit_code == 2
    assert "web.push_key" in told.stderr
    assert "a key as referee init makes it" in told.stderr


TOKEN = "123456789:AAabcdefghijklmnopqrstuvwxyz012345"


def test_init_turns_channels_on_by_options(run: Run, home: Path) -> None:
    path = home / "config" / "citadels-referee" / "referee.toml"
    for wrong, why in (
        (("--channel", "telegram"), "telegram.token is needed"),
        (("--channel", "telgram"), "There is no channel telgram. Known: mail, matrix, telegram, terminal."),
        (("--set", "telegram.token"), "a setting is given as section.key=value"),
        (("--set", "web.lsten=a"), "there is no setting web.lsten"),
        (("--web", "citadels"), "web.base_url"),
    ):
        told = run("init", *wrong)
        assert told.exit_code == 2
        assert why in told.stderr
        assert TOKEN not in told.output
        assert not path.exists()
    settings = (f"telegram.token={TOKEN}", "telegram.poll_s=20", "referee.language=pt-br")
    options = [word for setting in settings for word in ("--set", setting)]
    told = run("init", "--channel", "telegram", *options, "--web", "https://citadels.example.org")
    assert told.exit_code == 0, told.output
    config = load(None, {})
    assert set(config.channels) == {"telegram"}
    assert config.channels["telegram"].token.get_secret_value() == TOKEN
    assert config.channels["telegram"].poll_s == 20
    assert config.web.base_url == "https://citadels.example.org"
    assert config.web.listen.startswith("127.0.0.1:80")
    assert config.web.listen in told.output
    assert TOKEN not in path.read_text()
    assert stat.S_IMODE((path.parent / "secrets" / "telegram__token").stat().st_mode) == 0o600


def test_init_asks_until_the_answers_can_be_used(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.cli.setup.at_a_terminal", lambda: True)
    told = run("init", input="\n".join(("telgram", "telegram, terminal", "wrong", "", TOKEN, "", "")))
    assert told.exit_code == 0, told.output
    assert "There is no channel telgram." in told.output
    assert "Your answer: telegram.token is wrong" in told.output
    config = load(None, {})
    assert set(config.channels) == {"telegram", "terminal"}
    assert config.channels["telegram"].token.get_secret_value() == TOKEN
    assert config.web.base_url == ""


def test_tables_of_a_status_that_there_is_not(run: Run) -> None:
    told = run("games", "--status", "foo")
    assert told.exit_code == 2
    assert told.stderr.startswith("No table has the status “foo”. Known: lobby, ")


def test_a_typo_is_met_by_a_clear_answer(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[referee]\nmove_hour = 3\n")
    for command in ("serve", "doctor", "games", "seat"):
        told = run(command, "--config", path)
        assert told.exit_code == 2
        assert told.stderr.startswith(f"{path}:2: there is no setting referee.move_hour.")
        assert told.stderr.rstrip().endswith(". Did you mean move_hours?")


def test_serve_without_a_channel_says_what_to_do(run: Run) -> None:
    told = run("serve")
    assert told.exit_code == 2
    assert "referee init" in told.stderr


def test_serve_does_not_begin_with_templates_that_cannot_be_used(run: Run, home: Path) -> None:
    own = home / "mine" / "en"
    own.mkdir(parents=True)
    (own / "phrases.toml").write_text("[refusals")
    (home / "referee.toml").write_text(f"[referee]\ntemplates = '{own.parent}'\n[terminal]\n")
    told = run("serve", "-c", home / "referee.toml")
    assert told.exit_code == 2
    assert str(own / "phrases.toml") in told.output


def test_serve_says_which_channel_cannot_be_opened(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    monkeypatch.setattr("referee.main.settled_in", lambda: None)  # it is for a process of its own
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        (home / "referee.toml").write_text(
            f"[store]\nurl = 'sqlite:///{home}/referee.db'\n"
            "[telegram]\ntoken = '123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'\nmode = 'webhook'\n"
            "webhook_url = 'https://referee.test/telegram'\nwebhook_secret = 'abcdefghijklmnop'\n"
            f"port = {taken.getsockname()[1]}\n"
        )
        told = run("serve", "-c", home / "referee.toml")
    assert told.exit_code == 1
    assert "telegram: " in told.stderr
    assert "in use" in told.stderr
    assert "referee.db" not in told.stderr.splitlines()[-1]  # nothing is wrong with the database


def test_a_database_from_a_newer_version_is_refused(run: Run, tmp_path: Path) -> None:
    import sqlite3

    Store.open(f"sqlite:///{tmp_path}/referee.db").close_now()
    with sqlite3.connect(tmp_path / "referee.db") as raw:
        raw.execute("update alembic_version set version_num = '9999_from_the_future'")
    raw.close()
    (tmp_path / "r.toml").write_text(f"[store]\nurl = 'sqlite:///{tmp_path}/referee.db'\n[terminal]\n")
    for command in ("serve", "games"):
        told = run(command, "-c", tmp_path / "r.toml")
        assert told.exit_code == 1
        assert "newer referee" in told.stderr
    told = run("doctor", "-c", tmp_path / "r.toml")
    assert told.exit_code == 1
    assert "BAD  the database" in told.output


def test_rules_check(run: Run, tmp_path: Path) -> None:
    good, bad, odd, not_yaml = (tmp_path / name for name in ("good.yaml", "bad.yaml", "odd.yaml", "not.yaml"))
    good.write_text(SCENARIO % 4)
    bad.write_text(SCENARIO % 5)
    odd.write_text("- name: x\n  colour: red\n")
    not_yaml.write_text("- [\n")
    told = run("rules", "check", good)
    assert (told.exit_code, told.output) == (0, "ok the bank pays\n1 passed, 0 failed\n")
    told = run("rules", "check", good, bad)
    lines = told.output.splitlines()
    assert (told.exit_code, lines[0], lines[-1]) == (1, "ok the bank pays", "1 passed, 1 failed")
    assert lines[1].startswith("FAIL the bank pays: ")
    for wrong in (odd, not_yaml, tmp_path / "none.yaml"):
        told = run("rules", "check", wrong)
        assert told.exit_code == 2
        assert wrong.name in told.stderr


def test_yaml_can_only_hold_data(run: Run, tmp_path: Path) -> None:
    (tmp_path / "evil.yaml").write_text(
        "- !!python/object/apply:os.mkdir ['" + str(tmp_path / "made") + "']\n"
    )
    assert run("rules", "check", tmp_path / "evil.yaml").exit_code == 2
    assert not (tmp_path / "made").exists()


def test_editions_that_are_not_built_are_told_apart(run: Run, tmp_path: Path) -> None:
    (tmp_path / "both.yaml").write_text(
        SCENARIO % 4 + (SCENARIO % 4).replace("the bank pays", "another").replace("classic", "atlantis")
    )
    told = run("rules", "check", tmp_path / "both.yaml")
    assert told.exit_code == 2
    assert "ok the bank pays\n1 passed, 0 failed" in told.stdout
    assert "another" in told.stderr


def test_rules_list(run: Run) -> None:
    told = run("rules", "list")
    assert told.exit_code == 0
    lines = told.output.splitlines()
    assert lines[0] == " 1  Assassin           names a character, who loses this round's turn"
    assert "2 x  Keep               unique      3  the Warlord cannot destroy it" in lines
    assert "5 x  Manor              noble       3" in lines
    assert len(lines) == 8 + 1 + 17 + 13 + 1 + 6
    assert lines[-6] == "A round in five lines"
    assert run("rules", "list", "--edition", "classic", "--lang", "en").output == told.output
    for option, wrong, right in (("--edition", "atlantis", "classic"), ("--lang", "xx", "en")):
        refused = run("rules", "list", option, wrong)
        assert refused.exit_code == 2
        assert f"called {wrong}. Known: " in refused.stderr
        assert right in refused.stderr.rpartition("Known: ")[2]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_card_of_an_edition_is_listed(run: Run, edition: str) -> None:
    told = run("rules", "list", "--edition", edition)
    assert told.exit_code == 0
    names = [card.name for card in EDITIONS[edition].characters] + [
        card.name for card, _ in EDITIONS[edition].districts
    ]
    assert len(names) >= 38
    listed = [line for line in told.output.splitlines() if line][
        :-6
    ]  # a round in five lines, under its heading
    assert len(listed) == len(names)
    assert all(any(f" {name} " in f"{line} " for line in listed) for name in names)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A store with one shunted message and one failed letter, and its configuration."""
    store = Store.open(f"sqlite:///{tmp_path}/referee.db")
    body = b'{"channel":"mail","key":"k1","address":"ana@example.org","text":"gold"}'
    store.write_now(
        lambda tx: [
            tx.add(Person, name="Ana"),
            tx.add(
                Inbox,
                channel="mail",
                key="k1",
                body=body,
                at_ms=1_700_000_000_000,
                state="shunted",
                tries=3,
                error="ValueError: x",
            ),
            tx.add(
                Outbox,
                channel="mail",
                address="ana@example.org",
                kind="prompt",
                state="failed",
                error="rejected",
                created_ms=1_700_000_000_000,
            ),
            tx.add(
                Outbox,
                channel="mail",
                address="ana@example.org",
                kind="help",
                state="queued",
                created_ms=1_700_000_000_000,
            ),
        ]
    )
    store.close_now()
    path = tmp_path / "r.toml"
    path.write_text(f"[store]\nurl = 'sqlite:///{tmp_path}/referee.db'\n")
    return path


def test_inbox(run: Run, shop: Path) -> None:
    told = run("inbox", "shunted", "-c", shop).output
    assert "2023-11-14 22:13:20Z" in told
    assert "ValueError: x" in told
    assert told.endswith("1 messages set aside\n")
    assert "message: gold" in run("inbox", "show", 1, "-c", shop).output
    assert run("inbox", "show", 9, "-c", shop).exit_code == 1
    assert run("inbox", "retry", 9, "-c", shop).exit_code == 1
    assert run("inbox", "retry", 1, "-c", shop).exit_code == 0
    assert run("inbox", "shunted", "-c", shop).output == "0 messages set aside\n"


def test_outbox(run: Run, shop: Path) -> None:
    assert run("outbox", "list", "-c", shop).output.endswith("letters: 2\n")
    assert "rejected" in run("outbox", "list", "--state", "failed", "-c", shop).output
    assert run("outbox", "list", "--state", "lost", "-c", shop).exit_code == 2
    assert "letter 1: prompt, failed" in run("outbox", "show", 1, "-c", shop).output
    assert run("outbox", "show", 9, "-c", shop).exit_code == 1
    assert run("outbox", "retry", 1, "-c", shop).exit_code == 0
    assert run("outbox", "retry", 1, "-c", shop).exit_code == 1
    assert run("outbox", "drop", 2, "-c", shop).exit_code == 0
    assert run("outbox", "drop", 2, "-c", shop).exit_code == 1
    assert run("outbox", "list", "--state", "queued", "-c", shop).output.endswith("letters: 1\n")


def test_looking_does_not_make_a_database(run: Run, home: Path) -> None:
    assert run("games").exit_code == 1
    assert not (home / "data").exists()


def test_record_files_that_are_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("Dear Ana,\n")
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe")
    for command in ("verify", "show"):
        told = run("record", command, tmp_path / "r.txt")
        assert told.exit_code == 1
        assert "line 1" in told.stderr
        assert run("record", command, tmp_path / "none.txt").exit_code == 2
        assert run("record", command, tmp_path / "b.txt").exit_code == 2


def test_record_of_a_whole_game(run: Run, tmp_path: Path) -> None:
    from referee.rules import asks, dull, new_game, play
    from referee.rules.chance import mix
    from referee.rules.record import of_game, write
    from referee.rules.setup import Setup

    setup, seed = Setup("classic", ("Ana", "Bea")), bytes(32)
    state, orders = new_game(setup, mix(seed, ("", ""))).state, []
    while asked := asks(state):
        move = dull(state, asked[0].seat)
        orders.append((asked[0].seat, move))
        state = play(state, asked[0].seat, move).state
    path = tmp_path / "record.txt"
    path.write_text(write(of_game(setup, seed, ("", ""), orders)), encoding="utf-8")
    told = run("record", "verify", path)
    assert told.exit_code == 0, told.output
    assert "holds" in told.output
    assert "Won by" in run("record", "show", path).output
    path.write_text(path.read_text(encoding="utf-8").replace("seed hash: ", "seed hash: 0"), encoding="utf-8")
    assert run("record", "verify", path).exit_code == 1
