"""What ``referee doctor`` finds about the Telegram channel."""

from __future__ import annotations

from urllib.parse import urlsplit

from referee.ports import Finding

from .bot_connection import BotConnection
from .settings import Settings


async def findings(settings: Settings, wire: BotConnection) -> list[Finding]:
    """Real calls, nothing written to anybody.

    Codes: telegram-bot, telegram-webhook (ok); telegram-no-groups, telegram-other-webhook,
    telegram-webhook-trouble (warn); telegram-token, telegram-away (bad).
    """
    from telegram.error import EndPointNotFound, InvalidToken, TelegramError

    try:
        me = await wire.bot.get_me()
        info = await wire.bot.get_webhook_info()
    except (InvalidToken, EndPointNotFound):
        return [Finding("bad", "telegram-token")]
    except (TelegramError, TypeError, KeyError, ValueError, AttributeError) as error:
        return [
            Finding(
                "bad",
                "telegram-away",
                {"server": settings.base_url, "detail": f"{type(error).__name__}: {error}"},
            )
        ]
    out = [Finding("ok", "telegram-bot", {"username": me.username or "", "id": str(me.id)})]
    if not me.can_join_groups:
        out.append(Finding("warn", "telegram-no-groups", {"username": me.username or ""}))
    if settings.mode == "polling" and info.url:
        out.append(Finding("warn", "telegram-other-webhook", {"host": urlsplit(info.url).hostname or ""}))
    if settings.mode == "webhook":
        if info.url and info.url != settings.webhook_url:
            out.append(Finding("warn", "telegram-other-webhook", {"host": urlsplit(info.url).hostname or ""}))
        elif info.last_error_message and info.pending_update_count:
            out.append(
                Finding(
                    "warn",
                    "telegram-webhook-trouble",
                    {"detail": info.last_error_message, "waiting": info.pending_update_count},
                )
            )
        else:
            out.append(
                Finding("ok", "telegram-webhook", {"host": urlsplit(settings.webhook_url).hostname or ""})
            )
    return out
