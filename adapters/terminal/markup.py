"""The screen's markup (templates/channels/terminal.j2) as rich draws it."""

from __future__ import annotations

from html.parser import HTMLParser

from rich.text import Text

#: tag -> how rich names the look
LOOKS = {
    "b": "bold",
    "i": "italic",
    "code": "cyan",
    "h": "bold underline",
    "n": "bold green",
    "o": "default",
    "q": "dim italic",
    "r": "dim",
}


class _Drawer(HTMLParser):
    """Collects the text with the looks of the tags that are open; other tags look like nothing."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = Text()
        self.open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        link = next((value for name, value in attrs if name == "href" and value), "")
        self.open.append((tag, f"link {link}" if link else LOOKS.get(tag, "")))

    def handle_endtag(self, tag: str) -> None:
        while any(name == tag for name, _ in self.open):
            if self.open.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        self.text.append(data, " ".join(look for _, look in self.open if look))


def drawn(markup: str) -> Text:
    """The text with its looks.  Never fails: what is no tag of ours is shown without a look."""
    drawer = _Drawer()
    drawer.feed(markup)
    drawer.close()
    return drawer.text
