"""The mail server of the tests: it says when it is left out, and leaves nothing running."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.servers import mail, mail_config


def test_without_root_it_is_left_out_aloud(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    reason = mail.why_not()
    assert reason is not None
    assert "Postfix, Dovecot and OpenDKIM are left out" in reason
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="need root"):
        mail.shared(request.config)
    monkeypatch.setenv("CI", "1")
    with pytest.raises(AssertionError, match="need root"):
        mail.shared(request.config)


def test_what_is_not_installed_is_named(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"left out: not installed: .*dovecot, opendkim"):
        mail.shared(request.config)
    monkeypatch.setenv("CI", "1")
    with pytest.raises(AssertionError, match=r"not installed: .*dovecot"):
        mail.shared(request.config)


def test_a_start_that_fails_half_way_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail.needed()
    monkeypatch.setattr(mail_config, "master_cf", lambda world: "no such thing as this\n")
    broken = mail.Mail(tmp_path)
    children = broken._children
    started: list[int] = []

    def stop() -> None:
        started.extend(one.pid for one in children)
        mail.Mail.stop(broken)

    monkeypatch.setattr(broken, "stop", stop)
    with pytest.raises(RuntimeError, match="did not come up"):
        broken.start(1.5)
    assert len(started) == 3
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]
