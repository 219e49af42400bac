"""A newer plan laid over an older one, and what is withdrawn."""

from __future__ import annotations

from .model import Plan, Script

#: what may be withdrawn: everything, the lists of characters to pick or to put away, scripts of one character
#: or ("when", "") all, the script for the others, one question's answer or ("standing", "") all, `ask me if`
CANCELS = ("plan", "prefer", "discard", "when", "otherwise", "standing", "ask")


def merge(old: Plan, new: Plan) -> Plan:
    """The old plan with what the new one withdraws taken out and what it says put in: lists, answers to one
    question, a script of one character and `ask me if` each replace those of the same kind that hold as long.
    """
    for what, which in new.cancels:
        old = without(old, what, which)
    scopes = {(d.verb, d.round) for d in new.drafts}
    said = {(s.question, s.round) for s in new.standing}
    asking = {a.round for a in new.asks}
    return Plan(
        (*(d for d in old.drafts if (d.verb, d.round) not in scopes), *new.drafts),
        (*_others(old.scripts, new.scripts), *new.scripts),
        (*(s for s in old.standing if (s.question, s.round) not in said), *new.standing),
        (*(a for a in old.asks if a.round not in asking), *new.asks),
        old.free if new.free is None else new.free,
    )


def without(plan: Plan, what: str, which: str = "") -> Plan:
    """The plan with one of `CANCELS` taken out."""
    if what == "plan":
        return Plan()
    if what in ("prefer", "discard"):
        gone = "pick" if what == "prefer" else what
        return plan._replace(drafts=tuple(d for d in plan.drafts if d.verb != gone))
    if what == "ask":
        return plan._replace(asks=())
    if what == "standing":
        return plan._replace(standing=tuple(s for s in plan.standing if which and s.question != which))
    if what == "otherwise":
        return plan._replace(scripts=tuple(s for s in plan.scripts if s.characters))
    kept = (
        s._replace(characters=tuple(c for c in s.characters if which and c != which)) if s.characters else s
        for s in plan.scripts
    )
    return plan._replace(
        scripts=tuple(
            s for s, was in zip(kept, plan.scripts, strict=True) if s.characters or not was.characters
        )
    )


def covers(what: str, which: str, entry: str, names: tuple[str, ...]) -> bool:
    """Whether that cancel takes out an entry of that kind (one of `CANCELS`) for those characters or that
    question.
    """
    return what in ("plan", entry) and (not which or which in names)


def _others(old: tuple[Script, ...], new: tuple[Script, ...]) -> tuple[Script, ...]:
    """The old scripts for whom the new ones say nothing."""
    out = []
    for script in old:
        taken = {c for one in new if one.round == script.round for c in one.characters or ("",)}
        left = tuple(c for c in script.characters or ("",) if c not in taken)
        if left:
            out.append(script._replace(characters=() if left == ("",) else left))
    return tuple(out)
