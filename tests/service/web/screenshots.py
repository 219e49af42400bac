"""Pictures of what pages show, to be looked at: `make screenshots`.

python -m tests.service.web.screenshots FOLDER      each state on a phone and on a desk, by day and by night,
                                                    and index.html with all of them
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.service.web.browser import browsing, surfing
from tests.service.web.running_site import lodging
from tests.service.web.shown_states import states
from tests.service.web.test_board_browser import DESKTOP, PHONE, let_in

SHEET = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>
<style>body {{ font-family: sans-serif }}
figure {{ display: inline-block; vertical-align: top; margin: .5rem }}
img {{ max-height: 30rem; border: 1px solid #999 }}</style>
{body}
</html>
"""


#: every picture of the page is there, also those that wait until somebody scrolls there
DRAWN = """async () => {
  for (const one of document.images) {
    one.loading = 'eager';
    if (one.checkVisibility()) await one.decode().catch(() => 0);
  }
}"""


async def taken(folder: Path) -> list[str]:
    """The files, a line for each state."""
    names: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        async with lodging(Path(place)) as inn, browsing() as browser:
            async for shown in states(inn):
                for width, size in (("phone", PHONE), ("desk", DESKTOP)):
                    # a colour on its way from one scheme to the other is neither
                    async with surfing(browser, size, reduced_motion="reduce") as surf:
                        if shown.who:
                            await let_in(inn, surf, shown.who)
                        await surf.page.goto(inn.url + shown.path)
                        for dark in (False, True):
                            await surf.page.emulate_media(color_scheme="dark" if dark else "light")
                            await surf.page.evaluate(DRAWN)
                            names.append(f"{shown.name}-{width}-{'dark' if dark else 'light'}.png")
                            await surf.page.screenshot(path=folder / names[-1], full_page=True)
    return names


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = asyncio.run(taken(folder))
    body = "\n".join(
        f'<figure><a href="{one}"><img src="{one}" alt="{one}"></a><figcaption>{one}</figcaption></figure>'
        for one in names
    )
    (folder / "index.html").write_text(SHEET.format(body=body), encoding="utf-8")
    print(f"{len(names)} pictures: {folder / 'index.html'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
