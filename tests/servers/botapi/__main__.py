"""``python -m tests.servers.botapi [port]``: the server as a process of its own, to try a referee by hand.

Prints the address, the token and one person; lines typed are what that person says to the bot in
private (``!label`` presses a button), and what the bot answers is printed.
"""

from __future__ import annotations

import sys
import time

from . import BotApi


def main() -> None:
    api = BotApi(int(sys.argv[1]) if len(sys.argv) > 1 else 0).start_thread()
    ann = api.user("Ann", "ann", started=True)
    print(f"base_url={api.url}\ntoken={api.token}\nuser={ann.id}", flush=True)
    shown: set[tuple[int, str]] = set()
    for line in sys.stdin:
        words = line.strip()
        if words.startswith("!"):
            ann.press(None, words[1:])
        elif words:
            ann.say(words)
        time.sleep(0.5)
        for one in ann.sees():
            if one.from_bot and (one.message_id, one.text) not in shown:
                shown.add((one.message_id, one.text))
                print(f"[{one.message_id}] {one.text}\n    {one.labels()}", flush=True)
    api.stop_thread()


if __name__ == "__main__":
    main()
