"""Processes, looked at from outside."""

from __future__ import annotations


def alive(pid: int) -> bool:
    """Whether that process still runs."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):  # gone, or going while we read
        return False
