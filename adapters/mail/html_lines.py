"""An HTML mail as lines of text, its quotations marked with ``>`` as a plain one's would be.

Only replies come here that have no text part.  A quotation is known by its element (`blockquote`) or by
the names mail programs give to its wrapper; signatures that are named as such are left out.
"""

from __future__ import annotations

import html
import re

#: an answer stands near the top: no more than this is read (characters)
MAX_PAGE = 100_000
#: a tag: no longer than that, and without a "<" in it, so that each sign is looked at once
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/<>]{0,100})([^<>]{0,4000})>")
_ATTRIBUTE = re.compile(
    r"""([A-Za-z][\w:-]{0,40})\s{0,5}=\s{0,5}(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"'>]{1,1000}))"""
)
#: a picture that stands in its tag itself, which it makes longer than any tag that is looked at
_INLINE = re.compile(r"(?<=[\"'(=])data:image/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/=%\s]*", re.IGNORECASE)
#: numbers that no sign has: the standard library would refuse to read the longest ones
_NO_SIGN = re.compile(r"&#[xX]?[0-9a-fA-F]{8,}")
#: what stands in these is no page
_RAW = frozenset({"script", "style", "textarea", "title"})
_VOID = frozenset(
    {"br", "hr", "img", "input", "meta", "link", "wbr", "col", "area", "base", "embed", "source", "track"}
)
_SILENT = frozenset(
    {"script", "style", "head", "title", "template", "noscript", "svg", "object", "select", "textarea"}
)
_BLOCK = frozenset(
    {
        "p",
        "div",
        "tr",
        "table",
        "ul",
        "ol",
        "li",
        "blockquote",
        "pre",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "section",
        "article",
        "header",
        "footer",
        "address",
        "center",
        "dl",
        "dt",
        "dd",
        "body",
        "td",
        "th",
    }
)
#: words that were struck out
_STRUCK = frozenset({"s", "del", "strike"})
_THROUGH = re.compile(r"line-through", re.IGNORECASE)
#: words that nobody sees; letters of no height are none of them, as boxes around visible ones have that
_HIDDEN = re.compile(
    r"(?:^|[;\s])(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden)\b", re.IGNORECASE
)
#: ends of lines in the page's source are such on the screen, too
_KEPT = re.compile(r"white-space\s{0,4}:\s{0,4}(?:pre|break-spaces)", re.IGNORECASE)
_QUOTES = re.compile(
    r"gmail_quote|gmail_attr|yahoo_quoted|moz-cite-prefix|protonmail_quote|tutanota_quote|zmail_extra|"
    r"reply-intro|"
    r"OutlookMessageHeader|quoted_header_editor|mail-quote",
    re.IGNORECASE,
)
_SIGNS = re.compile(
    r"gmail_signature|moz-signature|protonmail_signature|tutanota_signature|ms-outlook-mobile-signature|"
    r"AppleMailSignature|composer_signature|"
    r"ydp.{0,12}signature|^x?_?Signature$",
    re.IGNORECASE,
)
#: from here to the end all is quoted (Outlook)
_REST = re.compile(r"divRplyFwdMsg|appendonsend|ms-outlook-mobile-reference-message", re.IGNORECASE)
_RULE = re.compile(r"border-top:\s*solid\s+#(?:E1E1E1|B5C4DF)", re.IGNORECASE)


def page_to_text(page: str) -> str:
    """Lines of text; never raises for what the page holds, and takes time in proportion to its length."""
    reader = _LineCollector()
    page = _without_comments(_INLINE.sub("", page)[:MAX_PAGE])
    at = 0
    for tag in _TAG.finditer(page):
        if tag.start() < at:
            continue  # in a script
        reader.handle_data(_unescaped(page[at : tag.start()]))
        at = tag.end()
        closes, name, more = tag[1], tag[2].lower(), tag[3]
        if closes:
            reader.handle_endtag(name)
            continue
        attrs = _ATTRIBUTE.finditer(more) if "=" in more else ()
        reader.handle_starttag(name, {found[1].lower(): found[2] or found[3] or found[4] for found in attrs})
        if more.endswith("/"):
            reader.handle_endtag(name)
        elif name in _RAW:
            end = page.find(f"</{name}", at)
            at = len(page) if end < 0 else end
    reader.handle_data(_unescaped(page[at:]))
    return reader.text()


def strikes(page: str) -> bool:
    """Whether it strikes words out, which its plain words can't show."""
    return any(
        tag[2].lower() in _STRUCK or _THROUGH.search(tag[3])
        for tag in _TAG.finditer(_INLINE.sub("", page)[:MAX_PAGE])
        if not tag[1]
    )


def _unescaped(text: str) -> str:
    return html.unescape(_NO_SIGN.sub("\ufffd", text)) if "&" in text else text


def _without_comments(page: str) -> str:
    """Comments may hold tags; what opens and never closes, a comment or a declaration, ends the page."""
    if page.lstrip().startswith("<?"):
        page = page.partition(">")[2]
    kept: list[str] = []
    at = 0
    while (start := page.find("<!", at)) >= 0:
        kept.append(page[at:start])
        comment = page.startswith("<!--", start)
        end = page.find("-->" if comment else ">", start + 2)
        if end < 0:
            return "".join(kept)
        at = end + (3 if comment else 1)
    return "".join([*kept, page[at:]])


class _LineCollector:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._open: list[tuple[str, str]] = []  # tag, and "quote", "silent", "pre" or ""
        self._quotes = 0
        self._silent = 0
        self._rest = False
        self._pre = 0

    def handle_starttag(self, tag: str, attrs: dict[str, str]) -> None:
        if tag == "br":
            self._end_line()
            return
        if tag == "hr":
            self._end_line()
        if tag in _VOID:
            return
        if tag in _BLOCK:
            self._end_line(blank=False)
        kind = self._kind(tag, attrs)
        if len(self._open) < 2000:
            self._open.append((tag, kind))
            self._count(tag, kind, +1)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCK:
            self._end_line(blank=tag == "p")
        # a stray end tag closes nothing; one that skips others closes them too
        for i in range(len(self._open) - 1, max(len(self._open) - 50, -1), -1):
            if self._open[i][0] == tag:
                if tag in _BLOCK:
                    self._end_line(blank=False)
                for closed in self._open[i:]:
                    self._count(*closed, -1)
                del self._open[i:]
                return

    def handle_data(self, data: str) -> None:
        if self._silent or not data:
            return
        if self._pre:
            first, *more = data.split("\n")
            self._line.append(first)
            for one in more:
                self._end_line()
                self._line.append(one)
            return
        words = re.sub(r"[ \t\r\n\f]+", " ", data)
        if words.strip() or (words and self._line):
            self._line.append(words)

    def text(self) -> str:
        self._end_line(blank=False)
        return "\n".join(self._lines)

    def _kind(self, tag: str, attrs: dict[str, str]) -> str:
        if not attrs:  # most tags of a page
            return "silent" if tag in _STRUCK or tag in _SILENT else "quote" if tag == "blockquote" else ""
        names = f"{attrs.get('class', '')} {attrs.get('id', '')} {attrs.get('name', '')}"
        style = attrs.get("style", "")
        if tag in _STRUCK or _THROUGH.search(style) or _HIDDEN.search(style):
            return "silent"
        if tag in _SILENT or any(_SIGNS.search(name) for name in names.split()):
            return "silent"
        if _REST.search(names) or (tag == "div" and _RULE.search(style)):
            self._rest = True
        if tag == "blockquote" or _QUOTES.search(names) or (tag == "div" and attrs.get("name") == "quote"):
            return "quote"
        return "pre" if _KEPT.search(style) else ""

    def _count(self, tag: str, kind: str, by: int) -> None:
        self._quotes += by * (kind == "quote")
        self._silent += by * (kind == "silent")
        self._pre += by * (kind == "pre" or tag == "pre")

    def _end_line(self, *, blank: bool = True) -> None:
        """Finish the line; an empty one counts only where the page shows it as such."""
        line = "".join(self._line)
        self._line = []
        line = line.rstrip() if self._pre else line.strip()
        if line or (blank and self._lines and self._lines[-1]):
            quoted = self._quotes or self._rest
            self._lines.append(("> " + line if quoted else line).rstrip() if line or not quoted else "")
