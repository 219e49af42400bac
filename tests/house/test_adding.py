"""What docs/engineers/adding-a-command.md and architecture.md promise: one folder and its words."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.files import ROOT, python, shown

PAGES = ROOT / "docs" / "engineers"
#: words that are explained on the page of how it is built, at most
GLOSSARY = 30


def naming(word: str, files: list[Path]) -> set[str]:
    return {shown(one) for one in files if word in one.read_text(encoding="utf-8")}


def test_a_command_is_at_home_in_one_folder_and_in_its_words() -> None:
    code = naming("rematch", python("referee", "adapters"))
    assert {Path(one).parent.as_posix() for one in code} == {
        "referee/service/tables",
        "referee/service/core",  # the settings of a table say at which others it is played again
        "referee/service/people",  # the facts of the letter that asks whether they are ready
    }
    words = {Path(one).relative_to("templates").parts[0] for one in naming("rematch", templates())}
    assert words == {"en", "pt_BR", "layouts"}


def templates() -> list[Path]:
    found = [one for one in (ROOT / "templates").rglob("*") if one.suffix in (".toml", ".j2")]
    assert len(found) > 100
    return found


def test_the_page_shows_the_command_as_it_is() -> None:
    page = (PAGES / "adding-a-command.md").read_text(encoding="utf-8")
    code = (ROOT / "referee" / "service" / "tables" / "rematch.py").read_text(encoding="utf-8")
    shown_there = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(shown_there) == 2
    for line in (one for block in shown_there for one in block.splitlines()[:2]):
        assert line in code
    lexicon = (ROOT / "templates" / "en" / "lexicon.toml").read_text(encoding="utf-8")
    [entry] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert entry in lexicon


def test_the_pages_for_translators_name_every_file_of_words() -> None:
    english = ROOT / "templates" / "en"
    files = {one.stem for one in english.rglob("*.toml")}
    page, table = PAGES / "translating.md", ROOT / "templates" / "README.md"
    assert len(files) > 20
    assert files - set(re.findall(r"`(\w+)(?:\.toml)?`", page.read_text(encoding="utf-8"))) == set()
    own = {one.name for one in english.glob("*.toml")}
    assert own - set(re.findall(r"`en/(\w+\.toml)`", table.read_text(encoding="utf-8"))) == set()


def test_the_words_of_the_house_are_few() -> None:
    page = (PAGES / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Glossary")[2].partition("\n## ")[0]
    words = [
        word for row in re.findall(r"^\| ([a-z, ]+) \| ", table, re.MULTILINE)[1:] for word in row.split(", ")
    ]
    assert 20 <= len(words) <= GLOSSARY
    assert len(set(words)) == len(words)


def test_the_page_names_every_file_of_the_league_and_of_its_office() -> None:
    page = (PAGES / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("| in `referee/service/league` |")[2].partition("\n\n")[0]
    named, league = set(re.findall(r"`([\w/]+(?:\.py)?)`", table)), ROOT / "referee" / "service" / "league"
    there = {one.name if one.is_file() else f"{one.name}/" for one in league.iterdir()}
    there |= {one.name for one in (league / "office").glob("*.py")}
    assert named == {one for one in there if not one.startswith("__")}


def test_the_rooms_stand_on_the_page_as_in_the_contract() -> None:
    page = (PAGES / "architecture.md").read_text(encoding="utf-8")
    drawn = page.partition("## The rooms")[2].partition("Rooms on one line")[0]
    rows = [line.strip().split("  ")[0] for line in drawn.splitlines() if line.startswith("    ")]
    contract = (ROOT / ".importlinter").read_text(encoding="utf-8").partition("contract:rooms]")[2]
    layers = contract.partition("layers =\n")[2].partition("exhaustive")[0].split("\n")
    said = [
        ", ".join(sorted(line.strip().split(" | "))) for line in layers if line.strip() not in ("", "rooms")
    ]
    assert len(rows) > 10
    assert [", ".join(sorted(row.split(", "))) for row in rows] == said
