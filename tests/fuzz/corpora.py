"""What the fuzzer begins with: the tests' own material."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.house.files import ROOT, nodes


@cache
def literals(*patterns: str) -> tuple[str, ...]:
    """The texts that stand in tests, each once."""
    found: dict[str, None] = {}
    for pattern in patterns:
        for path in sorted((ROOT / "tests").glob(pattern)):
            for node in nodes(path):
                if (
                    isinstance(node, ast.Constant)
                    and isinstance(node.value, str)
                    and 0 < len(node.value) <= 400
                ):
                    found[node.value] = None
    return tuple(found)


@cache
def lexicon_words(language: str) -> tuple[str, ...]:
    """Every word and usage of a language's lexicon."""
    from referee.text.lexicon import lexicon

    def walk(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for key, one in value.items():
                yield str(key)
                yield from walk(one)
        elif isinstance(value, list | tuple):
            for one in value:
                yield from walk(one)

    return tuple(dict.fromkeys(one for one in walk(dict(lexicon(language).data)) if 0 < len(one) <= 200))


@cache
def files(*patterns: str) -> tuple[Path, ...]:
    """Files of the tests."""
    return tuple(
        sorted(path for pattern in patterns for path in (ROOT / "tests").glob(pattern) if path.is_file())
    )


@cache
def mails() -> tuple[bytes, ...]:
    """Replies as mail programs write them, and the mails that tests make."""
    from tests.adapters.mail_clients.programs import every

    found = [path.read_bytes() for path in files("adapters/replies/*.eml")]
    wanted = [one for one in literals("adapters/test_mail_*.py") if "\n" in one or ": " in one]
    found += [
        f"From: Ann <ann@players.example>\nMessage-ID: <1@x>\n{one}\n\ngold\n".encode("utf-8", "replace")
        for one in wanted
    ]
    found += [
        f"From: ann@players.example\nContent-Type: text/html; charset=utf-8\n\n{one}".encode(
            "utf-8", "replace"
        )
        for one in literals("adapters/test_mail_replies.py")
        if "<" in one
    ]
    found += [one.raw for one in every()[::40]]
    return tuple(found)


@cache
def scenarios() -> tuple[str, ...]:
    """Scenario files, and each of their scenarios alone."""
    import yaml

    whole = [path.read_text(encoding="utf-8") for path in files("rules/scenarios/**/*.yaml")]
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    alone = [
        yaml.safe_dump([one], allow_unicode=True, sort_keys=False)
        for text in whole
        for one in yaml.load(text, Loader=loader)
    ]
    return (*(one for one in whole if len(one) < 20_000), *alone)


@cache
def orders() -> tuple[str, ...]:
    """The orders of scenario files."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found: dict[str, None] = {}
    for path in files("rules/scenarios/**/*.yaml"):
        for one in yaml.load(path.read_text(encoding="utf-8"), Loader=loader):
            for entry in one.get("play", ()):
                for said in entry.values():
                    if isinstance(said, str):
                        found[said] = None
    return tuple(found)


@cache
def records() -> tuple[str, ...]:
    """Records of whole games of all editions, and the same broken off after some orders."""
    whole = [path.read_text(encoding="utf-8") for path in files("rules/recordings/*.txt")][:24]
    short = ["\n".join(one.split("\n")[:lines]) for one in whole for lines in (9, 14, 40)]
    ends = ["\n".join([*one.split("\n")[:20], *one.split("\n")[-14:]]) for one in whole]
    return (*whole[:8], *short, *ends)


def as_json(values: Sequence[Any]) -> tuple[str, ...]:
    """Values as the JSON that `mutating.shaped` changes."""
    return tuple(json.dumps(one) for one in values)
