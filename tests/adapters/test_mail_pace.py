"""How fast letters may leave."""

from __future__ import annotations

from adapters.mail.rate_limits import MailLimits
from referee.ports import Letter


def to(address: str) -> Letter:
    return Letter(id="1", channel="mail", text="", address=address)


def test_one_address_is_not_hammered() -> None:
    pace = MailLimits(100, 2.0)
    assert pace.delay_ms(to("ann@x"), 1000) == 0
    assert pace.delay_ms(to("ANN@x"), 1500) == 1500
    assert pace.delay_ms(to("bob@x"), 1500) == 0
    assert pace.delay_ms(to("ann@x"), 3000) == 0


def test_never_more_than_so_many_in_any_minute() -> None:
    pace = MailLimits(30, 0)
    now, sent = 0, []
    for n in range(200):
        while wait := pace.delay_ms(to(f"p{n}@x"), now):
            now += wait
        sent.append(now)
        now += 100
    for start in sent:
        assert sum(start <= at < start + 60_000 for at in sent) <= 30
    assert sent[-1] == 360_000 + 19 * 100  # and not slower than allowed


def test_a_refused_letter_is_not_counted() -> None:
    pace = MailLimits(1, 0)
    assert pace.delay_ms(to("a@x"), 0) == 0
    assert [pace.delay_ms(to("b@x"), at) for at in (1, 2, 3)] == [59_999, 59_998, 59_997]
    assert pace.delay_ms(to("b@x"), 60_000) == 0


def test_a_clock_that_was_set_back_keeps_nobody_silent() -> None:
    now, hour = 10_000_000, 3_600_000
    pace = MailLimits(2, 2.0)
    assert pace.delay_ms(to("ann@x"), now) == 0
    assert pace.delay_ms(to("ann@x"), now - hour) == 2_000
    assert pace.delay_ms(to("ann@x"), now - hour + 2_000) == 0
    assert pace.rest_ms(now - 2 * hour) == 60_000 - 2_000
