"""Backups of the book: taken while the referee serves, proven, kept in a folder, and unpacked where nobody
sees it until it is whole.

manifest what a backup says of itself, in a file beside it shelf a folder of them, the oldest thrown away
taking making one, on either database scratch one unpacked: a book that only we know of
"""

from referee.store.backups.manifest import BadBackup, Manifest, beside, checked, written
from referee.store.backups.scratch import Scratch, unpacked
from referee.store.backups.shelf import Shelf
from referee.store.backups.taking import taken

__all__ = ["BadBackup", "Manifest", "Scratch", "Shelf", "beside", "checked", "taken", "unpacked", "written"]
