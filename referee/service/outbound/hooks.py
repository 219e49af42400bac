"""What became of a letter, for other rooms to know."""

from __future__ import annotations

from referee.ports import Receipt
from referee.store import Outbox

from ..core.hooks import Hook
from ..core.unit_of_work import UnitOfWork

#: its wire took it; its row as it is then
letter_left: Hook[[UnitOfWork, Outbox]] = Hook("letter left")
#: its wire refuses it for good
letter_refused: Hook[[UnitOfWork, Outbox, Receipt]] = Hook("letter refused")
