"""What is remembered is bounded (D4): each cache has a size, those without one take only what the house
itself names, and no cache keeps a long text that somebody sent.
"""

from __future__ import annotations

import ast
import tracemalloc
from pathlib import Path

from referee.policy import known_zone
from referee.text import Reading, clean, fold, read_intent, squash
from referee.text.reading.plan_heads import plan_head
from referee.text.reading.plans import plan_begins
from tests.house.files import ROOT, nodes, python, shown

#: caches without a size, and what alone they are asked for
UNSIZED = {
    "referee/cli/foreign.py:_patterns": "nothing",
    "referee/cli/say.py:_nearest": "the shell's language",
    "referee/cli/say.py:_sentences": "the shell's language",
    "referee/pace/picture.py:_template": "nothing",
    "referee/policy/checking.py:_zones": "nothing",
    "referee/rules/notation.py:shapes": "nothing",
    "referee/service/runtime/machine.py:version": "nothing",
    "referee/service/upkeep/try_upgrade.py:_words": "the admin's folders",
    "referee/store/columns.py:table_of": "classes of tables",
    "referee/store/table_layouts.py:sheet_of": "classes of tables",
    "referee/text/folders.py:_languages": "the admin's folders",
    "referee/text/folders.py:shipped": "nothing",
    "referee/text/reading/zones.py:_zones": "nothing",
}
#: no cache has more entries
MOST = 16_384


def caches() -> dict[str, int | None]:
    """Each decorated function, "path:name", and how many entries it keeps (None: any number)."""
    found: dict[str, int | None] = {}
    for path in python("referee", "adapters"):
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for one in node.decorator_list:
                    called = one.func if isinstance(one, ast.Call) else one
                    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                    if name in ("cache", "lru_cache"):
                        found[f"{shown(path)}:{node.name}"] = size_of(one, name)
    return found


def size_of(decorator: ast.expr, name: str) -> int | None:
    if name == "cache":
        return None
    if not isinstance(decorator, ast.Call):
        return 128  # the library's own
    said = [*decorator.args, *(word.value for word in decorator.keywords if word.arg == "maxsize")]
    assert said, "lru_cache() without a size: say it"
    value = ast.literal_eval(said[0])
    assert value is None or isinstance(value, int)
    return value


def test_every_cache_has_a_size_or_takes_only_what_is_ours() -> None:
    found = caches()
    assert len(found) > 40
    assert "referee/text/folding.py:_folded" in found
    assert {name for name, size in found.items() if size is None} == set(UNSIZED)
    assert max(size for size in found.values() if size is not None) <= MOST


def test_what_is_kept_by_hand_is_thrown_away_by_hand() -> None:
    """Anyone who keeps an OrderedDict keeps the newest of it."""
    found = 0
    for folder in ("referee", "adapters"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "] = OrderedDict()" in text or "OrderedDict()" in text:
                found += 1
                assert "popitem(last=False)" in text, path
    assert found > 5


def test_long_words_are_not_remembered() -> None:
    """150 names of 100 kB once stayed: 70 MB."""
    reading = Reading()
    for text in ("warm", "new warm", "zone warm", "#1 warm"):
        read_intent(text, reading, private=True)
        plan_head(text, True, "en", ())
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for n in range(5):
            name = f"{n} " + "ña" * 50_000
            for text in (
                name,
                f"name {name}",
                f"zone {name[:900]}",
                f"new {name[:900]}",
                f"rules {name[:900]}",
            ):
                fold(text)
                squash(text)
                clean(text)
                clean(text, 40)
                known_zone(text)
                plan_begins(text, reading)
                read_intent(text, reading, private=True)
                plan_head.__wrapped__(text, True, "en", ())
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 400_000, grown  # five texts of 100 kB are half a MB as such, and 2 MB as signs


assert Path(ROOT).is_dir()
