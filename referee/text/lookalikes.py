"""Names that look alike: letters of other alphabets that nobody tells from Latin ones, and signs that nobody
sees.

Two people of one name are given numbers. One who writes another's name in other letters must be, too, else
the one passes for the other. The list is short on purpose: Unicode's whole table also takes "m" for "rn",
and would number many an honest name.
"""

from __future__ import annotations

from .folding import squash

#: signs that show nothing, though Unicode counts them among letters and symbols
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
#: of alphabets, letters in lower case and the Latin ones that look like them; or like their capitals, as
#: names are compared without these
_ALPHABETS = (
    ("авгԁеѕіјкӏмнһорԛгстуүԝхзѵԍ", "abrdesijklmhhopqrctyywx3vg"),  # Cyrillic
    ("αβεζηικμνορτυχγ", "abezhikmnoptyxy"),  # Greek
    ("օոսհլգցյ", "onuhlqgj"),  # Armenian
    ("ɑɡıȷɩ", "agiji"),  # phonetic, Turkish
    ("ꭰꭱꭲꭺꭻꭼꮃꮇꮋꮐꮓꮢꮤꮥꮩꮪꮮꮯꮲꮶ", "drtajewmhgzrwsvslcpk"),  # Cherokee
)
_LATIN = str.maketrans(
    {other.casefold(): latin for pair in _ALPHABETS for other, latin in zip(*pair, strict=True)} | {"0": "o"}
)


def skeleton(text: str) -> str:
    """What a name looks like, as Unicode calls it (UTS 39): the same for names that nobody tells apart at a
    glance, and for those that `squash` takes for one.
    """
    plain = "".join(c for c in squash(text) if c not in BLANK).translate(_LATIN)
    return "i" + plain[1:] if plain[:1] in ("l", "1") else plain  # a capital I begins many names
