"""The lines of docs/admins/deploy.md for one machine, typed as they stand: in a view of this machine whose
/etc, /var and /usr/local/bin are empty.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.deploy.tools import ROOT, needed

#: what installs Python packages is tried by the container file's own lines; what talks to a running systemd
#: has nobody to talk to
_LEFT_OUT = ("python3 -m venv", "/opt/referee/bin/python", "systemctl")


def typed() -> list[str]:
    """The first two blocks under its heading."""
    section = (
        (ROOT / "docs" / "admins" / "deploy.md")
        .read_text()
        .partition("## One machine with systemd")[2]
        .partition("\n## ")[0]
    )
    lines = [
        line
        for block in re.findall(r"^```\n(.*?)^```", section, re.DOTALL | re.MULTILINE)[:2]
        for line in block.splitlines()
    ]
    return [line for line in lines if not line.startswith(_LEFT_OUT)]


def test_what_is_typed_puts_everything_where_the_units_look(tmp_path: Path) -> None:
    assert len(typed()) >= 7
    etc, var, commands = tmp_path / "etc", tmp_path / "var", tmp_path / "bin"
    for one in (etc / "systemd" / "system", var / "lib", commands):
        one.mkdir(parents=True)
    (etc / "passwd").write_text("root:x:0:0:root:/:/bin/sh\n")
    (etc / "group").write_text("root:x:0:\n")
    view = [
        needed("bwrap"),
        "--die-with-parent",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--tmpfs",
        "/run",
        "--bind",
        str(etc),
        "/etc",
        "--bind",
        str(var),
        "/var",
        "--bind",
        str(commands),
        "/usr/local/bin",
        "--ro-bind",
        str(ROOT / "deploy"),
        str(ROOT / "deploy"),
        "--chdir",
        str(ROOT),
    ]
    done = subprocess.run(
        [*view, "sh", "-euc", "\n".join(typed())],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"], "TOKEN": "123456789:AAabcdefghijklmnopqrstuvwxyz012345"},
    )
    assert done.returncode == 0, done.stderr
    units = {one.name for one in (etc / "systemd" / "system").iterdir()}
    assert units == {"referee.service", "referee-backup.service", "referee-backup.timer", "referee.service.d"}
    assert "\nreferee:x:" in (etc / "passwd").read_text()
    secret = etc / "referee" / "secrets" / "telegram__token"
    assert (secret.stat().st_mode & 0o777, secret.stat().st_uid, secret.read_text()[-1]) == (0o600, 0, "5")
    assert secret.parent.stat().st_mode & 0o777 == 0o700
    assert (var / "backups" / "referee").stat().st_uid != 0
    loaded = (etc / "systemd" / "system" / "referee.service.d" / "telegram.conf").read_text()
    assert f"LoadCredential=telegram__token:/{secret.relative_to(tmp_path)}" in loaded
    assert (
        "Environment=REFEREE_CONFIG=/etc/referee/referee.toml"
        in (etc / "systemd" / "system" / "referee.service").read_text()
    )
    command = commands / "referee"
    assert command.read_text() == (ROOT / "deploy" / "systemd" / "referee.sh").read_text()
    assert command.stat().st_mode & 0o777 == 0o755
    assert (etc / "referee" / "referee.toml").stat().st_mode & 0o777 == 0o644
