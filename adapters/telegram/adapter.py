"""The Telegram channel: one bot, its people and its groups."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from referee import wirejson
from referee.ports import Fate, Finding, Inbound, Letter, Limits, Receipt, Reception, VerifiedAccount

from . import checking, mini_app
from .bot_connection import BotConnection
from .button_presses import ButtonPresses
from .inbound import NAME
from .intake import Intake, understood
from .long_letters import LongLetters
from .other_pollers import OtherPollers
from .polling import Poller
from .rate_limits import TelegramLimits
from .receipts import milliseconds
from .sending import MessageSender
from .settings import Settings
from .webhook import Webhook

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 30.0
#: waiting mends no token: told once, and tried again now and then in case that it was Telegram's mistake
REFUSED_S = 600.0
STOP_S = 1.5
GRACE_MS = 60_000
DOWN_MS = 60_000  # when a letter is tried again while we stand down
log = logging.getLogger(__name__)


class TelegramAdapter:
    """Implements `referee.ports.Adapter` and `referee.ports.AppVerifier`."""

    name = NAME
    markup = "telegram"
    can_edit = True
    idempotent = False
    rewrites = True

    def __init__(
        self, settings: Settings, clock_ms: Callable[[], int], rivals: OtherPollers | None = None
    ) -> None:
        self._settings = settings
        self._clock = clock_ms
        self._pace = TelegramLimits(
            chat_per_second=settings.chat_per_second,
            group_per_minute=settings.group_per_minute,
            overall_per_second=settings.overall_per_second,
        )
        self.limits: Limits = self._pace
        self._wire: BotConnection | None = None
        self._sender: MessageSender | None = None
        self._presses: ButtonPresses | None = None
        self._way: Poller | Webhook | None = None
        self._task: asyncio.Task[None] | None = None
        self._rivals = rivals or OtherPollers()
        self._stood_down = False
        self._answered_ms: int | None = None  # when the wire last answered; None while it does not

    async def start(self, reception: Reception) -> None:
        long = LongLetters(reception, self._settings.token.get_secret_value())
        await long.recall()
        wire = self._wire = BotConnection(self._settings)
        sender = self._sender = MessageSender(wire, self._pace, self._clock, long)

        async def answer(press: str) -> None:
            await sender.answer(press)

        self._presses = ButtonPresses(answer, self._settings.answer_press_s)
        intake = Intake(wire, reception, self._presses, self._clock, long)
        if self._settings.mode == "webhook":
            self._way = Webhook(self._settings, wire, intake)
            try:
                await self._way.listen()
            except OSError:
                await self.stop()
                raise
        else:
            self._way = Poller(self._settings, wire, intake, self._clock)
        self._task = asyncio.create_task(self._receive(wire, self._way, reception), name="telegram")

    def contact(self) -> tuple[str, str]:
        """See `referee.ports.Reachable`: once the bot knows its own name."""
        name = self._wire.username if self._wire is not None else ""
        return (f"@{name}", f"https://t.me/{name}") if name else ("", "")

    @property
    def port(self) -> int | None:
        """Where it listens in webhook mode."""
        return self._way.port if isinstance(self._way, Webhook) else None

    async def send(self, letter: Letter) -> Receipt:
        if self._wire is None or self._sender is None or self._presses is None or not self._wire.open:
            return Receipt(Fate.LATER, retry_ms=1_000, detail="not started", whole=True)
        if self._stood_down:
            return Receipt(Fate.LATER, retry_ms=DOWN_MS, detail="somebody else has our account", whole=True)
        if letter.callback:
            self._presses.settle(letter.callback)
        receipt = await self._sender.send(letter)
        if letter.address and not letter.callback and receipt.fate is Fate.SENT:
            self._presses.satisfy(letter.address)
        return receipt

    def verified(self, data: str) -> VerifiedAccount | None:
        """Who opened our page inside Telegram."""
        return mini_app.verified(self._settings.token.get_secret_value(), data)

    async def again(self, raw: bytes | None, ref: str) -> Inbound | None:
        """An update that was parked, read once more; None where only its head was kept: Telegram says nothing
        twice. For an admin who stands by: raises OSError when Telegram does not answer.
        """
        from telegram.error import TelegramError

        wire = BotConnection(self._settings)
        try:
            return (
                None
                if raw is None
                else understood(wirejson.loads(raw), wire, await wire.meet(), self._clock())
            )
        except TelegramError as away:
            raise OSError(str(away)) from away
        except (TypeError, KeyError, AttributeError) as strange:
            raise ValueError(f"{type(strange).__name__}: {strange}") from strange
        finally:
            await wire.close()

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=STOP_S)
            self._task = None
        if self._presses is not None:
            self._presses.close()
        if isinstance(self._way, Webhook):
            await self._way.close()
        if self._wire is not None:
            await self._wire.close()
        self._answered_ms, self._stood_down = None, False

    async def check(self) -> list[Finding]:
        wire = BotConnection(self._settings)
        try:
            return await checking.findings(self._settings, wire)
        finally:
            await wire.close()

    def healthy(self) -> bool:
        patience = self._settings.poll_s * 1000 + GRACE_MS
        return (
            not self._stood_down
            and self._answered_ms is not None
            and self._clock() - self._answered_ms <= patience
        )

    async def _receive(self, wire: BotConnection, way: Poller | Webhook, reception: Reception) -> None:
        """Receive for ever: prepare, then turn after turn; after trouble wait, longer each time, and begin
        again.
        """
        from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

        pause, steady = FIRST_PAUSE_S, asyncio.get_running_loop().time
        prepared = sure = refused = False
        while True:
            wait = pause
            try:
                if not prepared:
                    await self._prepare(wire, way)
                    prepared = True
                # after trouble ask without waiting: the answer shows that the line is back
                await way.turn(patient=self._answered_ms is not None)
                await wire.meet_again()
                self._answered_ms = self._clock()
                self._rivals.heard(steady())
                pause, refused = FIRST_PAUSE_S, False
                if not sure and self._rivals.undisturbed(steady()):
                    sure = True  # a process before us may have stood down, and could not say that it is over
                    await _told(reception, rivalled=False)
                continue
            except RetryAfter as error:
                wait = milliseconds(error.retry_after) / 1000
            except Conflict as error:
                prepared = False  # a webhook was set, or another process asks with our token
                log.error("somebody else receives with this bot's token: %s", error)
                if isinstance(way, Poller) and self._rivals.cut_off(steady()):
                    await self._stand_down(way, reception)
                    pause = FIRST_PAUSE_S
                    continue
            except InvalidToken:
                self._answered_ms = None
                log.log(
                    logging.INFO if refused else logging.CRITICAL,
                    "Telegram refuses the bot's token: get it from @BotFather by /token, put it into the "
                    "configuration or its secrets directory, and start again",
                )
                refused, wait = True, REFUSED_S
            except TelegramError as error:
                self._answered_ms = None
                log.warning("Telegram does not answer: %s: %s", type(error).__name__, error)
            except OSError as error:
                log.error("not acknowledged, nothing could be written: %s", error)
            except Exception:  # whatever it is, the channel must not fall silent: it comes again
                log.exception("receiving failed")
            await asyncio.sleep(wait)
            pause = min(pause * 2, LONGEST_PAUSE_S)

    async def _stand_down(self, way: Poller, reception: Reception) -> None:
        """Neither receive nor send, and look now and then, until we are alone with our token."""
        self._stood_down = True
        log.critical("somebody else receives with this bot's token: standing down until we are alone with it")
        await _told(reception, rivalled=True)
        while not await self._alone(way):
            pass
        self._rivals.alone(asyncio.get_running_loop().time())
        self._stood_down = False
        log.warning("alone with this bot's token again: going on")
        await _told(reception, rivalled=False)

    async def _alone(self, way: Poller) -> bool:
        """Wait for the next look's time; whether nobody cut us off for a while."""
        from telegram.error import TelegramError

        await asyncio.sleep(self._rivals.again_s())
        clock = asyncio.get_running_loop().time
        end = clock() + self._rivals.quiet_s
        while clock() < end:
            try:
                await way.look()
            except TelegramError as error:
                log.info("still standing down: %s", error)
                return False
            await asyncio.sleep(min(1.0, max(0.0, end - clock())))
        return True

    async def _prepare(self, wire: BotConnection, way: Poller | Webhook) -> None:
        await wire.meet()
        await way.prepare()
        await self._offer_commands(wire)
        self._answered_ms = self._clock()
        log.info("receiving as @%s by %s", wire.username, self._settings.mode)

    async def _offer_commands(self, wire: BotConnection) -> None:
        """Have Telegram offer the commands while people type.  That it does not take them now keeps nothing
        from being heard.
        """
        from telegram.error import BadRequest, RetryAfter

        try:
            if self._settings.commands:
                await wire.bot.set_my_commands(self._settings.commands)
            for language, commands in self._settings.translated.items():
                await wire.bot.set_my_commands(commands, language_code=language)
        except (BadRequest, RetryAfter) as refused:
            log.warning("Telegram does not take the commands that it is to offer: %s", refused)


async def _told(reception: Reception, *, rivalled: bool) -> None:
    try:
        await reception.contested(NAME, rivalled=rivalled)
    except OSError as error:  # a full disk, say: the log has it
        log.error("nobody could be told: %s", error)
