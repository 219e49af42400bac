"""What a browser is called in the list of those that are signed in: "Firefox, Linux".

Browsers call themselves by many names at once, for old sites' sake; the first of ours that stands among them
is the one that people know. What is not in these lists stays unsaid: nothing of what was sent is shown to
anybody.
"""

from __future__ import annotations

from aiohttp import web

_LONGEST = 400
#: what stands in the header -> the name; those that also call themselves by a later name stand before it
_BROWSERS = (
    ("Telegram", "Telegram"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
    ("BSD", "BSD"),
)


def browser_of(request: web.Request, inside: str = "") -> str:
    """Browser and system, as far as the request says them; "" where it says nothing that we know.

    `inside`: the app in which the page was opened, instead of the browser that it is made of.
    """
    said = request.headers.get("User-Agent", "")[:_LONGEST]
    browser, system = (
        next((name for sign, name in names if sign in said), "") for names in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, (inside or browser, system)))
