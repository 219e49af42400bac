"""The rules as a compiler wants them: a copy of `referee/rules` with everything said out loud.

mypyc makes structs of classes, so it asks for things that Python does not need and that would
clutter a hundred card files.  They are added to the copy, by reading the source's own tree:

* an attribute that a subclass gives another value keeps the type it has in its base class, so
  ``abilities = (Kill(),)`` becomes ``abilities: tuple[Ability, ...] = (Kill(),)``;
* of a class with ``__slots__``, a piece of a state, ``__new__`` gives a bare object as in Python, for
  those who copy a state or read one fill it field by field: the decorator `mypyc_attr` says so;
* a frame without a method `copy` gets one that names its slots, as an interpreted one gets when its class is
  made;
* where a bare object is wanted of a class that is made of nothing, ``Player.__new__(Player)``, it is made as
  usual, ``Player()``: ten times as fast, and those who want a bare one set all that it holds;
* a constant of a module, a name in capitals or in small letters that is set once, is `Final`: it is no longer
  looked up.

Nothing else changes, no other line of a method is touched.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
RULES = Path("referee/rules")
#: what the rules know of the rest of the program: read for its types
BESIDE = (Path("referee/ids.py"),)
#: bases of classes that mypyc does not make structs of
OTHERS = frozenset({"NamedTuple", "Protocol", "Exception"})
MARK = "@mypyc_attr(allow_interpreted_subclasses=True)"
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+|[a-z][a-z_]+")
#: from and to a line (from 1; the first after the last: between two), and what stands there instead
Change = tuple[int, int, list[str]]


class Room(NamedTuple):
    """One source file: its dotted name, text, tree, and where each of its names comes from."""

    module: str
    text: str
    tree: ast.Module
    names: dict[str, str]


class Declared(NamedTuple):
    """A class's bases, and the types it writes beside its attributes, each with its room."""

    bases: tuple[str, ...]
    types: dict[str, tuple[str, Room]]


def read(path: Path, root: Path) -> Room:
    parts = path.relative_to(root).with_suffix("").parts
    package = parts[:-1]
    text = path.read_text()
    tree = ast.parse(text)
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join((*above, *([node.module] if node.module else [])))
            names.update({alias.asname or alias.name: source for alias in node.names})
    names.update({node.name: ".".join(parts) for node in tree.body if isinstance(node, ast.ClassDef)})
    return Room(".".join(parts), text, tree, names)


def bases_of(node: ast.ClassDef) -> tuple[str, ...]:
    return tuple(ast.unparse(base) for base in node.bases)


def declared(rooms: list[Room]) -> dict[str, Declared]:
    """Class name -> what it declares.  Where several rooms use a name, it is no base of anything."""
    found: dict[str, Declared] = {}
    for room in rooms:
        for node in room.tree.body:
            if isinstance(node, ast.ClassDef):
                types = {
                    line.target.id: (ast.unparse(line.annotation), room)
                    for line in node.body
                    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
                }
                found[node.name] = Declared(bases_of(node), types)
    return found


def inherited(
    bases: tuple[str, ...], attribute: str, classes: dict[str, Declared]
) -> tuple[str, Room] | None:
    """The type of that attribute where a base class declares it, unless it belongs to the class alone."""
    for base in bases:
        if base in classes:
            found = classes[base].types.get(attribute) or inherited(classes[base].bases, attribute, classes)
            if found and not found[0].startswith("ClassVar"):
                return found
    return None


def assigned(room: Room, line: ast.stmt) -> Iterator[tuple[str, str]]:
    """Name and value of each attribute that a line of a class body (or a module) sets."""
    if not isinstance(line, ast.Assign):
        return
    for target in line.targets:
        pairs = [(target, line.value)]
        if isinstance(target, ast.Tuple) and isinstance(line.value, ast.Tuple):
            pairs = [*zip(target.elts, line.value.elts, strict=True)]
        for one, value in pairs:
            yield ast.unparse(one), ast.get_source_segment(room.text, value) or ""


def set_by(line: ast.stmt) -> Iterator[str]:
    """The names that a line of a class body sets."""
    for target in (
        line.targets
        if isinstance(line, ast.Assign)
        else [line.target]
        if isinstance(line, ast.AnnAssign)
        else []
    ):
        for one in target.elts if isinstance(target, ast.Tuple) else [target]:
            yield ast.unparse(one)


def constants(room: Room) -> Iterator[Change]:
    """Each line that sets constants of the module, with `Final`."""
    statements = [line for line in ast.walk(room.tree) if isinstance(line, ast.stmt)]
    times = Counter(name for line in statements for name in set_by(line))
    for line in room.tree.body:
        pairs = [*assigned(room, line)]
        if pairs and all(CONSTANT.fullmatch(name) and times[name] == 1 for name, _ in pairs):
            written = [f"{name}: Final = {value}" for name, value in pairs]
            yield line.lineno, line.end_lineno or line.lineno, written


def is_frame(bases: tuple[str, ...], classes: dict[str, Declared]) -> bool:
    """Whether a class with these bases is one."""
    return "Frame" in bases or any(
        is_frame(classes[base].bases, classes) for base in bases if base in classes
    )


def slots_of(node: ast.ClassDef) -> tuple[str, ...] | None:
    """What the class says it holds, if it does."""
    for line in node.body:
        if isinstance(line, ast.Assign) and "__slots__" in set_by(line):
            return tuple(ast.literal_eval(line.value))
    return None


def methods_of(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}


def copying(node: ast.ClassDef, slots: tuple[str, ...]) -> Change:
    """The method of a frame that copies it, below the others.  Where the constructor takes nothing but slots
    it is called: that is much faster than `__new__`."""
    end = node.end_lineno or node.lineno
    methods = methods_of(node)
    taken = [one.arg for one in methods["__init__"].args.args[1:]] if "__init__" in methods else []
    bare = f"{node.name}({', '.join(f'self.{name}' for name in taken)})"
    if not set(taken) <= {*slots}:
        bare = f"{node.name}.__new__({node.name})"
    filled = [f"        new.{slot} = self.{slot}" for slot in slots]
    head = [f"    def copy(self) -> {node.name}:", f"        new = {bare}"]
    return end + 1, end, ["", *head, *filled, "        return new"]


def bare(node: ast.ClassDef, room: Room) -> Iterator[Change]:
    """Each line of the class that makes a bare object of it, where its constructor takes nothing."""
    if any(
        one.name == "__init__" and len(one.args.args) > 1
        for one in node.body
        if isinstance(one, ast.FunctionDef)
    ):
        return
    for number, line in enumerate(room.text.split("\n")[node.lineno - 1 : node.end_lineno], node.lineno):
        made = line.replace(f"{node.name}.__new__({node.name})", f"{node.name}()")
        if made != line:
            yield number, number, [made]


def of_class(
    node: ast.ClassDef, room: Room, classes: dict[str, Declared], wanted: dict[str, str]
) -> Iterator[Change]:
    """What is changed in that class; the names that its types want are added to `wanted`."""
    if any(name == "__slots__" for line in node.body for name in set_by(line)):
        yield node.lineno, node.lineno - 1, [MARK]
        wanted["mypyc_attr"] = "mypy_extensions"
    slots, bases = slots_of(node), bases_of(node)
    if slots:
        yield from bare(node, room)
    if slots and is_frame(bases, classes) and "copy" not in methods_of(node):
        yield copying(node, slots)
    for line in node.body:
        pairs = [*assigned(room, line)]
        typed = {name: found for name, _ in pairs if (found := inherited(bases, name, classes))}
        if not typed:
            continue
        written = [
            f"    {name}: {typed[name][0]} = {value}" if name in typed else f"    {name} = {value}"
            for name, value in pairs
        ]
        yield line.lineno, line.end_lineno or line.lineno, written
        for type, source in typed.values():
            used = {part.id for part in ast.walk(ast.parse(type)) if isinstance(part, ast.Name)}
            wanted.update({name: source.names[name] for name in used if name in source.names})


def prepared(room: Room, classes: dict[str, Declared]) -> str:
    """The text of that file, with types and marks."""
    lines = room.text.split("\n")
    changes = [*constants(room)]
    wanted = {"Final": "typing"} if changes else {}
    for node in room.tree.body:
        if isinstance(node, ast.ClassDef) and not (OTHERS & {*bases_of(node)} or node.decorator_list):
            changes += of_class(node, room, classes, wanted)
    for first, last, instead in sorted(changes, reverse=True):
        lines[first - 1 : last] = instead
    # for the type checker alone: nothing more is imported when the rules run
    imports = [
        f"    from {source} import {name}"
        for name, source in sorted(wanted.items())
        if name not in room.names
    ]
    future = next((place for place, line in enumerate(lines) if line.startswith("from __future__")), 0)
    if imports:
        lines[future + 1 : future + 1] = ["MYPY = False", "if MYPY:", *imports]
    return "\n".join(lines)


def prepare(target: Path, root: Path = ROOT) -> list[Path]:
    """Write the copy; the files that are in it, from `target` on."""
    paths = sorted((root / RULES).rglob("*.py"))
    rooms = [read(path, root) for path in paths]
    classes = declared(rooms)
    out = []
    for path, room in zip(paths, rooms, strict=True):
        place = path.relative_to(root)
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        (target / place).write_text(prepared(room, classes))
        out.append(place)
    for place in BESIDE:
        copyfile(root / place, target / place)
    return out
