"""What hatchling calls when a compiled wheel is asked for (`make wheel-compiled`): the plain wheel, and
beside its sources the extension modules of `referee.rules`, for this interpreter and this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from build import build


class CompiledRules(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's own way to write it
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.place = TemporaryDirectory(prefix="compiled-rules-")
        target = Path(self.place.name)
        modules = build(target)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(target / module): module.as_posix() for module in modules})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.place.cleanup()
