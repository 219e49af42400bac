"""`referee admin …`, and the commands that say the same in another form: `game`, `block`, `unblock`,
`blocked`, `stats`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from referee.cli.common import (
    BAD,
    USAGE,
    ConfigOption,
    configured,
    end,
    hour,
    opened,
    shell,
)
from referee.cli.say import help_, language

Said = Annotated[list[str] | None, typer.Argument(help=help_("admin.words"), show_default=False)]
Number = Annotated[int, typer.Argument(help=help_("game.number"), min=1)]
Player = Annotated[str, typer.Argument(help=help_("game.player"))]
Because = Annotated[str, typer.Option("--because", help=help_("game.because"))]
Where = Annotated[str, typer.Argument(help=help_("block.address"))]
AsJson = Annotated[bool, typer.Option("--json", help=help_("admin.json"))]


def admin(words: Said = None, as_json: AsJson = False, config: ConfigOption = None) -> None:
    """The words of `admin …`, as in chat."""
    say(" ".join(words or ()), config, as_json)


def stats(as_json: AsJson = False, config: ConfigOption = None) -> None:
    """How the installation does."""
    say("stats", config, as_json)


def look(
    number: Number,
    hidden: Annotated[bool, typer.Option("--hidden", help=help_("game.hidden"))] = False,
    player: Annotated[str, typer.Option("--player", help=help_("game.whose"))] = "",
    because: Because = "",
    config: ConfigOption = None,
) -> None:
    """One table."""
    say(f"look #{number}" + (f" hidden {player}{_reason(because)}" if hidden else ""), config)


def pause(number: Number, config: ConfigOption = None) -> None:
    """All its clocks stand still."""
    say(f"pause #{number}", config)


def resume(number: Number, config: ConfigOption = None) -> None:
    """They run again."""
    say(f"resume #{number}", config)


def extend(
    number: Number,
    hours: Annotated[str, typer.Argument(help=help_("game.hours"))],
    config: ConfigOption = None,
) -> None:
    """More time for anyone who is asked."""
    say(f"extend {hours} #{number}", config)


def replace(number: Number, player: Player, config: ConfigOption = None) -> None:
    """Offer a seat."""
    say(f"replace {player} #{number}", config)


def kick(number: Number, player: Player, config: ConfigOption = None) -> None:
    """Take a seat away."""
    say(f"kick {player} #{number}", config)


def rewind(
    number: Number,
    round_: Annotated[int, typer.Argument(metavar="ROUND", help=help_("game.round"))],
    config: ConfigOption = None,
) -> None:
    """Go back, with a second key."""
    say(f"rewind #{number} round {round_}", config)


def process(
    number: Number,
    window: Annotated[str, typer.Argument(help=help_("game.window"))] = "",
    config: ConfigOption = None,
) -> None:
    """Wait no longer."""
    say(f"process {window} #{number}", config)


def second(
    proposal: Annotated[int, typer.Argument(help=help_("game.proposal"), min=1)], config: ConfigOption = None
) -> None:
    """Turn the console's key."""
    say(f"second {proposal}", config)


def move(
    number: Number, room: Annotated[str, typer.Argument(help=help_("game.room"))], config: ConfigOption = None
) -> None:
    """Show it elsewhere."""
    say(f"move #{number} to {room}", config)


def archive(number: Number, config: ConfigOption = None) -> None:
    """Put it away."""
    say(f"archive #{number}", config)


def unarchive(number: Number, config: ConfigOption = None) -> None:
    """Bring it back."""
    say(f"unarchive #{number}", config)


def abandon(number: Number, config: ConfigOption = None) -> None:
    """Give it up before it begins."""
    say(f"abandon #{number}", config)


def thaw(number: Number, config: ConfigOption = None) -> None:
    """Let it go on."""
    say(f"thaw #{number}", config)


def block(address: Where, because: Because = "", config: ConfigOption = None) -> None:
    """Listen to an address no more."""
    say(f"block {address}{_reason(because)}", config)


def unblock(address: Where, config: ConfigOption = None) -> None:
    """Listen to it again."""
    say(f"unblock {address}", config)


def blocked(as_json: AsJson = False, config: ConfigOption = None) -> None:
    """Who is blocked."""
    say("blocked", config, as_json)


def say(line: str, path: Path | None, as_json: bool = False) -> None:
    """Say it, and print what is answered; what is refused ends with a sentence and exit code 1, what can't be
    read with 2.
    """
    from referee.rules import Refusal, SetupError
    from referee.service.admin import console

    config = configured(path)
    here = shell(config)
    try:
        intent = console.parse_command(line, here.words, language())
    except console.UnreadableCommand as no:
        _refused(USAGE, here.words.phrase(no.trouble.code, language(), **no.trouble.facts))
    looks = console.only_looks(intent)
    if as_json and not looks:
        end(USAGE, "admin.no-json")
    with opened(config.store.url, read_only=looks, guest=not looks) as store:
        here = here._replace(now_ms=hour(store))
        try:
            if as_json:
                found = store.read_now(lambda tx: console.figures(tx, intent, here))
                answer = "" if found is None else json.dumps(found, ensure_ascii=False, indent=1)
            elif looks:
                answer = store.read_now(lambda tx: console.look_up(tx, intent, here))
            else:
                answer = store.write_now(lambda tx: console.carry_out(tx, intent, here))
        except (Refusal, SetupError) as no:
            _refused(BAD, here.words.phrase(no.code, language(), **no.facts))
    if as_json and not answer:
        end(USAGE, "admin.no-json")
    typer.echo(answer)


def _refused(code: int, sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(code)


def _reason(because: str) -> str:
    return f" because {because}" if because else ""
