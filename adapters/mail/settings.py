"""What an admin says about the referee's mailbox: the ``[mail]`` table of the configuration."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from .addresses import PLAIN_ADDRESS

Security = Literal["tls", "starttls", "none"]
#: numbers come as text when they come from the environment: let those be read
Port = Annotated[int, Field(strict=False, ge=1, le=65535)]
Seconds = Annotated[float, Field(strict=False, gt=0)]
Count = Annotated[int, Field(strict=False, ge=0)]


class Settings(BaseModel):
    """One mailbox that plus-addresses reach, one server to send through, one way to receive."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    address: str = Field(
        description=(
            "The referee's address, without a plus: everything sent to address+anything must arrive there."
        )
    )
    display_name: str = Field("Citadels referee", description="The name beside the address in From.")
    user: str = Field("", description="Login for IMAP and SMTP; the address if left out.")
    password: SecretStr = Field(
        SecretStr(""),
        description="Password of that login (an app password where the provider has them).",
        json_schema_extra={"asked": True},
    )
    ca_file: str = Field(
        "", description="Certificates (PEM) to trust instead of the system's, for a private authority."
    )
    timeout_seconds: Seconds = Field(
        30.0, description="How long a server may be silent before the line is given up."
    )

    smtp_host: str = Field(description="Server that letters are handed to.")
    smtp_port: Port = Field(587, description="Its port: 587 with starttls, 465 with tls, 25 for a local MTA.")
    smtp_security: Security = Field(
        "starttls", description="tls, starttls, or none (only on this machine or a private network)."
    )
    smtp_login: bool = Field(
        True, description="Whether to log in before sending; false for a local MTA that asks for none."
    )
    smtp_user: str = Field("", description="Login for sending, if it differs from `user`.")
    smtp_password: SecretStr = Field(
        SecretStr(""), description="Password for sending, if it differs from `password`."
    )

    receive: Literal["imap", "lmtp"] = Field(
        "imap", description="imap: fetch from a mailbox; lmtp: an MTA on this machine hands mails over."
    )
    imap_host: str = Field(
        "", description="Server of the mailbox (receive = imap).", json_schema_extra={"asked": True}
    )
    imap_port: Port = Field(993, description="Its port: 993 with tls, 143 with starttls.")
    imap_security: Security = Field(
        "tls", description="tls, starttls, or none (only on this machine or a private network)."
    )
    folder: str = Field("INBOX", description="Folder to read.")
    processed_folder: str = Field(
        "",
        description="Folder that mails move to once they are on disk here; empty: they stay, marked as read.",
    )
    first_look_days: Count = Field(
        3, description="With no bookmark yet: how old a mail may be to be read at all."
    )
    idle_seconds: Seconds = Field(
        120.0, le=1500, description="Length of one IDLE; after it the line is tried with a NOOP."
    )
    backoff_seconds: Seconds = Field(
        1.0, description="First wait after a broken line or a full disk; doubles up to a minute."
    )
    lmtp_socket: str = Field("", description="Path of the unix socket to listen on (receive = lmtp).")
    lmtp_port: Port | None = Field(None, description="Or a port on 127.0.0.1.")

    trusted_authserv_id: str = Field(
        "",
        description=(
            "Name that the receiving MTA writes in its Authentication-Results; only if it removes "
            "forged ones."
        ),
    )
    max_bytes: Count = Field(
        1_000_000,
        description=(
            "Larger mails are not read, only refused. An answer brings back the picture that it answers."
        ),
    )
    per_minute: Annotated[int, Field(strict=False, ge=1)] = Field(
        60, description="Letters a minute, all together."
    )
    gap_seconds: Annotated[float, Field(strict=False, ge=0)] = Field(
        2.0, description="Least time between two letters to one address."
    )
    unsubscribe: str = Field(
        "mailto:{stop}?subject=unsubscribe&body=unsubscribe",
        description=(
            "URL for List-Unsubscribe; {stop} is an address where a mail of any words means unsubscribe,"
            " {reply_to} the reply address; empty: none but the web pages' own."
        ),
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if not PLAIN_ADDRESS.fullmatch(self.address) or "+" in self.address:
            raise ValueError("address must be a plain mail address without a plus")
        if self.receive == "imap" and not self.imap_host:
            raise ValueError("receive = imap needs imap_host")
        if self.receive == "lmtp" and bool(self.lmtp_socket) == bool(self.lmtp_port):
            raise ValueError("receive = lmtp needs either lmtp_socket or lmtp_port")
        return self

    def login(self) -> tuple[str, str]:
        """User and password for the mailbox."""
        return self.user or self.address, self.password.get_secret_value()

    def submission_login(self) -> tuple[str, str]:
        """User and password for sending."""
        user, password = self.login()
        return self.smtp_user or user, self.smtp_password.get_secret_value() or password
