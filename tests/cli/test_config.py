"""The configuration: three places, one result, and every fault told with its place and without a secret."""

from __future__ import annotations

import errno
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.config import ConfigError, Fault, load, sample
from referee.config.channels import installed, module, section
from referee.config.model import BackupSettings, BotsSettings, RefereeSettings, StoreSettings, WebSettings
from referee.config.sample import literal

TOKEN = "123456789:AAabcdefghijklmnopqrstuvwxyz012345"


def written(folder: Path, text: str, **secrets: str) -> Path:
    path = folder / "referee.toml"
    path.write_text(text, encoding="utf-8")
    (folder / "secrets").mkdir(exist_ok=True)
    for name, value in secrets.items():
        (folder / "secrets" / name).write_text(value + "\n", encoding="utf-8")
    return path


def faults(path: Path, environ: dict[str, str] | None = None) -> list[Fault]:
    with pytest.raises(ConfigError) as caught:
        load(path, environ or {})
    return list(caught.value.faults)


def test_nothing_at_all_is_a_configuration(home: Path) -> None:
    config = load(None, {})
    assert config.store.url == f"sqlite:///{home}/data/citadels-referee/referee.db"
    assert config.referee == RefereeSettings()
    assert dict(config.channels) == {}


def test_a_later_place_wins(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        f'[telegram]\ntoken = "{TOKEN}"\npoll_s = 5\ntimeout_s = 6.0\n[referee]\nmove_hours = 12\n',
        telegram__token="2" + TOKEN,
    )
    config = load(
        path, {"REFEREE_TELEGRAM__POLL_S": "7", "REFEREE_REFEREE__ADMINS": '["mail:ana@example.org"]'}
    )
    telegram = config.channels["telegram"]
    assert telegram.token.get_secret_value() == "2" + TOKEN
    assert telegram.poll_s == 7
    assert telegram.timeout_s == 6.0
    assert config.referee.move_hours == 12
    assert config.referee.admin_addresses() == (("mail", "ana@example.org"),)
    assert config.secrets() == {"2" + TOKEN}


def test_variables_alone_turn_a_channel_on() -> None:
    assert set(load(None, {"REFEREE_TELEGRAM__TOKEN": TOKEN}).channels) == {"telegram"}


def test_a_channel_is_turned_off_without_losing_its_section(tmp_path: Path) -> None:
    path = written(tmp_path, f'[telegram]\nenabled = false\ntoken = "{TOKEN}"\n[terminal]\n')
    assert set(load(path, {}).channels) == {"terminal"}
    assert set(load(path, {"REFEREE_TELEGRAM__ENABLED": "true"}).channels) == {"telegram", "terminal"}


def test_the_token_of_the_figures_is_a_secret(tmp_path: Path) -> None:
    config = load(
        written(
            tmp_path,
            "[web]\nlisten = '127.0.0.1:0'\nmetrics_from = ['10.0.0.0/8', '::1']\n",
            web__metrics_token="of-twenty-signs-or-so",
        ),
        {},
    )
    assert config.secrets() == {"of-twenty-signs-or-so"}
    assert config.web.metrics_token.get_secret_value() == "of-twenty-signs-or-so"
    assert "of-twenty" not in repr(config)


@pytest.mark.parametrize(
    ("written_as", "said_as"),
    [
        ("https://Citadels.Example.org", "https://citadels.example.org"),
        ("https://citadels.example.org:443/", "https://citadels.example.org"),
        ("http://citadels.example.org:80/Games/", "http://citadels.example.org/Games"),
        ("http://[FD00::1]:8080", "http://[fd00::1]:8080"),
        (
            "https://spiele.Müller.example/straße/a%20b",
            "https://spiele.xn--mller-kva.example/stra%C3%9Fe/a%20b",
        ),
        ("https://straße.example", "https://xn--strae-oqa.example"),
    ],
)
def test_the_address_of_the_pages_is_as_browsers_say_it(
    tmp_path: Path, written_as: str, said_as: str
) -> None:
    """A form says as its origin what the browser made of the address: nobody could sign in with another."""
    path = written(tmp_path, f'[web]\nlisten = "127.0.0.1:8080"\nbase_url = "{written_as}"\n')
    assert load(path, {}).web.links == said_as


def test_the_address_of_the_pages_has_a_port_that_there_is(tmp_path: Path) -> None:
    for host in ("citadels.example.org:99999", "citadels.example.org:https", "[::1"):
        (fault,) = faults(written(tmp_path, f'[web]\nbase_url = "https://{host}"\n'))
        assert (fault.key, fault.facts["why"]) == ("web.base_url", "host:port, with a port up to 65535")


def test_systemd_credentials_are_secrets(tmp_path: Path) -> None:
    (tmp_path / "telegram__token").write_text(TOKEN)
    assert load(None, {"CREDENTIALS_DIRECTORY": str(tmp_path)}).secrets() == {TOKEN}


@pytest.mark.parametrize(
    ("text", "line", "code", "key", "nearest"),
    [
        ("[referee]\nmove_hour = 3", 2, "unknown-key", "referee.move_hour", "move_hours"),
        ("[stor]\nurl = 'x'", 1, "unknown-key", "stor", "store"),
        ("[telegrm]\ntoken = 'x'", 1, "unknown-key", "telegrm", "telegram"),
        ("\n\n[terminal]\nsokcet = 'x'", 4, "unknown-key", "terminal.sokcet", "socket"),
        ("[referee]\n\nmove_hours = 'soon'", 3, "wrong-value", "referee.move_hours", ""),
        ("[referee]\nmove_hours = 0", 2, "wrong-value", "referee.move_hours", ""),
        ("[referee]\nadmins = ['ana']", 2, "wrong", "referee.admins", ""),
        ("[store]\nurl = 'referee.db'", 2, "wrong", "store.url", ""),
        ("[referee]\nlog = 'xml'", 2, "wrong-value", "referee.log", ""),
        ("[web]\nlisten = 'nowhere'", 2, "wrong-value", "web.listen", ""),
        ("[web]\nmetrics_from = ['everywhere']", 2, "wrong", "web.metrics_from", ""),
        ("[web]\nmetrics_from = ['10.0.0.1/8']", 2, "wrong", "web.metrics_from", ""),
        ("[web]\nmetrics_token = 'short'", 2, "wrong", "web.metrics_token", ""),
        ("[telegram]\n", 1, "missing", "telegram.token", ""),
        ("[telegram]\ntoken = 'hunter2'", 2, "wrong", "telegram.token", ""),
    ],
)
def test_a_fault_says_where_and_what(
    tmp_path: Path, text: str, line: int, code: str, key: str, nearest: str
) -> None:
    path = written(tmp_path, text)
    (fault,) = faults(path)
    assert (fault.where, fault.code, fault.key) == (f"{path}:{line}", code, key)
    assert fault.facts.get("nearest", "") == nearest


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[web]\nmetrics_from = ['::1', '10.0.0.1/8']", "10.0.0.1/8 is no network, 10.0.0.0/8 is"),
        ("[web]\npush_networks = ['home']", "home is no network, 10.0.0.0/8 is"),
        ("[referee]\nadmins = ['mail:ana@x.test', 'bob']", "channel:address, not “bob”"),
        ("[referee]\nadmins = 'mail:ana@x.test'", 'a list in brackets, as ["a", "b"]'),
        ("[referee]\nparking = 3", "a path in quotes"),
        ("[web]\nmetrics_token = 'o'", "a token of 16 signs at least, not of 1"),
    ],
)
def test_a_fault_in_a_list_names_the_entry(tmp_path: Path, text: str, why: str) -> None:
    """Which of several was meant had to be guessed; and a short value was blotted out of our words."""
    (fault,) = faults(written(tmp_path, text))
    assert fault.facts["why"] == why


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, "[referee]\nmove_hour = 3\nlog = 'xml'\n[stor]\n")
    assert [fault.key for fault in faults(path)] == ["referee.log", "referee.move_hour", "stor"]


def test_a_fault_in_a_variable_or_a_secret_names_it(tmp_path: Path) -> None:
    path = written(tmp_path, "[referee]\n", telegram__tokn="hunter2")
    found = {fault.key: fault.where for fault in faults(path, {"REFEREE_REFEREE__MOVE_HOURS": "soon"})}
    assert found["referee.move_hours"] == "REFEREE_REFEREE__MOVE_HOURS"
    assert found["telegram.tokn"] == str(tmp_path / "secrets" / "telegram__tokn")


@pytest.mark.parametrize(
    "text",
    [
        "[telegram]\ntoken = 'hunter2'",
        "[telegram]\ntoken = ['hunter2']",
        "[telegram]\ntoken = {a = 'hunter2'}",
        "[telegram]\ntokn = 'hunter2'",
        (
            "[telegram]\nwebhook_secret = 'hunter2'\nmode = 'webhook'\nwebhook_url = "
            "'https://x.example'\ntoken = '123456789:AAabcdefghijklmnopqrstuv'"
        ),
    ],
)
def test_no_secret_is_ever_repeated(tmp_path: Path, text: str) -> None:
    for fault in faults(written(tmp_path, text)):
        assert "hunter2" not in str(fault)
    for fault in faults(written(tmp_path, "", telegram__token="hunter2"), {}):
        assert "hunter2" not in str(fault)
    for fault in faults(
        written(tmp_path, ""), {"REFEREE_TELEGRAM__TOKEN": "hunter2", "REFEREE_TELEGRAM__COMMANDS": "hunter2"}
    ):
        assert "hunter2" not in str(fault)


def test_the_password_of_the_database_is_a_secret_wherever_it_is_said(tmp_path: Path) -> None:
    """An address that is none is the likeliest slip, and what is said of it goes to the journal."""
    url = "referee:hunter2@postgres:5432/referee"
    for found in (
        faults(written(tmp_path, f"[store]\nurl = '{url}'")),
        faults(written(tmp_path, ""), {"REFEREE_STORE__URL": url}),
        faults(written(tmp_path, "", store__url=url)),
    ):
        assert len(found) == 1
        assert "hunter2" not in str(found[0])


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"[referee\n", "not-toml"), (b"a = 1\na = 2\n", "not-toml"), (b"\xff\xfe", "not-utf8")],
)
def test_a_file_that_is_no_toml(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "referee.toml"
    path.write_bytes(content)
    assert [fault.code for fault in faults(path)] == [code]


def test_a_secret_that_is_no_text_is_told_by_its_name(tmp_path: Path) -> None:
    path = written(tmp_path, "[terminal]\n", telegram__token=TOKEN)
    wrong = tmp_path / "secrets" / "mail__password"
    wrong.write_bytes(b"hunter\xff2")
    assert faults(path) == [Fault("not-utf8", str(wrong), facts={"at": 6})]


def test_a_secret_of_somebody_else_is_told_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read = written(tmp_path, "[terminal]\n", telegram__token=TOKEN, mail__password="x"), Path.read_text
    wrong = tmp_path / "secrets" / "mail__password"

    def refuse(self: Path, *how: Any, **more: Any) -> str:
        if self.name == wrong.name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))
        return read(self, *how, **more)

    monkeypatch.setattr(Path, "read_text", refuse)
    assert faults(path) == [Fault("unreadable", str(wrong), facts={"why": "Permission denied"})]


@pytest.mark.parametrize("closed", ["iterdir", "exists"])
def test_what_this_user_may_not_read_is_a_fault_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    """As where the secrets are root's alone, and somebody else types a command."""
    path = written(tmp_path, "[terminal]\n", telegram__token=TOKEN)

    def refuse(_: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, closed, refuse)
    assert [(fault.code, fault.facts["why"]) for fault in faults(path)] == [
        ("unreadable", "Permission denied")
    ]


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    assert [fault.code for fault in faults(tmp_path / "none.toml")] == ["no-file"]
    with pytest.raises(ConfigError):
        load(None, {"REFEREE_CONFIG": str(tmp_path / "none.toml")})


def test_what_sets_nothing_is_reported(tmp_path: Path) -> None:
    config = load(
        written(tmp_path, "", token="x"),
        {"REFEREE_MOVE_HOURS": "3", "REFEREE_TELEGRM__TOKEN": "x", "HOME": "y"},
    )
    assert [(odd.code, Path(odd.where).name) for odd in config.warnings] == [
        ("unknown-variable", "REFEREE_MOVE_HOURS"),
        ("unknown-variable", "REFEREE_TELEGRM__TOKEN"),
        ("unknown-secret", "token"),
    ]
    assert config.warnings[1].facts["nearest"] == "telegram"


def test_every_adapter_has_settings_with_descriptions() -> None:
    assert set(installed()) == {"mail", "matrix", "telegram", "terminal"}
    for model in (
        StoreSettings,
        RefereeSettings,
        WebSettings,
        BackupSettings,
        BotsSettings,
        *(section(module(name).Settings) for name in installed()),
    ):
        assert model.model_config["extra"] == "forbid"
        for name, field in model.model_fields.items():
            assert field.description, f"{model.__module__}: {name}"


def a_sample() -> str:
    return sample(head="Head.", channel="Channel {name}.", required="Needed.", secret="{variable} {file}")


def test_the_sample_is_a_configuration_as_it_is(tmp_path: Path) -> None:
    assert dict(load(written(tmp_path, a_sample()), {}).channels) == {}


def test_the_sample_names_every_setting_and_its_defaults_are_right(tmp_path: Path) -> None:
    said = a_sample()
    # take the # away from everything that has a value and is not left for the admin to fill in
    lines = [
        line.removeprefix("# ") if re.match(r'# (\[\w+\]|\w+ = (?!"?"?$).+)$', line) else line
        for line in said.splitlines()
    ]
    tables = tomllib.loads("\n".join(lines))
    for name in ("store", "referee", "web", "backup", "bots", *installed()):
        model = {
            "store": StoreSettings,
            "referee": RefereeSettings,
            "web": WebSettings,
            "backup": BackupSettings,
            "bots": BotsSettings,
        }.get(name) or section(module(name).Settings)
        for key, field in model.model_fields.items():
            assert re.search(rf"^# {key} =", said, re.MULTILINE), f"{name}.{key}"
            default = None if field.is_required() else field.get_default(call_default_factory=True)
            if not (default is None or literal(default) == '""'):
                assert literal(tables[name][key]) == literal(default), f"{name}.{key}"


@pytest.mark.parametrize(
    ("variable", "value"), [("WEB__LISTEN", "a b"), ("MATRIX__USER", "me"), ("REFEREE__LANGUAGE", "e n")]
)
def test_no_fault_shows_a_regular_expression(variable: str, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(None, {f"REFEREE_{variable}": value})
    whys = [str(fault.facts["why"]) for fault in caught.value.faults if "why" in fault.facts]
    assert "not of the form that it must have" in whys
    assert not [why for why in whys if set("^$[\\") & set(why)]
