"""Caddy and nginx with the files of deploy/proxy, on 127.0.0.1, before a door and a webhook of the test's
own.
"""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.tools import DEPLOY, needed
from tests.servers.ports import free_ports

PROXY = DEPLOY / "proxy"


@dataclass
class Front:
    """One that may be run: its address and port, where it expects the pages and Telegram's door, how it is
    believed, and its command; `plain` is where it leads to https, "" where it does not.
    """

    url: str
    port: int
    pages: int
    hook: int
    tls: ssl.SSLContext | bool
    home: Path
    command: list[str]
    environment: dict[str, str]
    plain: str = ""

    def logs(self) -> str:
        """All that it wrote down."""
        return "".join(
            one.read_text() for one in self.home.iterdir() if one.name == "log" or one.suffix == ".log"
        )


def caddy(home: Path) -> Front:
    """The Caddyfile as it is, with the words that it takes from the environment; without https, which wants a
    name.
    """
    program = needed("caddy")
    port, pages, hook = free_ports(3)
    config = home / "Caddyfile"
    text = (PROXY / "Caddyfile").read_text()
    assert text.count("\n{\n") == 1
    config.write_text(text.replace("\n{\n", "\n{\n\tadmin off\n\tauto_https off\n"))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "CITADELS_SITE": f"http://127.0.0.1:{port}",
        "CITADELS_PAGES": f"127.0.0.1:{free_ports(1)[0]} 127.0.0.1:{pages}",
        "CITADELS_HOOK": f"127.0.0.1:{free_ports(1)[0]} 127.0.0.1:{hook}",
    }
    done = subprocess.run(
        [program, "validate", "--adapter", "caddyfile", "--config", config],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return Front(
        f"http://127.0.0.1:{port}",
        port,
        pages,
        hook,
        False,
        home,
        [program, "run", "--adapter", "caddyfile", "--config", str(config)],
        environment,
    )


def nginx(home: Path) -> Front:
    """The file as it is but for what it says has to be changed: name, certificate, ports."""
    program = needed("nginx")
    plain, port, pages, hook = free_ports(4)
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-keyout",
            home / "key.pem",
            "-out",
            home / "cert.pem",
            "-subj",
            "/CN=127.0.0.1",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
        ],
        check=True,
        capture_output=True,
    )
    text = (PROXY / "nginx.conf").read_text()
    for theirs, ours in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen [::]:80;", ""),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        ("listen [::]:443 ssl http2;", ""),
        ("/var/log/nginx/error.log", str(home / "error.log")),
        ("127.0.0.1:8080", f"127.0.0.1:{pages}"),
        ("127.0.0.1:8088", f"127.0.0.1:{hook}"),
        ("/etc/letsencrypt/live/citadels.example.org/fullchain.pem", str(home / "cert.pem")),
        ("/etc/letsencrypt/live/citadels.example.org/privkey.pem", str(home / "key.pem")),
    ):
        assert text.count(theirs) == 1, theirs
        text = text.replace(theirs, ours)
    text = text.replace("https://citadels.example.org", f"https://127.0.0.1:{port}").replace(
        "citadels.example.org", "127.0.0.1"
    )
    config = home / "nginx.conf"
    temporary = "".join(
        f"{kind}_temp_path {home}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config.write_text(
        f"daemon off;\nuser root;\npid {home}/pid;\nerror_log {home}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log {home}/access.log;\n{temporary}{text}\n}}\n"
    )
    done = subprocess.run(
        [program, "-t", "-p", home, "-c", config], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return Front(
        f"https://127.0.0.1:{port}",
        port,
        pages,
        hook,
        ssl.create_default_context(cafile=str(home / "cert.pem")),
        home,
        [program, "-p", str(home), "-c", str(config)],
        dict(os.environ),
        plain=f"http://127.0.0.1:{plain}",
    )


FRONTS: dict[str, Callable[[Path], Front]] = {"caddy": caddy, "nginx": nginx}


@contextmanager
def running(front: Front) -> Iterator[None]:
    """It listens."""
    told = front.home / "log"
    with told.open("wb") as log:
        process = subprocess.Popen(
            front.command, env=front.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", front.port), 3).close()
                break
            except OSError:
                assert process.poll() is None, told.read_text()
                assert time.monotonic() < end, told.read_text()
                time.sleep(0.02)
        yield
    finally:
        process.terminate()
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
