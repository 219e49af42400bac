"""What mail programs write around a quotation, in the languages they write it in.

Tables only.  Sources: replies in tests/adapters/replies, one per program and language.  A language
that is missing here is still met by shape: see `answer`.
"""

from __future__ import annotations

import re

#: characters of a line that may be one of these; whoever looks does not look at longer ones, and each pattern
#: is bounded besides
LINE = 600
#: how "On Friday Ann wrote:" begins …
ATTRIBUTION_OPENS = re.compile(
    (
        r"^\s{0,8}(?:On|Em|Am|Le|El|Il|Op|Den|Dne|Dnia|W dniu|Pe|No dia|A\(z\)|pt\.|pon\.|\d{4}[-/年.]|"
        r"[^<]{0,60}<[^<>\s@]{1,64}@[^<>\s@]{1,255}>)"
    ),
    re.IGNORECASE,
)
#: … and how it ends
_WROTE = (
    "wrote",
    "escreveu",
    "schrieb",
    "a écrit",
    "escribió",
    "ha scritto",
    "schreef",
    "skrev",
    "napisał",
    "napisała",
    "napisał\\(a\\)",
    "napsal",
    "kirjoitti",
    "a scris",
    "írta",
    "написал",
    "пише",
    "пишет",
    "yazdı",
    "έγραψε",
)
ATTRIBUTION = re.compile(
    rf"^(?=.*(?:\d|@)).{{2,300}}\b(?:{'|'.join(_WROTE)})(?:\s(?:[^:]|:\d){{0,120}})?\s?[:\uff1a]$",
    re.IGNORECASE,
)
#: what an attribution holds, looked for first: it is quicker
WROTE = re.compile(rf"\b(?:{'|'.join(_WROTE)})", re.IGNORECASE)
#: an address, a year or a time of day
DATED = re.compile(r"@|\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b")
#: lines of dashes or underscores, alone or around words
SEPARATOR = re.compile(
    (
        r"^\s{0,40}(?:_{8,400}|-{10,400}|[-_*]{3,100}\s?[^-_*=]{3,60}\s?[-_*]{3,100}|"
        r"Begin forwarded message:)\s{0,40}$"
    ),
    re.IGNORECASE,
)
_B = r"[*_\s]{0,4}"
FROM_LINE = re.compile(
    rf"^{_B}(?:From|Von|De|Da|Van|Från|Fra|Od|От|Lähettäjä|Feladó|Kimden){_B}\s?:{_B}\S", re.IGNORECASE
)
OTHER_HEADER = re.compile(
    rf"^{_B}(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Enviad[oa](?: em)?|Data|Para|Assunto|Fecha|"
    rf"Asunto|Envoyé|À|Objet|"
    rf"Inviato|A|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Wysłano|Do|Temat|"
    rf"Отправлено|Кому|Тема){_B}\s?:",
    re.IGNORECASE,
)
#: the line of RFC 3676 4.3, with or without its space
SIGNATURE = re.compile(r"^\s{0,2}(?:--|\u2014|\u2013)\s?$")
_SENT = (
    r"Sent|Get|Enviad[oa]|Obtenha|Obter o|Obtener|Gesendet|Von meinem|Diese Nachricht wurde|Holen Sie sich|"
    r"Envoyé|Obtenir|Télécharger|"
    r"Inviato|Ottieni|Verzonden|Skickat|Sendt|Wysłan[eoy]|Pobierz|Lähetetty|Отправлено|Downloaded|Yahoo Mail"
)
_THING = (
    r"iPhone|iPad|iOS|Android|Outlook|Galaxy|Samsung|Proton|Yahoo|Mail\b|Mobil|Handy|Smartphone|Huawei|"
    r"Xiaomi|Pixel|BlackBerry|Thunderbird|"
    r"Tutanota|Tuta\b|GMX|WEB\.DE|phone|Windows|telem[óo]vel|celular|dispositivo|Ger[äa]t"
)
MOBILE_SIGNATURE = re.compile(rf"^(?:{_SENT})\b.{{0,60}}?(?:{_THING}).{{0,80}}$", re.IGNORECASE)
