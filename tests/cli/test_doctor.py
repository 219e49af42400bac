"""The doctor: what it finds, and that it says what to do."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import adapters
from referee import png
from referee.config import load
from referee.doctor import database, drawing, examine, machine, wires, words
from referee.ports import Finding
from referee.store import Game, Inbox, Meta, Outbox, Person, Store
from tests.cli.conftest import Run


def by_code(findings: object) -> dict[str, Finding]:
    return {finding.code: finding for finding in findings}


@pytest.fixture
def socket() -> Iterator[str]:
    """A place for a socket: its path may have 107 bytes, and pytest's own folders are longer."""
    with tempfile.TemporaryDirectory(prefix="ref-") as short:
        yield f"{short}/t.sock"


@pytest.fixture
def own_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped files are not read once more; `test_templates_of_ones_own` reads them, too."""
    folders = words.all_folders
    monkeypatch.setattr(words, "all_folders", lambda own=None: folders() if own is None else own)


def config(folder: Path, text: str = "[terminal]\n") -> object:
    path = folder / "r.toml"
    path.write_text(text)
    return load(path, {})


async def test_a_good_installation(tmp_path: Path, socket: str) -> None:
    found = by_code(
        await examine(
            config(
                tmp_path,
                (
                    f"[store]\nurl = 'sqlite:///{tmp_path}/r.db'\n[referee]\nadmins = "
                    f"['terminal:Ana']\n[terminal]\nsocket = '{socket}'\n"
                ),
            )
        )
    )
    assert {"config-read", "adapters-ours", "clock", "database-new", "templates", "terminal-free"} <= set(
        found
    )
    assert not [one for one in found.values() if one.level == "bad"]
    assert not (tmp_path / "r.db").exists(), "looking makes no database"


MAILED = "[terminal]\n[mail]\naddress = 'r@x.test'\nsmtp_host = 'x.test'\nimap_host = 'x.test'\n"


def test_pictures_that_are_wished_and_can_t_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(drawing.pictures(config(tmp_path))) == [], "a terminal shows none"
    assert list(drawing.pictures(config(tmp_path, f"[referee]\npictures = false\n{MAILED}"))) == []
    wished = config(tmp_path, MAILED)
    assert list(by_code(drawing.pictures(wished))) == ["pictures"]
    fonts = png.FONTS
    monkeypatch.setattr(png, "FONTS", (fonts[0], tmp_path / "gone.ttf"))
    found = by_code(drawing.pictures(wished))
    assert (found["picture-font"].level, found["picture-font"].facts) == (
        "warn",
        {"path": str(tmp_path / "gone.ttf")},
    )
    monkeypatch.setattr(png, "FONTS", fonts)
    monkeypatch.setattr(png, "there", lambda: False)
    assert {code: one.level for code, one in by_code(drawing.pictures(wished)).items()} == {
        "picture-extra": "warn"
    }
    monkeypatch.setattr(png, "there", lambda: True)

    def broken(_: str) -> bytes:
        raise ImportError("another machine's")

    monkeypatch.setattr(png, "png", broken)
    assert by_code(drawing.pictures(wished))["picture-broken"].facts == {
        "why": "ImportError: another machine's"
    }


@pytest.mark.usefixtures("own_alone")
def test_an_admin_s_own_pictures_are_looked_at_like_letters(tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "pictures").mkdir(parents=True)
    text = f"[referee]\ntemplates = '{own}'\n[terminal]\n"
    (own / "pictures" / "table.svg.j2").write_text(
        '{% import "parts.svg.j2" as p %}{% call p.sheet(width, height, c) %}{% endcall %}'
    )
    assert list(by_code(words.templates(config(tmp_path, text)))) == ["templates"]
    (own / "pictures" / "table.svg.j2").write_text("{% if %}")
    assert (
        by_code(words.templates(config(tmp_path, text)))["template-wrong"]
        .facts["path"]
        .endswith("table.svg.j2:1")
    )
    (own / "pictures" / "table.svg.j2").write_text("{{ 'King'|card }}")
    assert "card" in str(by_code(words.templates(config(tmp_path, text)))["template-wrong"].facts["why"]), (
        "letters have that filter, pictures don't"
    )
    (own / "pictures" / "tabel.svg.j2").write_text("")
    assert (
        by_code(words.templates(config(tmp_path, text)))["template-unused"]
        .facts["path"]
        .endswith("tabel.svg.j2")
    )


def test_the_command_says_it_and_ends_well(run: Run, tmp_path: Path, socket: str) -> None:
    (tmp_path / "r.toml").write_text(
        f"[store]\nurl = 'sqlite:///{tmp_path}/r.db'\n[terminal]\nsocket = '{socket}'\n"
    )
    told = run("doctor", "-c", tmp_path / "r.toml")
    assert told.exit_code == 0, told.output
    assert told.output.splitlines()[-1].endswith("0 bad")
    assert "warn nobody is told of trouble" in told.output


def test_a_database_in_use_with_things_left_to_do(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/r.db"
    store = Store.open(url)
    store.write_now(
        lambda tx: [
            tx.add(Inbox, channel="mail", key="k", body=b"{}", at_ms=1, state="shunted"),
            tx.add(Outbox, channel="mail", kind="prompt", state="failed"),
            tx.add(Outbox, channel="mail", kind="prompt", state="unknown"),
            tx.add(Game, creator_id=tx.add(Person, name="Ana"), status="frozen", settings="{}"),
            tx.put(Meta, name="clocks-held", value="1789000000000"),
        ]
    )
    found = by_code(database.database(url))
    store.close_now()
    assert found["database"].level == "ok"
    # it said "0 bad" while no deadline was acted upon
    assert (found["clocks-held"].level, found["clocks-held"].facts) == ("bad", {"at": "2026-09-10 00:26:40Z"})
    assert found["games-frozen"].facts == {"count": 1}
    assert [found[code].facts["count"] for code in ("inbox-shunted", "outbox-failed", "outbox-unknown")] == [
        1,
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("vacuum", "small", "told"), [("NONE", 1, True), ("NONE", 1 << 30, False), ("INCREMENTAL", 1, False)]
)
def test_a_large_file_that_never_shrinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, vacuum: str, small: int, told: bool
) -> None:
    url = f"sqlite:///{tmp_path}/r.db"
    Store.open(url).close_now()
    with closing(sqlite3.connect(tmp_path / "r.db")) as conn:
        conn.execute(f"PRAGMA auto_vacuum = {vacuum}")
        conn.execute("VACUUM")
    monkeypatch.setattr(database, "SMALL", small)
    assert ("database-keeps-room" in by_code(database.database(url))) is told


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00 and then nothing", b"Dear Ana"])
def test_files_that_are_no_database(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r.db").write_bytes(content)
    assert "bad" in {one.level for one in database.database(f"sqlite:///{tmp_path}/r.db")} or not content


@pytest.mark.parametrize("url", ["postgres://x", "sqlite://"])
def test_addresses_that_are_none(url: str) -> None:
    assert any(one.level == "bad" for one in database.database(url))


@pytest.mark.parametrize(
    ("free", "code"), [(1 << 40, "disk"), (100 << 20, "disk-nearly-full"), (1 << 20, "disk-full")]
)
def test_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, code: str) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1 << 41, 0, free))
    assert code in by_code(database.database(f"sqlite:///{tmp_path}/deep/in/r.db"))


def test_an_old_sqlite_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version, warned in (((3, 51, 2), True), ((3, 51, 3), False)):
        monkeypatch.setattr("sqlite3.sqlite_version_info", version)
        assert ("sqlite-old" in by_code(database.database(f"sqlite:///{tmp_path}/r.db"))) is warned


def test_a_clock_that_was_never_set() -> None:
    assert [one.level for one in machine.clock(0)] == ["bad"]
    assert [one.level for one in machine.clock()] == ["ok"]


def test_a_folder_where_the_database_should_be_is_no_new_one(tmp_path: Path) -> None:
    assert by_code(database.database(f"sqlite:///{tmp_path}"))["database-broken"].level == "bad"
    assert "database-new" in by_code(database.database(f"sqlite:///{tmp_path}/r.db"))


def test_somebody_elses_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.code for one in machine.installation()] == ["adapters-ours"]
    monkeypatch.setattr(adapters, "__file__", "/usr/lib/python3/dist-packages/adapters/__init__.py")
    assert [one.code for one in machine.installation()] == ["adapters-strange"]


def test_a_secret_that_everybody_can_read(tmp_path: Path) -> None:
    token = "123456789:AAabcdefghijklmnopqrstuvwxyz012345"
    path = tmp_path / "r.toml"
    found = config(tmp_path, f"[telegram]\ntoken = '{token}'\n")
    path.chmod(0o644)
    assert "config-open" in by_code(machine.configuration(found))
    path.chmod(0o600)
    assert "config-open" not in by_code(machine.configuration(found))


def test_a_configuration_whose_secrets_lie_elsewhere_may_be_read(tmp_path: Path) -> None:
    """As deploy.md installs it: to close it, as was advised, would close it to the referee's own user."""
    path = tmp_path / "r.toml"
    token = tmp_path / "secrets" / "telegram__token"
    token.parent.mkdir()
    token.write_text("123456789:AAabcdefghijklmnopqrstuvwxyz012345")
    token.chmod(0o600)
    found = config(tmp_path, "[telegram]\n")
    for mode, warned in ((0o644, False), (0o646, True), (0o600, False)):
        path.chmod(mode)
        told = [one.facts["path"] for one in machine.configuration(found) if one.code == "config-open"]
        assert (str(path) in told) == warned, oct(mode)


def test_the_password_of_the_database_is_a_secret_too(tmp_path: Path) -> None:
    found = config(tmp_path, "[store]\nurl = 'postgresql+psycopg://referee:hunter2@127.0.0.1/referee'\n")
    found.path.chmod(0o644)
    assert "config-open" in by_code(machine.configuration(found))


def test_admins_on_a_channel_that_is_off(tmp_path: Path) -> None:
    found = by_code(machine.configuration(config(tmp_path, "[referee]\nadmins = ['mail:ana@example.org']\n")))
    assert found["admin-channel"].facts == {"channel": "mail"}
    assert found["no-channel"].level == "bad"


def test_templates_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "mine"
    text = f"[referee]\ntemplates = '{own}'\n[terminal]\n"
    assert list(by_code(words.templates(config(tmp_path, text)))) == ["templates-no-folder"]
    (own / "en" / "letters").mkdir(parents=True)
    assert list(by_code(words.templates(config(tmp_path, text)))) == ["templates"]
    (own / "en" / "letters" / "prompt.j2").write_text("{% if %}")
    (own / "en" / "letters" / "promt.j2").write_text("Hello")
    found = by_code(words.templates(config(tmp_path, text)))
    assert found["template-wrong"].facts["path"].endswith("prompt.j2:1")
    assert found["template-unused"].facts["path"].endswith("promt.j2")


@pytest.mark.usefixtures("own_alone")
def test_the_language_of_the_house(tmp_path: Path) -> None:
    for language in ("en", "pt_BR", "pt-br", "PT-BR"):
        assert list(
            by_code(words.templates(config(tmp_path, f"[referee]\nlanguage = '{language}'\n[terminal]\n")))
        ) == ["templates"]
    found = by_code(words.templates(config(tmp_path, "[referee]\nlanguage = 'tlh'\n[terminal]\n")))
    assert found["language-missing"].facts == {"language": "tlh", "languages": ["en", "pt_BR"]}


async def test_channels_are_really_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = "123456789:AAabcdefghijklmnopqrstuvwxyz012345"
    nobody = config(
        tmp_path, f"[telegram]\ntoken = '{token}'\nbase_url = 'http://127.0.0.1:9'\ntimeout_s = 2.0\n"
    )
    assert [(one.level, one.code) for one in await wires.channels(nobody)] == [("bad", "telegram-away")]
    monkeypatch.setattr("adapters.telegram.build", lambda *_: 1 / 0)
    assert [(one.level, one.code) for one in await wires.channels(nobody)] == [("bad", "channel-broken")]


@pytest.mark.usefixtures("own_alone")
def test_sentences_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "mine"
    (own / "en").mkdir(parents=True)
    phrases, text = own / "en" / "phrases.toml", f"[referee]\ntemplates = '{own}'\n[terminal]\n"
    phrases.write_text('[refusals]\ntoo-poor = "You are {{ price - gold }} short."\n')
    assert list(by_code(words.templates(config(tmp_path, text)))) == ["templates"]
    phrases.write_text('[refusals]\ntoo-poor = "You are {{ prize - gold }} short."\n')
    found = by_code(words.templates(config(tmp_path, text)))
    assert found["template-facts"].facts["facts"] == ["prize"]
    for broken in (
        '[refusals]\ntoo-poor = "You are {{ price } short."\n',
        "[refusals\n",
        '[refusals]\ntoo-poor = "{{ price|nonsense }}"\n',
    ):
        phrases.write_text(broken)
        found = by_code(words.templates(config(tmp_path, text)))
        assert str(phrases) in found["template-wrong"].facts["path"]
