"""Where Pyodide, the Python of the browser, comes from.

MINIPADDLE_PYODIDE names a folder with Pyodide and its packages, which the site then contains, or
an address. Without it pages load Pyodide from its public host.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

VERSION = "0.27.7"
ADDRESS = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"


def provide(output: Path) -> str:
    """Return Pyodide's address for pages of the site: absolute, or relative to the site's root.

    A folder is copied into the site.
    """
    setting = os.environ.get("MINIPADDLE_PYODIDE", ADDRESS)
    if setting.startswith(("https://", "http://")):
        return setting.rstrip("/") + "/"
    folder = Path(setting).expanduser()
    if not (folder / "pyodide-lock.json").exists():
        sys.exit(
            "MINIPADDLE_PYODIDE names no folder of Pyodide.\n"
            f"  expected  a folder with pyodide-lock.json, or an address that begins with https://\n"
            f"  received  {setting}\n"
            f"  to do     unset it: pages then load {ADDRESS}"
        )
    shutil.copytree(folder, output / "pyodide", dirs_exist_ok=True)
    return "pyodide/"
