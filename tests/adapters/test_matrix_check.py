"""What the doctor hears from a homeserver."""

from __future__ import annotations

import secrets
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from referee.ports import Fate, Letter
from tests.adapters.matrix_rig import MatrixRig, matrix_rig, spoken_of
from tests.servers.synapse import Synapse, synapse, why_not

__all__ = ["synapse"]


@pytest.fixture
async def rig(synapse: Synapse, request: pytest.FixtureRequest) -> AsyncIterator[MatrixRig]:
    async with matrix_rig(synapse, spoken_of(request)) as one:
        yield one


async def test_a_password_check_leaves_the_running_referee_logged_in(rig: MatrixRig) -> None:
    password = SecretStr("pw-" + rig.me[1:].partition(":")[0])
    one = rig.adapter(access_token=None, password=password)
    await one.start(rig.desk)
    (finding,) = await rig.adapter(access_token=None, password=password).check()
    assert (finding.level, finding.code) == ("ok", "matrix-ok")
    token = one.line.client.access_token
    assert (await one.line.raw("GET", "account", "whoami"))["user_id"] == rig.me
    assert one.line.client.access_token == token


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"access_token": SecretStr("wrong")}, "matrix-unauthorised"),
        ({"access_token": None, "password": SecretStr("wrong")}, "matrix-unauthorised"),
        ({"user": "@somebody-else:hs.test"}, "matrix-unauthorised"),
        ({"homeserver": "http://127.0.0.1:9"}, "matrix-away"),
    ],
)
async def test_what_is_wrong_is_told_apart(rig: MatrixRig, change: dict[str, object], code: str) -> None:
    (finding,) = await rig.adapter(**change).check()
    assert (finding.level, finding.code) == ("bad", code)
    assert "wrong" not in str(finding)


async def test_an_account_that_may_read_and_not_write_is_told(rig: MatrixRig, synapse: Synapse) -> None:
    admin = synapse.register(f"admin{secrets.token_hex(5)}", admin=True)
    path = f"/_synapse/admin/v1/suspend/{rig.me}"
    synapse.call("PUT", path, {"suspend": True}, admin)
    (finding,) = await rig.adapter().check()
    assert (finding.level, finding.code) == ("bad", "matrix-silenced")
    assert "M_USER_SUSPENDED" in finding.facts["detail"]
    synapse.call("PUT", path, {"suspend": False}, admin)
    (finding,) = await rig.adapter().check()
    assert (finding.level, finding.code) == ("ok", "matrix-ok")


async def test_health(rig: MatrixRig) -> None:
    now = 1_800_000_000_000
    one = rig.adapter(lambda: now)
    assert not one.healthy()
    await one.start(rig.desk)
    assert one.healthy()
    now += 10 * 60_000
    await one.stop()
    assert not one.healthy()


async def test_stopped_without_ever_having_been_started(rig: MatrixRig) -> None:
    one = rig.adapter()
    await one.stop()
    assert not one.healthy()
    assert (
        await one.send(Letter(id="1", channel="matrix", address=rig.person, text="too late"))
    ).fate is Fate.LATER


def test_without_a_homeserver_the_suite_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SYNAPSE_PYTHON", str(tmp_path / "no-such-python"))
    assert "Synapse" in (why_not() or "")


def test_a_homeserver_that_does_not_start_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYNAPSE_PYTHON", sys.executable)  # a Python without Synapse
    server = Synapse()
    with pytest.raises(RuntimeError, match="Synapse died"):
        server.start()
    assert server.child is None
    assert not server.directory.exists()
