"""Bytes as text, by the charsets that mails are written in and by no other codec.

A mail names its charset itself, and Python knows codecs that are no charsets: some make half characters that
nothing can store (utf-7, unicode_escape), some take quadratic time (idna), some unpack (zlib). So a name is
looked up in this table, never in Python's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_HALF = re.compile("[\ud800-\udfff]")
_DELIMITERS = re.compile(r"[^a-z0-9]+")
#: each with the names that it goes by in mails, without what stands between letters and digits
_KNOWN: dict[str, Iterable[str]] = {
    "utf-8": ("utf8", "usascii", "ascii", "ansix341968", "646", "unicode11utf8", "cp65001"),
    "utf-16": ("utf16", "unicode"),
    "utf-16-le": ("utf16le",),
    "utf-16-be": ("utf16be",),
    "iso8859-15": ("iso885915", "latin9"),
    **{
        f"iso8859-{n}": (f"iso8859{n}", f"iso8859{n}i", f"iso8859{n}e")
        for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16)
    },
    **{f"cp{n}": (f"windows{n}", f"cp{n}", f"xcp{n}", f"win{n}") for n in range(1250, 1259) if n != 1252},
    # programs that say Latin-1 mean what Windows made of it: quotes and dashes where it has control signs
    "cp1252": ("windows1252", "cp1252", "xcp1252", "win1252", "iso88591", "latin1", "l1", "8859", "88591"),
    **{
        f"cp{n}": (f"cp{n}", f"ibm{n}")
        for n in (437, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866)
    },
    "koi8-r": ("koi8r",),
    "koi8-u": ("koi8u",),
    "tis-620": ("tis620", "windows874", "cp874"),
    "mac-roman": ("macroman", "macintosh", "xmacroman", "mac"),
    "mac-cyrillic": ("maccyrillic", "xmaccyrillic"),
    "viscii": (),
    "gb18030": ("gb18030", "gbk", "cp936", "gb2312", "xgbk", "euccn"),
    "big5hkscs": ("big5hkscs",),
    "cp950": ("big5", "cp950", "xxbig5"),
    "euc_jp": ("eucjp", "xeucjp"),
    "cp932": ("shiftjis", "sjis", "xsjis", "mskanji", "windows31j", "cp932"),
    "iso2022_jp_2": ("iso2022jp", "iso2022jp2"),
    "iso2022_jp_ext": ("iso2022jp1", "iso2022jp3", "iso2022jpext"),
    "cp949": ("euckr", "ksc56011987", "ksc5601", "cp949", "uhc", "ksc5601987"),
    "iso2022_kr": ("iso2022kr",),
}
_CODECS = {name: codec for codec, names in _KNOWN.items() for name in names}


def known(charset: str | None) -> str:
    """Python's name for a charset that mails are written in; "" for any other."""
    return _CODECS.get(_DELIMITERS.sub("", (charset or "")[:40].lower()), "")


def decoded(data: bytes, charset: str | None) -> str:
    """Bytes as text: by their own charset, else UTF-8, else what Windows would have meant.

    Never a half character.
    """
    for name in (known(charset), "utf-8"):
        try:
            if name:
                return _HALF.sub("\ufffd", data.decode(name))
        except ValueError:  # not in that charset
            continue
    return data.decode("cp1252", "replace")
