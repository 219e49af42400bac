"""What a game by e-mail puts into a mailbox: mails and bytes, by kind of letter.

    python -m bench.mails [games]

Complete classic games of five, three of them by mail: one who answers one thing at a time, an average player,
and one who writes whole turns into one mail. Pictures are drawn as they are sent.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench._goals import Sheet
from tests.service.mail_games import STYLES, MailGame

GAMES = 4


async def main(games: int) -> None:
    """Play them, and print what each kind of player got in a game."""
    mails = {style: Counter[str]() for style in STYLES}
    size = {style: Counter[str]() for style in STYLES}
    pictures, rounds = Counter[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, games + 1):
            game = MailGame(Path(folder) / f"{seed}.db", seed, list(STYLES))
            await game.play()
            rounds += game.rounds
            for who, style in game.styles.items():
                post = game.post(who)
                mails[style] += post.mails
                size[style] += post.size
                pictures[style] += post.pictures
            await game.house.close()
    print(f"{games} games, {rounds / games:.1f} rounds each; in a game, by kind of letter: mails, kB")
    with Sheet("mails") as sheet:
        for style in STYLES:
            sheet.say(f"{style}: mails in a game", mails[style].total() / games, "")
    for style in STYLES:
        number, kilobytes = mails[style].total() / games, size[style].total() / games / 1000
        print(f"{style:<14} {number:6.1f} mails {kilobytes:8.0f} kB {pictures[style] / games:6.1f} pictures")
        for kind, number in mails[style].most_common():
            print(f"    {kind:<14} {number / games:6.1f} {size[style][kind] / games / 1000:8.0f}")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
