"""What comes in private without words: pictures, albums, and what the app reports by itself."""

from __future__ import annotations

from tests.adapters.conformance import until
from tests.adapters.telegram_line import line


async def test_what_is_attached_is_named_an_album_once_and_what_the_app_reports_is_nobodys_word() -> None:
    async with line() as tg:
        await tg.start()
        for seconds in (86_400, 0):
            tg.ann.report({"message_auto_delete_timer_changed": {"message_auto_delete_time": seconds}})
        tg.ann.report({"chat_background_set": {"type": {"type": "chat_theme", "theme_name": "x"}}})
        for _ in range(3):
            tg.ann.photo("", album="77")
        tg.ann.photo("gold")
        tg.ann.say("end")
        await until(lambda: [one for one in tg.desk.said() if one.text == "end"])
        heard = [(one.text, bool(one.facts.get("attachment"))) for one in tg.desk.said()]
        assert heard[-2:] == [("gold", True), ("end", False)]
        assert set(heard[:-2]) == {("", True)}
        assert len({one.key for one in tg.desk.said()}) == 3
