"""Policies to which the installation has given a name: `new classic 5 club` where the admin has said what
`club` is.

A name is one word that means nothing else in the line that opens a table. They are read from the store only
when a line is looked at that may hold one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.policy import PRESETS, Policy, PolicyError, from_json, to_json
from referee.store import PolicyRow, Tx
from referee.text import NotUnderstood, Reading, read_intent
from referee.text.folders import languages
from referee.text.reading.policy import policy_text, read_policy

_NAME = re.compile(r"[a-z][a-z0-9-]{1,23}")


class BadPolicyName(Exception):
    """A name that can't be given.

    `code`: bad-name, name-taken (it means something else already), name-there (it has a policy).
    """

    def __init__(self, code: str, name: str) -> None:
        super().__init__(code)
        self.code = code
        self.name = name


@dataclass(eq=False)
class NamedPolicies(Mapping[str, Policy]):
    """The installation's own policies by name, read when the first is looked for.

    What this version can't read is none.
    """

    tx: Tx
    _read: dict[str, Policy] | None = field(default=None, init=False)

    def _all(self) -> dict[str, Policy]:
        if self._read is None:
            self._read = {}
            for row in self.tx.all(PolicyRow, order="name"):
                try:
                    self._read[row.name] = from_json(json.loads(row.row))
                except PolicyError:
                    continue
        return self._read

    def __getitem__(self, name: str) -> Policy:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def add(
    tx: Tx, name: str, words: str, now_ms: int, own: tuple[Any, ...] = (), language: str = "en"
) -> Policy | NotUnderstood:
    """Give a policy a name; `words` in that language, or in English.

    The policy as it was understood, or what is wrong with the words. Raises BadPolicyName.
    """
    plain = name.strip().casefold()
    if not _NAME.fullmatch(plain):
        raise BadPolicyName("bad-name", name)
    if plain in PRESETS or any(not _free(plain, Reading(language=one, own=own)) for one in languages(own)):
        raise BadPolicyName("name-taken", plain)
    if tx.get(PolicyRow, plain) is not None:
        raise BadPolicyName("name-there", plain)
    policy = read_policy(words, Reading(language, own=own, policies=NamedPolicies(tx)))
    if not isinstance(policy, NotUnderstood):
        tx.add(
            PolicyRow,
            name=plain,
            words=policy_text(policy),
            row=json.dumps(to_json(policy)),
            created_ms=now_ms,
        )
    return policy


def remove(tx: Tx, name: str) -> bool:
    """Forget a name; tables that were opened with it keep their policy.  False where there is none."""
    return tx.drop(PolicyRow, name=name.strip().casefold()) > 0


def rows(tx: Tx) -> list[tuple[str, str]]:
    """(name, words) of each."""
    return [(row.name, row.words) for row in tx.all(PolicyRow, order="name")]


def find(tx: Tx, name: str) -> Policy | None:
    """The policy of that name: the installation's own or a preset."""
    plain = name.strip().casefold()
    return PRESETS.get(plain) or NamedPolicies(tx).get(plain)


def _free(name: str, reading: Reading) -> bool:
    """Whether a line that opens a table has no other use for this word."""
    for line in (f"new classic 5 {name}", f"new {name} 5", f"bot {name}"):
        found = read_intent(line, reading, private=True)
        if not isinstance(found, NotUnderstood) or found.code not in ("unknown-word", "no-such-card"):
            return False
    return True
