"""Backups of the database: taken while the referee serves, proven, kept in a folder, and unpacked where
nobody sees it until it is whole.

`manifest` is what a backup says of itself, in a file beside it; `folder` holds many, the oldest thrown away;
`making` makes one, on either database; `scratch` is one unpacked: a database that only we know of.
"""

from referee.store.backups.folder import BackupFolder
from referee.store.backups.making import taken
from referee.store.backups.manifest import BadBackup, Manifest, beside, checked, written
from referee.store.backups.scratch import Scratch, unpacked

__all__ = [
    "BackupFolder",
    "BadBackup",
    "Manifest",
    "Scratch",
    "beside",
    "checked",
    "taken",
    "unpacked",
    "written",
]
