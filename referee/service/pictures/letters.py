"""The pictures of letters."""

from __future__ import annotations

from dataclasses import replace

from referee.ports import Letter

from ..core.composing import FINISHERS, ComposedLetter
from . import letter_pictures


def illustrated(composition: ComposedLetter, letter: Letter) -> Letter:
    """The letter with its picture, where it has one."""
    ctx, draft, kind, context = composition
    if not ctx.settings.pictures:
        return letter
    picture = None if ctx.game is None else letter_pictures.depicted(ctx, kind, ctx.game, context)
    attachments = letter.attachments
    if draft.drawings:
        picture, more = letter_pictures.letter_drawings(ctx, kind, draft.drawings)
        attachments += more
    if picture is not None and draft.brief:
        brief = ctx.words.letter(kind, ctx.language, ctx.markup, {**context, "brief": True})
        picture = replace(picture, caption=brief.text, caption_markup=brief.markup)
    return replace(letter, picture=picture, attachments=attachments)


FINISHERS.add("pictures", illustrated, __name__)
