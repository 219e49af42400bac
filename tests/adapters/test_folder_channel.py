"""A channel added (docs/engineers/adding-a-channel.md): one file, the shared suite, and a game on it."""

from __future__ import annotations

import importlib.metadata
import time
from pathlib import Path

import pytest

from adapters import terminal
from referee.config import channels
from referee.ports import Adapter
from referee.service.core.settings import ServiceSettings
from referee.service.runtime.referee import Referee
from referee.store import Game, Journal, Store
from referee.text import Words
from tests import books
from tests.adapters import folder_channel
from tests.adapters.conformance import Conformance, Desk, Rig, seen, until


class FolderRig:
    """Two folders of people and one of a room; `outage` takes them away."""

    person, room = "ann", "club"

    def __init__(self, root: Path) -> None:
        self.root, self.away, self.desk, self.said = root, root.with_name("away"), Desk(), 0
        for folder in ("people/ann", "people/bea", "rooms/club"):
            (root / folder / "say").mkdir(parents=True)

    def adapter(self) -> Adapter:
        return folder_channel.build(
            folder_channel.Settings(path=str(self.root)), lambda: time.time_ns() // 1_000_000
        )

    async def say(self, text: str, *, room: bool = False) -> None:
        self.said += 1
        where = self.root / ("rooms/club" if room else "people/ann") / "say"
        name = f"ann {self.said:04}.txt" if room else f"{self.said:04}.txt"
        (where / f".{name}").write_text(text, encoding="utf-8")
        (where / f".{name}").rename(where / name)

    async def press(self, order: str) -> bool:
        return False

    async def read(self, *, room: bool = False) -> list[str]:
        where = self.root / ("rooms/club" if room else "people/ann") / "read"
        found = sorted(where.glob("[!.]*"), key=lambda one: one.stat().st_mtime_ns)
        return [one.read_text(encoding="utf-8") for one in found]

    async def outage(self, on: bool) -> None:
        self.root.rename(self.away) if on else self.away.rename(self.root)


class TestFolder(Conformance):
    @pytest.fixture
    async def rig(self, tmp_path: Path) -> Rig:
        return FolderRig(tmp_path / "folder")

    def nobody(self, rig: Rig) -> str:
        return "zoe"

    async def harm(self, rig: Rig) -> None:
        """What a disk can carry: no words at all, a folder, a link out of it, and far too much."""
        assert isinstance(rig, FolderRig)
        where = rig.root / "people/ann/say"
        (where / "0000 bytes").write_bytes(b"gold \xff\xfe\xed\xa0\x80")
        (where / "0000 folder").mkdir()
        (where / "0000 link").symlink_to("/etc/hostname")
        (where / "0000 much").write_text("gold " * 100_000)

    async def test_nobody_is_written_to_outside_of_the_folder(self, rig: Rig) -> None:
        assert isinstance(rig, FolderRig)
        one = rig.adapter()
        outside = rig.root.parent / "outside"
        outside.mkdir()
        for address in ("../../outside", str(outside), ".."):
            letter = folder_channel.Letter(id="1", channel=one.name, address=address, text="hello")
            assert (await one.send(letter)).reason == "no-such-address"
        assert not list(outside.iterdir())
        assert len([one for one in rig.root.rglob("*") if one.is_file()]) == 0


def test_it_touches_one_file_and_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A channel is found by its entry point: no list in the referee names it."""
    point = importlib.metadata.EntryPoint("folder", "tests.adapters.folder_channel", channels.GROUP)
    known = importlib.metadata.entry_points(group=channels.GROUP)
    assert known["terminal"].load() is terminal
    monkeypatch.setattr(channels, "entry_points", lambda group: [*known, point])
    assert set(channels.installed()) == {"folder", "mail", "matrix", "telegram", "terminal"}
    section = channels.section(channels.module("folder").Settings)
    settings = section.model_validate({"path": "/nowhere", "enabled": True})
    assert channels.module("folder").build(settings, lambda: 0).name == "folder"


async def test_a_game_is_opened_and_played_on_it(tmp_path: Path) -> None:
    rig = FolderRig(tmp_path / "folder")
    store = Store.open(books.address(tmp_path / "referee.db"), durable=False)
    referee = Referee(
        store,
        Words(()),
        [rig.adapter()],
        clock_ms=lambda: time.time_ns() // 1_000_000,
        settings=ServiceSettings(),
    )
    await referee.start()
    await rig.say("new classic 4")
    await until(lambda: seen(rig, "#1"))
    for said in ("bot", "bot", "bot", "ready"):
        await rig.say(said)
    game = await until(lambda: store.read_now(lambda tx: tx.one(Game, status="running")))
    await until(lambda: store.read_now(lambda tx: tx.one(Game, status="running", asked="0")))
    before = len(await rig.read())
    await rig.say("1")
    await until(lambda: played(store, game.id))
    await until(lambda: lettered(rig, before))
    await referee.stop()
    await store.close()


def played(store: Store, game: int) -> bool:
    """Whether a move of a person is in the journal."""
    return store.read_now(lambda tx: tx.count(Journal, game_id=game, by="person")) > 0


async def lettered(rig: Rig, before: int) -> bool:
    """Whether there are more letters than so many."""
    return len(await rig.read()) > before
