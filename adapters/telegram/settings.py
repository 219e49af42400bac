"""What an admin says about the Telegram channel."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

# numbers may come from the environment as words, everything else is taken strictly
Whole = Annotated[int, Field(strict=False)]
Seconds = Annotated[float, Field(strict=False)]


class Settings(BaseModel):
    """The [telegram] table of the configuration."""

    # without the input in its errors, a mistake elsewhere would print the token
    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)

    token: SecretStr = Field(
        description="The bot's token, as BotFather gave it. Keep it in the secrets directory."
    )
    mode: Literal["polling", "webhook"] = Field(
        "polling",
        description=(
            "polling: the referee asks Telegram, nothing to open. webhook: Telegram calls webhook_url."
        ),
    )
    base_url: str = Field(
        "https://api.telegram.org", description="The Bot API server; another one only if you run it yourself."
    )
    proxy: str = Field(
        "", description="An HTTP proxy for calls to Telegram, for example http://127.0.0.1:3128."
    )
    poll_s: Whole = Field(
        30, ge=0, le=50, description="Seconds one question for updates may wait for something to arrive."
    )
    timeout_s: Seconds = Field(20.0, gt=0, le=120, description="Seconds to wait for the answer to a call.")
    answer_press_s: Seconds = Field(
        3.0,
        ge=0,
        le=14,
        description=(
            "Seconds after which a pressed button stops spinning at the latest, even if the referee had "
            "nothing to say to it."
        ),
    )
    webhook_url: str = Field(
        "",
        description="The public https address Telegram calls; your web server passes it on to listen:port.",
    )
    webhook_secret: SecretStr = Field(
        SecretStr(""), description="The secret Telegram shows with each call: 16 to 256 of A-Z a-z 0-9 _ -."
    )
    listen: str = Field("127.0.0.1", description="The address to listen on in webhook mode.")
    port: Whole = Field(
        8088, ge=0, le=65535, description="The port to listen on in webhook mode; 0 takes any free one."
    )
    commands: list[Annotated[tuple[str, str], Field(strict=False)]] = Field(
        default_factory=list,
        description=(
            "The commands Telegram offers while typing: pairs of name and description. "
            "Empty leaves them as they are."
        ),
    )
    translated: dict[str, list[Annotated[tuple[str, str], Field(strict=False)]]] = Field(
        default_factory=dict,
        description=(
            "The same for people whose Telegram speaks another language: two-letter code -> pairs of "
            "name and description."
        ),
    )
    chat_per_second: Whole = Field(1, ge=1, description="Messages a second to one chat; Telegram allows 1.")
    group_per_minute: Whole = Field(
        20, ge=1, description="Messages a minute to one group; Telegram allows 20."
    )
    overall_per_second: Whole = Field(30, ge=1, description="Messages a second in all; Telegram allows 30.")

    @field_validator("token")
    @classmethod
    def _token(cls, value: SecretStr) -> SecretStr:
        if not re.fullmatch(r"[0-9]{5,16}:[A-Za-z0-9_-]{20,}", value.get_secret_value()):
            raise ValueError("a bot token looks like 123456789:AA…")
        return value

    @field_validator("base_url", "webhook_url")
    @classmethod
    def _address(cls, value: str) -> str:
        if value and (urlsplit(value).scheme not in ("http", "https") or not urlsplit(value).hostname):
            raise ValueError("an address begins with http:// or https://")
        return value.rstrip("/")

    @field_validator("commands")
    @classmethod
    def _commands(cls, value: list[tuple[str, str]]) -> list[tuple[str, str]]:
        for name, description in value:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", name) or not 1 <= len(description) <= 256:
                raise ValueError("a command is 1-32 of a-z 0-9 _ with a description of 1-256 characters")
        return value

    @field_validator("translated")
    @classmethod
    def _translated(cls, value: dict[str, list[tuple[str, str]]]) -> dict[str, list[tuple[str, str]]]:
        for language, commands in value.items():
            if not re.fullmatch(r"[a-z]{2}", language):
                raise ValueError("a language is two letters, like pt")
            cls._commands(commands)
        return value

    @model_validator(mode="after")
    def _whole_webhook(self) -> Settings:
        if self.mode == "webhook":
            if not self.webhook_url:
                raise ValueError("webhook mode needs webhook_url")
            if not re.fullmatch(r"[A-Za-z0-9_-]{16,256}", self.webhook_secret.get_secret_value()):
                raise ValueError("webhook mode needs webhook_secret: 16 to 256 of A-Z a-z 0-9 _ -")
        return self
