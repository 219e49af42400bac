"""The code of layouts, kept in a folder from one start to the next: to compile what a first letter needs
takes a third of a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from ..folders import shipped

#: what the code of a layout is made of besides its source: sentences, names, and what makes them
_SUFFIXES = (".j2", ".toml", ".py")


class KeptCode(FileSystemBytecodeCache):
    """Jinja's own cache, for one language and kind of output.  What can't be read there, or written, is
    compiled as without it.
    """

    def __init__(self, folder: Path, language: str, kind: str) -> None:
        super().__init__(str(folder), f"{language}-{kind}-%s.code")

    def get_source_checksum(self, source: str) -> str:
        """Changes with anything that the code is made of: what is older is compiled and written anew."""
        return super().get_source_checksum(made_of() + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """The code, where it is there and whole."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # a file that broke may fail in any way that pickle and marshal know
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, where there is a place for it."""
        with suppress(OSError):
            Path(self.directory).mkdir(mode=0o700, parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


@lru_cache(maxsize=1)
def made_of() -> str:
    """A digest of when the shipped templates, and the modules that read them, were written, and how long they
    are.
    """
    return sha256("\n".join(_files()).encode()).hexdigest()


def _files() -> Iterator[str]:
    for folder in (shipped(), Path(__file__).parents[1]):
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SUFFIXES:
                state = path.stat()
                yield f"{path} {state.st_mtime_ns} {state.st_size}"
