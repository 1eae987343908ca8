"""Run Python in a process of its own, which finds the packages of this repository."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from .patience import PATIENCE

ROOT = Path(__file__).parents[1]


def python(
    *words: str, cwd: Path = ROOT, given: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words, input and environment; a hang ends the test."""
    settings: dict[str, Any] = {"capture_output": True, "text": True, "timeout": PATIENCE}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, *words]
    return subprocess.run(command, check=False, cwd=cwd, input=given, env=environment, **settings)
