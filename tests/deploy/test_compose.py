"""The compose files: docker-compose reads them, they keep what the container file promises, and their
configurations are the referee's own.
"""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from adapters.push import new_key, public_key
from referee import main
from referee.config import load
from tests.deploy import image
from tests.deploy.tools import DEPLOY, told

COMPOSE = DEPLOY / "compose"
NAMES = ["one-machine", "workers"]
KEY = new_key()
SECRETS = {
    "telegram__token": "123456789:AAabcdefghijklmnopqrstuvwxyz012345",
    "web__metrics_token": "0123456789abcdef",
    "web__push_key": KEY,
    "store__url": "postgresql+psycopg://referee:pass-word@postgres:5432/referee",
    "postgres_password": "pass-word",
}


@cache
def services(name: str) -> dict[str, Any]:
    """As docker-compose understands it."""
    done = told(
        "docker-compose",
        "--log-level",
        "ERROR",
        "-f",
        COMPOSE / f"{name}.yaml",
        "config",
        CITADELS_SITE="citadels.example.org",
    )
    assert done.returncode == 0, done.stderr
    return dict(yaml.safe_load(done.stdout)["services"])


def ours(name: str) -> dict[str, Any]:
    return {key: one for key, one in services(name).items() if one["image"].startswith("citadels-referee")}


def mounted(part: str | dict[str, Any]) -> tuple[str, str]:
    """Where a volume is in the container, and "ro" where it is for reading only.  Version 1 of docker-compose
    writes it in a line, version 2 in words.
    """
    if isinstance(part, dict):
        return str(part["target"]), "ro" if part.get("read_only") else ""
    _, target, *how = part.split(":")
    return target, "".join(how).removeprefix("rw")


def opened(part: str | dict[str, Any]) -> str:
    """A port in a line, likewise."""
    return part if isinstance(part, str) else "{host_ip}:{published}:{target}/{protocol}".format(**part)


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_shut_that_can_be(name: str) -> None:
    for key, one in services(name).items():
        assert one["read_only"] is True, key
        assert one["cap_drop"] == ["ALL"], key
        assert "no-new-privileges:true" in one["security_opt"], key
        assert one["restart"] == "unless-stopped", key
        assert one["logging"]["options"]["max-size"], key
        assert not one.get("privileged"), key
        assert ":latest" not in one["image"], key
        assert ":" in one["image"], key


@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_container_that_the_container_file_makes(name: str) -> None:
    last = image.stages()[-1]
    health = last.only("HEALTHCHECK").partition(" CMD ")
    kept = json.loads(last.only("VOLUME"))
    for key, one in ours(name).items():
        assert one["user"] == last.only("USER"), key
        assert one["healthcheck"]["test"] == ["CMD", *json.loads(health[2])], key
        assert (COMPOSE / one["build"]["dockerfile"]).name == image.CONTAINERFILE.name
        assert (Path(one["build"]["context"]) / one["build"]["dockerfile"]).samefile(image.CONTAINERFILE)
        assert "cap_add" not in one, key
        given = dict(map(mounted, one["volumes"]))
        assert given["/etc/referee/referee.toml"] == "ro"
        uid = last.only("USER").partition(":")[0]
        memory = {part.split(":")[0]: part for part in one["tmpfs"]}
        assert f"uid={uid}" in memory["/run/referee"]
        if one["command"] == ["serve"] and name == "one-machine":
            assert set(kept) <= set(given), "what must outlive the container is on a volume"


@pytest.mark.parametrize("name", NAMES)
def test_no_secret_is_in_the_file_and_each_is_a_file(name: str) -> None:
    text = (COMPOSE / f"{name}.yaml").read_text()
    whole = yaml.safe_load(text)
    assert {f"./secrets/{key}" for key in whole["secrets"]} == {
        one["file"] for one in whole["secrets"].values()
    }
    assert set(whole["secrets"]) <= set(SECRETS)
    head = text.partition("services:")[0]
    assert [key for key in whole["secrets"] if key not in head] == [], (
        "an engine starts nothing without its file"
    )
    assert not re.search(
        r"(?i)(password|token|secret)\w*[:=] *['\"]?[A-Za-z0-9]{6,}",
        text.replace("/run/secrets/postgres_password", ""),
    )
    for key, one in ours(name).items():
        assert not [
            variable
            for variable in one.get("environment", {})
            if "TOKEN" in variable or "PASSWORD" in variable
        ], key


@pytest.mark.parametrize("name", NAMES)
def test_each_process_can_use_the_configuration_with_its_secrets(name: str, tmp_path: Path) -> None:
    for key, one in ours(name).items():
        secrets = tmp_path / key
        secrets.mkdir()
        for given in one["secrets"]:
            source = given["source"] if isinstance(given, dict) else given
            (secrets / source).write_text(SECRETS[source])
        works = one["command"] == ["work"]
        config = load(
            COMPOSE / f"{name}.toml",
            {"REFEREE_SECRETS": str(secrets), **one.get("environment", {})},
            with_channels=not works,
        )
        assert config.warnings == ()
        assert set(config.channels) == (set() if works else {"telegram"}), key
        assert config.store.url.partition(":")[0] == (
            "sqlite" if name == "one-machine" else "postgresql+psycopg"
        )
        assert config.web.proxied
        assert config.web.metrics_token.get_secret_value() == SECRETS["web__metrics_token"]
        host, _, port = config.web.listen.rpartition(":")
        assert host == "0.0.0.0"
        assert port == image.stages()[-1].only("EXPOSE")
        assert str(config.backup.directory) in json.loads(image.stages()[-1].only("VOLUME"))
        assert not works or not [given for given in one["secrets"] if "telegram" in str(given)]
        assert main.push_key(config) == ("" if works else public_key(KEY)), "browsers are told by who serves"


@pytest.mark.parametrize("name", NAMES)
def test_the_line_that_makes_the_key_for_notices_makes_one(name: str, tmp_path: Path) -> None:
    """As the file's head has it, without its sign of a comment."""
    head = (COMPOSE / f"{name}.yaml").read_text().partition("services:")[0]
    (line,) = re.findall(r"openssl [^&\n]* > secrets/web__push_key", head)
    (tmp_path / "secrets").mkdir()
    subprocess.run(["sh", "-ec", line], cwd=tmp_path, check=True, timeout=60)
    (tmp_path / "referee.toml").write_text('[web]\nlisten = "0.0.0.0:8080"\nbase_url = "https://a.test"\n')
    assert main.push_key(load(tmp_path / "referee.toml", {}, with_channels=False))


def test_several_processes_share_one_database() -> None:
    found = services("workers")
    commands = [one["command"] for one in ours("workers").values()]
    assert (commands.count(["serve"]), commands.count(["work"])) == (2, 1)
    assert found["work"]["deploy"]["replicas"] == 2
    for one in ours("workers").values():
        assert one["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert found["postgres"]["healthcheck"]["test"][1] == "pg_isready"
    assert "ports" not in found["postgres"]
    debian = image.stages()[0].base
    assert "bookworm" in image.CONTAINERFILE.read_text()
    assert found["postgres"]["image"].endswith(":15-bookworm"), (
        f"pg_dump of {debian} is of version 15, and makes no backup of a newer server"
    )
    pages = found["proxy"]["environment"]["CITADELS_PAGES"].split()
    assert {page.partition(":")[0] for page in pages} == {
        key for key, one in ours("workers").items() if one["command"] == ["serve"]
    }


def test_one_machine_opens_its_pages_to_itself_only() -> None:
    (one,) = services("one-machine").values()
    assert [opened(part) for part in one["ports"]] == ["127.0.0.1:8080:8080/tcp"]
