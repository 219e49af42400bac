"""The pictures of letters."""

from __future__ import annotations

from dataclasses import replace

from referee.ports import Letter

from ..core.composing import FINISHERS, Composition
from . import letter_pictures


def illustrated(composition: Composition, letter: Letter) -> Letter:
    """The letter with its picture, where it has one."""
    occasion, draft, kind, context = composition
    if not occasion.settings.pictures:
        return letter
    picture = (
        None if occasion.game is None else letter_pictures.depicted(occasion, kind, occasion.game, context)
    )
    attachments = letter.attachments
    if draft.drawings:
        picture, more = letter_pictures.drawn(occasion, kind, draft.drawings)
        attachments += more
    if picture is not None and draft.brief:
        brief = occasion.words.letter(kind, occasion.language, occasion.markup, {**context, "brief": True})
        picture = replace(picture, caption=brief.text, caption_markup=brief.markup)
    return replace(letter, picture=picture, attachments=attachments)


FINISHERS.add("pictures", illustrated, __name__)
