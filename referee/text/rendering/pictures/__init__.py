"""Pictures: SVG by one template each in templates/pictures, laid out here, in the reader's language, light or
dark.

    table   as everybody sees it                    seat     a seat's own cards and question
    ending  the score, part by part                 course   how a game went: points, chances
    league  standings and places of a division      lines    lines over rounds
    kit     what they share     looks   colours and shapes     metrics   how wide words are

Text that goes with a picture is complete without it.
"""

from __future__ import annotations

from .course import chances_picture, course_picture
from .ending import ending_picture
from .kit import WIDTH, ZOOM, Picture, stacked
from .league import progress_picture, standings_picture
from .looks import THEMES
from .seat import seat_picture
from .table import table_picture

__all__ = [
    "THEMES",
    "WIDTH",
    "ZOOM",
    "Picture",
    "chances_picture",
    "course_picture",
    "ending_picture",
    "progress_picture",
    "seat_picture",
    "stacked",
    "standings_picture",
    "table_picture",
]
