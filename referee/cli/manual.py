"""The manual page and the shells' completions, made of the commands themselves.

python -m referee.cli.manual man|bash|zsh|fish          prints one, in the shell's language
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import typer
from typer._completion_shared import get_completion_script

from referee.cli.app import app
from referee.cli.say import say

NAME = "referee"


def completion(shell: str) -> str:
    """What a shell reads to complete our commands: it asks the command itself."""
    script = get_completion_script(prog_name=NAME, complete_var="_REFEREE_COMPLETE", shell=shell)
    return "\n".join(line.rstrip() for line in script.splitlines()).strip() + "\n"


def page() -> str:
    """The manual page in roff, in the shell's language."""
    root: Any = typer.main.get_command(app)
    lines = [
        f'.TH REFEREE 1 "" "" "{_text(say("manual.title"))}"',
        f".SH {_text(say('manual.name'))}",
        f"{NAME} \\- {_text(root.help)}",
        f".SH {_text(say('manual.synopsis'))}",
        f".B {NAME}",
        _text(say("manual.usage")),
        f".SH {_text(say('manual.description'))}",
        *_paragraphs(say("manual.about")),
        f".SH {_text(say('manual.commands'))}",
        *_commands(root, NAME),
        f".SH {_text(say('manual.files'))}",
        *_paragraphs(say("manual.places")),
        f".SH {_text(say('manual.status'))}",
        *_paragraphs(say("manual.codes")),
    ]
    return "\n".join(lines) + "\n"


def _commands(group: Any, path: str) -> Iterator[str]:
    for name, command in group.commands.items():
        whole = f"{path} {name}"
        if hasattr(command, "commands"):
            yield from _commands(command, whole)
            continue
        words = [
            f"\\fI{_text(str(one.name).upper())}\\fR"
            for one in command.params
            if one.param_type_name == "argument"
        ]
        yield f".SS {' '.join([_text(whole), *words])}"
        yield _text(command.help or "")
        for option in command.params:
            if option.param_type_name == "option" and not option.hidden and option.help:
                yield ".TP"
                yield f".B {', '.join(_text(one) for one in (*option.opts, *option.secondary_opts))}"
                yield _text(option.help)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.strip().split("\n"):
        yield ".PP"
        yield _text(paragraph)


def _text(text: str) -> str:
    """Plain text as roff has it; no line may begin with a control character."""
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("\n", " ").strip()
    return f"\\&{safe}" if safe.startswith(".") else safe


if __name__ == "__main__":
    sys.stdout.write(page() if sys.argv[1:] == ["man"] else completion(sys.argv[1]))
