"""What an admin may write, and what is refused before anything starts."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from adapters.telegram import Settings

TOKEN = "123456789:" + "A" * 35


def test_the_least_and_what_it_means() -> None:
    settings = Settings.model_validate({"token": TOKEN})
    assert (settings.mode, settings.base_url, settings.commands) == (
        "polling",
        "https://api.telegram.org",
        [],
    )
    assert TOKEN not in repr(settings)
    assert TOKEN not in settings.model_dump_json()


def test_every_field_is_described() -> None:
    assert Settings.model_fields
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_numbers_may_come_from_the_environment_as_words() -> None:
    assert Settings.model_validate({"token": TOKEN, "poll_s": "25", "timeout_s": "7.5"}).poll_s == 25


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"token": "nonsense"},
        {"token": 5},
        {"token": TOKEN, "tokken": "x"},
        {"token": TOKEN, "mode": "webhok"},
        {"token": TOKEN, "poll_s": 51},
        {"token": TOKEN, "base_url": "api.telegram.org"},
        {"token": TOKEN, "port": 70000},
        {"token": TOKEN, "commands": [["Status", "x"]]},
        {"token": TOKEN, "commands": [["status", ""]]},
        {"token": TOKEN, "translated": {"por": [["mesa", "x"]]}},
        {"token": TOKEN, "translated": {"pt": [["mão", "x"]]}},
        {"token": TOKEN, "commands": "status"},
        {"token": TOKEN, "mode": "webhook"},
        {"token": TOKEN, "mode": "webhook", "webhook_url": "https://x.example/t"},
        {"token": TOKEN, "mode": "webhook", "webhook_url": "https://x.example/t", "webhook_secret": "short"},
        {
            "token": TOKEN,
            "mode": "webhook",
            "webhook_url": "https://x.example/t",
            "webhook_secret": "with spaces in it, long",
        },
    ],
)
def test_mistakes_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(wrong)
    said = str(caught.value)
    assert said
    assert not any(
        str(value) in said
        for name, value in wrong.items()
        if name in ("token", "webhook_secret") and len(str(value)) > 4
    )


def test_the_library_is_loaded_only_when_the_channel_is_built() -> None:
    script = (
        "import sys, adapters.telegram as t; assert 'telegram' not in sys.modules and 'httpx' not in "
        "sys.modules; "
        f"t.build(t.Settings(token='{TOKEN}'), lambda: 0); print('built')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "built", done.stderr
