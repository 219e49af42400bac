"""The sample configurations: every key in them exists, the doctor finds nothing wrong in what it can see from
here.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from adapters import mail as channel
from referee.config import load
from referee.doctor import database, machine, words
from referee.ports import Finding
from tests.deploy.tools import DEPLOY
from tests.servers import mail
from tests.servers.mail_rig import wall_ms

SAMPLES = sorted(
    one.relative_to(DEPLOY / "samples").as_posix() for one in (DEPLOY / "samples").rglob("*.toml")
)
SECRETS = {
    "telegram__token": "123456789:AAabcdefghijklmnopqrstuvwxyz012345",
    "matrix__access_token": "syt_x",
    "mail__password": "pass-word",
}
CHANNELS = {
    "telegram-only.toml": "telegram",
    "matrix.toml": "matrix",
    "mail-provider.toml": "mail",
    "mail/mail.toml": "mail",
}


def with_secrets(folder: Path, sample: str) -> dict[str, str]:
    for name, value in SECRETS.items():
        if name.startswith(CHANNELS[sample]) and sample != "mail/mail.toml":
            (folder / name).write_text(value)
    return {"REFEREE_SECRETS": str(folder)}


def test_all_are_known_here() -> None:
    assert sorted(CHANNELS) == SAMPLES


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_key_exists_and_nothing_is_odd(sample: str, tmp_path: Path) -> None:
    path = DEPLOY / "samples" / sample
    config = load(path, with_secrets(tmp_path, sample))
    assert config.warnings == ()
    assert set(config.channels) == {CHANNELS[sample]}
    assert [name for name, _ in config.referee.admin_addresses()] == [CHANNELS[sample]], (
        "the admin is told in a way that there is"
    )
    assert config.store.url == "sqlite:////var/lib/referee/referee.db"
    text = path.read_text()
    assert not [value for value in SECRETS.values() if value in text]
    assert "token =" not in text.replace("metrics_token", "")
    assert "password =" not in text


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_doctor_finds_nothing_bad_without_calling_anybody(sample: str, tmp_path: Path) -> None:
    environ = {
        **with_secrets(tmp_path, sample),
        "REFEREE_STORE__URL": f"sqlite:///{tmp_path}/r.db",
        "REFEREE_BACKUP__DIRECTORY": str(tmp_path / "backups"),
    }
    config = load(DEPLOY / "samples" / sample, environ)
    found: list[Finding] = [
        *machine.configuration(config),
        *machine.installation(),
        *machine.clock(),
        *database.database(config.store.url),
        *words.templates(config),
    ]
    assert [one for one in found if one.level == "bad"] == []
    assert {"config-read", "database-new", "templates"} <= {one.code for one in found}


async def test_the_provider_is_asked_as_the_sample_says(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """The real Dovecot and Postfix for the provider: both logins pass."""
    server = mail.shared(request.config)
    account = server.referee()
    (tmp_path / "mail__password").write_text(account.password)
    config = load(
        DEPLOY / "samples" / "mail-provider.toml",
        {
            "REFEREE_SECRETS": str(tmp_path),
            "REFEREE_MAIL__ADDRESS": account.address,
            "REFEREE_MAIL__CA_FILE": str(server.certificate),
            "REFEREE_MAIL__SMTP_HOST": "127.0.0.1",
            "REFEREE_MAIL__SMTP_PORT": str(server.ports.submission),
            "REFEREE_MAIL__IMAP_HOST": "127.0.0.1",
            "REFEREE_MAIL__IMAP_PORT": str(server.ports.imaps),
        },
    )
    async with asyncio.timeout(60):
        found = await channel.build(config.channels["mail"], wall_ms).check()  # type: ignore[arg-type]  # they are mail's
    assert found
    assert [one for one in found if one.level == "bad"] == []
