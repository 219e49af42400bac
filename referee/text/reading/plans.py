"""Reading a plan: every line understood, or each one that is not with what is wrong.

A line is a preference list, a script, an answer given once for all, `ask me if …`, `free benefits on|off` or
`cancel …`; the steps of a script may follow on lines of their own. Nothing is filed of a message in which
anything is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...plans.merging import covers
from ...plans.model import AskIf, Condition, Draft, Plan, Script, Standing, Step
from ...plans.notation import ask_text, cancel_text, draft_text, script_text, standing_text
from ...plans.questions import QUESTIONS
from ..folding import clean, fold
from ..meter import spend
from .plan_answers import read_answer, read_cancel
from .plan_conditions import read_condition
from .plan_heads import COLON, chunks_of, head_of, is_answer, never_first, plan_begins, round_of
from .plan_steps import check_script, read_step
from .plan_words import PlanMistake, PlanWords, card_named, folded, parted, spelled
from .terms import NotUnderstood, Reading

__all__ = ["plan_begins", "read_plan", "round_of"]


@dataclass(slots=True)
class _Page:
    """What has been read so far.

    `said`: each entry's kind, whom or what it is for, how long, and its line.
    """

    reading: Reading
    plan: Plan = field(default_factory=Plan)
    said: list[tuple[str, tuple[str, ...], Any, str]] = field(default_factory=list)
    troubles: list[NotUnderstood] = field(default_factory=list)
    script: tuple[tuple[str, ...], Any, str] | None = None
    steps: list[Step] = field(default_factory=list)
    broken: bool = False  # the first line of the script that is being read could not be read
    hurt: bool = False  # one of its steps could not

    def put(self, kind: str, names: tuple[str, ...], scope: Any, line: str) -> None:
        """Note an entry.  Raises PlanMistake where another line of the message is for the same."""
        for other_kind, others, other_scope, other in self.said:
            if (kind, scope) == (other_kind, other_scope) and (not names or set(names) & set(others)):
                raise PlanMistake("plan-contradicts", line=line, other=other)
        self.said.append((kind, names, scope, line))


def read_plan(text: str, reading: Reading) -> Plan | tuple[NotUnderstood, ...]:
    """The plan that a message files, or everything that is wrong with it, line by line.

    `reading.view` tells which round it is for (the next one, where this round's chance has passed) and which
    edition is played. Never raises for anything that a person may type.
    """
    page = _Page(reading)
    chunks = chunks_of(text, reading)
    if isinstance(chunks, NotUnderstood):
        return (chunks,)
    for chunk in chunks:
        spend()
        try:
            _take(page, chunk)
        except PlanMistake as mistake:
            page.troubles.append(replace(mistake.trouble, quote=clean(chunk, 200)))
            page.hurt = page.script is not None
            page.broken = page.broken or (page.script is None and head_of(chunk, reading) == "script")
    _close(page)
    if not page.troubles and page.plan.empty:
        return (NotUnderstood("plan-empty", clean(text, 80)),)
    return tuple(page.troubles) or page.plan


def _take(page: _Page, chunk: str) -> None:
    kind = head_of(chunk, page.reading)
    if kind == "step":
        if page.broken and page.script is None:
            return  # of a script whose first line is wrong
        if page.script is None:
            raise PlanMistake(
                "plan-unread" if not page.said else "plan-loose-step",
                line=clean(chunk, 80),
                step=clean(chunk, 80),
            )
        page.steps.append(read_step(chunk, page.reading))
        return
    if kind == "answer" and page.script is not None and not is_answer(chunk, page.reading):
        raise PlanMistake("plan-step-if", step=clean(chunk, 80))
    _close(page)
    page.broken = False
    if not kind:
        raise PlanMistake("plan-unread", line=clean(chunk, 80))
    _READERS[kind](page, chunk)


def _scoped(page: _Page, words: list[str], kind: str) -> tuple[list[str], int | None]:
    """The words without how long they hold, and for which round."""
    said = spelled(page.reading)
    stays = said.begins(words, "always")
    here = said.begins(words, "this_round")
    lasting = bool(stays) or (kind in ("answer", "ask") and not here)
    return words[stays or here :], None if lasting else round_of(kind, page.reading.view)


def _prefer(page: _Page, chunk: str) -> None:
    reading, said = page.reading, spelled(page.reading)
    words, scope = _scoped(page, folded(COLON.sub(" ", chunk)), "prefer")
    words = words[said.begins(words, "prefer") :]
    away = said.begins(words, "to_discard")
    if away:
        words = words[away:]
        if scope is not None:
            scope = round_of("discard", reading.view)
        if reading.names and len(reading.names) != 2:
            raise PlanMistake("plan-two-only")
    at, used = said.find(words, "if")
    condition = read_condition(words[at + used :], reading, scope=scope) if used else ()
    parts = parted(words[:at] if used else words, reading, "or", "and")
    dull = bool(parts) and said.whole(parts[-1], "any")
    listed = tuple(card_named(part, "characters", reading) for part in (parts[:-1] if dull else parts))
    _once_each(listed)
    if not listed and not dull:
        raise PlanMistake("plan-no-names")
    draft = Draft(listed, dull, condition, scope, "discard" if away else "pick")
    names = tuple(reading.names)
    page.put(
        "discard" if away else "prefer", (repr(sorted(condition, key=repr)),), scope, draft_text(draft, names)
    )
    page.plan = page.plan._replace(drafts=(*page.plan.drafts, draft))


def _once_each(listed: Sequence[str]) -> None:
    twice = next((name for name in listed if listed.count(name) > 1), "")
    if twice:
        raise PlanMistake("plan-named-twice", card=twice)


def _script(page: _Page, chunk: str) -> None:
    reading, said = page.reading, spelled(page.reading)
    head, colon, rest = (*COLON.split(chunk, maxsplit=1), "")[0], COLON.search(chunk), ""
    if colon:
        rest = chunk[colon.end() :]
    words, scope = _scoped(page, folded(head), "script")
    if colon is None:
        raise PlanMistake("plan-no-colon")
    used = said.begins(words, "otherwise")
    listed: tuple[str, ...] = ()
    if not used:
        parts = parted(words[said.begins(words, "when") :], reading, "or", "and")
        listed = tuple(card_named(part, "characters", reading) for part in parts)
        if not listed:
            raise PlanMistake("plan-no-names")
        _once_each(listed)
    if scope is not None:
        scope = round_of("script", reading.view, listed)
    page.put("otherwise" if used else "when", listed, scope, clean(head, 80))
    page.script = (listed, scope, clean(head, 80))
    if fold(rest):
        page.steps.append(read_step(rest, reading))


def _close(page: _Page) -> None:
    """The script that was being read, if any, is complete."""
    if page.script is None:
        return
    (listed, scope, head), steps = page.script, tuple(page.steps)
    page.script, page.steps = None, []
    if page.hurt:
        page.hurt = False
        return
    try:
        if not steps:
            raise PlanMistake("plan-no-steps", head=f"{head}:")
        check_script(listed, steps, page.reading)
    except PlanMistake as mistake:
        page.troubles.append(
            replace(
                mistake.trouble, quote=script_text(Script(listed, steps, scope), tuple(page.reading.names))
            )
        )
        return
    page.plan = page.plan._replace(scripts=(*page.plan.scripts, Script(listed, steps, scope)))


def _answer(page: _Page, chunk: str) -> None:
    written = folded(COLON.sub(" ", chunk))
    words, scope = _scoped(page, written, "answer")
    words = _use_last(written, words, page.reading)
    found: Standing = read_answer(words, page.reading, scope)
    if scope is not None and QUESTIONS[found.question].off_turn:
        scope = round_of("off-turn", page.reading.view)
        found = found._replace(round=scope)
    page.put("standing", (found.question,), scope, standing_text(found, tuple(page.reading.names)))
    page.plan = page.plan._replace(standing=(*page.plan.standing, found))


def _use_last(written: list[str], words: list[str], reading: Reading) -> list[str]:
    """An answer with "never" or "always" behind it where these stand before it alone: "never bribe", "always
    bribe". Raises PlanMistake for "never bribe if …", which leaves open what is done else.
    """
    said = spelled(reading)
    if never := never_first(words, reading):
        if said.find(words, "if")[1]:
            raise PlanMistake("plan-answer-use", order=" ".join(words[never : said.find(words, "if")[0]]))
        return [*words[never:], "never"]
    used = any(said.ends(words, key) for key in ("always", "never", "ask_me")) or said.find(words, "if")[1]
    return [*words, "always"] if words and said.begins(written, "always") and not used else words


def _ask(page: _Page, chunk: str) -> None:
    reading, said = page.reading, spelled(page.reading)
    words, scope = _scoped(page, folded(COLON.sub(" ", chunk)), "ask")
    words = words[said.begins(words, "ask_me") :]
    words = words[said.begins(words, "if") :]
    found = [AskIf(one, scope) for one in _alternatives(words, reading, scope)]
    if not found:
        raise PlanMistake("plan-condition", word="")
    for one in found:
        page.put("ask", (repr(one.condition),), scope, ask_text(one, tuple(reading.names)))
    page.plan = page.plan._replace(asks=(*page.plan.asks, *found))


def _alternatives(words: list[str], reading: Reading, scope: int | None) -> list[Condition]:
    """Cut at "or" wherever what stands before it can be read: a name may have the word in it, or a comparison
    ("4 cards or more").  Raises PlanMistake.
    """
    said = spelled(reading)
    found: list[Condition] = []
    mistake: PlanMistake | None = None
    cuts = (
        [] if any(_compares(words, key, reading) for key in ("at_least", "at_most")) else _cuts(words, said)
    )
    begin = 0
    for end, after in (*cuts, (len(words), len(words))):
        if begin == end:
            begin = after
            continue
        try:
            found.append(read_condition(words[begin:end], reading, asking=True, scope=scope))
        except PlanMistake as wrong:
            mistake = mistake or wrong
            continue
        begin, mistake = after, None
    if mistake is not None:
        raise mistake
    return found


def _compares(words: list[str], key: str, reading: Reading) -> bool:
    """Whether the words end in a comparison that has an "or" of its own."""
    said = spelled(reading)
    at, used = said.find(words, key)
    return bool(used and said.begins(words, "or", at) and len(words) == at + used)


def _cuts(words: list[str], said: PlanWords) -> list[tuple[int, int]]:
    """Where "or", or a sign for it, stands: from and to."""
    found = [(at, 1 if word in (",", "/") else said.begins(words, "or", at)) for at, word in enumerate(words)]
    return [(at, at + used) for at, used in found if used]


def _free(page: _Page, chunk: str) -> None:
    words = folded(chunk)
    said = spelled(page.reading)
    on = bool(said.ends(words, "on"))
    if not (on or said.ends(words, "off")):
        raise PlanMistake("plan-free-what")
    page.put("free", (), None, clean(chunk, 80))
    page.plan = page.plan._replace(free=on)


def _cancel(page: _Page, chunk: str) -> None:
    words, _ = _scoped(page, folded(COLON.sub(" ", chunk)), "cancel")
    what, which = read_cancel(words, page.reading)
    line = cancel_text(what, which)
    for kind, names, _scope, other in page.said:
        if covers(what, which, kind, names):
            raise PlanMistake("plan-contradicts", line=line, other=other)
    if (what, which) not in page.plan.cancels:
        page.plan = page.plan._replace(cancels=(*page.plan.cancels, (what, which)))


_READERS: Mapping[str, Callable[[_Page, str], None]] = {
    "prefer": _prefer,
    "script": _script,
    "answer": _answer,
    "ask": _ask,
    "free": _free,
    "cancel": _cancel,
}
