"""Build hook: make the type stubs and the solved notebooks, which are not in the repository.

`run.py` makes them for its own environment, with HATCH_BUILD_NO_HOOKS set.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedFiles(BuildHookInterface[Any]):
    """Write the generated files before a wheel or an sdist is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        sys.path.insert(0, self.root)
        for program in ("docs/make_stubs.py", "lessons/build.py"):
            runpy.run_path(str(Path(self.root, program)))["main"]()
