"""What the admin says about the Matrix account."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator


class Settings(BaseModel):
    """The section [matrix] of the configuration.  An access token or a password is needed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    homeserver: str = Field(
        pattern=r"^https?://",
        description="Address of the homeserver's client API, for example https://matrix.example.org",
    )
    user: str = Field(
        pattern=r"^@[^:\s]+:\S+$", description="The referee's own account, for example @referee:example.org"
    )
    access_token: SecretStr | None = Field(
        None,
        description="Access token of that account; it belongs to one device, keep both",
        json_schema_extra={"asked": True},
    )
    password: SecretStr | None = Field(
        None,
        description="Password, if there is no access token; every start logs in as `device_id`",
        json_schema_extra={"asked": True},
    )
    device_id: str = Field(
        "REFEREE",
        min_length=1,
        description="Device to log in as with a password; keep it: repeated letters are recognised by it",
    )
    # numbers, switches and paths may also come from the environment, where everything is a string
    rate: float = Field(
        0.2,
        ge=0,
        strict=False,
        description="Events a second the homeserver lets the account send; 0: the limit has been lifted",
    )
    burst: int = Field(
        9, ge=1, strict=False, description="Events the homeserver lets the account send at once after a pause"
    )
    reactions: bool = Field(
        True,
        strict=False,
        description="Put 1️⃣ 2️⃣ … under a question so that one tap answers it; costs one event each",
    )
    threads: Literal["rooms", "always", "never"] = Field(
        "rooms",
        description=(
            "Where a game's letters form a thread: in tables' rooms only, also in direct rooms, or nowhere"
        ),
    )
    timeout_s: float = Field(
        30.0, gt=0, strict=False, description="How long one request may take, in seconds"
    )
    poll_s: float = Field(
        30.0,
        gt=0,
        strict=False,
        description="How long the homeserver may hold a sync open when nothing happens, in seconds",
    )
    e2e: bool = Field(
        False,
        strict=False,
        description="Read and write encrypted rooms; needs the extra `e2e` and `store_path`",
    )
    store_path: Path | None = Field(
        None, strict=False, description="Directory of the encryption keys; back it up with the token"
    )

    @model_validator(mode="after")
    def _complete(self) -> Settings:
        if self.access_token is None and self.password is None:
            raise ValueError("access_token or password is needed")
        if self.e2e and self.store_path is None:
            raise ValueError("e2e needs store_path")
        return self
