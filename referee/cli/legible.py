"""What is printed stays legible where a terminal has other letters than Unicode's (`pt_BR.ISO-8859-1`), and a
byte that is no letter there ends nothing. What goes to a file or to a program is UTF-8, letter for letter: a
record of other letters would not verify.
"""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

NAME = "legible"
#: what stands for a sign that the terminal lacks; a letter with an accent loses the accent
_LIKE = {
    "“": '"',
    "”": '"',
    "„": '"',
    "‘": "'",
    "’": "'",
    "–": "-",
    "—": "-",
    "−": "-",
    "•": "*",
    "→": ">",
    "×": "x",
}


def legible(error: UnicodeError) -> tuple[str | bytes, int]:
    """As an error handler of Python's codecs: signs that can be shown, instead of those that can't."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    shown = (_shown(sign, error.encoding) for sign in error.object[error.start : error.end])
    return "".join(shown), error.end


def _shown(sign: str, encoding: str) -> str:
    plain = _LIKE.get(sign) or "".join(
        one for one in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(one)
    )
    try:
        plain.encode(encoding)
    except UnicodeEncodeError:
        return "?"
    return plain


def everywhere() -> None:
    """For all that this process reads from a person and shows to one."""
    codecs.register_error(NAME, legible)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.isatty():
            stream.reconfigure(errors=NAME)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
