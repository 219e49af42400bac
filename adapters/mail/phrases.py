"""What mail programs write around a quotation, in the languages they write it in.

Tables only. Sources: the files in tests/adapters/replies, and the rows of tests/adapters/mail_clients. A
language that is missing here is met by shape: see `quotation` and `signature`.
"""

from __future__ import annotations

import re

#: characters of a line that may be one of these; anyone who looks does not look at longer ones, and each
#: pattern is bounded besides
LINE = 600
COLONS = (":", "\uff1a")
#: "wrote", as it stands in "On Friday Ann wrote:"
WROTE = re.compile(
    r"\b(?:wrote|writes|said|sent|escreveu|escribi[óu]|escrit|escriure|schrieb|geschrieben|a écrit|"
    r"ha scritto|schreef|"
    r"geschreven|skrev|skrifaði|napisał|napisał[ao]?|pisze|napsal|píše|napísal|napisa[ol]|napisao|"
    r"napisala|"
    r"kirjoitti|kirjutas|a scris|írta|написал|написа|писал|пише|пишет|писали|напис|yazdı|έγραψε|"
    r"rašė|rakstīja|"
    r"menulis|đã viết|idatzi|quoting|zitat von|citando|citeren|cytowanie|cituji|lainaus|idézem|"
    r"citerar|citējot)"
    r"|写道|寫道|のメール|書きました|작성|쓴 글|เขียนว่า|ने लिखा|\u05de\u05d0\u05ea|"
    r"\u05db\u05ea\u05d1|\u06a9\u062a\u0628|"
    r"\u0643\u062a\u0627\u0628\u0629|\u0646\u0648\u0634\u062a",
    re.IGNORECASE,
)
#: own words before an attribution on one line with it
SHARED = re.compile(
    r"(\w[^@<>]{0,200}?)\s{0,4}-{0,4}\s{0,4}\bOn (?:\d{1,2}[ ./-]|"
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,? )"
)
#: an address, a year or a time of day
DATED = re.compile(
    r"@|(?:\b|\D)(?:19|20|25)\d\d(?:\b|\D)|\b\d{1,2}[:.h\u2236]\d\d\b|\b\d{1,2} ?h ?\d\d\b|"
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d\d"
)
#: a day or a time, whatever the language
WHEN = re.compile(
    r"(?:19|20|25)\d\d|\d{1,2}[:.h\u2236]\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d|"
    r"[\u0660-\u0669\u06f0-\u06f9]{4}"
)
#: lines of dashes or underscores, alone or around words
SEPARATOR = re.compile(
    r"^\s{0,40}(?:_{8,400}|[-\u2010]{10,400}|"
    r"[-\u2010_*]{3,100}\s?[^-\u2010_*=\s][^=]{1,300}?[-\u2010_*]{3,100}|"
    r"Begin forwarded message:|Original Message|-----[^-]{1,200}wrote: -----)\s{0,40}$",
    re.IGNORECASE,
)
#: a line of a header block: a word or two and a colon (a bar: a program that makes tables of it)
HEADER = re.compile(
    r"^[\s*_|]{0,16}([^\W\d_][^:\uff1a|<>@=\d]{0,26}?)[\s*_]{0,4}[:\uff1a|][\s*_]{0,12}(?:\S|$)",
    re.IGNORECASE,
)
_FROM = (
    "from|von|de|da|van|från|fra|od|от|lähettäjä|feladó|kimden|šalje|expeditorul|отправитель|від|"
    "від кого|saatja|de la|"
    "gönderen|mittente|nadawca|发件人|寄件者|差出人|送信元|보낸 사람|보낸사람|dari|từ|จาก|από|nuo|"
    "no|\u05de\u05d0\u05ea|\u0645\u0646"
)
_OTHERS = (
    "sent|date|to|subject|cc|reply-to|gesendet|datum|an|betreff|enviad[oa]s?|enviad[oa] (?:em|el)|"
    "data|para|assunto|"
    "fecha|asunto|envoyé|à|pour|objet|sujet|inviato|a|oggetto|verzonden|aan|onderwerp|skickat|till|"
    "ämne|rubrik|sendt|"
    "til|emne|dato|wysłan[oe]|do|temat|отправлено|кому|тема|дата|copie à|kopie|kopia|kopi|"
    "lähetetty|vastaanottaja|"
    "saaja|aihe|päivämäärä|päiväys|odesláno|komu|předmět|odoslané|predmet|dátum|elküldve|címzett|"
    "tárgy|trimis|către|"
    "subiect|subiectul|dată|изпратено|изпратено на|до|относно|надіслано|poslato|za|tema|naslov|"
    "poslano|prima|zadeva|"
    "išsiųsta|kam|nosūtīts|tēma|saadetud|adressaat|teema|kuupäev|στάλθηκε|προς|θέμα|ημερομηνία|"
    "gönderildi|gönderilen|"
    "kime|alıcı|konu|tarih|送信日時|宛先|件名|日付|보낸 날짜|날짜|받는 사람|받은 사람|받는사람|"
    "제목|发送时间|收件人|主题|日期|抄送|"
    "寄件日期|收件者|主旨|enviat|per a|assumpte|terkirim|kepada|subjek|tanggal|ke|perihal|đã gửi|"
    "đến|tới|chủ đề|ngày|"
    "ส่ง|ถึง|ชื่อเรื่อง|\u05e0\u05e9\u05dc\u05d7|\u05d0\u05dc|\u05e0\u05d5\u05e9\u05d0|"
    "\u062a\u0645 \u0627\u0644\u0625\u0631\u0633\u0627\u0644|\u0625\u0644\u0649|"
    "\u0627\u0644\u0645\u0648\u0636\u0648\u0639"
)
FROM_WORD = re.compile(f"(?:{_FROM})", re.IGNORECASE)
HEADER_WORD = re.compile(f"(?:{_FROM}|{_OTHERS})", re.IGNORECASE)
#: how a mail begins that answers further below; whole lines only
GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten (?:morgen|tag|abend)|"
    r"moin|servus|liebe[rs]?|"
    r"bonjour|bonsoir|salut|hola|buenos días|buenas|olá|oi|ola|bom dia|boa tarde|boa noite|"
    r"prezad[oa]s?|ciao|salve|"
    r"buongiorno|buonasera|hoi|goedemorgen|goedemiddag|hej|hejsan|hei|moi|terve|cześć|dzień dobry|"
    r"witam|ahoj|dobrý den|"
    r"szia|jó napot|bună|здравствуйте|привет|добрый день|вітаю|здравейте|merhaba|selam|γεια|bok|"
    r"živjo|labas|sveiki|tere|"
    r"您好|你好|こんにちは|안녕하세요|xin chào|"
    r"halo)(?: [^\W\d_][\w.'-]{0,30}){0,4}\s?[,.!:\uff0c\u3002…]{0,3}",
    re.IGNORECASE,
)
#: the line of RFC 3676 4.3, with or without its space, and what looks like it
SIGNATURE = re.compile(r"^\s{0,2}(?:--|\u2014|\u2013)\s?$")
RULE = re.compile(r"^\s{0,2}(?:[-\u2013\u2014]{3,9}|_{3,7}|~{3,40}|\*{3,40})\s{0,4}$")
#: how people end a mail; whole lines only
CLOSING = re.compile(
    r"(?:(?:many |best |kind |warm |kindest |with )?(?:thanks|thank you|thx|regards|wishes|cheers|"
    r"greetings)|best|sincerely|"
    r"yours|all the best|take care|(?:mit )?(?:freundlichen|besten|vielen?|lieben?|herzlichen?|"
    r"schönen?) grü(?:ße|ßen|sse|ssen)|"
    r"viele grüße|vg|lg|mfg|gruß|grüße|danke|cordialement|bien à vous|merci|salutations|saludos|"
    r"un saludo|atentamente|"
    r"gracias|abraços?|um abraço|atenciosamente|obrigad[oa]|cumprimentos|att|cordiali saluti|"
    r"saluti|grazie|"
    r"(?:met vriendelijke )?groet(?:en)?|mvg|med (?:venlig|vennlig) hilsen|"
    r"(?:med )?vänliga hälsningar|hälsningar|hilsen|mvh|tack|"
    r"terveisin|ystävällisin terveisin|pozdrawiam|z poważaniem|s pozdravem|děkuji|üdvözlettel|"
    r"cu stimă|mulțumesc|"
    r"с уважением|спасибо|з повагою|saygılarımla|teşekkürler)\W{0,8}",
    re.IGNORECASE,
)
#: programs that sign for their owner: "Sent from …" in the languages that they do it in, with one of the
#: things below; and names that can mean nothing else, alone. In the languages that players write in it begins
#: the line: "say I sent you a mail" are words of their own
SENT = re.compile(
    r"^\W{0,3}(?:(?:this |est[ae] )?(?:e?-?mail|message|mensagem|mensaje) (?:was |has been |foi |fue )?)?"
    r"(?:sent|enviad[oa])\b|^\W{0,3}(?:get|obtenha|obter|obtener)\b|"
    r"gesendet|holen|beziehen|von mein|envoyé|obtenir|"
    r"télécharger|inviato|scarica|"
    r"ottieni|verstuurd|verzonden|downloaden|sendt|hent |skickat|skaffa|lähetetty|hanki|"
    r"wysłan|pobierz|odesl[aá]no|"
    r"získat|odoslané|küldve|trimis|отправлено|скачать|получите|надіслано|poslano|στάλθηκε|"
    r"gönderildi|edinin|"
    r"enviat|dikirim|đã gửi|ส่งจาก|発信|送信|入手|보냄|다운로드|发自|来自|获取|傳送|寄件|"
    r"\u05e0\u05e9\u05dc\u05d7|\u0623\u064f?\u0631\u0633\u0644\u062a",
    re.IGNORECASE,
)
#: … and those that begin so need no such thing
SENT_BY = re.compile(
    r"^\W{0,3}(?:sent (?:from|via|with|by|using)|from my|envoyé (?:de|depuis|à partir)|"
    r"enviado (?:do|da|desde|pelo)|gesendet (?:von|mit)|von meine[mr]|inviato d|verzonden (?:met|van)|"
    r"verstuurd|skickat fr|sendt fra|lähetetty|wysłan[eo] z|отправлено|надіслано|odesláno z|odoslané z|"
    r"trimis de|poslano s|εστάλη|στάλθηκε από)\b",
    re.IGNORECASE,
)
_ALONE = (
    "iphon|ipad|ipod|android|outlook|gmail|yahoo|samsung|huawei|华为|xiaomi|小米|oneplus|motorola|"
    "blackberry|"
    "windows (?:phone|mail|10)|proton ?mail|tutanota|web\\.de|k-9 mail|bluemail|mail\\.ru|qq邮箱|"
    "网易邮箱|fairemail|aqua ?mail"
)
ALONE = re.compile(rf"(?:{_ALONE})", re.IGNORECASE)
THING = re.compile(
    rf"(?:{_ALONE})|\b(?:ios|galaxy|mail|mobil\w{{0,6}}|handy|smartphone|pixel|thunderbird|tuta|"
    rf"gmx|phone|windows|"
    r"telem[óo]vel|celular|dispositivo|ger[äa]t|device|spark|nine|orange|telekom|zoho|fastmail|"
    r"libero|aol|uol|poczta|"
    r"почт[аыу]|email)\b",
    re.IGNORECASE,
)
#: what servers and lists put below, and gateways above
FOOTER = re.compile(
    r"\b(?:confidential|confidencial|confidentiel|vertraulich|riservat|disclaimer|virus-free|avast|"
    r"antivirus|"
    r"unsubscribe|mailing list|google groups|listinfo|scanned by|aviso legal)\b|此邮件|本邮件",
    re.IGNORECASE,
)
BANNER = re.compile(
    r"^\W{0,6}(?:caution|external|warning|achtung|attention|atenção|atención|attenzione|"
    r"externe)\b.{0,20}(?:e-?mail|sender|"
    r"mail|absender|message|mensagem|:|\])",
    re.IGNORECASE,
)
